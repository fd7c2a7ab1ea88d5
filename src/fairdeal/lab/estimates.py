"""Estimates: values with their intervals."""

import functools
import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.kit.frozen import Frozen

FEWEST_GAMES = 30
"""Number of games below which nothing is judged, because intervals of means hold only roughly."""

NORMAL = NormalDist()
NORMAL_95 = 1.959964

ERROR = 0.05
"""The share of intervals that may miss."""

STEPS = 10_000
"""Maximum number of steps of a continued fraction, whose terms shrink quickly."""


class Estimate(Frozen):
    """A value with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def share(values: NDArray[Any], tests: int = 1) -> Estimate:
    """Return a share and its exact 95 % interval (C. J. Clopper, E. S. Pearson, 1934). Values between 0 and 1, such as
    a shared first place, vary less than 0 and 1, so their interval is wide enough as well. The intervals of several
    `tests` hold together (C. E. Bonferroni, 1936)."""
    return exact(float(np.sum(values)), len(values), ERROR / tests)


@functools.lru_cache(10_000)
def exact(hits: float, count: int, error: float) -> Estimate:
    """Return the share of hits and its exact interval: all shares that `p_of_share` does not reject at this level."""
    low, high = quantile(error / 2, hits, count - hits + 1), 1 - quantile(error / 2, count - hits, hits + 1)
    return Estimate(hits / count, low, high)


def p_of_share(value: float, fair: float, count: float) -> float:
    """Return the two-sided p-value of a share of `count` values, compared with its fair value by the exact binomial
    test: twice the smaller tail.

    >>> round(p_of_share(0.4, 0.5, 100), 4)
    0.0569
    """
    hits = value * count
    return min(1.0, 2 * min(below(fair, hits, count - hits + 1), below(1 - fair, count - hits, hits + 1)))


def mean(values: NDArray[Any]) -> Estimate:
    """Return a mean and its 95 % interval by Student's t. Nothing is known from a single value.

    A few equal values do not show that all are equal, so the interval is at least as wide as if one value differed from
    the others by 1: the unit of points and counts, and the whole range of shares.
    """
    value, count = float(np.mean(values)), len(values)
    if count < 2:
        return Estimate(value, -math.inf, math.inf)
    deviation = max(float(np.std(values, ddof=1)), 1 / math.sqrt(count))
    spread = student_95(count - 1) * deviation / math.sqrt(count)
    return Estimate(value, value - spread, value + spread)


def beyond(t: float, freedom: float) -> float:
    """Return the probability that Student's t is at least this far from 0.

    >>> round(beyond(2.228, 10), 4), round(beyond(1.96, 100_000), 4)
    (0.05, 0.05)
    """
    return below(freedom / (freedom + t * t), freedom / 2, 0.5)


@functools.cache
def student_95(freedom: float) -> float:
    """Return the bound that Student's t exceeds in 5 % of cases, in either direction.

    >>> [round(student_95(freedom), 3) for freedom in (1, 2, 9, 29)]
    [12.706, 4.303, 2.262, 2.045]
    """
    at = quantile(ERROR, freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - at) / at)


# --- the beta distribution --------------------------------------------------------------------------------------


def below(x: float, a: float, b: float) -> float:
    """Return the probability that a beta variable with the parameters a and b is at most x: the regularized incomplete
    beta function, by its continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22). With a = 0, the
    variable is 0; with b = 0, it is 1.

    >>> round(below(0.5, 41, 60), 4)
    0.9716
    """
    if x <= 0 or b <= 0:
        return 0.0 if x < 1 and a > 0 else 1.0
    if x >= 1 or a <= 0:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - below(1 - x, b, a)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, STEPS):
        before = fraction
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            c, d = 1 + term / c, 1 / (1 + term * d)
            fraction *= c * d
        if abs(fraction - before) < 1e-12 * abs(fraction):
            break
    return math.exp(front) * fraction / a


def quantile(chance: float, a: float, b: float) -> float:
    """Return the value that a beta variable does not exceed with this probability.

    >>> round(quantile(0.025, 40, 61), 4)
    0.3033
    """
    if a <= 0 or b <= 0:
        return 0.0 if a <= 0 else 1.0
    low, high, scale = 0.0, 1.0, math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    middle, deviation = a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)
    at = middle + NORMAL.inv_cdf(chance) * deviation
    at = at if 0 < at < 1 else middle
    while True:  # Newton's steps, and bisection where they lead out of what is still possible
        gap = below(at, a, b) - chance
        low, high = (low, at) if gap > 0 else (at, high)
        density = math.exp(scale + (a - 1) * math.log(at) + (b - 1) * math.log1p(-at))
        then = at - gap / density if density else low
        then = then if low < then < high else (low + high) / 2
        if abs(then - at) <= 1e-12 * at or not low < then < high:
            return then
        at = then
