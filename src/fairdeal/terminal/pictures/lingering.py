"""Cards of a grid that stay visible briefly after a move: those of a miss, which are face down again, and those of a
set, which a player has taken. Meanwhile, the game continues."""

from collections.abc import Mapping

from fairdeal.engine.scene import Card, Scene

Shown = Mapping[str, str]
"""Faces to show, by card id. An empty string hides a card that has not reached its place yet."""


def looked_at(scene: Scene) -> Shown:
    """Return the cards to show briefly before `scene` is shown."""
    found = {card.id: card.face for card in cards_of(scene, "grid") if card.face and card.down}
    grids = {zone.id for zone in scene.zones if zone.layout == "grid"}
    first = next(iter(scene.events), None)
    taken = [one for one in first.moves if one.origin in grids and one.goal != one.origin] if first else []
    taken = [one for one in taken if one.was and one.card]
    if len(taken) < 2:
        return found
    faces = {card.id: card.face or "" for card in cards_of(scene)}
    for move in taken:
        found |= {move.was: faces.get(move.card, ""), move.card: ""}
    return found


def cards_of(scene: Scene, layout: str = "") -> list[Card]:
    return [card for zone in scene.zones if not layout or zone.layout == layout for card in zone.cards]


def holds(shown: Shown, scene: Scene) -> bool:
    """Return whether these cards can still be shown in a scene, because their places are empty, face down or
    unchanged."""
    cards = {card.id: card for card in cards_of(scene)}
    return all(
        name in cards and (not face or cards[name].back == "gap" or cards[name].down or cards[name].face == face)
        for name, face in shown.items()
    )


def laid(scene: Scene, shown: Shown) -> Scene:
    """Return a scene with these cards face up."""
    if not shown:
        return scene

    def seen(card: Card) -> Card:
        face = shown.get(card.id)
        return Card(id=card.id, face=face) if face else card

    zones = tuple(
        zone.replaced(cards=tuple(seen(card) for card in zone.cards if shown.get(card.id) != ""))
        for zone in scene.zones
    )
    return scene.replaced(zones=zones)
