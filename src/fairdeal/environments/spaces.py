"""Observations as Gymnasium spaces."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box

from fairdeal.engine.observe.layout import Layout


def seen_in(layout: Layout) -> Box:
    """Return the observation space of a layout, with every value that its type can hold."""
    limits = np.iinfo(layout.dtype)
    return Box(limits.min, limits.max, (layout.size,), layout.dtype.type)
