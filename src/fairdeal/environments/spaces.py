"""Observations as Gymnasium spaces."""

import numpy as np
from gymnasium.spaces import Box

from fairdeal.engine.observe.layout import Layout


def seen_in(layout: Layout) -> Box:
    """Return the observation space of a layout, with the bounds of each plane."""
    low, high = np.empty(layout.size, layout.dtype), np.empty(layout.size, layout.dtype)
    for plane in layout.planes:
        low[plane.place], high[plane.place] = plane.lowest, plane.highest
    return Box(low, high, dtype=layout.dtype.type)
