"""CHIMAX: the records and actions shared by all its games."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairdeal.engine.kit.actions import Actions, Verb
from fairdeal.engine.kit.forms import Form, Observed, absent, in_order, number, one_of, one_seat, placed, some_seats
from fairdeal.engine.records import game_state, i1, i2, pile, record
from fairdeal.games.chimax.deck import CARDS, FACES, KINDS, VALUES

SEATS = 4

trick = record(
    leader=i1,
    length=i1,
    seats=(i1, SEATS),
    cards=(i1, SEATS),
    settled=i1,  # number of entries whose question marks are declared or stay bare
    declared=(pile(SEATS), SEATS),  # values by seat, in order of declaration, as faces
    taps=(i1, SEATS),
    committed=(i1, SEATS),  # slots; EMPTY for none
    scope=i1,
    takes_book=i1,
    simultaneous=i1,
    peek=i1,
)
"""The record type of a Book in play: its cards in order of play, the values declared in this round, and the rules for
Books at this table."""

# The phases of all games; each game's own phases start at OWN_PHASE.
DEALING, CUTTING, PLAYOFF, OVER, OWN_PHASE = 0, 1, 2, 3, 4
SHARED_PHASES = ("deal", "cut", "playoff", "over")
"""The phases that all games share, as named in positions."""

LAYER_ACTIONS = Actions(deal=1, cut=Verb(CARDS - 1, start=1), declare=VALUES, playoff_card=1, clock=1)
"""The actions that all games share, which each game extends. TOUR-04: `clock` belongs to the house in every game."""
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
    """Return the record type of a game. `match.game` is the number of the round, and `match.totals` are the points.
    `ones` are the single cards of a playoff. `tied` and `winners` are sets of seats, as bits."""
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
    """Return the record type of a layout, where cards keep their places.

    `open` lists the places turned up in this turn, at most `turned` of them. `seen` lists all places ever turned up, in
    order. Places are numbered from 0 in the record, and from 1 in notation.
    """
    return record(
        length=i1,
        cards=(i1, places),
        open=pile(turned),
        seen=pile(places),
        dead=i2,
        live=i1,
    )


def observed(phases: int, forms: Mapping[str, Form], counters: Sequence[str] = ()) -> Observed:
    """Return the observation layout of a game with `phases` phases: the shared fields, followed by the forms in
    `forms`. The fields `counters` are never negative."""
    shared = {
        "phase": one_of(phases, words=", ".join(SHARED_PHASES) + ", then the phases of the game"),
        "turn": one_seat("seat on turn"),
        "dealer": one_seat(),
        "tied": some_seats("tied seats in a playoff"),
        "winners": some_seats(),
        "ones": placed(FACES, "hand card in a playoff"),
        "book.leader": one_seat(),
        "book.seats": in_order(one_seat("seats that played the cards of the Book")),
        "book.cards": placed(KINDS, "cards of the Book in order of play"),
        "book.declared.cards": one_of(FACES, words="declared values, in order"),
        "pack.cards": absent(),
    }
    return Observed(shared | dict(forms), bounds=dict.fromkeys(counters, (0, None)))


def observed_layout(name: str, places: int) -> dict[str, Form]:
    """Return the observation forms of a `layout` with `places` places."""
    return {
        f"{name}.cards": placed(FACES, "cards of the layout"),
        f"{name}.open.cards": one_of(places, words="places turned up in this turn"),
        f"{name}.seen.cards": number("places turned up so far, in order of the first time"),
        f"{name}.dead": number("number of turns without a new card"),
    }
