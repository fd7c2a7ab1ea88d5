"""What a game says in files of its own: TOML, read into the shape that the reader names, or bytes."""

from __future__ import annotations

from importlib.resources import files
from typing import TypeVar

import msgspec

from fairdeal.engine.errors import FairdealError

Told = TypeVar("Told")


def read_bytes(place: str) -> bytes:
    """The content of a file of a package, such as `fairdeal.games.chi:page.toml`. Raises FairdealError."""
    package, _, name = place.rpartition(":")
    try:
        return (files(package) / name).read_bytes()
    except (OSError, ModuleNotFoundError) as problem:
        raise FairdealError(f"{place}: {problem}") from None


def read_file(place: str, shape: type[Told]) -> Told:
    """What a file of a package says, such as `fairdeal.games.chi:page.toml`. Raises FairdealError, saying where."""
    try:
        return msgspec.toml.decode(read_bytes(place), type=shape)
    except msgspec.DecodeError as problem:
        raise FairdealError(f"{place}: {problem}") from None
