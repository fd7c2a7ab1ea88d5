"""WAR X-TREME: the parts of an action, and the picks that prepare a move of several picks."""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import listed
from fairdeal.games.war_xtreme.catalogue.tables import AT_SLOT
from fairdeal.games.war_xtreme.state import ACTIONS, CUT, DISTRUST, ROTATE, SHUFFLE, TARGETS

CATCHING, QUARRELLING, PLAYING = range(len(ACTIONS), len(ACTIONS) + 3)
"""Picks that are not actions: accusing a seat, challenging a seat, and playing a piece of equipment (PLAYING + its
number)."""

TRICKS = {"shuffle": SHUFFLE, "cut": CUT, "rotate": ROTATE}
"""WAR-63: names and bits of the ways to handle a distrusted pile, in the order in which they are applied."""


def handling_of(picks: Sequence[int]) -> int:
    """WAR-63: return the picked ways to handle the pile, as bits."""
    return sum(pick - DISTRUST for pick in set(picks))


def tricks_of(handling: int) -> list[str]:
    """WAR-63: return the names of the bits in `handling`."""
    return [name for name, bit in TRICKS.items() if handling & bit]


def tricks_in_words(handling: int) -> str:
    """Return the names of the bits in `handling` as text, such as `shuffle, cut and rotate`."""
    return listed(tricks_of(handling))


def kit_and_target(which: int) -> tuple[int, int]:
    """Return the number and the target of the equipment that an `equip` action plays.

    A target is 0 for no target, or else the number of a slot (from 1) or 1 + a seat.
    """
    number, target = divmod(which, TARGETS)
    return number + 1, target


def is_slot(state: Snapshot, number: int) -> bool:
    """Return whether a piece of equipment is aimed at a slot."""
    return state.options.catalogue.equipment_target[number - 1] == AT_SLOT
