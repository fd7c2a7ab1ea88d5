"""Time in live play: what a part of a game may take by the game's own rules, and when bots answer."""

from __future__ import annotations

import random
from collections.abc import Collection, Container

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import HOUSE
from fairdeal.engine.state import State

CLOCK = "clock"
"""What the house says when the time is over."""


GRACE = 10.0
"""Seconds that everybody has to act after the room was away, and to come back before a bot may play for them."""

LATE = 2.0
"""Seconds by which a time that is over may be noticed late; after more than that the room itself was away."""


class TurnClocks:
    """Each seat's time for a move: it begins when the seat may act, and runs while it may, whoever is connected. After
    its own move a seat that may act again has a new turn. Times are seconds of one clock that only goes forwards."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.deadlines: dict[int, float] = {}
        self.ended: list[dict[int, float]] = []  # by each move: the seats whose turn it ended, and what they had left

    def look(self, acting: Collection[int], now: float) -> None:
        """Who may act now: times begin and end, and none begins anew."""
        if self.seconds:
            self.deadlines = {seat: self.deadlines.get(seat, now + self.seconds) for seat in acting}

    def moved(self, mover: int, acting: Collection[int], now: float, begins: float | None = None) -> None:
        """A seat has moved; these may act after it, from `begins` on, or from now."""
        if self.seconds:
            stay = {seat: when for seat, when in self.deadlines.items() if seat != mover and seat in acting}
            left = {seat: max(0.0, when - now) for seat, when in self.deadlines.items() if seat not in stay}
            self.ended.append(left)
            self.deadlines = stay
            self.look(acting, now if begins is None else begins)

    def taken_back(self, acting: Collection[int], now: float) -> None:
        """The last move was taken back: the seat whose turn it had ended gets back what was left of it, and no more."""
        if self.seconds:
            left = self.ended.pop() if self.ended else {}
            self.deadlines |= {seat: now + seconds for seat, seconds in left.items()}
            self.look(acting, now)

    def late(self, now: float) -> tuple[int | None, bool]:
        """A seat whose time is over, if any; and whether some seat was excused. If its time was over long ago the room
        was away and could not have heard it: it has a time of grace."""
        long_ago = [seat for seat, deadline in self.deadlines.items() if deadline + LATE < now]
        self.deadlines |= dict.fromkeys(long_ago, now + GRACE)
        over = [seat for seat, deadline in self.deadlines.items() if deadline <= now]
        return next(iter(over), None), bool(long_ago)

    def read_again(self, then: float, now: float) -> None:
        """The times were in seconds of another clock, which now shows `then`: after a restart, they follow from the
        kept entries. They ran on, but everybody has a time of grace to come back."""
        for seat, deadline in self.deadlines.items():
            left = min(deadline - then, self.seconds)
            self.deadlines[seat] = now + max(GRACE, left)


def lasts(state: State, calm: bool) -> int:
    """The seconds that the part of the game under way may take, 0 for ever; a calm race takes longer."""
    seconds = 0 if state.over else state.game.limit(state.record)
    return max(seconds, state.game.calm_race) if seconds and calm else seconds


class RoundClock:
    """Runs while the game says that there is a limit. A program looks at it after every move and, when the time is
    over, has the house play `CLOCK`."""

    def __init__(self, calm: bool = False) -> None:
        self.calm = calm
        self.deadline: float | None = None

    def be_calm(self, state: State, calm: bool) -> None:
        """Races are calm from now on, or no longer. One that is run now becomes longer, but not shorter."""
        longer = lasts(state, calm) - lasts(state, self.calm)
        self.calm = calm
        if self.deadline is not None and longer > 0:
            self.deadline += longer

    def look(self, state: State, now: float) -> float | None:
        """When the time is over, in the seconds of `now`; None if none runs."""
        seconds = lasts(state, self.calm)
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

    def read_again(self, then: float, now: float, state: State) -> None:
        """As `TurnClocks.read_again`."""
        if self.deadline is not None:
            left = min(self.deadline - then, lasts(state, self.calm))
            self.deadline = now + max(GRACE, left)


class Reflexes:
    """When each bot answers. Where one acts after another, a bot takes the program's pause; where a game says how quick
    they are, such as in a race, every bot that may act draws its own time, in a calm race as much longer as it is."""

    def __init__(self, calm: bool = False) -> None:
        self.calm = calm
        self.due: dict[int, tuple[float, tuple[float, float]]] = {}

    def next(self, state: State, bots: Container[int], pause: float, now: float) -> tuple[float, int] | None:
        """The bot that moves next, and when; None if no bot may act. Without a pause nobody waits."""
        acting = [seat for seat in state.to_act if seat in bots]
        if not acting or not pause:
            self.due.clear()
            return (now, acting[0]) if acting else None
        tempo = self.tempo(state)
        low, high = tempo if tempo[1] else (pause, pause)
        racing = acting if tempo[1] else acting[:1]
        kept = {seat: due for seat, due in self.due.items() if seat in racing and due[1] == tempo}
        self.due = {seat: kept.get(seat) or (now + random.uniform(low, high), tempo) for seat in racing}
        return min((when, seat) for seat, (when, _) in self.due.items())

    def tempo(self, state: State) -> tuple[float, float]:
        low, high = state.game.tempo(state.record)
        usual = lasts(state, calm=False)
        longer = lasts(state, self.calm) / usual if usual else 1.0
        return low * longer, high * longer

    def moved(self, seat: int) -> None:
        """This seat has moved; if it may act again, it thinks anew."""
        self.due.pop(seat, None)
