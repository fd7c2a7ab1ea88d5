"""CHIMAX CUT: the actions and the phases."""

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.options import option_number
from fairdeal.games.chimax.cut.options import CutOptions
from fairdeal.games.chimax.state import CUTTING, LAYER_ACTIONS, OWN_PHASE

# Phases. Cutting uses the phase that the layer has for the cut before a deal.
DECIDING, DECLARING = OWN_PHASE, OWN_PHASE + 1
RUNNING = (CUTTING, DECIDING, DECLARING)
"""The phases of a round in progress."""

ACTIONS = Actions(LAYER_ACTIONS, keep=1)
(KEEP,) = ACTIONS.firsts

KNOCKOUT = option_number(CutOptions, mode="knockout")
UNTIL_INFINITY = option_number(CutOptions, mode="until_infinity")
ONE_CUT = option_number(CutOptions, mode="one_cut")
DECLARED_MARKS = option_number(CutOptions, qmark="declare")
"""CUT-07: a kept question mark counts as the declared value, and not as almost nothing."""
