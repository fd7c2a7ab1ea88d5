"""Extras: libraries that a few commands need, and that are installed where somebody wants them."""

from __future__ import annotations

from fairdeal.engine.errors import FairdealError


def missing(what: str, extra: str) -> FairdealError:
    """What those are told who lack one: what needs it, and how to install it."""
    return FairdealError(f'{what}: python -m pip install "fairdeal[{extra}]", or in a clone: uv sync --extra {extra}')
