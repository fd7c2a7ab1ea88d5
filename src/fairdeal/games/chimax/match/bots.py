"""CHIMAX MATCH: the greedy bot. It sees a concealed state, in which what it remembers is still shown.

It takes the set that is worth most among those it knows. With none to take it turns a card nobody has seen, and then
one that all have seen, which tells the others nothing. Near the end it counts who will be left with the Zeros.
"""

from collections.abc import Sequence

import numpy as np

from fairdeal.engine.kit.piles import find
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import NOBODY, UNKNOWN, Record, rule
from fairdeal.games.chimax.bots import alike_cut
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import FACES, FIFTEEN, QUESTION, VALUES
from fairdeal.games.chimax.match.rules import count_left, goes_together, legal_actions, must_turn_unseen, worth
from fairdeal.games.chimax.match.state import FLIP, FLIPPING, MIXED, TRIPLET_PLACES
from fairdeal.games.chimax.match.text.prompts import set_name
from fairdeal.games.chimax.rules.layout import alike_place, is_down, is_unseen
from fairdeal.games.chimax.rules.unseen import take_from

NO_SET = -1
SETS = FACES + VALUES
"""Kinds of sets: of one face, and of question marks with 15, 25, 50 or 100."""

FEW_HIDDEN = 2
"""With so few cards hidden, another one of them is worth the risk."""


