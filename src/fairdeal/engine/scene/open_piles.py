"""The order in which cards arrived on an open pile, such as discards. The state does not store this order.

A state stores only counts of these cards, but every viewer sees each card arrive. So the order can be reconstructed
from the scenes that any viewer was shown, and reveals nothing that is not public.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from fairdeal.engine.scene import Card, Scene, Zone

Order = Mapping[str, tuple[str, ...]]
"""The faces of the cards on each open pile, by zone id, the newest last."""

EVERY = 16
"""Interval, in moves, at which the order of the piles is saved."""


SceneAt = Callable[[int], Scene]
"""A function that returns a spectator's scene after a move."""


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


class Heaps:
    """The order of a sitting's open piles, updated from move to move. Because every viewer sees these piles, the scene
    of any viewer can be used. It holds no reference to the sitting, so that a sitting can be freed immediately."""

    def __init__(self) -> None:
        self.known: dict[int, Order] = {}
        self.last = 0  # the move last requested
        self.arrangements: dict[str, tuple[Zone, tuple[str, ...], Zone]] = {}  # piles as drawn, their order, as laid

    def laid(self, scene: Scene, number: int, scene_at: SceneAt) -> Scene:
        """Return a scene of this sitting after move `number`, with the newest card on top of each open pile. `scene_at`
        is called for moves whose scenes have not been used yet."""
        if True not in [zone.heap for zone in scene.zones]:
            return scene
        order = self.order_at(number, scene, scene_at)
        zones = [self.arranged(zone, order.get(zone.id, ())) if zone.heap else zone for zone in scene.zones]
        return scene.replaced(zones=tuple(zones))

    def arranged(self, zone: Zone, faces: tuple[str, ...]) -> Zone:
        """Return a pile with its cards in order. The last result for each pile is cached, because most moves do not
        change it and most viewers see the same cards."""
        drawn, known, laid = self.arrangements.get(zone.id, (None, (), zone))
        if zone != drawn or faces != known:
            laid = in_order(zone, faces)
            self.arrangements[zone.id] = zone, faces, laid
        return laid

    def order_at(self, number: int, scene: Scene, scene_at: SceneAt) -> Order:
        """Return the order in which the cards of all piles arrived, up to and including move `number`. `scene` shows
        the table after that move."""
        near = number
        while near >= 0 and near not in self.known:
            near -= 1
        order = self.known.get(near, {})
        for at in range(near + 1, number + 1):
            order = followed(order, scene if at == number else scene_at(at))
            if at % EVERY == 0:
                self.known[at] = order
        if self.last % EVERY:
            self.known.pop(self.last, None)
        self.last, self.known[number] = number, order
        return order

    def forget(self, number: int) -> None:
        """Discard the saved orders of all moves after move `number`."""
        self.known = {at: order for at, order in self.known.items() if at <= number}
