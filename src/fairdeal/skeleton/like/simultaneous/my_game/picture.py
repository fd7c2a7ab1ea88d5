"""My Game on the table: faces, zones and choices."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Voice


def waiting(state: Snapshot, voice: Voice) -> str:
    """Return the prompt for players who may not act."""
    return "The others are choosing"


def in_front(state: Snapshot, seat: int) -> list[int]:
    """Return the card in front of a seat: the one of the previous trick, until the seat has chosen. A chosen card lies
    face down until all seats have chosen."""
    return [state.played[seat] if state.chosen[seat] == EMPTY else state.chosen[seat]]
