"""CHIMAX FATE: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.fate.state import ACTIONS, CHOOSING, FLIPPING, NAMING, SPINNING
from fairdeal.games.chimax.fate.text.notation import read_move
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, PLAYOFF
from fairdeal.games.chimax.text.flips import cannot_turn, place_of
from fairdeal.games.chimax.text.words import Reason, layer_reason, sentence

NOT_DEALT = "the cards have to be dealt first", "GEN-15"
NOT_NOW = {
    DEALING: NOT_DEALT,
    CUTTING: NOT_DEALT,
    PLAYOFF: ("one Book decides now", "GEN-15"),
    OVER: ("the game is over", "FATE-08"),
}
"""Why nothing of the game's own is done in a phase."""

NOT_IN_A_SEARCH = {
    "spin": ("the wheel has spoken: look for the face", "FATE-06"),
    "name": ("the wheel called for a face: turn cards to find it", "FATE-05"),
}
"""Why these are not done while cards are turned up, by verb."""


def explain(state: Snapshot, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    reason = layer_reason(state, player, action) or own_reason(state, action)
    return IllegalMove(text, *reason) if reason else None


def own_reason(state: Snapshot, action: int) -> Reason | None:
    """Why an action of the game's own is not legal now."""
    verb, place = ACTIONS.decode(action)
    if state.phase in NOT_NOW:
        return NOT_NOW[state.phase]
    if state.phase == SPINNING and verb != "spin":
        return "a turn begins with `spin`", "FATE-03"
    if state.phase == NAMING and verb != "name":
        return "the wheel points at a card: say its face with `name`", "FATE-10"
    if state.phase == FLIPPING and verb == "stop":
        return "turn one card at least", "FATE-06"
    if state.phase in (FLIPPING, CHOOSING) and verb in NOT_IN_A_SEARCH:
        return NOT_IN_A_SEARCH[verb]
    if verb == "name":
        return "this face is not in the layout any more", "FATE-10"
    return cannot_turn(state.layout, place, state.options.stall_limit) if verb == "flip" else None


def why(state: Snapshot, viewer: int, picks: object, card: str) -> Reason:
    """Why a card of the table cannot be chosen now, and the clause."""
    if state.over:
        return sentence(NOT_NOW[OVER])
    if card.startswith("taken"):
        return "This card is taken for good.", "FATE-07"
    if state.phase == PLAYOFF:
        return "One Book decides now, and each has one card for it.", "TOUR-07"
    if viewer not in state.acting:
        return "It is not your turn.", "FATE-08"
    if state.phase in NOT_NOW:
        return sentence(NOT_NOW[state.phase])
    if state.phase == SPINNING:
        return "Spin the wheel first: it says what to look for.", "FATE-03"
    if state.phase == NAMING:
        return "Nobody turns this card before you have said its face.", "FATE-10"
    reason = cannot_turn(state.layout, place_of(card), state.options.stall_limit)
    return sentence(reason or (f"the wheel calls for {name_of(state.wheel)}", "FATE-06"))
