"""A single game of a simulation, played move by move in Python. The seed and the number of the game determine the
deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairdeal.bots.bots import ask
from fairdeal.bots.registry import find_bot
from fairdeal.engine.compile import compiled
from fairdeal.engine.kit import chance
from fairdeal.engine.records import Record, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import State, Table


def dealt(table: Table, master: Record, number: int) -> State:
    """Return the game with this number, directly after the deal."""
    state = table.blank()
    chance.derive(state.record.chance, master, 2 * number)
    compiled.rules_of(table.game).deal(state.record)
    return state


class Followed:
    """A game directly after the deal. As in simulations, bot (seat + number) % players plays at seat `seat`."""

    def __init__(self, table: Table, bots: Sequence[str], seed: int | str, number: int) -> None:
        master = chance.seeded(seed)
        self.state, self.source = dealt(table, master, number), new(chance_record)
        chance.derive(self.source, master, 2 * number + 1)
        who = [(seat + number) % table.players for seat in range(table.players)]
        self.players = [
            find_bot(bots[bot], table, seat, chance.key_of(f"{seed} game {number} bot {bot}"))
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
