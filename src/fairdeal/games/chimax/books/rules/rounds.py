"""CHIMAX BOOKS: the cards of a round, the won piles and the scores (docs/rules/chimax.md, section 1)."""

from fairdeal.engine.kit.piles import clear
from fairdeal.engine.kit.seats import lowest_seat, seat_after
from fairdeal.engine.records import Record, rule
from fairdeal.games.chimax.books.state import BOOKS_AND_SPECIALS, EXACT, LAST_WINNER, ONCE, TAP_COUNTS
from fairdeal.games.chimax.deck import EACH, HALF, INFINITY, MARKS, QUESTION, ZERO
from fairdeal.games.chimax.rules.tournament import best_seats, decide, pass_deal, rest
from fairdeal.games.chimax.state import DEALING, PLAYOFF, SEATS


@rule
def questions_of(state: Record) -> int:
    """Return the number of question marks in the deck: one fewer with three players, but all in a playoff (BOOKS-01,
    TOUR-07)."""
    return MARKS - 1 if state.players == 3 and state.tied == 0 else MARKS


@rule
def start_of_won(won: Record, seat: int) -> int:
    """Return the index at which the won pile of a seat begins."""
    start = 0
    for other in range(seat):
        start += int(won.length[other])
    return start


@rule
def add_to_won(won: Record, seat: int, card: int) -> None:
    """Add a card at the end of a seat's won pile."""
    place = start_of_won(won, seat + 1)
    for i in range(start_of_won(won, SEATS), place, -1):
        won.cards[i] = won.cards[i - 1]
    won.cards[place] = card
    won.length[seat] += 1


@rule
def clear_round(state: Record) -> None:
    """Clear all cards of the round."""
    for seat in range(SEATS):
        clear(state.hands[seat])
        state.hands[seat].left = 0
        state.won.length[seat] = 0
        state.books[seat] = 0
        state.exposed[seat] = 0
    for i in range(len(state.won.cards)):
        state.won.cards[i] = 0


@rule
def total_books(state: Record) -> int:
    """Return the number of Books won in this round by all seats."""
    books = 0
    for seat in range(state.players):
        books += int(state.books[seat])
    return books


@rule
def count_won(state: Record, seat: int, face: int) -> int:
    """Return the number of cards of a face in a won pile."""
    start, count = start_of_won(state.won, seat), 0
    for i in range(start, start + int(state.won.length[seat])):
        count += state.won.cards[i] == face
    return count


@rule
def pairs(state: Record, count: int) -> int:
    """Return the number of scoring pairs among `count` question marks or halves (BOOKS-25)."""
    if state.options.pair_count == ONCE:
        return 1 if count >= 2 else 0
    if state.options.pair_count == EXACT:
        return 1 if count == 2 else 0
    return count // 2


@rule
def round_points(state: Record, seat: int) -> int:
    """Return a seat's points for Books, infinities, zeros, question marks, halves and Taps (BOOKS-21, 23 to 25)."""
    points = pairs(state, count_won(state, seat, QUESTION)) - pairs(state, count_won(state, seat, HALF))
    if count_won(state, seat, INFINITY) == EACH:
        points += 3
    if count_won(state, seat, ZERO) == EACH:
        points -= 3
    if state.options.scoring == BOOKS_AND_SPECIALS:
        points += int(state.books[seat])
    if state.options.tap == TAP_COUNTS:
        points += int(state.book.taps[seat])
    return points


@rule
def end_round(state: Record) -> None:
    """Score the round. The highest total wins if it reaches the target, or if this was the last round (BOOKS-27 to
    29)."""
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
    if state.options.deal_leader != LAST_WINNER or total_books(state) == 0:
        state.book.leader = seat_after(state, state.dealer)
    rest(state, DEALING)
