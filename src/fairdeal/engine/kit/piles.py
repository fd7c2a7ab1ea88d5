"""Piles and hands: operations on cards that every game needs.

A pile is a record with `length` and `cards`; its top is the last card. A hand is a pile in ascending order. Places
beyond `length` hold 0, so that equal piles have equal bytes.
"""

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.records import UNKNOWN, Record, checked, rule


def check_room(pile: Record, card: int) -> None:
    """Raise IndexError if a pile is full."""
    if pile.length >= len(pile.cards):
        most, has = len(pile.cards), int(pile.length)
        raise IndexError(
            f"card {int(card)} does not fit: the pile has room for only {most} cards, and already has {has}"
        )


def check_not_empty(pile: Record) -> None:
    """Raise IndexError if a pile is empty."""
    if pile.length < 1:
        raise IndexError("no card to take: the pile is empty")


def check_place(pile: Record, place: int) -> None:
    """Raise IndexError if a pile has no card at index `place`."""
    if not 0 <= place < pile.length:
        raise IndexError(f"no card at place {int(place)}: the pile has {int(pile.length)}, counted from 0")


def check_counts(counts: Record, cards: Record) -> None:
    """Raise IndexError if a count is negative, or if the array is too small for all the cards."""
    numbers = [int(count) for count in counts]
    for kind, number in enumerate(numbers):
        if number < 0:
            raise IndexError(f"card {kind} is counted {number} times: {-number} more are seen than the deck has")
    if sum(numbers) > len(cards):
        raise IndexError(f"the deck does not fit: it has {sum(numbers)} cards, but there is room for {len(cards)}")


@checked(check_room)
@rule
def push(pile: Record, card: int) -> None:
    """Put a card on top of a pile. Compiled code does not check that the pile has room.

    >>> deck = load("chi").deal(seed=7).record.deck
    >>> push(deck, 3)
    >>> int(deck.length), int(pop(deck))
    (41, 3)
    """
    pile.cards[pile.length] = card
    pile.length += 1


@checked(check_not_empty)
@rule
def pop(pile: Record) -> int:
    """Remove and return the top card, the last one, of a pile that is not empty.

    >>> deck = load("chi").deal(seed=7).record.deck
    >>> int(pop(deck)), int(deck.length)
    (4, 39)
    """
    pile.length -= 1
    card = pile.cards[pile.length]
    pile.cards[pile.length] = 0
    return card


@rule
def clear(pile: Record) -> None:
    """Remove all cards of a pile.

    >>> deck = load("chi").deal(seed=7).record.deck
    >>> clear(deck)
    >>> int(deck.length)
    0
    """
    for i in range(pile.length):
        pile.cards[i] = 0
    pile.length = 0


@checked(check_room)
@rule
def insert(hand: Record, card: int) -> None:
    """Put a card into a hand, which stays in ascending order.

    >>> hand = load("chi").deal(seed=7).record.hands[0]
    >>> insert(hand, 20)
    >>> hand.cards[: hand.length].tolist()
    [12, 20, 29, 35]
    """
    place = int(hand.length)
    while place > 0 and hand.cards[place - 1] > card:
        hand.cards[place] = hand.cards[place - 1]
        place -= 1
    hand.cards[place] = card
    hand.length += 1


@rule
def find(pile: Record, card: int) -> int:
    """Return the index of the first card of a kind in a pile or hand, or -1 if there is none.

    >>> hand = load("chi").deal(seed=7).record.hands[0]
    >>> find(hand, 29), find(hand, 5)
    (1, -1)
    """
    for place in range(pile.length):
        if pile.cards[place] == card:
            return place
    return -1


@checked(check_place)
@rule
def take(pile: Record, place: int) -> int:
    """Remove and return the card at index `place`. The cards after it move up by one place.

    >>> hand = load("chi").deal(seed=7).record.hands[0]
    >>> int(take(hand, 1)), hand.cards[: hand.length].tolist()
    (29, [12, 35])
    """
    card = pile.cards[place]
    for i in range(place, int(pile.length) - 1):
        pile.cards[i] = pile.cards[i + 1]
    pile.length -= 1
    pile.cards[pile.length] = 0
    return card


@rule
def remove(hand: Record, card: int) -> bool:
    """Remove one card from a hand. Return whether the hand contained it.

    >>> hand = load("chi").deal(seed=7).record.hands[0]
    >>> remove(hand, 29), remove(hand, 29)
    (True, False)
    """
    place = find(hand, card)
    if place < 0:
        return False
    take(hand, place)
    return True


@rule
def shuffle_cards(cards: Record, size: int, chance: Record) -> None:
    """Shuffle the first `size` cards of an array in place, so that every order is equally likely.

    This is R. Durstenfeld's version of the Fisher-Yates shuffle (1964).

    >>> state = load("chi").deal(seed=7).record
    >>> shuffle_cards(state.row, 6, state.chance)
    >>> state.row.tolist()
    [18, 12, 1, 27, 22, 2]
    """
    for last in range(size - 1, 0, -1):
        other = draw(chance, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


@rule
def shuffle(pile: Record, chance: Record) -> None:
    """Shuffle a pile in place, so that every order is equally likely.

    >>> state = load("chi").deal(seed=7).record
    >>> shuffle(state.deck, state.chance)
    >>> state.deck.cards[:3].tolist()
    [36, 9, 7]
    """
    shuffle_cards(pile.cards, int(pile.length), chance)


@checked(check_counts)
@rule
def spread(counts: Record, cards: Record) -> int:
    """Write every card of an array of counts by kind into `cards`, in ascending order. Return the number of cards.

    >>> cards = np.zeros(5, np.int8)
    >>> spread(np.array([2, 0, 1]), cards), cards.tolist()
    (3, [0, 0, 2, 0, 0])
    """
    size = 0
    for kind in range(len(counts)):
        for _ in range(counts[kind]):
            cards[size] = kind
            size += 1
    return size


@rule
def reverse(cards: Record, first: int, end: int) -> None:
    """Reverse the order of the cards from index `first` up to, but not including, index `end`.

    >>> cards = np.array([1, 2, 3, 4])
    >>> reverse(cards, 1, 4)
    >>> cards.tolist()
    [1, 4, 3, 2]
    """
    last = int(end) - 1
    while first < last:
        card = cards[first]
        cards[first] = cards[last]
        cards[last] = card
        first += 1
        last -= 1


@rule
def hide(pile: Record) -> None:
    """Replace every card of a pile with UNKNOWN. The number of cards does not change.

    >>> hand = load("chi").deal(seed=7).record.hands[0]
    >>> hide(hand)
    >>> hand.cards[: hand.length].tolist()
    [-1, -1, -1]
    """
    for i in range(pile.length):
        pile.cards[i] = UNKNOWN
