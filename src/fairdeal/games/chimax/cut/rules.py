"""CHIMAX CUT: the rules. Clause ids refer to docs/rules/chimax.md, section 5."""

import numpy as np

from fairdeal.engine.kit.chance import rekey
from fairdeal.engine.kit.hidden import shuffle_unseen
from fairdeal.engine.kit.piles import clear, pop, push
from fairdeal.engine.kit.seats import act_alone, is_in, seat_after
from fairdeal.engine.records import EMPTY, HOUSE, NOBODY, Record, rule
from fairdeal.games.chimax import deck
from fairdeal.games.chimax.cut.state import DECIDING, DECLARED_MARKS, DECLARING, KEEP, KNOCKOUT, UNTIL_INFINITY
from fairdeal.games.chimax.rules import tournament
from fairdeal.games.chimax.rules.layer import layer_actions, layer_step
from fairdeal.games.chimax.rules.playoff import highest_value, write_declarations
from fairdeal.games.chimax.rules.trick import begin_first_trick, free_values
from fairdeal.games.chimax.rules.unseen import conceal_table, count_deck, fill_table, take_all, take_from, take_visible
from fairdeal.games.chimax.state import CLOCK, CUT, CUTTING, DEALING, DECLARE, OWN_PHASE, PLAYOFF, SEATS

# --- set-up ---------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """Choose the dealer, and begin the first round (CUT-01, 02)."""
    tournament.set_table(state, state.options.rounds)
    tournament.draw_dealer(state)
    shuffle_round(state)


@rule
def shuffle_round(state: Record) -> None:
    """Shuffle the whole deck, bring all seats into the round, and let the seat to the dealer's left start (CUT-02,
    08)."""
    if not tournament.ready_to_deal(state, deck.EACH, deck.MARKS):
        return
    begin_first_trick(state.book, NOBODY)
    state.alive = tournament.everybody(state)
    for seat in range(SEATS):
        state.kept[seat] = EMPTY
        state.round_scores[seat] = 0
    state.shown = EMPTY
    state.cuts = 0
    clear(state.out)
    begin_turn(state, seat_after(state, state.dealer))


@rule
def begin_turn(state: Record, seat: int) -> None:
    """Begin a player's cut. If the deck is too small, which is possible only for a custom deck, end the round without a
    winner (CUT-03)."""
    if state.pack.length < 2:
        end_round(state)
        return
    act_alone(state, CUTTING, seat)


# --- what is legal --------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions of a player or the house in ascending order, and return their number.

    The phase for cutting the deck is the one that the tournament layer uses for the cut before a deal.
    """
    if player == HOUSE or state.phase < OWN_PHASE:
        return layer_actions(state, player, actions)
    if not is_in(state.to_act, player):
        return 0
    if state.phase == DECLARING:
        return write_declarations(state, player, actions)
    return write_decisions(state, actions)


@rule
def write_decisions(state: Record, actions: Record) -> int:
    """Write the possible cuts, followed by `keep`, and return the number of actions (CUT-04)."""
    count = tournament.write_cuts(state, actions) if state.pack.length >= 2 else 0
    actions[count] = KEEP
    return count + 1


# --- actions --------------------------------------------------------------------------------------------------


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Apply a legal action."""
    if state.phase == DEALING:
        shuffle_round(state)
    elif state.phase == PLAYOFF:
        layer_step(state, player, action)
    elif action == CLOCK:
        end_round(state)
    elif action < DECLARE:
        cut(state, player, action - CUT)
    elif action == KEEP:
        keep(state, player)
    else:
        declare_mark(state, player, deck.FIFTEEN + action - DECLARE)


@rule
def cut(state: Record, player: int, place: int) -> None:
    """Cut the deck, and show its new bottom card, which leaves the deck. A card shown before leaves the round (CUT-03,
    04, 05)."""
    if state.shown != EMPTY:
        push(state.out, state.shown)
    deck.cut_pack(state.pack, place)
    state.shown = pop(state.pack)
    state.cuts += 1
    if state.shown == deck.INFINITY:
        state.round_scores[player] = 1
        end_round(state)
    elif state.options.mode == UNTIL_INFINITY:
        push(state.out, state.shown)
        take_shown_away(state)
        begin_turn(state, seat_after(state, player))
    elif state.cuts > state.options.recuts:
        keep(state, player)
    else:
        act_alone(state, DECIDING, player)


@rule
def take_shown_away(state: Record) -> None:
    state.shown = EMPTY
    state.cuts = 0


@rule
def keep(state: Record, player: int) -> None:
    """Keep the card shown. If it is a question mark and a value is free, a value must be declared (CUT-04, 07)."""
    state.kept[player] = state.shown
    take_shown_away(state)
    declares = state.kept[player] == deck.QUESTION and state.options.qmark == DECLARED_MARKS
    if declares and free_values(state.book, player) != 0:
        act_alone(state, DECLARING, player)
    else:
        go_on(state, player)


