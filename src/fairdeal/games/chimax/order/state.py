"""CHIMAX ORDER: the actions."""

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.options import option_number
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.order.options import OrderOptions
from fairdeal.games.chimax.state import LAYER_ACTIONS, OWN_PHASE

FLIPPING = OWN_PHASE

ACTIONS = Actions(LAYER_ACTIONS, flip=FACES)
(FLIP,) = ACTIONS.firsts
"""The first flip. `flip p` is FLIP + p - 1, because notation counts places from 1."""

BOARDS = 3
"""ORDER-03: maximum number of layouts. The deck contains only three full sets."""

SHARED_BOARD = option_number(OrderOptions, board="shared")
RACE = option_number(OrderOptions, board="race")
OWN_BOARDS = option_number(OrderOptions, board="own")
ASCENDING = option_number(OrderOptions, direction="ascending")
DESCENDING = option_number(OrderOptions, direction="descending")
EITHER = option_number(OrderOptions, direction="either")
RESTART = option_number(OrderOptions, on_miss="restart")
MOST_PLACED = option_number(OrderOptions, winner="most_placed")
