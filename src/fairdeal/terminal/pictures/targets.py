"""What the cursor can reach on a table, and where an arrow leads from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairdeal.engine.scene import Card, Choice, Scene, Zone
from fairdeal.terminal.pictures.canvas import Hit
from fairdeal.terminal.pictures.instruments import lifts

DECK = "the deck"
"""The group of the places at which a deck can be cut."""

ASIDE = 3
"""How much further away a thing seems that lies aside of an arrow's way."""


@dataclass(frozen=True)
class Item:
    """Something the cursor can stand on: a card, a zone or a button, with its choice if it can be chosen."""

    target: str
    group: str
    choice: Choice | None


def items_of(scene: Scene) -> list[Item]:
    """All that the cursor can reach, in the order of the keys: hand, other cards that can be chosen, zones, buttons.

    Cards of the hand can be reached even when they cannot be chosen, to ask why.
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
    """Where the cursor comes in: what can be chosen first; a deck is opened in its middle."""
    first = next((item for item in items if item.choice), items[0] if items else None)
    if first is None or first.group != DECK:
        return first
    deck = [item for item in items if item.group == DECK]
    return deck[len(deck) // 2]


def buttons_of(scene: Scene) -> list[Choice]:
    """What can be pressed, the most used first."""
    found = [choice for choice in scene.choices if choice.kind in ("button", "value")]
    return sorted(found, key=lambda choice: choice.rank)


def is_gap(card: Card) -> bool:
    """Is it an empty place of a layout, and no card?"""
    return card.face is None and card.back == "gap"


def grouped(zone: Zone) -> list[list[Card]]:
    """Cards that lie on one another together, all others alone."""
    groups: dict[object, list[Card]] = {}
    for number, card in enumerate(zone.cards):
        groups.setdefault(card.group if card.group >= 0 else f"alone {number}", []).append(card)
    return list(groups.values())


def onward(scene: Scene, hits: Iterable[Hit], here: Item, key: str) -> str:
    """Where an arrow leads within cards that lie in two dimensions; nothing where it leads out of them."""
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
    """The nearest place in the direction of an arrow, none if there is none."""
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
