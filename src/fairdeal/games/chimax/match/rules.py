"""CHIMAX MATCH: the rules of both games. Clause ids refer to docs/rules/chimax.md, sections 0, 3, 4 and 8."""

import numpy as np

from fairdeal.engine.kit.piles import clear, push
from fairdeal.engine.kit.seats import act_alone, seat_after
from fairdeal.engine.records import EMPTY, HOUSE, NOBODY, UNKNOWN, Record, rule
from fairdeal.games.chimax.deck import FACES, FIFTEEN, HUNDRED, QUESTION
from fairdeal.games.chimax.match import state as match
from fairdeal.games.chimax.match.options import MOST_LAYOUTS
from fairdeal.games.chimax.rules import layout as memory
from fairdeal.games.chimax.rules import tournament
from fairdeal.games.chimax.rules.layer import layer_actions, layer_step
from fairdeal.games.chimax.rules.unseen import conceal_table, count_deck, resample_table, take_all
from fairdeal.games.chimax.state import CLOCK, DEALING, OWN_PHASE, SEATS

# --- set-up ------------------------------------------------------------------------------------------------------


@rule
def deal_pairs(state: Record) -> None:
    """Deal a game of pairs (M2)."""
    state.alike = match.PAIR
    state.full_turns = 0
    deal(state)


@rule
def deal_triplets(state: Record) -> None:
    """Deal a game of triplets (M3)."""
    state.alike = match.TRIPLET
    state.full_turns = state.options.flips
    deal(state)


@rule
def deal(state: Record) -> None:
    """Choose the dealer, clear the table and shuffle (GEN-12)."""
    tournament.set_table(state, layouts_at_most(state))
    tournament.draw_dealer(state)
    state.turns = 0
    memory.lay_out(state.layout, state.pack)
    sweep(state)
    prepare_layout(state)


@rule
def layouts_at_most(state: Record) -> int:
    """Return the maximum number of layouts: one, or MOST_LAYOUTS if there is a target (M2-11)."""
    return 1 if state.options.target == NOBODY else MOST_LAYOUTS


@rule
def sweep(state: Record) -> None:
    """Clear the taken cards and the last miss."""
    for seat in range(SEATS):
        clear(state.taken[seat])
    forget_miss(state)


@rule
def prepare_layout(state: Record) -> None:
    """Shuffle the deck, and lay it out unless a player has to cut it first (M2-02, M3-01, GEN-10, TOUR-02)."""
    if tournament.ready_to_deal(state, state.alike, match.QUESTIONS[state.alike]):
        begin_layout(state)


@rule
def begin_layout(state: Record) -> None:
    """Lay out all cards face down, and let the seat to the dealer's left start (M2-03, M3-01, GEN-13)."""
    sweep(state)
    memory.lay_out(state.layout, state.pack)
    clear(state.pack)
    act_alone(state, match.FLIPPING, seat_after(state, state.dealer))


# --- the choices -------------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal flips, or the actions of the tournament layer, and return their number (MEM-03, 07)."""
    if player == HOUSE or state.phase < OWN_PHASE:
        return layer_actions(state, player, actions)
    if not int(state.to_act) >> player & 1:
        return 0
    return memory.write_flips(state.layout, must_turn_unseen(state), match.FLIP, actions)


