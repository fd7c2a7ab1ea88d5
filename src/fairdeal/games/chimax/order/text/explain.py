"""CHIMAX ORDER: why a move is not legal, in words and with the clause."""

from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.order.rules import board_of
from fairdeal.games.chimax.order.state import ACTIONS, FLIPPING
from fairdeal.games.chimax.state import OVER, PLAYOFF
from fairdeal.games.chimax.text.layout import cannot_turn, place_of
from fairdeal.games.chimax.text.words import Reason, layer_reason, sentence


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Why an action is not legal, with the clause; None if nothing speaks against it."""
    return layer_reason(state, player, action) or cannot_turn_here(state, player, ACTIONS.decode(action).which)


def cannot_turn_here(state: Snapshot, seat: int, place: int) -> Reason | None:
    """Why a seat cannot turn up a card of the layout that it plays on."""
    if state.phase != FLIPPING:
        return "no layout is being played now", "GEN-15"
    return cannot_turn(state.boards[board_of(state, seat)], place, state.options.stall_limit)


def why(state: Snapshot, viewer: int, picks: object, card: str) -> Reason:
    """Why a card of the table cannot be chosen now, and the clause."""
    place = place_of(card)
    if state.phase == OVER:
        return "The game is over.", "ORDER-10"
    if viewer not in state.acting:
        return "It is not your turn.", "ORDER-07"
    if state.phase != FLIPPING:
        return "The layout is not in play now.", "TOUR-07" if state.phase == PLAYOFF else "GEN-15"
    if card.partition(".")[0] != board_id(state, viewer) or place < 0:
        return "You turn up cards of your own layout only.", "ORDER-13"
    return sentence(cannot_turn_here(state, viewer, place) or ("this card can be turned", "MEM-03"))


def board_id(state: Snapshot, seat: int) -> str:
    """The id of the zone where a seat turns up cards."""
    return f"layout{board_of(state, seat)}"
