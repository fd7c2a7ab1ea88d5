"""Single operations in microseconds, sizes in bytes, and where the time of a random game goes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from benchmarks.measuring import microseconds
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import compile_rules
from fairdeal.engine.kit import chance
from fairdeal.engine.records import blank_array, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import State, load

STATES = 4096
"""Positions on which the parts of a random game are timed."""


def middle_of(name: str, seed: int = 3, moves: int = 12) -> State:
    """Return a state in the course of a game."""
    state = load(name).deal(seed)
    source, actions = new(chance_record), compiled.scratch(state.game)
    chance.set_key(source, chance.key_of(seed))
    compiled.compiled(state.game).random_moves(state.record, source, actions, moves)
    return state


def operations(name: str) -> dict[str, float]:
    """Return the microseconds of frequent operations of tables and agents, called from Python, compiled."""
    table = load(name)
    state = middle_of(name)
    player = state.to_act[0]
    seen = state.view(player)
    source = new(chance_record)
    chance.set_key(source, chance.key_of("resample"))
    return {
        "deal": microseconds(lambda: table.deal(7)),
        "copy": microseconds(state.copy),
        "conceal": microseconds(lambda: state.view(player)),
        "resample": microseconds(lambda: seen.resample(source)),
        "legal actions": microseconds(lambda: state.legal_actions(player)),
        "scene": microseconds(lambda: state.scene(player)),
        "greedy move": microseconds(lambda: greedy(seen, player)),
    }


def greedy(seen: State, player: int) -> int:
    plan = compiled.scratch(seen.game)
    return int(compiled.compiled(seen.game).greedy(seen.record, player, plan))


def parts(name: str) -> dict[str, float]:
    """Return the nanoseconds an action in each part of a random game, over positions of many games in their whole
    course."""
    game = load(name).game
    states, players, chosen = positions_of(name)
    contract = compiled.contract_of(game)
    twins = compile_rules(game.name, game.state, contract, contract)
    legal_actions, apply = twins["legal_actions"], twins["apply"]
    actions = compiled.scratch(game)

    @njit
    def listing(states: Any, players: Any, actions: Any) -> int:
        total = 0
        for i in range(len(states)):
            total += legal_actions(states[i], players[i], actions)
        return total

    @njit
    def copying(states: Any, trial: Any) -> None:
        for i in range(len(states)):
            trial[0] = states[i]

    @njit
    def applying(states: Any, players: Any, chosen: Any, trial: Any) -> None:
        for i in range(len(states)):
            trial[0] = states[i]
            apply(trial[0], players[i], chosen[i])

    trial = blank_array(game.state, 1)
    rate = 1e3 / len(states)
    copied = microseconds(lambda: copying(states, trial)) * rate
    return {
        "legal actions": microseconds(lambda: listing(states, players, actions)) * rate,
        "apply": microseconds(lambda: applying(states, players, chosen, trial)) * rate - copied,
        "copy of a state": copied,
    }


def positions_of(name: str) -> tuple[Any, Any, Any]:
    """Return positions of random games, with the seat that acts and its action."""
    table = load(name)
    engine = compiled.compiled(table.game)
    states = blank_array(table.game.state, STATES)
    players, chosen = np.zeros(STATES, np.int64), np.zeros(STATES, np.int64)
    actions = compiled.scratch(table.game)
    source = new(chance_record)
    chance.set_key(source, chance.key_of("positions"))
    state, deals = table.deal(0), 0
    for number in range(STATES):
        if state.over:
            deals += 1
            state = table.deal(deals)
        player = state.to_act[0]
        count = engine.rules.legal_actions(state.record, player, actions)
        states[number], players[number] = state.record, player
        chosen[number] = actions[chance.draw(source, int(count))]
        engine.rules.apply(state.record, player, int(chosen[number]))
    return states, players, chosen


def sizes(name: str) -> int:
    """Return the bytes of a state."""
    return int(load(name).game.state.itemsize)
