"""CHIMAX FATE: the actions, the phases and the record of a game."""

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.forms import flags, number, one_of, placed
from fairdeal.engine.options import options_record
from fairdeal.engine.records import i1, i2, i4, pile, record
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

BY_FACE, BY_PLACE = 0, 1
FALLING, FLAT = 0, 1

STATE = shared.chimax_state(
    options_record(FateOptions),
    layout=shared.layout(PLACES, PLACES),
    wheel=i1,  # the face called for, the place pointed at (FATE-05), or AT_REST
    left=i2,  # faces left in the layout, as a set
    taken=(pile(PLACES), shared.SEATS),  # in the order taken
    spins=i4,
    missed=record(place=i1, card=i1),  # the last card of a turn that ended in a miss; EMPTY for none
)

OBSERVED = shared.observed(
    len(PHASES),
    {
        **shared.observed_layout("layout", PLACES),
        "wheel": one_of(PLACES + 1, AT_REST, "at rest, or the face or place called for"),
        "left": flags(FACES, "faces still in the layout"),
        "taken.cards": number("cards taken, in order"),
        "missed.card": placed(FACES, "last card of the previous turn, turned back"),
    },
    counters=["spins", "layout.dead"],
)
