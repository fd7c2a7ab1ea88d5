"""Clocks for live play: turn clocks, the time limits of a game's own rules, and the pauses of bots."""

import random
from collections.abc import Collection, Container, Mapping

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import HOUSE
from fairdeal.engine.scene import count_of
from fairdeal.engine.state import State

CLOCK = "clock"
"""The event that the house plays when time is up."""


GRACE = 10.0
"""Time, in seconds, that players have to act after the room was down, or to reconnect before a bot may play for
them."""

LATE = 2.0
"""Maximum delay, in seconds, until a running room notices that time is up. A longer delay means that the room was
down."""


DAY = 86_400
"""Number of seconds in a day. A clock of at least one day is one in days."""

SOON = 60.0
"""Seconds before the end of a turn from which a room waits for it. Until then, a table with a clock in days need not be
in memory."""


def time_to_warn(seconds: float) -> float:
    """Return how many seconds before the end of a turn an absent player is reminded: a quarter of the clock, and at
    most a day."""
    return min(seconds / 4, DAY)


def in_words(seconds: float) -> str:
    """Return a time in days, hours or minutes.

    >>> in_words(3 * DAY), in_words(DAY), in_words(5400)
    ('3 days', '24 hours', '90 minutes')
    """
    size, unit = (DAY, "day") if seconds >= 2 * DAY else (3600, "hour") if seconds >= 7200 else (60, "minute")
    return count_of(round(seconds / size), unit)


