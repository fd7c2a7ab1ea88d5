"""WAR X-TREME: the windows for equipment (WAR-75, 76) in live play, where nobody should read from what is asked, and
when, who holds something to play. Simulations and logs know nothing of it."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.snapshots import Snapshot
from fairdeal.engine.watching import watched
from fairdeal.games.war_xtreme.rules.effects import ask_next
from fairdeal.games.war_xtreme.rules.phases import apply
from fairdeal.games.war_xtreme.state import phase_of
from fairdeal.games.war_xtreme.text.prompts import WINDOWS

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
