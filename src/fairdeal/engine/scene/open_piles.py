"""The order in which cards arrived on an open pile, such as discards. The state does not store this order.

A state stores only counts of these cards, but every viewer sees each card arrive. So the order can be reconstructed
from the scenes that any viewer was shown, and reveals nothing that is not public.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping

from fairdeal.engine.scene import Card, Scene, Zone

Order = Mapping[str, tuple[str, ...]]
"""The faces of the cards on each open pile, by zone id, the newest last."""


def followed(before: Order, scene: Scene) -> Order:
    """Return the order of the open piles of a scene, given the order `before` the last move. New cards lie on top, and
    cards that arrived together are in the scene's order. A pile keeps its order while it is spread out for a viewer who
    takes a card from it."""
    return {
        zone.id: laid_on(before.get(zone.id, ()), zone.cards) for zone in scene.zones if zone.heap or zone.id in before
    }


@functools.lru_cache(maxsize=1024)
def laid_on(before: tuple[str, ...], now: tuple[Card, ...]) -> tuple[str, ...]:
    """Return the faces of a pile: the remaining ones in their order, then the new ones. The result is cached, because
    few moves change a pile."""
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
    """Return an open pile with its cards in the order of `faces`, and cards without a known order on top."""
    lying: dict[str, list[Card]] = {}
    for card in zone.cards:
        lying.setdefault(str(card.face), []).append(card)
    cards = [alike.pop(0) for face in faces if (alike := lying.get(face))]
    cards += [card for alike in lying.values() for card in alike]
    return zone.replaced(cards=tuple(cards))
