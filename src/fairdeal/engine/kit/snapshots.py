"""Snapshots: records unpacked into Python objects for reading.

Code for texts and pictures gets snapshots, never records. The numbers of a snapshot are Python integers, `pile.held`
lists the cards of a pile, and `state.acting` lists the seats that may act. Rules that only read accept a snapshot in
place of a record.
"""

import functools
import itertools
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec
import numpy as np

from fairdeal.engine.kit.seats import members
from fairdeal.engine.records import Record, attribute


class Snapshot(msgspec.Struct, eq=False, gc=False):
    """A copy of a record's numbers as plain Python, with the record's fields as attributes. It does not follow later
    changes.

    Reading an attribute of a NumPy record takes over a microsecond; reading one of a snapshot takes a few hundredths of
    that.

    >>> shown = load("chi").deal(seed=7).seen_by(0).shown
    >>> isinstance(shown, Snapshot), shown.players, shown.acting
    (True, 2, (1,))
    >>> shown.hands[0].held
    [12, 29, 35]
    """

    if TYPE_CHECKING:
        _kind: ClassVar[np.dtype[Any]]

        def __getattr__(self, name: str) -> Any: ...

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the record's type and numbers, because the classes of snapshots cannot be imported."""
        return unpickled, (self._kind, tuple(numbers_in(self)))

    @property
    def held(self) -> list[int]:
        """The cards of a pile, a hand or a row of places, without unused places, in order."""
        return self.cards[: self.length]

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act now. This is available in the snapshot of a state."""
        return seats_in(self.to_act)


@functools.cache
def seats_in(seats: int) -> tuple[int, ...]:
    """Return the seats of a set as a tuple, in order."""
    return tuple(members(seats))


def snapshot(state: Record) -> Snapshot:
    """Return a snapshot of a record or of its fields. A snapshot is returned unchanged."""
    if isinstance(state, Snapshot):
        return state
    return unpacker(attribute(state, "dtype") if isinstance(state, np.void) else state.dtype)(state)


Read = TypeVar("Read", bound=Callable[..., Any])


def reading(function: Read) -> Read:
    """Return a version of `function` that passes snapshots in place of records."""

    @functools.wraps(function)
    def read(*arguments: Any) -> Any:
        for given in arguments:
            if isinstance(given, np.void):
                return function(*(snapshot(given) if isinstance(given, np.void) else given for given in arguments))
        return function(*arguments)

    return read  # type: ignore[return-value]


@functools.cache
def unpacker(kind: np.dtype[Any]) -> Callable[[Record], Snapshot]:
    """Return a function that makes snapshots of records of a type."""
    layout, build = builder(kind)
    return lambda state: build(layout.unpack(state))


@functools.cache
def builder(kind: np.dtype[Any]) -> tuple[struct.Struct, Callable[[Sequence[int]], Snapshot]]:
    """Return the layout of a record's numbers, and a function that makes a snapshot by evaluating one expression on
    their flat tuple."""
    names: dict[str, Any] = {}
    codes, expression = unpacking(kind, itertools.count(), names)
    layout = struct.Struct("=" + codes)
    assert layout.size == kind.itemsize, "the record has gaps between its fields"
    return layout, eval(f"lambda n: {expression}", names)


def unpickled(kind: np.dtype[Any], numbers: Sequence[int]) -> Snapshot:
    """Restore a pickled snapshot."""
    return builder(kind)[1](numbers)


def numbers_in(value: Any) -> Iterator[int]:
    """Yield the numbers of a snapshot, or of a list in it, in the order of the record."""
    if isinstance(value, Snapshot):
        value = [getattr(value, name) for name in value.__struct_fields__]
    if not isinstance(value, list):
        yield value
        return
    for part in value:
        yield from numbers_in(part)


def unpacking(kind: np.dtype[Any], places: Iterator[int], names: dict[str, Any]) -> tuple[str, str]:
    """Return the `struct` codes of a type and the expression for its value. `places` counts the numbers; classes of
    nested records are added to `names`."""
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
    names[name] = msgspec.defstruct(name, kind.names, bases=(Snapshot,), namespace={"_kind": kind}, eq=False, gc=False)
    return "".join(codes for codes, _ in fields), f"{name}({', '.join(value for _, value in fields)})"
