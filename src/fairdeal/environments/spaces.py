"""What observations may be, in the terms of Gymnasium."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box

from fairdeal.engine.observe.layout import Layout


def seen_in(layout: Layout) -> Box:
    """The space of the observations of this layout: all that its type holds."""
    limits = np.iinfo(layout.dtype)
    return Box(limits.min, limits.max, (layout.size,), layout.dtype.type)
