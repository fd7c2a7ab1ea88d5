"""The numbers of a state that scenes show, so that a scene can be compared with its state.

A game's fields say which zone or counter shows them (`engine.written`). A scene and a state both yield facts, such as
`hand0 count` or `seat 1 point`. If the scene shows the state, the values of their facts are equal. A room could send a
scene with other cards than it dealt, so the page compares the facts of every scene that it drew with the replayed game
(docs/log-format.md).
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairdeal.engine.records import EMPTY, SPECTATOR, UNKNOWN, Record
from fairdeal.engine.scene import Scene

GAP = "gap"
HIDDEN = "-"
TWICE = "two ways"
"""The value of a fact that a scene shows twice."""


@dataclass(frozen=True)
class InScene:
    """A field of a state that scenes show.

    field    name of the field, with dots for nested fields; for a pile, the name of its `cards`
    zone     id of the zone that shows it; `{}` stands for the index of the field's rows, such as the seat's number
    counter  label of the seats' counter that shows it, in the singular
    faces    for each number of the field, the faces of the cards that it stands for; empty for a number of cards
    first    the number to which the first of `faces` belongs
    counts   whether the numbers are numbers of cards by kind
    own      whether the zone shows the viewer's row

    >>> InScene("deck.length", "deck").counts
    False
    """

    field: str
    zone: str = ""
    counter: str = ""
    faces: tuple[tuple[str, ...], ...] = ()
    first: int = 0
    counts: bool = False
    own: bool = False


def cards_in(zone: str, field: str, faces: Sequence[str | Sequence[str]], first: int = 0, own: bool = False) -> InScene:
    """Return the entry for a zone that shows the cards of a field. `faces` contains one or more faces for each number
    from `first` on.

    >>> cards_in("hand{}", "hands.cards", ("ace", "king")).faces
    (('ace',), ('king',))
    """
    several = tuple((face,) if isinstance(face, str) else tuple(face) for face in faces)
    return InScene(field, zone, faces=several, first=first, own=own)


def size_in(zone: str, field: str) -> InScene:
    """Return the entry for a zone whose number of cards is given by a field. For a pile, this is the field `length`.

    >>> size_in("deck", "deck.length").faces
    ()
    """
    return InScene(field, zone)


def counter_of(label: str, field: str) -> InScene:
    """Return the entry for a counter of each seat that shows a field. `label` is in the singular.

    >>> counter_of("point", "bank").counter
    'point'
    """
    return InScene(field, counter=label)


def digest(state: Record) -> str:
    """Return the first half of the SHA-256 of a concealed state, in hexadecimal digits, as sent with its scene."""
    return hashlib.sha256(state.tobytes()).hexdigest()[:32]


def cards_fact(faces: Iterable[str]) -> str:
    return " ".join(sorted(faces))


def facts_of(scene: Scene) -> dict[str, str]:
    """Return the facts of a scene. A card counts as its face only if it lies face up. The facts of two zones with the
    same id, or of two counters of a seat with the same label, match no state."""
    facts = {"state": scene.state}
    for zone in scene.zones:
        cards = [card for card in zone.cards if card.face or card.back != GAP]
        faces = cards_fact(HIDDEN if card.down else card.face or HIDDEN for card in cards)
        for name, value in ((f"{zone.id} count", str(zone.count)), (f"{zone.id} cards", faces)):
            facts[name] = TWICE if name in facts else value
    for number, counter in ((seat.seat, counter) for seat in scene.seats for counter in seat.counters):
        name = f"seat {number} {singular(counter.label)}"
        facts[name] = TWICE if name in facts else str(counter.value)
    if scene.result:
        facts["places"] = " ".join(map(str, scene.result.places))
    return facts


def singular(label: str) -> str:
    """Return a counter's label without its plural ending."""
    if label.endswith("ss"):
        return label
    return label.removesuffix("es" if label.endswith("sses") else "s")


def facts_in(parts: Iterable[InScene], state: Record, viewer: int) -> dict[str, str]:
    """Return the facts of the listed fields of a concealed state, for scenes of its viewer."""
    facts: dict[str, str] = {}
    for part in parts:
        *path, last = part.field.split(".")
        holder: Any = state
        for name in path:
            holder = holder[name]
        numbers, length = np.asarray(holder[last]), None
        if last == "cards":
            length = np.asarray(holder["length"])
        if part.own and viewer == SPECTATOR:
            continue
        if part.own:
            numbers, length = numbers[viewer], None if length is None else length[viewer]
        name = part.zone or f"seat {{}} {part.counter}"
        if "{}" not in name:
            facts |= facts_of_field(part, name, numbers, length)
            continue
        for place, row in enumerate(numbers):
            facts |= facts_of_field(part, name.format(place), row, None if length is None else length[place])
    return facts


def facts_of_field(part: InScene, name: str, numbers: Any, length: Any) -> dict[str, str]:
    """Return the facts of one zone or counter."""
    if part.counter:
        return {name: str(int(numbers))}
    if not part.faces:
        return {f"{name} count": str(int(numbers))}
    held = np.atleast_1d(numbers).tolist()[: None if length is None else int(length)]
    if part.counts:
        held = [kind for kind, count in enumerate(held) for _ in range(count)]
    there = [number for number in held if number != EMPTY]
    faces = [face for number in there for face in ((HIDDEN,) if number == UNKNOWN else part.faces[number - part.first])]
    return {f"{name} count": str(len(there)), f"{name} cards": cards_fact(faces)}
