"""Rules for hidden cards: count the cards that a player cannot see, and deal them to the places of unknown cards.

`resample` of most games has three steps: `count_off` the visible cards from the counts of a whole deck, by kind;
`shuffle_unseen` the rest; `fill` piles, or `fill_hand`, with it.
"""

from __future__ import annotations

from fairdeal.engine.kit.piles import hide, insert, shuffle_cards, spread, take
from fairdeal.engine.records import UNKNOWN, Record, rule


@rule
def count_off(unseen: Record, cards: Record, length: int) -> None:
    """Subtract the first `length` cards of an array from the counts by kind; unknown cards and gaps do not count."""
    for i in range(length):
        if cards[i] >= 0:
            unseen[cards[i]] -= 1


@rule
def count_off_hands(unseen: Record, hands: Record) -> None:
    """Subtract the known cards of some hands from counts by kind."""
    for seat in range(len(hands)):
        count_off(unseen, hands[seat].cards, hands[seat].length)


@rule
def shuffle_unseen(unseen: Record, cards: Record, source: Record) -> int:
    """Write the cards of `unseen` counts into `cards`, shuffled, and return their number."""
    size = spread(unseen, cards)
    shuffle_cards(cards, size, source)
    return size


@rule
def next_card(cards: Record, place: int) -> int:
    """Return card number `place` of those that `shuffle_unseen` wrote. All cards that are dealt pass through this
    rule."""
    return int(cards[place])


@rule
def fill(places: Record, length: int, cards: Record, size: int) -> int:
    """Replace unknown cards in the first `length` places by the last of `size` cards; return the number of cards
    left."""
    for i in range(length):
        if places[i] == UNKNOWN and size > 0:
            size -= 1
            places[i] = next_card(cards, size)
    return size


@rule
def fill_hand(hand: Record, cards: Record, size: int) -> int:
    """Replace the unknown cards of a hand by the last of `size` cards; return the number of cards left."""
    while size > 0 and hand.length > 0 and hand.cards[0] == UNKNOWN:
        take(hand, 0)
        size -= 1
        insert(hand, next_card(cards, size))
    return size


@rule
def fill_hands(hands: Record, cards: Record, size: int) -> int:
    """Replace the unknown cards of some hands by the last of `size` cards; return the number left."""
    for seat in range(len(hands)):
        size = fill_hand(hands[seat], cards, size)
    return size


@rule
def hide_hands(hands: Record, viewer: int) -> None:
    """Make every hand but that of `viewer` unknown."""
    for seat in range(len(hands)):
        if seat != viewer:
            hide(hands[seat])
