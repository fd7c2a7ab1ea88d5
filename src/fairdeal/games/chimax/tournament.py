"""CHIMAX: the layer over all its games: who deals, the cut, the rest between rounds, ties and the playoff of one Book.

A game's own `apply` hands the phases and actions of this layer here; `ready_to_deal` tells it when to deal.
"""

from __future__ import annotations

from fairdeal.engine.chance import draw
from fairdeal.engine.piles import clear, seat_after
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, Record, rule
from fairdeal.games.chimax.deck import COPIES, FACES, QUESTION, RANK, VALUES, cut_pack, face_of, fill_pack
from fairdeal.games.chimax.state import (
    BY_PLAYER,
    CUT,
    CUTTING,
    DEAL,
    DEALING,
    DECLARE,
    OVER,
    PLAYOFF,
    PLAYOFF_CARD,
    WITH_PLAYOFF,
)
from fairdeal.games.chimax.trick import (
    SEATS,
    begin_first_trick,
    declare,
    free_values,
    lay,
    to_declare,
    winning_entry,
)

# --- dealing -----------------------------------------------------------------------------------------------------


@rule
def find_dealer(state: Record, wanted: int) -> int:
    """GEN-12: the seat wanted, or, for NOBODY, the one that draws the highest card; the tied draw again."""
    if wanted != NOBODY:
        return wanted
    fill_pack(state.pack, COPIES[QUESTION], state.chance)
    drawing = (1 << int(state.players)) - 1
    place = 0
    while drawing & (drawing - 1) != 0:
        if place + state.players > state.pack.length:
            fill_pack(state.pack, COPIES[QUESTION], state.chance)
            place = 0
        best, highest = 0, -1
        for seat in range(state.players):
            if drawing >> seat & 1:
                rank = int(RANK[state.pack.cards[place]])
                place += 1
                if rank > highest:
                    best, highest = 0, rank
                if rank == highest:
                    best |= 1 << seat
        drawing = best
    clear(state.pack)
    return lowest_seat(drawing)


@rule
def lowest_seat(seats: int) -> int:
    """The first seat of a set."""
    seat = 0
    while not seats >> seat & 1:
        seat += 1
    return seat


@rule
def act_alone(state: Record, phase: int, seat: int) -> None:
    """It is this seat's turn, in this phase."""
    state.phase = phase
    state.turn = seat
    state.to_act = 1 << seat


@rule
def rest(state: Record, phase: int) -> None:
    """GEN-15: nothing moves until the dealer says so."""
    state.phase = phase
    state.turn = NOBODY
    state.to_act = 1 << int(state.dealer)


@rule
def ready_to_deal(state: Record, questions: int) -> bool:
    """GEN-10, 11, TOUR-02: shuffle, unless the pack lies there already; False while somebody has to cut it.

    A pack in an order drawn evenly needs no cut by the engine: it is as good as cut.
    """
    if state.pack.length > 0:
        return True
    fill_pack(state.pack, questions, state.chance)
    return is_cut(state)


@rule
def is_cut(state: Record) -> bool:
    """TOUR-02: nobody has to cut a pack that was just shuffled; if somebody has, it is his turn."""
    if state.options.cut == BY_PLAYER:
        act_alone(state, PLAYOFF if state.phase == PLAYOFF else CUTTING, seat_after(state, state.dealer))
        return False
    return True


@rule
def cut_by_player(state: Record, place: int) -> None:
    """GEN-11: the pack is cut and waits for the dealer."""
    cut_pack(state.pack, place)
    rest(state, PLAYOFF if state.phase == PLAYOFF else DEALING)


@rule
def write_cuts(state: Record, actions: Record) -> int:
    """Every place where the pack can be cut."""
    for place in range(1, state.pack.length):
        actions[place - 1] = CUT + place
    return state.pack.length - 1


@rule
def pass_deal(state: Record) -> None:
    """GEN-13, TOUR-03: the deal moves left, and the next round begins."""
    state.dealer = seat_after(state, state.dealer)
    state.match.game += 1


# --- the end -----------------------------------------------------------------------------------------------------


@rule
def finish(state: Record, winners: int) -> None:
    state.winners = winners
    state.phase = OVER
    state.turn = NOBODY
    state.to_act = 0
    state.over = 1


@rule
def best_seats(state: Record) -> int:
    """The seats with the highest total, as a set."""
    best = 0
    for seat in range(state.players):
        if best == 0 or state.match.totals[seat] > state.match.totals[lowest_seat(best)]:
            best = 0
        if best == 0 or state.match.totals[seat] == state.match.totals[lowest_seat(best)]:
            best |= 1 << seat
    return best


@rule
def decide(state: Record, first: int) -> None:
    """GEN-14, TOUR-06: the game is over for whoever is first, unless a tie has to be played off."""
    if first & (first - 1) == 0 or state.options.tie_break != WITH_PLAYOFF:
        finish(state, first)
        return
    pass_deal(state)
    state.tied = first
    for seat in range(SEATS):
        state.ones[seat] = EMPTY
    begin_first_trick(state.book, NOBODY)
    rest(state, PLAYOFF)


@rule
def write_returns(state: Record, out: Record) -> None:
    """The totals; a playoff puts half a point between its winner and the others who were first."""
    for seat in range(state.players):
        out[seat] = state.match.totals[seat]
        if state.over and state.tied != 0 and int(state.winners) >> seat & 1:
            out[seat] += 0.5


