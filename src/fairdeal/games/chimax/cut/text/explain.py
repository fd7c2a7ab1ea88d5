"""CHIMAX CUT: why a move is not legal, or a card cannot be chosen, in words and with the clause."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import HOUSE
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chimax.cut.state import ACTIONS, DECIDING, DECLARING, UNTIL_INFINITY
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


def tapped(state: Snapshot, viewer: int, picks: object, zone: Zone, card: Card) -> str:
    """Return why a card of the table cannot be chosen now: a case of the refusals in `clauses.toml`."""
    if zone.id == "shown" and state.phase == DEALING:
        return "infinity"
    if viewer not in state.acting:
        return "turn"
    return "cut" if state.phase in (CUTTING, DECIDING) else "other"
