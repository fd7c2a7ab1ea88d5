"""CHIMAX BOOKS: the rules. Clause ids refer to docs/rules/chimax.md, section 1."""

from __future__ import annotations

from fairdeal.engine.matches import start_match
from fairdeal.engine.piles import clear, seat_after
from fairdeal.engine.records import EMPTY, HOUSE, NOBODY, Record, rule
from fairdeal.games.chimax.books.state import (
    BOOKS_AND_SPECIALS,
    CHOOSE,
    CLOCK,
    DECLARING,
    EXACT,
    EXPOSE,
    FACE,
    LAST_WINNER,
    ONCE,
    PLAY,
    SLOT,
    SLOTS,
    TAP_COUNTS,
    TOP,
    TOP_ONLY,
)
from fairdeal.games.chimax.deck import COPIES, FACES, HALF, INFINITY, QUESTION, ZERO, face_of
from fairdeal.games.chimax.state import CUT, CUTTING, DEAL, DEALING, DECLARE, OWN, PLAYOFF
from fairdeal.games.chimax.tournament import (
    act_alone,
    best_seats,
    clock_matters,
    cut_by_player,
    cut_for_player,
    decide,
    find_dealer,
    highest_value,
    lowest_seat,
    pass_deal,
    play_out_playoff,
    playoff_actions,
    playoff_step,
    ready_to_deal,
    rest,
    write_cuts,
    write_declarations,
    write_returns,
)
from fairdeal.games.chimax.trick import (
    SEATS,
    begin_first_trick,
    begin_trick,
    declare,
    lay,
    to_declare,
    winning_entry,
)

# --- set-up ------------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """GEN-12, BOOKS-08: find the dealer; whoever sits to the left leads the first Book."""
    set_customs(state)
    for seat in range(SEATS):
        state.ones[seat] = EMPTY
        state.round_scores[seat] = 0
    state.tied = 0
    state.winners = 0
    clear(state.pack)
    begin_first_trick(state.book, NOBODY)
    clear_round(state)
    state.dealer = find_dealer(state, state.options.first_dealer)
    start_match(state, 1, state.dealer)
    state.phase = DEALING
    state.book.leader = seat_after(state, state.dealer)
    shuffle_and_deal(state)


@rule
def set_customs(state: Record) -> None:
    """How Books are played at this table."""
    state.book.scope = state.options.declare_scope
    state.book.takes_book = state.options.actual_card
    state.book.simultaneous = state.options.reveal
    state.book.peek = state.options.peek


@rule
def questions_of(state: Record) -> int:
    """BOOKS-01: with three players one question mark is taken out; TOUR-07: a playoff has them all."""
    return COPIES[QUESTION] - 1 if state.players == 3 and state.tied == 0 else COPIES[QUESTION]


@rule
def clear_round(state: Record) -> None:
    """The cards of a round are gathered."""
    for seat in range(SEATS):
        for slot in range(state.hands[seat].length):
            state.hands[seat].cards[slot] = 0
        state.hands[seat].length = 0
        state.hands[seat].left = 0
        state.won.length[seat] = 0
        state.books[seat] = 0
        state.exposed[seat] = 0
    for i in range(len(state.won.cards)):
        state.won.cards[i] = 0


@rule
def shuffle_and_deal(state: Record) -> None:
    """GEN-15: the next round, as far as it goes without a cut."""
    if state.pack.length == 0:
        clear_round(state)
        clear_taken(state)
        begin_first_trick(state.book, state.book.leader)
    if ready_to_deal(state, questions_of(state)):
        deal_round(state)


