"""CHIP IT: the cards, the actions and the options."""

import numpy as np

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.options import option_number
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

SINGLE = option_number(ChipItOptions, mode="single")
TOURNAMENT = option_number(ChipItOptions, mode="tournament")
DUEL = option_number(ChipItOptions, mode="duel")
LOWEST_RAISE = option_number(ChipItOptions, raise_="lowest")
MUST_RETURN = option_number(ChipItOptions, leader_pass="must_return")
NEVER = option_number(ChipItOptions, leader_pass="never")
FREE = option_number(ChipItOptions, leader_pass="free")
AFTER_PASS = option_number(ChipItOptions, collect="after_pass")
NO_CAP = option_number(ChipItOptions, value_cap="none")
