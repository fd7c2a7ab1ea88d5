"""Discard piles: nobody is told that a certain card came last where the rules keep no order."""

import random

import pytest

import fairdeal
from fairdeal.testing.play import play_at_random


@pytest.mark.parametrize("game", ["chi", "chaos-ninjas", "chip-it"])
def test_the_highest_kind_is_not_shown_as_the_last_discard(game):
    dice, mixed = random.Random(game), 0
    for seed in range(6):
        state = fairdeal.load(game).deal(seed=seed)
        while not state.over:
            play_at_random(state, dice)
            scene = state.scene(-1)
            for pile in (
                zone for zone in scene.zones if zone.id == "discard" and zone.layout == "stack" and zone.cards
            ):
                alike = len({card.face for card in pile.cards}) == 1
                mixed += not alike
                assert all(card.face for card in pile.cards), "what was discarded is open to all"
                assert pile.cards[-1].down or alike
    assert mixed > 20
