"""The WebAssembly module of a game: its rules and its search drivers.

This package contains the modules of the built-in games with their descriptions (`built/`), and the versions of the
compiler that built them, on which their bytes depend (`built/compiler.txt`). `python -m tools.renew modules` builds
them again.
"""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from fairdeal.engine.compile import compiled, linking, searches, wasm
from fairdeal.engine.compile.compiler import compile_linked, compile_rules
from fairdeal.engine.compile.sources import hash_of_rules
from fairdeal.engine.errors import FairdealError, in_a_line
from fairdeal.engine.game import Game

FOLDER = files("fairdeal.engine.compile") / "built"
"""The folder with the modules of the built-in games."""


def folder_of(game: Game) -> Path:
    """Return the folder for the module of a game. Its name is a key for everything that the module depends on. Raises
    FairdealError if the rules cannot be linked."""
    if not linking.parts():
        raise FairdealError(f"{game.title} cannot be written as WebAssembly, because its rules are not linked")
    roots = compiled.first_of(game) | searches.roots()
    return place_of(compile_rules(game.name, game.state, roots, searches.contract_of(game))["deal"])


def place_of(twin: Any) -> Path:
    """Return the folder that contains the compiled code of a rule."""
    return Path(twin._cache.cache_path)


class Origin(msgspec.Struct):
    """The part of a description that says to which rules a module belongs (see `engine.observe.interface`)."""

    rules: str
    numba: str
    free: int


def packaged(game: Game) -> wasm.Module | None:
    """Return the module of a game from the files in this package, or None if there is none that was built from these
    rules."""
    try:
        code, text = ((FOLDER / name).read_bytes() for name in names_of(game.name))
        origin = msgspec.json.decode(text, type=Origin)
    except (OSError, msgspec.DecodeError):
        return None
    belongs = origin.rules and origin.rules == hash_of_rules(game)
    return wasm.Module(code, origin.free, origin.numba) if belongs else None


def names_of(game: str) -> tuple[str, str]:
    """Return the names of the files of a game in FOLDER: its module, and the description of the module."""
    return f"{game}.wasm", f"{game}.wasm.json"


def files_in_package() -> list[bytes]:
    """Return the content of all modules and descriptions in this package."""
    return [file.read_bytes() for file in FOLDER.iterdir() if ".wasm" in file.name]


def kept_wasm(game: Game) -> wasm.Module | None:
    """Return the WebAssembly module of a game from this package or from the cache on disk, or None if neither has it.
    Raises FairdealError if its rules cannot be linked."""
    return packaged(game) or wasm.built_in(folder_of(game))


def wasm_of(game: Game) -> wasm.Module:
    """Return the rules of a game and its search drivers as a WebAssembly module, from this package if possible. Raises
    FairdealError if they must be built and cannot be linked."""
    return packaged(game) or built(game)


def built(game: Game) -> wasm.Module:
    """Return the module of a game as the installed compiler builds it, from the cache on disk if possible. Raises
    FairdealError if its rules cannot be linked."""
    folder = folder_of(game)
    try:
        return wasm.module_in(folder, lambda: saved(game) or linked_again(game))
    except Exception as problem:  # Numba's own, LLVM's, and others
        raise FairdealError(f"{game.title} cannot be written as WebAssembly: {in_a_line(problem)}") from problem


def saved(game: Game) -> Sequence[wasm.Portable]:
    """Return the portable form of the rules and of the search drivers, as saved when they were compiled. Return nothing
    if a part is missing, because both must come from the same compilation."""
    rules, search = compiled.compiled(game).twins[game.rules.deal], searches.compiled_search(game.name).list_moves
    found = [wasm.saved_in(place_of(twin)) for twin in (rules, search)]
    return [one for one in found if one] if all(found) else ()


def linked_again(game: Game) -> Sequence[wasm.Portable]:
    """Compile the rules and the search drivers of a game again, and return their portable form."""
    roots, signatures = compiled.first_of(game), compiled.signatures_of(game)
    twins: dict[str, Any] = compile_rules(game.name, game.state, roots, compiled.contract_of(game))
    code, rules = compile_linked(twins, signatures, lambda name: None)
    linking.adopt([twins[name] for name in signatures], code)
    for twin in twins.values():
        twin.disable_compile()
    drivers = searches.twins_of(game, {roots[name]: twins[name] for name in signatures})
    return rules, compile_linked(drivers, searches.signatures_of(game), lambda name: None)[1]
