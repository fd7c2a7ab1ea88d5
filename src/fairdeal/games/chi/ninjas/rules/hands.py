"""Chaos Ninjas: hands, and the viewers who have seen the cards in them.

Cards are taken from the row in public, return from the table, or are given in secret (NINJA-34), so other viewers may
know any card of a hand. Equal cards cannot be distinguished. For the first card of a kind, `known` is the set of
viewers who have seen at least one such card; for the second, those who have seen at least two; and so on.
"""

from fairdeal.engine.kit.piles import find
from fairdeal.engine.records import Record, rule
from fairdeal.games.chi.ninjas.state import WATCHING


@rule
def others_than(state: Record, player: int) -> int:
    """Return all viewers except the player: the other seats and the spectators."""
    return (((1 << int(state.players)) - 1) | (1 << WATCHING)) & ~(1 << player)


@rule
def hold(hand: Record, card: int, known: int) -> None:
    """Put a card into a hand. `known` is the set of viewers who have seen it."""
    end, more = int(hand.length), known
    while end > 0 and hand.cards[end - 1] > card:
        hand.cards[end] = hand.cards[end - 1]
        hand.known[end] = hand.known[end - 1]
        end -= 1
    start = end
    while start > 0 and hand.cards[start - 1] == card:
        start -= 1
    for place in range(start, end):
        before = int(hand.known[place])
        hand.known[place] = before | more
        more &= before
    hand.cards[end] = card
    hand.known[end] = more
    hand.length += 1


@rule
def leave_hand(hand: Record, card: int) -> None:
    """Remove a card from a hand, and remove one such card from what its viewers know."""
    gone, last = find(hand, card), int(hand.length) - 1
    for place in range(gone, last):
        hand.cards[place] = hand.cards[place + 1]
        hand.known[place] = hand.known[place + 1]
    hand.cards[last] = 0
    hand.known[last] = 0
    hand.length = last


@rule
def leave_unseen(hand: Record, card: int, blind: int) -> None:
    """NINJA-34: remove a card from a hand without showing it to the viewers in the set `blind`.

    Those viewers lose track of one card of every kind.
    """
    leave_hand(hand, card)
    for place in range(hand.length):
        if hand.cards[place] != card:
            kind, rest = hand.cards[place], 0
            if place + 1 < hand.length and hand.cards[place + 1] == kind:
                rest = int(hand.known[place + 1])
            hand.known[place] = (int(hand.known[place]) & ~blind) | (rest & blind)


@rule
def forget(hand: Record) -> None:
    """Clear all knowledge of a hand's cards."""
    for place in range(hand.length):
        hand.known[place] = 0


@rule
def empty_hand(hand: Record) -> None:
    for place in range(hand.length):
        hand.cards[place] = 0
        hand.known[place] = 0
    hand.length = 0
