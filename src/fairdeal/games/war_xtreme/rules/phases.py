"""WAR X-TREME: the phases (section 6). Who may do what, and what an action leads to, phase by phase; and what the
rules do on their own until somebody must decide."""

from fairdeal.engine.records import EMPTY, HOUSE, NOBODY, Record, rule
from fairdeal.engine.seats import is_in
from fairdeal.games.war_xtreme.catalogue.tables import WILD_RANK
from fairdeal.games.war_xtreme.rules.aiming import write_equipment
from fairdeal.games.war_xtreme.rules.effects import answer_window, open_window
from fairdeal.games.war_xtreme.rules.fight import callable_ranks, fighters, in_clash
from fairdeal.games.war_xtreme.rules.finish import end_round
from fairdeal.games.war_xtreme.rules.piles import take_top
from fairdeal.games.war_xtreme.rules.preparation import (
    answer_dispute,
    open_preparation,
    prepare,
    write_preparation,
    write_seats,
)
from fairdeal.games.war_xtreme.rules.race import race, time_is_up, write_race
from fairdeal.games.war_xtreme.rules.regroup import answer_trust, ask_for_trust, is_short, regroup
from fairdeal.games.war_xtreme.rules.reveal import carry_out_choices, choose, may_buy_into, resolve_reveal
from fairdeal.games.war_xtreme.rules.seats import left_of, ring_seat
from fairdeal.games.war_xtreme.rules.setting_up import answer_extreme
from fairdeal.games.war_xtreme.rules.war import lay_stakes, next_war, pick_recruits, recruit, resolve_clash
from fairdeal.games.war_xtreme.state import (
    ASK,
    AUTOMATIC,
    BRACE,
    BUY_IN,
    BUYS,
    CALL,
    CALLING,
    CHOICE,
    CLASH,
    CLOCK,
    CUT,
    DISPUTING,
    DISTRUST,
    ENDING,
    EXTREME,
    FLEE,
    FLEES,
    FLIP,
    FOR_ROUND,
    FOR_TURN,
    JOINING,
    NEXT_WAR,
    NO,
    OPENING,
    PASS,
    PICKING,
    PREP,
    RACE,
    REACT,
    RECRUIT,
    RECRUITING,
    REGROUP,
    RESOLVING,
    ROTATE,
    SHUFFLE,
    SLOTS,
    STAKING,
    SWEEP,
    SWEEPING,
    TRUST,
    TURNING,
    YES,
)

# --- what is legal -----------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Section 6: the legal actions of a seat; the house may end a race (WAR-19)."""
    if player == HOUSE:
        actions[0] = CLOCK
        return 1 if state.phase == RACE else 0
    if state.to_act >> player & 1 == 0:
        return 0
    phase = state.phase
    if phase == PREP:
        return write_preparation(state, player, actions)
    if phase in (REACT, BRACE, CLASH):
        actions[0] = PASS
        return write_equipment(state, player, False, actions, 1)
    if phase == RECRUITING:
        return write_recruits(state, actions)
    if phase == REGROUP:
        return write_trust(state, player, actions)
    if phase == RACE:
        return write_race(state, actions)
    if phase == CHOICE:
        return write_choice(state, player, actions)
    if phase == CALLING:
        return write_calls(state, actions)
    if phase == SWEEPING:
        actions[0] = SWEEP
        return 1
    actions[0] = YES  # EXTREME, DISPUTING
    actions[1] = NO
    return 2


@rule
def write_recruits(state: Record, actions: Record) -> int:
    """WAR-36: any filled slot."""
    count = 0
    for slot in range(SLOTS):
        if state.slots[slot] != EMPTY:
            actions[count] = RECRUIT + slot
            count += 1
    return count


@rule
def write_trust(state: Record, player: int, actions: Record) -> int:
    """WAR-61 to 63: name somebody to be asked; trust, or do some of three things to the pile."""
    if state.regroup.asked == NOBODY:
        return write_seats(int(state.alive) & ~(1 << player), ASK, actions, 0)
    for handling in range(SHUFFLE + CUT + ROTATE + 1):
        actions[handling] = DISTRUST + handling
    return SHUFFLE + CUT + ROTATE + 1


@rule
def write_choice(state: Record, player: int, actions: Record) -> int:
    """WAR-51, 53, 54: flee, or buy into a war below the own card."""
    actions[0] = FLEE
    count = 1
    for number in range(state.war_count):
        if may_buy_into(state, player, number):
            actions[count] = BUY_IN + number
            count += 1
    return count


