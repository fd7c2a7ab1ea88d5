"""CHIMAX CUT: the reasons why moves are illegal, or cards cannot be chosen, with clauses."""

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
    """Return the reason why a seat's action is illegal in a round, or None if the tournament layer gives the reason."""
    verb, size = ACTIONS.decode(action).verb, state.pack.length
    if state.phase == PLAYOFF:
        return ("in a playoff, you play your card and keep nothing", "TOUR-07") if verb == "keep" else None
    if state.phase == DEALING:
        return "the next round starts when its dealer deals, with `deal`", "GEN-15"
    match verb:
        case "keep" if state.options.mode == UNTIL_INFINITY:
            return "at this table, you keep nothing: cut until Infinity appears", "CUT-06"
        case "keep":
            return "there is no card to keep", "CUT-04"
        case "cut" if state.phase == DECLARING:
            return "declare your ? first", "CUT-07"
        case "cut":
            return f"cut this deck at a place from 1 to {size - 1}", "CUT-03"
        case "declare" if state.phase == DECLARING:
            return "this value has already been declared", "CUT-07"
        case "declare":
            return "you can declare a ? only after you keep it", "CUT-07"
    return None


def tapped(state: Snapshot, viewer: int, picks: object, zone: Zone, card: Card) -> str:
    """Return the reason why a card cannot be chosen now, as the name of a refusal in `clauses.toml`."""
    if zone.id == "shown" and state.phase == DEALING:
        return "infinity"
    if viewer not in state.acting:
        return "turn"
    return "cut" if state.phase in (CUTTING, DECIDING) else "other"
