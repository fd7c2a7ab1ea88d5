"""CHIMAX CUT: the open cards and what they are called, so that each can be followed from `shown` to `kept` to `out`."""

from collections import Counter

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.deck import face_of

OpenCards = dict[str, tuple[str, int]]
"""Open cards by their ids, each with its zone and kind."""


def cards_on_table(state: Snapshot) -> OpenCards:
    """The open cards of a round. A card is named by its face and which of its copies it is, in the order in which they
    left the deck as far as that can be told: those that are out, those kept, the one shown."""
    zones = [("out", kind) for kind in state.out.held]
    zones += [(f"kept{seat}", kind) for seat, kind in enumerate(state.kept)]
    met: Counter[str] = Counter()
    found = {}
    for zone, kind in [*zones, ("shown", state.shown)]:
        if kind != EMPTY:
            face = FACE_CODES[face_of(kind)]
            met[face] += 1
            found[f"{face}.{met[face]}"] = zone, kind
    return found