@rule
def deal_round(state: Record) -> None:
    """BOOKS-02, 04, 05: single cards from the dealer's left on; the last one dealt is slot 1, the top."""
    size = state.pack.length // state.players
    seat = int(state.dealer)
    for dealt in range(size * state.players):
        seat = seat_after(state, seat)
        state.hands[seat].cards[size - 1 - dealt // state.players] = state.pack.cards[dealt]
    for seat in range(state.players):
        state.hands[seat].length = size
        state.hands[seat].left = size
    clear(state.pack)
    begin_book(state, state.book.leader)


# --- a Book ------------------------------------------------------------------------------------------------------


@rule
def begin_book(state: Record, leader: int) -> None:
    """BOOKS-10, 11: the leader plays, or all choose at once."""
    begin_trick(state.book, leader)
    if state.book.simultaneous == 1:
        state.phase = CHOOSE
        state.turn = NOBODY
        state.to_act = (1 << int(state.players)) - 1
    else:
        act_alone(state, PLAY, leader)


@rule
def lowest_slot(state: Record, player: int, face: int) -> int:
    """The lowest slot that holds this face; any card for NOBODY."""
    for slot in range(state.hands[player].length):
        card = state.hands[player].cards[slot]
        if card == face or (face == NOBODY and card != EMPTY):
            return slot
    return NOBODY


@rule
def play_slot(state: Record, player: int, slot: int) -> None:
    """BOOKS-10, 11: lay a card into the Book, or commit it."""
    clear_taken(state)
    if state.book.simultaneous == 1:
        state.book.committed[player] = slot + 1
        state.to_act &= ~(1 << player)
        if state.to_act == 0:
            reveal(state)
        return
    lay(state.book, player, leave_hand(state, player, slot))
    go_on(state)


@rule
def leave_hand(state: Record, player: int, slot: int) -> int:
    """BOOKS-05: the slots keep their numbers."""
    hand = state.hands[player]
    card = hand.cards[slot]
    hand.cards[slot] = EMPTY
    hand.left -= 1
    return card


@rule
def reveal(state: Record) -> None:
    """BOOKS-11: all cards are turned up, in seat order from the leader."""
    seat = int(state.book.leader)
    for _ in range(state.players):
        lay(state.book, seat, leave_hand(state, seat, state.book.committed[seat] - 1))
        state.book.committed[seat] = EMPTY
        seat = seat_after(state, seat)
    go_on(state)


@rule
def go_on(state: Record) -> None:
    """BOOKS-10, 15: a question mark is declared before the next seat acts; a full Book is won."""
    entry = to_declare(state.book)
    if entry >= 0:
        act_alone(state, DECLARING, state.book.seats[entry])
    elif state.book.length < state.players:
        act_alone(state, PLAY, seat_after(state, state.book.seats[state.book.length - 1]))
    else:
        end_book(state)


@rule
def end_book(state: Record) -> None:
    """BOOKS-12, 13: the winner takes the Book and leads the next; without cards the round is over."""
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
    """BOOKS-13: hands go down together; where a position gave them unevenly, the shortest one ends the round."""
    for seat in range(state.players):
        if state.hands[seat].left == 0:
            return False
    return True


@rule
def clear_taken(state: Record) -> None:
    """BOOKS-14: from now on the last Book may not be looked at any more."""
    for entry in range(state.taken.length):
        state.taken.seats[entry] = 0
        state.taken.cards[entry] = 0
    state.taken.winner = 0
    state.taken.length = 0


@rule
def start_of_won(won: Record, seat: int) -> int:
    """Where the won pile of a seat begins."""
    start = 0
    for other in range(seat):
        start += won.length[other]
    return start


@rule
def add_to_won(won: Record, seat: int, card: int) -> None:
    """A card goes behind the others of its pile."""
    place = start_of_won(won, seat + 1)
    for i in range(start_of_won(won, SEATS), place, -1):
        won.cards[i] = won.cards[i - 1]
    won.cards[place] = card
    won.length[seat] += 1


# --- the end of a round ------------------------------------------------------------------------------------------


@rule
def count_won(state: Record, seat: int, face: int) -> int:
    """Cards of a face in a won pile."""
    start, count = start_of_won(state.won, seat), 0
    for i in range(start, start + state.won.length[seat]):
        count += state.won.cards[i] == face
    return count


@rule
def pairs(state: Record, count: int) -> int:
    """BOOKS-25: what so many question marks, or halves, count."""
    if state.options.pair_count == ONCE:
        return 1 if count >= 2 else 0
    if state.options.pair_count == EXACT:
        return 1 if count == 2 else 0
    return count // 2


@rule
def round_points(state: Record, seat: int) -> int:
    """BOOKS-21, 23 to 25: Books, infinities, zeros, question marks, halves, Taps."""
    points = pairs(state, count_won(state, seat, QUESTION)) - pairs(state, count_won(state, seat, HALF))
    if count_won(state, seat, INFINITY) == COPIES[INFINITY]:
        points += 3
    if count_won(state, seat, ZERO) == COPIES[ZERO]:
        points -= 3
    if state.options.scoring == BOOKS_AND_SPECIALS:
        points += state.books[seat]
    if state.options.tap == TAP_COUNTS:
        points += state.book.taps[seat]
    return points


@rule
def end_round(state: Record) -> None:
    """BOOKS-27 to 29: score; the highest total wins where the target is reached or the rounds are over."""
    for seat in range(state.players):
        state.round_scores[seat] = round_points(state, seat)
        state.match.totals[seat] += state.round_scores[seat]
    best = best_seats(state)
    if state.match.totals[lowest_seat(best)] >= state.options.target or state.match.game >= state.options.max_rounds:
        decide(state, best)
        if state.phase == PLAYOFF:
            clear_round(state)
        return
    pass_deal(state)
    if state.options.deal_leader != LAST_WINNER or not any_book(state):
        state.book.leader = seat_after(state, state.dealer)
    rest(state, DEALING)


@rule
def any_book(state: Record) -> bool:
    """Was a Book won in this round?"""
    for seat in range(state.players):
        if state.books[seat] > 0:
            return True
    return False


# --- actions -----------------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal ids for a player in ascending order; how many."""
    if player == HOUSE:
        return events(state, actions)
    if not state.to_act >> player & 1:
        return 0
    if state.phase == PLAY or state.phase == CHOOSE:
        return plays(state, player, actions)
    if state.phase == DECLARING:
        return write_declarations(state, player, actions)
    if state.phase == PLAYOFF:
        return playoff_actions(state, player, actions)
    if state.phase == CUTTING:
        return write_cuts(state, actions)
    actions[0] = DEAL
    return 1


@rule
def plays(state: Record, player: int, actions: Record) -> int:
    """BOOKS-06, 07: the top card, any slot of an unseen hand, any face of a seen one."""
    hand, count = state.hands[player], 0
    if state.options.pick == TOP_ONLY:
        actions[0] = TOP
        return 1
    if state.options.peek == 0:
        for slot in range(hand.length):
            actions[count] = SLOT + slot
            count += hand.cards[slot] != EMPTY
        return count
    held = 0
    for slot in range(hand.length):
        if hand.cards[slot] >= 0:
            held |= 1 << int(hand.cards[slot])
    for face in range(FACES):
        actions[count] = FACE + face
        count += held >> face & 1
    return count


@rule
def events(state: Record, actions: Record) -> int:
    """TOUR-04, BOOKS-30: what the house may bring about."""
    count = 0
    if clock_matters(state):
        actions[0] = CLOCK
        count = 1
    if state.phase == PLAY or state.phase == CHOOSE or state.phase == DECLARING:
        for seat in range(state.players):
            for slot in range(state.hands[seat].length):
                if state.hands[seat].cards[slot] != EMPTY and not state.exposed[seat] >> slot & 1:
                    actions[count] = EXPOSE + seat * SLOTS + slot
                    count += 1
    return count


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Carry out a legal action."""
    if action >= EXPOSE:
        expose(state, (action - EXPOSE) // SLOTS, (action - EXPOSE) % SLOTS)
    elif action == CLOCK:
        end_time(state)
    elif state.phase == PLAYOFF:
        clear_taken(state)
        playoff_step(state, player, action)
    elif action >= OWN:
        play_slot(state, player, slot_of(state, player, action))
    elif state.phase == DECLARING:
        declare(state.book, action - DECLARE)
        go_on(state)
    elif state.phase == CUTTING:
        cut_by_player(state, action - CUT)
    else:
        shuffle_and_deal(state)


@rule
def slot_of(state: Record, player: int, action: int) -> int:
    """The slot that an action plays."""
    if action == TOP:
        return lowest_slot(state, player, NOBODY)
    return action - SLOT if action < FACE else lowest_slot(state, player, action - FACE)


@rule
def returns(state: Record, out: Record) -> None:
    """BOOKS-28: the totals; a playoff decides between equal ones."""
    write_returns(state, out)


# --- events of the house -----------------------------------------------------------------------------------------


@rule
def expose(state: Record, seat: int, slot: int) -> None:
    """BOOKS-30: all see this card; before the first card of a round is played, the deal is redone."""
    touched = any_book(state) or book_is_begun(state)
    state.exposed[seat] |= 1 << slot
    if not touched:
        rest(state, DEALING)


@rule
def book_is_begun(state: Record) -> bool:
    """Is a card of this Book played or committed?"""
    for seat in range(state.players):
        if state.book.committed[seat] != EMPTY:
            return True
    return state.book.length > 0


@rule
def end_time(state: Record) -> None:
    """TOUR-05: time is over; a Book that is begun is played out, then the round is scored."""
    if state.phase == CUTTING:
        cut_for_player(state)
        return
    if state.phase == PLAYOFF:
        clear_taken(state)
        play_out_playoff(state)
        return
    books = total_books(state)
    while book_is_begun(state) and total_books(state) == books:
        if state.phase == DECLARING:
            declare(state.book, highest_value(state, state.turn))
            go_on(state)
        else:
            seat = lowest_seat(int(state.to_act))
            play_slot(state, seat, lowest_slot(state, seat, NOBODY))
    if state.phase == PLAY or state.phase == CHOOSE:
        end_round(state)


@rule
def total_books(state: Record) -> int:
    """The Books won in this round by all."""
    books = 0
    for seat in range(state.players):
        books += state.books[seat]
    return books
