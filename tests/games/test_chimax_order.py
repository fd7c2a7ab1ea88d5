"""CHIMAX ORDER: what scenes show, and games that end by themselves."""

import pytest

import fairdeal
from fairdeal.engine.scene import Moved
from fairdeal.engine.travel import moved
from fairdeal.games.chimax.cards import SIGNS

pytestmark = pytest.mark.skipif("chimax-order" not in fairdeal.game_names(), reason="the game is not installed")


def test_a_card_that_was_turned_back_is_shown_until_the_next_move():
    state = fairdeal.load("chimax-order", first_dealer=1).deal(7)
    wrong = next(place for place, card in enumerate(state.position()["layout"]) if card != "half")
    state.play(0, f"flip {wrong + 1}")
    assert zones_of(state, 1)["layout0"].cards[wrong].face == state.position()["layout"][wrong]
    state.play(1, f"flip {(wrong + 1) % 13 + 1}")
    assert zones_of(state, 1)["layout0"].cards[wrong].face is None


def test_a_playoff_that_nobody_won_can_be_shown():
    """The position leaves the winners out."""
    book = [{"seat": 0, "card": "inf"}, {"seat": 1, "card": "0"}]
    position = {"phase": "over", "tied": [0, 1], "leader": 0, "book": book, "layout": ["x"] * 13}
    assert fairdeal.load("chimax-order").setup(position).scene(0).result.text == "Nobody wins."


def test_a_game_of_first_legal_moves_ends_within_the_printed_bound():
    """MEM-07, 08."""
    for seed in range(5):
        state, moves = fairdeal.load("chimax-order").deal(seed), 0
        while not state.over:
            state.apply(state.to_act[0], state.legal_actions(state.to_act[0])[0])
            moves += 1
        assert moves <= 728 + 13


def zones_of(state, viewer):
    return {zone.id: zone for zone in state.scene(viewer).zones}


def signs(zone):
    """Return the faces in the row, and the signs of its empty places."""
    return [card.face or f"({card.mark})" for card in zone.cards]


def test_a_found_card_flies_from_its_place_into_its_slot_of_the_row():
    state = fairdeal.load("chimax-order", first_dealer=1).deal(7)
    half = state.position()["layout"].index("half")
    before = state.scene(0)
    assert signs(zones_of(state, 0)["row"]) == [f"({sign})" for sign in SIGNS[:13]]
    state.play(0, f"flip {half + 1}")
    found, name = zones_of(state, 0), f"layout0.{half + 1}"
    assert found["row"].cards[0].id == name
    assert signs(found["row"])[:2] == ["half", "(1)"]
    assert found["layout0"].cards[half].back == "gap"
    assert moved(before, state.scene(0)) == ((Moved(name, "layout0", "row", name),), ())
    assert zones_of(state, -1)["layout0"].cards[half].face == "half", "who watches has no row"


def test_a_run_that_is_lost_goes_back_to_the_places_where_it_lay():
    state = fairdeal.load("chimax-order", first_dealer=1, on_miss="restart").deal(7)
    layout = state.position()["layout"]
    for face in ("half", "1", "2"):
        state.play(0, f"flip {layout.index(face) + 1}")
    before, wrong = state.scene(0), layout.index("inf")
    lay = {card.id for card in before.zones[1].cards if card.face}
    state.play(0, f"flip {wrong + 1}")
    moves, _ = moved(before, state.scene(0))
    assert set(moves) == {Moved(card, "row", "layout0", card) for card in lay}
    assert len(lay) == 3
    assert [card.face for card in zones_of(state, 0)["row"].cards if card.face] == []
