"""CHIMAX CUT: moves in writing: `cut 12`, `keep`, `declare 50`, `deal`, and the house's `clock`."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.actions import Texts
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cut.state import ACTIONS
from fairdeal.games.chimax.text.words import LAYER_TEXTS, misread

TEXTS = Texts(ACTIONS, LAYER_TEXTS, keep="keep")


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move is one action."""
    return TEXTS.write(actions[0]) or ""


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    action = TEXTS.read(text)
    if action is None:
        raise misread(TEXTS, text, "`cut 12`, `keep`, `declare 50`, `deal`, or in a playoff `slot 1`")
    return [action]
