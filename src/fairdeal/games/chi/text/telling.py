"""Events for changes to hands, row and piles, for CHI and Chaos Ninjas."""

from collections import Counter
from collections.abc import Sequence

from fairdeal.engine import events
from fairdeal.engine.events import Event
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import Voice
from fairdeal.games.chi.state import ROW


def gained(before: Snapshot, after: Snapshot, seat: int, left: Sequence[int] = ()) -> list[int]:
    """Return the kinds of the cards that a hand gained, with UNKNOWN for cards that the viewer may not see.

    `left` lists the cards that left the hand in the same move.
    """
    rest = Counter(before.hands[seat].held)
    for kind in left:
        rest[kind if rest[kind] else UNKNOWN] -= 1
    return list((Counter(after.hands[seat].held) - rest).elements())


class RowRedealt(Event):
    """CHI-52: a row that was dealt anew because all its cards attack. `attackers` is the game's word for such cards."""

    attackers: str

    def sentence(self, voice: Voice) -> str:
        return f"The row was all {self.attackers} and is dealt anew."


class Reshuffled(events.Reshuffled):
    """CHI-50: a discard pile that was shuffled into a new deck."""

    words = "The discard pile is shuffled and becomes the deck."


def pile_events(before: Snapshot, after: Snapshot, action: int, attackers: str, clause: str) -> list[Event]:
    """Return the events of the row and the piles. `clause` is the game's clause for a row that is dealt anew."""
    found: list[Event] = []
    reshuffled = after.deck.length > before.deck.length
    if action < ROW:  # CHI-20: a draw takes one card, and its place is refilled; a flush discards all six
        kept = sum(before.row[place] == after.row[place] for place in range(ROW) if place != action)
        discarded = sum(after.discard) - sum(before.discard)
        if discarded >= ROW or (reshuffled and kept < ROW - 1):
            found.append(RowRedealt(attackers, clauses=(clause,)))
    if reshuffled:
        found.append(Reshuffled(clauses=("CHI-50",)))
    return found
