"""Game states as fixed-size NumPy records.

A whole situation is one record: copying is a memory copy, comparing is a byte comparison, and a million
games are one array. Nested records read the same in plain Python and in compiled code.
"""

from __future__ import annotations

import functools
import itertools
import struct
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec
import numpy as np

i1, i2, i4, u4 = "i1", "i2", "i4", "u4"

UNKNOWN = -1
"""A card that is there but may not be seen (in concealed states), or is not yet named (in positions)."""

EMPTY = -2
"""A place that could hold a card and holds none."""

SPECTATOR = -1
"""The viewer who has no seat."""

HOUSE = -1
"""Who does what no seat does, such as the clock; see `Game.events`."""

NOBODY = -1
"""No seat, where a seat could be named."""

Record = Any
"""A state or a part of one: `numpy.record` in plain Python, a Numba record in compiled code."""

RuleFunction = TypeVar("RuleFunction", bound=Callable[..., Any])


def rule(function: RuleFunction) -> RuleFunction:
    """Mark a plain function as a rule: it runs as it is, and `engine.twin` can compile its twin."""
    function.__fairdeal_rule__ = True  # type: ignore[attr-defined]
    return function


def record(**fields: Any) -> np.dtype[Any]:
    """A record type. A field is a type, a record, or a pair (type, length) for an array.

    Fields are laid out by falling alignment, so that no byte is lost between them, and the last bytes are a field
    of their own: NumPy does not copy padding, and states are compared by their bytes.
    """
    for name in fields:
        if hasattr(np.record, name):
            raise TypeError(f"a field cannot be called {name}: numpy.record has an attribute of that name")
    layout = [(name, *(kind if isinstance(kind, tuple) else (kind,))) for name, kind in fields.items()]
    layout.sort(key=lambda field: -np.dtype(field[1]).alignment)
    packed = np.dtype(layout, align=False).itemsize
    rest = np.dtype(layout, align=True).itemsize - packed
    return np.dtype([*layout, ("filler", i1, rest)] if rest else layout, align=True)


chance = record(key=(u4, 8), words=(u4, 16), block=u4, spent=i1)
"""A ChaCha8 generator: its key, the running block of sixteen words, the number of that block's successor,
and how many of the words are spent."""


def pile(capacity: int) -> np.dtype[Any]:
    """A pile of at most `capacity` cards; the top is the last. Unused places hold 0."""
    return record(length=i1, cards=(i1, capacity))


def match(players: int) -> np.dtype[Any]:
    """Several games that count together: the running game (from 1), how many, its starter, the totals."""
    return record(game=i1, games=i1, first=i1, totals=(i2, players))


def game_state(players: int, options: np.dtype[Any], **fields: Any) -> np.dtype[Any]:
    """The record of a game for at most `players` (<= 8) seats: the common header, and the game's own fields."""
    return record(
        rules_version=i2,
        players=i1,
        to_act=i2,  # bit set of the players who may act now
        composing=i1,  # 1 while a move of several choices is half made
        over=i1,
        match=match(players),
        chance=chance,
        options=options,
        **fields,
    )


def new(kind: np.dtype[Any]) -> Record:
    """A blank record of this kind."""
    return blank_array(kind, 1)[0]


def blank_array(kind: np.dtype[Any], length: int) -> np.ndarray[Any, np.dtype[Any]]:
    """An array of blank records, whose fields can be read as attributes."""
    return np.zeros(length, np.dtype((np.record, kind)))


def copied(state: Record) -> Record:
    """A copy of a record as one run of bytes; NumPy's own copies field by field, at fifteen times the cost."""
    return restored(state.tobytes(), state.dtype)


def restored(content: bytes, kind: np.dtype[Any]) -> Record:
    """The record that these bytes are."""
    return np.frombuffer(bytearray(content), kind)[0]


class Values(list[Any]):
    """The numbers of an array as plain Python ones."""

    def tolist(self) -> list[Any]:
        return self


class Snapshot(msgspec.Struct, eq=False, gc=False):
    """A record to read from plain Python, all its numbers unpacked at once.

    An attribute of a NumPy record costs over a microsecond, one of these a few hundredths. Words, pictures and plain
    rules that only read take it for a record; it does not follow what happens to the record afterwards.
    """

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


def snapshot(state: Record) -> Snapshot:
    """What a record holds now."""
    return unpacker(state.dtype)(state)


@functools.cache
def unpacker(kind: np.dtype[Any]) -> Callable[[Record], Snapshot]:
    """What makes snapshots of records of this kind: one expression over the flat tuple of their numbers."""
    names: dict[str, Any] = {"Values": Values}
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
            return base.char * length, f"Values(n[{numbers[0]}:{numbers[-1] + 1}])"
        part = np.dtype((base, tuple(inner))) if inner else base
        parts = [unpacking(part, places, names) for _ in range(length)]
        return "".join(codes for codes, _ in parts), f"Values([{', '.join(value for _, value in parts)}])"
    if kind.names is None:
        return kind.char, f"n[{next(places)}]"
    fields = [unpacking(kind[name], places, names) for name in kind.names]
    name = f"Snapshot{len(names)}"
    names[name] = msgspec.defstruct(name, kind.names, bases=(Snapshot,), eq=False, gc=False)
    return "".join(codes for codes, _ in fields), f"{name}({', '.join(value for _, value in fields)})"
