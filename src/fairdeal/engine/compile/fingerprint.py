"""Descriptions of everything that the compiled code of a rule depends on, as plain values.

Numba freezes into compiled code everything that a rule reads: its own constants, and every global that is not a rule.
Two rules with equal descriptions compile to equal code; docstrings, comments, line numbers and paths are not part of a
description.
"""

import builtins
import dis
import enum
import functools
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

LIBRARIES = ("numba", "numpy", "llvmlite")
"""Packages that compile rules, or whose functions and types rules may use. Their versions are part of the cache key."""

Description = tuple[Any, ...]
"""Nested tuples of plain values, whose `repr` is identical in every process."""


@functools.cache
def global_reads(code: types.CodeType) -> tuple[tuple[str, ...], ...]:
    """Return the globals that a function loads, including nested code, with the attributes that are read from them,
    such as `("np", "int64")`. A global appears once for each time that it is loaded. The result is cached, because
    reading bytecode takes several times as long as loading the code compiled from it."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    reads = []
    for place, step in enumerate(steps):
        if step.opname == "LOAD_GLOBAL":
            path = [step.argval]
            while steps[place + len(path)].opname in ("LOAD_ATTR", "LOAD_METHOD"):
                path.append(steps[place + len(path)].argval)
            reads.append(tuple(path))
    nested = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return (*reads, *(read for inner in nested for read in global_reads(inner)))


def described_rule(
    function: types.FunctionType,
    called: Mapping[str, int | str],
    code: Callable[[types.FunctionType], Description] | None = None,
) -> Description:
    """Return the description of a rule. `called` maps the names of the rules that it calls, as used in the rule, to
    numbers or to their own names. `code` describes the code of a rule (default: its bytecode).

    Raises TypeError, with the name of the rule, if the rule reads something that a description cannot contain.
    """
    try:
        if function.__closure__ or function.__kwdefaults__:
            raise TypeError("variables of an enclosing function, or keyword-only defaults")
        reads = {read: described_read(function, read, called) for read in global_reads(function.__code__)}
        own = (code or described_code)(function)
        return own, described(function.__defaults__ or ()), tuple(sorted(reads.items()))
    except TypeError as problem:
        raise TypeError(
            f"rule {function.__module__}.{function.__qualname__} reads {problem}. A rule may read numbers, strings, "
            f"tuples, enumerations, NumPy arrays and types, functions of NumPy, and other rules by name, "
            f"directly or through their module"
        ) from None


def value_read(function: types.FunctionType, read: tuple[str, ...]) -> Any:
    """Return the value that a rule reads under a name, following attributes of modules. Raises AttributeError if the
    name is not defined."""
    name, *attributes = read
    value = function.__globals__[name] if name in function.__globals__ else getattr(builtins, name)
    while isinstance(value, types.ModuleType) and attributes:
        value = getattr(value, attributes.pop(0))
    return value


def described_read(function: types.FunctionType, read: tuple[str, ...], called: Mapping[str, int | str]) -> Description:
    """Return the description of one global that a rule reads. A called rule is described only by its number or
    name."""
    if ".".join(read) in called:
        return ("rule", called[".".join(read)])
    try:
        return described(value_read(function, read))
    except AttributeError:
        raise TypeError(f"{'.'.join(read)}, which does not exist") from None
    except TypeError as problem:
        raise TypeError(f"{'.'.join(read)}, {problem}") from None


def described_code(function: types.FunctionType) -> Description:
    """Return the description of a function's code without its docstring."""
    code = function.__code__
    if function.__doc__ is not None and code.co_consts[:1] == (function.__doc__,):
        code = code.replace(co_consts=(None, *code.co_consts[1:]))
    return described(code)


def described(value: Any) -> Description:
    """Return the description of a value that compiled code may contain. Raises TypeError, with the value's type, for
    other values."""
    kind = type(value)
    if value is None or value is Ellipsis or kind in (bool, int, float, complex, str, bytes):
        return (kind.__name__, repr(value))
    if isinstance(value, enum.Enum):
        return ("member", kind.__qualname__, value.name, described(value.value))
    if isinstance(value, enum.EnumMeta):
        return ("members", value.__qualname__, *map(described, value))
    if isinstance(value, tuple):
        return ("tuple", kind.__qualname__, getattr(value, "_fields", ()), *map(described, value))
    if isinstance(value, frozenset):
        return ("set", *sorted(map(described, value), key=repr))
    if isinstance(value, slice):
        return ("slice", *map(described, (value.start, value.stop, value.step)))
    if isinstance(value, np.dtype):
        return ("layout", repr(value))
    if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
        return ("array", described(value.dtype), value.shape, value.strides, value.tobytes())
    if isinstance(value, types.CodeType):
        names = (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
        counts = (value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, value.co_flags)
        constants = tuple(map(described, value.co_consts))
        return ("code", value.co_code, value.co_exceptiontable, constants, names, counts)
    if is_of_library(value):
        return ("library", value.__module__, value.__qualname__)
    raise TypeError("a function without @rule" if isinstance(value, types.FunctionType) else f"a {kind.__name__}")


def is_of_library(value: Any) -> bool:
    """Return whether a value is a function or a type that can be found by name in Python's standard library or in
    LIBRARIES."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return False
    package = module.partition(".")[0]
    known = package in LIBRARIES or package in sys.stdlib_module_names
    return known and getattr(sys.modules.get(module), name, None) is value
