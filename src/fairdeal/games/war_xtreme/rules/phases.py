"""WAR X-TREME: the phases (section 6).

For each phase, this module lists the legal actions and carries them out. After an action it runs the automatic phases
until a seat must decide.
"""

from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.kit.sets import write_set
from fairdeal.engine.records import EMPTY, HOUSE, NOBODY, Record, rule
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue.tables import WILD_RANK
from fairdeal.games.war_xtreme.rules import preparation
from fairdeal.games.war_xtreme.rules.aiming import write_equipment
from fairdeal.games.war_xtreme.rules.effects import answer_window, open_window
from fairdeal.games.war_xtreme.rules.fight import callable_ranks, fighters, in_clash
from fairdeal.games.war_xtreme.rules.finish import end_round
from fairdeal.games.war_xtreme.rules.kit.piles import take_top
from fairdeal.games.war_xtreme.rules.kit.seats import left_of, ring_seat
from fairdeal.games.war_xtreme.rules.race import race, time_is_up, write_race
from fairdeal.games.war_xtreme.rules.regroup import answer_trust, ask_for_trust, is_short, regroup
from fairdeal.games.war_xtreme.rules.reveal import carry_out_choices, choose, may_buy_into, resolve_reveal
from fairdeal.games.war_xtreme.rules.setting_up import answer_extreme
from fairdeal.games.war_xtreme.rules.war import lay_stakes, next_war, pick_recruits, recruit, resolve_clash

# --- what is legal -----------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions of a seat (section 6), and return their number. The house may end a race (WAR-19)."""
    if player == HOUSE:
        actions[0] = xtreme.CLOCK
        return 1 if state.phase == xtreme.RACE else 0
    if state.to_act >> player & 1 == 0:
        return 0
    phase = state.phase
    if phase == xtreme.PREP:
        return preparation.write_preparation(state, player, actions)
    if phase in (xtreme.REACT, xtreme.BRACE, xtreme.CLASH):
        actions[0] = xtreme.PASS
        return write_equipment(state, player, False, actions, 1)
    if phase == xtreme.RECRUITING:
        return write_recruits(state, actions)
    if phase == xtreme.REGROUP:
        return write_trust(state, player, actions)
    if phase == xtreme.RACE:
        return write_race(state, actions)
    if phase == xtreme.CHOICE:
        return write_choice(state, player, actions)
    if phase == xtreme.CALLING:
        return write_calls(state, actions)
    if phase == xtreme.SWEEPING:
        actions[0] = xtreme.SWEEP
        return 1
    actions[0] = xtreme.YES  # EXTREME, DISPUTING
    actions[1] = xtreme.NO
    return 2


@rule
def write_recruits(state: Record, actions: Record) -> int:
    """WAR-36: write an action for each filled slot, and return the number of actions."""
    count = 0
    for slot in range(xtreme.SLOTS):
        if state.slots[slot] != EMPTY:
            actions[count] = xtreme.RECRUIT + slot
            count += 1
    return count


@rule
def write_trust(state: Record, player: int, actions: Record) -> int:
    """WAR-61 to 63: write the seats that may be asked for trust, or the answers to such a request.

    Return the number of actions.
    """
    if state.regroup.asked == NOBODY:
        return write_set(int(state.alive) & ~(1 << player), xtreme.ASK, actions, 0)
    for handling in range(xtreme.SHUFFLE + xtreme.CUT + xtreme.ROTATE + 1):
        actions[handling] = xtreme.DISTRUST + handling
    return xtreme.SHUFFLE + xtreme.CUT + xtreme.ROTATE + 1


@rule
def write_choice(state: Record, player: int, actions: Record) -> int:
    """WAR-51, 53, 54: write the choices of a bystander, and return their number.

    The bystander may flee, or buy into a war below its card.
    """
    actions[0] = xtreme.FLEE
    count = 1
    for number in range(state.war_count):
        if may_buy_into(state, player, number):
            actions[count] = xtreme.BUY_IN + number
            count += 1
    return count


@rule
def write_calls(state: Record, actions: Record) -> int:
    """WAR-26: write the ranks that the Wild may be called, and return their number."""
    return write_set(callable_ranks(state, fighters(state)), xtreme.CALL, actions, 0)


