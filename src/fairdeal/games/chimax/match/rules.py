"""CHIMAX MATCH: the rules of both games. Clause ids refer to docs/rules/chimax.md, sections 0, 3, 4 and 8."""

import numpy as np

from fairdeal.engine.kit.piles import clear, push
from fairdeal.engine.kit.seats import act_alone, seat_after
from fairdeal.engine.records import EMPTY, HOUSE, NOBODY, UNKNOWN, Record, rule
from fairdeal.games.chimax.deck import FACES, FIFTEEN, HUNDRED, QUESTION
from fairdeal.games.chimax.match import state as match
from fairdeal.games.chimax.rules import layout as memory
from fairdeal.games.chimax.rules import tournament
from fairdeal.games.chimax.rules.layer import layer_actions, layer_step
from fairdeal.games.chimax.rules.unseen import conceal_table, count_deck, resample_table, take_all
from fairdeal.games.chimax.state import CLOCK, DEALING, OWN_PHASE, SEATS

# --- set-up ------------------------------------------------------------------------------------------------------


@rule
def deal_pairs(state: Record) -> None:
    """M2: two cards alike."""
    state.alike = match.PAIR
    state.full_turns = 0
    deal(state)


@rule
def deal_triplets(state: Record) -> None:
    """M3: three cards alike."""
    state.alike = match.TRIPLET
    state.full_turns = state.options.flips
    deal(state)


@rule
def deal(state: Record) -> None:
    """GEN-12: find the dealer, clear the table, shuffle."""
    tournament.set_table(state, layouts_at_most(state))
    tournament.draw_dealer(state)
    state.turns = 0
    memory.lay_out(state.layout, state.pack)
    sweep(state)
    prepare_layout(state)


@rule
def layouts_at_most(state: Record) -> int:
    """M2-11: one layout, or up to thirty for a target."""
    return 1 if state.options.target == NOBODY else match.MOST_LAYOUTS


@rule
def sweep(state: Record) -> None:
    """Nothing is taken, nothing was missed."""
    for seat in range(SEATS):
        clear(state.taken[seat])
    forget_miss(state)


@rule
def prepare_layout(state: Record) -> None:
    """M2-02, M3-01, GEN-10, TOUR-02: the cards of this game are shuffled, and laid out unless somebody has to cut."""
    if tournament.ready_to_deal(state, state.alike, match.QUESTIONS[state.alike]):
        begin_layout(state)


@rule
def begin_layout(state: Record) -> None:
    """M2-03, M3-01: all cards face down; GEN-13: the dealer's left begins."""
    sweep(state)
    memory.lay_out(state.layout, state.pack)
    clear(state.pack)
    act_alone(state, match.FLIPPING, seat_after(state, state.dealer))


# --- the choices -------------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """MEM-03, 07: cards to turn; and what the tournament layer asks for."""
    if player == HOUSE or state.phase < OWN_PHASE:
        return layer_actions(state, player, actions)
    if not int(state.to_act) >> player & 1:
        return 0
    return memory.write_flips(state.layout, must_turn_unseen(state), match.FLIP, actions)


@rule
def must_turn_unseen(state: Record) -> bool:
    """MEM-07: after too many turns without news, the first card of a turn must be one never seen."""
    return memory.is_stalled(state.layout, state.options.stall_limit)


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Carry out a legal action."""
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
    """M2-04, M3-02, 03: turn a card; a whole set is taken, a misfit ends the turn, at once or when all are turned."""
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
    """M2-04, 05, M3-07: are the cards turned, and one more unless it is EMPTY, alike? A wild `?` goes
    with 15, 25, 50 and 100."""
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
    """M2-06, M3-04: the set goes to its finder, who goes on; M2-10, M3-06: the last one ends the layout."""
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
    """M2-09, M3-05: the points of the cards turned, which go together."""
    layout = state.layout
    face = layout.cards[layout.open.cards[0]]
    for i in range(1, state.alike):
        if layout.cards[layout.open.cards[i]] != face:
            return match.MIXED
    return worth(state, face)


@rule
def worth(state: Record, face: int) -> int:
    """M2-09, M3-05: the points of a set of one face."""
    first = 0 if state.alike == match.PAIR else match.WAYS_OF_PAIRS
    return int(match.POINTS[int(state.options.special) + first, face])


@rule
def set_is_left(state: Record) -> bool:
    """M2-05, 10, M3-06, 07: can any of the cards that still lie there make a set?"""
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
    """M2-07, M3-04, MEM-04: all go back, and play passes to the left; MEM-07: or the layout ends."""
    remember_miss(state)
    state.turns += 1
    memory.end_turn(state.layout)
    act_alone(state, match.FLIPPING, seat_after(state, state.turn))
    if must_turn_unseen(state) and not memory.unseen_left(state.layout):
        end_layout(state)


@rule
def remember_miss(state: Record) -> None:
    """MEM-02: what was turned has been seen by all, though it lies face down again."""
    for i in range(state.layout.open.length):
        place = state.layout.open.cards[i]
        state.missed.places[i] = place
        state.missed.faces[i] = state.layout.cards[place]
    state.missed.length = state.layout.open.length


@rule
def forget_miss(state: Record) -> None:
    """Nothing of the last miss is shown any more."""
    for i in range(state.missed.length):
        state.missed.places[i] = 0
        state.missed.faces[i] = 0
    state.missed.length = 0


# --- the end -----------------------------------------------------------------------------------------------------


@rule
def end_layout(state: Record) -> None:
    """M2-10, 11, M3-06: the most points win, after one layout or once the target is reached."""
    if state.match.game >= state.match.games or target_is_reached(state):
        tournament.decide(state, tournament.best_seats(state))
        return
    tournament.pass_deal(state)
    tournament.rest(state, DEALING)


@rule
def target_is_reached(state: Record) -> bool:
    """M2-11, BOOKS-28."""
    for seat in range(state.players):
        if state.match.totals[seat] >= state.options.target:
            return True
    return False


@rule
def run_out_of_time(state: Record) -> None:
    """TOUR-05: cards turned this turn go back, and the layout ends."""
    if state.layout.open.length > 0:
        remember_miss(state)
    memory.break_turn_off(state.layout)
    end_layout(state)


@rule
def returns(state: Record, out: Record) -> None:
    """M2-10: the points; M2-01: who plays alone plays for few turns."""
    tournament.write_returns(state, out)
    if state.players == 1:
        out[0] = -int(state.turns)


# --- what is hidden ----------------------------------------------------------------------------------------------


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """MEM-02, 05: face-down cards, but for those that are remembered; the pack, and cards of a playoff."""
    memory.conceal_layout(state.layout, viewer, recall)
    conceal_table(state, viewer)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """MEM-05: any spread of the faces that are nowhere to be seen."""
    left = np.empty(FACES, np.int8)
    show_miss(state)
    count_left(state, left)
    memory.resample_layout(state.layout, left, source)
    resample_table(state, state.alike, match.QUESTIONS[state.alike], source)


@rule
def count_left(state: Record, left: Record) -> None:
    """M2-02, M3-01: the faces of this game's deck but for those that were taken."""
    count_deck(left, state.alike, match.QUESTIONS[state.alike])
    for seat in range(SEATS):
        take_all(left, state.taken[seat])


@rule
def show_miss(state: Record) -> None:
    """The cards of the last miss are known to all."""
    for i in range(state.missed.length):
        if state.layout.cards[state.missed.places[i]] == UNKNOWN:
            state.layout.cards[state.missed.places[i]] = state.missed.faces[i]
