"""Observations: what a seat knows, as one array of numbers, derived from the record of a game.

    layout = layout_of(table)
    layout.observe(state.view(0, recall=100), 0)    # an array of `layout.size` numbers
    layout.unflatten(array)["hands.cards"]          # its pieces, by their names

An observation is made of a concealed state and of nothing else. Each field of the record becomes a plane: a named piece
of the array. `lines` say, in numbers, where each plane comes from and goes to; one rule follows them for every game, in
plain Python and compiled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine import compiled
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.forms import (
    COMMON,
    COUNTED,
    FLAGS,
    NOTHING,
    NUMBERS,
    ONE_OF,
    SEAT_NUMBER,
    SEAT_SET,
    VIEWER,
    Form,
    Observed,
    number,
)
from fairdeal.engine.records import EMPTY, UNKNOWN, Record, chance, rule
from fairdeal.engine.state import State, Table
from fairdeal.engine.twin import compile_rules

KIND, OFFSET, WIDTH, COUNT, STRIDE, LENGTH_AT, LENGTH_WIDTH = range(7)
"""A line: the kind of its form; where its first number is in the bytes of a record, how many bytes it has, how many
such numbers there are at what distance; and where the length of their pile is, or -1."""

TARGET, VALUES, FIRST, SEATS_SHOWN, SEAT_STRIDE, SEAT_STEP, ROTATED = range(7, 14)
"""Where it goes to; the values and the first one of the form; for how many seats it is done, at what distance in the
record and in the observation; and whether the viewer comes first."""


@dataclass(frozen=True)
class Plane:
    """A named piece of an observation: its shape, where it starts, and what its numbers are."""

    name: str
    shape: tuple[int, ...]
    start: int
    words: str

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def place(self) -> slice:
        """Where it lies."""
        return slice(self.start, self.start + self.size)


@dataclass(frozen=True)
class Layout:
    """The observations of a table: they have `size` numbers of a type, in `planes`."""

    table: Table
    planes: tuple[Plane, ...]
    size: int
    dtype: np.dtype[Any]
    lines: NDArray[np.int64]

    @cached_property
    def plain_lines(self) -> list[list[int]]:
        """The lines for plain Python."""
        return self.lines.tolist()

    def observe(self, view: State, player: int, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """What this player knows, who looks at a concealed state; written into `out`, if it is given. Raises
        FairdealError for a state that shows more or is seen by another."""
        if view.viewer != player:
            raise FairdealError(f"give what seat {player} sees: `state.view({player}, recall)`")
        if view.record.dtype != self.table.game.state or view.players != self.table.players:
            raise FairdealError(f"this is a layout of {self.table}, not of {view.table}")
        made = quickly(self, view) if compiled.ready(view.game).is_compiled else plainly(self, view)
        if out is None:
            return made
        out[:] = made
        return out

    def unflatten(self, array: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The planes of an observation, or of an array of them, by their names; they are views of it."""
        return {plane.name: array[..., plane.place].reshape(array.shape[:-1] + plane.shape) for plane in self.planes}


def plainly(layout: Layout, view: State) -> NDArray[Any]:
    """An observation by plain Python."""
    assert view.viewer is not None, "a state that shows everything"
    found = [0] * layout.size
    observe(memoryview(view.record.tobytes()).cast("b"), view.viewer, layout.table.players, layout.plain_lines, found)
    return np.array(found, layout.dtype)


def quickly(layout: Layout, view: State) -> NDArray[Any]:
    """An observation by compiled code."""
    content, found = np.frombuffer(view.record.tobytes(), np.int8), np.empty(layout.size, layout.dtype)
    observer(layout.dtype.name)(content, view.viewer, layout.table.players, layout.lines, found)
    return found


@cache
def observer(dtype: str) -> Callable[..., None]:
    """`observe`, compiled for observations of this type; one for all games."""
    from numba import from_dtype, int8, int64

    twin = compile_rules(f"observations-{dtype}", chance, {"observe": observe}, {})["observe"]
    kind = from_dtype(np.dtype(dtype))
    twin.compile((int8[::1], int64, int64, int64[:, ::1], kind[::1]))  # type: ignore[attr-defined]
    return twin


# --- from the record type to lines ------------------------------------------------------------------------------------


Dims = tuple[tuple[int, int], ...]
"""How many there are of something, and their distance in bytes, from the outermost dimension on."""


@dataclass(frozen=True)
class Field:
    """Numbers of a record that go together: those of one name, from the first one's place in its bytes on. `length` is
    where the length of their pile is, with its number of bytes."""

    name: str
    kind: np.dtype[Any]
    offset: int
    dims: Dims = ()
    length: tuple[int, int] | None = None


