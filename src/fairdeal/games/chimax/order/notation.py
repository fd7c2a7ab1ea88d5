"""CHIMAX ORDER: moves in writing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.order.state import CLOCK, FLIP
from fairdeal.games.chimax.words import read_shared, write_shared

FLIP_MOVE = re.compile(r"flip (\d{1,4})")


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move is one action."""
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
        raise IllegalMove(text, "write `flip 7`, or between layouts `deal` or `cut 5`")
    if not 1 <= int(parts[1]) <= FACES:
        raise IllegalMove(text, f"the places are 1 to {FACES}", "MEM-01")
    return [FLIP + int(parts[1]) - 1]
