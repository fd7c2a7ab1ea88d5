"""CHIMAX ORDER: why the greedy bot chose a move, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.games.chimax.layout import is_unseen
from fairdeal.games.chimax.order import rules
from fairdeal.games.chimax.order.prompts import wanted
from fairdeal.games.chimax.order.state import FLIP
from fairdeal.games.chimax.state import DECLARE, PLAYOFF_CARD


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    action = actions[0]
    if action < DECLARE:
        return "One place is as good as any other here."
    if action < FLIP:
        return "There is no other card." if action == PLAYOFF_CARD else "The highest value that is free."
    board, place = state.boards[rules.board_of(state, player)], action - FLIP
    if int(board.cards[place]) >= 0 and rules.is_wanted(state, player, int(board.cards[place])):
        return f"Here lies {wanted(state, player)}, as everybody may remember."
    if is_unseen(board, place):
        return f"Nobody knows where {wanted(state, player)} lies: a card never seen may be it."
    return f"It was seen and is forgotten; it may be {wanted(state, player)}."