def fields_of(
    kind: np.dtype[Any], name: str = "", offset: int = 0, dims: tuple[tuple[int, int], ...] = ()
) -> Iterator[Field]:
    """All numbers of a record type, field by field, nested ones with dots in their names."""
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        for place, count in enumerate(shape):
            dims = (*dims, (count, base.itemsize * math.prod(shape[place + 1 :])))
        yield from fields_of(base, name, offset, dims)
    elif kind.names is None:
        yield Field(name, kind, offset, dims)
    else:
        parts: Any = kind.fields
        for part in kind.names:
            inner, at = parts[part][:2]
            length = parts.get("length") if part == "cards" else None
            for found in fields_of(inner, f"{name}.{part}".lstrip("."), offset + at, dims):
                if length and length[0].subdtype is None:
                    yield Field(
                        found.name, found.kind, found.offset, found.dims, (offset + length[1], length[0].itemsize)
                    )
                elif part != "filler":
                    yield found


def layout_of(table: Table) -> Layout:
    """How the seats of a table see its states. Raises FairdealError if the game declares a form of what it has not."""
    game, players = table.game, table.players
    fields = list(fields_of(game.state))
    strange = sorted(name for name in game.observed.forms if not any(is_in(found.name, name) for found in fields))
    if strange:
        raise FairdealError(f"{game.name} declares how to observe {', '.join(strange)}, and has no such field")
    (seats,) = game.state["match"]["totals"].shape
    planes = [Plane("seat", (players,), 0, "Which seat is yours, counted from seat 0.")]
    lines = [[VIEWER, *[0] * ROTATED]]
    highest = 1
    for found in fields:
        form = form_of(game.observed, found.name)
        if form.kind != NOTHING:
            drawn = Drawn(found, form, seats, players, game.observed.rotates)
            target = planes[-1].place.stop
            planes.append(Plane(found.name, drawn.shape, target, drawn.words))
            lines += drawn.lines(target)
            highest = max(highest, drawn.highest)
    dtype = np.min_scalar_type(-highest - 1)
    return Layout(table, tuple(planes), planes[-1].place.stop, dtype, np.array(lines, np.int64))


def is_in(field: str, name: str) -> bool:
    """Is this field the one of the name, or a part of it?"""
    return field == name or field.startswith(f"{name}.")


def form_of(observed: Observed, name: str) -> Form:
    """How a field is shown: as it is declared, or what it is a part of; else as numbers."""
    for forms in (observed.forms, COMMON):
        for whole in (name, *(whole for whole in forms if is_in(name, whole))):
            if whole in forms:
                return forms[whole]
    return number()


