"""Find the moves of a finished game that a replay highlights: those that ended a game or changed the score pad."""

from fairdeal.engine.records import SPECTATOR
from fairdeal.table.sitting import Sitting

MOST = 40
"""Maximum number of changes of the score pad; if there are more, none is highlighted."""


def round_ends(sitting: Sitting) -> tuple[int, ...]:
    """Return the moves that ended a game of the match or, if there was only one game, those that changed the score pad.
    Return an empty tuple if the pad changed more than MOST times."""
    return games_ended(sitting) or pad_changes(sitting)


def games_ended(sitting: Sitting) -> tuple[int, ...]:
    games = [int(sitting.state_at(move).record.match.game) for move in range(sitting.moves_made + 1)]
    return tuple(move for move in range(1, len(games)) if games[move] != games[move - 1])


def pad_changes(sitting: Sitting) -> tuple[int, ...]:
    pads = [sitting.state_at(move).scene(SPECTATOR, (), sitting.names).score for move in range(sitting.moves_made + 1)]
    found = tuple(move for move in range(1, len(pads)) if pads[move] != pads[move - 1])
    return found if len(found) <= MOST else ()
