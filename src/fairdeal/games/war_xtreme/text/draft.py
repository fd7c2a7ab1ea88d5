"""WAR X-TREME: what an action is made of, and what is picked before a move of several picks is whole."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import listed
from fairdeal.games.war_xtreme.catalogue.tables import AT_SLOT
from fairdeal.games.war_xtreme.state import ACTIONS, CUT, ROTATE, SHUFFLE, TARGETS

CATCHING, QUARRELLING, PLAYING = range(len(ACTIONS), len(ACTIONS) + 3)
"""Picks that are no actions: to catch somebody, to quarrel, and (plus its number) to play a piece of equipment."""

TRICKS = {"shuffle": SHUFFLE, "cut": CUT, "rotate": ROTATE}
"""WAR-63: what distrust may do, in its order."""


def tricks_of(handling: int) -> list[str]:
    """WAR-63: what this handling of a pile is made of."""
    return [name for name, bit in TRICKS.items() if handling & bit]


def tricks_in_words(handling: int) -> str:
    """`shuffle, cut and rotate`."""
    return listed(tricks_of(handling))


def kit_and_target(which: int) -> tuple[int, int]:
    """The equipment that the action `equip` plays, and at what: 0 nothing, else a slot, or one more than a seat."""
    number, target = divmod(which, TARGETS)
    return number + 1, target


def is_slot(state: Snapshot, number: int) -> bool:
    """Is this piece of equipment aimed at a slot?"""
    return state.options.catalogue.equipment_target[number - 1] == AT_SLOT
