"""CHIMAX JACKPOT: the greedy bot. It sees a concealed state only.

Every way to flip and hold the reels that are left in a spin gets a worth, in ten-thousandths of a point: the Books it
may bring now by the cards still unseen, and something for what it leaves lying for later spins. The first step of the
best way is taken; the next reel is thought over anew.
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
"""What three cards from the piles are worth side by side."""

FLIPPED = 1200
"""What it is worth to turn a card that would stay unturned at the end, were the reel held."""

HELD_DOWN = 40
HELD_ACROSS = 100
"""Percent of its worth that a chance of the next spin has."""

WAITING = 50
"""Percent of its worth that the chance of a Jackpot in later spins has: reels that are held for it turn no cards."""

TWO_MISSING = 60
"""Percent of the chance that two infinities come, were each waited for by itself, as they share the spins."""

NO_WAY = -(10**6)
NO_CARD = -1


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best move into `plan`; always one action."""
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
    """JACK-08: across takes the top cards of the columns, so it must be worth as much as they are together."""
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
    """How likely is it, in ten-thousandths, that the next card of a reel is one of a set of faces, or can stand for
    one? In an open pile it is known (JACK-05)."""
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
    """The face of a card of a column, from the top (1); NO_CARD if there is none."""
    column = state.columns[reel]
    if column.length < depth:
        return NO_CARD
    return shown_face(state, int(column.cards[int(column.length) - depth]))


@rule
def worth_of_next(state: Record, left: Record, reel: int, place: int, one: int, other: int) -> int:
    """What the next card of a reel may bring at a place of a line, beside the two others in their order."""
    if one == NO_CARD or other == NO_CARD:
        return 0
    chance = chance_of(state, left, reel, int(jackpot.COMPLETING[state.options.run_order, place, one, other]))
    if one == INFINITY and other == INFINITY:
        return chance * (1 + int(state.options.jackpot_bonus))
    return chance


@rule
def worth_down(state: Record, left: Record, reel: int) -> int:
    """What the next card of a reel may bring on top of the two that lie there."""
    return worth_of_next(state, left, reel, 2, face_at(state, reel, 2), face_at(state, reel, 1))


# --- flipping and holding ----------------------------------------------------------------------------------------


@rule
def best_plan(state: Record, left: Record, first: int) -> int:
    """The best way to go on from a reel, as the set of reels to flip."""
    best, most = 0, NO_WAY
    for plan in range(8):
        if plan & ((1 << first) - 1) == 0 and is_possible(state, first, plan):
            worth = worth_of_plan(state, left, first, plan)
            if worth > most:
                best, most = plan, worth
    return best


@rule
def is_possible(state: Record, first: int, plan: int) -> bool:
    """JACK-04: something is flipped, no empty pile, and no empty column is held."""
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
    """What flipping a set of reels, and holding the others, may bring now and later."""
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
    """What the top row may bring: the three cards of this spin, and two known ones in the next."""
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
    """JACK-10: what infinities on top of the columns may bring in later spins, held until the others come."""
    chance = chance_of_infinity(state, left)
    missed = POINT
    for _ in range(spins_left):
        missed = missed * (POINT - chance) // POINT
    pair = POINT - missed
    single, none = pair * pair // POINT * TWO_MISSING // 100, 0
    lying = 0
    for reel in range(jackpot.REELS):
        if plan >> reel & 1:  # the card to come may be one; the third of this spin is counted in the top row
            none += (single - none) * chance // POINT
            single += (pair - single) * chance // POINT
            pair -= pair * chance // POINT
        elif face_at(state, reel, 1) == INFINITY:
            lying += 1
    worth = pair if lying == 2 else single if lying == 1 else none if lying == 0 else 0
    return worth * (1 + int(state.options.jackpot_bonus)) * WAITING // 100


@rule
def chance_of_infinity(state: Record, left: Record) -> int:
    """How likely an unseen card is an infinity, or can stand for one, in ten-thousandths."""
    right, every = int(left[INFINITY]), 0
    if int(jackpot.ALLOWED[state.options.qmark_values]) >> INFINITY & 1:
        right += int(left[QUESTION])
    for face in range(FACES):
        every += int(left[face])
    return POINT * right // every if every > 0 else 0


@rule
def chance_across(state: Record, left: Record, plan: int, one: int, two: int, three: int) -> int:
    """The worth of the top row when the reels of a set are flipped."""
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
    """The worth of the top row when two reels are flipped beside a known card."""
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
    """JACK-06: the face that makes most of the card's column and of the reels still to come."""
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
    """Why the greedy bot chose a move."""
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
