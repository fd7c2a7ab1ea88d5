"""Inspection of a card: every card has words, and viewers learn no more than their scene shows."""

import re

import pytest

import fairdeal
from fairdeal.engine.inspection import inspect, words_of
from fairdeal.engine.options import read_options
from fairdeal.engine.page import page_of
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import TOP
from tests.conftest import moments, refusal

pytestmark = pytest.mark.quick

CODE = re.compile(r"\b\d+[a-z]\b")
"""A card as it is written in moves: `19g`."""


def looking(state, viewer, asks=True):
    """Return a function that describes a card of a state to a viewer."""
    game, seen = state.game, state.seen_by(viewer)
    faces, scene = game.faces(state.table.options), seen.scene()
    why = (lambda card: seen.why((), card)) if asks else None
    return lambda card: inspect(game, faces, scene, card, why)


def look(state, viewer, card, asks=True):
    return looking(state, viewer, asks)(card)


def test_every_card_has_words_and_a_clause(name):
    game = fairdeal.find_game(name)
    faces = game.faces(read_options(game.options, {}))
    assert faces
    for key, face in faces.items():
        text, clause = words_of(page_of(game), faces, key)
        assert text, key
        assert clause, key
        assert face.name


def test_a_viewer_learns_of_a_card_what_the_scene_shows(name):
    looked = shown = chosen = 0
    for state, _ in moments(name):
        for viewer in (*range(state.players), SPECTATOR):
            scene, told_of = state.seen_by(viewer).scene(), looking(state, viewer)
            labels = {choice.on for choice in scene.choices if choice.label}
            for zone in scene.zones:
                for card in zone.cards:
                    if card.back == "gap":
                        continue
                    told = told_of(card.id)
                    looked += 1
                    shown += bool(told.face)
                    chosen += told.now.startswith("You can ")
                    assert told.face in ("", card.face)
                    assert bool(told.face) == (card.face is not None and not (zone.layout == "grid" and card.down))
                    assert told.now.startswith("You can ") == (card.id in labels), told
                    assert told.name
                    assert not CODE.search(told.now), "the notation of a card is not a word"
                    assert told.text or not told.face
                if zone.count and not zone.cards and zone.layout == "stack" and not zone.icon:
                    assert f"{zone.count} card" in told_of(zone.id + TOP).name or zone.count == 1
    assert looked > 100
    assert chosen
    assert shown or name in ("chimax-fate", "chimax-cut")


def test_the_text_of_a_card_does_not_reveal_what_it_hides():
    """Two different hands of a rival have the same text."""

    def read(hand):
        row = ["yin-black", "yin-black", "chi", "chi", "yin-blue", "yin-blue"]
        position = {"hands": [["chi", "yin-red"], hand], "row": row}
        return look(fairdeal.load("chi").setup(position | {"turn": 0, "start": 0}), 0, "hand1?0")

    assert read(["yang6-teal", "yin-grey"]) == read(["yang3-pink", "yin-lime"])


def test_a_card_that_was_turned_over_and_back_is_left_to_memory():
    state = fairdeal.load("chimax-match-2").setup({"layout": ["25", "10", "25", "10"], "turn": 0})
    state.play(0, "flip 1")
    state.play(0, "flip 2")
    scene = state.seen_by(1).scene()
    (layout,) = [zone for zone in scene.zones if zone.layout == "grid"]
    assert [card.face for card in layout.cards[:2]] == ["25", "10"]  # a screen turns them back
    told = look(state, 1, layout.cards[0].id)
    assert told.face == ""
    assert "25" not in told.name + told.text + told.seen
    assert told.seen == "One of 4 that you cannot see."


def test_others_of_a_kind_are_counted_where_they_lie_open():
    position = {
        "hands": [["yin-red", "yin-red", "chi"], ["chi"]],
        "row": ["chi", "chi"] + ["yin-blue"] * 2 + ["yin-grey"] * 2,
    }
    state = fairdeal.load("chi").setup(position | {"turn": 0, "start": 0})
    assert look(state, 0, "hand0/yin-red.1").seen == "Others in sight: 1 (Your hand)."
    assert look(state, 0, "hand0/chi.1").seen == "Others in sight: 2 (The row)."


def test_a_card_that_is_gone_cannot_be_looked_at():
    state = fairdeal.load("chi").deal(1)
    with refusal("no longer here"):
        look(state, 0, "hand0/yin-nothing.1")
    with refusal("no longer here"):
        look(state, 0, "discard" + TOP)


def test_equipment_is_described_in_full_and_to_spectators_without_a_present_use():
    seats = [{"army": ["ninja/3"] * 9, "in_play": [12]}, {"army": ["ninja/3"] * 9}]
    state = fairdeal.load("war-xtreme", ask_extreme=False).setup({"round": 5, "seats": seats})
    told = look(state, 0, "play0/kit/ball-and-chain.1", asks=False)
    assert told.name == "Ball and Chain"
    assert told.text == "A curse: its victim lays two more stakes in every war."
    assert told.now == look(state, SPECTATOR, "play0/kit/ball-and-chain.1").now == ""
