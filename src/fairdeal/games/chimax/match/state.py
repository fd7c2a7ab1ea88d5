"""CHIMAX MATCH: the actions and the points of both games."""

import numpy as np

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.options import option_words
from fairdeal.games.chimax import state as shared
from fairdeal.games.chimax.deck import FACES, HALF, INFINITY, QUESTION, ZERO
from fairdeal.games.chimax.match.options import Match2Options, Match3Options

PAIR, TRIPLET = 2, 3
"""Number of cards in a set. A deck has the same number of cards of each face, except for the question mark (M2-02,
M3-01)."""

PAIR_PLACES, TRIPLET_PLACES = 28, 39
"""M2-03, M3-01: number of cards in the layout of each game."""

QUESTIONS = np.array([0, 0, 4, 3], np.int8)
"""M2-02, M3-01: number of question marks in a deck, by size of a set."""

FLIPPING = shared.OWN_PHASE

ACTIONS = Actions(shared.LAYER_ACTIONS, flip=TRIPLET_PLACES)
(FLIP,) = ACTIONS.firsts
"""The first flip. `flip p` is FLIP + p - 1, because notation counts places from 1."""

SPECIAL = {"add": (3, -1, 2, 0), "replace": (2, -2, 1, -1), "books": (4, -2, 2, 0), "match2": (3, -1, 2, 0)}
"""M2-09, M3-05: points of a set of infinities, zeros, question marks and halves, by option `special`."""

WAYS = [*option_words(Match2Options, "special"), *option_words(Match3Options, "special")]
WAYS_OF_PAIRS = len(option_words(Match2Options, "special"))

POINTS = np.ones((len(WAYS), FACES), np.int8)
"""M2-09, M3-05: points of a set of each face, by option `special` of pairs, followed by that of triplets."""

for way, words in enumerate(WAYS):
    POINTS[way, [INFINITY, ZERO, QUESTION, HALF]] = SPECIAL.get(words, 1)

MIXED = 1
"""M2-05, M3-07: points of a set with a wild question mark."""
