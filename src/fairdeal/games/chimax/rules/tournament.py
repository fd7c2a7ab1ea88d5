"""CHIMAX: the layer over all its games: the table before the first deal, who deals, the cut, the rest between rounds,
and how a game ends. A tie leads on to `playoff`; the actions of the whole layer are in `layer`.
"""

import numpy as np

from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.piles import clear
from fairdeal.engine.kit.seats import act_alone, lowest_seat, seat_after
from fairdeal.engine.records import EMPTY, NOBODY, Record, rule
from fairdeal.games.chimax.deck import EACH, MARKS, RANK, cut_pack, fill_pack
from fairdeal.games.chimax.rules.trick import begin_first_trick
from fairdeal.games.chimax.state import BY_PLAYER, CUT, CUTTING, DEALING, OVER, PLAYOFF, SEATS, WITH_PLAYOFF

# --- dealing -----------------------------------------------------------------------------------------------------


@rule
def set_table(state: Record, rounds: int) -> None:
    """The table before the first deal: no pack and no playoff, nothing is scored, and so many rounds to come."""
    start_match(state, rounds, 0)
    begin_first_trick(state.book, NOBODY)
    clear(state.pack)
    state.tied = 0
    state.winners = 0
    for seat in range(SEATS):
        state.ones[seat] = EMPTY
        state.round_scores[seat] = 0
    state.dealer = 0
    state.phase = DEALING


@rule
def draw_dealer(state: Record) -> None:
    """GEN-12: the seat that the options name, or the one that draws the highest card; the tied draw again."""
    if state.options.first_dealer != NOBODY:
        state.dealer = state.options.first_dealer
        return
    fill_pack(state.pack, EACH, MARKS, state.chance)
    ranks, place, drawing = np.empty(SEATS, np.int8), 0, everybody(state)
    while drawing & (drawing - 1) != 0:
        if place + int(state.players) > state.pack.length:
            fill_pack(state.pack, EACH, MARKS, state.chance)
            place = 0
        for seat in range(state.players):
            if drawing >> seat & 1:
                ranks[seat] = RANK[state.pack.cards[place]]
                place += 1
        drawing = highest(ranks, drawing)
    clear(state.pack)
    state.dealer = lowest_seat(drawing)


@rule
def everybody(state: Record) -> int:
    """All seats, as a set."""
    return (1 << int(state.players)) - 1


@rule
def highest(values: Record, seats: int) -> int:
    """Those seats of a set that have the highest value, as a set."""
    best = 0
    for seat in range(SEATS):
        if seats >> seat & 1:
            if best == 0 or values[seat] > values[lowest_seat(best)]:
                best = 1 << seat
            elif values[seat] == values[lowest_seat(best)]:
                best |= 1 << seat
    return best


@rule
def rest(state: Record, phase: int) -> None:
    """GEN-15: nothing moves until the dealer says so."""
    state.phase = phase
    state.turn = NOBODY
    state.to_act = 1 << int(state.dealer)


@rule
def ready_to_deal(state: Record, copies: int, questions: int) -> bool:
    """GEN-10, 11, TOUR-02: shuffle so many cards of each face, unless the pack lies there already; False while somebody
    has to cut it. A pack in an order drawn evenly needs no cut by the engine: it is as good as cut."""
    if state.pack.length > 0:
        return True
    fill_pack(state.pack, copies, questions, state.chance)
    if state.options.cut != BY_PLAYER:
        return True
    act_alone(state, PLAYOFF if state.phase == PLAYOFF else CUTTING, seat_after(state, state.dealer))
    return False


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
    return int(state.pack.length) - 1


@rule
def pass_deal(state: Record) -> None:
    """GEN-13, TOUR-03: the deal moves left, and the next round begins."""
    state.dealer = seat_after(state, state.dealer)
    state.match.game += 1


# --- the end -----------------------------------------------------------------------------------------------------


@rule
def finish(state: Record, winners: int) -> None:
    """The game is over."""
    state.winners = winners
    state.phase = OVER
    state.turn = NOBODY
    state.to_act = 0
    state.over = 1


@rule
def best_seats(state: Record) -> int:
    """The seats with the highest total, as a set."""
    return highest(state.match.totals, everybody(state))


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
        out[seat] = int(state.match.totals[seat]) + half_for_playoff(state, seat)


@rule
def half_for_playoff(state: Record, seat: int) -> float:
    """TOUR-06: what a playoff that was won is worth beside points."""
    if state.over and state.tied != 0 and int(state.winners) >> seat & 1:
        return 0.5
    return 0.0
