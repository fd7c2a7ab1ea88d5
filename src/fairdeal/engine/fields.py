"""Access to the bytes of records through `ctypes`, for plain Python.

Reading an attribute of a NumPy record takes over a microsecond, and reading one of these fields a twentieth of that.
Rules accept both. Values that are read are plain integers, and values that are written are truncated to the size of the
field, as in compiled code.
"""

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from fairdeal.engine.records import Record, attribute

NUMBERS: dict[str, Any] = {
    "i1": ctypes.c_int8,
    "i2": ctypes.c_int16,
    "i4": ctypes.c_int32,
    "i8": ctypes.c_int64,
    "u4": ctypes.c_uint32,
}

Fields = Any
"""A record, or a part of one, as an instance of its `ctypes` type."""


@functools.cache
def structure_of(kind: np.dtype[Any]) -> Any:
    """Return the `ctypes` type with the layout of a NumPy type. Raises TypeError if a record cannot have it."""
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        return functools.reduce(lambda part, length: part * length, reversed(shape), structure_of(base))
    if kind.names is None:
        if kind.str[1:] not in NUMBERS:
            raise TypeError(f"the type of a record field must be one of {', '.join(NUMBERS)}, not {kind}")
        return NUMBERS[kind.str[1:]]
    parts: Any = kind.fields
    layout = type(
        "Fields",
        (ctypes.Structure,),
        {"_fields_": [(name, structure_of(parts[name][0])) for name in kind.names], "dtype": kind},
    )
    if ctypes.sizeof(layout) != kind.itemsize or any(
        getattr(layout, name).offset != parts[name][1] for name in kind.names
    ):
        raise TypeError("the record has gaps between its fields")
    return layout


def fields_of(record: Record) -> Fields:
    """Return a record as fields that share its memory."""
    return in_place(record, structure_of(record.dtype))


def in_place(record: Record, layout: Any) -> Fields:
    """Return a record, or an array of records, as fields of `layout` that share its memory."""
    array = record if isinstance(record, np.ndarray) else attribute(record, "base")
    if array is None or array.nbytes != record.nbytes:
        fields = layout.from_address(record.__array_interface__["data"][0])
        fields.record = record  # keep the memory alive
        return fields
    return (layout * len(array) if isinstance(record, np.ndarray) else layout).from_buffer(array)


def on_fields(function: Callable[..., Any], *layouts: Any) -> Callable[..., Any]:
    """Return a version of a rule that accepts records. `layouts` contains the layout of each argument that is a record
    or an array of records, and None for other arguments (default: None for the rest)."""
    records = [(place, layout) for place, layout in enumerate(layouts) if layout is not None]

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        given = list(arguments)
        for place, layout in records:
            given[place] = in_place(given[place], layout)
        return function(*given)

    return call
