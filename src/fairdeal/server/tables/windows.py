"""Windows: requests to act that a seat gets only because of the cards that it holds, hidden from all other viewers.

If the rules skip seats without a playable card, the request itself, or the time it takes, would reveal that a seat
holds one. While a window is open, a table therefore shows all other viewers the state before the request. Like the
answers of bots (thinking.py), the end of a window falls on a step: it lasts one step of `SECONDS` or several. If
several people play, the minimum number of steps is drawn at random for every window, regardless of the hands, so that a
longer window does not reveal that a seat is asked. If all people who could be asked have passed, the window ends at its
next step. Passes are not shown, and a played card starts a new window.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.events import Described
from fairdeal.engine.records import SPECTATOR, copied
from fairdeal.engine.scene import Scene
from fairdeal.engine.state import Seen, State
from fairdeal.table.log import PASS
from fairdeal.table.sitting import Sitting

SECONDS = 2.5
"""Duration of a step of a window, in seconds."""

SECONDS_ALONE = 1.0
"""Duration of a step if only one person plays. It covers the answers of all bots, and lets the person see the cards."""

MOST_DRAWN = 4
"""Maximum number of steps that a window lasts if no seat is asked."""


def drawn_steps() -> int:
    """Draw the minimum number of steps of a window at random: 1 in half of all cases, 2 in a quarter, and 3 and 4 in an
    eighth each."""
    steps = 1
    while steps < MOST_DRAWN and secrets.randbits(1):
        steps += 1
    return steps


def first_choice() -> int:
    """Return a random base for the ids of a table's choices to pass, so that a pass repeated after a restart does not
    count for another window."""
    return 500_000_000 + secrets.randbelow(400_000_000)  # always nine digits


def pass_of(state: State, seat: int) -> tuple[int, ...]:
    """Return the actions with which a seat passes in a window, or () if the game has no such move."""
    try:
        return tuple(state.game.read_move(state.record, seat, PASS))
    except IllegalMove:
        return ()


class Views:
    """A state as seen by its viewers, cached by viewer."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.found: dict[int, Seen] = {}

    def of(self, viewer: int, names: Sequence[str]) -> Seen:
        """Return the state as a viewer sees it. `names` are the names of the players."""
        if viewer not in self.found:
            self.found[viewer] = self.state.seen_by(viewer, names)
        return self.found[viewer]


@dataclass(eq=False)
class Covering:
    """The state shown during a window.

    views   the state, with no seat to act
    former  the state shown before this one
    before  the window that ends when this one begins, if there is one
    asks    seats that could be asked, judging by public information
    choice  id of the choice to pass, below 0 and different in every window of a table
    move    number of moves made
    number  number of log entries that each viewer may know of
    chain   running hash after these entries, for each viewer
    opened  time at which it replaces the former state
    until   earliest time at which the state may be replaced
    shown   Unix time at which it replaces the former state
    scenes  cached scenes, by viewer
    told    events and log lines of the move, by viewer
    """

    views: Views
    former: Views
    before: Covering | None
    asks: frozenset[int]
    choice: int
    move: int
    number: dict[int, int]
    chain: dict[int, str]
    opened: float
    until: float
    shown: float
    scenes: dict[int, Scene] = field(default_factory=dict)
    told: dict[int, list[Described]] = field(default_factory=dict)

    def next_step(self, now: float, step: float) -> float:
        """Return the end of the current step, or of the first step if the window is not shown yet. `step` is the
        duration of a step, in seconds."""
        if not step:
            return max(self.opened, now)
        return self.opened + step * max(1, math.ceil((now - self.opened) / step))


