"""Estimates: values with their intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.kit.frozen import Frozen

NORMAL_95 = 1.959964


class Estimate(Frozen):
    """A value with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def share(values: NDArray[Any]) -> Estimate:
    """Return a share and its 95 % interval (E. B. Wilson, 1927)."""
    count, value, z = len(values), float(np.mean(values)), NORMAL_95
    centre = (value + z * z / (2 * count)) / (1 + z * z / count)
    spread = z * math.sqrt(value * (1 - value) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return Estimate(value, max(0.0, centre - spread), min(1.0, centre + spread))


def mean(values: NDArray[Any]) -> Estimate:
    """Return a mean and its 95 % interval by the normal approximation."""
    value = float(np.mean(values))
    spread = NORMAL_95 * float(np.std(values)) / math.sqrt(len(values))
    return Estimate(value, value - spread, value + spread)
