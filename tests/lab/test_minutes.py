"""The minutes that stand on every game's box and beside every preset are those of simulated games."""

import contextlib

import pytest

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.engine.errors import BadOption
from fairdeal.engine.registry import find_game, game_names
from fairdeal.lab.simulate.simulation import simulate
from fairdeal.lab.studies.minutes import choices_of, minutes_of

GAMES, MOVES = 100, 200
"""Number of games whose moves are counted, and of moves that are looked at for how long people would think."""

PRESETS = [(name, preset) for name in game_names() for preset in find_game(name).presets]


def pace_of(table):
    """Return how long people would take for a move, in minutes."""
    state, bot, steps, seed = table.deal("pace 0"), GreedyBot(table.game.recall), [], 0
    for move in range(MOVES):
        player, together = state.to_act[0], len(state.to_act)
        actions = ask(bot, state, player, move).actions
        steps += [(choices, together) for choices in choices_of(state, player, actions)]
        state.play_actions(player, actions)
        if state.over:
            seed += 1
            state = table.deal(f"pace {seed}")
    return (minutes_of(steps) - minutes_of(())) / MOVES


def tables_of(game, preset):
    """Yield the tables of a preset, from the fewest players to the most."""
    for players in range(game.players[0], game.players[1] + 1):
        with contextlib.suppress(BadOption):  # some presets are for some numbers of players
            if game.presets[preset].get("players", players) == players:
                yield fairdeal.load(game.name, preset=preset, players=players)


def median_of(table):
    """Return the minutes of a game that is longer than half of all games."""
    return minutes_of(()) + pace_of(table) * simulate(table, GAMES).moves.median


@pytest.mark.parametrize(("title", "preset"), PRESETS)
def test_a_preset_takes_the_minutes_that_it_says(title, preset):
    """Half of all games, with few players or many, take neither less than it says nor more; and it says no span that
    fits every game."""
    game = find_game(title)
    tables = [*tables_of(game, preset)]
    medians = [median_of(table) for table in dict.fromkeys((tables[0], tables[-1]))]
    low, high = game.presets[preset].minutes or game.minutes
    assert 0.8 * low <= min(medians), f"{low} to {high} minutes, but {medians}"
    assert max(medians) <= 1.25 * high, f"{low} to {high} minutes, but {medians}"
    assert low >= min(medians) / 3, f"{low} to {high} minutes say little of {medians}"
    assert high <= 3 * max(medians), f"{low} to {high} minutes say little of {medians}"
