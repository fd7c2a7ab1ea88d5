"""CHIMAX FATE: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.piles import find
from fairdeal.engine.records import EMPTY, HOUSE, Record
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.fate.notation import read_move
from fairdeal.games.chimax.fate.rules import is_stalled
from fairdeal.games.chimax.fate.state import (
    CHOOSING,
    CLOCK,
    FLIP,
    FLIPPING,
    NAME,
    NAMING,
    SPIN,
    SPINNING,
    STOP,
)
from fairdeal.games.chimax.layout import is_unseen
from fairdeal.games.chimax.state import CUTTING, DEALING, PLAYOFF
from fairdeal.games.chimax.words import explain_shared

ONLY_NEW = "nobody has brought anything new for too long: turn a card that nobody has seen", "MEM-07"


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    if action == CLOCK:
        if player != HOUSE:
            return IllegalMove(text, "the clock is the house's", "TOUR-04")
        return IllegalMove(text, "no round is under way that has a limit", "TOUR-05")
    if player == HOUSE:
        return IllegalMove(text, "the house only ends rounds: `clock`", "TOUR-04")
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
    if phase == NAMING and not NAME <= action < CLOCK:
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
    place = action - FLIP
    if place >= int(state.layout.length):
        return f"the layout has the places 1 to {int(state.layout.length)}", "MEM-01"
    if int(state.layout.cards[place]) == EMPTY:
        return "the card of this place is taken", "MEM-01"
    if find(state.layout.open, place) >= 0:
        return "this card is turned up already", "MEM-03"
    return ONLY_NEW if is_stalled(state) and not is_unseen(state.layout, place) else None


def why(state: Record, viewer: int, picks: object, card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    if state.over:
        return "The game is over.", "FATE-08"
    zone, _, number = card.partition(".")
    if zone.startswith("taken"):
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
    place = int(number) - 1 if number.isdecimal() and int(number) <= int(state.layout.length) else 0
    reason = not_possible(state, FLIP + place)
    if reason:
        return f"{reason[0][0].upper()}{reason[0][1:]}.", reason[1]
    return f"The wheel calls for {name_of(int(state.wheel))}.", "FATE-06"
