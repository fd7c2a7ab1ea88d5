"""CHIMAX JACKPOT: the actions, the phases and the Books."""

from itertools import product

import numpy as np

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.options import option_number, option_words
from fairdeal.games.chimax.deck import FACES, FIFTEEN, HUNDRED
from fairdeal.games.chimax.jackpot.options import JackpotOptions
from fairdeal.games.chimax.state import LAYER_ACTIONS, OWN_PHASE

REELS = 3
PILE = 13
QUESTIONS = 3
"""JACK-01: number of question marks, one fewer than in the whole deck."""

CARDS = REELS * PILE
MOST_BOOKS = CARDS // 3

REEL, DECLARING, CLAIMING = OWN_PHASE, OWN_PHASE + 1, OWN_PHASE + 2

ACROSS = 0
LINES = 4
"""JACK-08: number of lines: the line across, and one for each column, which are numbered from 1."""

ACTIONS = Actions(LAYER_ACTIONS, flip=1, hold=1, claim=LINES, done=1, stand_for=FACES)
"""The actions. Unlike in Books, a question mark can stand for any of the thirteen faces."""
FLIP, HOLD, CLAIM, DONE, STAND_FOR = ACTIONS.firsts

AT_FLIP = option_number(JackpotOptions, qmark_when="flip")
AT_CLAIM = option_number(JackpotOptions, qmark_when="claim")

ALLOWED = np.array([(1 << FACES) - 1, (1 << (HUNDRED + 1)) - (1 << FIFTEEN)], np.int64)
"""JACK-06: the faces that a question mark may stand for, as a bit set, by option `qmark_values`."""

WILD = FACES
"""The face of an undeclared question mark, which can still stand for several faces."""


def run(line: tuple[int, ...], any_order: bool) -> bool:
    """Return whether three faces are neighbours in the printed sequence of GEN-06, in order along the line unless
    `any_order` is set (JACK-07)."""
    low, middle, high = sorted(line)
    return high - middle == middle - low == 1 and (any_order or line[1] == middle)


def completing_faces() -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    """Return the faces that complete a Book with two others, as bit sets (JACK-07).

    The indices are the option `run_order`, the place of the missing card in the line, and the other two faces in order
    (WILD for any face).
    """
    orders = option_words(JackpotOptions, "run_order")
    found = np.zeros((len(orders), 3, FACES + 1, FACES + 1), np.int16)
    for order, words in enumerate(orders):
        for line in np.ndindex(FACES, FACES, FACES):
            if line[0] == line[1] == line[2] or run(line, words == "any"):
                for missing, face in enumerate(line):
                    one, other = (*line[:missing], *line[missing + 1 :])
                    for one_or_any, other_or_any in product((one, WILD), (other, WILD)):
                        found[order, missing, one_or_any, other_or_any] |= 1 << face
    return found


COMPLETING = completing_faces()
