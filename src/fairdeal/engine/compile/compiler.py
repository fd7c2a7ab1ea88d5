"""Compiled twins of rule functions.

`compile_rules` walks the call graph from some marked functions, copies each one over the same code object with
the rule names in its globals replaced by their compiled copies, and hands the copies to Numba. The plain
functions stay what they are, so both run side by side in one process. Results go to an on-disk cache whose
folder is keyed by all that the compiled code depends on (`engine.compile.fingerprint`).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
import types
from collections.abc import Callable, Collection, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from fairdeal.engine.compile import linking
from fairdeal.engine.compile.cache import alone, cache_in, keep_in
from fairdeal.engine.compile.fingerprint import (
    LIBRARIES,
    described,
    described_code,
    described_rule,
    global_reads,
    value_read,
)

Function = Callable[..., Any]
Options = dict[str, bool | str]

SHORT = 1400
"""Rules of fewer bytes of bytecode, with all that is inlined into them, are always inlined: measured, it is worth a
third more speed."""


def is_rule(value: object) -> bool:
    """Was this function marked with `@rule`?"""
    return isinstance(value, types.FunctionType) and hasattr(value, "__fairdeal_rule__")


def called_rules(function: types.FunctionType, bound: Mapping[str, Function]) -> dict[str, types.FunctionType]:
    """The rules that a rule calls, by the names it calls them: `push` or `piles.push`; `bound` gives the contract names
    of a game."""
    rules: dict[str, types.FunctionType] = {}
    for read in dict.fromkeys(global_reads(function.__code__)):
        with contextlib.suppress(AttributeError):  # `described_rule` tells what is not there
            value = value_read(function, read)
            if is_rule(value) and len(read) <= 2:  # a name, or one of a module
                chosen = bound.get(read[-1], value) if hasattr(value, "__fairdeal_contract__") else value
                assert isinstance(chosen, types.FunctionType)
                rules[".".join(read)] = chosen
    return rules


def copy_calling(function: types.FunctionType, called: Mapping[str, Function]) -> types.FunctionType:
    """A copy of a rule that calls other functions by these names."""
    names = dict(function.__globals__)
    for module in {path.partition(".")[0] for path in called if "." in path}:
        names[module] = types.ModuleType(module)
        vars(names[module]).update(vars(function.__globals__[module]))
    for path, other in called.items():
        module, _, name = path.rpartition(".")
        (vars(names[module]) if module else names)[name] = other
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)


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
        names = [".".join(read) for read in global_reads(function.__code__)]
        inlined = [called[name] for name in names if name in called]
        length = len(function.__code__.co_code) + sum(lengths[rule] for rule in inlined if lengths[rule] < SHORT)
        lengths[function] = length
    return {function for function, length in lengths.items() if length < SHORT}


def makes_arrays(function: types.FunctionType) -> bool:
    """Does a rule allocate? The others are compiled without reference counts, whose atomic steps cost more than
    most rules do."""
    return "empty" in function.__code__.co_names


def compiler_options(roots: Iterable[Function], bound: Mapping[str, Function]) -> dict[types.FunctionType, Options]:
    """Every rule that can be reached from the roots, called ones first, and how Numba compiles it."""
    entrances = list(roots)
    functions = reachable(entrances, bound)
    short = short_rules(functions, bound)
    return {
        function: {
            "nogil": True,
            "error_model": "numpy",
            "no_cpython_wrapper": function not in entrances,
            "no_cfunc_wrapper": True,
            "_nrt": makes_arrays(function),
            "forceinline": function in short and function not in entrances,
        }
        for function in functions
    }


def cache_folder(
    options: Mapping[types.FunctionType, Options],
    bound: Mapping[str, Function],
    layout: np.dtype[Any],
    there: Mapping[Function, Function] | None = None,
) -> Path:
    """Where the compiled code of these rules is kept: a folder of the user's cache, keyed by all that it depends on.

    `options` are those of `compiler_options`; `layout` is the record type of the states; `there` is that of
    `compile_rules`. Raises TypeError for a rule that reads what is neither a rule nor a constant.
    """
    import platformdirs

    digest = hashlib.sha256()

    def add(*parts: object) -> None:
        digest.update(f"{parts!r}\n".encode())

    add(sys.version, os.environ.get("NUMBA_BOUNDSCHECK"), *((library, version(library)) for library in LIBRARIES))
    add(described(layout))
    numbers: dict[types.FunctionType, int] = {}
    for function, chosen in options.items():
        called = {name: numbers[target] for name, target in called_rules(function, bound).items()}
        # saved code finds the Python globals of a rule by the name of its module
        add(function.__module__, function.__qualname__, described_rule(function, called), sorted(chosen.items()))
        if hasattr(function, "__fairdeal_native__"):
            add(described_code(function.__fairdeal_native__.__wrapped__))
        numbers[function] = len(numbers)
    for twin in (there or {}).values():  # whose code is called by these names
        add(*(result.fndesc.llvm_func_name for result in twin.overloads.values()))  # type: ignore[attr-defined]
    root = os.environ.get("FAIRDEAL_CACHE") or platformdirs.user_cache_dir("fairdeal", appauthor=False)
    return Path(root) / "compiled" / digest.hexdigest()[:20]


_parts: dict[tuple[Any, ...], Any] = {}
"""What has been made of rules in this process: linked again when other entries or other games call them, and not typed
again."""


def compile_rules(
    name: str,
    layout: np.dtype[Any],
    roots: Mapping[str, Function],
    bound: Mapping[str, Function],
    there: Mapping[Function, Function] | None = None,
) -> dict[str, Function]:
    """Compile rules into dispatchers that release the GIL.

    `name` is that of the game they are bound to: it is part of every copy's qualified name, so that the cache
    never mixes two games' copies of one driver; `layout` is the record type of its states. `there` has rules that are
    compiled already, each with its dispatcher: these are called as they are. Compilation of each of the others happens
    at its first call or by `.compile`.
    """
    import numba

    options = compiler_options(roots.values(), bound)
    numba.config.LOOP_VECTORIZE = 0  # rules branch too much to gain by it, and it is a quarter of the compile time
    folder = cache_folder(options, bound, layout, there)
    native = {rule: rule.__fairdeal_native__() for rule in options if hasattr(rule, "__fairdeal_native__")}
    compiled = dict(there or {}) | native
    left = {function: chosen for function, chosen in options.items() if function not in compiled}
    own = functools.cache(lambda: own_twins(name, left, roots.values(), bound, compiled, folder))
    twins = linking.linked_or_own(
        lambda: linked_twins(name, left, roots.values(), bound, compiled, folder, own),
        own,
    )
    return {key: twins[root] for key, root in roots.items()}


def own_twins(
    name: str,
    options: Mapping[types.FunctionType, Options],
    roots: Collection[Function],
    bound: Mapping[str, Function],
    compiled: Mapping[Function, Function],
    folder: Path,
) -> dict[Function, Function]:
    """Dispatchers of rules in Numba's own way."""
    import numba

    twins: dict[Function, Function] = {}
    for function, chosen in options.items():
        copy = named_copy(name, function, called_rules(function, bound), {**compiled, **twins})
        twins[function] = numba.njit(**chosen)(copy)
        if function in roots:
            keep_in(folder, twins[function])
    return twins


