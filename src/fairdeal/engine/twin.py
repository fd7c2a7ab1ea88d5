"""Compiled twins of rule functions.

`compile_rules` walks the call graph from some marked functions, copies each one over the same code object with
the rule names in its globals replaced by their compiled copies, and hands the copies to Numba. The plain
functions stay what they are, so both run side by side in one process. Results go to an on-disk cache whose
folder is keyed by every rule source and by the versions of the compiler.
"""

from __future__ import annotations

import dis
import hashlib
import os
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

Function = Callable[..., Any]

SHORT = 1400
"""Rules of fewer bytes of bytecode, with all that is inlined into them, are always inlined: measured, it is worth a
third more speed."""


def is_rule(value: object) -> bool:
    """Was this function marked with `@rule`?"""
    return isinstance(value, types.FunctionType) and hasattr(value, "__fairdeal_rule__")


def global_names(function: types.FunctionType) -> list[str]:
    """The global names that a function loads, each as often as it does."""
    return [step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"]


def called_rules(function: types.FunctionType, bound: Mapping[str, Function]) -> dict[str, types.FunctionType]:
    """The rules that a rule calls, by the names it calls them; `bound` gives the contract names of a game."""
    rules: dict[str, types.FunctionType] = {}
    for name in dict.fromkeys(global_names(function)):
        value = function.__globals__.get(name)
        if is_rule(value):
            assert isinstance(value, types.FunctionType)
            chosen = bound.get(name, value) if hasattr(value, "__fairdeal_contract__") else value
            assert isinstance(chosen, types.FunctionType)
            rules[name] = chosen
    return rules


def reachable(roots: Iterable[Function], bound: Mapping[str, Function]) -> list[types.FunctionType]:
    """Every rule that can be reached from the roots, called ones before their callers."""
    order: dict[types.FunctionType, None] = {}

    def visit(function: types.FunctionType, path: tuple[types.FunctionType, ...]) -> None:
        if function in path:
            raise TypeError(f"rule {function.__name__} calls itself: rules may not recurse")
        if function not in order:
            for called in called_rules(function, bound).values():
                visit(called, (*path, function))
            order[function] = None

    for root in roots:
        assert isinstance(root, types.FunctionType)
        visit(root, ())
    return list(order)


def short_rules(functions: Iterable[types.FunctionType], bound: Mapping[str, Function]) -> set[types.FunctionType]:
    """The rules that stay short with all short rules they call inlined; `functions` lists called ones first."""
    lengths: dict[types.FunctionType, int] = {}
    for function in functions:
        called = called_rules(function, bound)
        inlined = [called[name] for name in global_names(function) if name in called]
        length = len(function.__code__.co_code) + sum(lengths[rule] for rule in inlined if lengths[rule] < SHORT)
        lengths[function] = length
    return {function for function, length in lengths.items() if length < SHORT}


def makes_arrays(function: types.FunctionType) -> bool:
    """Does a rule allocate? The others are compiled without reference counts, whose atomic steps cost more than
    most rules do."""
    return "empty" in function.__code__.co_names


def cache_folder(functions: Iterable[types.FunctionType]) -> Path:
    """Where the compiled code of these rules is kept: a folder of the user's cache, keyed by all it depends on."""
    import platformdirs

    digest = hashlib.sha256()
    for library in ("numba", "numpy", "llvmlite"):
        digest.update(f"{library} {version(library)}\n".encode())
    digest.update(f"{sys.version} bounds {os.environ.get('NUMBA_BOUNDSCHECK', '')}\n".encode())
    for path in sorted({function.__code__.co_filename for function in functions}):
        digest.update(Path(path).read_bytes())
    root = os.environ.get("FAIRDEAL_CACHE") or platformdirs.user_cache_dir("fairdeal", appauthor=False)
    return Path(root) / "compiled" / digest.hexdigest()[:20]


def compile_rules(
    name: str,
    roots: Mapping[str, Function],
    bound: Mapping[str, Function],
    progress: Callable[[str], None] | None = None,
) -> dict[str, Function]:
    """Compile rules into dispatchers that release the GIL.

    `name` is that of the game they are bound to: it is part of every copy's qualified name, so that the cache
    never mixes two games' copies of one driver. Compilation of each happens at its first call or by `.compile`.
    """
    import numba

    functions = reachable(roots.values(), bound)
    numba.config.CACHE_DIR = str(cache_folder(functions))
    numba.config.LOOP_VECTORIZE = 0  # rules branch too much to gain by it, and it is a quarter of the compile time
    compiled: dict[types.FunctionType, Function] = {}
    short = short_rules(functions, bound)
    for function in functions:
        names = function.__globals__ | {
            called: compiled[target] for called, target in called_rules(function, bound).items()
        }
        copy = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{name}.{function.__qualname__}"
        called_from_python = function in roots.values()
        compiled[function] = numba.njit(
            nogil=True,
            error_model="numpy",
            cache=called_from_python,
            no_cpython_wrapper=not called_from_python,
            no_cfunc_wrapper=True,
            _nrt=makes_arrays(function),
            forceinline=function in short and not called_from_python,
        )(copy)
        if progress:
            progress(function.__name__)
    return {key: compiled[root] for key, root in roots.items()}  # type: ignore[index]
