"""Perft: count the sequences of complete moves from a state, to find errors in rules that examples miss."""

import numpy as np

from fairdeal.engine.compile import compiled
from fairdeal.engine.drivers import MOST_STEPS
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import blank_array
from fairdeal.engine.state import State


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of `depth` complete moves. Games that end earlier are not counted."""
    if depth < 0:
        raise FairdealError(f"the depth must be at least 0, not {depth}")
    game = state.game
    levels = depth * MOST_STEPS + 2
    states = blank_array(game.state, levels)
    states[0] = state.record
    actions = np.zeros((levels, len(game.actions) + 1), np.int16)
    return int(compiled.compiled(game).count_moves(states, actions, np.zeros((levels, 4), np.int64), depth))


def divide(state: State, depth: int) -> dict[str, int]:
    """Return the count for each first move, with `seat: move` in notation as the key."""
    counts = {}
    for seat in state.to_act:
        for actions in state.action_moves(seat):
            after = state.copy()
            after.play_actions(seat, actions)
            text = state.game.write_move(state.record, seat, actions)
            counts[f"{seat}: {text}"] = 0 if after.over and depth > 1 else perft(after, depth - 1)
    return counts
