"""WAR X-TREME: the types of catalogue entries, as written in a file (part 3 of the specification).

The types cover the checks that msgspec can make by itself. Checks that compare several entries are in `checks.py`.
"""

from typing import Annotated, Literal

import msgspec

from fairdeal.engine.kit.frozen import Frozen

SUITS, SETS, REGULAR_FACES, UNIQUE_IN_SUIT = 8, 4, 12, 3
CARDS_IN_SUIT = 20
HIGHEST_REGULAR = 15
MOST_EQUIPMENT = 64
MOST_ACTIONS = 16

RANK_OF_KIND = {"tax": 21, "win": 20, "speed": 19, "war": 18, "joker": 17, "wild": 16, "lose": 1}
"""WAR-10: the rank of each special kind."""

Word = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9-]*$", max_length=24)]
"""An id: lower-case letters, digits and hyphens."""

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
"""Text printed on a card."""

Few = Annotated[int, msgspec.Meta(ge=1, le=8)]
Rank = Annotated[int, msgspec.Meta(ge=2, le=HIGHEST_REGULAR)]
Kind = Literal["tax", "win", "speed", "war", "joker", "wild", "lose"]
Window = Literal["PREP", "REACT", "BRACE", "CLASH"]
Target = Literal["none", "rival", "seat", "slot"]
Opponents = Literal["high", "low", "all"]
Source = Literal["army", "camp"]
EquipmentKind = Literal["once", "continuous", "curse", "must"]
Moment = Literal["now", "flip", "recruit"]


class Entry(Frozen, forbid_unknown_fields=True, omit_defaults=True):
    """An entry of a catalogue."""


class Suit(Entry):
    """A suit, and the set to which it belongs."""

    id: Word
    set: Annotated[int, msgspec.Meta(ge=1, le=SETS)]


class Regular(Entry):
    """A regular face, which every suit has: one rank, or the two ends of a double (WAR-12)."""

    face: Annotated[str, msgspec.Meta(pattern="^[0-9A-Za-z]{1,2}(:[0-9A-Za-z]{1,2})?$")]
    ranks: Annotated[tuple[Rank, ...], msgspec.Meta(min_length=1, max_length=2)]
    copies: Annotated[int, msgspec.Meta(ge=0, le=17)]


class Unique(Entry):
    """A special card, of which there is one copy in its suit. `how` describes a speed action to players."""

    suit: Word
    face: Word
    name: Words
    rank: int
    kind: Kind
    target: Opponents | None = None
    source: Source | None = None
    action: Word | None = None
    how: Words | None = None
    draw: Annotated[int, msgspec.Meta(ge=0, le=8)] | None = None


class Effect(Frozen, forbid_unknown_fields=True, omit_defaults=True, tag_field="op"):
    """The effect of a piece of equipment: one of the twelve primitives."""


class Mod(Effect, tag="mod"):
    """An effect that adds `n` to an effective rank: that of the card on the table, every turned card, or every
    recruit."""

    n: Annotated[int, msgspec.Meta(ge=-20, le=20)]
    when: Moment
    whose: Literal["self", "target"] | None = None


class Redraw(Effect, tag="redraw"):
    """An effect that turns up another card."""


class Peek(Effect, tag="peek"):
    """An effect that shows `n` recruits, starting at the target slot."""

    n: Few


class Move(Effect, tag="move"):
    """An effect that moves `n` cards, one at a time, from one place to another."""

    n: Annotated[int, msgspec.Meta(ge=1, le=20)]
    from_: Literal["self", "target", "tax"] = msgspec.field(name="from")
    to: Literal["self", "target", "others", "tax"]


class Withdraw(Effect, tag="withdraw"):
    """An effect that lets a seat leave the fight with its cards."""


class Declare(Effect, tag="declare"):
    """An effect that turns a seat's regular card into a War card against one rival."""


class Scrap(Effect, tag="scrap"):
    """An effect that sends a card in play to junk."""


class TaxShare(Effect, tag="tax_share"):
    """An effect that reduces each tax to a share, given as numerator and denominator."""

    p: tuple[Annotated[int, msgspec.Meta(ge=0, le=100)], Annotated[int, msgspec.Meta(ge=1, le=100)]]


class Ward(Effect, tag="ward"):
    """An effect that blocks the next equipment aimed at its owner by a rival."""


class Stake(Effect, tag="stake"):
    """An effect that adds `n` stakes to every step."""

    n: Annotated[int, msgspec.Meta(ge=1, le=10)]


class PassCamps(Effect, tag="pass_camps"):
    """An effect that passes every camp to the left."""


class Draw(Effect, tag="draw"):
    """An effect that draws `n` pieces of equipment."""

    n: Few


AnyEffect = (
    Mod | Redraw | Peek | Move | Withdraw | Declare | Scrap | TaxShare | Ward | Stake | PassCamps | Draw
)  # in the order of section 3.4


class Equipment(Entry):
    """A piece of equipment, of which there is one copy in every set."""

    no: Annotated[int, msgspec.Meta(ge=1, le=MOST_EQUIPMENT)]
    id: Word
    name: Words
    kind: EquipmentKind
    windows: Annotated[tuple[Window, ...], msgspec.Meta(min_length=1, max_length=4)]
    effect: AnyEffect
    target: Target = "none"