class Windows:
    """The queue of states that are still to be shown, starting with the one shown now. Times are in seconds of one
    clock.

    is_open  whether a seat is asked in the last state
    passed   seats that have passed in the current window, whether or not they are asked, with the times
    asked    time of the move after which a seat is asked
    count    number of states queued so far, added to `first_choice`
    step     duration of a step
    draws    whether the numbers of steps are random
    """

    def __init__(self) -> None:
        self.moments: list[Covering] = []
        self.is_open = False
        self.passed: dict[int, float] = {}
        self.asked, self.count = 0.0, first_choice()
        self.step, self.draws = SECONDS, False

    def entered(
        self, sitting: Sitting, before: State, seat: int, actions: Sequence[int], now: float, made: float
    ) -> None:
        """Queue the windows that a move opens. `sitting` is in the state after the move, which was requested at time
        `made` and has been saved by `now`."""
        game = sitting.table.game
        opened = [State(sitting.table, record) for record in game.windows(before.record, seat, actions)]
        if self.is_open and self.moments:
            last = self.moments[-1]
            ends, passes = last.next_step(made, self.step), tuple(actions) == pass_of(before, seat)
            last.until = max(last.until, ends) if passes else ends
            if len(self.moments) == 1 and passes:
                self.passed[seat] = made
        for state in opened:
            self.show(sitting, state, before, now)
        self.asked = made
        self.is_open = game.in_window(sitting.state.record)
        self.drop_shown(sitting, now)

    def show(self, sitting: Sitting, state: State, before: State, now: float) -> None:
        """Queue a state, unless it is public knowledge that no seat can be asked in it."""
        views = Views(state)
        found = sitting.table.game.could_be_asked(views.of(SPECTATOR, sitting.names).shown)
        asks = frozenset(range(sitting.table.players) if found is None else found)
        if not asks:
            return
        begins = max([now, *(moment.until for moment in self.moments)])
        viewers, written = range(SPECTATOR, sitting.table.players), sitting.log
        number = {viewer: written.number_for(viewer) for viewer in viewers}
        chain = {viewer: written.chain_for(viewer) for viewer in viewers}
        last = self.moments[-1] if self.moments else None
        former = last.views if last else Views(before)
        until = begins + self.step * (drawn_steps() if self.draws else 1)
        shown = time.time() + begins - now
        self.count += 1
        self.moments.append(
            Covering(views, former, last, asks, -self.count, sitting.moves_made, number, chain, begins, until, shown)
        )

    def drop_shown(self, sitting: Sitting, now: float) -> bool:
        """Drop the states that have been shown for long enough, and return whether there were any. While a window is
        open, the last state is kept."""
        had = len(self.moments)
        while self.moments and self.moments[0].until <= now and not self.is_asking:
            del self.moments[0]
            self.passed.clear()
        if self.is_open and not self.moments:
            state = State(sitting.table, copied(sitting.state.record))
            state.record.to_act = 0
            self.show(sitting, state, sitting.state, now)
        return len(self.moments) < had

    def hurry(self, people: set[int], now: float) -> bool:
        """End the current state at its next step if all `people` who could be asked have passed. Return whether it ends
        earlier."""
        if not self.moments or self.is_asking:
            return False
        first, waited_for = self.moments[0], people & self.moments[0].asks
        earlier = first.until - first.next_step(now, self.step)
        if not waited_for or not waited_for <= {*self.passed} or earlier <= 0:
            return False
        first.until -= earlier
        for later in self.moments[1:]:
            later.opened -= earlier
            later.until -= earlier
            later.shown -= earlier
        return True

    def read_again(self, sitting: Sitting, now: float) -> None:
        """Start again from the current state, after a replay or an undo."""
        self.moments.clear()
        self.passed.clear()
        self.is_open = not sitting.over and sitting.table.game.in_window(sitting.state.record)
        self.drop_shown(sitting, now)

    def covers(self, sitting: Sitting, viewer: int) -> Covering | None:
        """Return the state to show a viewer instead of the current state, or None."""
        if not self.moments or (self.is_asking and viewer in sitting.state.to_act and viewer not in self.passed):
            return None
        return self.moments[0]

    def may_pass(self, viewer: int) -> bool:
        """Return whether a seat may pass in the current window, whether or not it is asked. Return False if it has
        passed already, if it is public knowledge that it cannot be asked, or if only one person plays, who need not
        hide from bots whether they are asked."""
        if not self.draws or not self.moments or viewer not in self.moments[0].asks - {*self.passed}:
            return False
        return bool(pass_of(self.moments[0].views.state, viewer))

    @property
    def is_asking(self) -> bool:
        """Whether a seat is asked in the current window."""
        return self.is_open and len(self.moments) == 1

    @property
    def closes(self) -> float | None:
        """The time at which the next state is shown, or None if there is no next state."""
        return self.moments[0].until if self.moments and not self.is_asking else None

    @property
    def ends(self) -> float:
        """The time at which the next player's time starts, or 0 if that is now. It starts when the last state is shown
        if a seat is asked in that state, or else when all states have been shown."""
        if not self.moments or self.is_asking:
            return 0.0
        return self.moments[-1].opened if self.is_open else self.moments[-1].until
