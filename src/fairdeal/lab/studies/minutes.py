"""How long a game takes people.

A decision takes `LOOK` seconds, and `BIT` more for every doubling of the choices (W. E. Hick, "On the rate of gain of
information", 1952); where there is nothing to choose, `NOTHING`. Seats that act at the same time think at the same
time. Then everybody sees what the move did: `SEEN`. Cards are laid out once a game: `SET_UP`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from fairdeal.engine.scene import Scene
from fairdeal.engine.state import State

LOOK, BIT, NOTHING, SEEN, SET_UP = 2.0, 1.5, 0.5, 1.0, 30.0
"""Seconds."""


def thought(choices: int) -> float:
    """Seconds that a person takes for a decision among so many choices."""
    return LOOK + BIT * math.log2(choices) if choices > 1 else NOTHING


def choices_of(state: State, player: int, actions: Sequence[int], scene: Scene | None = None) -> Iterator[int]:
    """The number of choices at each step of a move, as the screen offers them. What is rarely wanted does not count.
    `scene` is the player's, if it is at hand."""
    shown = scene or state.scene(player)
    yield len({choice.id for choice in shown.choices if choice.rank == 0})
    trial = state.copy()
    for action in actions[:-1]:
        trial.apply(player, action)
        yield len(trial.legal_actions(player))


def minutes_of(steps: Iterable[tuple[int, int]]) -> float:
    """Minutes of a game: of every step the number of choices, and how many decide at the same time."""
    return (SET_UP + sum((thought(choices) + SEEN) / together for choices, together in steps)) / 60
