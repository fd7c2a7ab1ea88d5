"""The open piles of a sitting, such as discards, as their cards came: after any of its moves, also in a replay."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from fairdeal.engine.scene import Scene, Zone
from fairdeal.engine.scene.open_piles import Order, followed, in_order

EVERY = 16
"""Of so many moves the order after one is kept."""


class Heaps:
    """Follows the heaps of a sitting from move to move. They lie open, so any viewer's scene tells what they hold;
    `scene_at` draws it for a spectator after a move at which nobody looked."""

    def __init__(self, scene_at: Callable[[int], Scene]) -> None:
        self.scene_at = scene_at
        self.known: dict[int, Order] = {}
        self.last = 0  # the move that was asked for
        self.arrangements: dict[str, tuple[Zone, tuple[str, ...], Zone]] = {}  # heaps as drawn, their order, as laid

    def laid(self, scene: Scene, number: int) -> Scene:
        """A scene of this sitting after so many moves, each heap with its newest card on top."""
        if True not in [zone.heap for zone in scene.zones]:
            return scene
        order = self.order_at(number, scene)
        zones = [self.arranged(zone, order.get(zone.id, ())) if zone.heap else zone for zone in scene.zones]
        return msgspec.structs.replace(scene, zones=tuple(zones))

    def arranged(self, zone: Zone, faces: tuple[str, ...]) -> Zone:
        """Return a heap in its order. Most moves leave a heap alone, and most viewers see the same of it."""
        drawn, known, laid = self.arrangements.get(zone.id, (None, (), zone))
        if zone != drawn or faces != known:
            laid = in_order(zone, faces)
            self.arrangements[zone.id] = zone, faces, laid
        return laid

    def order_at(self, number: int, scene: Scene) -> Order:
        """Return the order in which the cards came, up to move `number`, which `scene` shows."""
        near = number
        while near >= 0 and near not in self.known:
            near -= 1
        order = self.known.get(near, {})
        for at in range(near + 1, number + 1):
            order = followed(order, scene if at == number else self.scene_at(at))
            if at % EVERY == 0:
                self.known[at] = order
        if self.last % EVERY:
            self.known.pop(self.last, None)
        self.last, self.known[number] = number, order
        return order

    def forget(self, number: int) -> None:
        """Only so many moves stand."""
        self.known = {at: order for at, order in self.known.items() if at <= number}