# --- what an action does -----------------------------------------------------------------------------------------


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Carry out a legal action, and then the automatic phases that follow."""
    phase = state.phase
    if phase == xtreme.PREP:
        preparation.prepare(state, player, action)
    elif phase in (xtreme.REACT, xtreme.BRACE, xtreme.CLASH):
        answer_window(state, player, action)
    elif phase == xtreme.RECRUITING:
        recruit(state, player, action)
    elif phase == xtreme.REGROUP:
        if action >= xtreme.ASK:
            ask_for_trust(state, action - xtreme.ASK)
        else:
            answer_trust(state, action)
    elif phase == xtreme.RACE:
        if action == xtreme.CLOCK:
            time_is_up(state)
        else:
            race(state, player, action)
    elif phase == xtreme.CHOICE:
        choose(state, player, xtreme.FLEES if action == xtreme.FLEE else xtreme.BUYS + action - xtreme.BUY_IN)
    elif phase == xtreme.CALLING:
        state.called[player] = action - xtreme.CALL
        state.phase = xtreme.RESOLVING
    elif phase == xtreme.SWEEPING:
        state.phase = xtreme.NEXT_WAR
    elif phase == xtreme.DISPUTING:
        preparation.answer_dispute(state, player, action)
    else:
        answer_extreme(state, player, action)
    advance(state)


# --- what happens on its own -------------------------------------------------------------------------------------


@rule
def advance(state: Record) -> None:
    """Run the automatic phases (section 6) until a seat must decide or the game is over."""
    while state.phase >= xtreme.AUTOMATIC:
        phase = state.phase
        if phase == xtreme.OPENING:
            open_round(state)
        elif phase == xtreme.TURNING:
            turn_cards(state)
        elif phase == xtreme.RESOLVING:
            resolve(state)
        elif phase == xtreme.JOINING:
            carry_out_choices(state)
        elif phase == xtreme.NEXT_WAR:
            next_war(state)
        elif phase == xtreme.STAKING:
            lay_stakes(state)
        elif phase == xtreme.PICKING:
            pick_recruits(state)
        elif phase == xtreme.ENDING:
            end_round(state)


@rule
def open_round(state: Record) -> None:
    """WAR-60, section 7, `round`: regroup every seat without an army, and then open the preparation."""
    if all_have_an_army(state, xtreme.FOR_ROUND):
        preparation.open_preparation(state)


@rule
def all_have_an_army(state: Record, purpose: int) -> bool:
    """WAR-60: regroup the living seats without an army, in ring order. Return False while a seat has to answer a
    request for trust."""
    for number in range(state.players):
        seat = ring_seat(state, number)
        if is_in(state.alive, seat) and is_short(state, seat, 1) and regroup(state, seat, purpose):
            return False
    return True


@rule
def turn_cards(state: Record) -> None:
    """WAR-30: turn the top card of every living seat at the same time, and then open the reaction window."""
    if not all_have_an_army(state, xtreme.FOR_TURN):
        return
    state.flipped, state.swept = 0, 0
    for seat in range(state.players):
        state.turned[seat] = EMPTY
        if is_in(state.alive, seat):
            state.faces[seat] = take_top(state.decks[seat])
            state.turned[seat] = state.faces[seat]
    open_window(state, xtreme.REACT)


@rule
def resolve(state: Record) -> None:
    """Resolve a reveal, or a clash of the war being fought (section 7)."""
    if in_clash(state):
        resolve_clash(state)
    else:
        resolve_reveal(state)


# --- when a clock runs out ---------------------------------------------------------------------------------------


@rule
def default_action(state: Record, player: int) -> int:
    """WAR-96, section 6: return the action that is carried out for a seat when its time is up."""
    phase = state.phase
    if phase in (xtreme.EXTREME, xtreme.DISPUTING):
        return xtreme.NO
    if phase == xtreme.REGROUP:  # the owner asks the seat on the left
        return xtreme.ASK + left_of(state, player) if state.regroup.asked == NOBODY else xtreme.TRUST
    if phase == xtreme.CHOICE:
        return xtreme.FLEE
    if phase == xtreme.CALLING:
        return xtreme.CALL + WILD_RANK
    if phase == xtreme.RECRUITING:
        return first_recruit(state)
    if phase == xtreme.SWEEPING:
        return xtreme.SWEEP
    return xtreme.FLIP if phase == xtreme.PREP else xtreme.PASS


@rule
def first_recruit(state: Record) -> int:
    """Return the action that picks the lowest filled slot (section 6)."""
    slot = 0
    while state.slots[slot] == EMPTY:
        slot += 1
    return xtreme.RECRUIT + slot
