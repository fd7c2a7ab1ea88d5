"""Compile rule functions with Numba.

`compile_rules` walks the call graph from some marked functions and copies each function that it reaches. In a copy's
globals, rules are replaced by their compiled copies. The copies are passed to Numba. The plain functions are not
changed, so both versions can run in the same process. Results are cached on disk in a folder that is keyed by
everything that the compiled code depends on (`engine.compile.fingerprint`).
"""

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

from fairdeal.engine.compile import linking, wasm
from fairdeal.engine.compile.arrays import makes_arrays, on_stack, stack_empty
from fairdeal.engine.compile.cache import alone, cache_in, keep_in, private
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
"""Maximum length of a rule's bytecode in bytes, including inlined rules, up to which the rule is always inlined. In
measurements this gained a third in speed."""


def is_rule(value: object) -> bool:
    """Return whether a value is a function marked with `@rule`."""
    return isinstance(value, types.FunctionType) and hasattr(value, "__fairdeal_rule__")


def unchecked(value: Any) -> Any:
    """Return a rule without the argument checks of plain Python (`records.checked`)."""
    return getattr(value, "__fairdeal_unchecked__", value)


def called_rules(function: types.FunctionType, bound: Mapping[str, Function]) -> dict[str, types.FunctionType]:
    """Return the rules that a rule calls, by the names used in its code: `push` or `piles.push`. `bound` maps the
    contract names to a game's functions."""
    rules: dict[str, types.FunctionType] = {}
    for read in dict.fromkeys(global_reads(function.__code__)):
        with contextlib.suppress(AttributeError):  # `described_rule` reports missing names
            value = unchecked(value_read(function, read))
            if is_rule(value) and len(read) <= 2:  # a name, or an attribute of a module
                chosen = bound.get(read[-1], value) if hasattr(value, "__fairdeal_contract__") else value
                assert isinstance(chosen, types.FunctionType)
                rules[".".join(read)] = chosen
    return rules


def copy_calling(function: types.FunctionType, called: Mapping[str, Function]) -> types.FunctionType:
    """Return a copy of a rule that calls other functions under the names in `called`."""
    names = dict(function.__globals__)
    for module in {path.partition(".")[0] for path in called if "." in path}:
        names[module] = types.ModuleType(module)
        vars(names[module]).update(vars(function.__globals__[module]))
    for path, other in called.items():
        module, _, name = path.rpartition(".")
        (vars(names[module]) if module else names)[name] = other
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)


def reachable(roots: Iterable[Function], bound: Mapping[str, Function]) -> list[types.FunctionType]:
    """Return every rule that can be reached from the roots, with callees before callers."""
    order: dict[types.FunctionType, None] = {}

    def visit(function: types.FunctionType, path: tuple[types.FunctionType, ...]) -> None:
        if function in path:
            raise TypeError(f"rule {function.__name__} calls itself, but rules must not be recursive")
        if function not in order:
            for called in called_rules(function, bound).values():
                visit(called, (*path, function))
            order[function] = None

    for root in roots:
        assert isinstance(root, types.FunctionType)
        visit(root, ())
    return list(order)


def short_rules(functions: Iterable[types.FunctionType], bound: Mapping[str, Function]) -> set[types.FunctionType]:
    """Return the rules that are shorter than SHORT even with all their short callees inlined. `functions` must list
    callees first."""
    lengths: dict[types.FunctionType, int] = {}
    for function in functions:
        called = called_rules(function, bound)
        names = [".".join(read) for read in global_reads(function.__code__)]
        inlined = [called[name] for name in names if name in called]
        length = len(function.__code__.co_code) + sum(lengths[rule] for rule in inlined if lengths[rule] < SHORT)
        lengths[function] = length
    return {function for function, length in lengths.items() if length < SHORT}


