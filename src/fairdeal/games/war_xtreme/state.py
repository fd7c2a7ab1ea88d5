"""WAR X-TREME: the cards, the actions and the phases."""

from typing import Literal, get_args

from fairdeal.engine.kit.actions import Actions, Verb
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.war_xtreme.catalogue import tables as printed

SEATS = 8
SLOTS = 8
CARDS = printed.CARDS_OF_A_SET * printed.SETS
ARMY = 13
"""WAR-05: number of cards dealt to each seat."""
EQUIPMENT = printed.EQUIPMENT_NUMBERS * printed.SETS
WARS = SEATS // 2

SHUFFLE, CUT, ROTATE = 1, 2, 4
"""WAR-63: the ways to handle a distrusted pile, as bits, in the order in which they are applied."""

TARGETS = 9
"""Number of actions for each piece of equipment: one without a target, and one for each seat 0..7 or slot 1..8."""

ACTIONS = Actions(
    pass_=1,  # also locks a seat out of a race
    flip=1,
    sweep=1,
    yes=1,
    no=1,
    flee=1,
    buy_in=WARS,
    recruit=SLOTS,
    trust=Verb(at=20),
    distrust=Verb(SHUFFLE + CUT + ROTATE, start=1),
    act=Verb(printed.SPEED_ACTIONS, at=30),
    call=Verb(printed.WILD_RANK - printed.TWO + 1, start=printed.TWO, at=48),
    catch=Verb(SEATS, at=64),
    dispute=SEATS,
    ask=SEATS,
    equip=Verb(TARGETS * printed.EQUIPMENT_NUMBERS, at=96),
    clock=1,  # sent by the program when time runs out, never by a seat
)
"""The actions and their numbers (specification, section 9)."""
PASS, FLIP, SWEEP, YES, NO, FLEE, BUY_IN, RECRUIT, TRUST, DISTRUST, ACT, CALL, CATCH, DISPUTE, ASK, EQUIP, CLOCK = (
    ACTIONS.firsts
)

# Phases (section 6) in which a seat decides ...
EXTREME, REGROUP, PREP, DISPUTING, REACT, CALLING, RACE, CHOICE, BRACE, RECRUITING, CLASH, SWEEPING, OVER = range(13)
# ... and phases that the rules pass through on their own.
OPENING, TURNING, RESOLVING, JOINING, NEXT_WAR, STAKING, PICKING, ENDING = range(13, 21)
AUTOMATIC = OPENING

Phase = Literal[
    "EXTREME",
    "REGROUP",
    "PREP",
    "DISPUTE",
    "REACT",
    "WILD",
    "RACE",
    "CHOICE",
    "BRACE",
    "RECRUIT",
    "CLASH",
    "SWEEP",
    "OVER",
]
PHASES: tuple[Phase, ...] = get_args(Phase)
"""Names of the phases in which a seat decides, as written in the specification. Texts and pictures use these names."""


def phase_of(state: Snapshot) -> Phase:
    """Return the name of the current phase."""
    return PHASES[state.phase]


# Reasons why a seat needs cards when it regroups; they determine the phase that follows.
FOR_ROUND, FOR_TURN, FOR_PRICE, FOR_STAKES = 0, 1, 2, 3

# Values of `choices` in EXTREME, in CHOICE and in a seeded race (RACED + action number, or RACED_PASS).
UNANSWERED = 0
SAID_YES, SAID_NO = 1, 2
FLEES, IS_SPOILS, BUYS = 1, 2, 3  # BUYS + the index of a war
RACED = 2
RACED_PASS = 1

# Tags of cards in the centre: war index * POT + the seat that staked the card, or POT_UP. ON_TABLE + seat marks cards
# on a seat's table.
POT = 16
POT_UP = 8
ON_TABLE = WARS * POT

# Zones of equipment, in the order of the array. Each of the first three stands for eight zones, one per seat.
IN_PLAY, IN_HAND, HIDDEN = 0, SEATS, 2 * SEATS
STORE, JUNK = 3 * SEATS, 3 * SEATS + 1
ZONES = JUNK + 1

SAID_CATCH, SAID_DISPUTE = 1, 2
