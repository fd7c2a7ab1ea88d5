"""CHIMAX: equivalent actions, for the bots of all its games."""

from fairdeal.engine.records import Record, rule
from fairdeal.games.chimax.state import CUT, DECLARE


@rule
def alike(state: Record, player: int, action: int) -> int:
    """Return the first action that is equivalent to `action`. In games without a layout, only cuts are equivalent to
    each other."""
    return alike_cut(action)


@rule
def alike_cut(action: int) -> int:
    """Return the first cut for any cut. All cuts are equivalent, because the order of the pack is unknown."""
    return CUT + 1 if CUT < action < DECLARE else action
