"""The order of the cards in a sitting's open piles, such as discards, after any of its moves."""

from __future__ import annotations

from collections.abc import Callable

from fairdeal.engine.scene import Scene, Zone
from fairdeal.engine.scene.open_piles import Order, followed, in_order

EVERY = 16
"""Interval, in moves, at which the order of the piles is saved."""


SceneAt = Callable[[int], Scene]
"""A function that returns a spectator's scene after a move."""


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
