"""CHIMAX: the actions and the phases that all its games share."""

from fairdeal.engine.kit.actions import Actions, Verb
from fairdeal.engine.options import option_number
from fairdeal.games.chimax.deck import CARDS, VALUES
from fairdeal.games.chimax.options import TournamentOptions

SEATS = 4

# The phases of all games; each game's own phases start at OWN_PHASE.
DEALING, CUTTING, PLAYOFF, OVER, OWN_PHASE = 0, 1, 2, 3, 4
SHARED_PHASES = ("deal", "cut", "playoff", "over")
"""The phases that all games share, as named in positions."""

LAYER_ACTIONS = Actions(deal=1, cut=Verb(CARDS - 1, start=1), declare=VALUES, playoff_card=1, clock=1)
"""The actions that all games share, which each game extends. TOUR-04: `clock` belongs to the house in every game."""
DEAL, CUT, DECLARE, PLAYOFF_CARD, CLOCK = LAYER_ACTIONS.firsts
OWN = len(LAYER_ACTIONS)

BY_PLAYER = option_number(TournamentOptions, cut="player")
WITH_PLAYOFF = option_number(TournamentOptions, tie_break="playoff")
