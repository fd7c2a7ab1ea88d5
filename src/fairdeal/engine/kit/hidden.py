"""What is hidden: rules that count the cards that are nowhere to be seen, and deal them to where cards are unknown.

`resample` of most games is these three steps: `count_off` what can be seen from the counts of a whole deck, by kind;
`shuffle_unseen` what is left; `fill` piles, or `fill_hand`, with it.
"""

from __future__ import annotations

from fairdeal.engine.kit.piles import insert, shuffle_cards, spread, take
from fairdeal.engine.records import UNKNOWN, Record, rule


@rule
def count_off(unseen: Record, cards: Record, length: int) -> None:
    """Take the first `length` cards of an array off the counts by kind; unknown cards and gaps count nothing."""
    for i in range(length):
        if cards[i] >= 0:
            unseen[cards[i]] -= 1


@rule
def shuffle_unseen(unseen: Record, cards: Record, source: Record) -> int:
    """Write out the cards that the counts leave, shuffled; how many they are."""
    size = spread(unseen, cards)
    shuffle_cards(cards, size, source)
    return size


@rule
def next_card(cards: Record, place: int) -> int:
    """The card at a place of those that `shuffle_unseen` wrote out: all that are dealt are taken by this rule."""
    return int(cards[place])


@rule
def fill(places: Record, length: int, cards: Record, size: int) -> int:
    """Put the last of `size` cards where the first `length` places are unknown; how many cards are left."""
    for i in range(length):
        if places[i] == UNKNOWN and size > 0:
            size -= 1
            places[i] = next_card(cards, size)
    return size


@rule
def fill_hand(hand: Record, cards: Record, size: int) -> int:
    """Give the unknown cards of a hand the last of `size` cards; how many cards are left."""
    while size > 0 and hand.length > 0 and hand.cards[0] == UNKNOWN:
        take(hand, 0)
        size -= 1
        insert(hand, next_card(cards, size))
    return size
