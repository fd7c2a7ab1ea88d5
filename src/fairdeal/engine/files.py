"""What a game says in files of its own: TOML, read into the shape that the reader names."""

from __future__ import annotations

from importlib.resources import files
from typing import TypeVar

import msgspec

from fairdeal.engine.errors import FairdealError

Told = TypeVar("Told")


def read_file(place: str, shape: type[Told]) -> Told:
    """What a file of a package says, such as `fairdeal.games.chi:page.toml`. Raises FairdealError, saying where."""
    package, _, name = place.rpartition(":")
    try:
        return msgspec.toml.decode((files(package) / name).read_bytes(), type=shape)
    except (OSError, ModuleNotFoundError, msgspec.DecodeError) as problem:
        raise FairdealError(f"{place}: {problem}") from None
