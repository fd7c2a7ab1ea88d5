"""CHIMAX JACKPOT: moves in writing."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.jackpot.state import CLAIM, DONE, FLIP, HOLD, STAND_FOR
from fairdeal.games.chimax.text.words import read_shared, write_shared

LINE_NAMES = ("across", "left", "middle", "right")

WORDS = {
    "flip": FLIP,
    "hold": HOLD,
    "done": DONE,
    **{f"claim {name}": CLAIM + line for line, name in enumerate(LINE_NAMES)},
    **{f"declare {code}": STAND_FOR + face for face, code in enumerate(FACE_CODES)},
}
TEXTS = {action: text for text, action in WORDS.items()}

KNOWN = "`flip`, `hold`, `declare inf`, `claim across`, `claim left`, `done`, `deal` or `cut 20`"


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move; every move of JACKPOT is one action."""
    return TEXTS.get(actions[0]) or write_shared(actions[0]) or ""


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The action of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    action = WORDS[text] if text in WORDS else read_shared(text)
    if action is None:
        raise IllegalMove(text, f"write {KNOWN}")
    return [action]
