"""CHIMAX ORDER: the rules (docs/rules/chimax.md, section 2)."""

from __future__ import annotations

import numpy as np

from fairdeal.engine.chance import blank, rekey
from fairdeal.engine.matches import start_match
from fairdeal.engine.piles import clear, pop, push, seat_after, shuffle_cards
from fairdeal.engine.records import EMPTY, HOUSE, NOBODY, Record, rule
from fairdeal.games.chimax.deck import CARDS, COPIES, FACES, HALF, INFINITY, QUESTION, fill_one_of_each
from fairdeal.games.chimax.layout import (
    break_turn_off,
    conceal_layout,
    count_turn,
    fill_layout,
    lay_out,
    turn_up,
    unseen_left,
    write_faces,
    write_flips,
)
from fairdeal.games.chimax.order.state import (
    ASCENDING,
    BOARDS,
    CLOCK,
    DESCENDING,
    EITHER,
    FLIP,
    FLIPPING,
    MOST_PLACED,
    OWN_BOARDS,
    RACE,
    RESTART,
    SHARED_BOARD,
    USUAL_STALL_LIMIT,
)
from fairdeal.games.chimax.state import CUT, CUTTING, DEAL, DEALING, PLAYOFF
from fairdeal.games.chimax.tournament import (
    act_alone,
    best_seats,
    clock_matters,
    conceal_table,
    cut_by_player,
    cut_for_player,
    decide,
    fill_unknown,
    find_dealer,
    finish,
    is_cut,
    play_out_playoff,
    playoff_actions,
    playoff_step,
    smaller_deck,
    take_from,
    take_visible,
    whole_deck,
    write_cuts,
)
from fairdeal.games.chimax.trick import SEATS, begin_first_trick

# --- boards and sequence -----------------------------------------------------------------------------------------


@rule
def boards_in_play(state: Record) -> int:
    """ORDER-03: a layout each, or one for all."""
    return int(state.players) if state.options.board == OWN_BOARDS else 1


@rule
def board_of(state: Record, seat: int) -> int:
    """The number of the layout that a seat plays on."""
    return seat if state.options.board == OWN_BOARDS else 0


@rule
def how_far(state: Record, seat: int) -> int:
    """How many cards of its sequence lie behind a seat."""
    return int(state.run.length) if state.options.board == SHARED_BOARD else int(state.match.totals[seat])


@rule
def face_at(state: Record, number: int) -> int:
    """ORDER-04, 08: a face of the sequence, counted from 0."""
    return INFINITY - number if state.direction == DESCENDING else number


@rule
def is_wanted(state: Record, seat: int, card: int) -> bool:
    """ORDER-06, 08: is this the next card? While either direction is open, both ends are right."""
    if state.direction == EITHER:
        return card in (HALF, INFINITY)
    return card == face_at(state, how_far(state, seat))


@rule
def stall_limit(state: Record) -> int:
    return int(state.options.stall_limit) if state.options.stall_limit > 0 else USUAL_STALL_LIMIT


@rule
def must_be_unseen(state: Record, seat: int) -> bool:
    """MEM-07: a turn that begins after too many dead ones. Once its first card is turned it is a live one."""
    board = state.boards[board_of(state, seat)]
    return board.dead >= stall_limit(state) and board.live == 0


# --- set-up ------------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """ORDER-02, 03: the dealer is found, and the set is shuffled and laid out."""
    clear(state.pack)
    state.dealer = find_dealer(state, state.options.first_dealer)
    start_match(state, 1, 0)
    begin_first_trick(state.book, NOBODY)
    state.tied = 0
    state.winners = 0
    for seat in range(SEATS):
        state.ones[seat] = EMPTY
        state.misses[seat] = 0
    state.phase = DEALING
    clear_boards(state)
    prepare_board(state)


