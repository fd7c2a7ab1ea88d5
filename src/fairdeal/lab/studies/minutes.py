"""A model of the time that people take for a game.

A decision takes `LOOK` seconds, and `BIT` more for every doubling of the choices (W. E. Hick, "On the rate of gain of
information", 1952); a step without a choice takes `NOTHING`. Seats that act at the same time think at the same time.
Then everybody watches the move: `SEEN`. Cards are laid out once per game: `SET_UP`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from fairdeal.engine.scene import Scene
from fairdeal.engine.state import State

LOOK, BIT, NOTHING, SEEN, SET_UP = 2.0, 1.5, 0.5, 1.0, 30.0
"""Times of the model, in seconds."""


def thought(choices: int) -> float:
    """Return the seconds that a person takes for a decision with this number of choices."""
    return LOOK + BIT * math.log2(choices) if choices > 1 else NOTHING


def choices_of(state: State, player: int, actions: Sequence[int], scene: Scene | None = None) -> Iterator[int]:
    """Yield the number of choices at each step of a move, as the screen offers them, without rarely used ones. `scene`
    is the player's scene, if it has been drawn."""
    shown = scene or state.scene(player)
    yield len({choice.id for choice in shown.choices if choice.rank == 0})
    trial = state.copy()
    for action in actions[:-1]:
        trial.apply(player, action)
        yield len(trial.legal_actions(player))


def minutes_of(steps: Iterable[tuple[int, int]]) -> float:
    """Return the minutes of a game, from the number of choices and of simultaneous deciders at every step."""
    return (SET_UP + sum((thought(choices) + SEEN) / together for choices, together in steps)) / 60
