"""CHIMAX: the tournament layer of all games: set-up, the dealer, the cut, pauses between rounds and the end of a game.

Ties are broken in `playoff`, and the actions of the layer are in `layer`.
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
    """Prepare the table before the first deal, for a match of `rounds` rounds, with no pack, no playoff and no
    scores."""
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
    """Set the first dealer: the seat named by the options, or the seat that draws the highest card. Tied seats draw
    again (GEN-12)."""
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
    """Return the set of all seats."""
    return (1 << int(state.players)) - 1


@rule
def highest(values: Record, seats: int) -> int:
    """Return the subset of `seats` with the highest value."""
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
    """Pause the game until the dealer deals (GEN-15)."""
    state.phase = phase
    state.turn = NOBODY
    state.to_act = 1 << int(state.dealer)


@rule
def ready_to_deal(state: Record, copies: int, questions: int) -> bool:
    """Return whether the pack is ready to deal. If there is no pack, shuffle one first (GEN-10, 11, TOUR-02).

    The pack is not ready while a player has to cut it. If the option `cut` is `auto`, it is not cut, because a shuffled
    pack is already in random order.
    """
    if state.pack.length > 0:
        return True
    fill_pack(state.pack, copies, questions, state.chance)
    if state.options.cut != BY_PLAYER:
        return True
    act_alone(state, PLAYOFF if state.phase == PLAYOFF else CUTTING, seat_after(state, state.dealer))
    return False


@rule
def cut_by_player(state: Record, place: int) -> None:
    """Cut the pack at `place`, and wait for the dealer (GEN-11)."""
    cut_pack(state.pack, place)
    rest(state, PLAYOFF if state.phase == PLAYOFF else DEALING)


@rule
def write_cuts(state: Record, actions: Record) -> int:
    """Write an action for every place at which the pack can be cut, and return their number."""
    for place in range(1, state.pack.length):
        actions[place - 1] = CUT + place
    return int(state.pack.length) - 1


@rule
def pass_deal(state: Record) -> None:
    """Pass the deal to the left, and begin the next round (GEN-13, TOUR-03)."""
    state.dealer = seat_after(state, state.dealer)
    state.match.game += 1


# --- the end -----------------------------------------------------------------------------------------------------


@rule
def finish(state: Record, winners: int) -> None:
    """End the game with a set of winners."""
    state.winners = winners
    state.phase = OVER
    state.turn = NOBODY
    state.to_act = 0
    state.over = 1


@rule
def best_seats(state: Record) -> int:
    """Return the set of seats with the highest total."""
    return highest(state.match.totals, everybody(state))


@rule
def decide(state: Record, first: int) -> None:
    """End the game with `first` as winners. If they are tied and the options require it, begin a playoff instead
    (GEN-14, TOUR-06)."""
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
    """Write the totals into `out`, plus half a point for the winner of a playoff."""
    for seat in range(state.players):
        out[seat] = int(state.match.totals[seat]) + half_for_playoff(state, seat)


@rule
def half_for_playoff(state: Record, seat: int) -> float:
    """Return 0.5 for the winner of a playoff, and 0 for any other seat (TOUR-06)."""
    if state.over and state.tied != 0 and int(state.winners) >> seat & 1:
        return 0.5
    return 0.0
