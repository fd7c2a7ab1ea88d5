"""Comparing: is one table's measure another's? With intervals, many comparisons at once, and a rule for when to stop.

Two tables are compared game by game: their games of one number are dealt from the same chance, so that much of the luck
is the same where the tables are alike, and the pairs are independent of one another in any case. So the mean of the
differences is compared with its own standard error.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fairdeal.lab.simulate.simulation import NORMAL_95, Estimate

LEVEL = 0.05
"""How often, at most, something may be called clear that is not there."""

NORMAL = NormalDist()


class Difference(msgspec.Struct, frozen=True):
    """How far a measure of a table is from that of the first one: in how many pairs of games, the mean difference with
    its interval; the chance of one so large if there were none, and the same after Holm's correction."""

    setup: str
    measure: str
    title: str
    kind: str
    games: int
    estimate: Estimate
    p: float
    corrected: float

    @property
    def clear(self) -> bool:
        """Does the difference stand when all comparisons are looked at together?"""
        return self.corrected < LEVEL


def paired(first: NDArray[Any], second: NDArray[Any]) -> tuple[int, Estimate, float]:
    """The games of both, the mean of second − first with its 95 % interval, and its two-sided p by the normal
    approximation."""
    games = min(len(first), len(second))
    differences = np.asarray(second[:games], np.float64) - np.asarray(first[:games], np.float64)
    value = float(differences.mean())
    error = float(differences.std(ddof=1)) / math.sqrt(games) if games > 1 else math.inf
    spread = NORMAL_95 * error
    p = 2 * NORMAL.cdf(-abs(value) / error) if error else float(value == 0)
    return games, Estimate(value, value - spread, value + spread), p


def holm(chances: Sequence[float]) -> list[float]:
    """The p of each comparison of many, so that any of them is wrongly called clear as seldom as one alone would be
    (S. Holm, "A simple sequentially rejective multiple test procedure", 1979)."""
    order = sorted(range(len(chances)), key=lambda one: chances[one])
    found, before = [0.0] * len(chances), 0.0
    for place, one in enumerate(order):
        before = found[one] = max(before, min(1.0, (len(chances) - place) * chances[one]))
    return found


def differences_of(
    samples: Mapping[str, Mapping[str, NDArray[Any]]], titles: Mapping[str, tuple[str, str]]
) -> tuple[Difference, ...]:
    """Every measure of every table against the first table's: `samples[setup][measure]` has a value a game, `titles`
    the title and the kind of a measure."""
    (_, first), *others = samples.items()
    rows = [
        (setup, measure, *paired(first[measure], values))
        for setup, measures in others
        for measure, values in measures.items()
        if measure in first
    ]
    corrected = holm([p for *_, p in rows])
    return tuple(
        Difference(setup, measure, *titles[measure], games, estimate, p, together)
        for (setup, measure, games, estimate, p), together in zip(rows, corrected, strict=True)
    )


# --- stopping ---------------------------------------------------------------------------------------------------


def at_any_time(values: NDArray[Any], most: int, level: float = LEVEL) -> Estimate:
    """A mean with an interval that may be looked at after every game: it is wrong at any time, however often one looks,
    with a chance of `level` only. This is the asymptotic confidence sequence of I. Waudby-Smith, D. Arbour, R. Sinha,
    E. H. Kennedy, A. Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", 2024; it is
    narrowest near a quarter of the `most` games that there may be."""
    games = len(values)
    value = float(np.mean(values))
    deviation = max(float(np.std(values)), 1 / math.sqrt(games))  # where all are alike, as if one had been off by 1
    tuned = tuning(max(1.0, most / 4), level)
    grown = games * tuned + 1
    spread = deviation * math.sqrt(2 * grown / (games * games * tuned) * math.log(math.sqrt(grown) / level))
    return Estimate(value, value - spread, value + spread)


def tuning(games: float, level: float) -> float:
    """The square of the parameter ρ that makes the interval narrowest after so many games (there, appendix B.2)."""
    return (-2 * math.log(level) + math.log(-2 * math.log(level) + 1)) / games


def is_clear(estimate: Estimate, fair: float | None, precision: float) -> bool:
    """Is the answer known: the interval leaves the fair value out, if there is one, or is as narrow as asked for?"""
    unfair = fair is not None and not estimate.low <= fair <= estimate.high
    return unfair or estimate.high - estimate.value <= precision