@rule
def declare_mark(state: Record, player: int, face: int) -> None:
    """Declare the kept question mark as `face`, which cannot be declared again in this round (CUT-07)."""
    state.kept[player] = deck.DECLARED + face
    push(state.book.declared[0], face)
    go_on(state, player)


@rule
def go_on(state: Record, player: int) -> None:
    """Let the next seat without a kept card cut. If there is none, compare the cards (CUT-03, 06)."""
    seat = seat_after(state, player)
    for _ in range(state.players):
        if is_in(state.alive, seat) and state.kept[seat] == EMPTY:
            begin_turn(state, seat)
            return
        seat = seat_after(state, seat)
    if state.options.mode == KNOCKOUT:
        knock_out(state)
    else:
        score_one_cut(state)


@rule
def kept_rank(state: Record, seat: int) -> int:
    """Return the rank of the card that a seat has kept (GEN-04, 05)."""
    return int(deck.RANK[state.kept[seat]])


@rule
def lowest_rank(state: Record) -> int:
    """Return the lowest rank among the kept cards (CUT-06)."""
    lowest = 2 * deck.CARDS
    for seat in range(state.players):
        if state.kept[seat] != EMPTY:
            lowest = min(lowest, kept_rank(state, seat))
    return lowest


@rule
def knock_out(state: Record) -> None:
    """Remove the seats with the lowest card from the round, unless all cards are equal, and clear the kept cards. A
    single remaining seat wins the round (CUT-06)."""
    lowest, staying = lowest_rank(state), 0
    for seat in range(state.players):
        if is_in(state.alive, seat):
            if kept_rank(state, seat) > lowest:
                staying |= 1 << seat
            push(state.out, deck.face_of(state.kept[seat]))
            state.kept[seat] = EMPTY
    if staying != 0:
        state.alive = staying
    seat = seat_after(state, state.dealer)
    while not is_in(state.alive, seat):
        seat = seat_after(state, seat)
    if staying != 0 and staying & (staying - 1) == 0:
        state.round_scores[seat] = 1
        end_round(state)
    else:
        begin_turn(state, seat)


@rule
def score_one_cut(state: Record) -> None:
    """Score the round. The highest card gains a point; of several, the one that was kept first. Each of the lowest
    cards loses a point (CUT-06)."""
    lowest, highest, winner = lowest_rank(state), -1, 0
    seat = int(state.dealer)
    for _ in range(state.players):
        seat = seat_after(state, seat)
        rank = kept_rank(state, seat)
        if rank > highest:
            highest, winner = rank, seat
        if rank == lowest:
            state.round_scores[seat] -= 1
    state.round_scores[winner] += 1
    end_round(state)


# --- the end --------------------------------------------------------------------------------------------------


@rule
def end_round(state: Record) -> None:
    """Add up the points, and begin the next round or end the game (CUT-08).

    A round ended by the time limit has no winner, but counts as played (TOUR-05).
    """
    for seat in range(state.players):
        state.match.totals[seat] += state.round_scores[seat]
    clear(state.pack)
    if state.match.game >= state.match.games:
        tournament.decide(state, tournament.best_seats(state))
        return
    tournament.pass_deal(state)
    tournament.rest(state, DEALING)


@rule
def returns(state: Record, out: Record) -> None:
    """Write the points into `out`. Higher is better (CUT-08)."""
    tournament.write_returns(state, out)


# --- hidden information -----------------------------------------------------------------------------------------


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """Hide the order of the deck, and the cards of a playoff. All other cards are open, so `recall` has no effect."""
    conceal_table(state, viewer)


@rule
def count_unseen(state: Record, left: Record) -> int:
    """Count the faces that may still be in the deck into `left`, and return the number of cards."""
    count_deck(left, deck.EACH, deck.MARKS)
    take_visible(state, left)
    if state.phase != PLAYOFF:
        take_from(left, state.shown)
        take_all(left, state.out)
        for seat in range(state.players):
            take_from(left, state.kept[seat])
    total = 0
    for face in range(deck.FACES):
        total += int(left[face])
    return total


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the unseen cards at random into the deck or the hands of a playoff, and reseed the RNG."""
    left, faces = np.empty(deck.FACES, np.int8), np.empty(deck.CARDS, np.int8)
    count_unseen(state, left)
    fill_table(state, faces, shuffle_unseen(left, faces, source))
    rekey(state.chance, source)


@rule
def rank_if_kept(state: Record, player: int, face: int) -> int:
    """Return the rank that a face would have if kept. A question mark has the rank of the highest free value
    (CUT-07)."""
    if face == deck.QUESTION and state.options.qmark == DECLARED_MARKS and free_values(state.book, player) != 0:
        return int(deck.RANK[deck.DECLARED + deck.FIFTEEN + highest_value(state, player)])
    return int(deck.RANK[face])
