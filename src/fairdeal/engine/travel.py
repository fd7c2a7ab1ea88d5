"""Which cards moved from one scene to the next, so that no screen has to guess.

Both scenes are of the same viewer, so the answer tells nothing that they could not see. Names of cards do not tell it:
equal cards share out their names anew in every scene. What counts is how many cards of a face a zone lost or gained;
cards that cannot be seen, and those under the top of a pile, count as cards without a face.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

import msgspec

from fairdeal.engine.scene import Event, Moved, Scene, Zone

Kind = tuple[str, str | None]
"""A zone and a face: None for a card that the viewer cannot see."""


def counted(zones: Iterable[Zone]) -> Counter[Kind]:
    """Count the cards of each face in each zone."""
    found: Counter[Kind] = Counter()
    for zone in zones:
        if not zone.icon:
            found.update([(zone.id, seen_face(card.face, card.down)) for card in zone.cards if card.back != "gap"])
            under = zone.count - len(zone.cards)
            if under > 0:
                found[zone.id, None] += under
    return found


def altered(zones: Iterable[Zone], others: Iterable[Zone]) -> list[Zone]:
    """Return the zones that do not hold the same cards among `others`. Most moves alter few zones, and cards of the
    others have not moved."""
    same = {zone.id: zone for zone in others}
    return [
        zone
        for zone in zones
        if (other := same.get(zone.id)) is None or zone.cards != other.cards or zone.count != other.count
    ]


def seen_face(face: str | None, down: bool) -> str | None:
    """A card that lies face down is one like the others, even for those who know it."""
    return None if down else face


def moved(before: Scene, after: Scene) -> tuple[tuple[Moved, ...], tuple[str, ...]]:
    """The cards that lie in another zone than before, in the order of the zones they went to; and the ids of those that
    were turned up where they lay."""
    old, new = altered(before.zones, after.zones), altered(after.zones, before.zones)
    had, has = counted(old), counted(new)
    lost, gained = had - has, has - had
    if not gained:
        return (), ()
    turned = turned_over(lost, gained)
    sources: dict[str | None, list[str]] = defaultdict(list)
    for (zone, face), number in lost.items():
        sources[face] += [zone] * number
    here, there = lying(old), lying(new)
    picker = Picker(new, {card for card in there if there[card] != here.get(card)})
    former = Picker(old, {card for card in here if here[card] != there.get(card)})
    shown = [card for kind, number in turned.items() for card in picker.take(*kind, number)]
    moves = []
    for (zone, face), number in gained.items():
        for card in picker.take(zone, face, number):
            own = here.get(card)
            origin, was = source_of(sources, zone, face, own)
            if origin:
                lay = former.give(card) if own == (origin, was) else former.take(origin, was, 1)[0]
                moves.append(Moved(card=card, origin=origin, goal=zone, was=lay))
    return tuple(moves), tuple(card for card in shown if card)


def travelled(events: Sequence[Event], before: Scene, after: Scene) -> list[Event]:
    """Events between two scenes, the first with the cards that moved from the one to the other."""
    found = list(events)
    if found:
        moves, turned = moved(before, after)
        found[0] = msgspec.structs.replace(found[0], moves=moves, turned=turned)
    return found


def turned_over(lost: Counter[Kind], gained: Counter[Kind]) -> Counter[Kind]:
    """Cards that were turned up where they lie. They leave both counts; so do those turned down or covered."""
    turned: Counter[Kind] = Counter()
    for zone, face in list(gained):
        if face is not None and lost[zone, None] > 0:
            number = min(gained[zone, face], lost[zone, None])
            turned[zone, face] = number
            gained[zone, face] -= number
            lost[zone, None] -= number
    for zone, face in list(lost):
        if face is not None and gained[zone, None] > 0:
            number = min(lost[zone, face], gained[zone, None])
            lost[zone, face] -= number
            gained[zone, None] -= number
    return turned


def source_of(
    sources: dict[str | None, list[str]], goal: str, face: str | None, own: Kind | None
) -> tuple[str, str | None]:
    """Where a card of this face came from, and as which face it lay there: where a card of its name lay, its `own`
    place; else as the same face; hidden, or shown before."""
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


def lying(zones: Iterable[Zone]) -> dict[str, Kind]:
    """Where each card lies, and as what."""
    return {
        card.id: (zone.id, "gap" if card.back == "gap" else seen_face(card.face, card.down))
        for zone in zones
        for card in zone.cards
    }


class Picker:
    """Gives the ids of cards of zones, each once: the last of a zone first, but before all others those that are `gone`
    from there."""

    def __init__(self, zones: Iterable[Zone], gone: Collection[str] = ()) -> None:
        self.zones: dict[str, Zone] = {zone.id: zone for zone in zones}
        self.gone = gone
        self.given: set[str] = set()

    def give(self, card: str) -> str:
        """This very card."""
        self.given.add(card)
        return card

    def take(self, zone: str, face: str | None, number: int) -> list[str]:
        """So many ids of cards of a face in a zone; "" for those that are not drawn."""
        cards = self.zones[zone].cards if zone in self.zones else ()
        free = [card.id for card in reversed(cards) if seen_face(card.face, card.down) == face and card.back != "gap"]
        free.sort(key=lambda name: name not in self.gone)
        ids = [name for name in free if name not in self.given][: max(0, number)]
        self.given.update(ids)
        return ids + [""] * (number - len(ids))
