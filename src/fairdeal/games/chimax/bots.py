"""CHIMAX: equivalent choices, for the bots of all its games."""

from fairdeal.engine.records import Record, rule
from fairdeal.games.chimax.state import CUT, DECLARE


@rule
def alike(state: Record, player: int, action: int) -> int:
    """Return the first action equivalent to `action`. In games without a layout, only places to cut are equivalent."""
    return alike_cut(action)


@rule
def alike_cut(action: int) -> int:
    """Return the first cut in place of any cut: the order of the pack is unknown, so all cuts are equivalent."""
    return CUT + 1 if CUT < action < DECLARE else action