def linked_twins(
    name: str,
    options: Mapping[types.FunctionType, Options],
    roots: Collection[Function],
    bound: Mapping[str, Function],
    compiled: Mapping[Function, Function],
    folder: Path,
    own: Callable[[], Mapping[Function, Function]],
) -> dict[Function, Function]:
    """Dispatchers of the roots, whose rules are linked; `own` gives those that compile in Numba's own way instead."""
    import numba

    parts = dict(compiled)
    twins: dict[Function, Function] = {}
    for function, chosen in options.items():
        calls = called_rules(function, bound)
        copy = named_copy(name, function, calls, parts)
        called = {path: id(parts[target]) for path, target in calls.items()}
        key = (function, described_rule(function, called), *sorted(chosen.items()))
        if key not in _parts:
            _parts[key] = linking.dispatcher_of_parts(copy, chosen)
        parts[function] = _parts[key]
        if function in roots:
            twins[function] = numba.njit(**chosen)(copy)
            linking.enter(twins[function], parts[function], functools.partial(own_twin, own, function))
            keep_in(folder, twins[function])
    return twins


def own_twin(own: Callable[[], Mapping[Function, Function]], function: Function) -> Function:
    return own()[function]


def named_copy(
    name: str, function: types.FunctionType, calls: Mapping[str, Function], compiled: Mapping[Function, Function]
) -> types.FunctionType:
    """A copy of a rule that calls compiled ones, with the name of its game."""
    copy = copy_calling(function, {path: compiled[target] for path, target in calls.items()})
    copy.__module__ = function.__module__
    copy.__qualname__ = f"{name}.{function.__qualname__}"
    return copy


def compile_linked(
    twins: Mapping[str, Any], signatures: Mapping[str, tuple[Any, ...]], progress: Callable[[str], None]
) -> linking.Linked:
    """Compile these functions as one piece of code."""
    parts = []
    for name, signature in signatures.items():
        progress(name)
        parts.append(linking.part_of(twins[name].part, signature))
    progress("linking")
    return linking.linked(parts)


def load_linked(
    twins: Mapping[str, Any], signatures: Mapping[str, tuple[Any, ...]], progress: Callable[[str], None]
) -> None:
    """Have these functions call code that is compiled as one piece, or loaded."""
    from numba.core.compiler_lock import global_compiler_lock

    first = twins[next(iter(signatures))]
    folder = Path(first._cache.cache_path)
    cache = cache_in(folder, first.py_func, of_many=True)
    key = tuple(signatures.items())
    with global_compiler_lock:
        code = cache.load_overload(key, first.targetctx)
        if code is None:
            with alone(folder, "linked"):
                code = cache.load_overload(key, first.targetctx)  # another process may have saved it meanwhile
                if code is None:
                    code = compile_linked(twins, signatures, progress)
                    cache.save_overload(key, code)
        linking.adopt([twins[name] for name in signatures], code)


def compile_together(
    twins: Mapping[str, Function], signatures: Mapping[str, tuple[Any, ...]], progress: Callable[[str], None]
) -> None:
    """Compile some of the functions of `compile_rules`, or load them; `progress` is told what is next.

    If they cannot be compiled as one, they are compiled one by one, and `progress` is told of all of them again.
    """
    chosen: dict[str, Any] = {name: twins[name] for name in signatures}

    def one_by_one() -> None:
        for name, signature in signatures.items():
            progress(name)
            chosen[name].compile(signature)

    linking.linked_or_own(lambda: load_linked(chosen, signatures, progress), one_by_one)
    for twin in chosen.values():
        twin.disable_compile()
