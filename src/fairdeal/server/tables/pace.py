"""The clocks and bots of a table: time limits, and the next automatic event."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fairdeal.bots.bots import Bot
from fairdeal.bots.registry import STAND_IN, find_bot
from fairdeal.engine.state import State
from fairdeal.server.tables import windows
from fairdeal.server.tables.seats import Seats
from fairdeal.table import fairness
from fairdeal.table.clocks import DAY, SOON, Reflexes, RoundClock, TurnClocks, lasts
from fairdeal.table.sitting import PERSON, Sitting
from fairdeal.table.undo import OFFERED

SPEEDS = {"slow": 2.0, "normal": 1.0, "instant": 0.0}
"""Speeds of bots, as multiples of their usual pause."""


class Rest(NamedTuple):
    """The seconds left on the clocks of a paused table, after `entries` entries: of the turn, and of the round."""

    entries: int
    turn: float | None = None
    round: float | None = None


class Pace:
    """The clocks and bots of a table.

    seconds  time limit of a person for a move, in seconds; 0 for no clock
    pause    pause before the move of a bot, in seconds
    clock    function that returns the time in seconds
    calm     whether races are calm, regardless of the players

    All times of the table refer to `now`, which stands still while the table is paused.
    """

    def __init__(self, seats: Seats, seconds: int, pause: float, clock: Callable[[], float], calm: bool) -> None:
        self.seats, self.pause, self.clock = seats, pause, clock
        self.paused_at: float | None = None  # by `clock`
        self.paused_for = 0.0  # seconds in all pauses before
        self.usual_pause, self.factor = pause, 1.0
        self.always_calm = calm
        self.clocks, self.round_clock, self.reflexes = TurnClocks(seconds), RoundClock(), Reflexes()
        self.windows = windows.Windows()
        self.bots: dict[int, Bot] = {}

    # --- pauses ---------------------------------------------------------------------------------------------

    def now(self) -> float:
        """Return the time of the table."""
        return (self.clock() if self.paused_at is None else self.paused_at) - self.paused_for

    @property
    def is_still(self) -> bool:
        """Whether the time of the table stands still."""
        return self.paused_at is not None

    def stand_still(self, still: bool) -> bool:
        """Stop the time of the table, or let it go on. Return whether that is a change."""
        if still == self.is_still:
            return False
        if self.paused_at is None:
            self.paused_at = self.clock()
        else:
            self.paused_for += self.clock() - self.paused_at
            self.paused_at = None
        return True

    def rest(self, sitting: Sitting) -> Rest | None:
        """Return the time left on the clocks, or None if no clock runs."""
        turn = min((when - self.now() for when in self.clocks.deadlines.values()), default=None)
        ends = self.round_clock.deadline
        if turn is None and ends is None:
            return None
        return Rest(len(sitting.log.entries), turn, None if ends is None else ends - self.now())

    # --- clocks ---------------------------------------------------------------------------------------------

    @property
    def is_calm(self) -> bool:
        """Whether races are calm, because the table was opened with calm races or because a player asked for them."""
        return self.always_calm or self.seats.wish_for_calm

    def look_at_wishes(self, sitting: Sitting) -> None:
        """Update races after the players or their settings have changed. All players in a race have the same time
        limit."""
        self.round_clock.be_calm(sitting.state, self.is_calm)
        self.reflexes.calm = self.is_calm

    def people_to_act(self, sitting: Sitting) -> list[int]:
        """Return the seats to act that have a clock: those of people, including absent guests replaced by a bot."""
        if not self.clocks.seconds or sitting.over:
            return []
        return [seat for seat in sitting.state.to_act if not self.seats[seat].is_for_bot]

    def start_clocks(self, sitting: Sitting, now: float | None = None) -> None:
        """Start the time of every seat that may act and whose time is not running."""
        seconds = self.begins if now is None else now
        self.round_clock.update(sitting.state, seconds)
        self.clocks.start(self.people_to_act(sitting), seconds)

    def moved(self, sitting: Sitting, seat: int, now: float | None = None) -> None:
        """Record that a seat has moved. The time of the next seat starts when the move is shown to it."""
        self.reflexes.moved(seat)
        begins = self.begins if now is None else now
        self.clocks.moved(seat, self.people_to_act(sitting), self.now() if now is None else now, begins)

    @property
    def begins(self) -> float:
        """The time at which the next turn starts, which is after everything queued in windows has been shown."""
        return max(self.now(), self.windows.ends)

    def entered(self, sitting: Sitting, before: State, seat: int, actions: Sequence[int], made: float) -> None:
        """Open and close windows after a move that was requested at time `made`."""
        self.time_windows()
        self.windows.entered(sitting, before, seat, actions, self.now(), made)
        self.hurry(sitting, made)

    def time_windows(self) -> None:
        """Set the duration of windows. If bots have no pause, a window has no minimum duration. If only one person
        plays, steps are shorter and their number is not random, because bots do not measure time."""
        self.windows.draws = not self.is_of_one
        seconds = windows.SECONDS if self.windows.draws else windows.SECONDS_ALONE
        self.windows.step = seconds if self.pause else 0.0

    def passes(self, sitting: Sitting, seat: int) -> None:
        """Record that a seat passes in the current window, whether or not it is asked."""
        self.windows.passed[seat] = self.now()
        self.hurry(sitting, self.now())

    def hurry(self, sitting: Sitting, now: float) -> None:
        """End a window at its next step if all people who could be asked have passed, so that the following turns start
        earlier."""
        people = {place.seat for place in self.seats if not place.is_for_bot and not place.stand_in}
        if self.windows.hurry(people, now):
            self.clocks.begin(self.begins)
            self.round_clock.begin(sitting.state, self.begins)
            self.reflexes.due.clear()

    def passing(self, sitting: Sitting) -> tuple[int, float] | None:
        """Return the seat that is asked in the current window and has passed in advance, and the time since which both
        have been true. Return None if there is none."""
        asked, passed = sitting.state.to_act if self.windows.is_asking else (), self.windows.passed
        return next(((seat, max(passed[seat], self.windows.asked)) for seat in asked if seat in passed), None)

    def taken_back(self, sitting: Sitting, count: int, now: float | None = None) -> None:
        """Record that the last `count` moves were undone."""
        self.reflexes.due.clear()
        self.clocks.taken_back(self.people_to_act(sitting), self.now() if now is None else now, count)
        if now is None:
            self.time_windows()
            self.windows.read_again(sitting, self.now())

    def read_again(self, sitting: Sitting, rest: Rest | None) -> None:
        """Convert all times after a replay from the Unix times of the stored entries to the seconds of `now`. `rest` is
        the time that was left when the table was paused last, which counts unless an entry was made since then."""
        self.time_windows()
        self.windows.read_again(sitting, self.now())
        self.clocks.read_again(time.time(), self.now())
        self.round_clock.read_again(time.time(), self.now(), sitting.state)
        if rest and rest.entries == len(sitting.log.entries):
            if rest.turn is not None:
                self.clocks.deadlines = dict.fromkeys(self.clocks.deadlines, self.now() + rest.turn)
            if rest.round is not None and self.round_clock.deadline is not None:
                self.round_clock.deadline = self.now() + rest.round

    def take_over(self, kept: Pace) -> None:
        """Take over the time, clocks, windows and bots of `kept`, which was rebuilt from the database."""
        self.paused_at, self.paused_for = kept.paused_at, kept.paused_for
        self.clocks, self.round_clock, self.bots = kept.clocks, kept.round_clock, kept.bots
        self.reflexes.calm = kept.reflexes.calm
        self.windows = kept.windows

    def time_of(self, viewer: int, sitting: Sitting) -> tuple[float, float] | None:
        """Return the deadline of a seat or of the round, whichever is earlier, and the total time in seconds. Return
        None if there is no deadline."""
        times = []
        if viewer in self.clocks.deadlines:
            times.append((self.clocks.deadlines[viewer], self.clocks.seconds))
        if self.round_clock.deadline is not None:
            times.append((self.round_clock.deadline, lasts(sitting.state, self.round_clock.calm)))
        return min(times, default=None)

    @property
    def deadline(self) -> float | None:
        """The time at which the next clock of a seat or of the round runs out, or None. A clock in days counts only
        when that is SOON."""
        round_ends, latest = self.round_clock.deadline, self.now() + SOON
        turns = [when for when in self.clocks.deadlines.values() if self.clocks.seconds < DAY or when <= latest]
        return min([*turns, *([round_ends] if round_ends else [])], default=None)

    @property
    def wakes(self) -> float | None:
        """The time at which the table must be checked next, because a clock runs out or a window closes."""
        times = [when for when in (self.deadline, self.windows.closes) if when is not None]
        return min(times, default=None)

    def go_at(self, speed: str) -> None:
        """Set the speed of the bots."""
        self.factor = SPEEDS[speed]
        self.pause = self.factor * self.usual_pause

    @property
    def is_of_one(self) -> bool:
        """Whether one person plays against bots only."""
        return sum(place.guest is not None for place in self.seats) == 1

    # --- bots -----------------------------------------------------------------------------------------------

    def seat_bots(self, sitting: Sitting) -> None:
        """Create the bots for bot seats and absent guests, and remove those no longer needed."""
        for place in self.seats:
            if not (place.is_for_bot or place.stand_in):
                self.bots.pop(place.seat, None)
            elif place.seat not in self.bots:
                bot = STAND_IN if place.plays == PERSON else place.plays
                key = fairness.bot_key(sitting.seed, place.seat)
                self.bots[place.seat] = find_bot(bot, sitting.table, place.seat, key)

    def next_bot(self, sitting: Sitting) -> tuple[float, int] | None:
        """Return the time of the next bot move and the seat of that bot, or None."""
        return self.reflexes.next(sitting.state, self.bots, self.pause, self.begins, len(sitting.log.entries))

    def hold(self, sitting: Sitting) -> bool:
        """Delay the bot that answers the last move, once for each move, until a person has had OFFERED seconds to undo
        it. Return whether the bot waits. There is no delay between bots, in a race, without a pause, or if several
        people play."""
        number = len(sitting.log.entries)
        waits = self.pause and self.is_of_one and not self.reflexes.tempo(sitting.state)[1]
        if not waits or self.reflexes.held[0] == number or not all(seat in self.bots for seat in sitting.state.to_act):
            return False
        self.reflexes.hold(number, self.now() + OFFERED * self.factor)
        self.reflexes.due.clear()
        return True

    def goes_on(self, sitting: Sitting) -> bool:
        """Return whether the table continues by itself, because a bot is to act, a clock is running, or a seat has
        passed in advance. A paused table does not."""
        if self.is_still:
            return False
        goes_on = any(seat in self.bots for seat in sitting.state.to_act) or self.passing(sitting) is not None
        return goes_on or self.wakes is not None