class TurnClocks:
    """Time limits for the moves of each seat. A seat's time starts when the seat may act, and runs as long as it may
    act, even if its player is not connected. A seat that may act again after its own move has a new turn. The time of a
    seat in `away` stands still until a time. Times are seconds of one monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.deadlines: dict[int, float] = {}
        self.away: Mapping[int, float] = {}
        self.ended: list[dict[int, float]] = []  # by move: the seats whose turn it ended, and the seconds they had left

    def start(self, acting: Collection[int], now: float) -> None:
        """Start the time of each seat in `acting` whose time is not running, and stop the time of all other seats."""
        if self.seconds:
            fresh = {seat: max(now, self.away.get(seat, now)) + self.seconds for seat in acting}
            self.deadlines = {seat: self.deadlines.get(seat, ends) for seat, ends in fresh.items()}

    def be_away(self, away: Mapping[int, float], now: float) -> None:
        """Let the time of these seats stand still until a time, and that of all others go on."""
        for seat in self.deadlines:
            self.deadlines[seat] += max(now, away.get(seat, now)) - max(now, self.away.get(seat, now))
        self.away = away

    def moved(self, mover: int, acting: Collection[int], now: float, begins: float | None = None) -> None:
        """Record that `mover` has moved. New turns of seats in `acting` begin at `begins` (default: `now`)."""
        if self.seconds:
            stay = {seat: when for seat, when in self.deadlines.items() if seat != mover and seat in acting}
            left = {seat: max(0.0, when - now) for seat, when in self.deadlines.items() if seat not in stay}
            self.ended.append(left)
            self.deadlines = stay
            self.start(acting, now if begins is None else begins)

    def begin(self, begins: float) -> None:
        """Let turns that have not begun start at `begins`, if that is earlier."""
        self.deadlines = {seat: min(when, begins + self.seconds) for seat, when in self.deadlines.items()}

    def taken_back(self, acting: Collection[int], now: float, count: int = 1) -> None:
        """Undo the last `count` moves on the clocks. A seat whose turn ended with one of these moves gets its remaining
        time back."""
        if self.seconds:
            for _ in range(min(count, len(self.ended))):
                self.deadlines |= {seat: now + seconds for seat, seconds in self.ended.pop().items()}
            self.start(acting, now)

    def late(self, now: float) -> tuple[int | None, bool]:
        """Return a seat whose time is up, or None, and whether any seat was excused. A seat whose time ran out long ago
        is given GRACE seconds, because the room must have been down."""
        long_ago = [seat for seat, deadline in self.deadlines.items() if deadline + LATE < now]
        self.deadlines |= dict.fromkeys(long_ago, now + GRACE)
        over = [seat for seat, deadline in self.deadlines.items() if deadline <= now]
        return next(iter(over), None), bool(long_ago)

    def read_again(self, then: float, now: float) -> None:
        """Convert the deadlines from another clock, which reads `then` at time `now`, after a restart. The time during
        which the room was down counts, but every seat gets at least GRACE seconds."""
        self.away = {seat: now + until - then for seat, until in self.away.items()}
        for seat, deadline in self.deadlines.items():
            left = min(deadline - then, max(now, self.away.get(seat, now)) - now + self.seconds)
            self.deadlines[seat] = now + max(GRACE, left)


def lasts(state: State, calm: bool) -> int:
    """Return the time limit, in seconds, of the current part of the game, or 0 if there is no limit. A calm race lasts
    longer."""
    seconds = 0 if state.over else state.game.limit(state.record)
    return max(seconds, state.game.calm_race) if seconds and calm else seconds


class RoundClock:
    """The clock of a game that limits the duration of some of its parts, such as a race. A program checks it after
    every move and makes the house play `CLOCK` when time is up."""

    def __init__(self, calm: bool = False) -> None:
        self.calm = calm
        self.deadline: float | None = None

    def be_calm(self, state: State, calm: bool) -> None:
        """Switch calm races on or off. The time limit of a running race may be extended, but never shortened."""
        longer = lasts(state, calm) - lasts(state, self.calm)
        self.calm = calm
        if self.deadline is not None and longer > 0:
            self.deadline += longer

    def update(self, state: State, now: float) -> float | None:
        """Start the time if a limited part has begun, and stop it if there is none. Return the deadline, in the time of
        `now`, or None."""
        seconds = lasts(state, self.calm)
        if not seconds:
            self.deadline = None
        elif self.deadline is None:
            self.deadline = now + seconds
        return self.deadline

    def begin(self, state: State, begins: float) -> None:
        """Let a part that has not begun start at `begins`, if that is earlier."""
        if self.deadline is not None:
            self.deadline = min(self.deadline, begins + lasts(state, self.calm))

    def time_is_over(self, state: State, now: float) -> tuple[int, ...] | None:
        """Return the actions of the house if time is up, or None."""
        deadline = self.update(state, now)
        if deadline is None or now < deadline:
            return None
        self.deadline = None
        try:
            return state.read_move(HOUSE, CLOCK)
        except FairdealError:  # too late to matter
            return None

    def read_again(self, then: float, now: float, state: State) -> None:
        """Convert the deadline from another clock, which reads `then` at time `now`. At least GRACE seconds remain."""
        if self.deadline is not None:
            left = min(self.deadline - then, lasts(state, self.calm))
            self.deadline = now + max(GRACE, left)


class Reflexes:
    """The times at which bots move. Bots that act in turn wait for the pause set by the program. If the game has a
    tempo, as in a race, every bot that may act draws its own delay, which is longer in a calm race."""

    def __init__(self, calm: bool = False) -> None:
        self.calm = calm
        self.due: dict[int, tuple[float, tuple[float, float]]] = {}
        self.held = -1, 0.0  # the last entry of the log that no bot may answer yet, and until when

    def next(
        self, state: State, bots: Container[int], pause: float, now: float, entries: int = 0
    ) -> tuple[float, int] | None:
        """Return the time of the next bot move and the seat of that bot, or None if no bot may act. Without a pause,
        bots move immediately. `entries` is the number of entries in the log, for comparison with `hold`."""
        until = self.held[1] if self.held[0] == entries else 0.0
        acting = [seat for seat in state.to_act if seat in bots]
        if not acting or not pause:
            self.due.clear()
            return (max(now, until), acting[0]) if acting else None
        tempo = self.tempo(state)
        low, high = tempo if tempo[1] else (pause, pause)
        racing = acting if tempo[1] else acting[:1]
        kept = {seat: due for seat, due in self.due.items() if seat in racing and due[1] == tempo}
        self.due = {seat: kept.get(seat) or (now + random.uniform(low, high), tempo) for seat in racing}
        when, seat = min((when, seat) for seat, (when, _) in self.due.items())
        return max(when, until), seat

    def hold(self, entries: int, until: float) -> None:
        """Prevent bots from moving before the time `until`, as long as the log has `entries` entries."""
        self.held = entries, until

    def tempo(self, state: State) -> tuple[float, float]:
        low, high = state.game.tempo(state.record)
        usual = lasts(state, calm=False)
        longer = lasts(state, self.calm) / usual if usual else 1.0
        return low * longer, high * longer

    def moved(self, seat: int) -> None:
        """Discard the scheduled bot move of a seat that has moved."""
        self.due.pop(seat, None)
