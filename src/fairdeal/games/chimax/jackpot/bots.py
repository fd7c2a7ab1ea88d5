"""CHIMAX JACKPOT: the greedy bot, which reads only concealed states.

A plan is a way to flip and hold the remaining reels of a spin. Each plan gets a value, in ten-thousandths of a point,
for the Books that it may complete with the unseen cards and the chances that it leaves for later spins. The bot takes
the first step of the best plan, and plans again for the next reel.
"""

from collections.abc import Sequence

import numpy as np

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import Record, rule
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import FACES, INFINITY, QUESTION
from fairdeal.games.chimax.jackpot import state as jackpot
from fairdeal.games.chimax.jackpot.rules.lines import shown_face, worth_of_line, written
from fairdeal.games.chimax.jackpot.rules.play import count_unseen, legal_actions
from fairdeal.games.chimax.jackpot.text.prompts import JACKPOT, faces_of, wanted_down
from fairdeal.games.chimax.state import CUTTING

POINT = 10_000
RANDOM_LINE = 600
"""Value of three unknown cards side by side."""

FLIPPED = 1200
"""Value of flipping a card that would never be turned up if the reel were held."""

HELD_DOWN = 40
HELD_ACROSS = 100
"""Weight of a chance in the next spin, in percent of the same chance in this spin."""

WAITING = 50
"""Weight of the chance of a Jackpot in later spins, in percent. It is less than 100 because a reel that is held for the
Jackpot is not flipped."""

TWO_MISSING = 60
"""Weight of the chance of getting two infinities, in percent of the product of the separate chances, because both must
come in the same spins."""

