"""The moments of a finished game at which something ended: what a replay marks."""

from __future__ import annotations

from fairdeal.engine.records import SPECTATOR
from fairdeal.table.sitting import Sitting

MOST = 40
"""More marks than these would tell nothing."""


def round_ends(sitting: Sitting) -> tuple[int, ...]:
    """After which moves a game of the match had ended; where there was but one, after which the score pad changed. None
    where that is nearly always."""
    return games_ended(sitting) or pad_changes(sitting)


def games_ended(sitting: Sitting) -> tuple[int, ...]:
    games = [int(sitting.state_at(move).record.match.game) for move in range(sitting.moves_made + 1)]
    return tuple(move for move in range(1, len(games)) if games[move] != games[move - 1])


def pad_changes(sitting: Sitting) -> tuple[int, ...]:
    pads = [sitting.state_at(move).scene(SPECTATOR, (), sitting.names).score for move in range(sitting.moves_made + 1)]
    found = tuple(move for move in range(1, len(pads)) if pads[move] != pads[move - 1])
    return found if len(found) <= MOST else ()
