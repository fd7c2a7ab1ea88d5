"""Drivers: compiled, they play and count as in plain Python."""

import numpy as np

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.engine.drivers import Desk
from fairdeal.engine.fields import on_fields, structure_of
from fairdeal.engine.records import blank_array
from fairdeal.engine.records import chance as chance_record
from fairdeal.lab.perft import divide, perft
from fairdeal.lab.simulate.jobs import order_of
from fairdeal.lab.simulate.simulation import laid_out
from tests.games.engines import near_the_end


def plain_drivers(game):
    bound = compiled.bound_plainly(compiled.drivers_of(), compiled.contract_of(game))
    state, source = structure_of(game.state), structure_of(chance_record)

    def simulate(desk, *others):
        bound["simulate"](on_fields(Desk, state, source)(*desk), *others)

    return simulate, on_fields(bound["count_moves"], state)


def test_games_of_random_and_greedy_bots_are_the_same(name_of_a_kind):
    table, results = fairdeal.load(name_of_a_kind), []
    bots = [("random", "greedy-0")[seat % 2] for seat in range(table.players)]
    for simulate in compiled.compiled(table.game).simulate, plain_drivers(table.game)[0]:
        scores, lengths = np.zeros((2, table.players)), np.zeros((2, 2), np.int64)
        simulate(laid_out(order_of(table, bots, "drivers")), 5, scores, lengths)
        results.append((scores.tolist(), lengths.tolist()))
    assert results[0] == results[1]
    assert sum(map(sum, results[0][1])) >= 10


def test_sequences_of_moves_are_counted_alike_and_by_first_move(name_of_a_kind):
    state = near_the_end(fairdeal.find_game(name_of_a_kind))
    states, actions = blank_array(state.game.state, 80), np.zeros((80, len(state.game.actions) + 1), np.int16)
    states[0] = state.record
    counted = plain_drivers(state.game)[1](states, actions, np.zeros((80, 4), np.int64), 2)
    counts = divide(state, 2)
    assert counted == perft(state, 2) == sum(counts.values())
    assert counts.keys() == {f"{seat}: {move}" for seat in state.to_act for move in state.moves(seat)}
