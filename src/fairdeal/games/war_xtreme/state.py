"""WAR X-TREME: the cards, the actions, the phases and the record of a game."""

from typing import Literal, get_args

from fairdeal.engine.kit.actions import Actions, Verb
from fairdeal.engine.kit.forms import Observed, flags, in_order, number, one_of, one_seat, some_seats
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import game_state, i1, i2, i4, record
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

# Options with a choice of words.
CATCH_THEM, ENFORCED = 0, 1
ENDS_GAME, OUT = 0, 1
MORE_WARS, COIN = 0, 1
ARRIVAL, SEEDED = 0, 1
LEFT, CHOOSE = 0, 1
FIFTH, CAP = 0, 1

deck = record(army=i2, camp=i2, cards=(i1, CARDS))
"""WAR-08: the record type of the cards that a seat owns. The army starts at index 0, with its top card last. The camp
is stored from the last index down, in catalogue order. Indices in between hold 0."""

tax_pile = record(length=i2, cards=(i1, CARDS))
"""The record type of the tax pile, with its top card last."""

centre = record(length=i2, cards=(i1, CARDS), tags=(i1, CARDS))
"""The record type of cards that do not belong to any seat: those in pots, and those under the face-up card of a table
(WAR-76). They are sorted by tag, and then by catalogue order in a pot and by age on a table."""

war = record(rank=i1, depth=i1, source=i1, warriors=i2, borrowing=i2)
"""The record type of a war of the current round. `warriors` and `borrowing` are sets of seats, and `source` is the
source of the next stakes."""

equipment = record(cards=(i1, EQUIPMENT), ends=(i2, ZONES))
"""The record type of all equipment, grouped by zone. `ends` holds the end index of each zone. Equipment in play is
ordered oldest first, the store top first, and other zones by number."""

seat = record(brag=i4, wars_won=i4, trusted=i4, distrusted=i4, out_round=i4, seen=i2, said=i1)
"""The record type of a seat's public statistics. `seen` is the set of slots (bits 0..7) whose recruits it has peeked
at. `said` records whether it has made its accusation and its challenge in this PREP."""

regroup = record(fresh=i2, owner=i1, asked=i1, purpose=i1)
"""WAR-60: the record type of a regrouping. The lowest `fresh` cards of the owner's army come from its camp. `asked` is
NOBODY while the owner chooses the seat to ask for trust."""

earned = record(length=i1, seats=(i1, WARS), numbers=(i1, WARS))
"""WAR-42: the record type of the equipment to draw at the end of the round, in the order in which the pots were
swept."""

options = record(
    max_rounds=i4,
    race_ms=i4,
    sets=(i1, printed.SETS),  # set numbers 1..4, padded with 0
    ask_extreme=i1,
    equipment=i1,
    must_play=i1,
    caught=i1,
    false_catch=i1,
    final_inspection=i1,
    war_conflict=i1,
    race=i1,
    trust=i1,
    trust_partner=i1,
    tax_over_59=i1,
    dispute=i1,
    auto_sweep=i1,
    catalogue=printed.catalogue,
)

STATE = game_state(
    SEATS,
    options,
    phase=i1,
    turn=i1,  # the seat that is asked, if there is only one
    round_no=i4,
    marshal=i1,
    alive=i2,  # a set of seats: bit s is seat s
    flipped=i2,
    passes=i1,
    seats=(seat, SEATS),
    decks=(deck, SEATS),
    faces=(i1, SEATS),  # face-up cards of a fight, or recruits while they are picked; EMPTY if a seat has none
    turned=(i1, SEATS),  # the card each seat turned last, at the reveal or as a recruit, visible to everyone
    swept=i1,  # 1 + the seat that took the last pot of the round, or 0; rules read neither `turned` nor `swept`
    picked=i2,  # warriors who have a recruit for this step, or an empty hand
    slots=(i1, SLOTS),
    tax=tax_pile,
    centre=centre,
    war_count=i1,
    wars=(war, WARS),
    mods=(i2, SEATS),
    declared=(i1, SEATS),  # 1 + the target's seat
    called=(i1, SEATS),
    choices=(i1, SEATS),
    locked=i2,
    equipment=equipment,
    earned=earned,
    regroup=regroup,
    challenger=i1,
    caught=i2,
    winners=i2,
)

OBSERVED = Observed(
    {
        "phase": one_of(len(PHASES), words=", ".join(PHASES)),
        "turn": one_seat("seat to act, if there is only one"),
        "marshal": one_seat(),
        "alive": some_seats("seats still in the game"),
        "flipped": some_seats("seats that have flipped in this round"),
        "seats.seen": flags(SLOTS, "slots whose recruits the seat has seen"),
        "decks.cards": number("army, top card last, then empty places, then the camp in catalogue order"),
        "faces": number("face-up card in a fight, or recruit"),
        "turned": number("card turned last"),
        "swept": one_seat("seat that took the last pot of the round", first=1),
        "picked": some_seats("warriors with a recruit for this step, or an empty hand"),
        "slots": in_order(number()),
        "tax.cards": number("cards of the tax pile"),
        "centre.cards": number("cards in pots and below the face-up cards of tables"),
        "centre.tags": number("locations of those cards"),
        "wars.warriors": some_seats(),
        "wars.borrowing": some_seats(),
        "mods": number("amount added to the rank"),
        "declared": one_seat("opponent named", first=1),
        "called": number("rank called for a Wild"),
        "choices": number("answer"),
        "locked": some_seats("seats locked out of the race"),
        "equipment.cards": number("all equipment, zone by zone"),
        "equipment.ends": number("end of each zone"),
        "regroup.owner": one_seat(),
        "regroup.asked": one_seat(),
        "challenger": one_seat(),
        "caught": some_seats(),
        "winners": some_seats(),
        "earned.seats": in_order(one_seat()),
    },
    rotates=False,  # actions contain seat numbers
    bounds={
        "round_no": (0, "max_rounds"),
        "seats.out_round": (0, "max_rounds"),
        **dict.fromkeys(("seats.brag", "seats.wars_won", "seats.trusted", "seats.distrusted"), (0, None)),
    },
)
