"""WAR X-TREME: the cards of a table as numbers, so that rules know kinds, ranks and primitives and no card by name.

The tables are part of the record's options: one compiled code plays any catalogue, and a log carries its own.
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
"""A card is the number of its kind, 15 * suit + face (0..119). A double whose second end is up is TURNED - kind
(-3..-122), so that every card takes one byte beside UNKNOWN (-1) and EMPTY (-2). Turning it again is the same sum."""

# WAR-10, 11: the ranks.
LOWEST, TWO, ACE = 1, 2, 15
WILD_RANK, JOKER_RANK, WAR_RANK, SPEED_RANK, WIN_RANK, TAX_RANK = 16, 17, 18, 19, 20, 21

# Kinds of playing cards, the weakest special one first (WAR-15).
REGULAR, LOSE, WILD, JOKER, WAR, SPEED, WIN, TAX = 0, 1, 2, 3, 4, 5, 6, 7

# WAR-21: whom a War card names; WAR-24: where the next stakes come from.
HIGH, LOW, ALL = 0, 1, 2
FROM_ARMY, FROM_CAMP = 0, 1

# WAR-74: kinds of equipment.
ONCE, CONTINUOUS, CURSE, MUST = 0, 1, 2, 3

# WAR-75: windows, as a bit set in `equipment_windows`.
IN_PREP, IN_REACT, IN_BRACE, IN_CLASH = 1, 2, 4, 8

# What an equipment card is aimed at.
AT_NOTHING, AT_RIVAL, AT_SEAT, AT_SLOT = 0, 1, 2, 3

# WAR-80: the twelve primitives.
MOD, REDRAW, PEEK, MOVE, WITHDRAW, DECLARE, SCRAP, TAX_SHARE, WARD, STAKE, PASS_CAMPS, DRAW = range(12)

# `mod`: when it counts, and for whom; `move`: from where to where.
NOW, AT_FLIP, AT_RECRUIT = 0, 1, 2
SELF, TARGET, OTHERS, TAX_PILE = 0, 1, 2, 3

catalogue = record(
    digest=(u4, 4),  # which catalogue this is, for those who know its words; no rule reads it
    suit_set=(i1, SUITS),
    face_ranks=(i1, 2 * REGULAR_FACES),  # [2 * face + end]; a face that is no double has its rank twice
    face_copies=(i1, REGULAR_FACES),  # of each suit
    unique_kind=(i1, UNIQUES),  # [3 * suit + face - 12], and so the next five
    unique_rank=(i1, UNIQUES),
    unique_target=(i1, UNIQUES),  # of a War card
    unique_source=(i1, UNIQUES),  # of a War card
    unique_action=(i1, UNIQUES),  # of a Speed card: the number of its action
    unique_draw=(i1, UNIQUES),  # equipment drawn by whoever takes a pot with it
    action_count=i1,
    equipment_count=i1,  # numbers 1 to this
    equipment_kind=(i1, EQUIPMENT_NUMBERS),  # [number - 1], and so all that follow
    equipment_windows=(i1, EQUIPMENT_NUMBERS),
    equipment_target=(i1, EQUIPMENT_NUMBERS),
    equipment_op=(i1, EQUIPMENT_NUMBERS),
    equipment_amount=(i1, EQUIPMENT_NUMBERS),  # n; of a tax share the numerator
    equipment_divisor=(i1, EQUIPMENT_NUMBERS),  # of a tax share the denominator, else 1
    equipment_when=(i1, EQUIPMENT_NUMBERS),  # of a mod: NOW, AT_FLIP, AT_RECRUIT
    equipment_from=(i1, EQUIPMENT_NUMBERS),  # of a move: SELF, TARGET, TAX_PILE
    equipment_to=(i1, EQUIPMENT_NUMBERS),  # of a mod NOW: SELF, TARGET; of a move: any but where it comes from
)


@rule
def suit_of(kind: int) -> int:
    return kind // FACES


@rule
def unique_of(kind: int) -> int:
    """The place of a kind among the unique cards; negative for a regular card."""
    face = kind % FACES - REGULAR_FACES
    if face < 0:
        return face
    return UNIQUE_FACES * (kind // FACES) + face


@rule
def copies_of(tables: Record, kind: int) -> int:
    """How many cards of a kind its set has."""
    face = kind % FACES
    return int(tables.face_copies[face]) if face < REGULAR_FACES else 1


@rule
def kind_of_card(tables: Record, kind: int) -> int:
    """What a card does: REGULAR, or the kind of a special one (WAR-15)."""
    unique = unique_of(kind)
    return REGULAR if unique < 0 else int(tables.unique_kind[unique])


@rule
def kind_of(card: int) -> int:
    """WAR-12: which card it is, whatever end is up."""
    return int(card) if card >= 0 else TURNED - int(card)
