"""WAR X-TREME: time in live play: how quick bots are where several may act at once, and how long a race lasts."""

from __future__ import annotations

from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.war_xtreme.state import Phase, phase_of

MILLISECONDS = 1000

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
