"""Decisions of simulated games: the view of the seat, its legal actions, and the action that it chose.

If bots run in compiled code, the games of a simulation are recorded by `engine.observe.recording`. If bots run in
Python, their decisions are recorded one by one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import compile_rules
from fairdeal.engine.observe.recording import DECISION, Decisions, record_games
from fairdeal.engine.records import blank_array
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State, Table
from fairdeal.lab.simulate.jobs import Order
from fairdeal.lab.simulate.simulation import Games, ask_games, blank_games, laid_out

ROOM = 1 << 24
"""Maximum number of bytes of states recorded together. A game that needs more is recorded separately."""

CHOICES = 24
"""Expected average number of legal actions for each decision, for which memory is reserved."""


NOTED = ("game", "move", "legal_end", "step", "action", "seat", "bot")
"""The fields of a decision, in the order in which they are recorded."""


@dataclass
class Notes:
    """Decisions recorded from bots that run in Python."""

    views: list[bytes] = field(default_factory=list)
    rows: list[tuple[int, ...]] = field(default_factory=list)
    legal: list[int] = field(default_factory=list)

    def note(
        self, state: State, game: int, move: int, seat: int, bot: int, recall: int, actions: Sequence[int]
    ) -> None:
        """Record a complete move of a seat, action by action."""
        trial = state.copy()
        for step, action in enumerate(actions):
            self.views.append(trial.view(seat, recall).record.tobytes())
            self.legal += trial.legal_actions(seat)
            self.rows.append((game, move, len(self.legal), step, action, seat, bot))
            trial.play_actions(seat, [action])

    def decisions(self, table: Table) -> Decisions:
        views = np.frombuffer(bytearray().join(self.views), table.game.state)
        rows = np.zeros(len(self.rows), DECISION)
        for name, values in zip(NOTED, zip(*self.rows, strict=True), strict=False):
            rows[name] = values
        return Decisions(views, rows, np.array(self.legal, np.int16))


def record_part(order: Order, first: int, end: int) -> Iterator[tuple[Games, Decisions]]:
    """Play the games from number `first` up to, but not including, `end`. Yield a few games at a time, with their
    decisions."""
    while first < end:
        part = blank_games(order.bots, end - first)
        if order.is_compiled:
            made = recorded(order, first, part)
        else:
            notes = Notes()
            ask_games(order, first, part, notes.note)
            made = notes.decisions(order.table)
        games = int(made.rows["game"][-1]) + 1 - first
        yield Games(order.bots, part.scores[:games], part.lengths[:games], part.forfeits), made
        first += games


def recorded(order: Order, first: int, part: Games) -> Decisions:
    """Fill in games from number `first`, played in compiled code: as many as fit, but at least one. Return their
    decisions."""
    game, desk = order.table.game, laid_out(order)
    many = 1 + ROOM // game.state.itemsize
    while True:
        views, rows = blank_array(game.state, many), blank_array(DECISION, many)
        made = Decisions(views, rows, np.zeros(many * CHOICES + len(desk.actions), np.int16))
        games, end, legal_end = recorder_of(game.name)(desk, first, made, part.scores, part.lengths)
        if games or not len(part.scores):
            return Decisions(views[:end], rows[:end], made.legal[:legal_end])
        many *= 2


@cache
def recorder_of(name: str) -> Callable[..., tuple[int, int, int]]:
    """Return the function `record_games` of a game, by its name. It is compiled after the rules, when it is first
    called."""
    game = find_game(name)
    there, contract = compiled.compiled(game).twins, compiled.contract_of(game)
    return compile_rules(game.name, game.state, {"record_games": record_games}, contract, there)["record_games"]
