"""Snapshots: records to read from plain Python, all their numbers unpacked at once.

Words and pictures get snapshots, never records: numbers are Python's own, a pile knows the cards it holds, and
`state.acting` are the seats that may act. Rules that only read take a snapshot for a record.
"""

from __future__ import annotations

import functools
import itertools
import struct
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np

from fairdeal.engine.kit.seats import members
from fairdeal.engine.records import Record, attribute


class Snapshot(msgspec.Struct, eq=False, gc=False):
    """What a record held when it was taken; it does not follow what happens to the record afterwards.

    An attribute of a NumPy record costs over a microsecond, one of these a few hundredths.
    """

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    @property
    def held(self) -> list[int]:
        """Of a pile, a hand, a row of places in use: the cards in it, in their order."""
        return self.cards[: self.length]

    @property
    def acting(self) -> tuple[int, ...]:
        """Of a state: the seats that may act now."""
        return seats_in(self.to_act)


@functools.cache
def seats_in(seats: int) -> tuple[int, ...]:
    """A set of seats as a tuple."""
    return tuple(members(seats))


def snapshot(state: Record) -> Snapshot:
    """Return what a record, or its fields, hold now. A snapshot is its own."""
    if isinstance(state, Snapshot):
        return state
    return unpacker(attribute(state, "dtype") if isinstance(state, np.void) else state.dtype)(state)


Read = TypeVar("Read", bound=Callable[..., Any])


def reading(function: Read) -> Read:
    """The same function, which is given snapshots where it is called with records."""

    @functools.wraps(function)
    def read(*arguments: Any) -> Any:
        for given in arguments:
            if isinstance(given, np.void):
                return function(*(snapshot(given) if isinstance(given, np.void) else given for given in arguments))
        return function(*arguments)

    return read  # type: ignore[return-value]


@functools.cache
def unpacker(kind: np.dtype[Any]) -> Callable[[Record], Snapshot]:
    """What makes snapshots of records of this kind: one expression over the flat tuple of their numbers."""
    names: dict[str, Any] = {}
    codes, expression = unpacking(kind, itertools.count(), names)
    layout = struct.Struct("=" + codes)
    assert layout.size == kind.itemsize, "a record with gaps between its fields"
    build = eval(f"lambda n: {expression}", names)
    return lambda state: build(layout.unpack(state))


def unpacking(kind: np.dtype[Any], places: Iterator[int], names: dict[str, Any]) -> tuple[str, str]:
    """The `struct` codes of a type, and the expression for its value; `places` counts the numbers, `names` gets the
    classes of nested records."""
    if kind.subdtype is not None:
        base, (length, *inner) = kind.subdtype
        if not inner and base.names is None:
            numbers = [next(places) for _ in range(length)]
            return base.char * length, f"list(n[{numbers[0]}:{numbers[-1] + 1}])"
        part = np.dtype((base, tuple(inner))) if inner else base
        parts = [unpacking(part, places, names) for _ in range(length)]
        return "".join(codes for codes, _ in parts), f"[{', '.join(value for _, value in parts)}]"
    if kind.names is None:
        return kind.char, f"n[{next(places)}]"
    fields = [unpacking(kind[name], places, names) for name in kind.names]
    name = f"Snapshot{len(names)}"
    names[name] = msgspec.defstruct(name, kind.names, bases=(Snapshot,), eq=False, gc=False)
    return "".join(codes for codes, _ in fields), f"{name}({', '.join(value for _, value in fields)})"
