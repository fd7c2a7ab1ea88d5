"""The time that a part of a game may take by the game's own rules, such as a round of a tournament."""

from __future__ import annotations

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import HOUSE
from fairdeal.engine.state import State

CLOCK = "clock"
"""What the house says when the time is over."""


class RoundClock:
    """Runs while the game says that there is a limit. A program looks at it after every move and, when the time is
    over, has the house play `CLOCK`."""

    def __init__(self) -> None:
        self.deadline: float | None = None

    def look(self, state: State, now: float) -> float | None:
        """When the time is over, in the seconds of `now`; None if none runs."""
        seconds = 0 if state.over else state.game.limit(state.record)
        if not seconds:
            self.deadline = None
        elif self.deadline is None:
            self.deadline = now + seconds
        return self.deadline

    def time_is_over(self, state: State, now: float) -> tuple[int, ...] | None:
        """The actions of the house, if its time has come."""
        deadline = self.look(state, now)
        if deadline is None or now < deadline:
            return None
        self.deadline = None
        try:
            return state.read_move(HOUSE, CLOCK)
        except FairdealError:  # it came too late to matter
            return None
