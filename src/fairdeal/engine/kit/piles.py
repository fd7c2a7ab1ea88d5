"""Piles and hands: operations on cards that every game needs.

A pile is a record with `length` and `cards`; its top is the last card. A hand is a pile in ascending order. Places
beyond `length` hold 0, so that equal piles have equal bytes.
"""

from __future__ import annotations

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.records import UNKNOWN, Record, checked, rule


def check_room(pile: Record, card: int) -> None:
    """Raise IndexError if a pile is full."""
    if pile.length >= len(pile.cards):
        raise IndexError(
            f"card {int(card)} does not fit: the pile holds {int(pile.length)}, room for {len(pile.cards)}"
        )


def check_not_empty(pile: Record) -> None:
    """Raise IndexError if a pile is empty."""
    if pile.length < 1:
        raise IndexError(f"no card to take: the pile holds {int(pile.length)}, room for {len(pile.cards)}")


def check_place(pile: Record, place: int) -> None:
    """Raise IndexError if a place of a pile has no card."""
    if not 0 <= place < pile.length:
        raise IndexError(f"no card at place {int(place)}: the pile holds {int(pile.length)}, counted from 0")


def check_counts(counts: Record, cards: Record) -> None:
    """Raise IndexError for a count below 0, and for more cards than the array has room for."""
    numbers = [int(count) for count in counts]
    for kind, number in enumerate(numbers):
        if number < 0:
            raise IndexError(f"card {kind} is counted {number} times: {-number} more are seen than the deck has")
    if sum(numbers) > len(cards):
        raise IndexError(f"the deck does not fit: it has {sum(numbers)} cards, room for {len(cards)}")


@checked(check_room)
@rule
def push(pile: Record, card: int) -> None:
    """Put a card on top of a pile."""
    pile.cards[pile.length] = card
    pile.length += 1


@checked(check_not_empty)
@rule
def pop(pile: Record) -> int:
    """Remove the top card of a pile and return it."""
    pile.length -= 1
    card = pile.cards[pile.length]
    pile.cards[pile.length] = 0
    return card


@rule
def clear(pile: Record) -> None:
    """Empty a pile."""
    for i in range(pile.length):
        pile.cards[i] = 0
    pile.length = 0


@checked(check_room)
@rule
def insert(hand: Record, card: int) -> None:
    """Insert a card into a hand, in order."""
    place = int(hand.length)
    while place > 0 and hand.cards[place - 1] > card:
        hand.cards[place] = hand.cards[place - 1]
        place -= 1
    hand.cards[place] = card
    hand.length += 1


@rule
def find(pile: Record, card: int) -> int:
    """Return the first place of a card in a pile, or -1."""
    for place in range(pile.length):
        if pile.cards[place] == card:
            return place
    return -1


@checked(check_place)
@rule
def take(pile: Record, place: int) -> int:
    """Remove the card at a place and return it; the cards behind it move up."""
    card = pile.cards[place]
    for i in range(place, int(pile.length) - 1):
        pile.cards[i] = pile.cards[i + 1]
    pile.length -= 1
    pile.cards[pile.length] = 0
    return card


@rule
def remove(hand: Record, card: int) -> bool:
    """Remove one card of a kind from a hand; return whether it was there."""
    place = find(hand, card)
    if place < 0:
        return False
    take(hand, place)
    return True


@rule
def count_in(cards: Record, length: int, card: int) -> int:
    """Return the number of cards of a kind among the first `length` cards of an array."""
    count = 0
    for i in range(length):
        count += cards[i] == card
    return count


@rule
def count_card(pile: Record, card: int) -> int:
    """Return the number of cards of a kind in a pile."""
    return count_in(pile.cards, pile.length, card)


@rule
def remove_all(hand: Record, card: int) -> int:
    """Take all cards of a kind out of a hand; return their number."""
    count = count_card(hand, card)
    for _ in range(count):
        remove(hand, card)
    return count


@rule
def give_all(hand: Record, other: Record, card: int) -> int:
    """Move all cards of a kind from one hand to another; return their number."""
    count = remove_all(hand, card)
    for _ in range(count):
        insert(other, card)
    return count


@rule
def deal_hand(deck: Record, hand: Record, size: int) -> None:
    """Deal `size` cards from the top of a deck into a hand."""
    for _ in range(size):
        insert(hand, pop(deck))


@rule
def shuffle_cards(cards: Record, size: int, chance: Record) -> None:
    """Shuffle the first `size` cards of an array, by the Fisher-Yates method in R. Durstenfeld's form (1964)."""
    for last in range(size - 1, 0, -1):
        other = draw(chance, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


@rule
def shuffle(pile: Record, chance: Record) -> None:
    """Shuffle a pile; all orders are equally likely."""
    shuffle_cards(pile.cards, int(pile.length), chance)


@checked(check_counts)
@rule
def spread(counts: Record, cards: Record) -> int:
    """Write out the cards of an array of counts by kind and return their number."""
    size = 0
    for kind in range(len(counts)):
        for _ in range(counts[kind]):
            cards[size] = kind
            size += 1
    return size


@rule
def reverse(cards: Record, first: int, end: int) -> None:
    """Reverse the order of the cards from place `first` up to, but not including, place `end`."""
    last = int(end) - 1
    while first < last:
        card = cards[first]
        cards[first] = cards[last]
        cards[last] = card
        first += 1
        last -= 1


@rule
def hide(pile: Record) -> None:
    """Blank every card of a pile, keeping its length."""
    for i in range(pile.length):
        pile.cards[i] = UNKNOWN
