"""Checks that observations contain everything that a perfect memory would know.

Each field in a seat's view is replaced by its value in another view, and the observation must change each time. Nothing
else is in an observation, because it is computed from the view alone (`hiding.check_shown`).
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.kit.forms import COUNTED, NOTHING
from fairdeal.engine.observe import layout as observations
from fairdeal.engine.observe.layout import Field, Layout, form_of, layout_of, numbers_of
from fairdeal.engine.records import SPECTATOR, UNKNOWN, Record, restored
from fairdeal.engine.state import State, Table
from fairdeal.testing.play import check_same, must_have, random_states, viewers

KEPT = 3
"""Number of a seat's earlier views with which each view is compared, field by field."""

LOOKING = 3
"""Maximum number of viewers checked for a state."""

T = TypeVar("T")

Unit = tuple[str, tuple[slice, ...]]
"""A part of a record that can be replaced separately: its name and the positions of its bytes."""


def check_complete(table: Table, name: str, states: int = 24) -> Counter[str]:
    """Check that views of a seat that differ in any field have different observations. Return counts of the
    comparisons."""
    layout, units, fields, tally = layout_of(table), list(units_of(table)), fields_by_kind(table), Counter[str]()
    start = table.deal(name).view(SPECTATOR, 100).record
    met: dict[int, dict[bytes, State]] = defaultdict(dict)
    for state, dice, where in random_states(table, name, states):
        for viewer in some(viewers(state), LOOKING, dice):
            view, others = state.view(viewer, 100), met[viewer]
            seen = observation_bytes(layout, view)
            check_absent(fields[NOTHING], view, start, where)
            check_counted(fields[COUNTED], view, where)
            for other in some([*others.values()], KEPT, dice):
                tally["fields"] += check_fields(layout, units, view, other, viewer, where)
            tally["views"] += len(others)
            check_same(others.setdefault(seen, view).record, view.record, f"{table}, {where}: looks alike to {viewer}")
    must_have(tally["views"], states, f"{table}: pairs of views that were compared")
    must_have(tally["fields"], states, f"{table}: fields of views that were replaced")
    return tally


def some(found: Sequence[T], most: int, dice: random.Random) -> list[T]:
    """Return at most `most` of the elements, chosen at random."""
    return dice.sample(found, min(most, len(found)))


def check_fields(layout: Layout, units: list[Unit], view: State, other: State, viewer: int, where: str) -> int:
    """Replace each field in which two views differ, and check that the observation changes. Return the number of
    fields."""
    content, theirs = view.record.tobytes(), other.record.tobytes()
    seen, replaced = observation_bytes(layout, view), 0
    for name, places in units:
        if any(content[place] != theirs[place] for place in places):
            changed = bytearray(content)
            for place in places:
                changed[place] = theirs[place]
            mixed = State(view.table, restored(bytes(changed), view.record.dtype), viewer)
            if observation_bytes(layout, mixed) == seen:
                values = " and ".join(str(list(one[places[0]])) for one in (content, theirs))
                raise AssertionError(f"{layout.table}, {where}: {name} of bytes {values} look alike to {viewer}")
            replaced += 1
    return replaced


def check_absent(fields: Sequence[Field], view: State, start: Record, where: str) -> None:
    """Check that fields outside of the observation are constant, or are cards that cannot be seen."""
    for field in fields:
        now, then = (array_of(field, one) for one in (view.record, start))
        if not np.array_equal(now, then) and not (field.length and np.isin(now, (UNKNOWN, 0)).all()):
            raise AssertionError(
                f"{view.table}, {where}: {field.name} is not observed, but {view.viewer} sees it change"
            )


def check_counted(fields: Sequence[Field], view: State, where: str) -> None:
    """Check that piles counted by kind are sorted by kind, so that their order reveals nothing."""
    for field in fields:
        cards = array_of(field, view.record)
        piles = cards.reshape(-1, cards.shape[-1])
        for pile, length in zip(piles, lengths_of(field, view.record).ravel(), strict=True):
            if (np.diff(pile[:length]) < 0).any():
                raise AssertionError(
                    f"{view.table}, {where}: {field.name} is counted, and has an order: {pile[:length]}"
                )


def array_of(field: Field, record: Record) -> NDArray[Any]:
    """Return the values of a field in a record."""
    counts, strides = zip(*field.dims, strict=True) if field.dims else ((), ())
    return np.ndarray(counts, field.kind, record.tobytes(), field.offset, strides)


def lengths_of(field: Field, record: Record) -> NDArray[Any]:
    """Return the number of used places in each innermost array of a field."""
    whole = np.full([count for count, _ in field.dims[:-1]], field.dims[-1][0])
    if field.length is None:
        return whole
    place, size = field.length
    return array_of(Field(field.name, np.dtype(f"i{size}"), place, field.dims[:-1]), record)


def fields_by_kind(table: Table) -> dict[int, list[Field]]:
    """Return the fields of a table's records by the kinds of their forms."""
    found: dict[int, list[Field]] = defaultdict(list)
    for field in numbers_of(table.game.state):
        found[form_of(table.game.observed, field.name).kind].append(field)
    return found


def observation_bytes(layout: Layout, view: State) -> bytes:
    """Return the bytes of an observation computed by compiled code, which is available before the game's rules are
    compiled."""
    return observations.quickly(layout, view).tobytes()


def units_of(table: Table) -> Iterator[Unit]:
    """Yield the observed parts of a table's records: single numbers, and whole piles with their lengths."""
    fields = [field for kind, found in fields_by_kind(table).items() if kind != NOTHING for field in found]
    piles = {field.name.removesuffix("cards") + "length" for field in fields if field.length}
    for field in fields:
        if field.name in piles:
            continue
        size, dims = field.kind.itemsize, field.dims
        if field.length:
            size, dims = size * dims[-1][0], dims[:-1]
        for places in np.ndindex(*(count for count, _ in dims)):
            away = sum(place * distance for place, (_, distance) in zip(places, dims, strict=True))
            found = [slice(field.offset + away, field.offset + away + size)]
            if field.length:
                found.append(slice(field.length[0] + away, field.length[0] + away + field.length[1]))
            yield f"{field.name}{list(places) if places else ''}", tuple(found)
