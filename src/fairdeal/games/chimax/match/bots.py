"""CHIMAX MATCH: the greedy bot, which reads a concealed state that shows only remembered cards.

The bot takes the most valuable known set. If no set is known, it turns an unseen card first and then a seen one, which
reveals nothing to the other seats. Near the end it avoids being left with the Zeros.
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
"""Number of kinds of sets: one for each face, and one for each value of a wild question mark."""

FEW_HIDDEN = 2
"""Maximum number of hidden cards at which a second unknown card is worth the risk."""


@rule
def alike(state: Record, player: int, action: int) -> int:
    """Return the first action equivalent to `action`: all unseen cards are equivalent (MEM-03)."""
    if action < FLIP:
        return alike_cut(action)
    return FLIP + alike_place(state.layout, action - FLIP)


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best move into `plan`, and return the number of its actions, which is always 1."""
    count = legal_actions(state, player, plan)
    if state.phase != FLIPPING:
        plan[0] = plan[count - 1]  # the highest value for a `?`; the depth of a cut does not matter
        return 1
    cards = np.empty(TRIPLET_PLACES, np.int8)
    recall_cards(state, cards)
    plan[0] = FLIP + best_place(state, cards)
    return 1


@rule
def recall_cards(state: Record, cards: Record) -> None:
    """Fill `cards` with the known cards of the layout. If all unknown cards must have the same face, they are known
    too."""
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
    """Return the place of the card to turn now."""
    if must_turn_unseen(state):
        return hidden_place(state, cards, True)
    kind = best_set(state, cards)
    if kind != NO_SET and is_wanted(state, cards, kind):
        return place_of_set(state, cards, kind)
    return idle_place(state, cards)


@rule
def best_set(state: Record, cards: Record) -> int:
    """Return the most valuable kind of set that fits the open cards and whose cards are known, or NO_SET."""
    best, most = NO_SET, 0
    for kind in range(SETS):
        if is_known(state, cards, kind) and (best == NO_SET or worth_of_set(state, kind) > most):
            best, most = kind, worth_of_set(state, kind)
    return best


@rule
def belongs(card: int, kind: int) -> bool:
    """Return whether a card can be part of a set of this kind."""
    if kind < FACES:
        return card == kind
    return card in (QUESTION, FIFTEEN + kind - FACES)


@rule
def worth_of_set(state: Record, kind: int) -> int:
    return worth(state, kind) if kind < FACES else MIXED


@rule
def is_known(state: Record, cards: Record, kind: int) -> bool:
    """Return whether a set of this kind can be completed from known cards, including the open ones."""
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
    """Return the number of places known to hold `card`, or the number of unknown places if `card` is UNKNOWN."""
    count = 0
    for place in range(state.layout.length):
        if cards[place] == card:
            count += 1
    return count


@rule
def is_wanted(state: Record, cards: Record, kind: int) -> bool:
    """Return whether this set is worth taking.

    A single player takes any set. Otherwise a set must not cost points, nor leave the player with a last set that costs
    more than this one gains.
    """
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
    """Return whether the seat on turn wins with `gain` more points, if taking them ends the game."""
    for seat in range(state.players):
        if seat != state.turn and state.match.totals[seat] >= int(state.match.totals[state.turn]) + gain:
            return False
    return state.options.target == NOBODY


@rule
def place_of_set(state: Record, cards: Record, kind: int) -> int:
    """Return the place of the next card to turn for a set. Question marks come last."""
    found = -1
    for place in range(state.layout.length):
        if belongs(cards[place], kind) and is_down(state.layout, place) and (found < 0 or cards[found] == QUESTION):
            found = place
    return found


@rule
def idle_place(state: Record, cards: Record) -> int:
    """Return the place to turn if no set is worth taking: an unknown card first, and a known one second."""
    hidden = hidden_place(state, cards, False)
    if hidden >= 0 and (state.layout.open.length == 0 or is_daring(state, cards)):
        return hidden
    for place in range(state.layout.length):
        if cards[place] >= 0 and is_down(state.layout, place) and not completes(state, cards, place):
            return place
    return hidden if hidden >= 0 else first_place(state)


@rule
def is_daring(state: Record, cards: Record) -> bool:
    """Return whether to turn a second unknown card. A single player always does; other players do only if few are left
    and the set would not cost points."""
    if state.players == 1:
        return True
    first = cards[state.layout.open.cards[0]]
    return how_many(state, cards, UNKNOWN) <= FEW_HIDDEN and worth(state, first) >= 0


@rule
def completes(state: Record, cards: Record, place: int) -> bool:
    """Return whether a card would match the open cards, or False if it is the first card of a turn."""
    return state.layout.open.length > 0 and goes_together(state, cards[place])


@rule
def hidden_place(state: Record, cards: Record, unseen_only: bool) -> int:
    """Return the place of an unknown card, if possible an unseen one, or -1 if there is none. The choice varies from
    turn to turn."""
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
    """Return the first place that can be turned."""
    place = 0
    while not is_down(state.layout, place):
        place += 1
    return place


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot, as a sentence."""
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
