"""WAR X-TREME: timing of live play.

The module sets the response times of bots in simultaneous phases, the duration of a race, and the times at which
windows for equipment open (WAR-75, 76). Neither the requests nor their timing may reveal which seats hold a playable
card.
"""

from collections.abc import Sequence

from fairdeal.engine.compile.watching import watched
from fairdeal.engine.kit.seats import members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import Record
from fairdeal.games.war_xtreme.rules.effects import ask_next
from fairdeal.games.war_xtreme.rules.phases import apply
from fairdeal.games.war_xtreme.state import Phase, phase_of
from fairdeal.games.war_xtreme.text.prompts import WINDOWS
from fairdeal.games.war_xtreme.text.standing import kit_count

MILLISECONDS = 1000

CALM_RACE = 20
"""Duration of a race, in seconds, at a table with calm races."""

SECONDS: dict[Phase, tuple[float, float]] = {
    "EXTREME": (0.4, 1.2),
    "REGROUP": (0.2, 0.5),
    "PREP": (0.3, 0.6),
    "REACT": (0.02, 0.08),
    "BRACE": (0.02, 0.08),
    "CLASH": (0.02, 0.08),
    "RACE": (2.0, 6.0),
    "CHOICE": (0.4, 1.0),
    "RECRUIT": (0.2, 0.4),
}
"""Minimum and maximum response time of a bot, in seconds. In a race (WAR-18), people need time to find the button. In
windows, which end on steps, nobody sees when a bot answers. Recruits are picked and trust is asked for by up to eight
seats in turn, so these answers are quick."""


def tempo(state: Snapshot) -> tuple[float, float]:
    """Return a bot's minimum and maximum response time, in seconds, or (0, 0) in phases without a delay."""
    return SECONDS.get(phase_of(state), (0.0, 0.0))


def limit(state: Snapshot) -> int:
    """WAR-19: return the duration of a race in seconds, or 0 outside a race."""
    return -(-state.options.race_ms // MILLISECONDS) if phase_of(state) == "RACE" else 0


asking = watched(apply, ask_next)


def in_window(state: Snapshot) -> bool:
    """Return whether the game is waiting in a window for equipment, in which only seats with a playable card are
    asked."""
    return not state.over and phase_of(state) in WINDOWS


def windows(state: Record, player: int, actions: Sequence[int]) -> list[Record]:
    """Return the states in which a move opened a window, or restarted a window after a card was played.

    The states are changed so that they do not reveal which seats were asked.
    """
    found = []
    for moment, (phase, _) in asking(state, player, int(actions[0])):
        if not moment.passes:
            moment.phase, moment.to_act = phase, 0
            found.append(moment)
    return found


def could_be_asked(state: Snapshot) -> list[int]:
    """Return the living seats that hold equipment. The number of cards in a hand is public (WAR-72)."""
    return [seat for seat in members(state.alive) if kit_count(state, seat)]
