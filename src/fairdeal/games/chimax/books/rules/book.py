"""CHIMAX BOOKS: the course of one Book, from its lead to its winner (docs/rules/chimax.md, section 1)."""

from fairdeal.engine.kit.piles import clear
from fairdeal.engine.kit.seats import act_alone, seat_after
from fairdeal.engine.records import EMPTY, NOBODY, Record, rule
from fairdeal.games.chimax.books.rules.rounds import add_to_won, end_round
from fairdeal.games.chimax.books.state import CHOOSE, DECLARING, PLAY
from fairdeal.games.chimax.deck import face_of
from fairdeal.games.chimax.rules.tournament import everybody
from fairdeal.games.chimax.rules.trick import begin_trick, declare, lay, to_declare, winning_entry


@rule
def begin_book(state: Record, leader: int) -> None:
    """Begin a Book, in which the leader plays first or all seats choose at the same time (BOOKS-10, 11)."""
    begin_trick(state.book, leader)
    if state.book.simultaneous == 1:
        state.phase = CHOOSE
        state.turn = NOBODY
        state.to_act = everybody(state)
    else:
        act_alone(state, PLAY, leader)


@rule
def step(state: Record, player: int, choice: int) -> None:
    """Play or commit the card in slot `choice`, or declare a waiting question mark as value `choice` (BOOKS-10, 11,
    15)."""
    if state.phase == DECLARING:
        declare(state.book, choice)
    else:
        clear_taken(state)
        if state.book.simultaneous == 0:
            lay(state.book, player, leave_hand(state, player, choice))
        elif not commit(state, player, choice):
            return
    go_on(state)


@rule
def commit(state: Record, player: int, slot: int) -> bool:
    """Commit a card. If it is the last one, reveal all cards (BOOKS-11). Return whether the cards were revealed."""
    state.book.committed[player] = slot + 1
    state.to_act &= ~(1 << player)
    if state.to_act != 0:
        return False
    reveal(state)
    return True


@rule
def leave_hand(state: Record, player: int, slot: int) -> int:
    """Remove and return the card in a slot of a hand. The other slots keep their numbers (BOOKS-05)."""
    hand = state.hands[player]
    card = hand.cards[slot]
    hand.cards[slot] = EMPTY
    hand.left -= 1
    return card


@rule
def reveal(state: Record) -> None:
    """Turn up all committed cards, in seat order from the leader (BOOKS-11)."""
    seat = int(state.book.leader)
    for _ in range(state.players):
        lay(state.book, seat, leave_hand(state, seat, int(state.book.committed[seat]) - 1))
        state.book.committed[seat] = EMPTY
        seat = seat_after(state, seat)


@rule
def go_on(state: Record) -> None:
    """Let the next seat act. A question mark is declared first, and a complete Book ends (BOOKS-10, 15)."""
    entry = to_declare(state.book)
    if entry >= 0:
        act_alone(state, DECLARING, state.book.seats[entry])
    elif state.book.length < state.players:
        act_alone(state, PLAY, seat_after(state, state.book.seats[int(state.book.length) - 1]))
    else:
        end_book(state)


@rule
def end_book(state: Record) -> None:
    """Give the Book to its winner, who leads the next one. End the round if a hand is empty (BOOKS-12, 13)."""
    winner = int(state.book.seats[winning_entry(state.book)])
    state.books[winner] += 1
    state.taken.winner = winner
    state.taken.length = state.book.length
    for entry in range(state.book.length):
        state.taken.seats[entry] = state.book.seats[entry]
        state.taken.cards[entry] = state.book.cards[entry]
        add_to_won(state.won, winner, face_of(state.book.cards[entry]))
    if all_have_cards(state):
        begin_book(state, winner)
    else:
        begin_trick(state.book, winner)
        end_round(state)


@rule
def all_have_cards(state: Record) -> bool:
    """Return whether every seat has a card left (BOOKS-13). If a position has hands of different sizes, the smallest
    one ends the round."""
    for seat in range(state.players):
        if state.hands[seat].left == 0:
            return False
    return True


@rule
def clear_taken(state: Record) -> None:
    """Put away the Book just won, so that it can no longer be seen (BOOKS-14)."""
    for entry in range(state.taken.length):
        state.taken.seats[entry] = 0
    clear(state.taken)
    state.taken.winner = 0


@rule
def lowest_slot(state: Record, player: int, face: int) -> int:
    """Return the lowest slot that holds `face`, or any card if `face` is NOBODY. Return NOBODY if there is no such
    slot."""
    for slot in range(state.hands[player].length):
        card = state.hands[player].cards[slot]
        if card == face or (face == NOBODY and card != EMPTY):
            return slot
    return NOBODY


@rule
def book_is_begun(state: Record) -> bool:
    """Return whether a card of this Book has been played or committed."""
    for seat in range(state.players):
        if state.book.committed[seat] != EMPTY:
            return True
    return state.book.length > 0
