"""WAR X-TREME: moves of several picks: what is picked before the move is whole, and what is picked in words."""

from __future__ import annotations

from fairdeal.engine.records import Record
from fairdeal.engine.scene import listed
from fairdeal.games.war_xtreme.catalogue.tables import AT_SLOT
from fairdeal.games.war_xtreme.state import ACTIONS, CUT, DISTRUST, ROTATE, SHUFFLE

CATCHING, QUARRELLING, PLAYING = range(len(ACTIONS), len(ACTIONS) + 3)
"""Picks that are no actions: to catch somebody, to quarrel, and (plus its number) to play a piece of equipment."""

TRICKS = {SHUFFLE: "shuffle", CUT: "cut", ROTATE: "rotate"}
"""WAR-63: what distrust may do, in its order."""


def tricks_of(action: int) -> list[str]:
    """WAR-63: what this distrust does."""
    return [name for bit, name in TRICKS.items() if (action - DISTRUST) & bit]


def tricks_in_words(action: int) -> str:
    """`shuffle, cut and rotate`."""
    return listed(tricks_of(action))


def is_slot(state: Record, number: int) -> bool:
    """Is this piece of equipment aimed at a slot?"""
    return int(state.options.catalogue.equipment_target[number - 1]) == AT_SLOT
