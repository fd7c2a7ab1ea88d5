"""What a move changed, as the words of CHI and Chaos Ninjas need it alike: cards that came to a hand, flushes."""

from collections import Counter
from collections.abc import Sequence

from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import Line
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chi.state import ROW


def gained(before: Snapshot, after: Snapshot, seat: int, left: Sequence[int] = ()) -> list[int]:
    """The kinds of the cards that came to a hand, UNKNOWN where the viewer may not see them; `left` went out of it."""
    rest = Counter(before.hands[seat].held)
    for kind in left:
        rest[kind if rest[kind] else UNKNOWN] -= 1
    return list((Counter(after.hands[seat].held) - rest).elements())


def pile_lines(before: Snapshot, after: Snapshot, action: int, attackers: str, clause: str) -> list[Line]:
    """What became of row and piles: dealt anew (CHI-52; in the game's words and by its clause), shuffled (CHI-50)."""
    lines = []
    reshuffled = after.deck.length > before.deck.length
    if action < ROW:  # drawing takes one card of the row; a flush discards all six
        kept = sum(before.row[place] == after.row[place] for place in range(ROW) if place != action)
        discarded = sum(after.discard) - sum(before.discard)
        if discarded >= ROW or (reshuffled and kept < ROW - 1):
            lines.append(Line(f"The row was all {attackers} and is dealt anew.", (clause,)))
    if reshuffled:
        lines.append(Line("The discard pile is shuffled and becomes the deck.", ("CHI-50",)))
    return lines
