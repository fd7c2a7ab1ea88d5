"""Optional libraries, which only a few commands need."""

from __future__ import annotations

from fairdeal.engine.errors import FairdealError


def missing(what: str, extra: str) -> FairdealError:
    """Return an error that names a missing library's purpose and how to install it."""
    return FairdealError(f'{what}: python -m pip install "fairdeal[{extra}]", or in a clone: uv sync --extra {extra}')
