"""The finished games of a guest with what they add up to."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import msgspec
import sqlalchemy as sa

from fairdeal.bots.levels import FACES
from fairdeal.engine.scene import ORDINALS
from fairdeal.engine.scene.points import minus
from fairdeal.protocol import bodies as b
from fairdeal.server.storage.own_data import seated
from fairdeal.server.storage.queries import MOST_IN_HISTORY, all_games, finished_games, kept_analysis, opponent_at
from fairdeal.server.storage.ratings import POINTS, strength
from fairdeal.server.storage.store import ratings
from fairdeal.server.tables.terms import title_of
from fairdeal.table.analysis import VERSION, Turn
from fairdeal.table.names import isolated, shown

PAGE = 50
"""Number of games that are listed together."""

FORM = 12
"""Number of last results of a game."""


class Course(msgspec.Struct):
    """The part of a stored analysis that says what turned the game."""

    turns: tuple[Turn, ...] = ()
    version: int = 0


def history_of(connection: sa.Connection, guest: str, name: str, away: b.Away, asked: b.HistoryFor) -> b.History:
    """Return the history of a guest who has this name and is `away` or not, with the games that were asked for."""
    own = sa.select(ratings).where(ratings.c.table.in_(seated(guest))).order_by(ratings.c.seat)
    rated = defaultdict(list)
    for one in connection.execute(own):
        rated[one.table].append(one)
    found = [*finished_games(connection, all_games, {"guest": guest, "most": MOST_IN_HISTORY})]
    played = [played_game(guest, places, row, rated) for places, _, row in found]
    rules = {row.id: (len(places), repr(row.options)) for places, _, row in found}
    kinds: dict[str, list[b.Played]] = defaultdict(list)
    met: dict[str, list[b.Played]] = defaultdict(list)
    for game in played:
        kinds[game.game].append(game)
        for key in dict.fromkeys(one.key for one in game.others):
            met[key].append(game)  # a new name of a person is another key, so that it does not reveal the old one
    wanted = [
        game
        for game in played
        if asked.game in ("", game.game) and asked.opponent in ("", *(one.key for one in game.others))
    ]
    first = next((place for place, game in enumerate(wanted, start=1) if game.table == asked.after), 0)
    page = wanted[first : first + PAGE]
    return b.History(
        name=isolated(name),
        away=away,
        games=len(played),
        since=played[-1].ended if played else None,
        standings=tuple(standing(games, rules, rated) for games in kinds.values()),
        met=tuple(record_with(key, games) for key, games in sorted(met.items(), key=lambda one: -len(one[1]))),
        played=tuple(game.replaced(decided=turning_point(connection, game.table)) for game in page),
        older=page[-1].table if len(wanted) > first + PAGE else "",
    )


def played_game(guest: str, seated: Sequence[Any], row: Any, rated: Mapping[str, Sequence[Any]]) -> b.Played:
    """Return a finished game as a guest looks back at it. `rated` are the ratings of its seats, by table."""
    seat = next(place["seat"] for place in seated if place["guest"] == guest)
    counts = rated.get(row.id, ())
    places = [one.place for one in counts] or row.places
    outcome, words = result_of(places, row.result, seat, left=places[seat] != row.places[seat])
    return b.Played(
        table=row.id,
        game=row.game,
        title=title_of(row.game),
        ended=row.moved,
        seat=seat,
        seats=tuple(map(player_at, seated, places, row.result)),
        outcome=outcome,
        result=words,
        change=round(POINTS * (counts[seat].mu - counts[seat].old_mu), 1) if counts else None,
    )


def player_at(place: Any, rank: int, score: int) -> b.PlayedSeat:
    bot, name = opponent_at(place), place["successor"] or place["name"]
    return b.PlayedSeat(bot or name, name if bot else isolated(shown(name)), bot or "person", rank, score)


def result_of(places: Sequence[int], scores: Sequence[int], seat: int, left: bool = False) -> tuple[str, str]:
    """Return a result as one word, and in words. The scores of two players are named unless they only say who won.

    >>> result_of((2, 1), (19, 32), seat=0), result_of((1, 1, 3), (5, 5, 2), seat=0)
    (('lost', 'lost 19 to 32'), ('shared', 'shared first place'))
    >>> result_of((3, 1, 2), (2, 0, 1), seat=0, left=True), result_of((1,), (-4,), seat=0)
    (('lost', 'left, so 3rd of 3'), ('alone', 'score −4'))
    """
    of, first = len(places), places.count(1)
    if of == 1:
        return "alone", f"score {minus(scores[0])}"
    outcome = "lost" if places[seat] > 1 else "won" if first == 1 else "shared"
    if of == 2 and not left and not {*scores} <= {0, 1}:
        told = f"{minus(scores[seat])} to {minus(scores[1 - seat])}"
        return outcome, f"{'level' if outcome == 'shared' else outcome} {told}"
    if outcome == "shared":
        return outcome, "nobody won" if first == of else "shared first place"
    place = outcome if of == 2 or outcome == "won" else f"{ORDINALS[places[seat] - 1]} of {of}"
    return outcome, f"left, so {place}" if left else place


def turning_point(connection: sa.Connection, table: str) -> str:
    """Return the move that changed a chance of winning most, in words, or "" if the game was not analysed."""
    course = msgspec.json.decode(kept_analysis(connection, table) or b"{}", type=Course)
    if course.version != VERSION or not course.turns:
        return ""
    turn = max(course.turns, key=lambda one: abs(one.after - one.before))
    return f"Move {turn.move}: {turn.text}"


def record_with(key: str, games: Sequence[b.Played]) -> b.Met:
    """Return how many games with a player the guest has won, and the player."""
    last = next(one for one in games[0].others if one.key == key)
    name = FACES[key].name if last.plays in FACES else last.name
    won = sum(game.outcome == "won" for game in games)
    they = sum([key] == [one.key for one in game.seats if one.place == 1] for game in games if game.outcome != "won")
    return b.Met(key, name, last.plays != "person", len(games), won, they)


def standing(
    games: Sequence[b.Played], rules: Mapping[str, tuple[int, str]], rated: Mapping[str, Sequence[Any]]
) -> b.Standing:
    """Return the results of games of one kind, the latest first. `rules` are the number of players and the options of
    each table, and `rated` as in `played_game`."""
    together = [game for game in games if game.outcome != "alone"]
    results = [game.outcome for game in together]
    of = Counter(len(game.seats) for game in together)
    won = Counter(len(game.seats) for game in together if game.outcome == "won")
    ((usual, _),) = Counter(rules[game.table] for game in games).most_common(1)
    scores = [game.seats[game.seat].score for game in games if rules[game.table] == usual]
    last = next((rated[game.table][game.seat] for game in games if game.table in rated), None)
    return b.Standing(
        game=games[0].game,
        title=games[0].title,
        games=len(games),
        wins={str(players): (won[players], of[players]) for players in sorted(of)},
        best=max(scores) if len({*scores}) > usual[0] else None,  # fewer could be the places alone
        best_of=len(scores),
        streak=len([*takewhile(lambda outcome: outcome == "won", results)]),
        last=tuple(results[:FORM]),
        strength=strength(last) if last else None,
    )
