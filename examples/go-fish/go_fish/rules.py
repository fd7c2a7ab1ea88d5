"""Go Fish: the rules and a greedy bot. Clause ids refer to rules.md."""

import numpy as np

from fairdeal.engine.kit import hidden, piles
from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.chance import blank, rekey
from fairdeal.engine.kit.matches import next_game, start_match
from fairdeal.engine.kit.seats import choose_first, give_turn, may_act, rival, seat_after
from fairdeal.engine.kit.sets import set_of, write_set
from fairdeal.engine.records import Record, i1, i2, record, rule

RANKS = 13
OF_A_RANK = 4
CARDS = RANKS * OF_A_RANK
DECK = np.full(RANKS, OF_A_RANK, np.int8)
SEATS = 6
MOST_IN_HAND = RANKS * (OF_A_RANK - 1) + 1
"""Maximum number of cards in a hand: three cards of every rank, and the one that completes a book."""

ACTIONS = Actions(ask=(SEATS - 1) * RANKS)
"""The actions. Each is a question: the asked seat, counted clockwise from the next one, and the rank."""

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
        piles.deal_hand(state.deck, state.hands[seat], 7 if state.players <= 3 else 5)
        for rank in range(RANKS):
            lay_book(state, seat, rank)
    begin_turn(state, state.match.first)


@rule
def begin_turn(state: Record, seat: int) -> None:
    """FISH-21, 30, 31: give the turn to a seat that has a card, or end the game."""
    if piles.count_in(state.books, RANKS, 0) == 0 or state.turn_no >= state.options.turn_limit:
        next_game(state, state.match.first)
        return
    for _ in range(state.players):
        if state.hands[seat].length == 0 and state.deck.length > 0:
            piles.deal_hand(state.deck, state.hands[seat], 1)
        if state.hands[seat].length > 0:
            give_turn(state, seat)
            state.turn_no += 1
            return
        seat = seat_after(state, seat)


@rule
def lay_book(state: Record, seat: int, rank: int) -> None:
    """FISH-20: move four cards of a rank from a hand to the table."""
    if piles.count_card(state.hands[seat], rank) == OF_A_RANK:
        piles.remove_all(state.hands[seat], rank)
        state.known[seat].counts[rank] = 0
        state.books[rank] = seat + 1


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """FISH-10: write an action for every other seat and every rank in hand, and return their number."""
    count = 0
    if may_act(state, player):
        for step in range(int(state.players) - 1):
            count = write_set(set_of(state.hands[player]), step * RANKS, actions, count)
    return count


@rule
def apply(state: Record, player: int, action: int) -> None:
    """FISH-10..13: ask a question and carry out the answer."""
    seat, rank = rival(state, player, action // RANKS), action % RANKS
    known = state.known[player].counts
    given = piles.give_all(state.hands[seat], state.hands[player], rank)
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
        out[seat] = piles.count_in(state.books, RANKS, int(seat) + 1)


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """FISH-40: hide the other hands and the pool. A perfect memory still knows the cards that were shown."""
    hidden.hide_hands(state.hands, viewer)
    hidden.show_known(state.hands, state.known, viewer, recall)
    piles.hide(state.deck)
    blank(state.chance)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the cards that nobody has shown to the unknown places of hands and pool, so that no hand contains a book."""
    unseen, cards = np.empty(RANKS, np.int8), np.empty(CARDS, np.int8)
    for rank in range(RANKS):
        unseen[rank] = OF_A_RANK if state.books[rank] == 0 else 0
    hidden.count_off(unseen, state.deck.cards, state.deck.length)
    hidden.count_off_hands(unseen, state.hands)
    size = hidden.shuffle_unseen(unseen, cards, source)
    size = hidden.fill_hands_apart(state.hands, cards, size, OF_A_RANK, source)
    hidden.fill(state.deck.cards, state.deck.length, cards, size)
    rekey(state.chance, source)


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Ask for a rank that a rival is known to have, or else for a rank that has not been requested yet, from one rival
    after another."""
    best, best_action = -1, 0
    for i in range(legal_actions(state, player, plan)):
        action = int(plan[i])
        seat, rank = rival(state, player, action // RANKS), action % RANKS
        worth = 1000 * piles.count_card(state.hands[seat], rank) + 10 * piles.count_card(state.hands[player], rank)
        worth += 40 * int(state.known[player].counts[rank] == 0)
        worth += 5 * ((int(state.turn_no) + action // RANKS) % int(state.players))
        if state.hands[seat].length == 0:
            worth = 0
        if worth > best:
            best, best_action = worth, action
    plan[0] = best_action
    return 1
