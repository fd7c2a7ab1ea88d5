"""CHIMAX CUT: the actions and the record of a game."""

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.forms import number, placed, some_seats
from fairdeal.engine.options import options_record
from fairdeal.engine.records import i1, pile
from fairdeal.games.chimax.cut.options import CutOptions
from fairdeal.games.chimax.deck import CARDS, KINDS
from fairdeal.games.chimax.state import CUTTING, LAYER_ACTIONS, OWN_PHASE, SEATS, chimax_state, observed

# Phases. Cutting uses the phase that the layer has for the cut before a deal.
DECIDING, DECLARING = OWN_PHASE, OWN_PHASE + 1
RUNNING = (CUTTING, DECIDING, DECLARING)
"""The phases of a round in progress."""

ACTIONS = Actions(LAYER_ACTIONS, keep=1)
(KEEP,) = ACTIONS.firsts

KNOCKOUT, UNTIL_INFINITY, ONE_CUT = 0, 1, 2
"""CUT-06: the ways to decide a round."""

DECLARED_MARKS, LOW_MARKS = 0, 1
"""CUT-07: the ways to rank a kept question mark: as the declared value, or between 1 and half."""

STATE = chimax_state(
    options_record(CutOptions),
    alive=i1,  # seats still in the round, as a bit set
    kept=(i1, SEATS),  # EMPTY for none
    shown=i1,  # EMPTY for none
    cuts=i1,  # number of cuts this turn
    out=pile(CARDS),  # in the order of leaving
)
"""The record of a game. The deck is the `pack` of the tournament layer, with its top card first. The values declared in
a round, by any seat, are `book.declared[0]`."""

OBSERVED = observed(
    DECLARING + 1,
    {
        "alive": some_seats("seats still in the round"),
        "kept": placed(KINDS, "kept card"),
        "shown": placed(KINDS, "card shown"),
        "out.cards": number("cards that have left the deck, in order"),
    },
)
