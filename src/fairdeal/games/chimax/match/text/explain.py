"""CHIMAX MATCH: why a move is not legal, or a card cannot be chosen, in words and with the clause."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import EMPTY, Record
from fairdeal.games.chimax.match.state import FLIP, FLIPPING
from fairdeal.games.chimax.match.text.notation import read_move
from fairdeal.games.chimax.match.text.prompts import clause_of, set_name
from fairdeal.games.chimax.text.flips import cannot_turn, place_of
from fairdeal.games.chimax.text.words import explain_shared, sentence


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    shared = explain_shared(state, player, action, text)
    if shared:
        return shared
    reason = cannot_turn_here(state, action - FLIP)
    return IllegalMove(text, *reason) if reason else None


def cannot_turn_here(state: Record, place: int) -> tuple[str, str] | None:
    """Why the card at a place cannot be turned now, with the clause; None if it can."""
    if int(state.phase) != FLIPPING:
        return "no card of the layout is turned now", "GEN-15"
    return cannot_turn(state.layout, place, int(state.options.stall_limit))


def why(state: Record, viewer: int, picks: Sequence[int], card: str) -> tuple[str, str]:
    """Why a card of the table cannot be chosen now, and the clause."""
    zone = card.partition(".")[0]
    if state.over:
        return "The game is over.", clause_of(state, 10, 6)
    if zone.startswith("taken"):
        return f"A {set_name(state)} that is taken stays with its finder.", clause_of(state, 6, 4)
    if zone != "layout":
        return "This card is played, or waits for the playoff.", "TOUR-07"
    place = place_of(card)
    if int(state.layout.cards[place]) == EMPTY:
        return "This card is taken.", "MEM-01"
    if not int(state.to_act) >> viewer & 1 or viewer < 0:
        return "It is not your turn.", "GEN-07"
    return sentence(cannot_turn_here(state, place) or ("this card can be turned", "MEM-03"))
