"""Find the cards that moved from one scene to the next, so that screens can animate them.

Both scenes are one viewer's, so the result reveals nothing that the viewer could not see. A card id says nothing
outside of its zone, so the numbers of cards of each face that zones lost or gained are compared. Hidden cards, and
those under the top of a pile, count as cards without a face.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from fairdeal.engine.events import Described
from fairdeal.engine.scene import Card, Moved, Scene, Zone, differing, in_common

GAP = "gap"

Lying = dict[tuple[str, str | None], list[str]]
"""The ids of cards that zones have lost or gained, by zone and face, in the order in which they are used. Face-down
cards have the face None, even if the viewer knows them, and cards that are not drawn have the id ""."""


def side_by_side(before: Sequence[Zone], after: Sequence[Zone]) -> Iterable[tuple[Zone, Zone]]:
    """Return the zones of two scenes in pairs by id. A zone that only one of them has is empty in the other."""
    if [zone.id for zone in before] == [zone.id for zone in after]:
        return zip(before, after, strict=True)
    old = {zone.id: zone for zone in before}
    pairs = [(old.pop(zone.id) if zone.id in old else emptied(zone), zone) for zone in after]
    return [*pairs, *((was, emptied(was)) for was in old.values())]


def emptied(zone: Zone) -> Zone:
    return zone.replaced(cards=(), count=0)


def face_of(card: Card) -> str | None:
    """Return the face of a card as travel counts it: None if it lies face down, and the back of a gap."""
    return card.back if card.back == GAP else None if card.down else card.face


def by_face(zone: Zone, cards: Iterable[Card]) -> dict[str | None, list[str]]:
    """Return the ids of some cards of a zone by face, and "" for each of its cards that is not drawn."""
    found: dict[str | None, list[str]] = {None: [""] * (zone.count - len(zone.cards))}
    for card in cards:
        found.setdefault(face_of(card), []).append(card.id)
    found.pop(GAP, None)
    return found


def surplus(zone: Zone, face: str | None, ids: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the ids of the cards of a face that a zone has more than in the other scene, the last first. Cards that
    are not among the `others` of this face come before all other cards of the zone."""
    number = len(ids) - len(others)
    found = [card for card in reversed(ids) if card and card not in others]
    if number > len(found):
        found += [card.id for card in reversed(zone.cards) if face_of(card) == face and card.id not in found]
    return (found + [""] * number)[:number]


def compared(before: Sequence[Zone], after: Sequence[Zone]) -> tuple[Lying, Lying]:
    """Return the cards that zones have lost and gained from one scene to the next."""
    lost, gained = Lying(), Lying()
    for was, zone in side_by_side(before, after):
        if zone.icon or (was.cards == zone.cards and was.count == zone.count):
            continue
        left, right, _ = differing(was.cards, zone.cards)
        if left and right:
            start, end = in_common([*map(face_of, left)], [*map(face_of, right)])
            left, right = left[start : len(left) - end], right[start : len(right) - end]
        old, new = by_face(was, left), by_face(zone, right)
        for face in {**old, **new}:
            ids, others = old.get(face, []), new.get(face, [])
            if len(ids) > len(others):
                lost[zone.id, face] = surplus(was, face, ids, others)
            elif len(others) > len(ids):
                gained[zone.id, face] = surplus(zone, face, others, ids)
    return lost, gained


def moved(before: Scene, after: Scene) -> tuple[tuple[Moved, ...], tuple[str, ...]]:
    """Return the cards that have moved to another zone, in the order of the zones that they went to, and the ids of
    cards that were turned up in place."""
    lost, gained = compared(before.zones, after.zones)
    turned = turned_over(gained, lost)
    turned_over(lost, gained)
    heaps = {zone.id for zone in (*before.zones, *after.zones) if zone.heap}
    moves = []
    for goal, face in sorted(gained, key=lambda kind: (kind[1] is None, kind[0] not in heaps)):
        for card in gained[goal, face]:
            source = source_of(lost, card, goal, face, heaps)
            if source:
                ids = lost[source]
                was = ids.pop(ids.index(card) if card in ids else 0)
                moves.append(Moved(card=card, origin=source[0], goal=goal, was=was))
    order = [zone for zone, _ in gained]
    moves.sort(key=lambda move: order.index(move.goal))
    return tuple(moves), tuple([card for card in turned if card])


def travelled(told: Sequence[Described], before: Scene, after: Scene) -> list[Described]:
    """Return the events between two scenes, with the cards that moved added to the first log line."""
    found = list(told)
    if found:
        event, line = found[0]
        moves, turned = moved(before, after)
        found[0] = Described(event, line.replaced(moves=moves, turned=turned))
    return found


def turned_over(shown: Lying, hidden: Lying) -> list[str]:
    """Remove the cards that were turned over in place from both, and return the ids of those in `shown`."""
    turned = []
    for zone, face in shown:
        if face is not None and (zone, None) in hidden:
            ids, others = shown[zone, face], hidden[zone, None]
            number = min(len(ids), len(others))
            turned += ids[:number]
            del ids[:number], others[:number]
    return turned


def source_of(
    lost: Lying, card: str, goal: str, face: str | None, heaps: Collection[str]
) -> tuple[str, str | None] | None:
    """Return the zone that a card came from and its face there: a card with the same face, if possible, or else a
    hidden one. A hidden card may also have had any other face. Cards seldom come from an open pile. In
    some games, cards keep their ids: of several such zones, it is then the one that has lost this id."""
    found = [
        (zone, lay)
        for (zone, lay), ids in lost.items()
        if ids and zone != goal and (lay in (face, None) or face is None)
    ]
    return min(
        found, key=lambda source: (source[1] != face, source[0] in heaps, card not in lost[source]), default=None
    )
