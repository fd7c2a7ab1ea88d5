"""Open piles of which a state keeps no order, such as discards: the order in which their cards came.

A state counts what lies there, and everybody sees card after card arrive. So the order follows from the scenes that any
viewer was shown, and tells nothing that was not seen by all.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from fairdeal.engine.scene import Card, Scene, Zone

Order = Mapping[str, tuple[str, ...]]
"""The faces of each heap by the name of its zone, the newest last."""


def followed(before: Order, scene: Scene) -> Order:
    """The order of the heaps of a scene, from that of the moment before. What is new lies on top; of cards that came
    together the order is that of the scene. A heap stays one while it is spread out for a viewer who takes from it."""
    return {
        zone.id: laid_on(before.get(zone.id, ()), zone.cards) for zone in scene.zones if zone.heap or zone.id in before
    }


@functools.lru_cache(maxsize=1024)
def laid_on(before: tuple[str, ...], now: tuple[Card, ...]) -> tuple[str, ...]:
    """Return the faces of a pile: those that stayed, in their order, then the new ones. Few moves change it."""
    left = Counter([str(card.face) for card in now])
    new = left - Counter(before)
    if len(before) + new.total() == len(now):
        return (*before, *new.elements())
    stayed = []
    for face in before:
        if left[face]:
            left[face] -= 1
            stayed.append(face)
    return (*stayed, *left.elements())


def in_order(zone: Zone, faces: Iterable[str]) -> Zone:
    """Return a heap with its cards in this order of faces, and on top the cards that have no known order."""
    lying: dict[str, list[Card]] = {}
    for card in zone.cards:
        lying.setdefault(str(card.face), []).append(card)
    cards = [alike.pop(0) for face in faces if (alike := lying.get(face))]
    cards += [card for alike in lying.values() for card in alike]
    return msgspec.structs.replace(zone, cards=tuple(cards))
