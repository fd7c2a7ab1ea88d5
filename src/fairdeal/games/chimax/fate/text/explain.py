"""CHIMAX FATE: the reasons why moves are illegal, with clauses."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.fate.state import ACTIONS, PHASES
from fairdeal.games.chimax.text.layout import cannot_turn, place_of
from fairdeal.games.chimax.text.words import Reason, layer_reason


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Return the reason why an action is illegal, with its clause, or None if it is legal."""
    return layer_reason(state, player, action) or own_reason(state, action)


def own_reason(state: Snapshot, action: int) -> Reason | None:
    """Return the reason why one of the game's own actions is illegal now, or None if it is legal."""
    match PHASES[state.phase], *ACTIONS.decode(action):
        case "deal" | "cut", _, _:
            return "the cards must be dealt first", "GEN-15"
        case "playoff", _, _:
            return "in a playoff, you can only play your card", "GEN-15"
        case "over", _, _:
            return "the game is over", "FATE-08"
        case "spin", verb, _ if verb != "spin":
            return "start your turn with `spin`", "FATE-03"
        case "name", verb, _ if verb != "name":
            return "the wheel points at a card: name its face with `name`", "FATE-10"
        case "flip" | "choose", "spin", _:
            return "you have already spun the wheel: look for the face", "FATE-06"
        case "flip" | "choose", "name", _:
            return "the wheel calls for a face: turn cards to find it", "FATE-05"
        case "flip", "stop", _:
            return "turn at least one card", "FATE-06"
        case _, "name", _:
            return "this face is no longer in the layout", "FATE-10"
        case _, "flip", place:
            return cannot_turn(state.layout, place, state.options.stall_limit)
    return None


def tapped(state: Snapshot, viewer: int, picks: object, zone: Zone, card: Card) -> str | Reason:
    """Return the reason why a card cannot be chosen now, or the name of a refusal in `clauses.toml`."""
    phase = PHASES[state.phase]
    if phase != "playoff" and viewer not in state.acting:
        return "turn"
    if phase in ("flip", "choose"):
        reason = cannot_turn(state.layout, place_of(card.id), state.options.stall_limit)
        return reason or (f"the wheel calls for {name_of(state.wheel)}", "FATE-06")
    return phase
