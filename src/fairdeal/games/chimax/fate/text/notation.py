"""CHIMAX FATE: moves in writing (docs/rules/chimax.md, section 6)."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.actions import Texts
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.fate.state import ACTIONS, PLACES
from fairdeal.games.chimax.text.words import LAYER_TEXTS, misread

TEXTS = Texts(
    ACTIONS,
    LAYER_TEXTS,
    spin="spin",
    flip=("flip {}", range(1, PLACES + 1)),
    stop="stop",
    name=("name {}", FACE_CODES),
)
KNOWN = "`spin`, `flip 3`, `stop`, `name 25`, `deal`, `cut 5`, `slot 1` or `declare 25`"


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move is one action."""
    return TEXTS.write(actions[0]) or ""


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    action = TEXTS.read(text)
    if action is not None:
        return [action]
    if text.partition(" ")[0] == "name":
        raise IllegalMove(text, f"the faces are {' '.join(FACE_CODES)}", "GEN-02")
    raise misread(TEXTS, text, KNOWN, PLACES)
