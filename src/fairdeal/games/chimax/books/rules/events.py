"""CHIMAX BOOKS: the events that the house causes: the end of the time limit, and a card exposed by accident."""

from fairdeal.engine.kit.seats import lowest_seat
from fairdeal.engine.records import EMPTY, NOBODY, Record, rule
from fairdeal.games.chimax.books.rules.book import book_is_begun, lowest_slot, step
from fairdeal.games.chimax.books.rules.rounds import end_round, total_books
from fairdeal.games.chimax.books.state import DECLARING, EXPOSE, SLOTS
from fairdeal.games.chimax.rules.playoff import highest_value
from fairdeal.games.chimax.rules.tournament import rest
from fairdeal.games.chimax.state import DEALING, OWN_PHASE


@rule
def write_exposures(state: Record, actions: Record, count: int) -> int:
    """Append, for each face-down card, the action that exposes it, and return the new number of actions (BOOKS-30)."""
    for seat in range(state.players):
        for slot in range(state.hands[seat].length):
            if state.hands[seat].cards[slot] != EMPTY and not state.exposed[seat] >> slot & 1:
                actions[count] = EXPOSE + seat * SLOTS + slot
                count += 1
    return count


@rule
def expose(state: Record, seat: int, slot: int) -> None:
    """Expose a card to all seats. Before the first card of a round, deal again instead (BOOKS-30)."""
    state.exposed[seat] |= 1 << int(slot)
    if total_books(state) == 0 and not book_is_begun(state):
        rest(state, DEALING)


@rule
def end_time(state: Record) -> None:
    """End the round because of the time limit, after finishing a Book in progress (TOUR-05)."""
    books = total_books(state)
    while book_is_begun(state) and total_books(state) == books:
        seat = lowest_seat(int(state.to_act))
        declares = state.phase == DECLARING
        step(state, seat, highest_value(state, seat) if declares else lowest_slot(state, seat, NOBODY))
    if state.phase >= OWN_PHASE:
        end_round(state)
