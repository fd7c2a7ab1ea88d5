"""The items on a table that the cursor can reach, and the movements of the cursor between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairdeal.engine.scene import Card, Choice, Scene, Zone
from fairdeal.terminal.pictures.canvas import Hit
from fairdeal.terminal.pictures.instruments import lifts

DECK = "the deck"
"""Name of the group of positions at which a deck can be cut."""

ASIDE = 3
"""Weight of the distance perpendicular to the direction of an arrow key."""


@dataclass(frozen=True)
class Item:
    """An item that the cursor can reach: a card, a zone or a button, with its choice if it can be chosen."""

    target: str
    group: str
    choice: Choice | None


def items_of(scene: Scene) -> list[Item]:
    """Return all items that the cursor can reach, in the order of the keys: the hand, other cards that can be chosen,
    zones, and buttons.

    Cards of the hand can be reached even if they cannot be chosen, so that the reason can be shown.
    """
    cuts = {cut.id for cut in lifts(scene)}
    choices = {choice.on: choice for choice in scene.choices if choice.on and choice.id not in cuts}
    items: list[Item] = []
    for zone in sorted(scene.zones, key=lambda zone: zone.place != "hand"):
        for card in zone.cards:
            if card.id in choices or (zone.place == "hand" and scene.choices):
                items.append(Item(f"card:{card.id}", zone.id, choices.get(card.id)))
        if zone.id in choices:
            items.append(Item(f"zone:{zone.id}", zone.id, choices[zone.id]))
    items += [Item(f"seat:{choice.on}", "seats", choice) for choice in scene.choices if choice.kind == "seat"]
    items += [Item(f"button:{choice.id}", "buttons", choice) for choice in buttons_of(scene) if choice.id not in cuts]
    return items + [Item(f"button:{cut.id}", DECK, cut) for cut in lifts(scene)]


def entry(items: Sequence[Item]) -> Item | None:
    """Return the item on which the cursor starts: one that can be chosen, if possible, or the middle of a deck."""
    first = next((item for item in items if item.choice), items[0] if items else None)
    if first is None or first.group != DECK:
        return first
    deck = [item for item in items if item.group == DECK]
    return deck[len(deck) // 2]


def buttons_of(scene: Scene) -> list[Choice]:
    """Return the buttons and values, sorted from the most to the least used."""
    found = [choice for choice in scene.choices if choice.kind in ("button", "value")]
    return sorted(found, key=lambda choice: choice.rank)


def is_gap(card: Card) -> bool:
    """Return whether a card is a placeholder for an empty place."""
    return card.face is None and card.back == "gap"


def grouped(zone: Zone) -> list[list[Card]]:
    """Group the cards that lie on top of one another. Each other card is a group by itself."""
    groups: dict[object, list[Card]] = {}
    for number, card in enumerate(zone.cards):
        groups.setdefault(card.group if card.group >= 0 else f"alone {number}", []).append(card)
    return list(groups.values())


def onward(scene: Scene, hits: Iterable[Hit], here: Item, key: str) -> str:
    """Return the target to which an arrow key leads within a grid or columns, or an empty string if it leads
    outside."""
    zone = next((zone for zone in scene.zones if zone.id == here.group), None)
    if zone is None:
        return ""
    within = {zone.id}
    if zone.layout == "column" and key in ("left", "right"):
        within = {other.id for other in scene.zones if other.layout == "column"}
    elif zone.layout != "column" and (zone.layout != "grid" or key in ("left", "right")):
        return ""
    cards = {item.target for item in items_of(scene) if item.group in within}
    return nearest({hit.target: hit for hit in hits if hit.target in cards}, here.target, key)


def nearest(places: dict[str, Hit], here: str, key: str) -> str:
    """Return the target nearest to `here` in the direction of an arrow key, or an empty string if there is none."""
    if here not in places:
        return ""
    own, best, least = places[here], "", 0
    for target, hit in places.items():
        across = (hit.left + hit.right - own.left - own.right) * (-1 if key == "left" else 1)
        down = (hit.top + hit.bottom - own.top - own.bottom) * (-1 if key == "up" else 1)
        along, aside = (across, abs(down)) if key in ("left", "right") else (2 * down, abs(across))
        if along > 0 and (not best or along + ASIDE * aside < least):
            best, least = target, along + ASIDE * aside
    return best
