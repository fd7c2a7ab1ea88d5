"""Rules for hidden cards: count the cards that a player cannot see, and deal them to the places of unknown cards.

`resample` of most games has three steps. `count_off` subtracts the visible cards from the counts of a whole deck, by
kind. `shuffle_unseen` shuffles the remaining cards. `fill` or `fill_hand` deals them to piles and hands.
"""

from fairdeal.engine.kit.piles import insert, shuffle_cards, spread, take
from fairdeal.engine.records import UNKNOWN, Record, rule


@rule
def count_off(unseen: Record, cards: Record, length: int) -> None:
    """Subtract the first `length` cards of an array from the counts by kind. Unknown cards and empty places are
    ignored.

    >>> unseen = np.array([2, 2, 2])
    >>> count_off(unseen, np.array([0, UNKNOWN, EMPTY, 2]), 4)
    >>> unseen.tolist()
    [1, 2, 1]
    """
    for i in range(length):
        if cards[i] >= 0:
            unseen[cards[i]] -= 1


@rule
def shuffle_unseen(unseen: Record, cards: Record, source: Record) -> int:
    """Write the cards that remain in the counts by kind into `cards`, shuffled. Return the number of cards.

    >>> cards = np.zeros(4, np.int8)
    >>> shuffle_unseen(np.array([1, 2, 1]), cards, load("chi").deal(seed=7).record.chance), sorted(cards.tolist())
    (4, [0, 1, 1, 2])
    """
    size = spread(unseen, cards)
    shuffle_cards(cards, size, source)
    return size


@rule
def next_card(cards: Record, place: int) -> int:
    """Return the card at a place of the array that `shuffle_unseen` has filled. `fill` and `fill_hand` call this rule
    for each card that they deal.

    >>> next_card(np.array([4, 9], np.int8), 1)
    9
    """
    return int(cards[place])


@rule
def fill(places: Record, length: int, cards: Record, size: int) -> int:
    """Replace the unknown cards among the first `length` places with cards taken from the end of `cards[:size]`. Return
    the number of cards left.

    >>> places = np.array([UNKNOWN, 5, UNKNOWN])
    >>> fill(places, 3, np.array([7, 8, 9]), 3), places.tolist()
    (1, [9, 5, 8])
    """
    for i in range(length):
        if places[i] == UNKNOWN and size > 0:
            size -= 1
            places[i] = next_card(cards, size)
    return size


@rule
def fill_hand(hand: Record, cards: Record, size: int) -> int:
    """Replace the unknown cards of a hand with cards taken from the end of `cards[:size]`. Return the number of cards
    left.

    >>> hand = load("chi").deal(seed=7).record.hands[0]
    >>> hide(hand)
    >>> fill_hand(hand, np.array([40, 30, 20, 10]), 4), hand.cards[: hand.length].tolist()
    (1, [10, 20, 30])
    """
    while size > 0 and hand.length > 0 and hand.cards[0] == UNKNOWN:
        take(hand, 0)
        size -= 1
        insert(hand, next_card(cards, size))
    return size
