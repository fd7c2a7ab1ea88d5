"""Game states as fixed-size NumPy records.

A whole situation is one record: copying is a memory copy, comparing is a byte comparison, and a million
games are one array. Nested records read the same in plain Python and in compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

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

attribute = np.void.__getattribute__
"""Return an attribute of a record that is not a field, such as `dtype`: `numpy.record` looks it up in Python, at five
times the cost."""

RuleFunction = TypeVar("RuleFunction", bound=Callable[..., Any])


def rule(function: RuleFunction) -> RuleFunction:
    """Mark a plain function as a rule: it runs as it is, and `engine.compile.compiler` can compile its twin."""
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
    return restored(attribute(state, "tobytes")(), attribute(state, "dtype"))


def restored(content: bytes, kind: np.dtype[Any]) -> Record:
    """The record that these bytes are."""
    return np.frombuffer(bytearray(content), kind)[0]
