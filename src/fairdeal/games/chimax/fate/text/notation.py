"""CHIMAX FATE: the notation of moves (docs/rules/chimax.md, section 6)."""

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.fate.state import ACTIONS, PLACES
from fairdeal.games.chimax.text.words import LAYER_TEXTS, unreadable

TEXTS = Texts(
    ACTIONS,
    LAYER_TEXTS,
    spin="spin",
    flip=("flip {}", range(1, PLACES + 1)),
    stop="stop",
    name=("name {}", FACE_CODES),
)
KNOWN = "`spin`, `flip 3`, `stop`, `name 25`, `deal`, `cut 5`, `slot 1` or `declare 25`"


def misread(state: Snapshot, text: str) -> IllegalMove:
    """Return the error for text that is not an action."""
    if text.partition(" ")[0] == "name":
        return IllegalMove(text, f"the faces are {' '.join(FACE_CODES)}", "GEN-02")
    return unreadable(TEXTS, text, KNOWN, PLACES)
