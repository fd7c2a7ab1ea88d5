"""CHIMAX FATE: the actions and the phases."""

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.options import option_number
from fairdeal.games.chimax import state as shared
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.fate.options import FateOptions

PLACES = FACES
"""FATE-02: number of places, one for a card of each face."""

ACTIONS = Actions(shared.LAYER_ACTIONS, spin=1, flip=PLACES, stop=1, name=FACES)
SPIN, FLIP, STOP, NAME = ACTIONS.firsts
"""The first action of each verb. `flip p` is FLIP + p - 1, because notation counts places from 1."""

SPINNING, FLIPPING, CHOOSING, NAMING = range(shared.OWN_PHASE, shared.OWN_PHASE + 4)
OWN_PHASES = ("spin", "flip", "choose", "name")
PHASES = (*shared.SHARED_PHASES, *OWN_PHASES)
"""The names of all phases."""

AT_REST = -1
"""The value of `wheel` before a spin."""

IN_A_POINT = 1024
"""FATE-08: weight of a point relative to a card, so that cards only break ties."""

BY_FACE = option_number(FateOptions, wheel="face")
FALLING = option_number(FateOptions, prize="falling")
