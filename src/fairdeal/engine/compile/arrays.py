"""Small arrays that compiled rules allocate on the stack.

Numba allocates the array of `np.empty` on the heap and counts the references to it. Most arrays of rules have a
constant size and are not used after the call that created them. They are allocated on the stack instead, which needs no
allocator.
"""

import contextlib
import dis
import itertools
import types
from functools import cache
from typing import Any

from fairdeal.engine.compile.fingerprint import value_read

LARGEST = 1024
"""Maximum number of elements of an array on the stack."""

SCALARS = {"int", "float", "bool", "None", int, float, bool, None}
"""Annotations of results that do not contain an array."""

CONSTANT = ("LOAD_GLOBAL", "LOAD_ATTR", "LOAD_CONST", "LOAD_SMALL_INT", "PRECALL", "KW_NAMES")
"""Instructions with which a call may begin if its arguments are constants. Since Python 3.13, a `PUSH_NULL` comes after
the function instead of before it."""


def makes_arrays(function: types.FunctionType) -> bool:
    """Return whether a rule creates arrays. Other rules are compiled without reference counts, whose atomic operations
    cost more than most rules."""
    return "empty" in function.__code__.co_names


def on_stack(function: types.FunctionType) -> bool:
    """Return whether a rule creates arrays with `np.empty`, all of which can be on the stack: they have constant sizes,
    and the rule returns a number or nothing."""
    if not makes_arrays(function):  # reading the bytecode of all rules would delay each start
        return False
    sizes = sizes_of(function)
    scalar = function.__annotations__.get("return", ...) in SCALARS
    return bool(sizes) and scalar and all(size is not None and size <= LARGEST for size in sizes)


def sizes_of(function: types.FunctionType) -> list[int | None]:
    """Return the size of each array that a rule creates with `np.empty`, or None for a size that is not a constant."""
    steps = [step for step in dis.get_instructions(function.__code__) if step.opname != "EXTENDED_ARG"]
    return [
        size_of(function, steps[place + 2 :])
        for place in range(len(steps) - 1)
        if [step.argval for step in steps[place : place + 2]] == ["np", "empty"]
    ]


def size_of(function: types.FunctionType, steps: list[dis.Instruction]) -> int | None:
    """Return the first argument of a call if all arguments are constants. `steps` begin with the arguments."""
    call = itertools.takewhile(lambda step: not step.opname.startswith("CALL"), steps)
    arguments = [step for step in call if step.opname != "PUSH_NULL"]
    if not arguments or any(step.opname not in CONSTANT for step in arguments):
        return None
    size = arguments[0].argval
    if arguments[0].opname == "LOAD_GLOBAL":
        attributes = itertools.takewhile(lambda step: step.opname == "LOAD_ATTR", arguments[1:])
        with contextlib.suppress(AttributeError):  # `described_rule` reports missing names
            size = value_read(function, (size, *(step.argval for step in attributes)))
    return size if isinstance(size, int) else None


@cache
def stack_empty() -> Any:
    """Return `np.empty` for compiled rules whose arrays are on the stack."""
    from numba import types as kinds
    from numba.core import cgutils
    from numba.core.typing.npydecl import parse_dtype
    from numba.extending import intrinsic
    from numba.np import arrayobj

    @intrinsic  # type: ignore[untyped-decorator]
    def empty(typing: Any, size: Any, dtype: Any) -> Any:
        item = parse_dtype(dtype)
        made = kinds.Array(item, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            element = context.get_data_type(item)
            length = context.get_constant(kinds.intp, args[0].constant)
            width = context.get_constant(kinds.intp, context.get_abi_sizeof(element))
            array = arrayobj.make_array(made)(context, builder)
            arrayobj.populate_array(
                array,
                data=cgutils.alloca_once(builder, element, size=length),
                shape=[length],
                strides=[width],
                itemsize=width,
                meminfo=None,
            )
            return array._getvalue()

        return made(size, dtype), generate

    return empty
