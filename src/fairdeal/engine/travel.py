"""Which cards moved from one scene to the next, so that no screen has to guess.

Both scenes are of the same viewer, so the answer tells nothing that they could not see. Names of cards do not tell it:
equal cards share out their names anew in every scene. What counts is how many cards of a face a zone lost or gained;
cards that cannot be seen, and those under the top of a pile, count as cards without a face.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from fairdeal.engine.events import Described
from fairdeal.engine.scene import Card, Moved, Scene, Zone

Kind = tuple[str, str | None]
"""A zone and a face: None for a card that the viewer cannot see."""


class Change(NamedTuple):
    """A zone as it is in two scenes, None where it is missing, and the cards that only one of them has there."""

    before: Zone | None
    after: Zone | None
    left: Sequence[Card]
    came: Sequence[Card]


def changes(before: Sequence[Zone], after: Sequence[Zone]) -> list[Change]:
    """Return the zones that do not hold the same cards in two scenes, those that are gone last. Most moves alter few
    zones, and the cards of all others have not moved."""
    found = []
    for was, zone in side_by_side(before, after):
        if was is None or zone is None:
            found.append(Change(was, zone, was.cards if was else (), zone.cards if zone else ()))
        elif zone.cards != was.cards or zone.count != was.count:
            had, has = set(was.cards), set(zone.cards)
            left = [card for card in was.cards if card not in has]
            found.append(Change(was, zone, left, [card for card in zone.cards if card not in had]))
    return found


def side_by_side(before: Sequence[Zone], after: Sequence[Zone]) -> Iterable[tuple[Zone | None, Zone | None]]:
    """Return the zones of two scenes in pairs by their names."""
    if [zone.id for zone in before] == [zone.id for zone in after]:
        return zip(before, after, strict=True)
    old = {zone.id: zone for zone in before}
    pairs = [(old.pop(zone.id, None), zone) for zone in after]
    return [*pairs, *((was, None) for was in old.values())]


def counted(zones: Iterable[tuple[Zone | None, Sequence[Card]]]) -> tuple[dict[Kind, int], dict[str, Kind]]:
    """Count these cards of zones by kind, and return with that the kind of each card by its id. A card that lies face
    down is like the others there, even for a viewer who knows it; so are those that are not drawn."""
    counts: dict[Kind, int] = {}
    kinds: dict[str, Kind] = {}
    for zone, cards in zones:
        if zone is None or zone.icon:
            continue
        name = zone.id
        for card in cards:
            if card.back == "gap":
                kinds[card.id] = name, "gap"
            else:
                kind = kinds[card.id] = name, None if card.down else card.face
                counts[kind] = counts.get(kind, 0) + 1
        under = zone.count - len(zone.cards)
        if under > 0:
            counts[name, None] = counts.get((name, None), 0) + under
    return counts, kinds


def more(counts: Mapping[Kind, int], than: Mapping[Kind, int]) -> dict[Kind, int]:
    """Subtract counts of cards, without those that are not positive."""
    return {kind: number - than.get(kind, 0) for kind, number in counts.items() if number > than.get(kind, 0)}


def moved(before: Scene, after: Scene) -> tuple[tuple[Moved, ...], tuple[str, ...]]:
    """The cards that lie in another zone than before, in the order of the zones they went to; and the ids of those that
    were turned up where they lay."""
    changed = changes(before.zones, after.zones)
    if not changed:
        return (), ()
    old = [(change.before, change.left) for change in changed]
    new = [(change.after, change.came) for change in changed]
    (had, here), (has, there) = counted(old), counted(new)
    lost, gained = more(had, has), more(has, had)
    if not gained:
        return (), ()
    turned = turned_over(lost, gained)
    sources: dict[str | None, list[str]] = defaultdict(list)
    for (zone, face), number in lost.items():
        sources[face] += [zone] * number
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


def travelled(told: Sequence[Described], before: Scene, after: Scene) -> list[Described]:
    """Return what happened between two scenes, the first line with the cards that moved from the one to the other."""
    found = list(told)
    if found:
        event, line = found[0]
        moves, turned = moved(before, after)
        found[0] = Described(event, msgspec.structs.replace(line, moves=moves, turned=turned))
    return found


def turned_over(lost: dict[Kind, int], gained: dict[Kind, int]) -> dict[Kind, int]:
    """Cards that were turned up where they lie. They leave both counts; so do those turned down or covered."""
    turned: dict[Kind, int] = {}
    for zone, face in list(gained):
        if face is not None and lost.get((zone, None), 0) > 0:
            turned[zone, face] = exchange(gained, (zone, face), lost, (zone, None))
    for zone, face in list(lost):
        if face is not None and gained.get((zone, None), 0) > 0:
            exchange(lost, (zone, face), gained, (zone, None))
    return turned


def exchange(counts: dict[Kind, int], kind: Kind, others: dict[Kind, int], other: Kind) -> int:
    """Take as many cards as both counts have from each, and return their number."""
    number = min(counts[kind], others[other])
    counts[kind] -= number
    others[other] -= number
    return number


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


class Picker:
    """Gives the ids of cards of changed zones, each once: the last of a zone first, but before all others those whose
    kind has changed, which are among `altered`."""

    def __init__(self, zones: Iterable[tuple[Zone | None, Sequence[Card]]], gone: Collection[str]) -> None:
        self.zones = {zone.id: (zone.cards, altered) for zone, altered in zones if zone}
        self.gone = gone
        self.given: set[str] = set()

    def give(self, card: str) -> str:
        """Give this very card."""
        self.given.add(card)
        return card

    def take(self, zone: str, face: str | None, number: int) -> list[str]:
        """Return `number` ids of cards of a face in a zone; "" for those that are not drawn."""
        if number <= 0:
            return []
        cards, altered = self.zones[zone]
        ids = [card for card in self.free(altered, face) if card in self.gone][:number]
        if len(ids) < number and cards:
            ids += [card for card in self.free(cards, face) if card not in self.gone][: number - len(ids)]
        self.given.update(ids)
        return ids + [""] * (number - len(ids))

    def free(self, cards: Sequence[Card], face: str | None) -> list[str]:
        """Return the ids of those cards of a face that were not given yet, the last first."""
        return [
            card.id
            for card in reversed(cards)
            if (None if card.down else card.face) == face and card.back != "gap" and card.id not in self.given
        ]
