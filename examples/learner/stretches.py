"""The decisions between two learning steps, and their advantages, in NumPy only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.observe.layout import Layout

LAMBDA = 0.95
"""Share of the gains of later decisions that is credited to an earlier one (lambda)."""

Array = NDArray[Any]


@dataclass
class Stretch:
    """Decisions of all games of a batch, in order, as arrays of shape (steps, games, ...): observations, legal actions,
    chosen actions, their log-probabilities, estimated values for the deciding player, and that player; then the reward
    of each seat, and whether the game was over."""

    seen: Array
    mask: Array
    action: Array
    likely: Array
    value: Array
    player: Array
    reward: Array
    done: Array

    @classmethod
    def blank(cls, steps: int, games: int, inputs: int, actions: int, players: int) -> Stretch:
        shape = (steps, games)
        return cls(
            seen=np.zeros((*shape, inputs), np.float32),
            mask=np.zeros((*shape, actions), np.bool_),
            action=np.zeros(shape, np.int64),
            likely=np.zeros(shape, np.float32),
            value=np.zeros(shape, np.float32),
            player=np.zeros(shape, np.int64),
            reward=np.zeros((*shape, players), np.float32),
            done=np.zeros(shape, np.bool_),
        )


def advantages(stretch: Stretch, players: int) -> tuple[Array, Array]:
    """Return the generalised advantage of each decision (Schulman et al., 2016), from a seat's decision to its next
    one, and the target values. The last decision of a seat keeps its estimate if the stretch ends during the game."""
    steps, games = stretch.action.shape
    rows = np.arange(games)
    following, gained = np.zeros((games, players), np.float32), np.zeros((games, players), np.float32)
    known = np.zeros((games, players), np.bool_)
    found = np.zeros((steps, games), np.float32)
    for step in reversed(range(steps)):
        over = stretch.done[step]
        following[over], gained[over], known[over] = stretch.reward[step, over], 0.0, True
        seat, value = stretch.player[step], stretch.value[step]
        surprise = np.where(known[rows, seat], following[rows, seat] - value, 0.0)
        found[step] = surprise + LAMBDA * gained[rows, seat]
        gained[rows, seat], following[rows, seat], known[rows, seat] = found[step], value, True
    return found, found + stretch.value


@dataclass(frozen=True)
class Inputs:
    """The inputs of a network for an observation. `column` is the input to which each number is added, and `rounds` are
    the inputs and numbers that are added one after the other."""

    column: Array
    count: int
    rounds: tuple[tuple[Array, Array], ...]

    @classmethod
    def of(cls, layout: Layout, alike: Sequence[str]) -> Inputs:
        """Return the inputs for a layout. In the planes `alike`, the second last dimension counts places without an
        order, such as those of a pile, which share their inputs."""
        column, count = np.zeros(layout.size, np.int64), 0
        for plane in layout.planes:
            shape = (*plane.shape[:-2], 1, plane.shape[-1]) if plane.name in alike else plane.shape
            inputs = count + np.arange(np.prod(shape, dtype=np.int64)).reshape(shape)
            column[plane.place] = np.broadcast_to(inputs, plane.shape).reshape(-1)
            count += inputs.size
        before = np.array([np.count_nonzero(column[:place] == column[place]) for place in range(layout.size)])
        rounds = [np.flatnonzero(before == number) for number in range(before.max() + 1)]
        return cls(column, count, tuple((column[places], places) for places in rounds))

    def told(self, observations: Array) -> Array:
        """Return the inputs for observations, with one row for each."""
        found = np.zeros((len(observations), self.count), np.float32)
        for inputs, places in self.rounds:
            found[:, inputs] += observations[:, places]
        return found
