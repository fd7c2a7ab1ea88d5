"""What the compiled code of a rule depends on, in plain values.

Numba freezes into compiled code whatever a rule reads: its own constants, and every global that is no rule. Two rules
with the same description compile to the same code; docstrings, comments, line numbers and paths are no part of it.
"""

from __future__ import annotations

import builtins
import dis
import enum
import functools
import sys
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

LIBRARIES = ("numba", "numpy", "llvmlite")
"""What compiles rules, and whose functions and types they may use: a cache is keyed by their versions."""

Description = tuple[Any, ...]
"""Nested tuples of plain values, whose `repr` is the same in every process."""


@functools.cache
def global_reads(code: types.CodeType) -> tuple[tuple[str, ...], ...]:
    """The globals that a function loads, nested code included, each as often as it does; and what it reads of them:
    `("np", "int64")`. Kept, as reading code takes several times as long as loading what was compiled of it."""
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


def described_rule(function: types.FunctionType, called: Mapping[str, int]) -> Description:
    """A rule; `called` gives the rules that it calls as numbers, by the names it calls them.

    Raises TypeError, which names the rule, for what it reads and a description cannot hold.
    """
    try:
        if function.__closure__ or function.__kwdefaults__:
            raise TypeError("variables of an enclosing function, or keyword-only defaults")
        reads = {read: described_read(function, read, called) for read in global_reads(function.__code__)}
        return described_code(function), described(function.__defaults__ or ()), tuple(sorted(reads.items()))
    except TypeError as problem:
        raise TypeError(
            f"rule {function.__module__}.{function.__qualname__} reads {problem}. A rule may read numbers, texts, "
            f"tuples, enumerations, NumPy arrays and types, functions of NumPy, and other rules by their names, "
            f"alone or in their module"
        ) from None


def value_read(function: types.FunctionType, read: tuple[str, ...]) -> Any:
    """What a rule reads under a name, followed through modules. Raises AttributeError for what is not there."""
    name, *attributes = read
    value = function.__globals__[name] if name in function.__globals__ else getattr(builtins, name)
    while isinstance(value, types.ModuleType) and attributes:
        value = getattr(value, attributes.pop(0))
    return value


def described_read(function: types.FunctionType, read: tuple[str, ...], called: Mapping[str, int]) -> Description:
    """One global that a rule reads; a rule it calls is only a number."""
    if ".".join(read) in called:
        return ("rule", called[".".join(read)])
    try:
        return described(value_read(function, read))
    except AttributeError:
        raise TypeError(f"{'.'.join(read)}, which is not there") from None
    except TypeError as problem:
        raise TypeError(f"{'.'.join(read)}, {problem}") from None


def described_code(function: types.FunctionType) -> Description:
    """The code of a function without its docstring."""
    code = function.__code__
    if function.__doc__ is not None and code.co_consts[:1] == (function.__doc__,):
        code = code.replace(co_consts=(None, *code.co_consts[1:]))
    return described(code)


def described(value: Any) -> Description:
    """A value that compiled code may hold. Raises TypeError, saying what it is, for any other."""
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
    """Is this a function or a type that Python itself or one of the libraries knows by its name?"""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return False
    package = module.partition(".")[0]
    known = package in LIBRARIES or package in sys.stdlib_module_names
    return known and getattr(sys.modules.get(module), name, None) is value
