"""CHIMAX: what the records and the actions of all its games share."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairdeal.engine.records import game_state, i1, i2, pile
from fairdeal.games.chimax.deck import CARDS, VALUES
from fairdeal.games.chimax.trick import SEATS, trick

# Phases that every game has; those of its own follow from OWN_PHASE on.
DEALING, CUTTING, PLAYOFF, OVER, OWN_PHASE = 0, 1, 2, 3, 4

# Actions that every game has; those of its own follow from OWN on.
DEAL = 0
CUT = 0
"""`cut k` is CUT + k."""
DECLARE = CARDS
PLAYOFF_CARD = DECLARE + VALUES
CLOCK = PLAYOFF_CARD + 1
"""TOUR-04: the one action that the house has in every game."""
OWN = CLOCK + 1

BY_ENGINE, BY_PLAYER = 0, 1
WITH_PLAYOFF, SHARED = 0, 1

shared_options: dict[str, Any] = {
    "tournament": i1,
    "round_minutes": i1,
    "cut": i1,
    "first_dealer": i1,
    "tie_break": i1,
}
"""The fields of an options record for the tournament layer (specification, section 8)."""


def chimax_state(options: np.dtype[Any], seats: int = SEATS, **fields: Any) -> np.dtype[Any]:
    """The record of a game of the system. `match.game` is the round, `match.totals` the points; `ones` are the single
    cards of a playoff, `tied` and `winners` sets of seats as bits."""
    return game_state(
        seats,
        options,
        phase=i1,
        turn=i1,
        dealer=i1,
        tied=i1,
        winners=i1,
        ones=(i1, SEATS),
        book=trick,
        pack=pile(CARDS),
        round_scores=(i2, SEATS),
        **fields,
    )
