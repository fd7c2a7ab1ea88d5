"""CHIMAX ORDER: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.chimax.order.rules import board_of
from fairdeal.games.chimax.order.state import FLIP, FLIPPING
from fairdeal.games.chimax.order.text.notation import read_move
from fairdeal.games.chimax.state import OVER, PLAYOFF
from fairdeal.games.chimax.text.flips import cannot_turn, place_of
from fairdeal.games.chimax.text.words import explain_shared, sentence


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    shared = explain_shared(state, player, action, text)
    if shared:
        return shared
    if int(state.phase) != FLIPPING:
        return IllegalMove(text, "no layout is being played now", "GEN-15")
    reason = cannot_turn_here(state, player, action - FLIP)
    return IllegalMove(text, *reason) if reason else None


def cannot_turn_here(state: Record, seat: int, place: int) -> tuple[str, str] | None:
    """Why a seat cannot turn up a card of the layout that it plays on."""
    return cannot_turn(state.boards[board_of(state, seat)], place, int(state.options.stall_limit))


def why(state: Record, viewer: int, picks: object, card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    if int(state.phase) == OVER:
        return "The game is over.", "ORDER-10"
    if not int(state.to_act) >> viewer & 1:
        return "It is not your turn.", "ORDER-07"
    if int(state.phase) != FLIPPING:
        return "The layout is not in play now.", "TOUR-07" if int(state.phase) == PLAYOFF else "GEN-15"
    if card.partition(".")[0] != board_id(state, viewer) or place_of(card) < 0:
        return "Everybody turns up cards of his own layout only.", "ORDER-13"
    return sentence(cannot_turn_here(state, viewer, place_of(card)) or ("this card can be turned", "MEM-03"))


def board_id(state: Record, seat: int) -> str:
    """The id of the zone where a seat turns up cards."""
    return f"layout{board_of(state, seat)}"
