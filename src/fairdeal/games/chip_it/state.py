"""CHIP IT: constants, actions and the record of a game."""

import numpy as np

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.forms import Observed, counted, number, one_seat
from fairdeal.engine.options import options_record
from fairdeal.engine.records import game_state, i1, i2, pile, record
from fairdeal.games.chip_it.options import SUPPLY, ChipItOptions

GREENS = 20
PURPLES = 10
KINDS = GREENS + PURPLES
COPIES = 2
CARDS = KINDS * COPIES
"""CHIP-01: number of cards. Kinds 0..19 are green 2..21, and kinds 20..29 are purple 2..11. There are two cards of each
kind."""

NUMBER = np.array([*range(2, 22), *range(2, 12)], np.int64)
"""The number printed on each kind."""

SEATS = 6
LARGEST_HAND = 15
HAND_SIZE = np.array([0, 0, 12, 15, 15, 12, 10], np.int64)
"""CHIP-03: number of cards dealt to each player, by number of players."""

HIGHEST_VALUE = 11 * (1 + SUPPLY)
MOST_RETURNED = 2
"""CHIP-40: maximum number of points returned by one pass."""

POINTS_PER_CARD_LEFT = 3
"""CHIP-46, CHIP-82: number of points for each card left in hand."""

TOURNAMENT_POINTS = np.array([4, 2, 1, 0, 0, 0], np.int64)
"""CHIP-71: tournament points by place."""

UNREACHABLE = 10_000
"""A cost above any possible supply, which stands for values that a card cannot reach."""

ACTIONS = Actions(pass_=MOST_RETURNED + 1, card=KINDS, points=SUPPLY + 1, complete=1)
"""The actions (specification, section 8): a pass by the number of points returned, a card, the number of points on the
first card, and the end of a play."""
PASS, FIRST_CARD, FIRST_POINTS, COMPLETE = ACTIONS.firsts

SINGLE, TOURNAMENT, DUEL = 0, 1, 2
ANY_RAISE, LOWEST_RAISE = 0, 1
MUST_RETURN, NEVER, FREE = 0, 1, 2
TURN_START, AFTER_PASS = 0, 1
NO_CAP = -1

hand = pile(LARGEST_HAND)

combination = record(length=i1, cards=(i1, LARGEST_HAND), value=i2, load=i1)
"""Cards that share a value, and the number of points on them."""

top = record(owner=i1, count=i1, value=i2)
"""The combination to beat. Its count is 0 in an open round."""

STATE = game_state(
    SEATS,
    options_record(ChipItOptions),
    turn=i1,
    hands=(hand, SEATS),
    bank=(i1, SEATS),
    fronts=(combination, SEATS),
    top=top,
    pool=i1,
    discard=(i1, KINDS),
    finished=pile(SEATS),
    zero_passes=i1,
    draft=combination,
    draft_place=i1,  # first place of the hand from which the next card of the draft may come
)

OBSERVED = Observed(
    {
        "turn": one_seat("seat on turn"),
        "hands.cards": counted(KINDS),
        "bank": number("points in the bank"),
        "fronts.cards": counted(KINDS, "combination on the table"),
        "top.owner": one_seat("owner of the combination to beat"),
        "discard": number("number of cards of each kind"),
        "finished.cards": one_seat("seats that have finished, in order"),
        "draft.cards": counted(KINDS, "cards of an incomplete play"),
        "draft_place": number("first place of the hand that may hold the next card of the play"),
    }
)
