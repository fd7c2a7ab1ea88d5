"""CHIMAX ORDER: the rules (docs/rules/chimax.md, section 2)."""

import numpy as np

from fairdeal.engine.kit.piles import clear, pop, push
from fairdeal.engine.kit.seats import act_alone, seat_after
from fairdeal.engine.records import HOUSE, NOBODY, Record, rule
from fairdeal.games.chimax.deck import FACES, HALF, INFINITY, fill_pack
from fairdeal.games.chimax.order import state as order
from fairdeal.games.chimax.rules import layout as memory
from fairdeal.games.chimax.rules import tournament
from fairdeal.games.chimax.rules.layer import layer_actions, layer_step
from fairdeal.games.chimax.rules.unseen import conceal_table, count_deck, resample_table
from fairdeal.games.chimax.state import CLOCK, DEALING, OWN_PHASE, SEATS

# --- boards and sequence -----------------------------------------------------------------------------------------


@rule
def boards_in_play(state: Record) -> int:
    """Return the number of layouts: one for each seat, or a single one for all seats (ORDER-03)."""
    return int(state.players) if state.options.board == order.OWN_BOARDS else 1


@rule
def board_of(state: Record, seat: int) -> int:
    """Return the number of the layout that a seat plays on."""
    return seat if state.options.board == order.OWN_BOARDS else 0


@rule
def how_far(state: Record, seat: int) -> int:
    """Return the number of cards that a seat has completed in its sequence."""
    return int(state.run.length) if state.options.board == order.SHARED_BOARD else int(state.match.totals[seat])


@rule
def face_at(state: Record, number: int) -> int:
    """Return the face at position `number` of the sequence, counted from 0 (ORDER-04, 08)."""
    return INFINITY - number if state.direction == order.DESCENDING else number


@rule
def is_wanted(state: Record, seat: int, card: int) -> bool:
    """Return whether a card is the next one of the sequence. Before the direction is set, either end is (ORDER-06,
    08)."""
    if state.direction == order.EITHER:
        return card in (HALF, INFINITY)
    return card == face_at(state, how_far(state, seat))


@rule
def must_be_unseen(state: Record, seat: int) -> bool:
    """Return whether a seat must turn an unseen card, after too many dead turns on its layout (MEM-07, ORDER-13)."""
    return memory.is_stalled(state.boards[board_of(state, seat)], state.options.stall_limit)


# --- set-up ------------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """Choose the dealer, shuffle the set, and lay it out (ORDER-02, 03)."""
    tournament.set_table(state, 1)
    tournament.draw_dealer(state)
    clear_boards(state)
    prepare_board(state)


@rule
def clear_boards(state: Record) -> None:
    """Clear all layouts, sequences and counts."""
    for number in range(order.BOARDS):
        memory.lay_out(state.boards[number], state.pack)
    clear(state.run)
    for seat in range(SEATS):
        state.misses[seat] = 0
    state.direction = state.options.direction
    state.best.run = 0
    state.best.seat = NOBODY
    forget_miss(state)


@rule
def prepare_board(state: Record) -> None:
    """Shuffle a set, and lay it out unless a player has to cut it first (ORDER-02, TOUR-02)."""
    if tournament.ready_to_deal(state, 1, 1):
        deal_boards(state)


@rule
def deal_boards(state: Record) -> None:
    """Lay out the set, and let the seat to the dealer's left start (ORDER-02, GEN-13).

    If each seat has its own layout, the starter gets the set that was cut, and new sets are shuffled for the other
    seats.
    """
    starter = seat_after(state, state.dealer)
    seat = starter
    for number in range(boards_in_play(state)):
        if number > 0:
            fill_pack(state.pack, 1, 1, state.chance)
        memory.lay_out(state.boards[board_of(state, seat)], state.pack)
        seat = seat_after(state, seat)
    clear(state.pack)
    act_alone(state, order.FLIPPING, starter)


# --- play --------------------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal flips of face-down cards, or the actions of the tournament layer, and return their number
    (ORDER-05, MEM-03)."""
    if player == HOUSE or state.phase < OWN_PHASE:
        return layer_actions(state, player, actions)
    if not int(state.to_act) >> player & 1:
        return 0
    return memory.write_flips(state.boards[board_of(state, player)], must_be_unseen(state, player), order.FLIP, actions)


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Apply a legal action."""
    forget_miss(state)
    if state.phase == DEALING:
        prepare_board(state)
    elif state.phase < OWN_PHASE:
        layer_step(state, player, action)
    elif action == CLOCK:
        run_out_of_time(state)
    else:
        flip(state, player, action - order.FLIP)


@rule
def flip(state: Record, player: int, place: int) -> None:
    """Turn up a card. The right card stays face up, and the turn continues (ORDER-05 to 07)."""
    board = state.boards[board_of(state, player)]
    card = int(board.cards[place])
    memory.turn_up(board, place)
    if is_wanted(state, player, card):
        place_card(state, player, card)
    else:
        miss(state, player, place, card)


