"""CHIMAX: events name the seats and faces of their sentences, and do not tell a card that is chosen face down."""

import re

import pytest

import fairdeal
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Voice
from fairdeal.testing.play import viewers
from tests.games.playing import random_moves

pytestmark = pytest.mark.skipif("chimax-books" not in fairdeal.game_names(), reason="the games are not installed")

GAMES = [name for name in fairdeal.game_names() if name.startswith("chimax")]
MOVES = 300

THANKS = "house thanks you"
"""Words to all viewers, which do not name a seat."""

UNNAMED = tuple(map(chr, range(0xE000, 0xE040)))
"""Names for seats that no sentence contains by accident: characters from the private use area of Unicode."""

TO_YOU = re.compile(r"\b(you|your)\b", re.IGNORECASE)


@pytest.mark.parametrize("title", GAMES)
def test_events_name_the_seats_and_show_the_faces_of_their_sentences(title):
    told = 0
    for number, (before, state, player, actions) in enumerate(random_moves(title, MOVES)):
        viewer = viewers(state)[number % (state.players + 1)]
        voice = Voice(UNNAMED[: state.players], viewer)
        for event in before.seen_by(viewer).happened(state.seen_by(viewer), player, actions):
            text = event.sentence(voice).replace(THANKS, "")
            named = {seat for seat in range(state.players) if UNNAMED[seat] in text}
            named |= {viewer} if TO_YOU.search(text) else set()
            assert not text or sorted(event.seats) == sorted(named), event
            assert set(event.shown) <= state.game.faces(state.table.options).keys(), event
            told += bool(text)
    assert told >= MOVES


def test_a_card_that_is_chosen_face_down_is_not_told():
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
        (events,) = told
        assert [event.sentence(Voice(("Ada", "Bo"), viewer)) for event in events] == ["Ada chooses a card."]
