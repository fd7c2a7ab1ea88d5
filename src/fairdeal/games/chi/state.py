"""CHI: the cards, the actions and the phases."""

import numpy as np

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.options import option_number
from fairdeal.games.chi.options import ChiOptions

# Kinds of cards (CHI-01): twelve Yin, twelve Yang of 3 points, twelve Yang of 6 points, Chi.
YIN = 0
YANG_3 = 12
YANG_6 = 24
CHI = 36
KINDS = 37
CARDS = 52
CHI_CARDS = 4
ALL_KINDS = (1 << KINDS) - 1
"""All kinds, as a bit set."""

IN_DECK = np.array(
    [
        [2] * 12 + [2, 0] * 6 + [0, 2] * 6 + [CHI_CARDS],
        [2] * 12 + [1] * 12 + [1] * 12 + [CHI_CARDS],
    ],
    np.int8,
)
"""CHI-01, 02: number of cards of each kind, by yang layout (two 3s or two 6s of a colour, or a 3 and
a 6)."""

# Kinds of stacks, numbered like the Yang they show: a single 3, a single 6, and two 3s on each other.
SINGLE_3 = 0
SINGLE_6 = 12
PAIR_OF_3 = 24

ROW = 6
"""CHI-03: number of places in the row, and of the actions that draw from it. Chaos Ninjas has the same row."""

START_HAND = 3
"""CHI-03: number of cards dealt to each player, in Chaos Ninjas too."""

SEATS = 2
MOST_IN_HAND = 12
"""CHI-11: maximum number of cards in a hand: 10, the highest `hand_limit`, and cards drawn before the discard."""

MOST_STACKS = 9

ACTIONS = Actions(
    draw=ROW, play_3=12, play_6=12, attack_3=12, attack_6=12, answer_chi=1, pass_=1, discard=KINDS, draw_deck=1
)
"""The actions (specification, section 8). Actions on Yang and Yin are ordered by colour. `draw_deck` also passes a
turn."""
DRAW, PLAY_3, PLAY_6, ATTACK_3, ATTACK_6, ANSWER_CHI, PASS, DISCARD, DRAW_DECK = ACTIONS.firsts
NO_ACTION = DRAW_DECK

ACT, DUEL, DISCARDING, OVER = 0, 1, 2, 3

ROW_OR_DECK = option_number(ChiOptions, draw_source="row_or_deck")
STICKY = option_number(ChiOptions, end_trigger="sticky")
