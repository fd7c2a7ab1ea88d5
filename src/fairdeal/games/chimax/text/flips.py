"""CHIMAX: `flip 7` in writing, and why a card of a layout cannot be turned (MEM-01, 03, 07)."""

from __future__ import annotations

import re

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.piles import find
from fairdeal.engine.records import EMPTY, Record
from fairdeal.games.chimax.rules.layout import is_stalled, is_unseen

FLIP_MOVE = re.compile(r"flip ([0-9]{1,4})")


def write_flip(place: int) -> str:
    """A place is numbered from 0 in records and from 1 in writing."""
    return f"flip {place + 1}"


def read_flip(text: str, places: int) -> int | None:
    """The place that a text names; None if it names none. Raises IllegalMove if there is no such place."""
    parts = FLIP_MOVE.fullmatch(text)
    if not parts:
        return None
    if not 1 <= int(parts[1]) <= places:
        raise IllegalMove(text, f"the places are 1 to {places}", "MEM-01")
    return int(parts[1]) - 1


def cannot_turn(layout: Record, place: int, limit: int) -> tuple[str, str] | None:
    """Why the card of a place cannot be turned now, with the clause; None if it can."""
    if not 0 <= place < int(layout.length):
        return f"the places are 1 to {int(layout.length)}", "MEM-01"
    if int(layout.cards[place]) == EMPTY:
        return f"the card of place {place + 1} is taken", "MEM-01"
    if find(layout.open, place) >= 0:
        return f"the card of place {place + 1} lies face up already", "MEM-03"
    if is_stalled(layout, limit) and not is_unseen(layout, place):
        return "too many turns brought no news: turn a card that nobody has seen", "MEM-07"
    return None


def place_of(card: str) -> int:
    """The place that the id of a card names; -1 if it names none."""
    number = card.partition(".")[2]
    return int(number) - 1 if number.isdecimal() else -1
