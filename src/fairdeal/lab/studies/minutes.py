"""A model of the time that people take for a game.

A decision takes `LOOK` seconds, plus `BIT` seconds for every doubling of the number of choices (W. E. Hick, "On the
rate of gain of information", 1952). A step without a choice takes `NOTHING` seconds. Seats that act at the same time
think at the same time. Watching a move takes `SEEN` seconds, and setting up the cards takes `SET_UP` seconds in each
game.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from fairdeal.engine.scene import Scene
from fairdeal.engine.state import State

LOOK, BIT, NOTHING, SEEN, SET_UP = 2.0, 1.5, 0.5, 1.0, 30.0
"""Times of the model, in seconds."""


def thought(choices: int) -> float:
    """Return the number of seconds that a person takes for a decision with `choices` choices."""
    return LOOK + BIT * math.log2(choices) if choices > 1 else NOTHING


def choices_of(state: State, player: int, actions: Sequence[int], scene: Scene | None = None) -> Iterator[int]:
    """Yield the number of choices at each step of a move, as offered on the screen, without rarely used ones. `scene`
    is the player's scene, if it has already been drawn."""
    shown = scene or state.scene(player)
    yield len({choice.id for choice in shown.choices if choice.rank == 0})
    trial = state.copy()
    for action in actions[:-1]:
        trial.apply(player, action)
        yield len(trial.legal_actions(player))


def minutes_of(steps: Iterable[tuple[int, int]]) -> float:
    """Return the duration of a game in minutes, given the numbers of choices and of simultaneous deciders at each
    step."""
    return (SET_UP + sum((thought(choices) + SEEN) / together for choices, together in steps)) / 60
