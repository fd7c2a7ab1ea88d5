"""CHIMAX JACKPOT: moves in writing."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.actions import Texts
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.jackpot.state import ACTIONS
from fairdeal.games.chimax.text.words import misread

LINE_NAMES = ("across", "left", "middle", "right")

TEXTS = Texts(
    ACTIONS,
    deal="deal",
    cut="cut {}",
    declare=None,  # values of Books and playoffs, which a game for one does not have
    playoff_card="slot 1",
    clock="clock",
    flip="flip",
    hold="hold",
    claim=("claim {}", LINE_NAMES),
    done="done",
    stand_for=("declare {}", FACE_CODES),
)
KNOWN = "`flip`, `hold`, `declare inf`, `claim across`, `claim left`, `done`, `deal` or `cut 20`"


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move of JACKPOT is one action."""
    return TEXTS.write(actions[0]) or ""


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    action = TEXTS.read(text)
    if action is None:
        raise misread(TEXTS, text, KNOWN)
    return [action]
