"""Comparisons of the measures of two tables, with intervals, corrections for multiple comparisons, and a stopping rule.

Two tables are compared game by game. Games with the same number use the same random numbers, so much of the luck is
common to both if the tables are similar. The pairs are always independent of each other, so the mean of the differences
is compared with its own standard error.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.kit.frozen import Frozen
from fairdeal.lab.estimates import NORMAL_95, Estimate

LEVEL = 0.05
"""Maximum probability of reporting a difference where there is none."""

NORMAL = NormalDist()


class Difference(Frozen):
    """The difference between a measure of a table and that of the first table: the number of pairs of games, the mean
    difference with its interval, its p-value, and its p-value after Holm's correction."""

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
        """Whether the difference is significant, given the number of comparisons."""
        return self.corrected < LEVEL


def paired(first: NDArray[Any], second: NDArray[Any]) -> tuple[int, Estimate, float]:
    """Return the number of paired games, the mean of second − first with its 95 % interval, and its two-sided p-value
    by the normal approximation."""
    games = min(len(first), len(second))
    differences = np.asarray(second[:games], np.float64) - np.asarray(first[:games], np.float64)
    value = float(differences.mean())
    error = float(differences.std(ddof=1)) / math.sqrt(games) if games > 1 else math.inf
    spread = NORMAL_95 * error
    p = 2 * NORMAL.cdf(-abs(value) / error) if error else float(value == 0)
    return games, Estimate(value, value - spread, value + spread), p


def p_of_share(value: float, fair: float, games: int) -> float:
    """Return the two-sided p-value of a share, compared with its fair value by the score test. If it is below 5 %,
    Wilson's interval of 95 % excludes the fair value."""
    return 2 * NORMAL.cdf(-abs(value - fair) / math.sqrt(fair * (1 - fair) / games))


def holm(chances: Sequence[float]) -> list[float]:
    """Return p-values corrected for multiple comparisons (S. Holm, "A simple sequentially rejective multiple test
    procedure", 1979)."""
    order = sorted(range(len(chances)), key=lambda one: chances[one])
    found, before = [0.0] * len(chances), 0.0
    for place, one in enumerate(order):
        before = found[one] = max(before, min(1.0, (len(chances) - place) * chances[one]))
    return found


def differences_of(
    samples: Mapping[str, Mapping[str, NDArray[Any]]], titles: Mapping[str, tuple[str, str]]
) -> tuple[Difference, ...]:
    """Compare every measure of every table with that of the first table. `samples[setup][measure]` has a value for each
    game. `titles` contains the title and the kind of each measure."""
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
    """Return a mean with an interval that is valid after every game: the probability that it is ever wrong is at most
    `level`, no matter how often it is computed. This is the asymptotic confidence sequence of I. Waudby-Smith, D.
    Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences",
    2024. It is narrowest near a quarter of the maximum number of games, `most`."""
    games = len(values)
    value = float(np.mean(values))
    deviation = max(float(np.std(values)), 1 / math.sqrt(games))  # all equal: assume that one differs by 1
    tuned = tuning(max(1.0, most / 4), level)
    grown = games * tuned + 1
    spread = deviation * math.sqrt(2 * grown / (games * games * tuned) * math.log(math.sqrt(grown) / level))
    return Estimate(value, value - spread, value + spread)


def tuning(games: float, level: float) -> float:
    """Return the square of the parameter ρ that makes the interval narrowest after `games` games (appendix B.2 of the
    paper cited in `at_any_time`)."""
    return (-2 * math.log(level) + math.log(-2 * math.log(level) + 1)) / games


def is_clear(estimate: Estimate, fair: float | None, precision: float) -> bool:
    """Return whether the interval of an estimate excludes the fair value, or has a half-width of at most
    `precision`."""
    unfair = fair is not None and not estimate.low <= fair <= estimate.high
    return unfair or estimate.high - estimate.value <= precision
