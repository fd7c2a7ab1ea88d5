"""Windows: requests to act that a seat gets only because of the cards that it holds, hidden from all other viewers.

If the rules skip seats without a playable card, the request alone, or the time it takes, would reveal that a seat holds
one. While a window is open, a table therefore shows all other viewers the state before the request. Windows last at
least `SECONDS`, whatever the hands. Passes are not logged; a card that is played starts a new window.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from fairdeal.engine.events import Described
from fairdeal.engine.records import copied
from fairdeal.engine.scene import Scene
from fairdeal.engine.state import Seen, State
from fairdeal.table.sitting import Sitting

SECONDS = 2.5
"""Minimum duration of a window, in seconds."""


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
class Moment:
    """The state shown during a window.

    views   the state, with no seat to act
    former  the state shown before this one
    move    number of moves made
    entry   number of log entries
    chain   running hash after these entries
    shown   Unix time at which it replaces the former state
    until   earliest time at which the state may be replaced
    scenes  cached scenes, by viewer
    told    events and log lines of the move, by viewer
    """

    views: Views
    former: Views
    move: int
    entry: int
    chain: str
    shown: float
    until: float
    scenes: dict[int, Scene] = field(default_factory=dict)
    told: dict[int, list[Described]] = field(default_factory=dict)


class Windows:
    """The queue of states that are still to be shown, starting with the one shown now. `is_open` is true while a seat
    is asked in the last state. Times are in seconds of one clock."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.is_open = False

    def entered(
        self, sitting: Sitting, before: State, seat: int, actions: Sequence[int], seconds: float, now: float
    ) -> None:
        """Queue the windows that a move opens. `sitting` is in the state after the move."""
        game = sitting.table.game
        for record in game.windows(before.record, seat, actions):
            self.show(sitting, State(sitting.table, record), before, seconds, now)
        self.is_open = game.in_window(sitting.state.record)
        self.look(sitting, now)

    def show(self, sitting: Sitting, state: State, before: State, seconds: float, now: float) -> None:
        begins = max([now, *(moment.until for moment in self.moments)])
        shown = time.time() + begins - now
        chain = sitting.log.chain() if sitting.log.format > 1 else ""
        former = self.moments[-1].views if self.moments else Views(before)
        entry = len(sitting.log.entries)
        self.moments.append(Moment(Views(state), former, sitting.moves_made, entry, chain, shown, begins + seconds))

    def look(self, sitting: Sitting, now: float) -> bool:
        """Drop the states that have been shown for long enough, and return whether there were any. While a window is
        open, the last state is not dropped."""
        had = len(self.moments)
        while self.moments and self.moments[0].until <= now and not (self.is_open and len(self.moments) == 1):
            del self.moments[0]
        if self.is_open and not self.moments:
            state = State(sitting.table, copied(sitting.state.record))
            state.record.to_act = 0
            self.show(sitting, state, sitting.state, 0.0, now)
        return len(self.moments) < had

    def read_again(self, sitting: Sitting, now: float) -> None:
        """Start again from the current state, after a replay or an undo."""
        self.moments.clear()
        self.is_open = not sitting.over and sitting.table.game.in_window(sitting.state.record)
        self.look(sitting, now)

    def covers(self, sitting: Sitting, viewer: int) -> Moment | None:
        """Return the state to show a viewer instead of the current state, or None."""
        if not self.moments or (self.is_open and len(self.moments) == 1 and viewer in sitting.state.to_act):
            return None
        return self.moments[0]

    @property
    def closes(self) -> float | None:
        """The time at which the next state is shown, or None if there is no next state."""
        if not self.moments or (self.is_open and len(self.moments) == 1):
            return None
        return self.moments[0].until

    @property
    def ends(self) -> float:
        """The time at which all states have been shown and the next player's time starts, or 0 if that is now."""
        return self.moments[-1].until if self.moments and not self.is_open else 0.0
