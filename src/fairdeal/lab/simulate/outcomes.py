"""What is known of many games when they are over: the scores by seat, how long they were, and who moved first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.state import Table
from fairdeal.lab.simulate.executors import Jobs, in_order, workers_for
from fairdeal.lab.simulate.following import chance_of, dealt
from fairdeal.lab.simulate.jobs import Order, order_of
from fairdeal.lab.simulate.simulation import CHUNK, FEW, is_compiled, play_part, seats_of, wins_of

Progress = Callable[[int], None]
"""Is told how many more games are done."""

NOBODY = -1
"""Instead of the seat that moved first, where several may act at the beginning."""


def nobody(games: int) -> None:
    """Nobody wants to know how far it is."""


@dataclass(frozen=True)
class Outcomes:
    """Of every game, a row: the scores of all seats; its moves; the seat that moved first. `bots` sit as simulations
    seat them: bot (seat + number of the game) % players at a seat."""

    bots: tuple[str, ...]
    scores: NDArray[np.float64]
    moves: NDArray[np.int64]
    first: NDArray[np.int64]

    @property
    def players(self) -> int:
        return int(self.scores.shape[1])

    @property
    def wins(self) -> NDArray[np.float64]:
        """The share of the first place of every seat."""
        return wins_of(self.scores)

    @property
    def has_order(self) -> bool:
        """Does somebody move first in every game?"""
        return self.players > 1 and bool((self.first != NOBODY).all())

    def by_order(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values of seats with a column for the first to move, the next one clockwise, and so on."""
        seats = (self.first[:, None] + np.arange(self.players)) % self.players
        return np.take_along_axis(values, seats, axis=1)

    def by_bot(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same with a column for each of the bots."""
        return np.take_along_axis(values, seats_of(*values.shape), axis=1)


def joined(parts: Sequence[Outcomes]) -> Outcomes:
    """Games that were played one after another."""
    return Outcomes(
        parts[0].bots,
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.moves for part in parts]),
        np.concatenate([part.first for part in parts]),
    )


def play_from(
    table: Table,
    bots: tuple[str, ...],
    seed: int | str,
    first: int,
    last: int,
    jobs: Jobs,
    progress: Progress = nobody,
) -> Outcomes:
    """Play the games from number `first` to before `last`. The same numbers, table, bots and seed are the same games;
    with other bots the same deals."""
    found = []
    with workers_for(jobs) as workers:
        size = workers.part_size(last - first, CHUNK if is_compiled(table, bots) else FEW)
        for part in in_order(workers, partial(play_outcomes, order_of(table, bots, seed)), first, last, size):
            found.append(part)
            progress(len(part.moves))
    return joined(found)


def play_outcomes(order: Order, first: int, last: int) -> Outcomes:
    """One part of them."""
    played = play_part(order, first, last)
    return Outcomes(
        order.bots, played.scores, played.lengths[:, 0], first_to_move(order.table, order.seed, first, last)
    )


def first_to_move(table: Table, seed: int | str, first: int, last: int) -> NDArray[np.int64]:
    """The seat that moves first in each of these games."""
    master = chance_of(seed)
    acting = (dealt(table, master, number).to_act for number in range(first, last))
    return np.array([seats[0] if len(seats) == 1 else NOBODY for seats in acting], np.int64)
