"""CHIMAX CUT: why the greedy bot chose a move, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.games.chimax.cut.prompts import higher_cards, unseen
from fairdeal.games.chimax.cut.state import DECIDING, KEEP, ONE_CUT
from fairdeal.games.chimax.deck import INFINITY
from fairdeal.games.chimax.state import CUTTING, DECLARE, PLAYOFF_CARD


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    action, phase = actions[0], int(state.phase)
    if phase == CUTTING:
        left, total = unseen(state)
        return f"One place is as good as another: {left[INFINITY]} of {total} cards are Infinity."
    if DECLARE <= action < PLAYOFF_CARD:
        return "The highest value that is free."
    if phase != DECIDING:
        return "There is nothing else to do."
    higher, total = higher_cards(state, player, int(state.shown))
    if action == KEEP:
        return f"{higher} of {total} cards are higher: that is not worth the risk."
    loses = "lose a point" if int(state.options.mode) == ONE_CUT else "drop out"
    return f"{higher} of {total} cards are higher, and with this one you may {loses}."
