"""Outcomes of many games: the scores by seat, the numbers of moves, and the seats that moved first."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.kit import chance
from fairdeal.engine.state import Table
from fairdeal.lab.simulate.executors import Jobs
from fairdeal.lab.simulate.following import dealt
from fairdeal.lab.simulate.jobs import Order
from fairdeal.lab.simulate.simulation import Progress, nobody, parts, play_part, seats_of, wins_of

NOBODY = -1
"""The value that stands for the first seat to move if several seats may act at the beginning."""


@dataclass(frozen=True)
class Outcomes:
    """The scores of all seats, the number of moves and the seat that moved first, with a row for each game. As in
    simulations, bot (seat + number of the game) % players plays at seat `seat`."""

    bots: tuple[str, ...]
    scores: NDArray[np.float64]
    moves: NDArray[np.int64]
    first: NDArray[np.int64]

    @property
    def players(self) -> int:
        return int(self.scores.shape[1])

    @property
    def wins(self) -> NDArray[np.float64]:
        """Each seat's share of first place."""
        return wins_of(self.scores)

    @property
    def has_order(self) -> bool:
        """Whether one seat moves first in every game."""
        return self.players > 1 and bool((self.first != NOBODY).all())

    def by_order(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rearrange values by game (first) and seat (last) by order of play: the seat that moves first, the next seat
        clockwise, and so on."""
        seats = (self.first[:, None] + np.arange(self.players)) % self.players
        between = range(1, values.ndim - 1)
        return np.take_along_axis(values, np.expand_dims(seats, tuple(between)), axis=-1)

    def by_bot(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rearrange values by seat into columns by bot."""
        return np.take_along_axis(values, seats_of(*values.shape), axis=1)


def joined(found: Sequence[Outcomes]) -> Outcomes:
    """Join the outcomes of consecutive games."""
    return Outcomes(
        found[0].bots,
        np.concatenate([part.scores for part in found]),
        np.concatenate([part.moves for part in found]),
        np.concatenate([part.first for part in found]),
    )


def play_from(order: Order, first: int, last: int, jobs: Jobs, progress: Progress = nobody) -> Outcomes:
    """Play the games of an order from number `first` up to, but not including, `last`. The same numbers, table, bots
    and seeds give the same games. The deals do not depend on the bots."""
    return joined([*parts(order, first, last, jobs, play_outcomes, progress)])


def play_outcomes(order: Order, first: int, last: int) -> Outcomes:
    """Play one part of an order's games, from number `first` up to, but not including, `last`."""
    played = play_part(order, first, last)
    return Outcomes(
        order.bots, played.scores, played.lengths[:, 0], first_to_move(order.table, order.seed, first, last)
    )


def first_to_move(table: Table, seed: int | str, first: int, last: int) -> NDArray[np.int64]:
    """Return the seat that moves first in each of these games."""
    master = chance.seeded(seed)
    acting = (dealt(table, master, number).to_act for number in range(first, last))
    return np.array([seats[0] if len(seats) == 1 else NOBODY for seats in acting], np.int64)
