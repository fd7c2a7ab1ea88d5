"""Time in live play: what a part of a game may take by the game's own rules, and when bots answer."""

from __future__ import annotations

import random
from collections.abc import Container

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


class Reflexes:
    """When each bot answers. Where one acts after another, a bot takes the program's pause; where a game says how quick
    they are, such as in a race, every bot that may act draws its own time."""

    def __init__(self) -> None:
        self.due: dict[int, tuple[float, tuple[float, float]]] = {}

    def next(self, state: State, bots: Container[int], pause: float, now: float) -> tuple[float, int] | None:
        """The bot that moves next, and when; None if no bot may act. Without a pause nobody waits."""
        acting = [seat for seat in state.to_act if seat in bots]
        if not acting or not pause:
            self.due.clear()
            return (now, acting[0]) if acting else None
        tempo = state.game.tempo(state.record)
        low, high = tempo if tempo[1] else (pause, pause)
        racing = acting if tempo[1] else acting[:1]
        kept = {seat: due for seat, due in self.due.items() if seat in racing and due[1] == tempo}
        self.due = {seat: kept.get(seat) or (now + random.uniform(low, high), tempo) for seat in racing}
        return min((when, seat) for seat, (when, _) in self.due.items())

    def moved(self, seat: int) -> None:
        """This seat has moved; if it may act again, it thinks anew."""
        self.due.pop(seat, None)