def compiler_options(roots: Iterable[Function], bound: Mapping[str, Function]) -> dict[types.FunctionType, Options]:
    """Return every rule that can be reached from the roots, callees first, with the options for Numba."""
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
    """Return the folder for the compiled code of the rules in `options`. It is in the user's cache, and its name
    is a key for everything that the code depends on.

    `options` is the result of `compiler_options`, `layout` is the record type of the states, and `there` is as in
    `compile_rules`. Raises TypeError if a rule reads anything other than rules and constants.
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
        if on_stack(function):
            add(described_code(vars(stack_empty)["__wrapped__"]))
        numbers[function] = len(numbers)
    for twin in (there or {}).values():  # their code is called by these names
        add(*(result.fndesc.llvm_func_name for result in twin.overloads.values()))  # type: ignore[attr-defined]
    root = os.environ.get("FAIRDEAL_CACHE") or platformdirs.user_cache_dir("fairdeal", appauthor=False)
    return Path(root) / "compiled" / digest.hexdigest()[:20]


_parts: dict[tuple[Any, ...], Any] = {}
"""Dispatchers of rules compiled as parts in this process. They are linked again, without typing them again, if other
functions or games call them."""


def compile_rules(
    name: str,
    layout: np.dtype[Any],
    roots: Mapping[str, Function],
    bound: Mapping[str, Function],
    there: Mapping[Function, Function] | None = None,
) -> dict[str, Function]:
    """Compile rules into dispatchers that release the GIL.

    `name` is the name of the game to which the rules are bound. It is part of every copy's qualified name, so that the
    cache never confuses two games' copies of one driver. `layout` is the record type of its states. `there` maps rules
    that are already compiled to their dispatchers, which are called directly. The other rules are compiled on their
    first call or by `.compile`.
    """
    import numba

    roots = {key: unchecked(root) for key, root in roots.items()}
    options = compiler_options(roots.values(), bound)
    numba.config.LOOP_VECTORIZE = 0  # rules branch too much to benefit, and it takes a quarter of the compile time
    folder = private(cache_folder(options, bound, layout, there))
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
    """Return dispatchers that compile rules with Numba's own methods."""
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
    """Return dispatchers that compile the roots by linking their rules. `own` returns the dispatchers to use if linking
    fails."""
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
    """Return a copy of a rule that calls compiled rules. The copy's qualified name contains its game's name."""
    called = {path: compiled[target] for path, target in calls.items()}
    copy = copy_calling(function, called | {"np.empty": stack_empty()} if on_stack(function) else called)
    copy.__module__ = function.__module__
    copy.__qualname__ = f"{name}.{function.__qualname__}"
    return copy


def compile_linked(
    twins: Mapping[str, Any], signatures: Mapping[str, tuple[Any, ...]], progress: Callable[[str], None]
) -> tuple[linking.Linked, wasm.Portable]:
    """Compile functions into a single library, reporting each name to `progress`. Return it, and the same functions in
    portable form."""
    parts = []
    for name, signature in signatures.items():
        progress(name)
        parts.append(linking.part_of(twins[name].part, signature))
    progress("linking")
    code = linking.linked(parts, is_kept=True)
    return code, wasm.Portable(code.unoptimized, tuple(map(wasm.exported, signatures, parts)))


def load_linked(
    twins: Mapping[str, Any], signatures: Mapping[str, tuple[Any, ...]], progress: Callable[[str], None]
) -> None:
    """Make functions call code that is compiled as a single library. The library is loaded from the cache if
    possible."""
    from numba.core.compiler_lock import global_compiler_lock

    first = twins[next(iter(signatures))]
    folder = Path(first._cache.cache_path)
    cache = cache_in(folder, first.py_func, of_many=True)
    key = tuple(signatures.items())
    with global_compiler_lock:
        code = cache.load_overload(key, first.targetctx)
        if code is None:
            with alone(folder, "linked"):
                code = cache.load_overload(key, first.targetctx)  # another process may have saved it by now
                if code is None:
                    code, portable = compile_linked(twins, signatures, progress)
                    cache.save_overload(key, code)
                    wasm.save(portable, folder)
        linking.adopt([twins[name] for name in signatures], code)


def compile_together(
    twins: Mapping[str, Function], signatures: Mapping[str, tuple[Any, ...]], progress: Callable[[str], None]
) -> None:
    """Compile or load some of the functions of `compile_rules`. `progress` is called with the name of each step.

    If they cannot be compiled as a single library, they are compiled one by one, and `progress` is called again for
    each.
    """
    chosen: dict[str, Any] = {name: twins[name] for name in signatures}

    def one_by_one() -> None:
        for name, signature in signatures.items():
            progress(name)
            chosen[name].compile(signature)

    linking.linked_or_own(lambda: load_linked(chosen, signatures, progress), one_by_one)
    for twin in chosen.values():
        twin.disable_compile()
