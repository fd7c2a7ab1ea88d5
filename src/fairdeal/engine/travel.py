"""Find the cards that moved from one scene to the next, so that screens can animate them.

Both scenes are one viewer's, so the result reveals nothing that the viewer could not see. A card id says nothing
outside of its zone, so the numbers of cards of each face that zones lost or gained are compared. Hidden cards, and
those under the top of a pile, count as cards without a face.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

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
    down = {zone.id for zone in after.zones if not any(face_of(card) for card in zone.cards)}
    piles = face_down(before.zones, after.zones)
    shuffled = piles.get("", "") if gained.get((piles.get("", ""), None)) else ""
    cleared = {zone.id for zone in before.zones} - {zone.id for zone in after.zones if zone.count and not zone.heap}
    moves = put_under(piles, before.zones, lost, gained)
    for goal, face in sorted(gained, key=lambda kind: (kind[1] is None, kind[0] not in heaps, kind[0] in down)):
        for card in gained[goal, face]:
            source = source_of(lost, card, goal, face, heaps)
            laid_down = goal in down and goal not in piles.values() and not owner_of(goal)
            if source and not (laid_down and source[1] is not None and face is None and owner_of(source[0])):
                origin, ids = source[0], lost[source]
                was = ids.pop(ids.index(card) if card in ids else 0)
                if shuffled not in ("", goal) and face is None and origin in cleared and not owner_of(origin):
                    moves.append(Moved(card="", origin=origin, goal=shuffled, was=was))
                    origin, was = shuffled, ""
                moves.append(Moved(card=card, origin=origin, goal=goal, was=was))
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


def owner_of(zone: str) -> str:
    """Return the number at the end of a zone's id, which is that of a seat, or an empty string."""
    return zone[len(zone.rstrip("0123456789")) :]


def face_down(before: Sequence[Zone], after: Sequence[Zone]) -> dict[str, str]:
    """Return the ids of the piles of which no card is drawn, by owner."""
    drawn = {zone.id for zone in before if zone.cards}
    piles = [zone.id for zone in after if zone.layout == "stack" and zone.count and not zone.cards]
    return {owner_of(pile): pile for pile in piles if pile not in drawn}


def put_under(piles: Mapping[str, str], before: Sequence[Zone], lost: Lying, gained: Lying) -> list[Moved]:
    """Remove the cards of a seat's open pile that were put under its face-down pile, and return their moves. If that
    pile has gained fewer cards, it has lost the others."""
    moves = []
    for zone in before:
        goal = piles.get(owner_of(zone.id), "") if owner_of(zone.id) and zone.layout == "stack" and zone.cards else ""
        cards = gained.get((goal, None), [])
        put = [(source, card) for source, ids in lost.items() if source[0] == zone.id for card in ids if cards]
        for source, card in put:
            moves.append(Moved(card="", origin=zone.id, goal=goal, was=card))
            lost[source].remove(card)
        if put:
            gained[goal, None], lost[goal, None] = cards[len(put) :], [""] * (len(put) - len(cards))
    return moves


def source_of(
    lost: Lying, card: str, goal: str, face: str | None, heaps: Collection[str]
) -> tuple[str, str | None] | None:
    """Return the zone that a card came from and its face there: a card with the same face, if possible, or else a
    hidden one. A hidden card may also have had any other face, of the same seat if possible, and last of another seat.
    Cards seldom come from an open pile. In some games, cards keep their ids: of several such zones, it is then the one
    that has lost this id."""
    found = [
        (zone, lay)
        for (zone, lay), ids in lost.items()
        if ids and zone != goal and (lay in (face, None) or face is None)
    ]

    def rank(source: tuple[str, str | None]) -> tuple[bool, ...]:
        zone, lay = source
        other = owner_of(zone) != owner_of(goal)
        seen = face is None and lay is not None and other and owner_of(zone) != ""
        return seen, face is None and other, lay != face, zone in heaps, card not in lost[source], other

    return min(found, key=rank, default=None)
