"""CHIMAX CUT: ids for the open cards, which allow a card to be followed from `shown` to `kept` to `out`."""

from collections import Counter

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.deck import face_of

OpenCards = dict[str, tuple[str, int]]
"""The zone and the kind of each open card, by id."""


def cards_on_table(state: Snapshot) -> OpenCards:
    """Return the open cards of a round.

    The id of a card is its face and the number of its copy. Copies are numbered in the order in which they probably
    left the deck: first the cards that are out, then those kept, then the one shown.
    """
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
