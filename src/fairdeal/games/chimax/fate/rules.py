"""CHIMAX FATE: the rules. Clause ids refer to docs/rules/chimax.md."""

import numpy as np

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.kit.piles import clear, pop, push
from fairdeal.engine.kit.seats import act_alone, seat_after, size_of
from fairdeal.engine.kit.sets import set_of, write_set
from fairdeal.engine.records import EMPTY, HOUSE, Record, rule
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.fate import state as fate
from fairdeal.games.chimax.rules import layout as memory
from fairdeal.games.chimax.rules import tournament
from fairdeal.games.chimax.rules.layer import layer_actions, layer_step
from fairdeal.games.chimax.rules.unseen import conceal_table, resample_table
from fairdeal.games.chimax.state import CLOCK, DEALING, OWN_PHASE, SEATS

# --- set-up ------------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """FATE-01, 02, GEN-12: find the dealer, shuffle one card of each face and lay them out."""
    tournament.set_table(state, 1)
    tournament.draw_dealer(state)
    clear_table(state)
    shuffle_and_lay_out(state)


@rule
def clear_table(state: Record) -> None:
    """Nothing is laid out, called for or taken."""
    memory.lay_out(state.layout, state.pack)
    state.left = 0
    state.wheel = fate.AT_REST
    state.spins = 0
    forget_miss(state)
    for seat in range(SEATS):
        clear(state.taken[seat])


@rule
def shuffle_and_lay_out(state: Record) -> None:
    """FATE-02, GEN-10, TOUR-02: one card of each face is shuffled, and laid out unless somebody has to cut."""
    if tournament.ready_to_deal(state, 1, 1):
        memory.lay_out(state.layout, state.pack)
        clear(state.pack)
        state.left = set_of(state.layout)
        begin_turn(state, seat_after(state, state.dealer))


# --- turns -------------------------------------------------------------------------------------------------------


@rule
def must_turn_unseen(state: Record) -> bool:
    """MEM-07, FATE-09: must the first flip of this turn be a card that was never turned?"""
    return memory.is_stalled(state.layout, state.options.stall_limit)


@rule
def begin_turn(state: Record, seat: int) -> None:
    """FATE-03, 09, 10: a turn begins with a spin, unless nobody has brought news for too long and nobody can."""
    if must_turn_unseen(state) and (state.options.wheel != fate.BY_FACE or not memory.unseen_left(state.layout)):
        end_layout(state)
    else:
        act_alone(state, fate.SPINNING, seat)


@rule
def spin(state: Record) -> None:
    """FATE-03 to 05, 10: the wheel picks evenly among the cards that lie face down, by their faces or by their
    places."""
    state.spins += 1
    forget_miss(state)
    down = downs(state)
    order = draw(state.chance, size_of(down))
    chosen = 0
    while order > 0 or not down >> chosen & 1:
        order -= down >> chosen & 1
        chosen += 1
    state.wheel = chosen
    act_alone(state, fate.FLIPPING if state.options.wheel == fate.BY_FACE else fate.NAMING, state.turn)


@rule
def downs(state: Record) -> int:
    """FATE-04, 10: the faces, or the places, that the wheel can pick: a set."""
    if state.options.wheel == fate.BY_FACE:
        found = int(state.left)
        for i in range(state.layout.open.length):
            found &= ~(1 << int(state.layout.cards[state.layout.open.cards[i]]))
        return found
    found = 0
    for place in range(state.layout.length):
        if memory.is_down(state.layout, place):
            found |= 1 << place
    return found


@rule
def flip(state: Record, place: int) -> None:
    """FATE-06, 07: turn a card up: a hit scores; after the last try the turn ends."""
    memory.turn_up(state.layout, place)
    if state.layout.cards[place] == state.wheel:
        hit(state, place, prize(state))
    elif state.layout.open.length >= state.options.tries:
        miss(state, place)
    else:
        act_alone(state, fate.CHOOSING, state.turn)


@rule
def prize(state: Record) -> int:
    """FATE-07: what the card just turned is worth if it is the one."""
    if state.options.prize == fate.FALLING:
        return int(state.options.tries) + 1 - int(state.layout.open.length)
    return 1


@rule
def name(state: Record, face: int) -> None:
    """FATE-10: the card that the wheel points at is shown to all; whoever said its face takes it for a point."""
    place = int(state.wheel)
    memory.turn_up(state.layout, place)
    if state.layout.cards[place] == face:
        hit(state, place, 1)
    else:
        miss(state, place)


