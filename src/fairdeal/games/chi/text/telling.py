"""What a move changed, as the words of CHI and Chaos Ninjas need it alike: cards that came to a hand, flushes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chi.state import ROW


def gained(before: Snapshot, after: Snapshot, seat: int, left: Sequence[int] = ()) -> list[int]:
    """The kinds of the cards that came to a hand, UNKNOWN where the viewer may not see them; `left` went out of it."""
    rest = Counter(before.hands[seat].held)
    for kind in left:
        rest[kind if rest[kind] else UNKNOWN] -= 1
    return list((Counter(after.hands[seat].held) - rest).elements())


def flushed(before: Snapshot, after: Snapshot, action: int) -> bool:
    """CHI-52: was the row dealt anew? Drawing (actions 0 to 5) takes one card of it; a flush discards all six."""
    if action >= ROW:
        return False
    kept = sum(before.row[place] == after.row[place] for place in range(ROW) if place != action)
    discarded = sum(after.discard) - sum(before.discard)
    return discarded >= ROW or (is_reshuffled(before, after) and kept < ROW - 1)


def is_reshuffled(before: Snapshot, after: Snapshot) -> bool:
    """CHI-50: a deck grows only by a reshuffle."""
    return bool(after.deck.length > before.deck.length)
