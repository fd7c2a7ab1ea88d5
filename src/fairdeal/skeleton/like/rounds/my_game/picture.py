"""My Game on the table: faces, zones and choices."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Counter, counted


def counters(state: Snapshot, seat: int) -> tuple[Counter, ...]:
    """Return the counters of a seat."""
    return counted(state.match.totals[seat], "point"), counted(state.won[seat], "trick")
