"""Declaration of positions and observations, field by field.

    POSITION = written.Position(
        written.Cards(CODES, DECK, "ace, two to ten, jack, queen, king", "FISH-01"),
        turn=written.Seat("who asks"),
        hands=written.Hands(MOST_IN_HAND),
        deck=written.Deck(),
    )

`Game.of` derives `write_position`, `read_position` and the observations from such a declaration, if the game does not
define them. A position also has `game`, `options`, `start` and `over`. Conditions on several fields, such as that the
seat on turn has a card, are checked by the game's `check_position(state)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, get_args

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import Bounds, Form, Observed, absent, counted, number, one_of, one_seat, placed
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.kit.matches import MOST_GAMES, start_match
from fairdeal.engine.kit.positions import (
    CardCounter,
    code_of,
    codes_of,
    in_range,
    kinds_in,
    number_of,
    opened,
    read_deck,
    read_hand,
    sized,
)
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record

Check = Callable[[Fields], None]


class Cards(Frozen):
    """The cards of a game: their codes, the number of each kind in the deck, codes to show as examples, and the clauses
    that list the deck."""

    codes: Sequence[str]
    in_deck: Sequence[int]
    examples: str
    clauses: str


class Field(Frozen):
    """A field of a position. `words` describe it in observations, if its name does not."""

    words: str = ""

    kind: ClassVar[Any] = int
    """The type of the field in JSON."""

    @property
    def usual(self) -> Any:
        """The value in JSON of a field that a position omits, or None if the field is required."""
        return None

    def json(self, name: str) -> list[tuple[str, Any, Any]]:
        """Return the names of the field in JSON, each with its type and its default."""
        required = self.usual is None and type(None) not in get_args(self.kind)
        return [(name, self.kind, msgspec.NODEFAULT if required else self.usual)]

    def write(self, state: Snapshot, name: str, cards: Cards) -> dict[str, Any]:
        """Return the JSON of a field."""
        return {name: getattr(state, name)}

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        """Write the value that a position gives for the field into a state. Raises BadPosition if the value is
        invalid."""
        raise NotImplementedError

    def forms(self, name: str, cards: Cards) -> dict[str, Form]:
        """Return the forms that show the field in observations."""
        return {name: number(self.words)} if self.words else {}

    def bounds(self, name: str, cards: Cards) -> dict[str, Bounds]:
        """Return the bounds of the field in observations, if those of its type are too wide."""
        return {}


class Seat(Field):
    """The number of a seat.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> Position(cards, turn=Seat("seat on turn")).write(load("chi").deal(seed=7).seen_by(0).shown)
    {'start': 1, 'over': False, 'turn': 1}
    """

    @property
    def usual(self) -> int:
        return 0

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        setattr(state, name, in_range(name, getattr(given, name), 0, state.players - 1))

    def forms(self, name: str, cards: Cards) -> dict[str, Form]:
        return {name: one_seat(self.words)}


class Number(Field):
    """A number from `lowest` to `highest`, which is a number or the name of an option.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> position = Position(cards, turn_no=Number(lowest=1, highest="turn_limit"))
    >>> position.read({"turn_no": 0}, load("chi").blank().record, check=lambda state: None)
    Traceback (most recent call last):
    BadPosition: position, at turn_no: 0: give a number from 1 to 400
    """

    lowest: int = 0
    highest: int | str = 127

    @property
    def usual(self) -> int:
        return self.lowest

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        highest = self.highest if isinstance(self.highest, int) else getattr(state.options, self.highest)
        setattr(state, name, in_range(name, getattr(given, name), self.lowest, highest))

    def bounds(self, name: str, cards: Cards) -> dict[str, Bounds]:
        return {name: (self.lowest, self.highest)}


class Word(Field):
    """A word from a fixed list, such as a phase, stored in the record as its index.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> state = load("chi").blank().record
    >>> position = Position(cards, phase=Word(names=("act", "duel", "discard", "over")))
    >>> position.read({"phase": "discard"}, state, check=lambda state: None)
    >>> int(state.phase)
    2
    """

    names: Sequence[str] = ()
    kind: ClassVar[Any] = str

    @property
    def usual(self) -> str:
        return self.names[0]

    def write(self, state: Snapshot, name: str, cards: Cards) -> dict[str, Any]:
        return {name: self.names[getattr(state, name)]}

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        setattr(state, name, number_of(name, getattr(given, name), self.names))

    def forms(self, name: str, cards: Cards) -> dict[str, Form]:
        return {name: one_of(len(self.names), words=self.words)}


class Numbers(Field):
    """For each seat, a number from `lowest` to `highest`.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> position = Position(cards, bank=Numbers("points in the bank"))
    >>> position.write(load("chip-it", players=3).deal(seed=7).seen_by(0).shown)
    {'start': 2, 'over': False, 'bank': [3, 3, 3]}
    """

    lowest: int = 0
    highest: int = 127
    kind: ClassVar[Any] = list[int] | None

    def write(self, state: Snapshot, name: str, cards: Cards) -> dict[str, Any]:
        return {name: getattr(state, name)[: state.players]}

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        usual = [self.lowest] * state.players
        for seat, value in enumerate(sized(name, getattr(given, name) or usual, state.players)):
            getattr(state, name)[seat] = in_range(f"{name}[{seat}]", value, self.lowest, self.highest)

    def bounds(self, name: str, cards: Cards) -> dict[str, Bounds]:
        return {name: (self.lowest, self.highest)}


class Hands(Field):
    """A hand for each seat, of at most `most` cards. In JSON, `?` is an unknown card.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> state = load("chi").blank().record
    >>> Position(cards, hands=Hands(most=6)).read({"hands": [["king", "?"], []]}, state, check=lambda state: None)
    >>> state.hands[0].cards[:2].tolist()
    [-1, 1]
    """

    most: int = 127
    clause: str = ""
    kind: ClassVar[Any] = list[list[str]]

    def write(self, state: Snapshot, name: str, cards: Cards) -> dict[str, Any]:
        return {name: [codes_of(cards.codes, hand.held) for hand in getattr(state, name)[: state.players]]}

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        for seat, codes in enumerate(sized(name, getattr(given, name), state.players)):
            read_hand(getattr(state, name)[seat], f"{name}[{seat}]", codes, self.most, counter, self.clause)

    def forms(self, name: str, cards: Cards) -> dict[str, Form]:
        return {f"{name}.cards": counted(len(cards.codes), self.words)}


class Deck(Field):
    """A face-down pile, listed from its top. If only its size is known, JSON has `deck_size` instead. It is read after
    all other fields.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> state = load("chi").blank().record
    >>> Position(cards, deck=Deck()).read({"deck": ["king"], "deck_size": 3}, state, check=lambda state: None)
    >>> state.deck.cards[:3].tolist()
    [-1, -1, 1]
    """

    kind: ClassVar[Any] = list[str] | None

    def json(self, name: str) -> list[tuple[str, Any, Any]]:
        return [(name, self.kind, None), (f"{name}_size", int | None, None)]

    def write(self, state: Snapshot, name: str, cards: Cards) -> dict[str, Any]:
        deck = getattr(state, name)
        return {name: codes_of(cards.codes, deck.held[::-1]), f"{name}_size": deck.length}

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        read_deck(getattr(state, name), getattr(given, name), getattr(given, f"{name}_size"), counter)

    def forms(self, name: str, cards: Cards) -> dict[str, Form]:
        return {f"{name}.cards": absent()}


class Places(Field):
    """A place in front of each seat, with or without a card (EMPTY in the record, null in JSON).

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> state = load("war-xtreme", players=2).blank().record
    >>> Position(cards, faces=Places()).read({"faces": ["king", None]}, state, check=lambda state: None)
    >>> state.faces[:2].tolist()
    [1, -2]
    """

    unknown: bool = False
    kind: ClassVar[Any] = list[str | None] | None

    def write(self, state: Snapshot, name: str, cards: Cards) -> dict[str, Any]:
        places = getattr(state, name)[: state.players]
        return {name: [None if card == EMPTY else code_of(cards.codes, card) for card in places]}

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        places = getattr(state, name)
        for seat in range(len(places)):
            places[seat] = EMPTY
        for seat, code in enumerate(sized(name, getattr(given, name) or [None] * state.players, state.players)):
            if code is not None:
                places[seat] = counter.kind(f"{name}[{seat}]", code, self.unknown)

    def forms(self, name: str, cards: Cards) -> dict[str, Form]:
        return {name: placed(len(cards.codes), self.words)}


class Owners(Field):
    """The owner of each kind of card, who has all cards of the kind. The record stores the seat + 1, or 0 for no owner;
    JSON has a list of kinds for each seat.

    >>> from types import SimpleNamespace
    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> Owners().write(SimpleNamespace(players=2, books=[0, 2]), "books", cards)
    {'books': [[], ['king']]}
    """

    kind: ClassVar[Any] = list[list[str]] | None

    def write(self, state: Snapshot, name: str, cards: Cards) -> dict[str, Any]:
        owners = [*zip(cards.codes, getattr(state, name), strict=True)]
        return {name: [[code for code, owner in owners if owner == seat + 1] for seat in range(state.players)]}

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        for seat, codes in enumerate(sized(name, getattr(given, name) or [[]] * state.players, state.players)):
            for place, code in enumerate(codes):
                kind = counter.kind(f"{name}[{seat}][{place}]", code)
                for _ in range(counter.in_deck[kind] - 1):
                    counter.count(f"{name}[{seat}][{place}]", kind)
                getattr(state, name)[kind] = seat + 1

    def forms(self, name: str, cards: Cards) -> dict[str, Form]:
        return {name: one_seat(self.words, first=1)}


class Known(Field):
    """Public knowledge of hands: for each seat, the counts by kind of the cards that are known to be in the hands `of`.

    >>> from types import SimpleNamespace
    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> known = [SimpleNamespace(counts=[2, 1]), SimpleNamespace(counts=[0, 0])]
    >>> Known().write(SimpleNamespace(players=2, known=known), "known", cards)
    {'known': [['ace', 'ace', 'king'], []]}
    """

    of: str = "hands"
    clause: str = ""
    kind: ClassVar[Any] = list[list[str]] | None

    def write(self, state: Snapshot, name: str, cards: Cards) -> dict[str, Any]:
        seats = getattr(state, name)[: state.players]
        return {name: [[cards.codes[kind] for kind in kinds_in(seat.counts)] for seat in seats]}

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        hands = getattr(given, self.of)
        for seat, codes in enumerate(sized(name, getattr(given, name) or [[]] * state.players, state.players)):
            for place, code in enumerate(codes):
                kind = number_of(f"{name}[{seat}][{place}]", code, counter.codes)
                getattr(state, name)[seat].counts[kind] += 1
            if any(codes.count(code) > hands[seat].count(code) for code in codes):
                reason = f"these cards are not in that hand{self.clause and f' [{self.clause}]'}"
                raise BadPosition(f"{name}[{seat}]", codes, reason)

    def forms(self, name: str, cards: Cards) -> dict[str, Form]:
        return {f"{name}.counts": number(self.words)}

    def bounds(self, name: str, cards: Cards) -> dict[str, Bounds]:
        return {f"{name}.counts": (0, max(map(int, cards.in_deck)))}


class Match(Field):
    """The number of the round or game of a match, from 1, and the totals of those before it, at most `highest`. The
    field is named as in JSON. The record has no field of this name.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> Position(cards, round=Match()).write(load("chi").deal(seed=7).seen_by(0).shown)
    {'start': 1, 'over': False, 'round': 1, 'totals': [0, 0]}
    """

    games: int = 0
    highest: int = 32767

    def json(self, name: str) -> list[tuple[str, Any, Any]]:
        return [(name, int, 1), ("totals", list[int] | None, None)]

    def write(self, state: Snapshot, name: str, cards: Cards) -> dict[str, Any]:
        return {name: state.match.game, "totals": state.match.totals[: state.players]}

    def read(self, given: Any, state: Fields, name: str, counter: CardCounter) -> None:
        state.match.games = self.games
        state.match.game = in_range(name, getattr(given, name), 1, self.games or MOST_GAMES)
        for seat, total in enumerate(sized("totals", given.totals or [0] * state.players, state.players)):
            state.match.totals[seat] = in_range(f"totals[{seat}]", total, 0, self.highest)

    def forms(self, name: str, cards: Cards) -> dict[str, Form]:
        return {}


COMMON: tuple[tuple[str, Any, Any], ...] = (
    ("game", str, ""),
    ("options", dict[str, Any], {}),
    ("start", int, 0),
    ("over", bool, False),
)
"""Fields that every position may have."""


class Position:
    """The position of a game, and its observations: the cards, and the fields in the order in which they are read.

    Fields are named as in the record. In a game with a field `turn`, only that seat may act, unless the game's
    `check_position` sets `state.to_act`.
    """

    def __init__(self, cards: Cards, /, **fields: Field) -> None:
        self.cards, self.fields = cards, fields
        own = [part for name, one in fields.items() for part in one.json(name)]
        self.form = msgspec.defstruct("Position", [*COMMON, *own], forbid_unknown_fields=True, kw_only=True)

    def write(self, state: Snapshot) -> dict[str, Any]:
        """Return a state in JSON, with `?` for unknown cards."""
        found = {"start": state.match.first, "over": bool(state.over)}
        for name, one in self.fields.items():
            found |= one.write(state, name, self.cards)
        return found

    def read(self, position: Mapping[str, Any], state: Record, check: Check) -> None:
        """Write a position into a blank state with its options, and check it. Raises BadPosition if it is invalid."""
        given: Any
        given, state = opened(position, self.form, state)
        start_match(state, 1, in_range("start", given.start, 0, state.players - 1))
        in_deck = [int(count) for count in self.cards.in_deck]
        counter = CardCounter(self.cards.codes, in_deck, self.cards.examples, self.cards.clauses)
        for name, one in sorted(self.fields.items(), key=lambda field: isinstance(field[1], Deck)):
            one.read(given, state, name, counter)
        state.over = given.over
        state.to_act = 0 if given.over or "turn" not in self.fields else 1 << state.turn
        check(state)

    def functions(self, check: Check | None) -> dict[str, Any]:
        """Return the game functions that are derived from the declaration, by name."""

        def write_position(state: Snapshot) -> dict[str, Any]:
            return self.write(state)

        def read_position(position: Mapping[str, Any], state: Record) -> None:
            self.read(position, state, check or (lambda state: None))

        return {"write_position": write_position, "read_position": read_position, "observed": self.observed()}

    def observed(self) -> Observed:
        """Return the forms and the bounds of the fields in observations."""
        forms: dict[str, Form] = {}
        bounds: dict[str, Bounds] = {}
        for name, one in self.fields.items():
            forms |= one.forms(name, self.cards)
            bounds |= one.bounds(name, self.cards)
        return Observed(forms, bounds=bounds)
