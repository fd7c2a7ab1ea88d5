"""CHI: the cards, the actions and the record of a game."""

import numpy as np

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.forms import Observed, absent, counted, number, one_of, one_seat, placed
from fairdeal.engine.options import options_record
from fairdeal.engine.records import game_state, i1, i2, pile, record
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
"""CHI-01, 02: number of cards of each kind, by yang layout (HALVES: two 3s or two 6s of a colour; MIXED: a 3 and a
6)."""

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

HALVES, MIXED = 0, 1
ROW_ONLY, ROW_OR_DECK = 0, 1
STICKY, RECHECK = 0, 1

hand = pile(MOST_IN_HAND)

duel = record(attacker=i1, colour=i1, target=i1, counters=i1, answering=i1)
"""A conflict: the attacker, the Yin's colour, the index of the attacked stack, the number of Chi played, and the player
who must respond."""

STATE = game_state(
    SEATS,
    options_record(ChiOptions),
    turn=i1,
    phase=i1,
    turn_no=i2,
    last_turn=i1,
    hands=(hand, SEATS),
    seen=(hand, SEATS),  # cards of each hand that were taken from the row, in view of both players
    areas=(pile(MOST_STACKS), SEATS),
    row=(i1, ROW),
    deck=pile(CARDS),
    discard=(i1, KINDS),
    duel=duel,
)

OBSERVED = Observed(
    {
        "turn": one_seat("seat on turn"),
        "phase": one_of(OVER + 1, words="act, answer an attack, discard, over"),
        "hands.cards": counted(KINDS),
        "seen.cards": counted(KINDS, "cards of the hand taken face up from the row"),
        "areas.cards": one_of(CHI, words="stacks, in order: single 3s, single 6s and pairs of 3s by colour"),
        "row": placed(KINDS),
        "deck.cards": absent(),
        "discard": number("number of cards of each kind"),
        "duel.attacker": one_seat(),
        "duel.colour": one_of(YANG_3),
        "duel.target": number("index of the attacked stack"),
        "duel.counters": number("number of Chi played so far"),
        "duel.answering": one_seat(),
    },
    bounds={"turn_no": (0, "turn_limit")},
)
