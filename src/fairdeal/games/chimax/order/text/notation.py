"""CHIMAX ORDER: moves in writing."""

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.order.state import ACTIONS
from fairdeal.games.chimax.text.words import LAYER_TEXTS, unreadable

TEXTS = Texts(ACTIONS, LAYER_TEXTS, flip=("flip {}", range(1, FACES + 1)))


def misread(state: Snapshot, text: str) -> IllegalMove:
    """What is wrong with a text that names no action."""
    return unreadable(TEXTS, text, "`flip 7`, or between layouts `deal` or `cut 5`", FACES)
