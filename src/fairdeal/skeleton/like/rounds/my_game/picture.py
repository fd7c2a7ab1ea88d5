"""My Game on the table: faces, zones and choices."""

from fairdeal.engine.scene import Counter, counted
from fairdeal.engine.snapshots import Snapshot


def counters(state: Snapshot, seat: int) -> tuple[Counter, ...]:
    """Return what a seat has."""
    return counted(state.match.totals[seat], "point"), counted(state.won[seat], "trick")
