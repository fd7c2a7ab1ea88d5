"""The kits that games are written with: matches, positions, zones, turns and winners."""

import pytest

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.positions import (
    CardCounter,
    sized,
)
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.records import UNKNOWN, game_state, i1, new, pile, record
from fairdeal.engine.scene import Choice, Counter, Voice, Zone, capital
from fairdeal.engine.scene.zones import (
    CardIds,
    area_zone,
    hand_zone,
    on_cards,
    seat_of,
    stack_zone,
)

CODES = ("ace", "two", "king")


STATE = game_state(2, record(limit=i1), turn=i1, hands=(pile(3), 2))


# --- positions -----------------------------------------------------------------------------------------------------


def test_a_deck_counts_every_code():
    with pytest.raises(ValueError, match="3 card codes, but `in_deck` has 2 kinds"):
        CardCounter(CODES, (2, 1), "ace", "TOY-01")


def counter():
    return CardCounter(CODES, (2, 1, 1), "ace, two, king", "TOY-01")


def test_a_list_of_another_length_is_refused():
    with pytest.raises(BadPosition, match="there are two seats"):
        sized("hands", [1], 2, "there are two seats")


def test_an_unknown_card_is_refused_where_all_are_known():
    with pytest.raises(BadPosition, match=r"at row\[1\]: .*no such card: ace, two, king"):
        counter().kind("row[1]", "?")


# --- zones ---------------------------------------------------------------------------------------------------------


def test_ids_of_cards_are_local_to_their_zone():
    ids = CardIds(CODES, back="toy")
    pile_cards, hand = ids.pile([2, 0, 1], "pile", (2, 0)), ids.cards([0, UNKNOWN], "hand1")
    assert [card.id for card in pile_cards] == ["pile/king.1", "pile/ace.1", "pile/ace.2"]
    assert [card.id for card in hand] == ["hand1/ace.1", "hand1?1"]
    marked = ids.cards([0, 0], "area", ["safe", ""], [0, 1])
    assert [(card.id, card.mark, card.group) for card in marked] == [("area/ace.1", "safe", 0), ("area/ace.2", "", 1)]
    assert [(card.face, card.down, card.back) for card in hand] == [("ace", False, ""), (None, True, "toy")]


def test_zones_lie_before_their_seats():
    cards = CardIds(CODES).cards([0, 1], "hand1")
    both = {"count": 2, "cards": cards, "say": "hand"}
    assert hand_zone(1, 1, cards) == Zone("hand1", "hand", "fan", "Your hand", size="hand", **both)
    assert hand_zone(0, 1, cards) == Zone("hand0", "seat:0", "lap", size="mini", fold=True, **both)
    assert area_zone("area1", 1, 1, "row", slots=6) == Zone("area1", "own", "row", slots=6)
    assert stack_zone("deck", "Deck", 40) == Zone("deck", "centre", "stack", "Deck", 40)
    assert on_cards(3, "Play", ["a", "b"]) == [Choice(3, "card", "Play", on="a"), Choice(3, "card", "Play", on="b")]


def test_a_seat_shows_whether_it_is_to_play():
    state = new(STATE)
    state.to_act = 0b10
    voice = Voice(("Ada", "Bo"), 0)
    seats = [seat_of(snapshot(state), seat, voice, Counter("cards", 3)) for seat in range(2)]
    assert [(seat.name, seat.acts, seat.note) for seat in seats] == [("You", False, ""), ("Bo", True, "to play")]


def test_several_seats_are_named_in_a_sentence_and_at_its_beginning():
    voice = Voice(("Ada", "bo", "Cleo"), viewer=0)
    assert voice.several([1, 0, 2]) == "bo, you and Cleo"
    assert voice.several_titled([0, 1]) == "You and bo"
    assert voice.several_titled([1, 0]) == "bo and you"
    assert capital(voice.several([1, 0])) == "Bo and you"
    assert capital("") == voice.several([]) == ""
