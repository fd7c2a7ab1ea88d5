"""Windows in live play: who is asked only because of what they hold is asked unseen.

Where the rules pass over seats that hold nothing to play, being asked would tell what somebody holds, and so would the
time that it takes. So a table shows the moment itself to all but the seat that is asked: for as long as the window is
open, and at least for `SECONDS`, whoever holds what. Passes are not told; a card that is played begins a new window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fairdeal.engine.events import Described
from fairdeal.engine.records import copied
from fairdeal.engine.scene import Scene
from fairdeal.engine.state import Seen, State
from fairdeal.table.sitting import Sitting

SECONDS = 2.5
"""How long a window lasts at least."""


class Views:
    """A state as its viewers see it, unpacked once for each."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.found: dict[int, Seen] = {}

    def of(self, viewer: int, names: Sequence[str]) -> Seen:
        """Return what a viewer sees, who is told these names of the seats."""
        if viewer not in self.found:
            self.found[viewer] = self.state.seen_by(viewer, names)
        return self.found[viewer]


@dataclass(eq=False)
class Moment:
    """What is shown during a window: the state with nobody asked, and what was shown before it; the move that led to
    it, the number of entries, the running hash there, and until when it is shown at least. `told` is what the move did
    until then, by viewer."""

    views: Views
    former: Views
    move: int
    entry: int
    chain: str
    until: float
    scenes: dict[int, Scene] = field(default_factory=dict)
    told: dict[int, list[Described]] = field(default_factory=dict)


class Windows:
    """The moments that are still to be shown, the first of them now; `is_open` while a seat is asked in the last.
    Times are seconds of one clock."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.is_open = False

    def entered(
        self, sitting: Sitting, before: State, seat: int, actions: Sequence[int], seconds: float, now: float
    ) -> None:
        """A move was made, and led to `sitting` as it is now."""
        game = sitting.table.game
        for record in game.windows(before.record, seat, actions):
            self.show(sitting, State(sitting.table, record), before, seconds, now)
        self.is_open = game.in_window(sitting.state.record)
        self.look(sitting, now)

    def show(self, sitting: Sitting, state: State, before: State, seconds: float, now: float) -> None:
        begins = max([now, *(moment.until for moment in self.moments)])
        chain = sitting.log.chain() if sitting.log.format > 1 else ""
        former = self.moments[-1].views if self.moments else Views(before)
        entry = len(sitting.log.entries)
        self.moments.append(Moment(Views(state), former, sitting.moves_made, entry, chain, begins + seconds))

    def look(self, sitting: Sitting, now: float) -> bool:
        """Put away what has been shown for long enough; whether anything was. An open window is always covered."""
        had = len(self.moments)
        while self.moments and self.moments[0].until <= now and not (self.is_open and len(self.moments) == 1):
            del self.moments[0]
        if self.is_open and not self.moments:
            state = State(sitting.table, copied(sitting.state.record))
            state.record.to_act = 0
            self.show(sitting, state, sitting.state, 0.0, now)
        return len(self.moments) < had

    def read_again(self, sitting: Sitting, now: float) -> None:
        """The table as it stands was replayed, or a move was taken back."""
        self.moments.clear()
        self.is_open = not sitting.over and sitting.table.game.in_window(sitting.state.record)
        self.look(sitting, now)

    def covers(self, sitting: Sitting, viewer: int) -> Moment | None:
        """What a viewer is shown in place of the table as it is."""
        if not self.moments or (self.is_open and len(self.moments) == 1 and viewer in sitting.state.to_act):
            return None
        return self.moments[0]

    @property
    def closes(self) -> float | None:
        """When the next moment has been shown for long enough; None if that changes nothing."""
        if not self.moments or (self.is_open and len(self.moments) == 1):
            return None
        return self.moments[0].until

    @property
    def ends(self) -> float:
        """When all moments have been shown, and whoever is next may begin; 0 if that is now."""
        return self.moments[-1].until if self.moments and not self.is_open else 0.0
