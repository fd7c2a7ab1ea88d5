"""CHIMAX ORDER: what cases cannot say, since their tables would not open: options that do not go together."""

import pytest

import fairdeal
from fairdeal.engine.scene import Moved
from fairdeal.engine.travel import moved
from fairdeal.games.chimax.cards import SIGNS

pytestmark = pytest.mark.skipif("chimax-order" not in fairdeal.game_names(), reason="the game is not installed")


@pytest.mark.parametrize(
    ("options", "wrong", "clause"),
    [
        ({"board": "own", "players": 4}, "board", "ORDER-03"),
        ({"board": "race", "direction": "either"}, "direction", "ORDER-13"),
        ({"board": "own", "direction": "either"}, "direction", "ORDER-13"),
        ({"board": "race", "winner": "most_placed"}, "winner", "ORDER-13"),
    ],
)
def test_options_of_one_sequence_do_not_go_with_several(options, wrong, clause):
    with pytest.raises(fairdeal.BadOption) as problem:
        fairdeal.load("chimax-order", **options)
    assert problem.value.option == wrong
    assert clause in problem.value.reason


def test_a_card_that_was_turned_back_is_shown_until_the_next_move():
    state = fairdeal.load("chimax-order", first_dealer=1).deal(7)
    wrong = next(place for place, card in enumerate(state.position()["layout"]) if card != "half")
    state.play(0, f"flip {wrong + 1}")
    shown = {card.id: card for zone in state.scene(1).zones for card in zone.cards}
    assert shown[f"layout0.{wrong + 1}"].face == state.position()["layout"][wrong]
    state.play(1, f"flip {(wrong + 1) % 13 + 1}")
    shown = {card.id: card for zone in state.scene(1).zones for card in zone.cards}
    assert shown[f"layout0.{wrong + 1}"].face is None


def test_a_playoff_that_nobody_won_can_be_shown():
    """A position may leave the winners out."""
    book = [{"seat": 0, "card": "inf"}, {"seat": 1, "card": "0"}]
    position = {"phase": "over", "tied": [0, 1], "leader": 0, "book": book, "layout": ["x"] * 13}
    assert fairdeal.load("chimax-order").setup(position).scene(0).result.text == "Nobody wins."


def test_a_sleeping_memory_ends_by_itself():
    """MEM-07, 08: a bot that remembers nothing still comes to an end, within the printed bound."""
    table = fairdeal.load("chimax-order")
    for seed in range(5):
        state = table.deal(seed)
        moves = 0
        while not state.over:
            state.play_actions(state.to_act[0], (state.legal_actions(state.to_act[0])[0],))
            moves += 1
        assert moves <= 728 + 13


def zones_of(state, viewer):
    return {zone.id: zone for zone in state.scene(viewer).zones}


def signs(zone):
    """What lies in the row: faces, and the signs of the places that are still empty."""
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
    assert {(move.card, move.origin, move.goal) for move in moves} == {(card, "row", "layout0") for card in lay}
    assert all(move.card == move.was for move in moves)
    assert len(lay) == 3
    assert not any(card.face for card in zones_of(state, 0)["row"].cards)
