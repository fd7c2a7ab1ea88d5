"""WAR X-TREME: the catalogue as numeric tables, so that rules refer to kinds, ranks and primitives, never to card
names.

The tables are part of the options record. The compiled code therefore plays any catalogue, and a log includes its own.
"""

from fairdeal.engine.records import Record, i1, record, rule, u4

SUITS = 8
SUITS_OF_A_SET = 2
SETS = 4
REGULAR_FACES = 12
UNIQUE_FACES = 3
FACES = REGULAR_FACES + UNIQUE_FACES
CARD_KINDS = SUITS * FACES
UNIQUES = SUITS * UNIQUE_FACES
CARDS_OF_A_SUIT = 20
CARDS_OF_A_SET = CARDS_OF_A_SUIT * SUITS_OF_A_SET
EQUIPMENT_NUMBERS = 64
SPEED_ACTIONS = 16

TURNED = -3
"""Offset for doubles whose second end is up. Such a card has the number TURNED - kind (-3..-122).

Any other card has the number of its kind, 15 * suit + face (0..119). All cards, UNKNOWN (-1) and EMPTY (-2) therefore
fit into one byte. The same subtraction turns a card back.
"""

# WAR-10, 11: the ranks.
LOWEST, TWO, ACE = 1, 2, 15
WILD_RANK, JOKER_RANK, WAR_RANK, SPEED_RANK, WIN_RANK, TAX_RANK = 16, 17, 18, 19, 20, 21

# Kinds of playing cards, the weakest special one first (WAR-15).
REGULAR, LOSE, WILD, JOKER, WAR, SPEED, WIN, TAX = 0, 1, 2, 3, 4, 5, 6, 7

# WAR-21: the opponents that a War card names; WAR-24: the source of the next stakes.
HIGH, LOW, ALL = 0, 1, 2
FROM_ARMY, FROM_CAMP = 0, 1

# WAR-74: kinds of equipment.
ONCE, CONTINUOUS, CURSE, MUST = 0, 1, 2, 3

# WAR-75: windows, as a bit set in `equipment_windows`.
IN_PREP, IN_REACT, IN_BRACE, IN_CLASH = 1, 2, 4, 8

# Targets of equipment.
AT_NOTHING, AT_RIVAL, AT_SEAT, AT_SLOT = 0, 1, 2, 3

# WAR-80: the twelve primitives.
MOD, REDRAW, PEEK, MOVE, WITHDRAW, DECLARE, SCRAP, TAX_SHARE, WARD, STAKE, PASS_CAMPS, DRAW = range(12)

# For `mod`: the time at which it counts, and the seat it counts for; for `move`: source and destination.
NOW, AT_FLIP, AT_RECRUIT = 0, 1, 2
SELF, TARGET, OTHERS, TAX_PILE = 0, 1, 2, 3

catalogue = record(
    digest=(u4, 4),  # hash of the catalogue, for finding its names; rules do not read it
    suit_set=(i1, SUITS),
    face_ranks=(i1, 2 * REGULAR_FACES),  # [2 * face + end]; a face that is not a double has its rank twice
    face_copies=(i1, REGULAR_FACES),  # in each suit
    unique_kind=(i1, UNIQUES),  # [3 * suit + face - 12], also for the next five arrays
    unique_rank=(i1, UNIQUES),
    unique_target=(i1, UNIQUES),  # of a War card
    unique_source=(i1, UNIQUES),  # of a War card
    unique_action=(i1, UNIQUES),  # of a Speed card: the number of its action
    unique_draw=(i1, UNIQUES),  # pieces of equipment drawn by a seat that takes a pot with this card
    action_count=i1,
    equipment_count=i1,  # numbers run from 1 to this
    equipment_kind=(i1, EQUIPMENT_NUMBERS),  # [number - 1], also for the arrays below
    equipment_windows=(i1, EQUIPMENT_NUMBERS),
    equipment_target=(i1, EQUIPMENT_NUMBERS),
    equipment_op=(i1, EQUIPMENT_NUMBERS),
    equipment_amount=(i1, EQUIPMENT_NUMBERS),  # n, or the numerator of a tax share
    equipment_divisor=(i1, EQUIPMENT_NUMBERS),  # the denominator of a tax share, else 1
    equipment_when=(i1, EQUIPMENT_NUMBERS),  # of a mod: NOW, AT_FLIP, AT_RECRUIT
    equipment_from=(i1, EQUIPMENT_NUMBERS),  # of a move: SELF, TARGET, TAX_PILE
    equipment_to=(i1, EQUIPMENT_NUMBERS),  # of a mod NOW: SELF, TARGET; of a move: any place but its source
)


@rule
def suit_of(kind: int) -> int:
    return kind // FACES


@rule
def unique_of(kind: int) -> int:
    """Return the index of a kind among the unique cards, or a negative number for a regular card."""
    face = kind % FACES - REGULAR_FACES
    if face < 0:
        return face
    return UNIQUE_FACES * (kind // FACES) + face


@rule
def copies_of(tables: Record, kind: int) -> int:
    """Return the number of cards of a kind in its set."""
    face = kind % FACES
    return int(tables.face_copies[face]) if face < REGULAR_FACES else 1


@rule
def kind_of_card(tables: Record, kind: int) -> int:
    """Return REGULAR, or the kind of a special card (WAR-15)."""
    unique = unique_of(kind)
    return REGULAR if unique < 0 else int(tables.unique_kind[unique])


@rule
def kind_of(card: int) -> int:
    """WAR-12: return the kind number of a card, whichever end is up."""
    return int(card) if card >= 0 else TURNED - int(card)
