"""Optional libraries, which only a few commands require."""

from __future__ import annotations

from fairdeal.engine.errors import FairdealError


def missing(what: str, extra: str) -> FairdealError:
    """Return an error that states the purpose of a missing library and the command that installs it."""
    return FairdealError(f'{what}: python -m pip install "fairdeal[{extra}]", or in a clone: uv sync --extra {extra}')
