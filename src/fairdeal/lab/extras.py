"""Optional libraries, which only a few commands require."""

from __future__ import annotations

from fairdeal.engine.errors import FairdealError


def missing(what: str, extra: str) -> FairdealError:
    """Return an error that states why a missing library is needed and which command installs it."""
    return FairdealError(f'{what}: python -m pip install "fairdeal[{extra}]", or in a clone: uv sync --extra {extra}')