@rule
def hit(state: Record, place: int, points: int) -> None:
    """FATE-07, 08: take the card and the points; spin again where that is played and a card is left for it."""
    pop(state.layout.open)
    card = memory.claim(state.layout, place)
    state.left = int(state.left) & ~(1 << int(card))
    push(state.taken[state.turn], card)
    state.match.totals[state.turn] += points
    state.wheel = fate.AT_REST
    if state.options.spin_again and downs(state) != 0 and not spins_are_over(state):
        act_alone(state, fate.SPINNING, state.turn)
    else:
        pass_turn(state)


@rule
def miss(state: Record, place: int) -> None:
    """MEM-04: the card that ends a turn goes back at once; a screen lingers on it."""
    state.missed.place = place
    state.missed.card = state.layout.cards[place]
    pass_turn(state)


@rule
def forget_miss(state: Record) -> None:
    state.missed.place = 0
    state.missed.card = EMPTY


@rule
def spins_are_over(state: Record) -> bool:
    """FATE-11: has a player alone had all spins?"""
    return state.players == 1 and state.spins >= state.options.solo_spins


@rule
def pass_turn(state: Record) -> None:
    """FATE-08, 11, MEM-04: cards turned up go back; the turn passes left, or the game is over."""
    memory.end_turn(state.layout)
    state.wheel = fate.AT_REST
    if state.left == 0 or spins_are_over(state):
        end_layout(state)
    else:
        begin_turn(state, seat_after(state, state.turn))


# --- the end -----------------------------------------------------------------------------------------------------


@rule
def end_layout(state: Record) -> None:
    """FATE-08: most points, then most cards."""
    worths = np.empty(SEATS, np.int32)
    for seat in range(state.players):
        worths[seat] = standing(state, seat)
    tournament.decide(state, tournament.highest(worths, tournament.everybody(state)))


@rule
def standing(state: Record, seat: int) -> int:
    """FATE-08: points, and between equal points the cards, as one number."""
    return int(state.match.totals[seat]) * fate.IN_A_POINT + int(state.taken[seat].length)


@rule
def returns(state: Record, out: Record) -> None:
    """FATE-08, TOUR-06: points; cards decide between equal ones, then a playoff."""
    for seat in range(state.players):
        out[seat] = standing(state, seat) / fate.IN_A_POINT + tournament.half_for_playoff(state, seat)


@rule
def run_out_of_time(state: Record) -> None:
    """TOUR-05: time is over: the layout ends as it lies."""
    memory.break_turn_off(state.layout)
    state.wheel = fate.AT_REST
    forget_miss(state)
    end_layout(state)


# --- the contract ------------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions in ascending order."""
    if player == HOUSE or state.phase < OWN_PHASE:
        return layer_actions(state, player, actions)
    if not int(state.to_act) >> player & 1:
        return 0
    if state.phase == fate.SPINNING:
        actions[0] = fate.SPIN
        return 1
    if state.phase == fate.NAMING:
        return write_set(int(state.left), fate.NAME, actions, 0)  # FATE-10: every face that is not yet taken
    count = memory.write_flips(state.layout, must_turn_unseen(state), fate.FLIP, actions)
    if state.phase == fate.CHOOSING:
        actions[count] = fate.STOP
        count += 1
    return count


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Carry out a legal action."""
    if state.phase == DEALING:
        shuffle_and_lay_out(state)
    elif state.phase < OWN_PHASE:
        layer_step(state, player, action)
    elif action == CLOCK:
        run_out_of_time(state)
    elif action == fate.SPIN:
        spin(state)
    elif action < fate.STOP:
        flip(state, action - fate.FLIP)
    elif action == fate.STOP:
        pass_turn(state)
    else:
        name(state, action - fate.NAME)


# --- hidden information ------------------------------------------------------------------------------------------


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """MEM-02, 05: blank the cards that lie face down and are not remembered, the pack, and chance."""
    memory.conceal_layout(state.layout, viewer, recall)
    conceal_table(state, viewer)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """MEM-05: give the unknown places of the layout the faces that are nowhere to be seen."""
    left = np.empty(FACES, np.int8)
    for face in range(FACES):
        left[face] = int(state.left) >> face & 1
    if state.missed.card != EMPTY:
        state.layout.cards[state.missed.place] = state.missed.card
    memory.resample_layout(state.layout, left, source)
    resample_table(state, 1, 1, source)
