"""CHIMAX FATE: moves in writing (docs/rules/chimax.md, section 6)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.fate.state import CLOCK, FLIP, NAME, PLACES, SPIN, STOP
from fairdeal.games.chimax.words import read_shared, write_shared

WORDS = {"spin": SPIN, "stop": STOP, "clock": CLOCK}
FLIP_MOVE = re.compile(r"flip (\d{1,3})")


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move is one action."""
    action = actions[0]
    shared = write_shared(action)
    if shared is not None:
        return shared
    if FLIP <= action < STOP:
        return f"flip {action - FLIP + 1}"
    if NAME <= action < CLOCK:
        return f"name {FACE_CODES[action - NAME]}"
    return next(word for word, number in WORDS.items() if number == action)


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    if text in WORDS:
        return [WORDS[text]]
    shared = read_shared(text)
    if shared is not None:
        return [shared]
    parts = FLIP_MOVE.fullmatch(text)
    if parts:
        if not 1 <= int(parts[1]) <= PLACES:
            raise IllegalMove(text, f"the places are 1 to {PLACES}", "MEM-01")
        return [FLIP + int(parts[1]) - 1]
    verb, _, face = text.partition(" ")
    if verb == "name":
        if face not in FACE_CODES:
            raise IllegalMove(text, f"the faces are {' '.join(FACE_CODES)}", "GEN-02")
        return [NAME + FACE_CODES.index(face)]
    raise IllegalMove(text, "write `spin`, `flip 3`, `stop`, `name 25`, `deal`, `cut 5`, `slot 1` or `declare 25`")
