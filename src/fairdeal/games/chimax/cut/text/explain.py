"""CHIMAX CUT: the reasons why moves are illegal, or cards cannot be chosen, each with its clause."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import HOUSE
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chimax.cut.state import ACTIONS, DECIDING, DECLARING, UNTIL_INFINITY
from fairdeal.games.chimax.state import CLOCK, CUTTING, DEALING, PLAYOFF
from fairdeal.games.chimax.text.words import Reason, layer_reason


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Return the reason why an action is illegal, with its clause, or None if it is legal."""
    of_a_seat = player != HOUSE and action != CLOCK
    return (round_reason(state, action) if of_a_seat else None) or layer_reason(state, player, action)


def round_reason(state: Snapshot, action: int) -> Reason | None:
    """Return the reason why a seat's action is illegal in a round, or None if the layer gives the reason."""
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
    """Return the refusal, by its name in `clauses.toml`, for a card that cannot be chosen now."""
    if zone.id == "shown" and state.phase == DEALING:
        return "infinity"
    if viewer not in state.acting:
        return "turn"
    return "cut" if state.phase in (CUTTING, DECIDING) else "other"
