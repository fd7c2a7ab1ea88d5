"""CHIMAX ORDER: moves in writing."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.order.state import FLIP
from fairdeal.games.chimax.text.flips import read_flip, write_flip
from fairdeal.games.chimax.text.words import read_shared, write_shared


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move is one action."""
    return write_shared(actions[0]) or write_flip(actions[0] - FLIP)


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    place = read_flip(text, FACES)
    action = read_shared(text) if place is None else FLIP + place
    if action is None:
        raise IllegalMove(text, "write `flip 7`, or between layouts `deal` or `cut 5`")
    return [action]
