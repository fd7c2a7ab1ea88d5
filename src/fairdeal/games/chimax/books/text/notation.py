"""CHIMAX BOOKS: moves in writing (docs/rules/chimax.md, section 1.6)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import EMPTY, Record
from fairdeal.games.chimax.books.state import EXPOSE, FACE, SLOT, SLOTS, TOP, TOP_ONLY
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.state import PLAYOFF, PLAYOFF_CARD
from fairdeal.games.chimax.text.words import read_shared, write_shared

SLOT_MOVE = re.compile(r"slot (\d{1,3})", re.ASCII)
EXPOSE_MOVE = re.compile(r"expose (\d) (\d{1,2})", re.ASCII)
KNOWN = "`slot 3`, `play 25`, `top`, `declare 50`, `cut 7` or `deal`"


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move of Books is one action."""
    action = actions[0]
    if action == TOP or (action == PLAYOFF_CARD and int(state.options.pick) == TOP_ONLY):
        return "top"
    if action == PLAYOFF_CARD:
        card = int(state.ones[player])
        return f"play {FACE_CODES[card]}" if int(state.options.peek) and card >= 0 else "slot 1"
    if action >= EXPOSE:
        return f"expose {(action - EXPOSE) // SLOTS} {(action - EXPOSE) % SLOTS + 1}"
    if action >= FACE:
        return f"play {FACE_CODES[action - FACE]}"
    return f"slot {action - SLOT + 1}" if action >= SLOT else write_shared(action) or ""


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    exposed = EXPOSE_MOVE.fullmatch(text)
    if exposed:
        return [read_exposed(state, text, int(exposed[1]), int(exposed[2]))]
    action = read_card(text)
    if action is None:
        action = read_shared(text)
    elif int(state.phase) == PLAYOFF and is_playoff_card(state, player, action):
        action = PLAYOFF_CARD
    if action is None:
        raise IllegalMove(text, f"write {KNOWN}")
    return [action]


def read_exposed(state: Record, text: str, seat: int, slot: int) -> int:
    """BOOKS-30: a seat, counted from 0, and a slot, counted from 1."""
    if seat >= int(state.players) or not 1 <= slot <= SLOTS:
        raise IllegalMove(text, f"the seats are 0 to {int(state.players) - 1}, the slots 1 to {SLOTS}", "BOOKS-30")
    return EXPOSE + seat * SLOTS + slot - 1


def read_card(text: str) -> int | None:
    """The action that plays a card of a hand, in any of the ways to name one; None for other texts."""
    if text == "top":
        return TOP
    parts = SLOT_MOVE.fullmatch(text)
    if parts:
        if not 1 <= int(parts[1]) <= SLOTS:
            raise IllegalMove(text, f"the slots are 1 to {SLOTS}", "BOOKS-05")
        return SLOT + int(parts[1]) - 1
    verb, _, face = text.partition(" ")
    if verb == "play":
        if face not in FACE_CODES:
            raise IllegalMove(text, f"{face!r} is no card: {', '.join(FACE_CODES)}", "GEN-02")
        return FACE + FACE_CODES.index(face)
    return None


def is_playoff_card(state: Record, player: int, action: int) -> bool:
    """TOUR-07: is it the one card that a seat has in a playoff, named as in the game?"""
    if player < 0 or int(state.ones[player]) == EMPTY:
        return False
    if int(state.options.pick) == TOP_ONLY:
        return action == TOP
    return action == (FACE + int(state.ones[player]) if int(state.options.peek) else SLOT)
