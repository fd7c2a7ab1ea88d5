"""CHIMAX: why a card of a layout cannot be turned (MEM-01, 03, 07)."""

from __future__ import annotations

from fairdeal.engine.records import EMPTY
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.rules.layout import is_stalled, is_unseen
from fairdeal.games.chimax.text.words import Reason


def cannot_turn(layout: Snapshot, place: int, limit: int) -> Reason | None:
    """Why the card of a place cannot be turned now, with the clause; None if it can."""
    if not 0 <= place < layout.length:
        return f"the places are 1 to {layout.length}", "MEM-01"
    if layout.cards[place] == EMPTY:
        return f"the card of place {place + 1} is taken", "MEM-01"
    if place in layout.open.held:
        return f"the card of place {place + 1} lies face up already", "MEM-03"
    if is_stalled(layout, limit) and not is_unseen(layout, place):
        return "too many turns brought no news: turn a card that nobody has seen", "MEM-07"
    return None


def place_of(card: str) -> int:
    """The place that the id of a card names; -1 if it names none."""
    number = card.partition(".")[2]
    return int(number) - 1 if number.isdecimal() else -1
