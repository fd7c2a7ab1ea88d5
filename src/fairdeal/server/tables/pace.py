"""Clocks and bots: how long everybody has, and what a table does next by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from fairdeal.bots.bots import Bot
from fairdeal.bots.registry import STAND_IN, find_bot
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.state import State
from fairdeal.server.tables import windows
from fairdeal.server.tables.seats import Seats
from fairdeal.table import fairness
from fairdeal.table.clocks import Reflexes, RoundClock, TurnClocks, lasts
from fairdeal.table.sitting import PERSON, Sitting

SPEEDS = {"slow": 2.0, "normal": 1.0, "instant": 0.0}
"""How many times as long as usual a bot takes."""


class Pace:
    """`seconds` is what a person has for a move, 0 for no clock; `pause` is what a bot takes; `calm` makes races calm,
    whoever plays. Times are in the seconds of `now`."""

    def __init__(self, seats: Seats, seconds: int, pause: float, now: Callable[[], float], calm: bool = False) -> None:
        self.seats, self.pause, self.now = seats, pause, now
        self.usual_pause = pause
        self.always_calm = calm
        self.clocks, self.round_clock, self.reflexes = TurnClocks(seconds), RoundClock(), Reflexes()
        self.windows = windows.Windows()
        self.bots: dict[int, Bot] = {}

    # --- clocks ---------------------------------------------------------------------------------------------

    @property
    def is_calm(self) -> bool:
        """Are races calm: was the table opened so, or does one of its guests wish for it?"""
        return self.always_calm or self.seats.wish_for_calm

    def look_at_wishes(self, sitting: Sitting) -> None:
        """Who plays has changed, or what they wish for: the time of a race is the same for all."""
        self.round_clock.be_calm(sitting.state, self.is_calm)
        self.reflexes.calm = self.is_calm

    def people_to_act(self, sitting: Sitting) -> list[int]:
        """Who has a clock: bots need none, but a guest for whom a bot plays keeps theirs."""
        if not self.clocks.seconds or sitting.over:
            return []
        return [seat for seat in sitting.state.to_act if self.seats[seat].plays == PERSON]

    def look(self, sitting: Sitting, now: float | None = None) -> None:
        """Start the time of everybody who may act now; a time that runs goes on."""
        seconds = self.begins if now is None else now
        self.round_clock.look(sitting.state, seconds)
        self.clocks.look(self.people_to_act(sitting), seconds)

    def is_late(self, seat: int, now: float | None = None) -> bool:
        """Is a seat's time over?"""
        deadline = self.clocks.deadlines.get(seat)
        return deadline is not None and deadline <= (self.now() if now is None else now)

    def moved(self, sitting: Sitting, seat: int, now: float | None = None) -> None:
        """A seat has moved; whoever is next begins when they are shown it."""
        self.reflexes.moved(seat)
        begins = self.begins if now is None else now
        self.clocks.moved(seat, self.people_to_act(sitting), self.now() if now is None else now, begins)

    @property
    def begins(self) -> float:
        """When a time that is given now begins: when all that is shown before it has been."""
        return max(self.now(), self.windows.ends)

    def entered(self, sitting: Sitting, before: State, seat: int, actions: Sequence[int]) -> None:
        """A move was made: windows open and close. Where bots take no time, a window takes none either."""
        seconds = windows.SECONDS if self.pause else 0.0
        self.windows.entered(sitting, before, seat, actions, seconds, self.now())

    def taken_back(self, sitting: Sitting, now: float | None = None) -> None:
        """The last move was taken back."""
        self.clocks.taken_back(self.people_to_act(sitting), self.now() if now is None else now)
        if now is None:
            self.windows.read_again(sitting, self.now())

    def read_again(self, sitting: Sitting) -> None:
        """The times so far were Unix times, from the kept entries; from here on they are in the seconds of `now`."""
        self.windows.read_again(sitting, self.now())
        self.clocks.read_again(time.time(), self.now())
        self.round_clock.read_again(time.time(), self.now(), sitting.state)

    def take_over(self, kept: Pace) -> None:
        """Be as this one is, which was read again from what is kept."""
        self.clocks, self.round_clock, self.bots = kept.clocks, kept.round_clock, kept.bots
        self.reflexes.calm = kept.reflexes.calm
        self.windows = kept.windows

    def time_of(self, viewer: int, sitting: Sitting) -> tuple[float, float] | None:
        """When a seat's time is over, or that of the round, whichever is first, and how many seconds it has in all."""
        times = []
        if viewer in self.clocks.deadlines:
            times.append((self.clocks.deadlines[viewer], self.clocks.seconds))
        if self.round_clock.deadline is not None:
            times.append((self.round_clock.deadline, lasts(sitting.state, self.round_clock.calm)))
        return min(times, default=None)

    @property
    def deadline(self) -> float | None:
        """When the next clock runs out: a seat's, or that of the round."""
        round_ends = self.round_clock.deadline
        return min([*self.clocks.deadlines.values(), *([round_ends] if round_ends else [])], default=None)

    @property
    def wakes(self) -> float | None:
        """When the table looks again by itself: at a clock that runs out, or when a window closes."""
        times = [when for when in (self.deadline, self.windows.closes) if when is not None]
        return min(times, default=None)

    def go_at(self, speed: str) -> None:
        """Where a person plays against bots alone, let the bots take so long. Raises FairdealError elsewhere."""
        if sum(place.plays == PERSON for place in self.seats) != 1:
            raise FairdealError("only bots play at your speed; people take their time")
        self.pause = SPEEDS[speed] * self.usual_pause

    # --- bots -----------------------------------------------------------------------------------------------

    def seat_bots(self, sitting: Sitting) -> None:
        """Bots at their own seats and for those who are away."""
        for place in self.seats:
            wanted = place.plays if place.plays != PERSON else STAND_IN if place.stand_in else None
            if wanted is None:
                self.bots.pop(place.seat, None)
            elif place.seat not in self.bots:
                key = fairness.bot_key(sitting.seed, place.seat)
                self.bots[place.seat] = find_bot(wanted, sitting.table, place.seat, key)

    def next_bot(self, sitting: Sitting) -> tuple[float, int] | None:
        """When the next bot moves, and which."""
        return self.reflexes.next(sitting.state, self.bots, self.pause, self.begins)

    def goes_on(self, sitting: Sitting) -> bool:
        """Does the table go on by itself: is a bot to act, or does a clock run?"""
        return any(seat in self.bots for seat in sitting.state.to_act) or self.wakes is not None