NO_WAY = -(10**6)
NO_CARD = -1


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best move into `plan`, and return the number of its actions, which is always 1."""
    count = legal_actions(state, player, plan)
    if count == 1:
        return 1
    if state.phase == CUTTING:
        plan[0] = plan[count // 2]
    elif state.phase == jackpot.CLAIMING:
        plan[0] = jackpot.CLAIM + best_line(state)
    else:
        left = np.empty(FACES, np.int8)
        count_unseen(state, left)
        if state.phase == jackpot.DECLARING:
            plan[0] = jackpot.STAND_FOR + best_face(state, left)
        else:
            best = best_plan(state, left, int(state.reel))
            plan[0] = jackpot.FLIP if best >> int(state.reel) & 1 else jackpot.HOLD
    return 1


# --- claims ------------------------------------------------------------------------------------------------------


@rule
def best_line(state: Record) -> int:
    """Return the best line to claim (JACK-08). Claiming across removes the top cards of the columns, so its value must
    exceed that of all columns together."""
    best, most, columns = jackpot.ACROSS, 0, 0
    for line in range(1, jackpot.LINES):
        worth = worth_of_line(state, line)
        columns += worth
        if worth > most:
            best, most = line, worth
    return jackpot.ACROSS if worth_of_line(state, jackpot.ACROSS) > columns else best


# --- chances -----------------------------------------------------------------------------------------------------


@rule
def chance_of(state: Record, left: Record, reel: int, faces: int) -> int:
    """Return the probability, in ten-thousandths, that the next card of a reel is or can stand for one of a set of
    faces.

    In an open pile that card is known (JACK-05).
    """
    pile = state.stock[reel]
    if pile.length == 0 or faces == 0:
        return 0
    marks = int(jackpot.ALLOWED[state.options.qmark_values]) & faces != 0
    card = int(pile.cards[int(pile.length) - 1])
    if card == QUESTION:
        return POINT if marks else 0
    if card >= 0:
        return POINT if faces >> card & 1 else 0
    right, every = 0, 0
    for face in range(FACES):
        number = int(left[face])
        every += number
        if face == QUESTION:
            right += number if marks else 0
        elif faces >> face & 1:
            right += number
    return POINT * right // every


@rule
def face_at(state: Record, reel: int, depth: int) -> int:
    """Return the face of a card in a column, counted from the top (1), or NO_CARD if there is no such card."""
    column = state.columns[reel]
    if column.length < depth:
        return NO_CARD
    return shown_face(state, int(column.cards[int(column.length) - depth]))


@rule
def worth_of_next(state: Record, left: Record, reel: int, place: int, one: int, other: int) -> int:
    """Return the expected points, in ten-thousandths, of the next card of a reel at a place of a line, given the other
    two cards in order."""
    if one == NO_CARD or other == NO_CARD:
        return 0
    chance = chance_of(state, left, reel, int(jackpot.COMPLETING[state.options.run_order, place, one, other]))
    if one == INFINITY and other == INFINITY:
        return chance * (1 + int(state.options.jackpot_bonus))
    return chance


@rule
def worth_down(state: Record, left: Record, reel: int) -> int:
    """Return the expected points, in ten-thousandths, of the next card of a reel on top of the two cards in its
    column."""
    return worth_of_next(state, left, reel, 2, face_at(state, reel, 2), face_at(state, reel, 1))


# --- flipping and holding ----------------------------------------------------------------------------------------


@rule
def best_plan(state: Record, left: Record, first: int) -> int:
    """Return the best plan for the reels from `first` onwards, as the set of reels to flip."""
    best, most = 0, NO_WAY
    for plan in range(8):
        if plan & ((1 << first) - 1) == 0 and is_possible(state, first, plan):
            worth = worth_of_plan(state, left, first, plan)
            if worth > most:
                best, most = plan, worth
    return best


@rule
def is_possible(state: Record, first: int, plan: int) -> bool:
    """Return whether a plan is legal: a card is flipped in this spin, no empty pile is flipped, and no empty column is
    held (JACK-04)."""
    if plan == 0 and state.flipped == 0:
        return False
    for reel in range(first, jackpot.REELS):
        if plan >> reel & 1:
            if state.stock[reel].length == 0:
                return False
        elif state.columns[reel].length == 0 and state.stock[reel].length > 0:
            return False
    return True


@rule
def worth_of_plan(state: Record, left: Record, first: int, plan: int) -> int:
    """Return the value of flipping a set of reels and holding the others, for this spin and later ones."""
    spins_left = int(state.options.spins) - int(state.spin)
    worth = worth_across(state, left, plan, spins_left)
    for reel in range(first, jackpot.REELS):
        down = worth_down(state, left, reel)
        if plan >> reel & 1:
            worth += down
            if state.stock[reel].length > spins_left:
                worth += FLIPPED
        elif spins_left > 0:
            worth += down * HELD_DOWN // 100
    return worth


@rule
def worth_across(state: Record, left: Record, plan: int, spins_left: int) -> int:
    """Return the value of the top row: of its three cards in this spin, and of two known cards in the next spin."""
    one = NO_CARD if plan & 1 else face_at(state, 0, 1)
    two = NO_CARD if plan & 2 else face_at(state, 1, 1)
    three = NO_CARD if plan & 4 else face_at(state, 2, 1)
    worth = chance_across(state, left, plan, one, two, three)
    if spins_left > 0:
        later = worth_of_next(state, left, 2, 2, one, two)
        later = max(later, worth_of_next(state, left, 1, 1, one, three))
        later = max(later, worth_of_next(state, left, 0, 0, two, three))
        worth += later * HELD_ACROSS // 100
        worth += worth_of_waiting(state, left, plan, spins_left)
    return worth


@rule
def worth_of_waiting(state: Record, left: Record, plan: int, spins_left: int) -> int:
    """Return the value of infinities on top of the columns, if they are held in later spins until the missing ones come
    (JACK-10)."""
    chance = chance_of_infinity(state, left)
    missed = POINT
    for _ in range(spins_left):
        missed = missed * (POINT - chance) // POINT
    pair = POINT - missed
    single, none = pair * pair // POINT * TWO_MISSING // 100, 0
    lying = 0
    for reel in range(jackpot.REELS):
        if plan >> reel & 1:  # the next card may be one; `chance_across` counts the third of this spin
            none += (single - none) * chance // POINT
            single += (pair - single) * chance // POINT
            pair -= pair * chance // POINT
        elif face_at(state, reel, 1) == INFINITY:
            lying += 1
    worth = pair if lying == 2 else single if lying == 1 else none if lying == 0 else 0
    return worth * (1 + int(state.options.jackpot_bonus)) * WAITING // 100


@rule
def chance_of_infinity(state: Record, left: Record) -> int:
    """Return the probability, in ten-thousandths, that an unseen card is an infinity or can stand for one."""
    right, every = int(left[INFINITY]), 0
    if int(jackpot.ALLOWED[state.options.qmark_values]) >> INFINITY & 1:
        right += int(left[QUESTION])
    for face in range(FACES):
        every += int(left[face])
    return POINT * right // every if every > 0 else 0


@rule
def chance_across(state: Record, left: Record, plan: int, one: int, two: int, three: int) -> int:
    """Return the expected points, in ten-thousandths, of the top row if the reels in `plan` are flipped."""
    if plan == 0:
        if one == NO_CARD or two == NO_CARD or three == NO_CARD:
            return 0
        return POINT * worth_of_line(state, jackpot.ACROSS)
    if plan == 1:
        return worth_of_next(state, left, 0, 0, two, three)
    if plan == 2:
        return worth_of_next(state, left, 1, 1, one, three)
    if plan == 4:
        return worth_of_next(state, left, 2, 2, one, two)
    if plan == 3:
        return chance_of_two(state, left, 0, 1, three)
    if plan == 5:
        return chance_of_two(state, left, 0, 2, two)
    if plan == 6:
        return chance_of_two(state, left, 1, 2, one)
    return RANDOM_LINE


@rule
def chance_of_two(state: Record, left: Record, reel: int, other: int, known: int) -> int:
    """Return the expected points, in ten-thousandths, of the top row if two reels are flipped next to a known card."""
    if known == NO_CARD:
        return 0
    pile = state.stock[reel]
    card = int(pile.cards[int(pile.length) - 1])
    worth, every = 0, 0
    for face in range(FACES):
        number = int(left[face]) if card < 0 else 1 if face == card else 0
        if number > 0:
            every += number
            shown = jackpot.WILD if face == QUESTION else face
            one, two = (shown, known) if reel == 0 else (known, shown)
            worth += number * worth_of_next(state, left, other, other, one, two)
    return worth // every


# --- question marks ----------------------------------------------------------------------------------------------


@rule
def best_face(state: Record, left: Record) -> int:
    """Return the best face to declare, considering the card's column and the remaining reels (JACK-06)."""
    reel, allowed = int(state.reel), int(jackpot.ALLOWED[state.options.qmark_values])
    column = state.columns[reel]
    best, most = 0, NO_WAY
    for face in range(FACES):
        if allowed >> face & 1:
            column.cards[int(column.length) - 1] = written(face)
            plan = best_plan(state, left, reel + 1)
            worth = worth_of_plan(state, left, reel + 1, plan) + POINT * worth_of_line(state, reel + 1)
            worth += worth_down(state, left, reel) * HELD_DOWN // 100
            if worth > most:
                best, most = face, worth
    column.cards[int(column.length) - 1] = QUESTION
    return best


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot, as a sentence."""
    match jackpot.ACTIONS.decode(actions[0]):
        case "flip", _:
            wanted = wanted_down(state)
            return f"With luck it is {wanted}." if wanted else "A new card, and a column that grows."
        case "hold", _:
            return "This card may still be wanted across."
        case "claim", line:
            return "Jackpot!" if faces_of(state, line) == JACKPOT else "A point in hand."
        case "done", _:
            return "Nothing here is worth its cards."
        case "stand_for", face:
            return f"As {name_of(face)} it has the best company."
    return "One cut is as good as another."
