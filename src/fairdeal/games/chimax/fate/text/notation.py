"""CHIMAX FATE: moves in writing (docs/rules/chimax.md, section 6)."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.fate.state import FLIP, NAME, PLACES, SPIN, STOP
from fairdeal.games.chimax.text.flips import read_flip, write_flip
from fairdeal.games.chimax.text.words import read_shared, write_shared

WORDS = {"spin": SPIN, "stop": STOP}
TEXTS = {action: text for text, action in WORDS.items()}


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move is one action."""
    action = actions[0]
    text = write_shared(action) or TEXTS.get(action)
    if text:
        return text
    return write_flip(action - FLIP) if action < STOP else f"name {FACE_CODES[action - NAME]}"


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    action, place = WORDS.get(text, read_shared(text)), read_flip(text, PLACES)
    verb, _, face = text.partition(" ")
    if place is not None:
        action = FLIP + place
    elif verb == "name":
        if face not in FACE_CODES:
            raise IllegalMove(text, f"the faces are {' '.join(FACE_CODES)}", "GEN-02")
        action = NAME + FACE_CODES.index(face)
    if action is None:
        raise IllegalMove(text, "write `spin`, `flip 3`, `stop`, `name 25`, `deal`, `cut 5`, `slot 1` or `declare 25`")
    return [action]
