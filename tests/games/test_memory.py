"""Games of memory: the log is no open book."""

import random
import re

import pytest

import fairdeal
from fairdeal.engine.registry import installed_games
from fairdeal.testing.play import must_have, play_at_random, table_of, viewers

GAMES = [game.name for game in installed_games() if "MEM" in game.clause_prefix.split()]
"""Games with a layout of cards that are turned up and down again."""

MOVES = 400


@pytest.mark.parametrize("game", GAMES)
def test_no_line_of_the_log_says_where_a_card_lies(game):
    """What was seen where is for people to remember."""
    dice, flips = random.Random(game), 0
    for preset in fairdeal.find_game(game).presets:
        state = table_of(fairdeal.find_game(game), preset=preset).deal(seed=1)
        for _ in range(MOVES // len(fairdeal.find_game(game).presets)):
            if state.over:
                state = state.table.deal(str(dice.random()))
            before = state.copy()
            player, actions = play_at_random(state, dice)
            flips += state.game.write_move(before.record, player, actions).startswith(("flip", "name"))
            for viewer in viewers(state):
                for line in before.narrate(state, player, actions, viewer):
                    assert not re.search(r"\b(place|card|slot) \d", line.text, re.IGNORECASE), line.text
    must_have(flips, MOVES / 8, f"{game}: cards that were turned up")


def test_there_are_games_of_memory():
    assert len(GAMES) == 4