@rule
def alike(state: Record, player: int, action: int) -> int:
    """MEM-03: any card that nobody has seen is as good as another."""
    if action < FLIP:
        return alike_cut(action)
    return FLIP + alike_place(state.layout, action - FLIP)


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best move into `plan`; always one action."""
    count = legal_actions(state, player, plan)
    if state.phase != FLIPPING:
        plan[0] = plan[count - 1]  # the highest value for a `?`; how deep a cut is does not matter
        return 1
    cards = np.empty(TRIPLET_PLACES, np.int8)
    recall_cards(state, cards)
    plan[0] = FLIP + best_place(state, cards)
    return 1


@rule
def recall_cards(state: Record, cards: Record) -> None:
    """The cards as far as they are known; if all that are missing have one face, they are known too."""
    left = np.empty(FACES, np.int8)
    count_left(state, left)
    for place in range(state.layout.length):
        cards[place] = state.layout.cards[place]
        take_from(left, cards[place])
    only, kinds = 0, 0
    for face in range(FACES):
        if left[face] > 0:
            only = face
            kinds += 1
    if kinds == 1:
        for place in range(state.layout.length):
            if cards[place] == UNKNOWN:
                cards[place] = only


@rule
def best_place(state: Record, cards: Record) -> int:
    """The card to turn now."""
    if must_turn_unseen(state):
        return hidden_place(state, cards, True)
    kind = best_set(state, cards)
    if kind != NO_SET and is_wanted(state, cards, kind):
        return place_of_set(state, cards, kind)
    return idle_place(state, cards)


@rule
def best_set(state: Record, cards: Record) -> int:
    """The kind of set worth most among those whose cards are known, with the cards turned already; or NO_SET."""
    best, most = NO_SET, 0
    for kind in range(SETS):
        if is_known(state, cards, kind) and (best == NO_SET or worth_of_set(state, kind) > most):
            best, most = kind, worth_of_set(state, kind)
    return best


@rule
def belongs(card: int, kind: int) -> bool:
    """May this card be part of a set of this kind?"""
    if kind < FACES:
        return card == kind
    return card in (QUESTION, FIFTEEN + kind - FACES)


@rule
def worth_of_set(state: Record, kind: int) -> int:
    return worth(state, kind) if kind < FACES else MIXED


@rule
def is_known(state: Record, cards: Record, kind: int) -> bool:
    """Can a set of this kind be taken with known cards, those turned among them?"""
    if kind >= FACES and (state.options.qmark_wild == 0 or how_many(state, cards, FIFTEEN + kind - FACES) == 0):
        return False
    for i in range(state.layout.open.length):
        if not belongs(cards[state.layout.open.cards[i]], kind):
            return False
    known = 0
    for place in range(state.layout.length):
        if belongs(cards[place], kind):
            known += 1
    return known >= state.alike


@rule
def how_many(state: Record, cards: Record, card: int) -> int:
    """How many cards of this face are known to lie there; of UNKNOWN, how many are not known."""
    count = 0
    for place in range(state.layout.length):
        if cards[place] == card:
            count += 1
    return count


@rule
def is_wanted(state: Record, cards: Record, kind: int) -> bool:
    """Is it good to take this set? Alone, always. Else it must not cost points, nor leave its finder with a last set
    that costs more than this one brings."""
    if state.players == 1:
        return True
    gain = worth_of_set(state, kind)
    if gain < 0:
        return False
    if how_many(state, cards, UNKNOWN) > 0:
        return True
    good, bad, cost = 0, 0, 0
    for face in range(FACES):
        if how_many(state, cards, face) >= state.alike:
            if worth(state, face) < 0:
                bad += 1
                cost = worth(state, face)
            else:
                good += 1
    return good != 1 or bad != 1 or gain + cost >= 0 or ends_it_ahead(state, gain + cost)


@rule
def ends_it_ahead(state: Record, gain: int) -> bool:
    """Does the seat on turn win with so many points more, if that ends the game?"""
    for seat in range(state.players):
        if seat != state.turn and state.match.totals[seat] >= int(state.match.totals[state.turn]) + gain:
            return False
    return state.options.target == NOBODY


@rule
def place_of_set(state: Record, cards: Record, kind: int) -> int:
    """The next card of a set to turn; question marks last."""
    found = -1
    for place in range(state.layout.length):
        if belongs(cards[place], kind) and is_down(state.layout, place) and (found < 0 or cards[found] == QUESTION):
            found = place
    return found


@rule
def idle_place(state: Record, cards: Record) -> int:
    """The card to turn when there is nothing to take: one that nobody knows first, one that all know second."""
    hidden = hidden_place(state, cards, False)
    if hidden >= 0 and (state.layout.open.length == 0 or is_daring(state, cards)):
        return hidden
    for place in range(state.layout.length):
        if cards[place] >= 0 and is_down(state.layout, place) and not completes(state, cards, place):
            return place
    return hidden if hidden >= 0 else first_place(state)


@rule
def is_daring(state: Record, cards: Record) -> bool:
    """May a second unknown card be turned? Alone, always; else with few left, for a set that costs nothing."""
    if state.players == 1:
        return True
    first = cards[state.layout.open.cards[0]]
    return how_many(state, cards, UNKNOWN) <= FEW_HIDDEN and worth(state, first) >= 0


@rule
def completes(state: Record, cards: Record, place: int) -> bool:
    """Would this card go together with those turned? The first one always would."""
    return state.layout.open.length > 0 and goes_together(state, cards[place])


@rule
def hidden_place(state: Record, cards: Record, unseen_only: bool) -> int:
    """A card that is not known, best one that was never turned; which one changes from turn to turn. -1 if none."""
    found = -1
    for step in range(state.layout.length):
        place = (step + 11 * int(state.turns)) % int(state.layout.length)
        if is_unseen(state.layout, place) and (unseen_only or cards[place] == UNKNOWN):
            return place
        if found < 0 and not unseen_only and cards[place] == UNKNOWN and find(state.layout.open, place) < 0:
            found = place
    return found


@rule
def first_place(state: Record) -> int:
    """Any card that can be turned."""
    place = 0
    while not is_down(state.layout, place):
        place += 1
    return place


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    if state.phase != FLIPPING:
        return "One cut is as good as another."
    cards = np.empty(TRIPLET_PLACES, np.int8)
    recall_cards(state, cards)
    turned, kind = int(cards[actions[0] - FLIP]), best_set(state, cards)
    if must_turn_unseen(state):
        return "It must be a card that nobody has seen."
    if kind != NO_SET and is_wanted(state, cards, kind):
        return f"It is {name_of(turned)}, and the rest of the {set_name(state)} has been seen too."
    if turned < 0:
        return "Nobody has seen it: it may be what you need."
    if kind != NO_SET:
        return f"Taking the {set_name(state)} that is known does not pay: {name_of(turned)} spoils it."
    return f"Everybody has seen this {name_of(turned).removeprefix('a ')}, so it gives nothing away."
