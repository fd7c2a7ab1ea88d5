"""The published hashes of the games' WebAssembly modules and of their descriptions.

A room serves both the page and the module with which the page checks a game, so a hash given by the room proves nothing
by itself. `modules.toml` in this package lists the hashes of each built-in game's module and of its description, by the
version of its rules and by the compiler, which determines the bytes. Anyone can rebuild both and compare them:
`fairdeal wasm GAME`.
"""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Literal

import msgspec

from fairdeal.engine.files import read_text
from fairdeal.engine.game import Game

FILE = "modules.toml"


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The published hashes of a game's module and of its description, by compiler (see `compiler`)."""

    rules_version: int
    sha256: dict[str, str]
    description: dict[str, str]


@cache
def published() -> dict[str, Published]:
    """Return the published hashes of all built-in games, by game."""
    text = read_text(files("fairdeal.engine.compile") / FILE)
    return msgspec.toml.decode(text, type=dict[str, Published])


def compiler() -> str:
    """Return the versions that determine the bytes of a module besides the rules, such as `numba 0.67.0, llvmlite
    0.49.0, Python 3.11, x86_64`."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numba", "llvmlite"))
    return f"{libraries}, Python {'.'.join(platform.python_version_tuple()[:2])}, {platform.machine()}"


def compare(game: Game, digest: str, of: Literal["sha256", "description"] = "sha256") -> str:
    """Describe, in words, whether the hash of a game's module, or of its description, matches the published one."""
    known = published().get(game.name)
    if known is None:
        return "no hash is published for this game"
    if known.rules_version != game.rules_version:
        return f"the published hash is for version {known.rules_version} of the rules"
    hashes = known.sha256 if of == "sha256" else known.description
    if compiler() not in hashes:
        return f"no hash is published for {compiler()}"
    return "as published" if hashes[compiler()] == digest else "not the published hash"
