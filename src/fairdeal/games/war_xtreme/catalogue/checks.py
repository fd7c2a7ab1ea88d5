"""WAR X-TREME: consistency checks across the entries of a catalogue (section 3.5 of the specification).

Each check yields error messages that begin with the place: `unique, entry 4 (ninja/joker): ...`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fairdeal.games.war_xtreme.catalogue.entries import (
    CARDS_IN_SUIT,
    MOST_ACTIONS,
    RANK_OF_KIND,
    REGULAR_FACES,
    SETS,
    SUITS,
    UNIQUE_IN_SUIT,
    Equipment,
    Mod,
    Move,
    Regular,
    Suit,
    Unique,
)

LEAST_EQUIPMENT = 3
"""Minimum number of equipment entries: eight seats, with three sets in play, are dealt one piece each (WAR-05)."""

OWN_FIELDS = {"war": ("target", "source"), "speed": ("action", "how"), "joker": ("draw",)}
"""The fields that belong to a single kind of unique card."""

OPTIONAL = ("how", "draw")

LASTING = ("ward", "stake", "tax_share")
"""Effects of equipment that stays in play. A `mod` lasts too, unless it is applied immediately."""

AT_REVEAL = ("redraw", "withdraw", "declare")
"""Effects on a card that was just turned. They can be played only in REACT."""

NEEDS = {"peek": ("slot",), "declare": ("rival",), "scrap": ("seat", "rival")}
"""Allowed targets, by effect. Other effects need a target if they refer to `target`, and otherwise take none."""


def problems(
    suit: Sequence[Suit], regular: Sequence[Regular], unique: Sequence[Unique], equipment: Sequence[Equipment]
) -> Iterator[str]:
    """Yield a message for every error, in the order of the file."""
    yield from suit_problems(suit)
    yield from regular_problems(regular)
    yield from unique_problems(unique, [one.id for one in suit], regular)
    yield from equipment_problems(equipment)


def place(table: str, number: int, name: object) -> str:
    """Return the description of an entry's place for an error message."""
    return f"{table}, entry {number} ({name})"


def twice(names: Iterable[object]) -> str:
    """Return the names that occur more than once, separated by commas."""
    return ", ".join(str(name) for name, count in Counter(names).items() if count > 1)


def suit_problems(suit: Sequence[Suit]) -> Iterator[str]:
    if len(suit) != SUITS:
        yield f"suit: there are {len(suit)} entries, but a catalogue must have {SUITS}"
        return
    if twice(one.id for one in suit):
        yield f"suit: {twice(one.id for one in suit)} is repeated; every suit needs its own id"
    found = [one.set for one in suit]
    wanted = sorted([*range(1, SETS + 1)] * 2)
    if found != wanted:
        yield f"suit: the sets are {found}; every set needs two suits, in the order {wanted}"


def regular_problems(regular: Sequence[Regular]) -> Iterator[str]:
    if len(regular) != REGULAR_FACES:
        yield f"regular: there are {len(regular)} entries, but a suit must have {REGULAR_FACES} regular faces"
    spellings: list[str] = []
    for number, one in enumerate(regular, start=1):
        ends = one.face.split(":")
        if len(ends) != len(one.ranks):
            right = "a double needs two ends and two ranks (`9:6`, [9, 6]), any other face one of each"
            yield f"{place('regular', number, one.face)}: {len(one.ranks)} ranks; {right}"
        spellings += {one.face, ":".join(reversed(ends))}
    if twice(spellings):
        yield f"regular: {twice(spellings)} is ambiguous; every face needs its own spelling, either way up"
    cards, wanted = sum(one.copies for one in regular), CARDS_IN_SUIT - UNIQUE_IN_SUIT
    if cards != wanted:
        right = f"they must be {wanted}, because a suit has {CARDS_IN_SUIT} cards, {UNIQUE_IN_SUIT} of them unique"
        yield f"regular: the copies add up to {cards}; {right}"


