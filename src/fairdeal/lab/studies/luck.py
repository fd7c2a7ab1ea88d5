"""Luck and skill: the influence of the deal and of the player on results, and the results of each opponent among
players of one kind.

Every deal is played twice, as in duplicate bridge. Strong and weak players have alternate seats and then exchange them,
so that both play every hand. The part of the result that is common to both games is due to the hand. The average
difference between strong and weak players is skill. The rest is due to the course of play, including later luck.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.levels import FACES, levels_of
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.state import Table
from fairdeal.lab.estimates import Estimate, mean, share
from fairdeal.lab.ratings.ladder import habits
from fairdeal.lab.simulate.executors import Jobs
from fairdeal.lab.simulate.outcomes import Progress, nobody, play_from
from fairdeal.lab.simulate.simulation import is_compiled, seats_of

RESAMPLES = 400
"""Number of bootstrap samples of the deals for intervals (B. Efron, 1979)."""


class Luck(Frozen):
    """The shares of the variance of results explained by the hand, the stronger player, and the course of play. They
    add up to 1."""

    strong: str
    weak: str
    deals: int
    hand: Estimate
    skill: Estimate
    play: Estimate


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
) -> Luck:
    """Play every deal twice, and return the shares of luck and skill."""
    shape = deals, table.players
    scores = [wins_by_hand(table, *pair, shape, seed, jobs, progress) for pair in ((strong, weak), (weak, strong))]
    by_strong, by_weak = np.zeros(shape), np.zeros(shape)
    is_strong = seats_with(shape)
    by_strong[is_strong], by_weak[is_strong] = scores[0][is_strong], scores[1][is_strong]
    by_strong[~is_strong], by_weak[~is_strong] = scores[1][~is_strong], scores[0][~is_strong]
    source = np.random.default_rng(np.frombuffer(chance.key_of(f"{seed} luck"), np.uint32))
    return Luck(strong, weak, deals, *parted(by_strong, by_weak, source))


def wins_by_hand(
    table: Table,
    even: str,
    odd: str,
    shape: tuple[int, int],
    seed: int | str,
    jobs: Jobs,
    progress: Progress,
) -> NDArray[np.float64]:
    """Return each player's share of first place, by deal and seat."""
    bots = tuple(odd if bot % 2 else even for bot in range(table.players))
    return play_from(table, bots, seed, 0, shape[0], jobs, progress).wins


def seats_with(shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Return a mask, by deal and seat, of the seats played by even-numbered bots."""
    deals, players = shape
    bots = np.zeros(shape, np.int64)
    np.put_along_axis(bots, seats_of(deals, players), np.broadcast_to(np.arange(players), shape), axis=1)
    found: NDArray[np.bool_] = bots % 2 == 0
    return found


def parted(
    by_strong: NDArray[np.float64], by_weak: NDArray[np.float64], source: np.random.Generator
) -> tuple[Estimate, Estimate, Estimate]:
    """Return the shares of hand, skill and play in the variance of results, given the results of each hand (by deal and
    seat) for both players."""
    sums = np.stack(
        [
            part.sum(axis=1)
            for part in (by_strong, by_weak, by_strong * by_weak, by_strong * by_strong, by_weak * by_weak)
        ]
    )
    deals, seats = by_strong.shape
    value = parts_of(sums.sum(axis=1, keepdims=True) / (deals * seats))[:, 0]
    drawn = source.multinomial(deals, np.full(deals, 1 / deals), RESAMPLES)
    others = parts_of(sums @ drawn.T / (deals * seats))
    low, high = np.percentile(others, [2.5, 97.5], axis=1)
    hand, skill, play = (Estimate(float(value[n]), float(low[n]), float(high[n])) for n in range(3))
    return hand, skill, play


def parts_of(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shares of hand, skill and play in the variance of the results. `means` contains the mean result of
    strong players and of weak players, and the means of the product and of the squares of these results."""
    strong, weak, product, strong_squared, weak_squared = means
    skill = ((strong - weak) / 2) ** 2
    hand = np.maximum(0.0, product - strong * weak)
    total = np.maximum((strong_squared + weak_squared) / 2 - ((strong + weak) / 2) ** 2, 1e-12)
    return np.stack([hand / total, skill / total, 1 - (hand + skill) / total])


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
        number = games if is_compiled(table, (name, base)) else search_games
        if number < 2 or (name == base and table.players > 1):
            continue
        bots = (name, *[base] * (table.players - 1))
        outcomes = play_from(table, bots, f"{seed} {name}", 0, number, jobs, progress)
        fair = 1 / table.players if table.players > 1 else None
        result = share(outcomes.by_bot(outcomes.wins)[:, 0]) if fair else mean(outcomes.scores[:, 0])
        found.append(Among(FACES[name].name, habits(name, table), number, result, fair))
    return tuple(found)
