"""A game that is played one action at a time, by one seat at a time. It is the common base of all environments.

If several seats may act at once, the next one is drawn with equal probability (`engine.drivers.acting_player`), by a
generator derived from the seed. Until a move of several actions is complete, only its own seat knows about it.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.compile import compiled
from fairdeal.engine.drivers import acting_player
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit import chance
from fairdeal.engine.records import NOBODY, copied, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import State, Table

SHOWN = 12
"""Maximum number of legal actions named in an error message."""


def drawn_seed(source: np.random.Generator) -> int:
    """Return a random seed for the next game."""
    return int(source.integers(2**62))


class Turns:
    """A game in progress.

    `player` is the seat to act, or NOBODY before the deal and after the end. `moves` is the number of complete moves.
    `draft` contains the actions of an unfinished move, and `moment` is the state before them.
    """

    def __init__(self, table: Table) -> None:
        compiled.compiled(table.game)
        self.table = table
        self.order = new(chance_record)
        self.moment = self.state = table.blank()
        self.draft: tuple[int, ...] = ()
        self.moves = 0
        self.player = NOBODY

    def deal(self, seed: int | str | bytes) -> None:
        """Begin a new game with the cards of `Table.deal(seed)`."""
        self.order = chance.seeded(b"order " + chance.key_of(seed))
        self.state, self.moves = self.table.deal(seed), 0
        self.begin_move()

    @property
    def over(self) -> bool:
        return self.state.over

    def begin_move(self) -> None:
        self.moment, self.draft = self.state, ()
        self.player = NOBODY if self.over else acting_player(self.state.record, self.order)

    def legal_actions(self, player: int) -> list[int]:
        """Return the legal actions of a seat. A seat that is not to act has none."""
        return self.state.legal_actions(player) if player == self.player != NOBODY else []

    def mask(self, player: int) -> NDArray[np.int8]:
        """Return a mask with 1 for each legal action of a seat, and 0 for all other actions."""
        found = np.zeros(len(self.table.game.actions), np.int8)
        found[self.legal_actions(player)] = 1
        return found

    def act(self, action: int | None) -> None:
        """Carry out an action of the seat to act. If it is illegal, raises IllegalMove and changes nothing."""
        if action is None or action not in self.legal_actions(self.player):
            raise self.refusal(action)
        if self.state is self.moment:
            self.state = self.moment.copy()
        compiled.rules_of(self.table.game).apply(self.state.record, self.player, int(action))
        self.draft += (int(action),)
        if not self.state.composing:
            self.moves += 1
            self.begin_move()

    def refusal(self, action: int | None) -> IllegalMove:
        """Return the error for an illegal action, with the reason."""
        if self.player == NOBODY:
            return IllegalMove(f"action {action}", "the game is over" if self.over else "no game has been dealt")
        label = self.table.game.actions.label
        legal = self.legal_actions(self.player)
        known = [f"{one} ({label(one)})" for one in legal[:SHOWN]] + ["…"] * (len(legal) > SHOWN)
        return IllegalMove(f"action {action}", f"the legal actions of seat {self.player} are {', '.join(known)}")

    def view(self, player: int, recall: int) -> State:
        """Return the view of a seat, or of SPECTATOR, with a memory of `recall` percent."""
        return self.state.view(player, recall)

    def table_seen_by(self, player: int) -> State:
        """Return the view of a seat, without memory, before the unfinished move. It is used for rendering."""
        return self.moment.view(player, 0)

    def __copy__(self) -> Turns:
        """Return an independent copy. It shares `moment`, which never changes."""
        twin = Turns.__new__(Turns)
        twin.__dict__.update(self.__dict__)
        twin.order = copied(self.order)
        if self.state is not self.moment:
            twin.state = self.state.copy()
        return twin

    def __deepcopy__(self, known: Any) -> Turns:
        return copy(self)

    def __setstate__(self, parts: dict[str, object]) -> None:
        """Restore a pickled game in progress, with compiled rules."""
        self.__dict__.update(parts)
        compiled.compiled(self.table.game)