def unique_problems(unique: Sequence[Unique], suits: list[str], regular: Sequence[Regular]) -> Iterator[str]:
    plain = {one.face for one in regular}
    for number, one in enumerate(unique, start=1):
        where = place("unique", number, f"{one.suit}/{one.face}")
        if one.suit not in suits:
            yield f"{where}: there is no suit {one.suit}; the suits are {', '.join(suits)}"
        if one.face in plain:
            yield f"{where}: a regular face has the same spelling"
        if not one.name.isprintable():
            yield f"{where}: the name has unprintable characters"
        if one.rank != RANK_OF_KIND[one.kind]:
            yield f"{where}: rank {one.rank} does not fit its kind; a {one.kind} needs rank {RANK_OF_KIND[one.kind]}"
        yield from own_field_problems(where, one)
    for suit in suits:
        cards = [one.face for one in unique if one.suit == suit]
        if len(cards) != UNIQUE_IN_SUIT:
            yield f"unique: {suit} has {len(cards)}; every suit needs {UNIQUE_IN_SUIT}, and {CARDS_IN_SUIT} cards"
        if twice(cards):
            yield f"unique: {suit}/{twice(cards)} is repeated"
    actions = {one.action for one in unique if one.action}
    if len(actions) > MOST_ACTIONS:
        yield f"unique: there are {len(actions)} different actions; the maximum is {MOST_ACTIONS}"


def own_field_problems(where: str, one: Unique) -> Iterator[str]:
    """Yield an error unless a card has exactly the fields of its kind: target and source for War, action for Speed."""
    for kind, names in OWN_FIELDS.items():
        for name in names:
            given = getattr(one, name) is not None
            if given and one.kind != kind:
                yield f"{where}: `{name}` is only for {kind} cards, but this is a {one.kind} card"
            if not given and one.kind == kind and name not in OPTIONAL:
                yield f"{where}: a {kind} card needs `{name}`"


def equipment_problems(equipment: Sequence[Equipment]) -> Iterator[str]:
    numbers = [one.no for one in equipment]
    if len(equipment) < LEAST_EQUIPMENT:
        yield f"equipment: there are {len(equipment)} entries; at least {LEAST_EQUIPMENT} are needed"
    elif numbers != list(range(1, len(numbers) + 1)):
        yield f"equipment: the numbers are {numbers}; they must count from 1, in order and without gaps"
    if twice(one.id for one in equipment):
        yield f"equipment: {twice(one.id for one in equipment)} is repeated; every piece needs its own id"
    for number, one in enumerate(equipment, start=1):
        for problem in (*kind_problems(one), *target_problems(one)):
            yield f"{place('equipment', number, one.id)}: {problem}"


def kind_problems(one: Equipment) -> Iterator[str]:
    """WAR-74, 75: yield the problems with the name, kind and windows of a piece of equipment."""
    op = op_of(one)
    lasts = op in LASTING or (isinstance(one.effect, Mod) and one.effect.when != "now")
    if not one.name.isprintable():
        yield "the name has unprintable characters"
    if len(set(one.windows)) < len(one.windows):
        yield "a window is repeated"
    if lasts and one.kind not in ("continuous", "curse"):
        yield f"the effect {op} lasts, so the kind must be continuous or curse"
    if not lasts and one.kind not in ("once", "must"):
        yield f"the effect {op} is immediate, so the kind must be once or must"
    if one.kind != "once" and one.windows != ("PREP",):
        yield f'a {one.kind} card is played before a round, so it needs windows = ["PREP"]'
    if op in AT_REVEAL and one.windows != ("REACT",):
        yield f'the effect {op} is for cards just turned, so it needs windows = ["REACT"]'
    if isinstance(one.effect, Mod) and one.effect.when == "now" and not set(one.windows) <= {"REACT", "CLASH"}:
        yield "a `mod` with when = now needs turned cards, so its windows must be REACT, CLASH or both"


def target_problems(one: Equipment) -> Iterator[str]:
    """Yield an error unless a piece of equipment has exactly the kind of target that its effect needs."""
    effect, op = one.effect, op_of(one)
    if isinstance(effect, Mod):
        if effect.when == "now" and effect.whose is None:
            yield 'a `mod` with when = now needs whose = "self" or "target"'
        if effect.when != "now" and effect.whose is not None:
            yield f"`whose` is only for when = now; {effect.when} applies to the seat that has the card in play"
        if effect.n == 0:
            yield "a `mod` of 0 has no effect"
    if isinstance(effect, Move) and effect.from_ == effect.to:
        yield f"cards cannot move from {effect.from_} to {effect.to}"
    names_target = (isinstance(effect, Mod) and effect.whose == "target") or (
        isinstance(effect, Move) and "target" in (effect.from_, effect.to)
    )
    wanted = NEEDS.get(op, ("rival", "seat") if names_target else ("none",))
    if one.kind == "curse":
        wanted = ("rival",)
    if one.target not in wanted:
        yield f"the target is {one.target}; it must be {' or '.join(wanted)}"
    if one.kind == "must" and one.target == "slot":
        yield "a must card cannot need a filled slot, because it must always be playable"


def op_of(one: Equipment) -> str:
    """Return the name of an equipment entry's effect."""
    return str(type(one.effect).__struct_config__.tag)
