"""Game states as fixed-size NumPy records.

A state is a single record, so states are copied and compared as bytes, and a million games are one array. Nested
records are read in the same way in plain Python and in compiled code.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

i1, i2, i4, u4 = "i1", "i2", "i4", "u4"
"""Types of fields: signed integers of 1, 2 and 4 bytes, and unsigned integers of 4 bytes."""

UNKNOWN = -1
"""A card whose identity may not be seen (in concealed states) or is not yet known (in positions)."""

WHOLLY = np.uint8(0xFF)
"""Each byte of a number that is UNKNOWN."""

EMPTY = -2
"""A place for a card that holds no card."""

SPECTATOR = -1
"""The viewer without a seat."""

HOUSE = -1
"""The player of actions that no seat takes, such as those of a clock; see `Game.events`."""

NOBODY = -1
"""The value that means no seat, in a field that can hold a seat."""

Record = Any
"""A state or a part of one: `numpy.record` in plain Python, a Numba record in compiled code."""

MOST_SEATS = 15
"""Maximum number of seats: `to_act` has a bit for each of them."""

HEADER = {"rules_version", "players", "to_act", "composing", "over", "match", "chance", "options"}
"""The fields that every state begins with."""

attribute = np.void.__getattribute__
"""Return an attribute of a record that is not a field, such as `dtype`. `numpy.record` looks up attributes in Python,
which takes five times as long."""


class FieldsFirst(np.record):  # type: ignore[misc]  # NumPy's stubs call it final
    """A record type whose fields may have the names of NumPy's own attributes, such as `size`."""

    def __getattribute__(self, name: str) -> Any:
        found = attribute(self, "dtype").fields.get(name)
        if found is None:
            return attribute(self, name)
        value = attribute(self, "getfield")(*found[:2])
        kind = getattr(value, "dtype", None)
        return value if kind is None or kind.names is None else value.view((FieldsFirst, kind))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bytes and the type. Compiled rules do not accept the records that NumPy would restore."""
        return unpickled, (attribute(self, "tobytes")(), attribute(self, "dtype"))


TAKEN = {"copy", "dtype", "filler", "getfield", "nbytes", "record", "setfield", "tobytes", "view"}
"""Names that fields cannot have, because fairdeal reads these attributes of records."""

RuleFunction = TypeVar("RuleFunction", bound=Callable[..., Any])


def rule(function: RuleFunction) -> RuleFunction:
    """Mark a plain function as a rule. The function itself does not change, and can be compiled with the game.

    >>> @rule
    ... def top(pile: Record) -> int:
    ...     return int(pile.cards[pile.length - 1])
    >>> top(load("chi").deal(seed=7).record.deck)
    4
    """
    function.__fairdeal_rule__ = True  # type: ignore[attr-defined]
    return function


def checked(check: Callable[..., None]) -> Callable[[RuleFunction], RuleFunction]:
    """Make plain Python call `check` with the arguments of a rule before each call of the rule. Compiled code omits the
    check."""

    def decorated(function: RuleFunction) -> RuleFunction:
        @functools.wraps(function)
        def interpreted(*arguments: Any) -> Any:
            check(*arguments)
            return function(*arguments)

        interpreted.__fairdeal_unchecked__ = function  # type: ignore[attr-defined]
        return interpreted  # type: ignore[return-value]

    return decorated


def record(**fields: Any) -> np.dtype[Any]:
    """Return a record type. A field is a type (`i1`, `i2`, `i4`, `u4`), a record type, or a pair (type, length) for an
    array.

    Fields are sorted by decreasing alignment, so that there is no padding between them. The bytes that remain at the
    end become a field, because NumPy does not copy padding, and states are compared as bytes.

    >>> record(turn=i1, points=(i2, 4), money=i4, key=(u4, 8)).itemsize
    48
    """
    for name in fields:
        if name in TAKEN or name.startswith("_"):
            better = f"{name.lstrip('_') or 'field'}_of"
            raise TypeError(f"a field cannot be called {name}: records need that name; call it {better}, for example")
    layout = [(name, *(kind if isinstance(kind, tuple) else (kind,))) for name, kind in fields.items()]
    layout.sort(key=lambda field: -np.dtype(field[1]).alignment)
    packed = np.dtype(layout, align=False).itemsize
    rest = np.dtype(layout, align=True).itemsize - packed
    return np.dtype([*layout, ("filler", i1, rest)] if rest else layout, align=True)


chance = record(key=(u4, 8), words=(u4, 16), block=u4, spent=i1)
"""The record type of a ChaCha8 generator: its key, the current block of sixteen words, the number of the next block,
and the number of words already used."""


def pile(capacity: int, card: Any = i1) -> np.dtype[Any]:
    """Return the type of a pile of at most `capacity` cards. Its fields are `length` and `cards`, with the top card
    last. `card` is the type of a card's number: i1 for at most 128 kinds of cards, i2 for more.

    >>> pile(5).names, pile(5).itemsize
    (('length', 'cards'), 6)
    """
    return record(length=i1 if capacity < 1 << 7 else i2, cards=(card, capacity))


def match(players: int) -> np.dtype[Any]:
    """Return the type of a match: the number of the current game (from 1), the number of games, the seat that started
    the current game, and the totals."""
    return record(game=i1, games=i1, first=i1, totals=(i2, players))


def game_state(players: int, options: np.dtype[Any], /, **fields: Any) -> np.dtype[Any]:
    """Return the record type of a game for at most `players` seats (<= 15): the common header, followed by the game's
    own fields.

    >>> state = game_state(2, record(lucky=i1), hands=(pile(5), 2))
    >>> state["hands"].shape, "chance" in state.names
    ((2,), True)
    """
    if not 1 <= players <= MOST_SEATS:
        raise ValueError(f"a game must have 1 to {MOST_SEATS} seats, not {players}")
    if taken := HEADER & fields.keys():
        raise TypeError(f"every state already has a field {min(taken)}; give yours another name")
    if "data" in fields:  # Numba finds the bytes of a state under this name
        raise TypeError("a field of a state cannot be called data; call it data_of, for example, or put it in a record")
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
    """Return a blank record of a type."""
    return blank_array(kind, 1)[0]


def blank_array(kind: np.dtype[Any], length: int) -> np.ndarray[Any, np.dtype[Any]]:
    """Return an array of blank records, whose fields can be read as attributes."""
    return np.zeros(length, with_attributes(kind))


@functools.cache
def with_attributes(kind: np.dtype[Any]) -> np.dtype[Any]:
    """Return a record type whose fields can be read as attributes. The result is always the same object, because Numba
    takes microseconds to compare types that are equal but not identical."""
    return np.dtype((FieldsFirst, kind))


def copied(state: Record) -> Record:
    """Return a copy of a record. NumPy's own method copies field by field and takes fifteen times as long."""
    return restored(attribute(state, "tobytes")(), attribute(state, "dtype"))


