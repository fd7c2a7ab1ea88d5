"""CHIMAX CUT: the notation of moves: `cut 12`, `keep`, `declare 50`, `deal`, and the house's `clock`."""

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.chimax.cut.state import ACTIONS
from fairdeal.games.chimax.text.words import LAYER_TEXTS, unreadable

TEXTS = Texts(ACTIONS, LAYER_TEXTS, keep="keep")


def misread(state: Snapshot, text: str) -> IllegalMove:
    """Return the error for text that is not an action."""
    return unreadable(TEXTS, text, "`cut 12`, `keep`, `declare 50`, `deal`, or in a playoff `slot 1`")
