"""CHIMAX: which choices are as good as one another, in all its games."""

from fairdeal.engine.records import Record, rule
from fairdeal.games.chimax.state import CUT, DECLARE


@rule
def alike(state: Record, player: int, action: int) -> int:
    """All there is in games without a layout: the places to cut."""
    return alike_cut(action)


@rule
def alike_cut(action: int) -> int:
    """Nobody knows how the pack lies: any place to cut is as good as another."""
    return CUT + 1 if CUT < action < DECLARE else action
