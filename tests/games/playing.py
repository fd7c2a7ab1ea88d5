"""Random games of our titles."""

import random

import fairdeal
from fairdeal.testing.play import play_at_random


def random_moves(name, number):
    """Yield moves of random games of every preset: the states before and after, the seat, and the actions."""
    dice, presets = random.Random(name), fairdeal.find_game(name).presets
    for preset in presets:
        state = fairdeal.load(name, preset=preset).deal(str(dice.random()))
        for _ in range(number // len(presets)):
            if state.over:
                state = state.table.deal(str(dice.random()))
            before = state.copy()
            yield before, state, *play_at_random(state, dice)
