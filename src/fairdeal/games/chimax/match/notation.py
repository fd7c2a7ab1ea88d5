"""CHIMAX MATCH: moves in writing, `flip 9`, and those of the tournament layer; why a move is not legal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.piles import find
from fairdeal.engine.records import EMPTY, HOUSE, Record
from fairdeal.games.chimax.layout import is_unseen
from fairdeal.games.chimax.match.rules import must_turn_unseen
from fairdeal.games.chimax.match.state import CLOCK, FLIP, FLIPPING, TRIPLET_PLACES
from fairdeal.games.chimax.words import explain_shared, read_shared, write_shared

FLIP_MOVE = re.compile(r"flip ([1-9][0-9]?)")


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move is one action. Places are numbered from 1."""
    action = actions[0]
    if action == CLOCK:
        return "clock"
    return write_shared(action) or f"flip {action - FLIP + 1}"


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    if text == "clock":
        return [CLOCK]
    shared = read_shared(text)
    if shared is not None:
        return [shared]
    parts = FLIP_MOVE.fullmatch(text)
    if not parts:
        raise IllegalMove(text, "write `flip 9`, `deal`, `cut 20`, `slot 1` or `declare 25`")
    if int(parts[1]) > TRIPLET_PLACES:
        raise IllegalMove(text, f"a layout has at most {TRIPLET_PLACES} places", "MEM-01")
    return [FLIP + int(parts[1]) - 1]


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    action = read_move(state, player, text)[0]
    if player == HOUSE or action == CLOCK:
        return explain_clock(state, player, action, text)
    shared = explain_shared(state, player, action, text)
    if shared:
        return shared
    reason = cannot_turn(state, action - FLIP)
    return IllegalMove(text, *reason) if reason else None


def explain_clock(state: Record, player: int, action: int, text: str) -> IllegalMove:
    """TOUR-04, 05: the clock, and who may bring it about."""
    if action != CLOCK or player != HOUSE:
        return IllegalMove(text, "the house brings about the end of the time, and nothing else", "TOUR-04")
    if int(state.options.round_minutes) <= 0:
        return IllegalMove(text, "there is no limit at this table", "TOUR-04")
    return IllegalMove(text, "nothing is under way that the clock could end", "TOUR-05")


def cannot_turn(state: Record, place: int) -> tuple[str, str] | None:
    """Why the card at a place cannot be turned now, with the clause; None if it can."""
    layout = state.layout
    if int(state.phase) != FLIPPING:
        return "no card of the layout is turned now", "GEN-15"
    if place >= int(layout.length):
        return f"the places are 1 to {int(layout.length)}", "MEM-01"
    if layout.cards[place] == EMPTY:
        return f"the card of place {place + 1} is taken", "MEM-01"
    if find(layout.open, place) >= 0:
        return f"the card of place {place + 1} is turned up already", "MEM-03"
    if must_turn_unseen(state) and not is_unseen(layout, place):
        return "too many turns brought no news: the first card must be one never seen", "MEM-07"
    return None
