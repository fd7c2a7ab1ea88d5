"""CHIMAX JACKPOT: the rules. Clause ids refer to docs/rules/chimax.md, sections 0, 7 and 8."""

import numpy as np

from fairdeal.engine.kit.hidden import fill, shuffle_unseen
from fairdeal.engine.kit.piles import clear, hide, pop, push
from fairdeal.engine.kit.seats import act_alone, is_in
from fairdeal.engine.kit.sets import write_set
from fairdeal.engine.records import HOUSE, Record, rule
from fairdeal.games.chimax.deck import EACH, FACES, QUESTION
from fairdeal.games.chimax.jackpot import state as jackpot
from fairdeal.games.chimax.jackpot.rules.lines import card_of_line, faces_claimed, shown_face, worth_of_line, written
from fairdeal.games.chimax.rules.layer import cut_step, deal_actions
from fairdeal.games.chimax.rules.tournament import finish, pass_deal, ready_to_deal, rest, set_table
from fairdeal.games.chimax.rules.unseen import conceal_table, count_deck, resample_table, take_all
from fairdeal.games.chimax.state import CLOCK, DEALING, OWN_PHASE

# --- set-up ------------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """JACK-01, 02: the first deal, once the pack is cut. One player is their own dealer."""
    set_table(state, state.options.deals)
    clear_table(state)
    shuffle_and_deal(state)


@rule
def shuffle_and_deal(state: Record) -> None:
    """GEN-15: the next deal, as far as it goes without a cut."""
    if ready_to_deal(state, EACH, jackpot.QUESTIONS):
        deal_round(state)


@rule
def clear_table(state: Record) -> None:
    """No card lies anywhere, and nothing is won in this deal."""
    for reel in range(jackpot.REELS):
        clear(state.stock[reel])
        clear(state.columns[reel])
    clear(state.books)
    state.points = 0
    state.spin = 1
    state.reel = 0
    state.flipped = 0
    state.streak = 0
    state.ran = 0


@rule
def deal_round(state: Record) -> None:
    """JACK-02: the pack is dealt to the piles, one card at a time from the left; each lands on top."""
    clear_table(state)
    for i in range(state.pack.length):
        push(state.stock[i % jackpot.REELS], state.pack.cards[i])
    clear(state.pack)
    begin_spin(state)


# --- a spin ------------------------------------------------------------------------------------------------------


@rule
def reel_from(state: Record, reel: int) -> int:
    """JACK-04: the first reel with cards left, from one on; REELS if there is none."""
    while reel < jackpot.REELS and state.stock[reel].length == 0:
        reel += 1
    return reel


@rule
def begin_spin(state: Record) -> None:
    """JACK-03: a spin goes from left to right; there is a card in some pile."""
    state.flipped = 0
    state.reel = reel_from(state, 0)
    act_alone(state, jackpot.REEL, 0)


@rule
def settle_reel(state: Record) -> None:
    """JACK-03, 08: on to the next reel; after the last one, to the claims."""
    state.reel = reel_from(state, int(state.reel) + 1)
    if state.reel < jackpot.REELS:
        act_alone(state, jackpot.REEL, 0)
    else:
        go_on_with_claims(state)


@rule
def may_hold(state: Record) -> bool:
    """JACK-04: not an empty column, and not if no card would be flipped in this spin."""
    reel = int(state.reel)
    if state.columns[reel].length == 0:
        return False
    return state.flipped > 0 or reel_from(state, reel + 1) < jackpot.REELS


@rule
def flip(state: Record) -> None:
    """JACK-03, 06: the pile's top card goes on its column; a question mark may have to be declared."""
    reel = int(state.reel)
    card = pop(state.stock[reel])
    push(state.columns[reel], card)
    state.flipped += 1
    if card == QUESTION and state.options.qmark_when == jackpot.AT_FLIP:
        state.phase = jackpot.DECLARING
    else:
        settle_reel(state)


@rule
def stand_for(state: Record, face: int) -> None:
    """JACK-06: the question mark just flipped stands for a face, for good; as itself it is a plain one."""
    column = state.columns[state.reel]
    column.cards[int(column.length) - 1] = written(face)
    settle_reel(state)


@rule
def end_spin(state: Record) -> None:
    """JACK-09, 11: the next spin, or the end of the deal."""
    if state.spin >= state.options.spins or reel_from(state, 0) == jackpot.REELS:
        end_deal(state)
        return
    if state.ran == 0:
        state.streak = 0
    state.ran = 0
    state.spin += 1
    begin_spin(state)