@rule
def clear_boards(state: Record) -> None:
    """Nothing is laid out, and nothing is in order."""
    for number in range(BOARDS):
        for place in range(FACES):
            state.boards[number].cards[place] = 0
        lay_out(state.boards[number], state.pack, 0)
    clear(state.run)
    state.direction = state.options.direction
    state.best.run = 0
    state.best.seat = NOBODY
    forget_miss(state)


@rule
def prepare_board(state: Record) -> None:
    """TOUR-02: shuffle, and wait if somebody has to cut; lay out what is shuffled and cut."""
    if state.pack.length == 0:
        fill_one_of_each(state.pack, state.chance)
        if not is_cut(state):
            return
    deal_boards(state)


@rule
def deal_boards(state: Record) -> None:
    """ORDER-02, GEN-13: the dealer's left starts. On own boards the set that was cut is his, and the others are
    shuffled for theirs."""
    starter = seat_after(state, state.dealer)
    seat = starter
    for number in range(boards_in_play(state)):
        if number > 0:
            fill_one_of_each(state.pack, state.chance)
        lay_out(state.boards[board_of(state, seat)], state.pack, FACES)
        seat = seat_after(state, seat)
    clear(state.pack)
    act_alone(state, FLIPPING, starter)


# --- play --------------------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """ORDER-05, MEM-03: any face-down card. The house has the clock."""
    if player == HOUSE:
        actions[0] = CLOCK
        return 1 if clock_matters(state) else 0
    if not int(state.to_act) >> player & 1:
        return 0
    if state.phase == FLIPPING:
        return write_flips(state.boards[board_of(state, player)], must_be_unseen(state, player), FLIP, actions)
    if state.phase == PLAYOFF:
        return playoff_actions(state, player, actions)
    if state.phase == CUTTING:
        return write_cuts(state, actions)
    actions[0] = DEAL
    return 1


@rule
def apply(state: Record, player: int, action: int) -> None:
    """One action of a seat, or the clock of the house."""
    forget_miss(state)
    if action == CLOCK:
        time_is_up(state)
    elif state.phase == PLAYOFF:
        playoff_step(state, player, action)
    elif action == DEAL:
        prepare_board(state)
    elif state.phase == CUTTING:
        cut_by_player(state, action - CUT)
    else:
        flip(state, player, action - FLIP)


@rule
def flip(state: Record, player: int, place: int) -> None:
    """ORDER-05 to 07: turn up a card; the right one stays and the turn goes on."""
    board = state.boards[board_of(state, player)]
    card = int(board.cards[place])
    turn_up(board, place)
    if is_wanted(state, player, card):
        place_card(state, player, card)
    else:
        miss(state, player, place, card)


@rule
def place_card(state: Record, player: int, card: int) -> None:
    """ORDER-06, 08, 13: one card further."""
    if state.direction == EITHER:
        state.direction = DESCENDING if card == INFINITY else ASCENDING
    if state.options.board == SHARED_BOARD:
        push(state.run, player)
    state.match.totals[player] += 1
    note_progress(state, player)
    if how_far(state, player) == FACES:
        close_turn(state, player)
        complete(state, player)


@rule
def note_progress(state: Record, player: int) -> None:
    """MEM-06, ORDER-09: a placed card is news; where runs are lost, only one longer than any before."""
    board = state.boards[board_of(state, player)]
    if state.options.on_miss != RESTART:
        board.live = 1
    elif how_far(state, player) > state.best.run:
        board.live = 1
        state.best.run = how_far(state, player)
        state.best.seat = player


@rule
def complete(state: Record, player: int) -> None:
    """ORDER-10, 11: the last card is placed."""
    if state.options.winner == MOST_PLACED:
        decide(state, best_seats(state))
    else:
        finish(state, 1 << player)


@rule
def miss(state: Record, player: int, place: int, card: int) -> None:
    """ORDER-07, 09, 13: the wrong card goes back, in a race all of them; the turn passes to the left."""
    state.misses[player] += 1
    state.missed.seat = player
    state.missed.place = place
    state.missed.card = card
    board = state.boards[board_of(state, player)]
    if state.options.on_miss == RESTART:
        lose_run(state, player)
        clear(board.open)
    elif state.options.board == RACE:
        clear(board.open)
    else:
        pop(board.open)
    close_turn(state, player)
    begin_turn(state, seat_after(state, player))