def restored(content: bytes, kind: np.dtype[Any]) -> Record:
    """Decode a record from bytes."""
    return np.frombuffer(bytearray(content), kind)[0]


def merged(truth: Record, views: Sequence[Record]) -> Record:
    """Return a copy of a record in which the numbers that are UNKNOWN in all views are UNKNOWN, except in fields that a
    view shows in another order.

    >>> kind = record(hand=pile(3))
    >>> pairs = [3, 5, 6, 7], [3, 5, 255, 255], [3, 255, 6, 255]
    >>> truth, ada, bo = (restored(bytes(content), kind) for content in pairs)
    >>> merged(truth, [ada, bo])["hand"]["cards"].tolist()
    [5, 6, -1]
    """
    kind = attribute(truth, "dtype")
    whole, *seen = (np.frombuffer(attribute(one, "tobytes")(), np.uint8) for one in (truth, *views))
    starts, fields = starts_of(kind)
    hidden = np.ones(len(starts), np.bool_)
    for view in seen:
        unknown = np.logical_and.reduceat(view == WHOLLY, starts)
        alike = unknown | np.logical_and.reduceat(view == whole, starts)
        hidden &= unknown & np.logical_and.reduceat(alike, fields).repeat(np.diff(fields, append=len(starts)))
    sizes = np.diff(starts, append=len(whole))
    return restored(np.where(np.repeat(hidden, sizes), WHOLLY, whole).tobytes(), kind)


@functools.cache
def starts_of(kind: np.dtype[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the offset of each number in a record, in order, and the index of the first number of each field."""
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        inner, _ = starts_of(base)
        return (np.arange(math.prod(shape))[:, None] * base.itemsize + inner).ravel(), np.zeros(1, np.int64)
    if kind.names is None:
        return np.zeros(1, np.int64), np.zeros(1, np.int64)
    parts = sorted(((offset, part) for part, offset, *_ in cast(Any, kind.fields).values()), key=lambda pair: pair[0])
    found = [offset + starts_of(part)[0] for offset, part in parts]
    return np.concatenate(found), np.cumsum([0, *map(len, found[:-1])])


def unpickled(content: bytes, kind: np.dtype[Any]) -> Record:
    """Decode a pickled record."""
    return restored(content, with_attributes(kind))
