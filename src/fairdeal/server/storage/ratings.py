"""The ratings of guests in rated games: one for each guest and game, by OpenSkill's Plackett-Luce model.

Each seat of a finished rated game has a row with the rating of its player before and after the game. A guest's rating
is that after their last game, so the rows follow from the results of the games, in the order in which these ended, and
can be computed again at any time. A rating before a game is taken from the row itself where the game before it cannot
be known: after a guest has deleted their data, or the room an old game. So nobody's rating depends on what others
delete, and the games of a deleted guest are not linked to one another.
"""

import math
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from openskill.models import PlackettLuce

from fairdeal.bots.levels import FACES, levels_of
from fairdeal.bots.rating import MIDDLE, points
from fairdeal.bots.registry import usual_bot
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.registry import find_game
from fairdeal.protocol.bodies import Strength
from fairdeal.server.storage.own_data import seated
from fairdeal.server.storage.queries import opponent_at, people, seats_of
from fairdeal.server.storage.store import alone, entries, put, ratings, seats, tables
from fairdeal.table.names import isolated, shown
from fairdeal.table.sitting import PERSON

TWO = PlackettLuce()
"""The model of a table with two players, with the usual values of OpenSkill."""

POINTS = points(TWO.beta)
"""Number of points on the scale of ratings for a difference of 1 in mu."""

ENOUGH = 10
"""Number of rated games of a kind from which a guest is listed among the ratings."""

ENDED = tables.c.moved, tables.c.id
"""The order in which games have ended."""

KNOWN = 1e-6
"""Standard deviation of the strength of an opponent, which never changes."""


class Skill(NamedTuple):
    """The rating of a player in OpenSkill's numbers, and the number of rated games that it is based on."""

    mu: float
    sigma: float
    games: int = 0


class Ranked(NamedTuple):
    """A guest or an opponent in the list of ratings. `plays` is `person`, or the id of the opponent."""

    name: str
    plays: str
    strength: Strength


NEW = Skill(TWO.mu, TWO.sigma)
"""A player before the first rated game of a kind."""


def strength(row: Any) -> Strength:
    """Return the rating after a game, given the row of the seat, on the scale of the opponents (docs/ladder.md), where
    a new player has the rating of Otto."""
    return Strength(round(MIDDLE + POINTS * (row.mu - TWO.mu), 1), round(POINTS * row.sigma, 1), row.games + 1)


def model_for(players: int) -> PlackettLuce:
    """Return the model of a table. With this beta, a difference between two ratings means the same odds at every table:
    the root of the sum of beta ** 2 over all players is that of two players (see `fairdeal.bots.rating`)."""
    return PlackettLuce(beta=TWO.beta * math.sqrt(2 / players))


def anchors(game: Game) -> dict[str, float]:
    """Return the measured ratings of a game's opponents, by their ids."""
    return {name: level.rating for name, level in levels_of(game).items() if level.rating}


def check_rated(connection: sa.Connection, guest: str, game: Game, chairs: Sequence[str]) -> None:
    """Check that a guest can open a rated table with these players. Raises FairdealError otherwise, also if they have a
    rated game of this kind against bots that waits to be finished, so that nobody leaves a lost game behind."""
    known = anchors(game)
    if len(chairs) < 2:
        raise FairdealError("a game of one player cannot be rated, because it has no places")
    if usual_bot(game) not in known:
        raise FairdealError(f"{game.title} cannot be rated, because its opponents have no measured ratings")
    for chair in chairs:
        if chair not in ("you", PERSON) and chair.partition(":")[0] not in known:
            names = ", ".join(FACES[name].name for name in known)
            raise FairdealError(f"{chair!r} has no measured rating in {game.title}; at a rated table, take {names}")
    own = tables.c.id.in_(seated(guest)), people == 1, tables.c.game == game.name
    waits = sa.select(tables.c.id, tables.c.origin).where(tables.c.rated, tables.c.status == "running", *own)
    for table, origin in connection.execute(waits):
        if not origin:  # a branch does not count
            raise FairdealError(f"first finish or leave your last rated game of this kind: /t/{table}")


