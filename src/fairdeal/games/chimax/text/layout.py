"""CHIMAX: reasons why cards of a layout cannot be turned (MEM-01 to MEM-07)."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.games.chimax.rules.layout import is_stalled, is_unseen
from fairdeal.games.chimax.text.words import Reason


def cannot_turn(layout: Snapshot, place: int, limit: int) -> Reason | None:
    """Return the reason why the card at `place` cannot be turned now, with its clause, or None if it can."""
    if not 0 <= place < layout.length:
        return f"the places are 1 to {layout.length}", "MEM-01"
    if layout.cards[place] == EMPTY:
        return f"the card at place {place + 1} has been taken", "MEM-01"
    if place in layout.open.held:
        return f"the card at place {place + 1} is already face up", "MEM-03"
    if is_stalled(layout, limit) and not is_unseen(layout, place):
        return "too many turns have passed without a new card: turn a card that nobody has seen", "MEM-07"
    return None


def place_of(card: str) -> int:
    """Return the place named by a card id, or -1 if it does not name one."""
    number = card.partition(".")[2]
    return int(number) - 1 if number.isdecimal() else -1
