"""Playing whole games and watching something in each, such as a count or the state at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.bots import ask
from fairdeal.bots.finding import find_bot
from fairdeal.engine import chance, compiled
from fairdeal.engine.state import State, Table

Watch = Callable[[State, State], float]
"""What a move from one state to the next counts for."""


def games(table: Table, number: int, bots: Sequence[str], seed: str) -> Iterator[Iterator[State]]:
    """So many games, each as its states from the deal to the end; bots go round the seats from game to game."""
    compiled.compiled(table.game)
    for game in range(number):
        yield one_game(table, bots, f"{seed} {game}", game)


def one_game(table: Table, bots: Sequence[str], seed: str, shift: int) -> Iterator[State]:
    state = table.deal(seed)
    players = [
        find_bot(bots[(seat + shift) % len(bots)], table, seat, chance.key_of(f"{seed} bot {seat}"))
        for seat in range(table.players)
    ]
    yield state.copy()
    turn = 0
    while not state.over:
        seat = state.to_act[0]
        state.play_actions(seat, ask(players[seat], state, seat, turn).actions)
        turn += 1
        yield state.copy()


def counted(table: Table, number: int, bots: Sequence[str], seed: str, watch: Watch) -> NDArray[np.float64]:
    """What `watch` adds up to in each game."""
    totals = np.zeros(number)
    for game, states in enumerate(games(table, number, bots, seed)):
        before = next(states)
        for after in states:
            totals[game] += watch(before, after)
            before = after
    return totals


def at_the_end(
    table: Table, number: int, bots: Sequence[str], seed: str, look: Callable[[State], float]
) -> NDArray[np.float64]:
    """What `look` finds in the last state of each game."""
    found = np.zeros(number)
    for game, states in enumerate(games(table, number, bots, seed)):
        last = None
        for state in states:
            last = state
        assert last is not None
        found[game] = look(last)
    return found
