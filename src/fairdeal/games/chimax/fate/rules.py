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
    """Choose the dealer, and shuffle and lay out one card of each face (FATE-01, 02, GEN-12)."""
    tournament.set_table(state, 1)
    tournament.draw_dealer(state)
    clear_table(state)
    shuffle_and_lay_out(state)


@rule
def clear_table(state: Record) -> None:
    """Clear the layout, the wheel and the taken cards."""
    memory.lay_out(state.layout, state.pack)
    state.left = 0
    state.wheel = fate.AT_REST
    state.spins = 0
    forget_miss(state)
    for seat in range(SEATS):
        clear(state.taken[seat])


@rule
def shuffle_and_lay_out(state: Record) -> None:
    """Shuffle one card of each face, and lay them out unless a player has to cut first (FATE-02, GEN-10, TOUR-02)."""
    if tournament.ready_to_deal(state, 1, 1):
        memory.lay_out(state.layout, state.pack)
        clear(state.pack)
        state.left = set_of(state.layout)
        begin_turn(state, seat_after(state, state.dealer))


# --- turns -------------------------------------------------------------------------------------------------------


@rule
def must_turn_unseen(state: Record) -> bool:
    """Return whether the first flip of this turn must be an unseen card (MEM-07, FATE-09)."""
    return memory.is_stalled(state.layout, state.options.stall_limit)


@rule
def begin_turn(state: Record, seat: int) -> None:
    """Begin a turn with a spin. If no unseen card can be turned, end a stalled game (FATE-03, 09, 10)."""
    if must_turn_unseen(state) and (state.options.wheel != fate.BY_FACE or not memory.unseen_left(state.layout)):
        end_layout(state)
    else:
        act_alone(state, fate.SPINNING, seat)


@rule
def spin(state: Record) -> None:
    """Spin the wheel, which picks a face-down card at random, by its face or by its place (FATE-03 to 05, 10)."""
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
    """Return the set of faces, or of places, that the wheel can pick (FATE-04, 10)."""
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
    """Turn a card up. A hit scores, and the turn ends after a hit or the last try (FATE-06, 07)."""
    memory.turn_up(state.layout, place)
    if state.layout.cards[place] == state.wheel:
        hit(state, place, prize(state))
    elif state.layout.open.length >= state.options.tries:
        miss(state, place)
    else:
        act_alone(state, fate.CHOOSING, state.turn)


@rule
def prize(state: Record) -> int:
    """Return the points of a hit with the card just turned (FATE-07)."""
    if state.options.prize == fate.FALLING:
        return int(state.options.tries) + 1 - int(state.layout.open.length)
    return 1


@rule
def name(state: Record, face: int) -> None:
    """Turn up the card that the wheel points at. If its face is `face`, the player takes it and a point (FATE-10)."""
    place = int(state.wheel)
    memory.turn_up(state.layout, place)
    if state.layout.cards[place] == face:
        hit(state, place, 1)
    else:
        miss(state, place)


@rule
def hit(state: Record, place: int, points: int) -> None:
    """Take the card and its points. The player spins again if the options allow it and a card is left (FATE-07, 08)."""
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
    """Record the card that ends the turn, so that screens can still show it although it is turned back immediately
    (MEM-04)."""
    state.missed.place = place
    state.missed.card = state.layout.cards[place]
    pass_turn(state)


@rule
def forget_miss(state: Record) -> None:
    state.missed.place = 0
    state.missed.card = EMPTY


@rule
def spins_are_over(state: Record) -> bool:
    """Return whether a single player has used all spins (FATE-11)."""
    return state.players == 1 and state.spins >= state.options.solo_spins


@rule
def pass_turn(state: Record) -> None:
    """Turn the open cards back. Then pass the turn to the left, or end the game (FATE-08, 11, MEM-04)."""
    memory.end_turn(state.layout)
    state.wheel = fate.AT_REST
    if state.left == 0 or spins_are_over(state):
        end_layout(state)
    else:
        begin_turn(state, seat_after(state, state.turn))


# --- the end -----------------------------------------------------------------------------------------------------


@rule
def end_layout(state: Record) -> None:
    """End the game. The seat with the most points wins; ties are broken by the most cards (FATE-08)."""
    worths = np.empty(SEATS, np.int32)
    for seat in range(state.players):
        worths[seat] = standing(state, seat)
    tournament.decide(state, tournament.highest(worths, tournament.everybody(state)))


@rule
def standing(state: Record, seat: int) -> int:
    """Return the points and cards of a seat as one number, such that cards only break ties (FATE-08)."""
    return int(state.match.totals[seat]) * fate.IN_A_POINT + int(state.taken[seat].length)


@rule
def returns(state: Record, out: Record) -> None:
    """Write the final scores into `out`: the points, with ties broken first by cards and then by a playoff (FATE-08,
    TOUR-06)."""
    for seat in range(state.players):
        out[seat] = standing(state, seat) / fate.IN_A_POINT + tournament.half_for_playoff(state, seat)


@rule
def run_out_of_time(state: Record) -> None:
    """End the game because of the time limit (TOUR-05)."""
    memory.break_turn_off(state.layout)
    state.wheel = fate.AT_REST
    forget_miss(state)
    end_layout(state)


# --- the contract ------------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions in ascending order, and return their number."""
    if player == HOUSE or state.phase < OWN_PHASE:
        return layer_actions(state, player, actions)
    if not int(state.to_act) >> player & 1:
        return 0
    if state.phase == fate.SPINNING:
        actions[0] = fate.SPIN
        return 1
    if state.phase == fate.NAMING:
        return write_set(int(state.left), fate.NAME, actions, 0)  # FATE-10: every face not yet taken
    count = memory.write_flips(state.layout, must_turn_unseen(state), fate.FLIP, actions)
    if state.phase == fate.CHOOSING:
        actions[count] = fate.STOP
        count += 1
    return count


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Apply a legal action."""
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
    """Hide the face-down cards that are not remembered, the pack and the RNG (MEM-02, 05)."""
    memory.conceal_layout(state.layout, viewer, recall)
    conceal_table(state, viewer)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Fill the unknown places of the layout at random with the unseen faces (MEM-05)."""
    left = np.empty(FACES, np.int8)
    for face in range(FACES):
        left[face] = int(state.left) >> face & 1
    if state.missed.card != EMPTY:
        state.layout.cards[state.missed.place] = state.missed.card
    memory.resample_layout(state.layout, left, source)
    resample_table(state, 1, 1, source)
