"""CHIMAX MATCH: the reasons why moves are illegal, or cards cannot be chosen, with clauses."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chimax.match.state import ACTIONS, FLIPPING
from fairdeal.games.chimax.text.layout import cannot_turn, place_of
from fairdeal.games.chimax.text.words import Reason, layer_reason


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Return the reason why an action is illegal, with its clause, or None if it is legal."""
    return layer_reason(state, player, action) or cannot_turn_here(state, ACTIONS.decode(action).which)


def cannot_turn_here(state: Snapshot, place: int) -> Reason | None:
    """Return the reason why the card at `place` cannot be turned now, with its clause, or None if it can."""
    if state.phase != FLIPPING:
        return "you cannot turn up cards in the layout now", "GEN-15"
    return cannot_turn(state.layout, place, state.options.stall_limit)


def tapped(state: Snapshot, viewer: int, picks: object, zone: Zone, card: Card) -> Reason | None:
    """Return the reason why a seat on turn cannot turn up a card of the layout."""
    return cannot_turn_here(state, place_of(card.id))
