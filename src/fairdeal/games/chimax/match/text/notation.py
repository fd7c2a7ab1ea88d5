"""CHIMAX MATCH: the notation of moves: `flip 9`, and those of the tournament layer."""

from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.chimax.match.state import ACTIONS, FLIP, TRIPLET_PLACES
from fairdeal.games.chimax.text.words import LAYER_TEXTS, unreadable

TEXTS = Texts(ACTIONS, LAYER_TEXTS, flip=("flip {}", range(1, TRIPLET_PLACES + 1)))
KNOWN = "`flip 9`, `deal`, `cut 20`, `slot 1` or `declare 25`"


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """Return the action of a move, in a list. Raises IllegalMove for text that cannot be an action in any state."""
    action, places = TEXTS.read(text), len(state.layout.cards)
    if action is None or action >= FLIP + places:
        raise unreadable(TEXTS, text, KNOWN, places)
    return [action]
