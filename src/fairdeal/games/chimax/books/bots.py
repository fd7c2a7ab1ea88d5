"""CHIMAX BOOKS: the greedy bot, which reads only concealed states.

The bot counts cards: any unseen card may be in another hand. The value of a card is its chance of winning the Book
times the points of that Book, minus the value of its chance of winning a later Book.
"""

from collections.abc import Sequence

import numpy as np

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.chimax.books.rules.hidden import count_unseen
from fairdeal.games.chimax.books.rules.play import legal_actions, slot_of
from fairdeal.games.chimax.books.state import ACTIONS, CHOOSE, DECLARING, PLAY
from fairdeal.games.chimax.deck import DECLARED, FACES, FIFTEEN, QUESTION, RANK, VALUES, face_of
from fairdeal.games.chimax.rules.trick import ONE_A_PLAYER, free_values, strength, to_declare, winning_entry
from fairdeal.games.chimax.state import DECLARE, PLAYOFF

SURE = 1000
"""The probability of a certain event, in the unit in which probabilities are given: thousandths."""

BONUS = np.array([-300] + [0] * 9 + [-200, 300, 300], np.int16)
"""Points that a card of each face adds to its Book, in thousandths of a point (BOOKS-24, 25)."""

KEEPING = 900
"""Value of keeping a card that would beat all other cards, in thousandths of a Book."""


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best move into `plan`, and return the number of its actions, which is always 1."""
    count = legal_actions(state, player, plan)
    if count == 1:
        return 1
    left = np.empty(FACES, np.int8)
    count_unseen(state, left)
    if state.phase == DECLARING or (state.phase == PLAYOFF and to_declare(state.book) >= 0):
        plan[0] = DECLARE + best_value(state, player)
    elif state.phase == PLAY or state.phase == CHOOSE:
        plan[0] = best_card(state, player, left, plan, count)
    return 1


@rule
def to_follow(state: Record, player: int) -> int:
    """Return the number of other seats that are yet to play into this Book."""
    if state.phase != PLAYOFF:
        return int(state.players) - 1 - others_in(state, player)
    waiting = 0
    for seat in range(state.players):
        waiting += seat != player and state.ones[seat] != EMPTY
    return waiting


@rule
def others_in(state: Record, player: int) -> int:
    """Return the number of cards in this Book played by other seats."""
    count = 0
    for entry in range(state.book.length):
        count += state.book.seats[entry] != player
    return count


@rule
def chance_to_win(state: Record, rank: int, left: Record, cards: int) -> int:
    """Return the probability, in thousandths, that none of `cards` unseen cards beats `rank`."""
    higher, total = 0, 0
    for face in range(FACES):
        total += int(left[face])
        face_rank = int(RANK[DECLARED + FIFTEEN + VALUES - 1]) if face == QUESTION else int(RANK[face])
        if face_rank > rank:
            higher += int(left[face])
    chance = SURE
    for i in range(min(cards, total)):
        chance = chance * max(0, total - higher - i) // (total - i)
    return chance


@rule
def unseen_cards(state: Record, player: int) -> int:
    """Return the number of unseen cards that could beat this one: a whole hand for each seat to follow if players see
    their hands, or else one card for each."""
    seats = to_follow(state, player)
    if state.options.peek == 1 and state.phase != PLAYOFF:
        return seats * max(1, int(state.hands[player].left))
    return seats


@rule
def best_value(state: Record, player: int) -> int:
    """Return the value to declare (BOOKS-15, 16): the lowest value that wins, or the highest value if others may still
    beat it or if no value wins."""
    book = state.book
    entry = to_declare(book)
    free, highest = free_values(book, player), 0
    for value in range(VALUES):
        if free >> value & 1:
            highest = value
    open_end = to_follow(state, player) > 0 or book.scope == ONE_A_PLAYER or entry < int(book.length) - 1
    if open_end:
        return highest
    lowest = -1
    for value in range(highest, -1, -1):
        if free >> value & 1:
            book.cards[entry] = DECLARED + FIFTEEN + value
            if winning_entry(book) == entry:
                lowest = value
    book.cards[entry] = QUESTION
    return highest if lowest < 0 else lowest


@rule
def best_card(state: Record, player: int, left: Record, plan: Record, count: int) -> int:
    """Return the action whose card has the highest value."""
    best, best_action = -(10**9), int(plan[0])
    unknown = worth_of_unknown(state, player, left)
    for i in range(count):
        action = int(plan[i])
        card = int(state.hands[player].cards[slot_of(state, player, action)])
        worth = worth_of(state, player, card, left) if card >= 0 else unknown
        if worth > best:
            best, best_action = worth, action
    return best_action


@rule
def worth_of_unknown(state: Record, player: int, left: Record) -> int:
    """Return the average value of an unseen card."""
    worth, total = 0, 0
    for face in range(FACES):
        if left[face] > 0:
            worth += int(left[face]) * worth_of(state, player, face, left)
            total += int(left[face])
    return worth // total if total > 0 else 0


@rule
def worth_of(state: Record, player: int, card: int, left: Record) -> int:
    """Return the value of playing this card, in thousandths of a point."""
    kind = card
    if card == QUESTION:
        free = free_values(state.book, player)
        for value in range(VALUES):
            if free >> value & 1:
                kind = DECLARED + FIFTEEN + value
    rank = int(RANK[kind])
    gain, wins = SURE + int(BONUS[card]), True
    for entry in range(state.book.length):
        gain += int(BONUS[face_of(state.book.cards[entry])])
        wins = wins and rank > strength(state.book, entry)
    chance = chance_to_win(state, rank, left, unseen_cards(state, player)) if wins else 0
    later = chance_to_win(state, rank, left, int(state.players) - 1)
    return chance * gain // SURE - later * KEEPING // SURE


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot, as a sentence."""
    verb, which = ACTIONS.decode(actions[0])
    if state.phase == DECLARING:
        rank, others = RANK[DECLARED + FIFTEEN + which], range(state.book.length)
        if all(rank > strength(state.book, entry) for entry in others):
            return "The value that wins, as the Book lies."
        return "It cannot win, so the highest value is burnt: nobody else can have it."
    if verb not in ("slot", "face", "top"):
        return "There is nothing to be clever about here."
    card = state.hands[player].cards[slot_of(state, player, actions[0])]
    if card < 0:
        return "Nobody knows what lies there: one card is as good as another."
    if card == QUESTION:
        return "A ? can stand for a high number, and counts for a pair."
    if not state.book.length:
        return "Of what is left unseen, this much may be risked."
    if RANK[card] > strength(state.book, winning_entry(state.book)):
        return "It wins as the Book lies, and nothing better needs to go."
    return "This Book is lost to you, so the least goes."
