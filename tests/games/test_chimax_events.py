"""CHIMAX: events name the seats and show the faces of their sentences, and tell nobody a card that is chosen unseen."""

import random

import pytest

import fairdeal
from fairdeal.engine.events import TO_YOU, UNNAMED
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Voice
from fairdeal.testing.play import play_at_random, table_of, viewers

pytestmark = pytest.mark.skipif("chimax-books" not in fairdeal.game_names(), reason="the games are not installed")

GAMES = [name for name in fairdeal.game_names() if name.startswith("chimax")]
MOVES = 300

THANKS = "house thanks you"
"""Words to anyone who looks on; they name no seat."""


@pytest.mark.parametrize("title", GAMES)
def test_events_name_the_seats_and_show_the_faces_of_their_sentences(title):
    game, dice, told = fairdeal.find_game(title), random.Random(title), 0
    for preset in game.presets:
        state = table_of(game, preset=preset).deal(str(dice.random()))
        faces = game.faces(state.table.options)
        for _ in range(MOVES // len(game.presets)):
            if state.over:
                state = state.table.deal(str(dice.random()))
            before, viewer = state.copy(), dice.choice(viewers(state))
            player, actions = play_at_random(state, dice)
            voice = Voice(UNNAMED[: state.players], viewer)
            for event in before.seen_by(viewer).happened(state.seen_by(viewer), player, actions):
                text = event.sentence(voice).replace(THANKS, "")
                named = {seat for seat in range(state.players) if UNNAMED[seat] in text}
                named |= {viewer} if TO_YOU.search(text) else set()
                assert not text or sorted(event.seats) == sorted(named), event
                assert all(face in faces for face in event.shown), event
                told += bool(text)
    assert told >= MOVES


def test_a_card_that_is_chosen_unseen_is_told_to_nobody():
    """BOOKS-11."""
    state = fairdeal.load("chimax-books", players=2, peek=True, reveal="simultaneous").deal(1)
    chosen = state.legal_actions(0)
    assert len(chosen) > 5
    for viewer in (1, SPECTATOR):
        told = set()
        for action in chosen:
            after = state.copy()
            after.apply(0, action)
            told.add((*state.seen_by(viewer).happened(after.seen_by(viewer), 0, (action,)),))
        assert [event.sentence(Voice(("Ada", "Bo"), viewer)) for event in told.pop()] == ["Ada chooses a card."]
        assert not told
