"""CHIMAX MATCH: the actions, the points and the records of both games."""

from typing import Any

import numpy as np

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.forms import Observed, number, placed
from fairdeal.engine.records import i1, i2, i4, pile, record
from fairdeal.games.chimax import state as shared
from fairdeal.games.chimax.deck import FACES, HALF, INFINITY, QUESTION, ZERO

PAIR, TRIPLET = 2, 3
"""Number of cards in a set. A deck has the same number of cards of each face, except for the question mark (M2-02,
M3-01)."""

PAIR_PLACES, TRIPLET_PLACES = 28, 39
"""M2-03, M3-01: number of cards in the layout of each game."""

QUESTIONS = np.array([0, 0, 4, 3], np.int8)
"""M2-02, M3-01: number of question marks in a deck, by size of a set."""

MOST_LAYOUTS = 30
"""M2-11: maximum number of layouts in a game with a target."""

FLIPPING = shared.OWN_PHASE
OWN_PHASES = ("flip",)

ACTIONS = Actions(shared.LAYER_ACTIONS, flip=TRIPLET_PLACES)
(FLIP,) = ACTIONS.firsts
"""The first flip. `flip p` is FLIP + p - 1, because notation counts places from 1."""

WAYS_OF_PAIRS = 2
POINTS = np.ones((5, FACES), np.int8)
"""M2-09, M3-05: points of a set of each face, by option `special`: `add` and `replace` for pairs, followed by `books`,
`match2` and `none` for triplets."""

for way, (infinity, zero, question, half) in enumerate([(3, -1, 2, 0), (2, -2, 1, -1), (4, -2, 2, 0), (3, -1, 2, 0)]):
    POINTS[way, INFINITY], POINTS[way, ZERO] = infinity, zero
    POINTS[way, QUESTION], POINTS[way, HALF] = question, half

MIXED = 1
"""M2-05, M3-07: points of a set with a wild question mark."""


def match_state(alike: int, places: int, **options: Any) -> np.dtype[Any]:
    """Return the record type of a game with sets of `alike` cards in a layout of `places` places."""
    schema = record(**shared.shared_options, special=i1, qmark_wild=i1, target=i2, stall_limit=i2, **options)
    return shared.chimax_state(
        schema,
        alike=i1,
        full_turns=i1,  # M3-03: 1 if every turn shows `alike` cards, 0 if it stops at the first misfit
        layout=shared.layout(places, alike),
        taken=(pile(places), shared.SEATS),  # set after set, in the order taken
        missed=record(length=i1, places=(i1, alike), faces=(i1, alike)),  # the last miss, until the next flip
        turns=i4,
    )


PAIR_STATE = match_state(PAIR, PAIR_PLACES)
TRIPLET_STATE = match_state(TRIPLET, TRIPLET_PLACES, flips=i1)


def match_observed(places: int) -> Observed:
    """Return the observation layout of a game with `places` places."""
    return shared.observed(
        FLIPPING + 1,
        {
            **shared.observed_layout("layout", places),
            "taken.cards": number("cards taken, in order"),
            "missed.places": number("places of the cards of the last miss"),
            "missed.faces": placed(FACES, "cards of the last miss"),
        },
        counters=["turns", "layout.dead"],
    )


PAIR_OBSERVED, TRIPLET_OBSERVED = match_observed(PAIR_PLACES), match_observed(TRIPLET_PLACES)
