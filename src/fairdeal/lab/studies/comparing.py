"""Comparisons of the measures of two tables, with intervals, corrections for multiple comparisons, and a stopping rule.

Two tables are compared game by game. If they have the same seed, games with the same number use the same random
numbers, so much of the luck is common to both if the tables are similar. The pairs are always independent of each
other, so the mean of the differences is compared with its own standard error.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.kit.frozen import Frozen
from fairdeal.lab.estimates import FEWEST_GAMES, Estimate, beyond, mean, p_of_share

LEVEL = 0.05
"""Maximum probability of reporting a difference where there is none."""


class Difference(Frozen):
    """The difference between a measure of a table and that of the first table: the number of pairs of games, the mean
    difference with its interval, its p-value, and its p-value after Holm's correction for all tests of the report. What
    is not tested has no p-values."""

    setup: str
    measure: str
    title: str
    kind: str
    games: int
    estimate: Estimate
    p: float | None
    corrected: float | None = None

    @property
    def clear(self) -> bool:
        """Whether the difference is significant, given all tests of the report."""
        return is_significant(self.corrected)


def is_significant(corrected: float | None) -> bool:
    """Return whether a corrected p-value, if there is one, is below 5 %."""
    return corrected is not None and corrected < LEVEL


def paired(first: NDArray[Any], second: NDArray[Any], binary: bool = False) -> tuple[int, Estimate, float | None]:
    """Return the number of paired games, the mean of second − first with its 95 % interval, and its two-sided p-value,
    or None if there are fewer than 30 games.

    Shares (`binary`) are compared by the exact sign test, which is McNemar's. Other measures are compared by Student's
    t, but the p-value is no smaller than the sign test's could be, because that of t is too small if few pairs differ.
    """
    games = min(len(first), len(second))
    differences = np.asarray(second[:games], np.float64) - np.asarray(first[:games], np.float64)
    estimate = mean(differences)
    if games < FEWEST_GAMES:
        return games, estimate, None
    differing = float(np.count_nonzero(differences))
    if not differing:
        return games, estimate, 1.0
    if binary:
        total = float(np.abs(differences).sum())
        return games, estimate, p_of_share(float(differences.clip(0).sum()) / total, 0.5, total)
    error = float(differences.std(ddof=1)) / math.sqrt(games)
    p = beyond(estimate.value / error, games - 1) if error else 0.0
    return games, estimate, max(p, 2.0 ** (1 - differing))


def holm(chances: Sequence[float], weights: Sequence[float] | None = None) -> list[float]:
    """Return p-values corrected for multiple comparisons (S. Holm, "A simple sequentially rejective multiple test
    procedure", 1979). Tests with a larger weight keep more of their power."""
    weights = weights or [1.0] * len(chances)
    order = sorted(range(len(chances)), key=lambda one: chances[one] / weights[one])
    found, before, left = [0.0] * len(chances), 0.0, sum(weights)
    for one in order:
        before = found[one] = max(before, min(1.0, left / weights[one] * chances[one]))
        left -= weights[one]
    return found


def together(main: Sequence[float], others: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return the p-values of the tests of a study's main question, and of all its other tests, corrected together. The
    main question counts as much as everything else."""
    weights = [1 / len(main)] * len(main) + [1 / len(others)] * len(others) if main and others else None
    corrected = holm([*main, *others], weights)
    return corrected[: len(main)], corrected[len(main) :]


# --- stopping ---------------------------------------------------------------------------------------------------


def at_any_time(values: NDArray[Any], most: int, level: float = LEVEL) -> Estimate:
    """Return a mean with an interval that is valid after every game: the probability that it is ever wrong is at most
    `level`, no matter how often it is computed. This is the asymptotic confidence sequence of I. Waudby-Smith, D.
    Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences",
    2024. It is narrowest near a quarter of the maximum number of games, `most`."""
    value, scale, grown = interval_terms(values, most, level)
    spread = scale * math.sqrt(math.log(grown) / 2 - math.log(level))
    return Estimate(value, value - spread, value + spread)


def p_at_any_time(values: NDArray[Any], fair: float, most: int, level: float = LEVEL) -> float:
    """Return the p-value of a mean, compared with its fair value, that is valid after every game. If it is below
    `level`, the interval of `at_any_time` excludes the fair value."""
    value, scale, grown = interval_terms(values, most, level)
    return min(1.0, math.exp(math.log(grown) / 2 - ((value - fair) / scale) ** 2))


def interval_terms(values: NDArray[Any], most: int, level: float) -> tuple[float, float, float]:
    """Return the mean of the values so far, and two terms of the formula of its interval."""
    games = len(values)
    deviation = max(float(np.std(values)), 1 / math.sqrt(games))  # all equal: assume that one differs by 1
    tuned = tuning(max(1.0, most / 4), level)
    grown = games * tuned + 1
    return float(np.mean(values)), deviation / games * math.sqrt(2 * grown / tuned), grown


def tuning(games: float, level: float) -> float:
    """Return the square of the parameter ρ that makes the interval narrowest after `games` games (appendix B.2 of the
    paper cited in `at_any_time`)."""
    return (-2 * math.log(level) + math.log(-2 * math.log(level) + 1)) / games


def is_clear(estimate: Estimate, fair: float | None, precision: float) -> bool:
    """Return whether the interval of an estimate excludes the fair value, or has a half-width of at most
    `precision`."""
    unfair = fair is not None and not estimate.low <= fair <= estimate.high
    return unfair or estimate.high - estimate.value <= precision
