"""The ladder, which rates a game's opponents by letting them play each other.

Ratings are OpenSkill's (V. Joshy, "OpenSkill: A faster asymmetric multi-team, multiplayer rating system", 2024), with
the Plackett-Luce model, on the scale of chess ratings: a player rated 400 points higher finishes first ten times as
often as second. Otto is rated 1400. If Otto does not play, the average rating of all bots is 1400.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce, PlackettLuceRating

from fairdeal.bots.custom import Forfeit, is_own
from fairdeal.bots.levels import FACES, level_of
from fairdeal.bots.rating import MIDDLE, points
from fairdeal.bots.registry import code_of
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.options import as_dict
from fairdeal.engine.state import Table
from fairdeal.lab.estimates import Estimate, share
from fairdeal.lab.simulate.executors import Jobs
from fairdeal.lab.simulate.jobs import order_of
from fairdeal.lab.simulate.simulation import Forfeits, counted, play

ANCHOR = "otto"
"""The opponent whose rating is `MIDDLE` in every game."""


class Rung(Frozen):
    """A bot on the ladder: its level, its rating with standard deviation, its number of games, and the share of games
    in which it finished before the bot below it. Shared places count half."""

    name: str
    plays: str
    rating: float
    deviation: float
    games: int
    wins: Estimate | None


class Ladder(Frozen):
    """The bots of a game, from the weakest to the strongest as given by the caller. The same table, bots, games and
    seed give the same ratings."""

    game: str
    options: dict[str, Any]
    seed: str
    rungs: tuple[Rung, ...]
    forfeits: tuple[Forfeits, ...] = ()


@dataclass(frozen=True)
class Lineup:
    """Bots that played each other, by their indices on the ladder, and their scores, with a row for each game and a
    column for each bot."""

    bots: tuple[int, ...]
    scores: NDArray[np.float64]
    forfeits: Sequence[tuple[str, Forfeit]]


def lineups(bots: int, seats: int) -> list[tuple[int, ...]]:
    """Return the groups of bots that play each other. Bots that are far apart on the ladder never meet, because their
    games would provide little information."""
    return [who for who in combinations(range(bots), seats) if who[-1] - who[0] <= seats]


def seats_of(table: Table, bots: Sequence[str]) -> int:
    """Return the number of bots that play at a table. Raises FairdealError if there are fewer bots, or if a bot is
    unknown."""
    seats = max(2, table.players)
    if len(set(bots)) < seats:
        raise FairdealError(f"a ladder at {table.players} seats needs at least {seats} different bots, not {len(bots)}")
    for name in bots:
        code_of(name, table.game)
    return seats


def ladder(
    table: Table,
    seated: Mapping[str, str],
    games: int,
    search_games: int,
    seed: int | str = 0,
    jobs: Jobs = None,
    progress: Callable[[int], None] | None = None,
) -> Ladder:
    """Play `games` games of each line-up, or `search_games` if a bot cannot run in compiled code. `seated` maps the
    names of bots, from the weakest to the strongest, to their specifications. `progress` is called with the number of
    finished line-ups. Raises FairdealError if the bots cannot be rated."""
    names, bots = [*seated], [*seated.values()]
    seats = seats_of(table, bots)
    quick = [code_of(name, table.game) is not None for name in bots]
    met: list[Lineup] = []
    for who in lineups(len(bots), seats):
        many = games if all(quick[bot] for bot in who) else search_games
        met.append(meet(table, bots, who, many, seed, jobs))
        if progress:
            progress(len(met))
    ratings = rated(len(bots), met, names.index(ANCHOR) if ANCHOR in names else None)
    return Ladder(
        game=table.game.name,
        options=as_dict(table.options),
        seed=str(seed),
        rungs=tuple(
            Rung(
                name=name,
                plays=habits(seated[name], table),
                rating=round(rating, 1),
                deviation=round(deviation, 1),
                games=sum(len(lineup.scores) for lineup in met if number in lineup.bots),
                wins=before(met, number, number - 1) if number else None,
            )
            for number, (name, (rating, deviation)) in enumerate(zip(names, ratings, strict=True))
        ),
        forfeits=counted([forfeit for lineup in met for forfeit in lineup.forfeits]),
    )


def meet(table: Table, bots: Sequence[str], who: tuple[int, ...], games: int, seed: int | str, jobs: Jobs) -> Lineup:
    """Play games between these bots, with rotating seats. In single-player games, all bots play the same deals."""
    if table.players > 1:
        played = play(order_of(table, [bots[bot] for bot in who], seed), games, jobs)
        return Lineup(who, played.by_bot, played.forfeits)
    alone = [play(order_of(table, [bots[bot]], seed), games, jobs) for bot in who]
    return Lineup(who, np.hstack([one.scores for one in alone]), [each for one in alone for each in one.forfeits])


def before(met: Sequence[Lineup], upper: int, lower: int) -> Estimate:
    """Return the share of games in which bot `upper` finished before bot `lower`, among all games that both played."""
    found = [
        np.sign(lineup.scores[:, lineup.bots.index(upper)] - lineup.scores[:, lineup.bots.index(lower)]) / 2 + 0.5
        for lineup in met
        if upper in lineup.bots and lower in lineup.bots
    ]
    return share(np.concatenate(found))


def full_information(c: float, k: int, mu: float, sigma: float, *others: Any) -> float:
    """Return 1, the factor by which a game reduces the uncertainty of a rating. Games are not discounted, because the
    bots never change."""
    return 1.0


def rated(bots: int, met: Sequence[Lineup], anchor: int | None) -> list[tuple[float, float]]:
    """Return the rating and the deviation of every bot after all games, taking one game of each line-up in turn."""
    model = PlackettLuce(tau=0.0, gamma=full_information)
    ratings: list[PlackettLuceRating] = [model.rating() for _ in range(bots)]
    for game in range(max(len(lineup.scores) for lineup in met)):
        for lineup in met:
            if game < len(lineup.scores):
                own = lineup.scores[game]
                places = [float(1 + (own > score).sum()) for score in own]
                teams = model.rate([[ratings[bot]] for bot in lineup.bots], ranks=places)
                for bot, (rating,) in zip(lineup.bots, teams, strict=True):
                    ratings[bot] = rating
    middle = ratings[anchor].mu if anchor is not None else sum(rating.mu for rating in ratings) / bots
    unit = points(model.beta, len(met[0].bots))
    return [(MIDDLE + unit * (rating.mu - middle), unit * rating.sigma) for rating in ratings]


def habits(name: str, table: Table) -> str:
    """Return a description of the level of a bot."""
    if is_own(name) or name.partition(":")[0] not in FACES:
        return name
    return level_of(name, table.game).habits(table.game)
