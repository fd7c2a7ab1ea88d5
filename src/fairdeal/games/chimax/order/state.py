"""CHIMAX ORDER: the actions and the record of a game."""

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.forms import number, one_of, one_seat, placed
from fairdeal.engine.options import options_record
from fairdeal.engine.records import i1, i2, pile, record
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.order.options import OrderOptions
from fairdeal.games.chimax.state import LAYER_ACTIONS, OWN_PHASE, SEATS, chimax_state, layout, observed, observed_layout

FLIPPING = OWN_PHASE

ACTIONS = Actions(LAYER_ACTIONS, flip=FACES)
(FLIP,) = ACTIONS.firsts
"""The first flip. `flip p` is FLIP + p - 1, because notation counts places from 1."""

BOARDS = 3
"""ORDER-03: maximum number of layouts. The deck contains only three full sets."""

SHARED_BOARD, RACE, OWN_BOARDS = 0, 1, 2
ASCENDING, DESCENDING, EITHER = 0, 1, 2
STAY, RESTART = 0, 1
COMPLETER, MOST_PLACED = 0, 1

STATE = chimax_state(
    options_record(OrderOptions),
    boards=(layout(FACES, FACES), BOARDS),
    run=pile(FACES),  # on a shared board: the seat that placed each card
    direction=i1,  # EITHER until the first card sets it
    best=record(run=i1, seat=i1),
    misses=(i2, SEATS),
    missed=record(seat=i1, place=i1, card=i1),  # the card just turned back; seat NOBODY for none
)
"""The record of a game. `match.totals` counts the cards placed by each seat, which is its progress if sequences are
separate."""

OBSERVED = observed(
    FLIPPING + 1,
    {
        **observed_layout("boards", FACES),
        "run.cards": one_seat("seats that placed the cards of the sequence"),
        "direction": one_of(EITHER + 1),
        "best.seat": one_seat(),
        "misses": number("number of misses"),
        "missed.seat": one_seat("seat that has just turned back a card"),
        "missed.card": placed(FACES, "card just turned back"),
    },
    counters=["misses", "boards.dead"],
)