def counted(places: Sequence[int], left: Collection[int]) -> list[int]:
    """Return the places by seat as they count for ratings: players who left the game come last.

    >>> counted((1, 2, 3), left={0}), counted((1, 1), left=())
    ([3, 1, 2], [1, 1])
    """
    order = [(seat in left, place) for seat, place in enumerate(places)]
    return [1 + sum(other < own for other in order) for own in order]


def rate(connection: sa.Connection, game: str, since: float = 0.0) -> int:
    """Rate the games of a kind that ended at a time or later, in the order in which they ended. Return their number.

    The result depends only on what is stored: a repetition changes nothing, and a game that is saved late is rated
    before those that ended after it."""
    alone(connection, "ratings")  # of the games of a guest that end at the same time, one is rated after the other
    late = tables.c.game == game, tables.c.rated, tables.c.status == "over", tables.c.moved >= since
    query = sa.select(tables).where(*late).order_by(*ENDED)
    found = [row for row in connection.execute(query) if not row.origin]
    for row in found:
        rate_table(connection, find_game(game), row)
    return len(found)


def rate_table(connection: sa.Connection, game: Game, row: Any) -> None:
    seated = seats_of(connection, [row.id])
    by_others = sa.select(entries.c.seat).where(entries.c.table == row.id, entries.c.by != "")
    places = counted(row.places, {*connection.execute(by_others).scalars()})
    stored = connection.execute(sa.select(ratings).where(ratings.c.table == row.id))
    kept = {one.seat: Skill(one.old_mu, one.old_sigma, one.games) for one in stored}
    before = [skill_at(connection, game, row, place, kept.get(place["seat"])) for place in seated]
    model = model_for(len(seated))
    after = model.rate([[model.rating(one.mu, one.sigma)] for one in before], ranks=[*map(float, places)])
    for seat, (old, (new,)) in enumerate(zip(before, after, strict=True)):
        values = {"place": places[seat], "games": old.games, "mu": new.mu, "sigma": new.sigma}
        put(connection, ratings, table=row.id, seat=seat, old_mu=old.mu, old_sigma=old.sigma, **values)


def skill_at(connection: sa.Connection, game: Game, row: Any, place: Any, kept: Skill | None) -> Skill:
    """Return the rating of a seat's player before a game. `kept` is that of the seat's row, if there is one."""
    if place["guest"]:
        before = sa.tuple_(*ENDED) < sa.tuple_(sa.literal(row.moved), sa.literal(row.id))
        last = last_skills(game.name).where(seats.c.guest == place["guest"], before)
        if found := connection.execute(last.order_by(*(column.desc() for column in ENDED))).first():
            return Skill(found.mu, found.sigma, found.games + 1)
    bot = opponent_at(place)
    return kept or (Skill(TWO.mu + (anchors(game)[bot] - MIDDLE) / POINTS, KNOWN) if bot else NEW)


def last_skills(game: str) -> sa.Select[Any]:
    """Return the query for the ratings after games of a kind, with the guests who have them and their names."""
    at_seat = sa.and_(seats.c.table == ratings.c.table, seats.c.seat == ratings.c.seat)
    found = sa.select(ratings, seats.c.guest, seats.c.name).join(tables, tables.c.id == ratings.c.table)
    return found.join(seats, at_seat).where(tables.c.game == game)


def ranking(connection: sa.Connection, game: Game) -> list[Ranked]:
    """Return the guests with ENOUGH rated games of a kind and the opponents, ordered by OpenSkill's ordinal: the rating
    minus three standard deviations."""
    age = sa.func.row_number().over(partition_by=seats.c.guest, order_by=[column.desc() for column in ENDED])
    last = last_skills(game.name).add_columns(age.label("age")).where(seats.c.guest.is_not(None)).subquery()
    rows = connection.execute(sa.select(last).where(last.c.age == 1, last.c.games + 1 >= ENOUGH))
    found = [Ranked(isolated(shown(row.name)), PERSON, strength(row)) for row in rows]
    for bot, rating in anchors(game).items():
        found.append(Ranked(FACES[bot].name, bot, Strength(rating, levels_of(game)[bot].deviation)))
    return sorted(found, key=lambda one: 3 * one.strength.deviation - one.strength.rating)
