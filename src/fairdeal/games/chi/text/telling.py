"""What a move changed, as the words of CHI and Chaos Ninjas need it alike: cards that came to a hand, flushes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fairdeal.engine.records import UNKNOWN, Record
from fairdeal.games.chi.state import ROW


def gained(before: Record, after: Record, seat: int, left: Sequence[int] = ()) -> list[int]:
    """The kinds of the cards that came to a hand, UNKNOWN where the viewer may not see them; `left` went out of it."""
    rest = Counter(cards_of(before.hands[seat]))
    for kind in left:
        rest[kind if rest[kind] else UNKNOWN] -= 1
    return list((Counter(cards_of(after.hands[seat])) - rest).elements())


def cards_of(pile: Record) -> list[int]:
    """The kinds in a hand, an area or a deck."""
    cards: list[int] = pile.cards.tolist()[: int(pile.length)]
    return cards


def flushed(before: Record, after: Record, action: int) -> bool:
    """CHI-52: was the row dealt anew? Drawing (actions 0 to 5) takes one card of it; a flush discards all six."""
    if action >= ROW:
        return False
    kept = sum(int(before.row[place]) == int(after.row[place]) for place in range(ROW) if place != action)
    discarded = sum(after.discard) - sum(before.discard)
    return discarded >= ROW or (is_reshuffled(before, after) and kept < ROW - 1)


def is_reshuffled(before: Record, after: Record) -> bool:
    """CHI-50: a deck grows only by a reshuffle."""
    return int(after.deck.length) > int(before.deck.length)
