"""CHIMAX ORDER: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.piles import find
from fairdeal.engine.records import HOUSE, Record
from fairdeal.games.chimax.order.notation import read_move
from fairdeal.games.chimax.order.rules import board_of, must_be_unseen
from fairdeal.games.chimax.order.state import CLOCK, FLIP, FLIPPING
from fairdeal.games.chimax.state import OVER, PLAYOFF
from fairdeal.games.chimax.words import explain_shared


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    if action == CLOCK:
        reason = "nothing is under way that a time limit could end" if player == HOUSE else "the clock is the house's"
        return IllegalMove(text, reason, "TOUR-04")
    if player == HOUSE:
        return IllegalMove(text, "the house only calls `clock`", "TOUR-04")
    return explain_shared(state, player, action, text) or explain_flip(state, player, action - FLIP, text)


def explain_flip(state: Record, player: int, place: int, text: str) -> IllegalMove | None:
    if int(state.phase) != FLIPPING:
        return IllegalMove(text, "no layout is being played now", "GEN-15")
    if find(state.boards[board_of(state, player)].open, place) >= 0:
        return IllegalMove(text, "this card lies face up already", "MEM-03")
    if must_be_unseen(state, player):
        return IllegalMove(text, "after so many turns without news a card never seen must be turned", "MEM-07")
    return None


def why(state: Record, viewer: int, picks: object, card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    if int(state.phase) == OVER:
        return "The game is over.", "ORDER-10"
    if not int(state.to_act) >> viewer & 1:
        return "It is not your turn.", "ORDER-07"
    if int(state.phase) != FLIPPING:
        return "The layout is not in play now.", "TOUR-07" if int(state.phase) == PLAYOFF else "GEN-15"
    zone, _, place = card.partition(".")
    if zone != board_id(state, viewer) or not place.isdecimal():
        return "Everybody turns up cards of his own layout only.", "ORDER-13"
    if find(state.boards[board_of(state, viewer)].open, int(place) - 1) >= 0:
        return "This card lies face up already.", "MEM-03"
    return "Too many turns brought nothing new: turn a card that nobody has seen.", "MEM-07"


def board_id(state: Record, seat: int) -> str:
    """The id of the zone where a seat turns up cards."""
    return f"layout{board_of(state, seat)}"
