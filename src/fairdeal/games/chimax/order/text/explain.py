"""CHIMAX ORDER: the reasons why moves are illegal, with clauses."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chimax.order.rules import board_of
from fairdeal.games.chimax.order.state import ACTIONS, FLIPPING
from fairdeal.games.chimax.state import PLAYOFF
from fairdeal.games.chimax.text.layout import cannot_turn, place_of
from fairdeal.games.chimax.text.words import Reason, layer_reason


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Return the reason why an action is illegal, with its clause, or None if it is legal."""
    return layer_reason(state, player, action) or cannot_turn_here(state, player, ACTIONS.decode(action).which)


def cannot_turn_here(state: Snapshot, seat: int, place: int) -> Reason | None:
    """Return the reason why a seat cannot turn up the card at `place` of its layout, or None if it can."""
    if state.phase != FLIPPING:
        return "you cannot turn up cards in the layout now", "GEN-15"
    return cannot_turn(state.boards[board_of(state, seat)], place, state.options.stall_limit)


def tapped(state: Snapshot, viewer: int, picks: object, zone: Zone, card: Card) -> str | Reason | None:
    """Return the reason why a seat on turn cannot choose a card."""
    if state.phase != FLIPPING:
        return "playoff" if state.phase == PLAYOFF else "deal"
    if not card.id.startswith(f"{board_id(state, viewer)}."):
        return "not_yours"
    return cannot_turn_here(state, viewer, place_of(card.id))


def board_id(state: Snapshot, seat: int) -> str:
    """Return the zone id of the layout that a seat plays on."""
    return f"layout{board_of(state, seat)}"
