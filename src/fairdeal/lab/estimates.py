"""Estimates: values with their intervals."""

from __future__ import annotations

import functools
import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.kit.frozen import Frozen

NORMAL_95 = 1.959964

LARGE = 1000
"""Degrees of freedom from which Student's distribution counts as normal."""


class Estimate(Frozen):
    """A value with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def share(values: NDArray[Any], tests: int = 1) -> Estimate:
    """Return a share and its 95 % interval (E. B. Wilson, 1927). The intervals of several `tests` hold together (C. E.
    Bonferroni, 1936)."""
    z = NORMAL_95 if tests == 1 else NormalDist().inv_cdf(1 - 0.025 / tests)
    count, value = len(values), float(np.mean(values))
    centre = (value + z * z / (2 * count)) / (1 + z * z / count)
    spread = z * math.sqrt(value * (1 - value) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return Estimate(value, max(0.0, centre - spread), min(1.0, centre + spread))


def mean(values: NDArray[Any]) -> Estimate:
    """Return a mean and its 95 % interval by the normal approximation."""
    value = float(np.mean(values))
    spread = NORMAL_95 * float(np.std(values)) / math.sqrt(len(values))
    return Estimate(value, value - spread, value + spread)


def beyond(t: float, freedom: int) -> float:
    """Return the probability that Student's t is at least this far from 0, for a whole number of degrees of freedom (M.
    Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 1964, 26.7.3 and 26.7.4).

    >>> round(beyond(2.228, 10), 4), round(beyond(1.96, LARGE), 4)
    (0.05, 0.05)
    """
    if freedom >= LARGE:
        return math.erfc(abs(t) / math.sqrt(2))
    angle = math.atan(abs(t) / math.sqrt(freedom))
    odd, sine, cosine = freedom % 2, math.sin(angle), math.cos(angle)
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= cosine * cosine * (power + 1) / (power + 2)
    within = (angle + sine * total) * 2 / math.pi if odd else sine * total
    return max(0.0, 1 - within)


@functools.cache
def student_95(freedom: int) -> float:
    """Return the bound that Student's t exceeds in 5 % of cases, in either direction.

    >>> [round(student_95(freedom), 3) for freedom in (1, 2, 9, 29)]
    [12.706, 4.303, 2.262, 2.045]
    """
    low, high = NORMAL_95, 13.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(middle, freedom) > 0.05 else (low, middle)
    return high
