"""CHIMAX BOOKS: hidden information, and how it is filled in at random (docs/rules/chimax.md, section 1.6)."""

import numpy as np

from fairdeal.engine.kit.chance import draw, rekey
from fairdeal.engine.kit.hidden import fill, shuffle_unseen
from fairdeal.engine.kit.piles import shuffle_cards
from fairdeal.engine.records import EMPTY, UNKNOWN, Record, rule
from fairdeal.games.chimax.books.rules.rounds import questions_of, start_of_won
from fairdeal.games.chimax.books.state import CHOOSE, TOP_ONLY
from fairdeal.games.chimax.deck import CARDS, DECLARED, EACH, FACES, QUESTION
from fairdeal.games.chimax.rules.unseen import conceal_table, count_deck, fill_table, take_all, take_from, take_visible
from fairdeal.games.chimax.state import OWN_PHASE, SEATS


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """Hide the hands, the committed slots and the won piles, except for cards remembered from play (BOOKS-06, 11,
    14)."""
    for seat in range(state.players):
        hand = state.hands[seat]
        mine = seat == viewer and state.options.peek == 1
        for slot in range(hand.length):
            if hand.cards[slot] != EMPTY and not mine and not state.exposed[seat] >> slot & 1:
                hand.cards[slot] = UNKNOWN
        unseen = state.phase == CHOOSE and seat != viewer and state.options.pick != TOP_ONLY
        if unseen and state.book.committed[seat] != EMPTY:
            state.book.committed[seat] = UNKNOWN
    if state.phase >= OWN_PHASE:
        conceal_won(state, viewer, recall)
    conceal_table(state, viewer)


@rule
def conceal_won(state: Record, viewer: int, recall: int) -> None:
    """Hide the won piles, except for the Book just won and the remembered cards (BOOKS-14).

    The forgotten cards are chosen by a hash of public numbers, so that the same cards are chosen on every call.
    """
    for seat in range(state.players):
        start, length = start_of_won(state.won, seat), int(state.won.length[seat])
        open_from = length - int(state.taken.length) if seat == state.taken.winner else length
        for place in range(open_from):
            mixed = (place * 7919 + seat * 104729 + (viewer + 2) * 1299709 + int(state.match.game) * 15485863) % 1009
            if mixed * 100 >= recall * 1009:
                state.won.cards[start + place] = UNKNOWN


@rule
def count_unseen(state: Record, left: Record) -> None:
    """Count the unseen cards of each face into `left`."""
    count_deck(left, EACH, questions_of(state))
    take_visible(state, left)
    for i in range(start_of_won(state.won, SEATS)):
        take_from(left, state.won.cards[i])
    for seat in range(state.players):
        take_all(left, state.hands[seat])


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the unseen faces at random into the unknown places, and reseed the RNG."""
    left, faces = np.empty(FACES, np.int8), np.empty(CARDS, np.int8)
    count_unseen(state, left)
    fill_won(state, left, faces, source)
    size = shuffle_unseen(left, faces, source)
    for seat in range(state.players):
        size = fill(state.hands[seat].cards, state.hands[seat].length, faces, size)
        if state.book.committed[seat] == UNKNOWN:
            state.book.committed[seat] = 1 + filled_slot(state.hands[seat], draw(source, state.hands[seat].left))
    fill_table(state, faces, size)
    rekey(state.chance, source)


@rule
def fill_won(state: Record, left: Record, faces: Record, source: Record) -> None:
    """Fill in the unknown cards of the won piles at random, including all question marks declared in earlier Books of
    the round."""
    unknown, questions = 0, declared_before(state)
    length = start_of_won(state.won, SEATS)
    for i in range(length):
        unknown += state.won.cards[i] == UNKNOWN
        questions -= state.won.cards[i] == QUESTION
    questions = max(0, min(questions, unknown, int(left[QUESTION])))
    left[QUESTION] -= questions
    shuffle_unseen(left, faces, source)
    chosen = np.empty(CARDS, np.int8)
    for i in range(unknown):
        if i < questions:
            chosen[i] = QUESTION
        else:
            chosen[i] = faces[i - questions]
            left[chosen[i]] -= 1
    shuffle_cards(chosen, unknown, source)
    fill(state.won.cards, length, chosen, unknown)


@rule
def declared_before(state: Record) -> int:
    """Return the number of question marks declared in earlier Books of the round."""
    count = 0
    for seat in range(SEATS):
        count += int(state.book.declared[seat].length)
    for entry in range(state.book.length):
        count -= state.book.cards[entry] >= DECLARED
    return count


@rule
def filled_slot(hand: Record, number: int) -> int:
    """Return the slot of card `number`, counted from 0, among the cards left in a hand."""
    for slot in range(hand.length):
        if hand.cards[slot] != EMPTY:
            if number == 0:
                return slot
            number -= 1
    return 0
