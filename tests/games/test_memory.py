"""Games of memory: the log does not say where cards lie."""

import re

import pytest

from fairdeal.engine.registry import installed_games
from fairdeal.testing.play import must_have, viewers
from tests.games.playing import random_moves

GAMES = [game.name for game in installed_games() if "MEM" in game.clause_prefix.split()]
"""Games with a layout of cards that are turned up and down again."""

MOVES = 400


@pytest.mark.parametrize("game", GAMES)
def test_no_line_of_the_log_says_where_a_card_lies(game):
    """Players have to remember it."""
    flips = 0
    for before, state, player, actions in random_moves(game, MOVES):
        flips += state.game.write_move(before.record, player, actions).startswith(("flip", "name"))
        for viewer in viewers(state):
            for line in before.narrate(state, player, actions, viewer):
                assert not re.search(r"\b(place|card|slot) \d", line.text, re.IGNORECASE), line.text
    must_have(flips, MOVES / 8, f"{game}: cards that were turned up")


def test_there_are_games_of_memory():
    assert len(GAMES) == 4