@rule
def place_card(state: Record, player: int, card: int) -> None:
    """Place the right card, and finish the game if it is the last one (ORDER-06, 08, 13)."""
    if state.direction == order.EITHER:
        state.direction = order.DESCENDING if card == INFINITY else order.ASCENDING
    if state.options.board == order.SHARED_BOARD:
        push(state.run, player)
    state.match.totals[player] += 1
    note_progress(state, player)
    if how_far(state, player) == FACES:
        close_turn(state, player)
        complete(state, player)


@rule
def note_progress(state: Record, player: int) -> None:
    """Make the turn live after a card was placed. If runs can be lost, the turn is live only if the run is the longest
    so far (MEM-06, ORDER-09)."""
    board = state.boards[board_of(state, player)]
    if state.options.on_miss != order.RESTART:
        board.live = 1
    elif how_far(state, player) > state.best.run:
        board.live = 1
        state.best.run = how_far(state, player)
        state.best.seat = player


@rule
def complete(state: Record, player: int) -> None:
    """End the game after the last card is placed (ORDER-10, 11)."""
    if state.options.winner == order.MOST_PLACED:
        tournament.decide(state, tournament.best_seats(state))
    else:
        tournament.finish(state, 1 << player)


@rule
def miss(state: Record, player: int, place: int, card: int) -> None:
    """Turn the wrong card back, or all cards in a race, and pass the turn to the left (ORDER-07, 09, 13)."""
    state.misses[player] += 1
    state.missed.seat = player
    state.missed.place = place
    state.missed.card = card
    board = state.boards[board_of(state, player)]
    if state.options.on_miss == order.RESTART:
        lose_run(state, player)
        clear(board.open)
    elif state.options.board == order.RACE:
        clear(board.open)
    else:
        pop(board.open)
    close_turn(state, player)
    begin_turn(state, seat_after(state, player))


@rule
def lose_run(state: Record, player: int) -> None:
    """Restart the player's sequence, and reset its direction (ORDER-09)."""
    clear(state.run)
    state.match.totals[player] = 0
    state.direction = state.options.direction


@rule
def close_turn(state: Record, player: int) -> None:
    """Count a dead turn on all layouts (MEM-06)."""
    board = state.boards[board_of(state, player)]
    memory.count_turn(board)
    for number in range(boards_in_play(state)):
        state.boards[number].dead = board.dead


@rule
def begin_turn(state: Record, seat: int) -> None:
    """Begin a turn. If the seat must turn an unseen card and none is left, end the game (MEM-07)."""
    act_alone(state, order.FLIPPING, seat)
    if must_be_unseen(state, seat) and not memory.unseen_left(state.boards[board_of(state, seat)]):
        settle(state)


@rule
def settle(state: Record) -> None:
    """End an unfinished game. The seat that has come furthest wins (ORDER-12)."""
    if state.options.on_miss != order.RESTART:
        tournament.decide(state, tournament.best_seats(state))
    elif state.best.seat == NOBODY:
        tournament.decide(state, tournament.everybody(state))
    else:
        tournament.decide(state, 1 << int(state.best.seat))


@rule
def run_out_of_time(state: Record) -> None:
    """End the game because of the time limit. Placed cards count; in a race, the open cards are turned back
    (TOUR-05)."""
    board = state.boards[board_of(state, state.turn)]
    if state.options.board == order.RACE:
        memory.break_turn_off(board)
    board.live = 0
    settle(state)


@rule
def forget_miss(state: Record) -> None:
    """Forget the last wrong card, which is no longer shown (MEM-04)."""
    state.missed.seat = NOBODY
    state.missed.place = 0
    state.missed.card = 0


# --- results, what is hidden -------------------------------------------------------------------------------------


@rule
def returns(state: Record, out: Record) -> None:
    """Write the results into `out` (ORDER-10, 12).

    A winner gets 1, and a seat that lost only the playoff gets 1/2. A single player gets minus the number of misses
    (ORDER-14).
    """
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
    """Hide the face-down cards, the pack and the RNG (MEM-02, 05)."""
    for number in range(boards_in_play(state)):
        memory.conceal_layout(state.boards[number], viewer, recall)
    conceal_table(state, viewer)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Fill the unknown places at random with the unseen faces (MEM-05)."""
    left = np.empty(FACES, np.int8)
    if state.missed.seat != NOBODY:
        state.boards[board_of(state, state.missed.seat)].cards[state.missed.place] = state.missed.card
    for number in range(boards_in_play(state)):
        count_deck(left, 1, 1)
        memory.resample_layout(state.boards[number], left, source)
    resample_table(state, 1, 1, source)