@rule
def lose_run(state: Record, player: int) -> None:
    """ORDER-09: the sequence starts again, in either direction if that was open."""
    clear(state.run)
    state.match.totals[player] = 0
    state.direction = state.options.direction


@rule
def close_turn(state: Record, player: int) -> None:
    """MEM-06: a turn that brought nothing is counted, on all boards alike."""
    board = state.boards[board_of(state, player)]
    count_turn(board)
    for number in range(boards_in_play(state)):
        state.boards[number].dead = board.dead


@rule
def begin_turn(state: Record, seat: int) -> None:
    """MEM-07: nothing unseen is left to a seat that would have to turn it: the game ends."""
    act_alone(state, FLIPPING, seat)
    if must_be_unseen(state, seat) and not unseen_left(state.boards[board_of(state, seat)]):
        settle(state)


@rule
def settle(state: Record) -> None:
    """ORDER-12: the game is broken off, and whoever got furthest wins."""
    if state.options.on_miss != RESTART:
        decide(state, best_seats(state))
    elif state.best.seat == NOBODY:
        decide(state, (1 << int(state.players)) - 1)
    else:
        decide(state, 1 << int(state.best.seat))


@rule
def time_is_up(state: Record) -> None:
    """TOUR-05: placed cards and places are kept; in a race what was turned this turn goes back."""
    if state.phase == CUTTING:
        cut_for_player(state)
    elif state.phase == PLAYOFF:
        play_out_playoff(state)
    else:
        board = state.boards[board_of(state, state.turn)]
        if state.options.board == RACE:
            break_turn_off(board)
        board.live = 0
        settle(state)


@rule
def forget_miss(state: Record) -> None:
    """MEM-04: nobody looks at a card that was turned back any longer."""
    state.missed.seat = NOBODY
    state.missed.place = 0
    state.missed.card = 0


# --- results, what is hidden -------------------------------------------------------------------------------------


@rule
def returns(state: Record, out: Record) -> None:
    """ORDER-10, 12: 1 for the winners, 1/2 for those who lost only the playoff. ORDER-14: alone, the misses count."""
    for seat in range(state.players):
        out[seat] = 0
        if state.players == 1:
            out[seat] = -int(state.misses[seat])
        elif int(state.winners) >> seat & 1:
            out[seat] = 1
        elif state.over and int(state.tied) >> seat & 1:
            out[seat] = 0.5


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """MEM-02, 05: face-down cards, the pack and chance."""
    for number in range(boards_in_play(state)):
        conceal_layout(state.boards[number], viewer, recall)
    conceal_table(state, viewer)
    blank(state.chance)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """MEM-05: spread the faces that are not known over the places that are not known."""
    left, faces = np.empty(FACES, np.int8), np.empty(CARDS, np.int8)
    if state.missed.seat != NOBODY:
        state.boards[board_of(state, state.missed.seat)].cards[state.missed.place] = state.missed.card
    for number in range(boards_in_play(state)):
        smaller_deck(left, 1, 1)
        for place in range(state.boards[number].length):
            take_from(left, state.boards[number].cards[place])
        size = write_faces(left, faces)
        shuffle_cards(faces, size, source)
        fill_layout(state.boards[number], faces, size)
    if state.phase in (DEALING, CUTTING):
        smaller_deck(left, 1, 1)
    else:
        whole_deck(left, COPIES[QUESTION])
    take_visible(state, left)
    size = write_faces(left, faces)
    shuffle_cards(faces, size, source)
    size = fill_unknown(state.pack.cards, state.pack.length, faces, size)
    fill_unknown(state.ones, SEATS, faces, size)
    rekey(state.chance, source)
