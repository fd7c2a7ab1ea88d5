"""CHIMAX ORDER: moves in writing."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.actions import Texts
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.order.state import ACTIONS
from fairdeal.games.chimax.text.words import LAYER_TEXTS, misread

TEXTS = Texts(ACTIONS, LAYER_TEXTS, flip=("flip {}", range(1, FACES + 1)))


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move is one action."""
    return TEXTS.write(actions[0]) or ""


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    action = TEXTS.read(text)
    if action is None:
        raise misread(TEXTS, text, "`flip 7`, or between layouts `deal` or `cut 5`", FACES)
    return [action]
