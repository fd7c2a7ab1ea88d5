"""CHIMAX CUT: why a move is not legal, or a card cannot be chosen, in words and with the clause."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import HOUSE, Record
from fairdeal.games.chimax.cut.state import DECIDING, DECLARING, KEEP, UNTIL_INFINITY
from fairdeal.games.chimax.cut.text.notation import read_move
from fairdeal.games.chimax.cut.text.open_cards import cards_on_table
from fairdeal.games.chimax.state import CLOCK, CUTTING, DEAL, DEALING, DECLARE, PLAYOFF, PLAYOFF_CARD
from fairdeal.games.chimax.text.words import explain_shared


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    if player == HOUSE or action == CLOCK:
        return explain_shared(state, player, action, text)
    reason = of_a_seat(state, action)
    return IllegalMove(text, *reason) if reason else explain_shared(state, player, action, text)


def of_a_seat(state: Record, action: int) -> tuple[str, str] | None:
    """Why an action of a seat is not legal in a round; None where the layer has the words."""
    phase = int(state.phase)
    if phase == PLAYOFF:
        return ("one Book decides, and nothing is kept", "TOUR-07") if action == KEEP else None
    if phase == DEALING:
        return "the next round begins when its dealer says `deal`", "GEN-15"
    if action == KEEP:
        if int(state.options.mode) == UNTIL_INFINITY:
            return "nothing is kept: cut on until Infinity shows", "CUT-06"
        return "no card is shown that could be kept", "CUT-04"
    if DEAL < action < DECLARE:
        if phase == DECLARING:
            return "your ? must be declared first", "CUT-07"
        return f"a deck of {int(state.pack.length)} is cut at 1 to {int(state.pack.length) - 1}", "CUT-03"
    if DECLARE <= action < PLAYOFF_CARD:
        if phase == DECLARING:
            return "this value is declared already", "CUT-07"
        return "a ? is declared once it is kept", "CUT-07"
    return None


def why(state: Record, viewer: int, picks: Sequence[int], card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    zone = next((one.zone for one in cards_on_table(state) if one.id == card), "")
    if state.over:
        return "The game is over.", "CUT-08"
    if zone == "out":
        return "This card has left the round; it comes back with the next shuffle.", "CUT-04"
    if zone.startswith("kept"):
        return "This card is kept, and is compared when everybody still in has kept one.", "CUT-06"
    if zone == "shown" and int(state.phase) == DEALING:
        return "Infinity has won the round.", "CUT-05"
    if not int(state.to_act) >> viewer & 1:
        return "It is not your turn.", "CUT-03"
    if int(state.phase) in (CUTTING, DECIDING):
        return "Nobody knows the cards of the deck; say where you cut it.", "CUT-03"
    return "Nothing can be done with this card now.", "CUT-03"
