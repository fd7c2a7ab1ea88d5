"""Go Fish: the rules and a greedy bot. Clause ids refer to rules.md."""

import numpy as np

from fairdeal.engine.kit import hidden, piles
from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.chance import blank, rekey
from fairdeal.engine.kit.matches import next_game, start_match
from fairdeal.engine.kit.seats import choose_first, is_in, rival, seat_after
from fairdeal.engine.kit.sets import set_of, write_set
from fairdeal.engine.records import UNKNOWN, Record, i1, i2, record, rule

RANKS = 13
OF_A_RANK = 4
CARDS = RANKS * OF_A_RANK
DECK = np.full(RANKS, OF_A_RANK, np.int8)
SEATS = 6
MOST_IN_HAND = RANKS * (OF_A_RANK - 1) + 1
"""Maximum number of cards in a hand: three cards of every rank, and the one that completes a book."""

ACTIONS = Actions(ask=(SEATS - 1) * RANKS)
"""The actions. Each is a question: the asked seat, counted clockwise from the next one, and the rank."""

TRIES = 1000
"""Maximum number of orders of the unseen cards that are tried so that no hand contains a book."""

GAVE, FISHED, LUCKY = 0, 1, 2
"""Results of the last question."""

options = record(first_player=i1, lucky=i1, turn_limit=i2)


@rule
def deal(state: Record) -> None:
    """FISH-01, 02: shuffle, deal, and lay books that are already complete."""
    start_match(state, 1, choose_first(state, state.options.first_player))
    state.deck.length = piles.spread(DECK, state.deck.cards)
    piles.shuffle(state.deck, state.chance)
    for seat in range(state.players):
        draw_cards(state, seat, 7 if state.players <= 3 else 5)
        for rank in range(RANKS):
            lay_book(state, seat, rank)
    begin_turn(state, state.match.first)


@rule
def draw_cards(state: Record, seat: int, number: int) -> None:
    """FISH-02, 21: draw cards from the pool."""
    for _ in range(number):
        piles.insert(state.hands[seat], piles.pop(state.deck))


@rule
def count(cards: Record, length: int, value: int) -> int:
    """Return how often a value occurs among the first `length` places of an array."""
    found = 0
    for place in range(length):
        found += cards[place] == value
    return found


@rule
def begin_turn(state: Record, seat: int) -> None:
    """FISH-21, 30, 31: give the turn to a seat that has a card, or end the game."""
    if count(state.books, RANKS, 0) == 0 or state.turn_no >= state.options.turn_limit:
        next_game(state, state.match.first)
        return
    for _ in range(state.players):
        if state.hands[seat].length == 0 and state.deck.length > 0:
            draw_cards(state, seat, 1)
        if state.hands[seat].length > 0:
            state.turn = seat
            state.to_act = 1 << int(seat)
            state.turn_no += 1
            return
        seat = seat_after(state, seat)


@rule
def lay_book(state: Record, seat: int, rank: int) -> None:
    """FISH-20: move four cards of a rank from a hand to the table."""
    hand = state.hands[seat]
    if count(hand.cards, hand.length, rank) == OF_A_RANK:
        for _ in range(OF_A_RANK):
            piles.remove(hand, rank)
        state.known[seat].counts[rank] = 0
        state.books[rank] = seat + 1


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """FISH-10: write an action for every other seat and every rank in hand, and return their number."""
    size = 0
    if is_in(state.to_act, player):
        for step in range(int(state.players) - 1):
            size = write_set(set_of(state.hands[player]), step * RANKS, actions, size)
    return size


@rule
def apply(state: Record, player: int, action: int) -> None:
    """FISH-10..13: ask a question and carry out the answer."""
    seat, rank = rival(state, player, action // RANKS), action % RANKS
    known = state.known[player].counts
    given = 0
    while piles.remove(state.hands[seat], rank):
        piles.insert(state.hands[player], rank)
        given += 1
    state.known[seat].counts[rank] = 0
    known[rank] = max(1, int(known[rank])) + given
    state.last = GAVE
    if given == 0:
        go_fishing(state, player, rank)
    lay_book(state, player, rank)
    again = state.last == GAVE or (state.last == LUCKY and state.options.lucky == 1)
    begin_turn(state, player if again else seat_after(state, player))


@rule
def go_fishing(state: Record, player: int, rank: int) -> None:
    """FISH-12, 13: draw a card. It is shown if it has the requested rank."""
    state.last = FISHED
    if state.deck.length > 0:
        card = int(piles.pop(state.deck))
        piles.insert(state.hands[player], card)
        if card == rank:
            state.last = LUCKY
            state.known[player].counts[rank] += 1
        lay_book(state, player, card)


@rule
def returns(state: Record, out: Record) -> None:
    """FISH-30: write the number of books of each seat."""
    for seat in range(state.players):
        out[seat] = count(state.books, RANKS, int(seat) + 1)


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """FISH-40: hide the other hands and the pool. A perfect memory still knows the cards that were shown."""
    for seat in range(SEATS):
        if seat != viewer:
            piles.hide(state.hands[seat])
        for rank in range(RANKS):
            if not recall:
                state.known[seat].counts[rank] = 0
            elif seat != viewer:
                for _ in range(state.known[seat].counts[rank]):
                    piles.take(state.hands[seat], 0)
                    piles.insert(state.hands[seat], rank)
    piles.hide(state.deck)
    blank(state.chance)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the cards that nobody has shown to the unknown places of hands and pool, so that no hand contains a book."""
    unseen, cards = np.empty(RANKS, np.int8), np.empty(CARDS, np.int8)
    for rank in range(RANKS):
        unseen[rank] = OF_A_RANK if state.books[rank] == 0 else 0
    hidden.count_off(unseen, state.deck.cards, state.deck.length)
    for seat in range(SEATS):
        hidden.count_off(unseen, state.hands[seat].cards, state.hands[seat].length)
    size = hidden.shuffle_unseen(unseen, cards, source)
    for _ in range(TRIES):
        if not makes_book(state, cards, size):
            break
        piles.shuffle_cards(cards, size, source)
    for seat in range(SEATS):
        size = hidden.fill_hand(state.hands[seat], cards, size)
    hidden.fill(state.deck.cards, state.deck.length, cards, size)
    rekey(state.chance, source)


@rule
def makes_book(state: Record, cards: Record, size: int) -> bool:
    """Return whether a hand would contain a book if the unknown cards of the hands came from the end of
    `cards[:size]`."""
    for seat in range(SEATS):
        hand = state.hands[seat]
        first = size - min(count(hand.cards, hand.length, UNKNOWN), size)
        for place in range(first, size):
            held = count(hand.cards, hand.length, cards[place]) + count(cards[first:size], size - first, cards[place])
            if held >= OF_A_RANK:
                return True
        size = first
    return False


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Ask for a rank that a rival is known to have, or else for a rank that has not been requested yet, from one rival
    after another."""
    best, best_action = -1, 0
    for i in range(legal_actions(state, player, plan)):
        action = int(plan[i])
        seat, rank = rival(state, player, action // RANKS), action % RANKS
        theirs, own = state.hands[seat], state.hands[player]
        worth = 1000 * count(theirs.cards, theirs.length, rank) + 10 * count(own.cards, own.length, rank)
        worth += 40 * int(state.known[player].counts[rank] == 0)
        worth += 5 * ((int(state.turn_no) + action // RANKS) % int(state.players))
        if state.hands[seat].length == 0:
            worth = 0
        if worth > best:
            best, best_action = worth, action
    plan[0] = best_action
    return 1
