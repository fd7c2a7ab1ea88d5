"""A single game of a simulation, played move by move in Python. The seed and the number of the game determine the
deal."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.bots import ask
from fairdeal.bots.registry import find_bot
from fairdeal.engine.compile import compiled
from fairdeal.engine.kit import chance
from fairdeal.engine.records import Record, blank_array, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import State, Table
from fairdeal.lab.simulate.jobs import Apart, Order, Place

LAST_BEGUN = 16
"""Number of results of `all_begun` that are kept."""


def dealt(table: Table, master: Record, number: int) -> State:
    """Return the game with this number, directly after the deal."""
    state = table.blank()
    chance.derive(state.record.chance, master, 2 * number)
    compiled.rules_of(table.game).deal(state.record)
    return state


def begun(order: Order, number: int) -> State:
    """Return the game of an order with this number, directly after the deal."""
    state = dealt(order.table, chance.seeded(order.seed), number)
    if order.apart:
        return state.redraw(chance.seeded(f"{order.apart.later} game {number}"))
    return state


@lru_cache(maxsize=LAST_BEGUN)
def all_begun(place: Place, seed: str, apart: Apart, first: int, end: int) -> NDArray[np.void]:
    """Return the records of games from number `first` up to, but not including, `end`, directly after the deal. Many
    orders begin with the same games, so the last results are kept."""
    order = Order(place, (), seed, (), apart)
    found = blank_array(order.table.game.state, end - first)
    for row, number in enumerate(range(first, end)):
        found[row] = begun(order, number).record
    return found


class Followed:
    """A game directly after the deal. As in simulations, bot (seat + number) % players plays at seat `seat`."""

    def __init__(self, order: Order, number: int) -> None:
        self.state, self.source = begun(order, number), new(chance_record)
        chance.derive(self.source, chance.seeded(order.own), 2 * number + 1)
        table = order.table
        who = [(seat + number) % table.players for seat in range(table.players)]
        self.players = [
            find_bot(order.bots[bot], table, seat, chance.key_of(f"{order.own} game {number} bot {bot}"))
            for seat, bot in enumerate(who)
        ]

    def moves(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the player and the actions of each move until the end. A move is played when the next one is
        requested."""
        turn, state = 0, self.state
        while not state.over:
            player = state.to_act[chance.draw(self.source, len(state.to_act)) if len(state.to_act) > 1 else 0]
            actions = ask(self.players[player], state, player, turn).actions
            yield player, actions
            state.play_actions(player, actions)
            turn += 1
