"""Fields of a declared state that hold cards."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, ClassVar, get_args, get_origin

import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit import piles
from fairdeal.engine.kit.forms import Form, Limits, absent, counted, number, one_seat, placed
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.kit.positions import (
    CardCounter,
    kinds_in,
    number_of,
    sized,
)
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, UNKNOWN, i1, pile, record
from fairdeal.engine.scene.shown import InScene, cards_in, counter_of, size_in
from fairdeal.engine.written.fields import Field


class Cards(Frozen):
    """The cards of a game: their codes, the number of each kind in the deck, which may depend on the state, codes to
    show as examples, and the clauses that list the deck."""

    codes: Sequence[str]
    in_deck: Sequence[int] | Callable[[Fields], Sequence[int]]
    examples: str
    clauses: str

    text: ClassVar[Any] = str
    """The type of a code in JSON."""

    reader: ClassVar[type[CardCounter]] = CardCounter
    """The type of the reader of codes."""

    def counter(self, state: Fields) -> CardCounter:
        """Return a reader of codes, which counts cards."""
        in_deck = self.in_deck(state) if callable(self.in_deck) else self.in_deck
        return self.reader(self.codes, [int(count) for count in in_deck], self.examples, self.clauses)

    def code(self, kind: int) -> Any:
        """Return the code of a card in a place, or None for an empty place."""
        return None if kind == EMPTY else "?" if kind == UNKNOWN else self.codes[kind]

    @property
    def faces(self) -> Sequence[str]:
        """The faces of the kinds of cards in scenes."""
        return self.codes

    def written(self, kinds: Iterable[int]) -> list[Any]:
        """Return the codes of cards, in the order in which positions list them."""
        return [self.code(kind) for kind in kinds]


def coded(kind: Any, text: Any) -> Any:
    """Return a type in JSON with `text` as the type of codes.

    >>> coded(list[str | None], int)
    list[int | None]
    """
    parts = [coded(part, text) for part in get_args(kind)]
    if isinstance(kind, UnionType):
        return reduce(or_, parts)
    return get_origin(kind)[*parts] if parts else text if kind is str else kind


NO_CARDS = Cards((), (), "", "")


class OfCards(Field):
    """A field that holds cards. `room` is the number of places for them in the record. In its type in JSON, `str`
    stands for the type of the game's codes.

    >>> issubclass(Deck, OfCards)
    True
    """

    room: int = 0
    cards: Cards = NO_CARDS

    def bound(self, name: str, cards: Cards, whole: str = "", within: str = "") -> Field:
        return super().bound(name, cards, whole, within).replaced(cards=cards)

    def json(self) -> list[tuple[Any, ...]]:
        return [(name, coded(kind, self.cards.text), *usual) for name, kind, *usual in super().json()]

    @property
    def kinds(self) -> int:
        """The number of kinds of cards."""
        return len(self.cards.codes)

    def in_scene(self) -> list[InScene]:
        return [cards_in(self.zone, self.at, self.cards.faces)] if self.zone else []


class OfPiles(OfCards):
    """Piles or hands, whose counter shows the number of their cards.

    >>> [shown.field for shown in Hands(zone="hand{}", counter="card", at="hands").in_scene()]
    ['hands.cards', 'hands.length']
    """

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return pile(self.room), seats

    def in_json(self, state: Snapshot) -> Any:
        return [self.cards.written(pile.held) for pile in self.get(state)[: state.players]]

    def in_scene(self) -> list[InScene]:
        cards = cards_in(self.zone, f"{self.at}.cards", self.cards.faces, own="{}" not in self.zone)
        size = counter_of(self.counter, f"{self.at}.length")
        return [cards] * bool(self.zone) + [size] * bool(self.counter)


class Hands(OfPiles):
    """A hand for each seat. In JSON, `?` is an unknown card. A position may give at most `most` cards of a hand
    (default: `room`).

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> state = load("chi").blank().record
    >>> Position(cards, hands=Hands(room=6)).read({"hands": [["king", "?"], []]}, state)
    >>> state.hands[0].cards[:2].tolist()
    [-1, 1]
    """

    most: int = 0
    kind: ClassVar[Any] = list[list[str]]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        hands, most = self.get(state), self.most or self.room
        for seat, codes in enumerate(self.items(given, state, [])):
            path = f"{self.path}[{seat}]"
            if len(codes) > most:
                raise BadPosition(path, len(codes), f"a hand can have at most {most} cards{self.why}")
            for kind in counter.read(path, codes, unknown=True):
                piles.insert(hands[seat], kind)

    def forms(self) -> dict[str, Form]:
        return {f"{self.at}.cards": counted(self.kinds, self.words)}


class Piles(OfPiles):
    """An open pile for each seat, in order.

    >>> Piles(room=6).type(2, record())
    (dtype([('length', 'i1'), ('cards', 'i1', (6,))], align=True), 2)
    """

    kind: ClassVar[Any] = list[list[str]] | None

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for seat, codes in enumerate(self.items(given, state, [])):
            if len(codes) > self.room:
                reason = f"a player has at most {self.room} {self.words or 'cards'}{self.why}"
                raise BadPosition(f"{self.path}[{seat}]", len(codes), reason)
            for kind in counter.read(f"{self.path}[{seat}]", codes):
                piles.push(self.get(state)[seat], kind)

    def forms(self) -> dict[str, Form]:
        return {f"{self.at}.cards": placed(self.kinds, self.words)}


class Deck(OfCards):
    """A face-down pile, listed from its top. If only its size is known, JSON has `deck_size` instead; cards that are
    not named lie below those that are. It is read after all other fields. Without a size it has only the named cards,
    and if these are left out, too, all cards that have not been read.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> state = load("chi").blank().record
    >>> Position(cards, deck=Deck()).read({"deck": ["king"], "deck_size": 3}, state)
    >>> state.deck.cards[:3].tolist()
    [-1, -1, 1]
    """

    kind: ClassVar[Any] = list[str] | None
    late: ClassVar[bool] = True

    def json(self) -> list[tuple[Any, ...]]:
        return [*super().json(), (f"{self.key}_size", int | None, None)]

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return pile(self.room)

    def write(self, state: Snapshot) -> dict[str, Any]:
        deck = self.get(state)
        return {self.key: self.cards.written(deck.held[::-1]), f"{self.key}_size": deck.length}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        codes, size = getattr(given, self.key), getattr(given, f"{self.key}_size")
        named = counter.read(self.path, codes or [], unknown=True)
        if size is None:
            size = len(named) if codes is not None else counter.left
        most = counter.left + len(named)
        if not len(named) <= size <= most:
            reason = f"give a number from {len(named)} (those named) to {most} (those left)"
            raise BadPosition(f"{self.path}_size", size, reason)
        for kind in [UNKNOWN] * (size - len(named)) + named[::-1]:
            piles.push(self.get(state), kind)

    def forms(self) -> dict[str, Form]:
        return {f"{self.at}.cards": absent()}

    def in_scene(self) -> list[InScene]:
        return [size_in(self.zone, f"{self.at}.length")] if self.zone else []


class Row(OfCards):
    """A row of open cards, each in a place of its own, which may be empty (EMPTY in the record, null in JSON).

    >>> from types import SimpleNamespace
    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> Row(room=2).bound("row", cards).write(SimpleNamespace(row=[1, EMPTY]))
    {'row': ['king', None]}
    """

    kind: ClassVar[Any] = list[str | None]

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i1, self.room

    def in_json(self, state: Snapshot) -> Any:
        return [self.cards.code(kind) for kind in self.get(state)]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        reason = f"the {self.key} has {self.room} places; write null for an empty place{self.why}"
        for place, code in enumerate(sized(self.path, getattr(given, self.key), self.room, reason)):
            kind = EMPTY if code is None else counter.kind(f"{self.path}[{place}]", code)
            self.get(state)[place] = kind

    def forms(self) -> dict[str, Form]:
        return {self.at: placed(self.kinds, self.words)}


class Counts(OfCards):
    """An open pile whose order has no meaning, stored as the number of cards of each kind.

    >>> from types import SimpleNamespace
    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> Counts().bound("heap", cards).write(SimpleNamespace(heap=[2, 1]))
    {'heap': ['ace', 'ace', 'king']}
    """

    kind: ClassVar[Any] = list[str]

    @property
    def usual(self) -> Any:
        return []

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i1, self.kinds

    def in_json(self, state: Snapshot) -> Any:
        return self.cards.written(kinds_in(self.get(state)))

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for kind in counter.read(self.path, getattr(given, self.key)):
            self.get(state)[kind] += 1

    def in_scene(self) -> list[InScene]:
        return [replace(cards_in(self.zone, self.at, self.cards.codes), counts=True)] if self.zone else []


class Places(OfCards):
    """A place in front of each seat, with or without a card (EMPTY in the record, null in JSON).

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> state = load("war-xtreme", players=2).blank().record
    >>> Position(cards, faces=Places()).read({"faces": ["king", None]}, state)
    >>> state.faces[:2].tolist()
    [1, -2]
    """

    unknown: bool = False
    kind: ClassVar[Any] = list[str | None] | None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i1, seats

    def in_json(self, state: Snapshot) -> Any:
        return [self.cards.code(kind) for kind in self.get(state)[: state.players]]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        places = self.get(state)
        for seat in range(len(places)):
            places[seat] = EMPTY
        for seat, code in enumerate(self.items(given, state, None)):
            if code is not None:
                places[seat] = counter.kind(f"{self.path}[{seat}]", code, self.unknown)

    def forms(self) -> dict[str, Form]:
        return {self.at: placed(self.kinds, self.words)}


class Owners(OfCards):
    """The owner of each kind of card, who has all cards of the kind. The record stores the seat + 1, or 0 for no owner;
    JSON has a list of kinds for each seat.

    >>> from types import SimpleNamespace
    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> Owners().bound("books", cards).write(SimpleNamespace(players=2, books=[0, 2]))
    {'books': [[], ['king']]}
    """

    kind: ClassVar[Any] = list[list[str]] | None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i1, self.kinds

    def in_json(self, state: Snapshot) -> Any:
        owners = [*zip(self.cards.codes, self.get(state), strict=True)]
        return [[code for code, owner in owners if owner == seat + 1] for seat in range(state.players)]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for seat, codes in enumerate(self.items(given, state, [])):
            for place, code in enumerate(codes):
                path = f"{self.path}[{seat}][{place}]"
                kind = counter.kind(path, code)
                for _ in range(counter.in_deck[kind] - 1):
                    counter.count(path, kind)
                self.get(state)[kind] = seat + 1

    def forms(self) -> dict[str, Form]:
        return {self.at: one_seat(self.words, first=1)}


class Known(OfCards):
    """Public knowledge of hands: for each seat, the counts by kind of the cards that are known to be in the hands `of`.

    >>> from types import SimpleNamespace
    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> known = [SimpleNamespace(counts=[2, 1]), SimpleNamespace(counts=[0, 0])]
    >>> Known().bound("known", cards).write(SimpleNamespace(players=2, known=known))
    {'known': [['ace', 'ace', 'king'], []]}
    """

    of: str = "hands"
    kind: ClassVar[Any] = list[list[str]] | None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return record(counts=(i1, self.kinds)), seats

    def in_json(self, state: Snapshot) -> Any:
        return [self.cards.written(kinds_in(hand.counts)) for hand in self.get(state)[: state.players]]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        hands = getattr(given, self.of)
        for seat, codes in enumerate(self.items(given, state, [])):
            for place, code in enumerate(codes):
                kind = number_of(f"{self.path}[{seat}][{place}]", code, counter.codes)
                self.get(state)[seat].counts[kind] += 1
            if any(codes.count(code) > hands[seat].count(code) for code in codes):
                raise BadPosition(f"{self.path}[{seat}]", codes, f"these cards are not in that hand{self.why}")

    def forms(self) -> dict[str, Form]:
        return {f"{self.at}.counts": number(self.words)}

    def limits(self) -> dict[str, Limits]:
        most = None if callable(self.cards.in_deck) else max(map(int, self.cards.in_deck))
        return {f"{self.at}.counts": (0, most)}
