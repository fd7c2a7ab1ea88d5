"""Luck and skill: what the variance of results is due to, and the results of each opponent among players of one kind.

The model is an analysis of variance with random effects (S. R. Searle, G. Casella, C. E. McCulloch, "Variance
Components", 1992). The result of a seat depends on the order of play, on who sits there, on the hand (what the seats
see of the deal), on later chance (everything that no seat has seen yet) and on the players' own randomness. Later
chance is nested in the hand, because what is left to draw depends on what has been dealt.

Every deal is played eight times: with two draws of later chance, with strong and weak players in alternate seats and
exchanged, and each of these twice, with new randomness of the players. Two games that share some causes and nothing
else have results whose mean product depends on these causes alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.levels import FACES, levels_of
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.state import Table
from fairdeal.lab.estimates import NORMAL_95, Estimate, mean, share, student_95
from fairdeal.lab.ratings.ladder import habits
from fairdeal.lab.simulate.executors import Jobs
from fairdeal.lab.simulate.jobs import Apart, order_of
from fairdeal.lab.simulate.outcomes import Outcomes, play_from
from fairdeal.lab.simulate.simulation import Progress, nobody

Numbers = NDArray[np.float64]

GAMES_OF_A_DEAL = 8
"""Number of games of each deal."""

FEWEST_DEALS = 100
"""Number of deals below which nothing is estimated."""

LEAST_VARIANCE = 1e-12
"""The variance below which all results count as equal."""

SHARES = {
    "skill": "the better player",
    "seat": "the order of play",
    "hand": "the hand",
    "later": "later chance",
    "suits": "what suits a player",
    "own": "players’ own randomness",
}
"""The parts of the variance, in words."""


HAND, SUITS = (list(SHARES).index(part) for part in ("hand", "suits"))


class Luck(Frozen):
    """The causes of the variance of the results of two players, with their shares, which add up to 1.

    skill   who is the stronger player
    seat    the order of play
    hand    what the seats see of the deal
    later   what is drawn later
    suits   how much more a seat, a hand or later draws suit one of the players (interaction)
    own     the players' own randomness

    The estimates are unbiased, so the estimate of a share that is 0 may be slightly below 0.
    """

    strong: str
    weak: str
    deals: int
    skill: Estimate
    seat: Estimate
    hand: Estimate
    later: Estimate
    suits: Estimate
    own: Estimate


class Among(Frozen):
    """An opponent's share of first places in games against copies of the study's first bot, with the fair share; in
    single-player games, its mean score."""

    name: str
    plays: str
    games: int
    result: Estimate
    fair: float | None


def rivals_of(table: Table, bots: Sequence[str]) -> list[str]:
    """Return the bots with which the first bot of a table is compared: the table's other bots, or else the game's
    opponents, from the weakest to the strongest. Single-player games have none."""
    own = list(dict.fromkeys(bots))
    others = own[1:] or [name for name in levels_of(table.game) if name != own[0]]
    return others if table.players > 1 else []


def luck_of(
    table: Table, strong: str, weak: str, deals: int, seed: int | str, jobs: Jobs, progress: Progress = nobody
) -> Luck | None:
    """Play every deal eight times, and return what the results are due to, or None if all results are equal or there
    are fewer than 100 deals."""
    if deals < FEWEST_DEALS:
        return None
    found = shares_of(results_of(table, strong, weak, deals, seed, jobs, progress))
    return None if found is None else Luck(strong, weak, deals, *found)


def results_of(
    table: Table, strong: str, weak: str, deals: int, seed: int | str, jobs: Jobs, progress: Progress = nobody
) -> Numbers:
    """Play every deal eight times, and return the results by deal, draw of later chance, player (strong, weak),
    repetition and seat in the order of play."""
    results = np.empty((deals, 2, 2, 2, table.players))
    for later, exchanged, again in product(range(2), repeat=3):
        pair = (weak, strong) if exchanged else (strong, weak)
        bots = tuple(pair[bot % 2] for bot in range(table.players))
        apart = Apart(f"{seed} later {later}", f"{seed} own {later} {exchanged} {again}")
        played = play_from(order_of(table, bots, seed, apart), 0, deals, jobs, progress)
        wins, is_weak = played.wins, seats_with(played.wins.shape) != bool(exchanged)
        for who, mine in enumerate((~is_weak, is_weak)):
            results[:, later, who, again][mine] = wins[mine]
    return played.by_order(results) if played.has_order else results


def seats_with(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return a mask, by deal and seat, of the seats played by odd-numbered bots."""
    deals, players = shape
    found: NDArray[np.bool_] = (np.arange(players) + np.arange(deals)[:, None]) % players % 2 == 1
    return found


