"""CHIMAX CUT: why a move is not legal, or a card cannot be chosen, in words and with the clause."""

from fairdeal.engine.records import EMPTY, HOUSE
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cut.state import ACTIONS, DECIDING, DECLARING, UNTIL_INFINITY
from fairdeal.games.chimax.cut.text.open_cards import cards_on_table
from fairdeal.games.chimax.state import CLOCK, CUTTING, DEALING, PLAYOFF
from fairdeal.games.chimax.text.words import Reason, layer_reason


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Why an action is not legal, with the clause; None if nothing speaks against it."""
    of_a_seat = player != HOUSE and action != CLOCK
    return (round_reason(state, action) if of_a_seat else None) or layer_reason(state, player, action)


def round_reason(state: Snapshot, action: int) -> Reason | None:
    """Why an action of a seat is not legal in a round; None where the layer has the words."""
    verb, size = ACTIONS.decode(action).verb, state.pack.length
    if state.phase == PLAYOFF:
        return ("one Book decides, and nothing is kept", "TOUR-07") if verb == "keep" else None
    if state.phase == DEALING:
        return "the next round begins when its dealer says `deal`", "GEN-15"
    match verb:
        case "keep" if state.options.mode == UNTIL_INFINITY:
            return "nothing is kept: cut on until Infinity shows", "CUT-06"
        case "keep":
            return "no card is shown that could be kept", "CUT-04"
        case "cut" if state.phase == DECLARING:
            return "your ? must be declared first", "CUT-07"
        case "cut":
            return f"a deck of {size} is cut at 1 to {size - 1}", "CUT-03"
        case "declare" if state.phase == DECLARING:
            return "this value is declared already", "CUT-07"
        case "declare":
            return "a ? is declared once it is kept", "CUT-07"
    return None


def why(state: Snapshot, viewer: int, picks: object, card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    zone, _ = cards_on_table(state).get(card, ("", EMPTY))
    if state.over:
        return "The game is over.", "CUT-08"
    if zone == "out":
        return "This card has left the round; it comes back with the next shuffle.", "CUT-04"
    if zone.startswith("kept"):
        return "This card is kept, and is compared when everybody still in has kept one.", "CUT-06"
    if zone == "shown" and state.phase == DEALING:
        return "Infinity has won the round.", "CUT-05"
    if viewer not in state.acting:
        return "It is not your turn.", "CUT-03"
    if state.phase in (CUTTING, DECIDING):
        return "Nobody knows the cards of the deck; say where you cut it.", "CUT-03"
    return "Nothing can be done with this card now.", "CUT-03"