@rule
def write_calls(state: Record, actions: Record) -> int:
    """WAR-26: what the Wild may be."""
    ranks, count = callable_ranks(state, fighters(state)), 0
    for rank in range(WILD_RANK + 1):
        if ranks >> rank & 1:
            actions[count] = CALL + rank
            count += 1
    return count


# --- what an action does -----------------------------------------------------------------------------------------


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Carry out a legal action, and all that follows from it on its own."""
    phase = state.phase
    if phase == PREP:
        prepare(state, player, action)
    elif phase in (REACT, BRACE, CLASH):
        answer_window(state, player, action)
    elif phase == RECRUITING:
        recruit(state, player, action)
    elif phase == REGROUP:
        if action >= ASK:
            ask_for_trust(state, action - ASK)
        else:
            answer_trust(state, action)
    elif phase == RACE:
        if action == CLOCK:
            time_is_up(state)
        else:
            race(state, player, action)
    elif phase == CHOICE:
        choose(state, player, FLEES if action == FLEE else BUYS + action - BUY_IN)
    elif phase == CALLING:
        state.called[player] = action - CALL
        state.phase = RESOLVING
    elif phase == SWEEPING:
        state.phase = NEXT_WAR
    elif phase == DISPUTING:
        answer_dispute(state, player, action)
    else:
        answer_extreme(state, player, action)
    advance(state)


# --- what happens on its own -------------------------------------------------------------------------------------


@rule
def advance(state: Record) -> None:
    """Section 6: the automatic phases, until somebody must decide or the game is over."""
    while state.phase >= AUTOMATIC:
        phase = state.phase
        if phase == OPENING:
            open_round(state)
        elif phase == TURNING:
            turn_cards(state)
        elif phase == RESOLVING:
            resolve(state)
        elif phase == JOINING:
            carry_out_choices(state)
        elif phase == NEXT_WAR:
            next_war(state)
        elif phase == STAKING:
            lay_stakes(state)
        elif phase == PICKING:
            pick_recruits(state)
        elif phase == ENDING:
            end_round(state)


@rule
def open_round(state: Record) -> None:
    """WAR-60, section 7, `round`: whoever has no army regroups; then all prepare."""
    if all_have_an_army(state, FOR_ROUND):
        open_preparation(state)


@rule
def all_have_an_army(state: Record, purpose: int) -> bool:
    """WAR-60: the living seats without an army regroup, in ring order; False while somebody has to answer."""
    for number in range(state.players):
        seat = ring_seat(state, number)
        if is_in(state.alive, seat) and is_short(state, seat, 1) and regroup(state, seat, purpose):
            return False
    return True


@rule
def turn_cards(state: Record) -> None:
    """WAR-30: all living seats turn their top card at the same moment; then there is time to react."""
    if not all_have_an_army(state, FOR_TURN):
        return
    state.flipped, state.swept = 0, 0
    for seat in range(state.players):
        state.turned[seat] = EMPTY
        if is_in(state.alive, seat):
            state.faces[seat] = take_top(state.decks[seat])
            state.turned[seat] = state.faces[seat]
    open_window(state, REACT)


@rule
def resolve(state: Record) -> None:
    """Section 7: a reveal, or a clash of the war being fought."""
    if in_clash(state):
        resolve_clash(state)
    else:
        resolve_reveal(state)


# --- when a clock runs out ---------------------------------------------------------------------------------------


@rule
def default_action(state: Record, player: int) -> int:
    """WAR-96, section 6: what a seat does whose time is over."""
    phase = state.phase
    if phase in (EXTREME, DISPUTING):
        return NO
    if phase == REGROUP:  # the owner asks the seat on the left
        return ASK + left_of(state, player) if state.regroup.asked == NOBODY else TRUST
    if phase == CHOICE:
        return FLEE
    if phase == CALLING:
        return CALL + WILD_RANK
    if phase == RECRUITING:
        return first_recruit(state)
    if phase == SWEEPING:
        return SWEEP
    return FLIP if phase == PREP else PASS


@rule
def first_recruit(state: Record) -> int:
    """Section 6: the lowest filled slot."""
    slot = 0
    while state.slots[slot] == EMPTY:
        slot += 1
    return RECRUIT + slot
