"""All hands of a finished game: every card that was held lies open, each once, and nothing else has changed."""

from collections import Counter

import pytest

from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import find_game
from fairdeal.table.analysis.hands import all_hands, with_all_hands
from tests.table.sittings import finished

HANDS = ("chi", "chaos-ninjas", "chimax-books", "chip-it", "war-xtreme")
"""Games in which hands are held: drawn as backs, not seen by their own players, and not drawn for others."""


def faces(zones):
    return Counter(card.face for zone in zones for card in zone.cards if card.face)


@pytest.mark.parametrize("played", HANDS)
def test_every_hand_is_open_to_every_viewer(played):
    sitting, held = finished(played, players=min(3, find_game(played).players[1])), 0
    for number in range(1, sitting.moves_made, 1 + sitting.moves_made // 6):
        hands = all_hands(sitting, number)
        for viewer in (SPECTATOR, 0, 1):
            before, scene = sitting.moment(number, viewer), with_all_hands(sitting, number, viewer)
            ids = [card.id for zone in scene.zones for card in zone.cards]
            assert len(ids) == len(set(ids))
            for seat, hand in enumerate(hands):
                there = [zone for zone in scene.zones if zone.place == ("hand" if seat == viewer else f"seat:{seat}")]
                assert faces(hand) <= faces(there)
                assert all(card.face for zone in there for card in zone.cards)
                held += sum(faces(hand).values())
            was = {zone.id: zone for zone in before.zones}
            others = [zone for zone in scene.zones if not zone.place.startswith(("hand", "seat:"))]
            assert all(was[zone.id] == zone for zone in others)
            assert (scene.seats, scene.events, scene.choices) == (before.seats, before.events, ())
    assert held > 10


def test_what_is_held_is_what_the_seat_saw_where_it_saw_its_cards():
    sitting = finished("chi")
    for number in range(0, sitting.moves_made, 7):
        for seat, hand in enumerate(all_hands(sitting, number)):
            own = [zone for zone in sitting.state_at(number).scene(seat).zones if zone.place == "hand"]
            assert faces(hand) == faces(own)


def test_where_nobody_holds_cards_nothing_changes():
    sitting = finished("chimax-match-2", players=2)
    assert not any(all_hands(sitting, 5))
    assert with_all_hands(sitting, 5, 0) == sitting.moment(5, 0)
