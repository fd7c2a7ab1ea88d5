"""WAR X-TREME: live play: how quick bots are where several may act at once, how long a race lasts, and the windows for
equipment (WAR-75, 76), where nobody should read from what is asked, and when, who holds something to play."""

from collections.abc import Sequence

from fairdeal.engine.compile.watching import watched
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import Record
from fairdeal.games.war_xtreme.rules.effects import ask_next
from fairdeal.games.war_xtreme.rules.phases import apply
from fairdeal.games.war_xtreme.state import Phase, phase_of
from fairdeal.games.war_xtreme.text.prompts import WINDOWS

MILLISECONDS = 1000

CALM_RACE = 20
"""How many seconds a race lasts at a table with calm races."""

SECONDS: dict[Phase, tuple[float, float]] = {
    "EXTREME": (0.4, 1.2),
    "PREP": (0.3, 1.0),
    "REACT": (0.2, 0.6),
    "BRACE": (0.2, 0.6),
    "CLASH": (0.2, 0.6),
    "RACE": (2.0, 6.0),
    "CHOICE": (0.6, 1.6),
}
"""Between how many seconds a bot answers. In a race (WAR-18) a person has to find the button first."""


def tempo(state: Snapshot) -> tuple[float, float]:
    """The seconds of the phase; in all others, as long as the program lets it."""
    return SECONDS.get(phase_of(state), (0.0, 0.0))


def limit(state: Snapshot) -> int:
    """WAR-19: the seconds that a race lasts."""
    return -(-state.options.race_ms // MILLISECONDS) if phase_of(state) == "RACE" else 0


asking = watched(apply, ask_next)


def in_window(state: Snapshot) -> bool:
    """Is a seat asked that holds something to play?"""
    return not state.over and phase_of(state) in WINDOWS


def windows(state: Record, player: int, actions: Sequence[int]) -> list[Record]:
    """The moments of a move at which a window was opened, or began anew after a card: as they look when everybody might
    be asked, whoever was."""
    found = []
    for moment, (phase, _) in asking(state, player, int(actions[0])):
        if not moment.passes:
            moment.phase, moment.to_act = phase, 0
            found.append(moment)
    return found
