"""CHIMAX JACKPOT: why the greedy bot chose a move, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.games.chimax.cards import NAMES
from fairdeal.games.chimax.deck import INFINITY
from fairdeal.games.chimax.jackpot.prompts import faces_of, wanted_down
from fairdeal.games.chimax.jackpot.state import CLAIM, DONE, FLIP, HOLD, STAND_FOR
from fairdeal.games.chimax.state import OWN


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    action = actions[0]
    if action < OWN:
        return "One cut is as good as another."
    if action == FLIP:
        wanted = wanted_down(state, int(state.reel))
        return f"With luck it is {wanted}." if wanted else "A new card, and a column that grows."
    if action == HOLD:
        return "This card may still be wanted across."
    if action >= STAND_FOR:
        return f"As {NAMES[action - STAND_FOR]} it has the best company."
    if CLAIM <= action < DONE:
        book = faces_of(state, action - CLAIM)
        return "Jackpot!" if book and book[0] == book[1] == INFINITY else "A point in hand."
    return "Nothing here is worth its cards."
