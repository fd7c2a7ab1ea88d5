"""CHIMAX MATCH: why a move is not legal, or a card cannot be chosen, in words and with the clause."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chimax.match.state import ACTIONS, FLIPPING
from fairdeal.games.chimax.text.layout import cannot_turn, place_of
from fairdeal.games.chimax.text.words import Reason, layer_reason


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Why an action is not legal, with the clause; None if nothing speaks against it."""
    return layer_reason(state, player, action) or cannot_turn_here(state, ACTIONS.decode(action).which)


def cannot_turn_here(state: Snapshot, place: int) -> Reason | None:
    """Why the card at a place cannot be turned now, with the clause; None if it can."""
    if state.phase != FLIPPING:
        return "no card of the layout is turned now", "GEN-15"
    return cannot_turn(state.layout, place, state.options.stall_limit)


def tapped(state: Snapshot, viewer: int, picks: object, zone: Zone, card: Card) -> Reason | None:
    """Return why a card of the layout cannot be turned by a seat that may act."""
    return cannot_turn_here(state, place_of(card.id))
