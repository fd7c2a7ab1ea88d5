"""The WebAssembly module of a game: its rules and its search drivers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fairdeal.engine.compile import compiled, linking, searches, wasm
from fairdeal.engine.compile.compiler import compile_linked, compile_rules
from fairdeal.engine.errors import FairdealError, in_a_line
from fairdeal.engine.game import Game


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


def kept_wasm(game: Game) -> wasm.Module | None:
    """Return the saved WebAssembly module of a game, or None if there is none. Raises FairdealError if its rules cannot
    be linked."""
    return wasm.built_in(folder_of(game))


def wasm_of(game: Game) -> wasm.Module:
    """Return the rules of a game and its search drivers as a WebAssembly module, from the cache on disk if possible.
    Raises FairdealError if they cannot be linked."""
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
