"""All hands of a finished game, face up, after any move."""

from collections.abc import Iterator
from typing import Literal

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import Card, Scene, Zone
from fairdeal.engine.state import State
from fairdeal.table.sitting import Sitting

READABLE: Literal["small"] = "small"
"""Minimum size of cards whose faces are drawn."""


def all_hands(sitting: Sitting, number: int) -> tuple[tuple[Zone, ...], ...]:
    """Return the zones of each seat's hand after move `number`, including cards that even the seat could not see.
    Raises FairdealError while the game runs."""
    if not sitting.over:
        raise FairdealError("this game is still running; its hands can be seen when it is over")
    state = sitting.state_at(number)
    seen = [unconcealed(state, seat).seen_by(seat, sitting.names).scene() for seat in range(state.players)]
    return tuple(
        tuple(zone for zone in scene.zones if zone.place == "hand" and any(card.face for card in zone.cards))
        for scene in seen
    )


def unconcealed(state: State, seat: int) -> State:
    """Return a copy of a state as seen from a seat, with nothing hidden."""
    found = state.copy()
    found.viewer = seat
    return found


def with_all_hands(sitting: Sitting, number: int, viewer: int) -> Scene:
    """Return the scene after move `number` as a viewer saw it, with all hands face up. A hand that the game does not
    draw for other viewers is added next to its seat. Raises FairdealError while the game runs."""
    hands, scene = all_hands(sitting, number), sitting.moment(number, viewer)
    zones = {zone.id: zone for zone in scene.zones}
    for seat, held in enumerate(hands):
        for hand in held:
            there = zones.get(hand.id)
            if there is not None and there.place == ("hand" if seat == viewer else f"seat:{seat}"):
                zones[hand.id] = opened(there, hand)
            else:
                laid = beside(hand, seat)
                zones[laid.id] = laid
    return scene.replaced(zones=tuple(zones.values()))


def opened(there: Zone, hand: Zone) -> Zone:
    """Return a hand face up, at its place in the scene. Cards keep their ids."""
    left = [*hand.cards]
    for face in [card.face for card in there.cards if card.face]:
        left.pop(next((place for place, card in enumerate(left) if card.face == face), 0))
    known = iter(left)
    cards = tuple(card if card.face else face_up(card, known) for card in there.cards)
    return there.replaced(cards=cards, size=READABLE if there.size == "mini" else there.size)


def face_up(card: Card, known: Iterator[Card]) -> Card:
    """Return a face-down card with the next face from `known`."""
    found = next(known, card)
    return found.replaced(id=card.id)


def beside(hand: Zone, seat: int) -> Zone:
    """Return a hand shown face up in front of its seat, with its own card ids."""
    name = f"{hand.id}:{seat}"
    cards = tuple(Card(id=f"{name}.{place}", face=card.face) for place, card in enumerate(hand.cards))
    return Zone(name, f"seat:{seat}", "lap", say="cards in hand", count=len(cards), cards=cards, size=READABLE)
