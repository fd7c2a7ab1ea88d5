"""Rules for hidden cards: count the cards that a player cannot see, and deal them to the places of unknown cards.

`resample` of most games has three steps. `count_off` subtracts the visible cards from the counts of a whole deck, by
kind. `shuffle_unseen` shuffles the remaining cards. `fill` or `fill_hand` deals them to piles and hands.
"""

from __future__ import annotations

from fairdeal.engine.kit.piles import count_card, hide, insert, shuffle_cards, spread, take
from fairdeal.engine.records import UNKNOWN, Record, rule

TRIES = 1000
"""Maximum number of orders of the unseen cards that `fill_hands_apart` tries."""


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
def count_off_hands(unseen: Record, hands: Record) -> None:
    """Subtract the known cards in `hands` from counts by kind.

    >>> hands = load("chi").blank().record.hands
    >>> insert(hands[1], 2)
    >>> unseen = np.array([2, 2, 2])
    >>> count_off_hands(unseen, hands)
    >>> unseen.tolist()
    [2, 2, 1]
    """
    for seat in range(len(hands)):
        count_off(unseen, hands[seat].cards, hands[seat].length)


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


@rule
def fill_hands(hands: Record, cards: Record, size: int) -> int:
    """Replace the unknown cards in `hands` with cards taken from the end of `cards[:size]`. Return the number of cards
    left.

    >>> hands = load("chi").deal(seed=7).record.hands
    >>> hide_hands(hands, viewer=0)
    >>> fill_hands(hands, np.array([40, 30, 20, 10]), 4), hands[1].cards[: hands[1].length].tolist()
    (1, [10, 20, 30])
    """
    for seat in range(len(hands)):
        size = fill_hand(hands[seat], cards, size)
    return size


@rule
def fill_hands_apart(hands: Record, cards: Record, size: int, alike: int, source: Record) -> int:
    """Replace the unknown cards in `hands`, like `fill_hands`, so that no hand holds `alike` cards of a kind. Shuffle
    the cards until they fit, but at most 1000 times.

    >>> state = load("chi").deal(seed=7).record
    >>> hide_hands(state.hands, viewer=0)
    >>> fill_hands_apart(state.hands, np.array([10, 20, 20, 20]), 4, 3, state.chance)
    1
    >>> state.hands[1].cards[: state.hands[1].length].tolist()
    [10, 20, 20]
    """
    for _ in range(TRIES):
        if keeps_apart(hands, cards, size, alike):
            break
        shuffle_cards(cards, size, source)
    return fill_hands(hands, cards, size)


@rule
def keeps_apart(hands: Record, cards: Record, size: int, alike: int) -> bool:
    """Return whether no hand holds `alike` cards of a kind after `fill_hands`."""
    for seat in range(len(hands)):
        first = size - min(int(count_card(hands[seat], UNKNOWN)), size)
        for place in range(first, size):
            held = int(count_card(hands[seat], cards[place]))
            for other in range(first, size):
                held += cards[other] == cards[place]
            if held >= alike:
                return False
        size = first
    return True


@rule
def hide_hands(hands: Record, viewer: int) -> None:
    """Make the cards of every hand except that of `viewer` unknown.

    >>> hands = load("chi").deal(seed=7).record.hands
    >>> hide_hands(hands, viewer=0)
    >>> [hand.cards[: hand.length].tolist() for hand in hands]
    [[12, 29, 35], [-1, -1, -1]]
    """
    for seat in range(len(hands)):
        if seat != viewer:
            hide(hands[seat])


@rule
def show_known(hands: Record, known: Record, viewer: int, recall: int) -> None:
    """Put the cards that everybody has seen (`written.Known`) back into the hands that `hide_hands` has hidden. If
    `recall` is 0, forget them instead.

    >>> hands = load("chi").deal(seed=7).record.hands
    >>> known = np.zeros(2, [("counts", np.int8, 40)])
    >>> known[1]["counts"][12] = 1
    >>> hide_hands(hands, viewer=0)
    >>> show_known(hands, known.view(np.recarray), viewer=0, recall=100)
    >>> hands[1].cards[: hands[1].length].tolist()
    [-1, -1, 12]
    """
    for seat in range(len(hands)):
        for kind in range(len(known[seat].counts)):
            if not recall:
                known[seat].counts[kind] = 0
            elif seat != viewer:
                for _ in range(known[seat].counts[kind]):
                    take(hands[seat], 0)
                    insert(hands[seat], kind)