@dataclass(frozen=True)
class Drawn:
    """A field in its form, at a table of so many of all seats."""

    field: Field
    form: Form
    seats: int
    players: int
    rotates: bool

    @property
    def by_seat(self) -> bool:
        """Does the outermost of its dimensions go by seats? The places of a pile do not."""
        of_pile = self.field.length is not None
        return self.form.by_seat and len(self.field.dims) > of_pile and self.field.dims[0][0] == self.seats

    @property
    def inner(self) -> Dims:
        """The dimensions below that of the seats."""
        return self.field.dims[self.by_seat :]

    @property
    def each(self) -> int:
        """How many numbers of an observation stand for one of the field, or for all of a pile that is counted."""
        if self.form.kind in (SEAT_NUMBER, SEAT_SET):
            return self.players
        return 1 if self.form.kind == NUMBERS else self.form.values

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its plane."""
        seats = (self.players,) if self.by_seat else ()
        counts = [count for count, _ in self.inner]
        if self.form.kind == COUNTED:
            counts.pop()
        return (*seats, *counts, *(() if self.form.kind == NUMBERS else (self.each,)))

    @property
    def highest(self) -> int:
        """No number of its plane is above this one, nor below its negative by more than one."""
        if self.form.kind == COUNTED:
            return self.inner[-1][0]
        return int(np.iinfo(self.field.kind).max) if self.form.kind == NUMBERS else 1

    def lines(self, target: int) -> Iterator[list[int]]:
        """The lines that write its plane from this place on."""
        field, form = self.field, self.form
        count, stride = self.inner[-1] if self.inner else (1, 0)
        seats, seat_stride = (self.players, field.dims[0][1]) if self.by_seat else (1, 0)
        size = self.each if form.kind == COUNTED else count * self.each
        outer = self.inner[:-1]
        step = size * math.prod(count for count, _ in outer)
        length_at, length_width = field.length or (-1, 0)
        for part, places in enumerate(np.ndindex(*(count for count, _ in outer))):
            away = sum(place * distance for place, (_, distance) in zip(places, outer, strict=True))
            at = [field.offset + away, field.kind.itemsize, count, stride]
            length = [length_at + away if field.length else -1, length_width]
            to = [target + part * size, self.each, form.first, seats, seat_stride, step, int(self.rotates)]
            yield [form.kind, *at, *length, *to]

    @property
    def words(self) -> str:
        """What the numbers are, in a sentence."""
        you = "yours first" if self.rotates else "from seat 0 on"
        parts = [self.form.words] if self.form.words else []
        parts += [f"by seat, {you}"] if self.by_seat else []
        cards = self.form.kind in (COUNTED, ONE_OF) and self.form.first == UNKNOWN
        if self.form.kind == COUNTED:
            parts.append(f"how many cards are unknown, then how many there are of each of {self.form.values - 1} kinds")
        elif cards:
            parts.append(f"for each place 1 of unknown and {self.form.values - 1} kinds, or none where no card is")
        elif self.form.kind == ONE_OF:
            last = self.form.first + self.form.values - 1
            parts.append(f"1 where it is this one of {self.form.first} to {last}")
        elif self.form.kind == FLAGS:
            parts.append(f"1 for each of {self.form.values} that is in the set")
        elif self.form.kind == SEAT_NUMBER:
            parts.append(f"1 for this seat, {you}; nobody is none")
        elif self.form.kind == SEAT_SET:
            parts.append(f"1 for each of these seats, {you}")
        elif self.field.length:
            parts.append("cards in their order, \u22121 unknown, \u22122 none")
        elif self.field.name.endswith(".length"):
            parts.append("how many there are")
        elif not parts:
            parts.append("numbers" if self.inner else "a number")
        text = "; ".join(parts)
        return f"{text[0].upper()}{text[1:]}."


# --- from lines to observations ---------------------------------------------------------------------------------------


@rule
def observe(content: Record, viewer: int, players: int, lines: Record, out: Record) -> None:
    """Write the observation of a viewer, by these lines, from the bytes of a concealed record. In a pile no card lies
    beyond its length."""
    for place in range(len(out)):
        out[place] = 0
    for row in range(len(lines)):
        line = lines[row]
        if line[KIND] == VIEWER:
            if viewer >= 0:
                out[line[TARGET] + viewer] = 1
            continue
        own = viewer if line[ROTATED] == 1 and viewer >= 0 else 0
        for shown in range(line[SEATS_SHOWN]):
            seat = after(shown, own, players) if line[SEATS_SHOWN] > 1 else 0
            moved = line[SEAT_STRIDE] * seat
            target = line[TARGET] + line[SEAT_STEP] * shown
            length = line[COUNT]
            if line[LENGTH_AT] >= 0:
                length = number_at(content, line[LENGTH_AT] + moved, line[LENGTH_WIDTH])
            elif length == 1 and line[KIND] == NUMBERS:
                out[target] = number_at(content, line[OFFSET] + moved, line[WIDTH])
                continue
            write_numbers(content, line, line[OFFSET] + moved, length, target, own, players, out)


@rule
def write_numbers(
    content: Record, line: Record, at: int, length: int, target: int, own: int, players: int, out: Record
) -> None:
    """Write the numbers of a line for one seat: a loop for every form, which is what makes them fast."""
    kind, width, stride, values = line[KIND], line[WIDTH], line[STRIDE], line[VALUES]
    first = 0 - line[FIRST]
    if kind == NUMBERS:
        for place in range(length):
            out[target + place] = number_at(content, at + place * stride, width)
        for place in range(length, line[COUNT]):
            out[target + place] = EMPTY
    elif kind == COUNTED:
        for place in range(length):
            value = first + number_at(content, at + place * stride, width)
            if 0 <= value < values:
                out[target + value] += 1
    elif kind == SEAT_SET:
        for place in range(length):
            value = number_at(content, at + place * stride, width)
            for shown in range(players):
                out[target + place * players + shown] = value >> after(shown, own, players) & 1
    elif kind == FLAGS:
        for place in range(length):
            value = number_at(content, at + place * stride, width)
            for bit in range(values):
                out[target + place * values + bit] = value >> bit & 1
    else:
        for place in range(length):
            value = first + number_at(content, at + place * stride, width)
            if 0 <= value < values:
                shown = before(value, own, players) if kind == SEAT_NUMBER else value
                out[target + place * values + shown] = 1


@rule
def after(shown: int, own: int, players: int) -> int:
    """The seat that is so many after the own one."""
    seat = shown + own
    return seat - players if seat >= players else seat


@rule
def before(seat: int, own: int, players: int) -> int:
    """How many seats after the own one this seat is."""
    return seat - own if seat >= own else seat - own + players


@rule
def number_at(content: Record, place: int, width: int) -> int:
    """The number of so many bytes that begins at a place; the lowest byte is the first."""
    if width == 1:
        return int(content[place])
    value = int(content[place + width - 1])
    for lower in range(1, width):
        value = value << 8 | int(content[place + width - 1 - lower]) & 255
    return value