@rule
def end_deal(state: Record) -> None:
    """JACK-11, GEN-13: the points are added up; the next deal, if there is one, waits for its dealer."""
    state.match.totals[0] += state.points
    if state.match.game >= state.options.deals:
        finish(state, 1)
        return
    pass_deal(state)
    rest(state, DEALING)


# --- Books -------------------------------------------------------------------------------------------------------


@rule
def claim(state: Record, line: int) -> None:
    """JACK-06, 08, 10: a Book leaves the columns; question marks show what they stood for."""
    faces = faces_claimed(state, line)
    first, second, third = faces // (FACES * FACES), faces // FACES % FACES, faces % FACES
    state.points += worth_of_line(state, line)
    if first != second:
        note_run(state)
    for place in range(3):
        card = card_of_line(state, line, place)
        if shown_face(state, card) == jackpot.WILD:
            card = written(first if place == 0 else second if place == 1 else third)
        push(state.books, card)
    for place in range(3):
        pop(state.columns[place if line == jackpot.ACROSS else line - 1])
    go_on_with_claims(state)


@rule
def note_run(state: Record) -> None:
    """JACK-09: the first run of a spin makes the streak longer; the third spin running begins a new one."""
    if state.options.streak == 1 and state.ran == 0:
        state.streak = (int(state.streak) + 1) % 3
    state.ran = 1


@rule
def go_on_with_claims(state: Record) -> None:
    """JACK-08: while something can be claimed the player is asked; else the next spin starts by itself."""
    for line in range(jackpot.LINES):
        if faces_claimed(state, line) >= 0:
            act_alone(state, jackpot.CLAIMING, 0)
            return
    end_spin(state)


# --- the contract ------------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal ids for a player in ascending order; how many."""
    if player == HOUSE or state.phase < OWN_PHASE:
        return deal_actions(state, player, actions)
    if not is_in(state.to_act, player):
        return 0
    if state.phase == jackpot.CLAIMING:
        return legal_claims(state, actions)
    if state.phase == jackpot.DECLARING:
        return write_set(int(jackpot.ALLOWED[state.options.qmark_values]), jackpot.STAND_FOR, actions, 0)  # JACK-06
    actions[0] = jackpot.FLIP
    actions[1] = jackpot.HOLD
    return 2 if may_hold(state) else 1


@rule
def legal_claims(state: Record, actions: Record) -> int:
    """JACK-08."""
    count = 0
    for line in range(jackpot.LINES):
        if faces_claimed(state, line) >= 0:
            actions[count] = jackpot.CLAIM + line
            count += 1
    actions[count] = jackpot.DONE
    return count + 1


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Carry out a legal action. TOUR-05: the clock ends the deal as it stands."""
    if state.phase == DEALING:
        shuffle_and_deal(state)
    elif state.phase < OWN_PHASE:
        cut_step(state, action)
    elif action == CLOCK:
        end_deal(state)
    elif action == jackpot.FLIP:
        flip(state)
    elif action == jackpot.HOLD:
        settle_reel(state)
    elif action >= jackpot.STAND_FOR:
        stand_for(state, action - jackpot.STAND_FOR)
    elif action == jackpot.DONE:
        end_spin(state)
    else:
        claim(state, action - jackpot.CLAIM)


@rule
def returns(state: Record, out: Record) -> None:
    """JACK-11: the points of all deals; those of a deal under way count already."""
    out[0] = state.match.totals[0]
    if state.phase >= OWN_PHASE:
        out[0] += state.points


# --- hidden information --------------------------------------------------------------------------------------------


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """JACK-05: the piles and the pack are seen by nobody; with `open_stock` the player sees the piles."""
    if state.options.open_stock == 0 or viewer != 0:
        for reel in range(jackpot.REELS):
            hide(state.stock[reel])
    conceal_table(state, viewer)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the cards that are nowhere to be seen to the piles."""
    left, faces = np.empty(FACES, np.int8), np.empty(jackpot.CARDS, np.int8)
    count_unseen(state, left)
    for reel in range(jackpot.REELS):
        take_all(left, state.stock[reel])
    size = shuffle_unseen(left, faces, source)
    for reel in range(jackpot.REELS):
        size = fill(state.stock[reel].cards, state.stock[reel].length, faces, size)
    resample_table(state, EACH, jackpot.QUESTIONS, source)


@rule
def count_unseen(state: Record, left: Record) -> None:
    """JACK-01: the cards that may lie in the piles, by face."""
    count_deck(left, EACH, jackpot.QUESTIONS)
    take_all(left, state.books)
    for reel in range(jackpot.REELS):
        take_all(left, state.columns[reel])
