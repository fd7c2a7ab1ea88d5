"""CHIMAX JACKPOT: the course of play. Clause ids refer to docs/rules/chimax.md, sections 0, 7 and 8."""

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
    """Begin the game and its first deal (JACK-01, 02). The single player is always the dealer."""
    set_table(state, state.options.deals)
    clear_table(state)
    shuffle_and_deal(state)


@rule
def shuffle_and_deal(state: Record) -> None:
    """Begin the next deal, unless the player has to cut the pack first (GEN-15)."""
    if ready_to_deal(state, EACH, jackpot.QUESTIONS):
        deal_round(state)


@rule
def clear_table(state: Record) -> None:
    """Clear all cards and the counts of this deal."""
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
    """Deal the pack to the piles, one card at a time from left to right, each on top of its pile (JACK-02)."""
    clear_table(state)
    for i in range(state.pack.length):
        push(state.stock[i % jackpot.REELS], state.pack.cards[i])
    clear(state.pack)
    begin_spin(state)


# --- a spin ------------------------------------------------------------------------------------------------------


@rule
def reel_from(state: Record, reel: int) -> int:
    """Return the first reel, starting at `reel`, whose pile has cards, or REELS if there is none (JACK-04)."""
    while reel < jackpot.REELS and state.stock[reel].length == 0:
        reel += 1
    return reel


@rule
def begin_spin(state: Record) -> None:
    """Begin a spin at the leftmost reel with cards in its pile (JACK-03)."""
    state.flipped = 0
    state.reel = reel_from(state, 0)
    act_alone(state, jackpot.REEL, 0)


@rule
def settle_reel(state: Record) -> None:
    """Continue with the next reel or, after the last one, with the claims (JACK-03, 08)."""
    state.reel = reel_from(state, int(state.reel) + 1)
    if state.reel < jackpot.REELS:
        act_alone(state, jackpot.REEL, 0)
    else:
        go_on_with_claims(state)


@rule
def may_hold(state: Record) -> bool:
    """Return whether the reel may be held: its column is not empty, and a card has been or can still be flipped in this
    spin (JACK-04)."""
    reel = int(state.reel)
    if state.columns[reel].length == 0:
        return False
    return state.flipped > 0 or reel_from(state, reel + 1) < jackpot.REELS


@rule
def flip(state: Record) -> None:
    """Move the top card of the pile to its column. A question mark may have to be declared (JACK-03, 06)."""
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
    """Declare the question mark just flipped, permanently (JACK-06). Declared as itself, it is an ordinary question
    mark."""
    column = state.columns[state.reel]
    column.cards[int(column.length) - 1] = written(face)
    settle_reel(state)


@rule
def end_spin(state: Record) -> None:
    """Begin the next spin, or end the deal (JACK-09, 11)."""
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
    """Add up the points, and wait for the next deal or end the game (JACK-11, GEN-13)."""
    state.match.totals[0] += state.points
    if state.match.game >= state.options.deals:
        finish(state, 1)
        return
    pass_deal(state)
    rest(state, DEALING)


# --- Books -------------------------------------------------------------------------------------------------------


@rule
def claim(state: Record, line: int) -> None:
    """Claim a Book, which leaves the columns. Its question marks show the faces that they stood for (JACK-06, 08,
    10)."""
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
    """Extend the streak after the first run of a spin. It starts again after three spins in a row (JACK-09)."""
    if state.options.streak == 1 and state.ran == 0:
        state.streak = (int(state.streak) + 1) % 3
    state.ran = 1


@rule
def go_on_with_claims(state: Record) -> None:
    """Let the player claim a Book. If there is none, end the spin (JACK-08)."""
    for line in range(jackpot.LINES):
        if faces_claimed(state, line) >= 0:
            act_alone(state, jackpot.CLAIMING, 0)
            return
    end_spin(state)


# --- the contract ------------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions of a player in ascending order, and return their number."""
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
    """Write the legal claims, followed by `done`, and return the number of actions (JACK-08)."""
    count = 0
    for line in range(jackpot.LINES):
        if faces_claimed(state, line) >= 0:
            actions[count] = jackpot.CLAIM + line
            count += 1
    actions[count] = jackpot.DONE
    return count + 1


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Apply a legal action. The clock ends the deal in its current state (TOUR-05)."""
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
    """Write the points of all deals, including the current one, into `out` (JACK-11)."""
    out[0] = state.match.totals[0]
    if state.phase >= OWN_PHASE:
        out[0] += state.points


# --- hidden information --------------------------------------------------------------------------------------------


@rule
def conceal(state: Record, viewer: int, recall: int) -> None:
    """Hide the piles and the pack. With `open_stock`, the player sees the piles (JACK-05)."""
    if state.options.open_stock == 0 or viewer != 0:
        for reel in range(jackpot.REELS):
            hide(state.stock[reel])
    conceal_table(state, viewer)


@rule
def resample(state: Record, player: int, source: Record) -> None:
    """Deal the unseen cards at random into the piles."""
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
    """Count the cards that may lie in the piles, by face (JACK-01)."""
    count_deck(left, EACH, jackpot.QUESTIONS)
    take_all(left, state.books)
    for reel in range(jackpot.REELS):
        take_all(left, state.columns[reel])
