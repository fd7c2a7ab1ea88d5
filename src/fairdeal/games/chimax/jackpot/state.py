"""CHIMAX JACKPOT: the record and the actions."""

from itertools import product

import numpy as np

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.forms import number, one_of, placed
from fairdeal.engine.options import options_record
from fairdeal.engine.records import i1, i2, pile
from fairdeal.games.chimax.deck import FACES, FIFTEEN, HUNDRED, KINDS
from fairdeal.games.chimax.jackpot.options import JackpotOptions
from fairdeal.games.chimax.state import LAYER_ACTIONS, OWN_PHASE, chimax_state, observed

REELS = 3
PILE = 13
QUESTIONS = 3
"""JACK-01: one of the four is taken out."""

CARDS = REELS * PILE
MOST_BOOKS = CARDS // 3

REEL, DECLARING, CLAIMING = OWN_PHASE, OWN_PHASE + 1, OWN_PHASE + 2
OWN_PHASES = ("reel", "declare", "claim")

ACROSS = 0
LINES = 4
"""JACK-08: across, and the columns from 1 on."""

ACTIONS = Actions(LAYER_ACTIONS, flip=1, hold=1, claim=LINES, done=1, stand_for=FACES)
"""A question mark stands for any of the thirteen faces, unlike in Books."""
FLIP, HOLD, CLAIM, DONE, STAND_FOR = ACTIONS.firsts

ANY_VALUE, BOOKS_VALUES = 0, 1
AT_FLIP, AT_CLAIM = 0, 1
IN_PLACE, ANY_ORDER = 0, 1

ALLOWED = np.array([(1 << FACES) - 1, (1 << (HUNDRED + 1)) - (1 << FIFTEEN)], np.int64)
"""JACK-06: what a question mark may stand for, as a bit set of faces, by `qmark_values`."""

WILD = FACES
"""A question mark that still may stand for several faces, where the other faces have their numbers."""


def run(line: tuple[int, ...], any_order: bool) -> bool:
    """JACK-07: three neighbours of GEN-06, up or down along the line, or in any arrangement."""
    low, middle, high = sorted(line)
    return high - middle == middle - low == 1 and (any_order or line[1] == middle)


def completing_faces() -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    """JACK-07: the faces that make a Book of two others, as bit sets: by order option, by the place in the line of the
    one that is missing, and by the other two in their order (WILD: any face)."""
    found = np.zeros((2, 3, FACES + 1, FACES + 1), np.int16)
    for order in (IN_PLACE, ANY_ORDER):
        for line in np.ndindex(FACES, FACES, FACES):
            if line[0] == line[1] == line[2] or run(line, order == ANY_ORDER):
                for missing, face in enumerate(line):
                    one, other = (*line[:missing], *line[missing + 1 :])
                    for one_or_any, other_or_any in product((one, WILD), (other, WILD)):
                        found[order, missing, one_or_any, other_or_any] |= 1 << face
    return found


COMPLETING = completing_faces()

reel_pile = pile(PILE)

STATE = chimax_state(
    options_record(JackpotOptions),
    seats=1,
    stock=(reel_pile, REELS),  # the top card is the last
    columns=(reel_pile, REELS),
    books=pile(CARDS),  # three cards each, as they lay in their line
    spin=i1,
    reel=i1,
    flipped=i1,
    points=i2,
    streak=i1,
    ran=i1,
)

OBSERVED = observed(
    CLAIMING + 1,
    {
        "stock.cards": placed(FACES, "the piles of the reels, the top last"),
        "columns.cards": placed(KINDS, "the open columns of the reels, the top last"),
        "books.cards": number("the cards of the Books, three each"),
        "reel": one_of(REELS),
    },
)
