"""Random games of every preset: cards and points conserved, bounds kept, every game ends."""

import os

import numpy as np

import fairdeal
from fairdeal.engine import chance, compiled
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.twin import compile_rules
from tests.games.invariants import INVARIANTS, LONGEST, checked_games

GAMES = int(os.environ.get("FAIRDEAL_RANDOM_GAMES", "20000"))


def checker(name):
    game = fairdeal.find_game(name)
    bound = compiled.contract_of(game) | {"violation": INVARIANTS[name]}
    return compile_rules(f"invariants of {name}", game.state, {"checked_games": checked_games}, bound)["checked_games"]


CHECKERS = {}


def test_every_state_of_random_games_keeps_the_invariants(name, preset):
    if name not in CHECKERS:
        CHECKERS[name] = checker(name)
    table = fairdeal.load(name, preset=preset)
    state, source = table.blank().record, new(chance_record)
    chance.set_key(state.chance, chance.key_of(f"invariants {preset}"))
    chance.set_key(source, chance.key_of("moves"))
    result = np.zeros(4, np.int64)
    CHECKERS[name](state, source, compiled.scratch(table.game), GAMES, LONGEST[name], result)
    assert result[:3].tolist() == [0, 0, 0], "[broken invariant, game, move]"
    assert result[3] > 10