@rule
def must_turn_unseen(state: Record) -> bool:
    """Return whether the first card of the turn must be an unseen one, after too many dead turns (MEM-07)."""
    return memory.is_stalled(state.layout, state.options.stall_limit)


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Apply a legal action."""
    if state.phase == DEALING:
        prepare_layout(state)
    elif state.phase < OWN_PHASE:
        layer_step(state, player, action)
    elif action == CLOCK:
        run_out_of_time(state)
    else:
        flip(state, action - match.FLIP)


# --- a turn ------------------------------------------------------------------------------------------------------


@rule
def flip(state: Record, place: int) -> None:
    """Turn up a card (M2-04, M3-02, 03).

    A complete set is taken. A card that does not match ends the turn, immediately or when all cards of the turn are
    open.
    """
    if state.missed.length > 0:
        forget_miss(state)
    memory.turn_up(state.layout, place)
    if state.layout.open.length == 1:
        return
    complete = state.layout.open.length == state.alike
    fits = goes_together(state, EMPTY)
    if complete and fits:
        take_set(state)
    elif complete or (not fits and state.full_turns == 0):
        miss(state)


@rule
def goes_together(state: Record, card: int) -> bool:
    """Return whether the open cards, and `card` unless it is EMPTY, all match (M2-04, 05, M3-07). A wild `?` matches
    15, 25, 50 and 100."""
    face, questions = EMPTY, 0
    for i in range(int(state.layout.open.length) + 1):
        turned = card if i == state.layout.open.length else int(state.layout.cards[state.layout.open.cards[i]])
        if turned == QUESTION and state.options.qmark_wild == 1:
            questions += 1
        elif turned != EMPTY and face != EMPTY and turned != face:
            return False
        elif turned != EMPTY:
            face = turned
    return questions == 0 or face == EMPTY or FIFTEEN <= face <= HUNDRED


@rule
def take_set(state: Record) -> None:
    """Give the open set to the seat on turn, which continues. End the layout after the last set (M2-06, 10, M3-04,
    06)."""
    seat, layout = int(state.turn), state.layout
    state.match.totals[seat] += worth_of_open(state)
    for i in range(state.alike):
        push(state.taken[seat], memory.claim(layout, layout.open.cards[i]))
    clear(layout.open)
    if not set_is_left(state):
        state.turns += 1
        memory.end_turn(layout)
        end_layout(state)


@rule
def worth_of_open(state: Record) -> int:
    """Return the points of the open cards, which must match (M2-09, M3-05)."""
    layout = state.layout
    face = layout.cards[layout.open.cards[0]]
    for i in range(1, state.alike):
        if layout.cards[layout.open.cards[i]] != face:
            return match.MIXED
    return worth(state, face)


@rule
def worth(state: Record, face: int) -> int:
    """Return the points of a set of one face (M2-09, M3-05)."""
    first = 0 if state.alike == match.PAIR else match.WAYS_OF_PAIRS
    return int(match.POINTS[int(state.options.special) + first, face])


@rule
def set_is_left(state: Record) -> bool:
    """Return whether the cards left in the layout contain a set (M2-05, 10, M3-06, 07)."""
    counts = np.empty(FACES, np.int8)
    for face in range(FACES):
        counts[face] = 0
    for place in range(state.layout.length):
        if state.layout.cards[place] != EMPTY:
            counts[state.layout.cards[place]] += 1
    for face in range(FACES):
        wild = state.options.qmark_wild == 1 and FIFTEEN <= face <= HUNDRED and counts[face] > 0
        if int(counts[face]) + (int(counts[QUESTION]) if wild else 0) >= state.alike:
            return True
    return False


@rule
def miss(state: Record) -> None:
    """Turn the open cards back and pass the turn to the left (M2-07, M3-04, MEM-04), or end a stalled layout
    (MEM-07)."""
    remember_miss(state)
    state.turns += 1
    memory.end_turn(state.layout)
    act_alone(state, match.FLIPPING, seat_after(state, state.turn))
    if must_turn_unseen(state) and not memory.unseen_left(state.layout):
        end_layout(state)


@rule
def remember_miss(state: Record) -> None:
    """Record the open cards as the last miss, which all seats have seen (MEM-02)."""
    for i in range(state.layout.open.length):
        place = state.layout.open.cards[i]
        state.missed.places[i] = place
        state.missed.faces[i] = state.layout.cards[place]
    state.missed.length = state.layout.open.length


@rule
def forget_miss(state: Record) -> None:
    """Clear the last miss, so that it is no longer shown."""
    for i in range(state.missed.length):
        state.missed.places[i] = 0
        state.missed.faces[i] = 0
    state.missed.length = 0


# --- the end -----------------------------------------------------------------------------------------------------


@rule
def end_layout(state: Record) -> None:
    """End the layout. If it is the last one, or if the target has been reached, the highest total wins (M2-10, 11,
    M3-06)."""
    if state.match.game >= state.match.games or target_is_reached(state):
        tournament.decide(state, tournament.best_seats(state))
        return
    tournament.pass_deal(state)
    tournament.rest(state, DEALING)


@rule
def target_is_reached(state: Record) -> bool:
    """Return whether a seat has reached the target (M2-11, BOOKS-28)."""
    for seat in range(state.players):
        if state.match.totals[seat] >= state.options.target:
            return True
    return False


@rule
def run_out_of_time(state: Record) -> None:
    """End the layout because of the time limit, and turn the open cards back (TOUR-05)."""
    if state.layout.open.length > 0:
        remember_miss(state)
    memory.break_turn_off(state.layout)
    end_layout(state)


@rule
def returns(state: Record, out: Record) -> None:
    """Write the final scores into `out`: the points (M2-10), or minus the number of turns for a single player
    (M2-01)."""
    tournament.write_returns(state, out)
    if state.players == 1:
        out[0] = -int(state.turns)


# --- what is hidden ----------------------------------------------------------------------------------------------


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """Hide the face-down cards that are not remembered, the pack, and the cards of a playoff (MEM-02, 05)."""
    memory.conceal_layout(state.layout, viewer, recall)
    conceal_table(state, viewer)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Fill the unknown places at random with the unseen faces (MEM-05)."""
    left = np.empty(FACES, np.int8)
    show_miss(state)
    count_left(state, left)
    memory.resample_layout(state.layout, left, source)
    resample_table(state, state.alike, match.QUESTIONS[state.alike], source)


@rule
def count_left(state: Record, left: Record) -> None:
    """Count the deck by face, without the cards that have been taken (M2-02, M3-01)."""
    count_deck(left, state.alike, match.QUESTIONS[state.alike])
    for seat in range(SEATS):
        take_all(left, state.taken[seat])


@rule
def show_miss(state: Record) -> None:
    """Fill in the cards of the last miss, which are known to all seats."""
    for i in range(state.missed.length):
        if state.layout.cards[state.missed.places[i]] == UNKNOWN:
            state.layout.cards[state.missed.places[i]] = state.missed.faces[i]
