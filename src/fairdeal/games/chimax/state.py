"""CHIMAX: what the records and the actions of all its games share."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairdeal.engine.actions import Actions, Verb
from fairdeal.engine.records import game_state, i1, i2, pile, record
from fairdeal.games.chimax.deck import CARDS, VALUES

SEATS = 4

trick = record(
    leader=i1,
    length=i1,
    seats=(i1, SEATS),
    cards=(i1, SEATS),
    settled=i1,  # entries whose question marks are declared, or stay bare
    declared=(pile(SEATS), SEATS),  # values by seat, in order of declaration, as faces
    taps=(i1, SEATS),
    committed=(i1, SEATS),  # slots, EMPTY where there is none
    scope=i1,
    takes_book=i1,
    simultaneous=i1,
    peek=i1,
)
"""A Book under way: its cards in play order, what was declared in this round, and how Books are played here."""

# Phases that every game has; those of its own follow from OWN_PHASE on.
DEALING, CUTTING, PLAYOFF, OVER, OWN_PHASE = 0, 1, 2, 3, 4
SHARED_PHASES = ("deal", "cut", "playoff", "over")
"""The same in words, as positions have them."""

LAYER_ACTIONS = Actions(deal=1, cut=Verb(CARDS - 1, start=1), declare=VALUES, playoff_card=1, clock=1)
"""Actions that every game has; those of its own follow. TOUR-04: `clock` is the house's, in every game."""
DEAL, CUT, DECLARE, PLAYOFF_CARD, CLOCK = LAYER_ACTIONS.firsts
OWN = len(LAYER_ACTIONS)

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


def layout(places: int, turned: int) -> np.dtype[Any]:
    """Places with cards that keep their numbers. `open` are the places turned this turn, at most `turned` of them;
    `seen` all that were ever turned, in that order. Places are numbered from 0 here and from 1 in writing."""
    return record(
        length=i1,
        cards=(i1, places),
        open=pile(turned),
        seen=pile(places),
        dead=i2,
        live=i1,
    )
