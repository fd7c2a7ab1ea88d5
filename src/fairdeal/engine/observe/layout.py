"""Layouts of observations. An observation is the knowledge of a seat as one array of numbers, derived from the record
of a game.

    layout = layout_of(table)
    layout.observe(state.view(0, recall=100), 0)    # an array of `layout.size` numbers
    layout.unflatten(array)["hands.cards"]          # its planes, by name

An observation is made only from a concealed state. Each field of the record becomes a plane, which is a named part of
the array. `steps` encode the source and the target of each plane as numbers. One rule carries them out for every game,
both in plain Python and compiled (`engine.observe.encoding`).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import compile_rules
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.kit.forms import (
    COMMON,
    COMMON_BOUNDS,
    COUNTED,
    FLAGS,
    NOTHING,
    NUMBERS,
    ONE_OF,
    SEAT_NUMBER,
    SEAT_SET,
    Form,
    Observed,
    number,
)
from fairdeal.engine.observe.encoding import KINDS, LOWEST, Step, in_a_row, observe
from fairdeal.engine.records import SPECTATOR, UNKNOWN, chance
from fairdeal.engine.scene.shown import InScene
from fairdeal.engine.state import State, Table

LAYOUTS = 64
"""Maximum number of cached layouts. The least recently used are dropped."""


@dataclass(frozen=True)
class Plane:
    """A named part of an observation: its shape, its start, the meaning of its numbers, and their bounds."""

    name: str
    shape: tuple[int, ...]
    start: int
    words: str
    lowest: int = 0
    highest: int = 1

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def place(self) -> slice:
        """The slice of an observation that contains the plane."""
        return slice(self.start, self.start + self.size)


@dataclass(frozen=True)
class Layout:
    """The layout of a table's observations: `size` numbers of type `dtype`, in named `planes`.

    `steps` are the instructions for writing an observation, first for a spectator, then for each seat.

    >>> table = load("chi")
    >>> layout = layout_of(table)
    >>> seen = layout.observe(table.deal(seed=7).view(0, recall=100), 0)
    >>> seen.shape, seen.dtype
    ((1110,), dtype('int16'))
    >>> layout.unflatten(seen)["hands.cards"].shape
    (2, 38)
    """

    table: Table
    planes: tuple[Plane, ...]
    size: int
    dtype: np.dtype[Any]
    steps: NDArray[np.uint32]

    def __reduce__(self) -> tuple[Any, ...]:
        return layout_of, (self.table,)

    @cached_property
    def plain_steps(self) -> list[list[int]]:
        """The steps as lists, for plain Python."""
        return self.steps.tolist()

    def observe(self, view: State, player: int, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return a player's observation of a concealed state: an array of shape `(size,)`, or `out` if it is given.

        Raises FairdealError if the state is not concealed, or is concealed for another seat.
        """
        if view.viewer != player:
            raise FairdealError(f"give the view of seat {player}: `state.view({player}, recall)`")
        if view.record.dtype != self.table.game.state or view.players != self.table.players:
            raise FairdealError(f"this is a layout of {self.table}, not of {view.table}")
        made = quickly(self, view) if compiled.ready(view.game).is_compiled else plainly(self, view)
        if out is None:
            return made
        out[:] = made
        return out

    def unflatten(self, array: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return the planes of an observation, or of an array of observations, by name. The planes are views of the
        array."""
        return {plane.name: array[..., plane.place].reshape(array.shape[:-1] + plane.shape) for plane in self.planes}


def plainly(layout: Layout, view: State) -> NDArray[Any]:
    """Compute an observation in plain Python, and return it."""
    assert view.viewer is not None, "the state is not concealed"
    content, found = memoryview(view.record.tobytes()).cast("b"), np.zeros(layout.size, layout.dtype)
    observe(content, view.viewer, layout.table.players, layout.plain_steps, found.data)
    return found


def quickly(layout: Layout, view: State) -> NDArray[Any]:
    """Compute an observation with compiled code, and return it."""
    content, found = np.frombuffer(view.record.tobytes(), np.int8), np.zeros(layout.size, layout.dtype)
    observer(layout.dtype.name)(content, view.viewer, layout.table.players, layout.steps, found)
    return found


@cache
def observer(dtype: str) -> Callable[..., None]:
    """Return `observe` compiled for observations of type `dtype`. All games share it."""
    from numba import from_dtype, int8, int64, uint32

    twin = compile_rules(f"observations-{dtype}", chance, {"observe": observe}, {})["observe"]
    kind = from_dtype(np.dtype(dtype))
    twin.compile((int8[::1], int64, int64, uint32[:, ::1], kind[::1]))  # type: ignore[attr-defined]
    return twin


# --- from the record type to steps ------------------------------------------------------------------------------------


Dims = tuple[tuple[int, int], ...]
"""Length and stride in bytes of each dimension, starting with the outermost."""


@dataclass(frozen=True)
class Field:
    """All numbers of a record under one name, beginning at `offset`. For the cards of a pile, `length` is the offset
    and the width in bytes of the pile's length; for the length of a pile, `room` is the largest number of cards."""

    name: str
    kind: np.dtype[Any]
    offset: int
    dims: Dims = ()
    length: tuple[int, int] | None = None
    room: int | None = None


def numbers_of(
    kind: np.dtype[Any], name: str = "", offset: int = 0, dims: tuple[tuple[int, int], ...] = ()
) -> Iterator[Field]:
    """Yield the fields of a record type. Names of nested fields contain dots."""
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        for place, count in enumerate(shape):
            dims = (*dims, (count, base.itemsize * math.prod(shape[place + 1 :])))
        yield from numbers_of(base, name, offset, dims)
    elif kind.names is None:
        yield Field(name, kind, offset, dims)
    else:
        parts: Any = kind.fields
        for part in kind.names:
            inner, at = parts[part][:2]
            length = parts.get("length") if part == "cards" else None
            for found in numbers_of(inner, f"{name}.{part}".lstrip("."), offset + at, dims):
                if length and length[0].subdtype is None:
                    yield Field(
                        found.name, found.kind, found.offset, found.dims, (offset + length[1], length[0].itemsize)
                    )
                elif part == "length" and "cards" in parts and found.kind.subdtype is None:
                    yield replace(found, room=parts["cards"][0].shape[0])
                elif part != "filler":
                    yield found


def layout_of_scenes(game: Game) -> str:
    """Return a hash of the fields of a game's record, and of those that scenes show. Digests and facts of states are
    comparable only if their hashes are equal."""
    return hash_of(game.state, tuple(game.in_scene))


@lru_cache(LAYOUTS)
def hash_of(kind: np.dtype[Any], in_scene: tuple[InScene, ...]) -> str:
    parts = [(field.name, field.kind.str, field.offset, field.dims) for field in numbers_of(kind)]
    return hashlib.sha256(msgspec.json.encode([parts, in_scene])).hexdigest()[:16]


@lru_cache(LAYOUTS)
def layout_of(table: Table) -> Layout:
    """Return the layout of a table's observations. Raises FairdealError if the game declares a form for a field that
    its record lacks.

    >>> layout_of(load("chi")).size
    1110
    """
    game, players = table.game, table.players
    fields = list(numbers_of(game.state))
    strange = sorted(name for name in game.observed.forms if not any(is_in(found.name, name) for found in fields))
    if strange:
        raise FairdealError(f"{game.name} declares a form for {', '.join(strange)}, but has no such field")
    (seats,) = game.state["match"]["totals"].shape
    planes = [Plane("seat", (players,), 0, "Your seat, counted from seat 0.")]
    drawings: list[tuple[Drawn, int]] = []
    for found in fields:
        form = form_of(game.observed, found.name)
        if form.kind != NOTHING:
            drawn = Drawn(found, form, seats, players, game.observed.rotates, bounds_of(table, found))
            target = planes[-1].place.stop
            planes.append(Plane(found.name, drawn.shape, target, drawn.words, *drawn.bounds))
            drawings.append((drawn, target))
    dtype = np.min_scalar_type(-max(drawn.highest for drawn, _ in drawings) - 1)
    steps = [steps_of(drawings, viewer) for viewer in range(SPECTATOR, players)]
    return Layout(table, tuple(planes), planes[-1].place.stop, dtype, np.array(steps, np.uint32))


def steps_of(drawings: Iterable[tuple[Drawn, int]], viewer: int) -> list[int]:
    """Return the steps that write fields to their targets for a viewer, as a flat list."""
    steps = (step for drawn, target in drawings for step in drawn.steps(viewer, target))
    return in_a_row(simple for step in steps for simple in step.simplest)


def is_in(field: str, name: str) -> bool:
    """Return whether a field is named `name`, or is a part of the field with that name."""
    return field == name or field.startswith(f"{name}.")


def form_of(observed: Observed, name: str) -> Form:
    """Return the form of a field: the form declared for it or for a field that contains it, or else plain numbers."""
    for forms in (observed.forms, COMMON):
        for whole in (name, *(whole for whole in forms if is_in(name, whole))):
            if whole in forms:
                return forms[whole]
    return number()


def bounds_of(table: Table, field: Field) -> tuple[int, int]:
    """Return the lowest and the highest number that a field can have at a table: as declared, the size of a pile, or
    the limits of its type."""
    limits = np.iinfo(field.kind)
    lowest, highest = {**COMMON_BOUNDS, **table.game.observed.bounds}.get(field.name, (int(limits.min), None))
    if field.room is not None:
        return 0, field.room
    if isinstance(highest, str):
        highest = int(getattr(table.options, highest))
    return lowest, int(limits.max) if highest is None else highest


@dataclass(frozen=True)
class Drawn:
    """A field with its form, at a table with `players` of the game's `seats`."""

    field: Field
    form: Form
    seats: int
    players: int
    rotates: bool
    limits: tuple[int, int]

    @property
    def by_seat(self) -> bool:
        """Whether the outermost dimension is indexed by seat. For the places of a pile it is not."""
        of_pile = self.field.length is not None
        return self.form.by_seat and len(self.field.dims) > of_pile and self.field.dims[0][0] == self.seats

    @property
    def inner(self) -> Dims:
        """The dimensions inside that of the seats."""
        return self.field.dims[self.by_seat :]

    @property
    def each(self) -> int:
        """The number of values in an observation for each number of the field, or for all cards of a pile that is shown
        as counts."""
        if self.form.kind in (SEAT_NUMBER, SEAT_SET):
            return self.players
        return 1 if self.form.kind == NUMBERS else self.form.values

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the plane."""
        seats = (self.players,) if self.by_seat else ()
        counts = [count for count, _ in self.inner]
        if self.form.kind == COUNTED:
            counts.pop()
        return (*seats, *counts, *(() if self.form.kind == NUMBERS else (self.each,)))

    @property
    def highest(self) -> int:
        """The maximum value in the plane. The minimum is not below `-highest - 1`."""
        if self.form.kind == COUNTED:
            return self.inner[-1][0]
        return int(np.iinfo(self.field.kind).max) if self.form.kind == NUMBERS else 1

    @property
    def bounds(self) -> tuple[int, int]:
        """The lowest and the highest number in the plane."""
        return self.limits if self.form.kind == NUMBERS else (0, self.highest)

    def steps(self, viewer: int, target: int) -> Iterator[Step]:
        """Yield the steps that write the plane, starting at index `target`."""
        field, form = self.field, self.form
        own = viewer if self.rotates and viewer != SPECTATOR else 0
        seats = [(seat + own) % self.players for seat in range(self.players)] if self.by_seat else [0]
        count, stride = self.inner[-1] if self.inner else (1, 0)
        choices = 1 if form.kind == NUMBERS else self.each
        size = self.each if form.kind == COUNTED else count * self.each
        length_at, length_width = field.length or (0, 0)
        distances = [distance for _, distance in self.inner[:-1]]
        for seat in seats:
            for places in np.ndindex(*(count for count, _ in self.inner[:-1])):
                away = sum(place * distance for place, distance in zip(places, distances, strict=True))
                away += field.dims[0][1] * seat if self.by_seat else 0
                yield Step(
                    kind=KINDS[form.kind],
                    target=target,
                    at=field.offset + away,
                    first=form.first - LOWEST,
                    choices=choices,
                    own=own if form.kind in (SEAT_NUMBER, SEAT_SET) else 0,
                    width=field.kind.itemsize,
                    numbers=count,
                    stride=stride,
                    length_at=length_at + away,
                    length_width=length_width,
                )
                target += size

    @property
    def words(self) -> str:
        """A sentence that describes the meaning of the numbers."""
        you = "yours first" if self.rotates else "from seat 0 on"
        parts = [self.form.words] if self.form.words else []
        parts += [f"by seat, {you}"] if self.by_seat else []
        cards = self.form.kind in (COUNTED, ONE_OF) and self.form.first == UNKNOWN
        if self.form.kind == COUNTED:
            parts.append(f"number of unknown cards, then number of cards of each of {self.form.values - 1} kinds")
        elif cards:
            parts.append(f"for each place, 1 for unknown or one of {self.form.values - 1} kinds; all 0 if empty")
        elif self.form.kind == ONE_OF:
            last = self.form.first + self.form.values - 1
            parts.append(f"1 for the value, from {self.form.first} to {last}")
        elif self.form.kind == FLAGS:
            parts.append(f"1 for each member of a set of up to {self.form.values}")
        elif self.form.kind == SEAT_NUMBER:
            parts.append(f"1 for this seat, {you}; all 0 for none")
        elif self.form.kind == SEAT_SET:
            parts.append(f"1 for each of these seats, {you}")
        elif self.field.length:
            parts.append("cards in order; \u22121 is unknown, \u22122 is none")
        elif self.field.name.endswith(".length"):
            parts.append("the length")
        elif not parts:
            parts.append("numbers" if self.inner else "a number")
        text = "; ".join(parts)
        return f"{text[0].upper()}{text[1:]}."
