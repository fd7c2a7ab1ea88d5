"""CHIMAX CUT: moves in writing: `cut 12`, `keep`, `declare 50`, `deal`, and the house's `clock`."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.chimax.cut.state import KEEP
from fairdeal.games.chimax.text.words import read_shared, write_shared


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move is one action."""
    return write_shared(actions[0]) or "keep"


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    action = KEEP if text == "keep" else read_shared(text)
    if action is None:
        raise IllegalMove(text, "write `cut 12`, `keep`, `declare 50`, `deal`, or in a playoff `slot 1`")
    return [action]
