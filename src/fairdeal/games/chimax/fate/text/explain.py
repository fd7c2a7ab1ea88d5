"""CHIMAX FATE: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.fate.state import CHOOSING, FLIP, FLIPPING, NAME, NAMING, SPIN, SPINNING, STOP
from fairdeal.games.chimax.fate.text.notation import read_move
from fairdeal.games.chimax.state import CUTTING, DEALING, PLAYOFF
from fairdeal.games.chimax.text.flips import cannot_turn, place_of
from fairdeal.games.chimax.text.words import explain_shared, sentence


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    shared = explain_shared(state, player, action, text)
    if shared:
        return shared
    reason = wrong_phase(state, action) or not_possible(state, action)
    return IllegalMove(text, *reason) if reason else None


def wrong_phase(state: Record, action: int) -> tuple[str, str] | None:
    phase = int(state.phase)
    if phase in (DEALING, CUTTING, PLAYOFF):
        return "the cards have to be dealt first" if phase != PLAYOFF else "one Book decides now", "GEN-15"
    if phase == SPINNING and action != SPIN:
        return "a turn begins with `spin`", "FATE-03"
    if phase == NAMING and action < NAME:
        return "the wheel points at a card: say its face with `name`", "FATE-10"
    if phase == FLIPPING and action == STOP:
        return "turn one card at least", "FATE-06"
    if phase in (FLIPPING, CHOOSING):
        if action == SPIN:
            return "the wheel has spoken: look for the face", "FATE-06"
        if action >= NAME:
            return "the wheel called for a face: turn cards to find it", "FATE-05"
    return None


def not_possible(state: Record, action: int) -> tuple[str, str] | None:
    if action >= NAME:
        return "this face is not in the layout any more", "FATE-10"
    return cannot_turn(state.layout, action - FLIP, int(state.options.stall_limit))


def why(state: Record, viewer: int, picks: object, card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    if state.over:
        return "The game is over.", "FATE-08"
    if card.startswith("taken"):
        return "This card is taken for good.", "FATE-07"
    phase = int(state.phase)
    if phase == PLAYOFF:
        return "One Book decides now, and each has one card for it.", "TOUR-07"
    if viewer < 0 or not int(state.to_act) >> viewer & 1:
        return "It is not your turn.", "FATE-08"
    if phase in (DEALING, CUTTING):
        return "The cards have to be dealt first.", "GEN-15"
    if phase == SPINNING:
        return "Spin the wheel first: it says what to look for.", "FATE-03"
    if phase == NAMING:
        return "Nobody turns this card before you have said its face.", "FATE-10"
    reason = not_possible(state, FLIP + place_of(card))
    return sentence(reason or (f"the wheel calls for {name_of(int(state.wheel))}", "FATE-06"))
