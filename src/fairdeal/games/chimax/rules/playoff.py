"""CHIMAX: the playoff, a single Book that breaks a tie (TOUR-06, 07)."""

from fairdeal.engine.kit.piles import clear
from fairdeal.engine.kit.seats import act_alone, lowest_seat, seat_after
from fairdeal.engine.kit.sets import write_set
from fairdeal.engine.records import EMPTY, NOBODY, Record, rule
from fairdeal.games.chimax.deck import VALUES
from fairdeal.games.chimax.rules.tournament import finish
from fairdeal.games.chimax.rules.trick import begin_first_trick, declare, free_values, lay, to_declare, winning_entry
from fairdeal.games.chimax.state import DECLARE, PLAYOFF, PLAYOFF_CARD


@rule
def playoff_is_dealt(state: Record) -> bool:
    """Return whether the playoff has begun, with a card dealt to every tied seat."""
    return state.phase == PLAYOFF and state.book.leader != NOBODY


@rule
def playoff_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions of a playoff, which are to play the single card or to declare, and return their number
    (TOUR-07)."""
    if to_declare(state.book) >= 0:
        return write_declarations(state, player, actions)
    actions[0] = PLAYOFF_CARD
    return 1


@rule
def write_declarations(state: Record, player: int, actions: Record) -> int:
    """Write the values that a seat may still declare, and return their number (BOOKS-15, 16)."""
    return write_set(free_values(state.book, player), DECLARE, actions, 0)


@rule
def playoff_step(state: Record, player: int, action: int) -> None:
    """Apply an action of a playoff whose cards are dealt (TOUR-07)."""
    if action < PLAYOFF_CARD:
        declare(state.book, action - DECLARE)
    elif state.book.simultaneous == 1:
        commit_playoff_card(state, player)
    else:
        lay(state.book, player, state.ones[player])
        state.ones[player] = EMPTY
    go_on_with_playoff(state)


@rule
def deal_playoff(state: Record) -> None:
    """Deal one card to each tied seat, starting at the dealer's left. The first of these seats leads (TOUR-07)."""
    seat = int(state.dealer)
    leader = NOBODY
    dealt = 0
    for _ in range(state.players):
        seat = seat_after(state, seat)
        if int(state.tied) >> seat & 1:
            state.ones[seat] = state.pack.cards[dealt]
            dealt += 1
            if leader == NOBODY:
                leader = seat
    clear(state.pack)
    begin_first_trick(state.book, leader)
    go_on_with_playoff(state)


@rule
def commit_playoff_card(state: Record, player: int) -> None:
    """Commit a player's card. After the last one, turn up all cards, in seat order starting with the leader
    (BOOKS-11)."""
    state.book.committed[player] = 1
    for seat in range(state.players):
        if int(state.tied) >> seat & 1 and state.book.committed[seat] == EMPTY:
            return
    seat = int(state.book.leader)
    for _ in range(state.players):
        if int(state.tied) >> seat & 1:
            lay(state.book, seat, state.ones[seat])
            state.ones[seat] = EMPTY
            state.book.committed[seat] = EMPTY
        seat = seat_after(state, seat)


@rule
def go_on_with_playoff(state: Record) -> None:
    """Let the next seat act, or finish the game if the playoff is decided."""
    entry = to_declare(state.book)
    if entry >= 0:
        act_alone(state, PLAYOFF, state.book.seats[entry])
        return
    waiting, seat, following = 0, int(state.book.leader), NOBODY
    for _ in range(state.players):
        if int(state.tied) >> seat & 1 and state.ones[seat] != EMPTY and state.book.committed[seat] == EMPTY:
            waiting |= 1 << seat
            if following == NOBODY:
                following = seat
        seat = seat_after(state, seat)
    if waiting == 0:
        finish(state, 1 << int(state.book.seats[winning_entry(state.book)]))
    elif state.book.simultaneous == 1:
        state.turn = NOBODY
        state.to_act = waiting
    else:
        act_alone(state, PLAYOFF, following)


@rule
def play_out_playoff(state: Record) -> None:
    """Play the remaining cards, and declare the highest free values, because time is up (TOUR-05)."""
    while not state.over:
        seat = lowest_seat(int(state.to_act))
        waits = to_declare(state.book) >= 0
        playoff_step(state, seat, DECLARE + highest_value(state, seat) if waits else PLAYOFF_CARD)


@rule
def highest_value(state: Record, seat: int) -> int:
    """Return the highest value that a seat may declare."""
    free, value = free_values(state.book, seat), VALUES - 1
    while not free >> value & 1:
        value -= 1
    return value
