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
"""`flip p` is FLIP + p - 1: places are counted from 1 in writing."""

BOARDS = 3
"""ORDER-03: three seats at most have thirteen cards of their own."""

SHARED_BOARD, RACE, OWN_BOARDS = 0, 1, 2
ASCENDING, DESCENDING, EITHER = 0, 1, 2
STAY, RESTART = 0, 1
COMPLETER, MOST_PLACED = 0, 1

STATE = chimax_state(
    options_record(OrderOptions),
    boards=(layout(FACES, FACES), BOARDS),
    run=pile(FACES),  # on a shared board: who placed each card of the sequence
    direction=i1,  # EITHER until the first card decides it
    best=record(run=i1, seat=i1),
    misses=(i2, SEATS),
    missed=record(seat=i1, place=i1, card=i1),  # what everybody has just seen turned back; NOBODY's if nothing
)
"""`match.totals` are the cards that each seat has placed: in a race and on own boards its place in the sequence."""

OBSERVED = observed(
    FLIPPING + 1,
    {
        **observed_layout("boards", FACES),
        "run.cards": one_seat("who placed each card of the sequence"),
        "direction": one_of(EITHER + 1),
        "best.seat": one_seat(),
        "misses": number("how often each has missed"),
        "missed.seat": one_seat("who has just turned back a card"),
        "missed.card": placed(FACES, "that card"),
    },
)
