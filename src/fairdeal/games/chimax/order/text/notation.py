"""CHIMAX ORDER: the notation of moves."""

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.order.state import ACTIONS
from fairdeal.games.chimax.text.words import LAYER_TEXTS, unreadable

TEXTS = Texts(ACTIONS, LAYER_TEXTS, flip=("flip {}", range(1, FACES + 1)))


def misread(state: Snapshot, text: str) -> IllegalMove:
    """Return the error for text that is not an action."""
    return unreadable(TEXTS, text, "`flip 7`, or between layouts `deal` or `cut 5`", FACES)
