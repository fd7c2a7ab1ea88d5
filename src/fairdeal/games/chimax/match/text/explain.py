"""CHIMAX MATCH: why a move is not legal, or a card cannot be chosen, in words and with the clause."""

from collections.abc import Sequence

from fairdeal.engine.records import EMPTY
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.match.state import ACTIONS, FLIPPING
from fairdeal.games.chimax.match.text.prompts import clause_of, set_name
from fairdeal.games.chimax.text.layout import cannot_turn, place_of
from fairdeal.games.chimax.text.words import Reason, layer_reason, sentence


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Why an action is not legal, with the clause; None if nothing speaks against it."""
    return layer_reason(state, player, action) or cannot_turn_here(state, ACTIONS.decode(action).which)


def cannot_turn_here(state: Snapshot, place: int) -> Reason | None:
    """Why the card at a place cannot be turned now, with the clause; None if it can."""
    if state.phase != FLIPPING:
        return "no card of the layout is turned now", "GEN-15"
    return cannot_turn(state.layout, place, state.options.stall_limit)


def why(state: Snapshot, viewer: int, picks: Sequence[int], card: str) -> Reason:
    """Why a card of the table cannot be chosen now, and the clause."""
    zone, place = card.partition(".")[0], place_of(card)
    if state.over:
        return "The game is over.", clause_of(state, 10, 6)
    if zone.startswith("taken"):
        return f"A {set_name(state)} that is taken stays with its finder.", clause_of(state, 6, 4)
    if zone != "layout":
        return "This card is played, or waits for the playoff.", "TOUR-07"
    if state.layout.cards[place] == EMPTY:
        return "This card is taken.", "MEM-01"
    if viewer not in state.acting:
        return "It is not your turn.", "GEN-07"
    return sentence(cannot_turn_here(state, place) or ("this card can be turned", "MEM-03"))