# --- the playoff -------------------------------------------------------------------------------------------------


@rule
def playoff_is_dealt(state: Record) -> bool:
    return state.book.leader != NOBODY


@rule
def playoff_actions(state: Record, player: int, actions: Record) -> int:
    """TOUR-07: deal, cut, play the one card, declare."""
    if not playoff_is_dealt(state):
        if state.turn == player:
            return write_cuts(state, actions)
        actions[0] = DEAL
        return 1
    if to_declare(state.book) >= 0:
        return write_declarations(state, player, actions)
    actions[0] = PLAYOFF_CARD
    return 1


@rule
def write_declarations(state: Record, player: int, actions: Record) -> int:
    """BOOKS-15, 16: the values still free."""
    free, count = free_values(state.book, player), 0
    for value in range(VALUES):
        if free >> value & 1:
            actions[count] = DECLARE + value
            count += 1
    return count


@rule
def playoff_step(state: Record, player: int, action: int) -> None:
    """TOUR-07: one action of a playoff."""
    if not playoff_is_dealt(state):
        if state.turn == player:
            cut_by_player(state, action - CUT)
        elif ready_to_deal(state, COPIES[QUESTION]):
            deal_playoff(state)
        return
    if action >= DECLARE and action < PLAYOFF_CARD:
        declare(state.book, action - DECLARE)
    elif state.book.simultaneous == 1:
        commit_playoff_card(state, player)
    else:
        lay(state.book, player, state.ones[player])
        state.ones[player] = EMPTY
    go_on_with_playoff(state)


@rule
def deal_playoff(state: Record) -> None:
    """TOUR-07: a card for each of the tied, from the dealer's left; the first of them leads."""
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
    """BOOKS-11: all cards are turned up when the last is in, and lie in seat order from the leader."""
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
    """Whose turn it is now, or who has won."""
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


# --- time --------------------------------------------------------------------------------------------------------


@rule
def clock_matters(state: Record) -> bool:
    """TOUR-04, 05: is there a limit, and something under way that it could end?"""
    if state.options.round_minutes <= 0 or state.over or state.phase == DEALING:
        return False
    return state.phase != PLAYOFF or playoff_is_dealt(state) or state.turn != NOBODY


@rule
def cut_for_player(state: Record) -> None:
    """TOUR-05: time is over before the cut; the engine makes it."""
    cut_by_player(state, 1 + draw(state.chance, state.pack.length - 1))


@rule
def play_out_playoff(state: Record) -> None:
    """TOUR-05: time is over in a playoff: the cards are played, and the highest values that are free declared."""
    if not playoff_is_dealt(state):
        cut_for_player(state)
        return
    while not state.over:
        entry = to_declare(state.book)
        if entry >= 0:
            playoff_step(state, state.book.seats[entry], DECLARE + highest_value(state, state.book.seats[entry]))
        else:
            playoff_step(state, lowest_seat(int(state.to_act)), PLAYOFF_CARD)


@rule
def highest_value(state: Record, seat: int) -> int:
    """The highest value that a seat may declare."""
    free, value = free_values(state.book, seat), VALUES - 1
    while not free >> value & 1:
        value -= 1
    return value


# --- what is hidden ----------------------------------------------------------------------------------------------


@rule
def conceal_table(state: Record, viewer: int) -> None:
    """What nobody sees of this layer: the pack, and the cards of a playoff that are not yet played."""
    for i in range(state.pack.length):
        state.pack.cards[i] = UNKNOWN
    if state.phase != PLAYOFF:
        return
    for seat in range(SEATS):
        if state.ones[seat] != EMPTY and not (seat == viewer and state.book.peek == 1):
            state.ones[seat] = UNKNOWN


@rule
def take_visible(state: Record, left: Record) -> None:
    """Take the cards of this layer that can be seen from the counts of a whole deck."""
    for i in range(state.pack.length):
        take_from(left, state.pack.cards[i])
    for entry in range(state.book.length):
        take_from(left, state.book.cards[entry])
    for seat in range(SEATS):
        if state.phase == PLAYOFF and state.ones[seat] != EMPTY:
            take_from(left, state.ones[seat])


@rule
def take_from(left: Record, card: int) -> None:
    """One card less of a face, if it is known and there is one."""
    if card >= 0 and left[face_of(card)] > 0:
        left[face_of(card)] -= 1


@rule
def whole_deck(left: Record, questions: int) -> None:
    """The counts of the faces of a deck with so many question marks."""
    smaller_deck(left, 3, questions)


@rule
def smaller_deck(left: Record, copies: int, questions: int) -> None:
    """M2-02: the same with so many copies of every other face."""
    for face in range(FACES):
        left[face] = questions if face == QUESTION else copies


@rule
def fill_unknown(cards: Record, length: int, faces: Record, size: int) -> int:
    """Put the last of `size` shuffled faces where cards are unknown; how many faces are left."""
    for i in range(length):
        if cards[i] == UNKNOWN and size > 0:
            size -= 1
            cards[i] = faces[size]
    return size


def seconds_a_round(state: Record) -> int:
    """TOUR-04: the time that what is under way may take, 0 for ever; nothing runs while the game rests."""
    return 60 * int(state.options.round_minutes) if clock_matters(state) else 0
