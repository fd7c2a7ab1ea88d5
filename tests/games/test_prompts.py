"""Prompts while several seats choose at once, and the filled button."""

import random

import pytest

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.engine.registry import find_game
from fairdeal.games.chimax.cards import CARD_FACES
from fairdeal.testing.play import play_at_random, viewers


@pytest.mark.parametrize(
    ("game", "options"), [("chimax-books", {"reveal": "simultaneous"}), ("war-xtreme", {"ask_extreme": False})]
)
def test_a_seat_that_has_chosen_waits_together_with_those_that_choose(game, options):
    """BOOKS-11, WAR-30."""
    state = fairdeal.load(game, players=3, **options).deal(seed=1)
    assert modes(state) == ["yours", "yours", "yours", "waiting"]
    state.play(1, next(state.moves(1)))
    assert modes(state) == ["yours", "together", "yours", "waiting"]
    state.play(0, next(state.moves(0)))
    assert modes(state) == ["together", "together", "yours", "waiting"]


def test_a_hand_that_its_owner_sees_is_sorted_unless_its_order_matters():
    def order(**options):
        state = fairdeal.load("chimax-books", preset="strategic", **options).deal(seed=1)
        (hand,) = [zone for zone in state.scene(0).zones if zone.id == "hand0"]
        return [int(card.id.rpartition(".")[2]) for card in hand.cards], [card.face for card in hand.cards]

    slots, found = order()
    assert found == sorted(found, key=CARD_FACES.index)
    assert slots != sorted(slots)
    assert order(pick="top")[0] == sorted(slots), "the top card is the first"
    assert order(peek=False)[0] == sorted(slots)


def modes(state):
    return [state.scene(viewer).prompt.mode for viewer in viewers(state)]


HARMLESS = {"Flip!": "equipment keeps until the next round, and no card is hidden"}
"""Filled buttons that are not always the greedy bot's move, and why a hasty press loses nothing."""


def test_the_filled_button_is_what_a_careful_friend_would_press(name):
    """Of several moves, the one that a single press of the filled button makes is the greedy bot's."""
    game, dice, met = find_game(name), random.Random(name), 0
    for preset in game.presets:
        table, looks = fairdeal.load(name, preset=preset), 0
        while looks < 60:
            state = table.deal(dice.random().hex())
            while not state.over and looks < 60:
                seat = dice.choice(state.to_act)
                if not state.record.composing:
                    looks += 1
                    met += check_filled(state, seat, f"{preset}, look {looks}")
                play_at_random(state, dice, seat)
    assert met > 5 or name in NEVER_FILLED


NEVER_FILLED = ("chi", "chimax-match-2", "chimax-match-3", "chimax-order")
"""Games whose moves are on cards; a filled button confirms a card that was picked, or is the only move."""


def check_filled(state, seat, where):
    """Check the filled button of a scene, and return whether it has one."""
    scene = state.scene(seat)
    filled = [choice for choice in scene.choices if choice.main]
    assert len(filled) <= 1, where
    assert {choice.id for choice in scene.choices if choice.key == "Enter"} <= {choice.id for choice in filled}, where
    if not filled:
        return False
    (choice,) = filled
    move = state.pick(seat, (), choice.id).move
    if move is None or choice.label in HARMLESS or len({other.id for other in scene.choices}) == 1:
        return True
    advised = ask(GreedyBot(state.game.recall), state, seat, 0).actions
    assert tuple(move) == tuple(advised), f"{where}: {scene.prompt.text} {choice.label}, but {advised} is better"
    return True


def test_a_flip_that_hides_a_card_is_not_the_filled_button():
    """WAR-83 to 85."""
    table = fairdeal.load("war-xtreme", players=2, ask_extreme=False)
    state, dice, met = table.deal(seed=1), random.Random(3), 0
    for _ in range(3000):
        if state.over:
            state = table.deal(dice.random().hex())
        for seat in state.to_act:
            scene = state.scene(seat)
            flips = [choice for choice in scene.choices if choice.label == "Flip and hide it"]
            if flips:
                met += 1
                filled = next(choice for choice in scene.choices if choice.main)
                assert scene.prompt.text == f"{filled.label.removeprefix('Play ')} must be played."
                assert flips[0].note == "if caught, you lose"
                assert any(choice.main for choice in state.scene(seat, (filled.id,)).choices)
        play_at_random(state, dice)
    assert met > 3
