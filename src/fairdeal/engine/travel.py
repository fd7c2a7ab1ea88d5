"""Find the cards that moved from one scene to the next, so that screens can animate them.

Both scenes are one viewer's, so the result reveals nothing that the viewer could not see. Card ids do not identify
cards across scenes, because every scene assigns ids to equal cards anew. Instead, the numbers of cards of each face
that zones lost or gained are compared. Hidden cards, and those under the top of a pile, count as cards without a face.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairdeal.engine.events import Described
from fairdeal.engine.scene import Card, Moved, Scene, Zone

Kind = tuple[str, str | None]
"""A zone and a face; None stands for a card that the viewer cannot see."""


class Side:
    """One of two scenes, reduced to zones whose cards differ: the number of cards of each kind, except cards that are
    in both; the kinds of cards by id; and the ids of each kind.

    Face-down cards of a zone are not distinguished, even if the viewer knows them, and neither are cards that are not
    drawn.
    """

    __slots__ = ("counts", "given", "ids", "kinds", "zones")

    def __init__(self) -> None:
        self.zones: dict[str, Zone] = {}
        self.counts: dict[Kind, int] = {}
        self.kinds: dict[str, Kind] = {}
        self.ids: dict[Kind, list[str]] = {}
        self.given: set[str] = set()

    def add(self, zone: Zone, cards: Iterable[Card]) -> None:
        """Count some cards of a zone, and the cards of the zone that are not drawn."""
        if zone.icon:
            return
        name = zone.id
        self.zones[name] = zone
        for card in cards:
            if card.back == "gap":
                self.kinds[card.id] = name, "gap"
            else:
                kind = self.kinds[card.id] = name, None if card.down else card.face
                self.ids.setdefault(kind, []).append(card.id)
                self.counts[kind] = self.counts.get(kind, 0) + 1
        under = zone.count - len(zone.cards)
        if under > 0:
            self.counts[name, None] = self.counts.get((name, None), 0) + under

    def give(self, card: str) -> str:
        """Mark a card id as used and return it."""
        self.given.add(card)
        return card

    def take(self, kind: Kind, other: Side) -> str:
        """Return the id of an unused card of a kind, taking the last one first, or "" if none is drawn. Cards that are
        of another kind in the other scene are taken before the rest."""
        ids = self.ids.get(kind)
        while ids:
            card = ids.pop()
            if card not in self.given and other.kinds.get(card) != kind:
                return self.give(card)
        name, face = kind
        for drawn in reversed(self.zones[name].cards):
            if (None if drawn.down else drawn.face) == face and drawn.back != "gap" and drawn.id not in self.given:
                return self.give(drawn.id)
        return ""


def sides(before: Sequence[Zone], after: Sequence[Zone]) -> tuple[Side, Side]:
    """Compare the zones of two scenes, and return both sides. Zones without changes are skipped, because their cards
    have not moved."""
    old, new = Side(), Side()
    for was, zone in side_by_side(before, after):
        if was is None:
            new.add(zone, zone.cards)
        elif zone is None:
            old.add(was, was.cards)
        elif zone.cards != was.cards or zone.count != was.count:
            old.add(was, without(was.cards, zone.cards))
            new.add(zone, without(zone.cards, was.cards))
    return old, new


def without(cards: Sequence[Card], others: Sequence[Card]) -> list[Card]:
    """Return the cards that are not among `others`."""
    known = {card.id: card for card in others}
    return [card for card in cards if known.get(card.id) != card]


def side_by_side(before: Sequence[Zone], after: Sequence[Zone]) -> Iterable[tuple[Any, Any]]:
    """Return the zones of two scenes in pairs by id, with None for a zone that only one of them has."""
    if [zone.id for zone in before] == [zone.id for zone in after]:
        return zip(before, after, strict=True)
    old = {zone.id: zone for zone in before}
    pairs = [(old.pop(zone.id, None), zone) for zone in after]
    return [*pairs, *((was, None) for was in old.values())]


def more(counts: Mapping[Kind, int], than: Mapping[Kind, int]) -> dict[Kind, int]:
    """Return the counts that are higher in `counts` than in `than`, as differences."""
    return {kind: number - than.get(kind, 0) for kind, number in counts.items() if number > than.get(kind, 0)}


def moved(before: Scene, after: Scene) -> tuple[tuple[Moved, ...], tuple[str, ...]]:
    """Return the cards that have moved to another zone, in the order of the zones that they went to, and the ids of
    cards that were turned up in place."""
    old, new = sides(before.zones, after.zones)
    lost, gained = more(old.counts, new.counts), more(new.counts, old.counts)
    if not gained:
        return (), ()
    turned = turned_over(lost, gained)
    sources: dict[str | None, list[str]] = {}
    for (zone, face), number in lost.items():
        sources.setdefault(face, []).extend([zone] * number)
    shown = [new.take(kind, old) for kind, number in turned.items() for _ in range(number)]
    moves = []
    for kind, number in sorted(gained.items(), key=lambda item: item[0][1] is None):  # hidden cards could be any
        for _ in range(number):
            card = new.take(kind, old)
            own = old.kinds.get(card)
            origin, was = source_of(sources, *kind, own)
            if origin:
                lay = old.give(card) if own == (origin, was) else old.take((origin, was), new)
                moves.append(Moved(card=card, origin=origin, goal=kind[0], was=lay))
    order = list(new.zones)
    moves.sort(key=lambda move: order.index(move.goal))
    return tuple(moves), tuple(card for card in shown if card)


def travelled(told: Sequence[Described], before: Scene, after: Scene) -> list[Described]:
    """Return the events between two scenes, with the cards that moved added to the first log line."""
    found = list(told)
    if found:
        event, line = found[0]
        moves, turned = moved(before, after)
        found[0] = Described(event, line.replaced(moves=moves, turned=turned))
    return found


def turned_over(lost: dict[Kind, int], gained: dict[Kind, int]) -> dict[Kind, int]:
    """Remove cards that were turned over in place from both counts, and return the number of those turned up."""
    turned: dict[Kind, int] = {}
    for zone, face in list(gained):
        if face is not None and lost.get((zone, None), 0) > 0:
            turned[zone, face] = exchange(gained, (zone, face), lost, (zone, None))
    for zone, face in list(lost):
        if face is not None and gained.get((zone, None), 0) > 0:
            exchange(lost, (zone, face), gained, (zone, None))
    return turned


def exchange(counts: dict[Kind, int], kind: Kind, others: dict[Kind, int], other: Kind) -> int:
    """Reduce both counts by the smaller of the two, and return the amount."""
    number = min(counts[kind], others[other])
    counts[kind] -= number
    others[other] -= number
    return number


def source_of(
    sources: dict[str | None, list[str]], goal: str, face: str | None, own: Kind | None
) -> tuple[str, str | None]:
    """Return the zone that a card came from and its face there, removing it from `sources`. The card's `own` previous
    place is preferred, then a card with the same face, then hidden ones, then any other."""
    if own and own[0] != goal and own[0] in sources.get(own[1], []):
        sources[own[1]].remove(own[0])
        return own
    faces = [face, None] if face is not None else [None, *[known for known in sources if known is not None]]
    for lay in faces:
        for place, zone in enumerate(sources.get(lay, [])):
            if zone != goal:
                del sources[lay][place]
                return zone, lay
    return "", None