def shares_of(results: Numbers) -> list[Estimate] | None:
    """Return the shares of the variance of results in the order of SHARES, or None if there is no variance.

    The deals of the results (`results_of`) are independent of each other. The intervals are those of the jackknife over
    deals (J. W. Tukey, 1958). For skill and seat, which are squares of means, they also contain the squares of an
    interval for these means.
    """
    deals = len(results)
    again = results.prod(axis=3)
    same = again.mean(axis=(1, 2, 3))
    one = results.mean(axis=3)
    means = np.stack(
        [
            np.square(results).mean(axis=(1, 2, 3, 4)),
            same,
            (same + one.prod(axis=2).mean(axis=(1, 2))) / 2,
            one.mean(axis=2).prod(axis=1).mean(axis=1),
        ]
    )
    by_seat = one.mean(axis=(1, 2))
    level = by_seat.mean(axis=1, keepdims=True)
    gap = np.subtract(*one.mean(axis=(1, 3)).T)[:, None] / 2
    effects = np.concatenate([level, gap, by_seat - level], axis=1).T
    whole, total = parts_of(means.sum(axis=1), effects.sum(axis=1), np.square(effects).sum(axis=1), deals)
    if total < LEAST_VARIANCE:
        return None
    sums = [part.sum(axis=1, keepdims=True) - part for part in (means, effects, np.square(effects))]
    others, totals = parts_of(sums[0], sums[1], sums[2], deals - 1)
    shares, student = whole / total, student_95(deals - 1)
    skill, seat = Squared.of(effects[1:2]), Squared.of(effects[2:])
    variance = (others / totals).var(axis=1) * (deals - 1)
    variance[HAND] += (seat.error / total) ** 2
    variance[SUITS] += (skill.error / total) ** 2
    lows, highs = shares - student * np.sqrt(variance), shares + student * np.sqrt(variance)
    for number, part in enumerate((skill, seat)):
        low, high = part.ends(student / NORMAL_95)
        lows[number], highs[number] = min(lows[number], low / total), max(highs[number], high / total)
    return [Estimate(*map(float, ends)) for ends in zip(shares, lows, highs, strict=True)]


class Squared(NamedTuple):
    """The mean square of some effects, whose estimates have a covariance."""

    effects: Numbers
    covariance: Numbers

    @classmethod
    def of(cls, values: Numbers) -> Squared:
        """Return the mean square of effects whose values, by effect and deal, have these effects as their means."""
        return cls(values.mean(axis=1), np.atleast_2d(np.cov(values)) / values.shape[1])

    @property
    def error(self) -> float:
        """The standard error if all effects are 0."""
        return float(np.sqrt(2 * np.square(self.covariance).sum())) / len(self.effects)

    def ends(self, wider: float) -> tuple[float, float]:
        """Return the ends of an interval, whose radius is `wider` than for estimates that are normal."""
        many = len(self.effects)
        size = float(np.sqrt(np.square(self.effects).mean()))
        radius = wider * np.sqrt(np.trace(self.covariance) / many + 2 * self.error)
        return max(0.0, size - radius) ** 2, (size + radius) ** 2


def parts_of(means: Numbers, effects: Numbers, squares: Numbers, deals: int) -> tuple[Numbers, Any]:
    """Return the parts of the variance in the order of SHARES, and the variance, without bias.

    The arguments are sums over `deals` deals: of products of results that share everything, all but the players'
    randomness, all but that and who plays, and only the hand; and of the level, half the gap between the players, and
    the difference of each seat from the level, with the sums of their squares.
    """
    itself, same, draw, hand = means / deals
    level, skill, *by_seat = (effects**2 - squares) / (deals * (deals - 1))
    seat = np.mean(by_seat, axis=0)
    parts = [skill, seat, hand - level - seat, draw - hand, same - draw - skill, itself - same]
    return np.stack(parts), itself - level


def among(
    table: Table,
    base: str,
    games: int,
    search_games: int,
    seed: int | str,
    jobs: Jobs,
    progress: Progress = nobody,
) -> tuple[Among, ...]:
    """Return the result of each opponent of the game against copies of `base`, from the weakest to the strongest."""
    found = []
    for name in levels_of(table.game):
        order = order_of(table, (name, *[base] * (table.players - 1)), f"{seed} {name}")
        number = games if order.is_compiled else search_games
        if number < 2 or (name == base and table.players > 1):
            continue
        outcomes = play_from(order, 0, number, jobs, progress)
        found.append(guest_of(FACES[name].name, habits(name, table), outcomes))
    return tuple(found)


def guest_of(name: str, plays: str, outcomes: Outcomes) -> Among:
    """Return the result of the first bot of these games."""
    fair = 1 / outcomes.players if outcomes.players > 1 else None
    result = share(outcomes.by_bot(outcomes.wins)[:, 0]) if fair else mean(outcomes.scores[:, 0])
    return Among(name, plays, len(outcomes.scores), result, fair)
