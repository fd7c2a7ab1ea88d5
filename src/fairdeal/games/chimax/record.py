"""CHIMAX: the fields that the records of all its games share, and the kinds of their fields (docs/rules/chimax.md,
sections 0 and 8)."""

from collections.abc import Callable, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar

import msgspec
import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit import piles
from fairdeal.engine.kit.forms import Form, absent, in_order, one_of, one_seat, placed
from fairdeal.engine.kit.positions import CardCounter, in_range
from fairdeal.engine.kit.seats import members, seat_after
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, i1, i2, pile
from fairdeal.engine.scene.shown import InScene, cards_in, size_in
from fairdeal.engine.written import (
    Cards,
    Condition,
    Derived,
    Field,
    Number,
    Numbers,
    OfCards,
    Part,
    Phase,
    Seat,
    SeatOrNobody,
    Seats,
    Unwritten,
)
from fairdeal.games.chimax.cards import CARD_FACES, FACE_CODES, KIND_OF, code_of, read_code
from fairdeal.games.chimax.deck import CARDS, DECLARED, EACH, FACES, FIFTEEN, HUNDRED, KINDS, MARKS, QUESTION, face_of
from fairdeal.games.chimax.rules.playoff import go_on_with_playoff, playoff_is_dealt
from fairdeal.games.chimax.rules.tournament import set_table
from fairdeal.games.chimax.rules.trick import to_declare
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, PLAYOFF, SEATS, SHARED_PHASES

# --- cards -------------------------------------------------------------------------------------------------------


class FaceCounter(CardCounter):
    """A reader of codes that counts faces. A declared question mark counts as a question mark."""

    @cached_property
    def playoff(self) -> "FaceCounter":
        """The counter of the cards of a playoff, which has a whole deck of its own (TOUR-07)."""
        return WHOLE_DECK.counter(None)

    def kind(self, path: str, text: Any, unknown: bool = False) -> int:
        """Return the kind of a face, or UNKNOWN for `x` if `unknown` is true. Raises BadPosition for other values."""
        kind = read_code(path, text)
        if kind >= FACES:
            raise BadPosition(path, text, "only a face-up question mark can have a value")
        if kind == EMPTY or (kind == UNKNOWN and not unknown):
            raise BadPosition(path, text, f"give a face: {' '.join(FACE_CODES)} [{self.clauses}]")
        if kind >= 0:
            self.count(path, kind)
        return kind

    def visible(self, path: str, text: Any) -> int:
        """Return the kind of a face-up card: a face, or a question mark declared as one of four values. Raises
        BadPosition for other values."""
        kind = read_code(path, text)
        if kind < 0 or (kind >= FACES and not FIFTEEN <= kind - DECLARED <= HUNDRED):
            raise BadPosition(path, text, "give a visible card: a face, or ?15, ?25, ?50 or ?100")
        self.count(path, face_of(kind))
        return kind


class FaceCards(Cards):
    """The faces of a deck, which positions give as codes or as numbers. `x` is an unknown card."""

    text: ClassVar[Any] = str | int

    def counter(self, state: Fields) -> FaceCounter:
        own = super().counter(state)
        return FaceCounter(own.codes, own.in_deck, own.examples, own.clauses)

    def code(self, kind: int) -> str | None:
        return code_of(kind)

    @property
    def faces(self) -> Sequence[str]:
        return CARD_FACES

    def written(self, kinds: Any) -> list[Any]:
        return [code_of(kind) for kind in kinds]


def deck_of(copies: int = EACH, questions: int = MARKS, clauses: str = "GEN-01") -> FaceCards:
    """Return the cards of a deck with `copies` cards of each face and `questions` question marks."""
    in_deck = [questions if face == QUESTION else copies for face in range(FACES)]
    return FaceCards(FACE_CODES, in_deck, "write half, 25, ? or inf", clauses)


WHOLE_DECK = deck_of()


class Pile(OfCards):
    """A pile in order, from its first card. If `unknown`, JSON may have `x` in it."""

    unknown: bool = False
    kind: ClassVar[Any] = list[str] | None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return pile(self.room)

    def write(self, state: Snapshot) -> dict[str, Any]:
        return {self.key: self.cards.written(self.get(state).held)}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        codes = getattr(given, self.key) or []
        if len(codes) > self.room:
            raise BadPosition(self.path, len(codes), f"there are only {self.room} cards{self.why}")
        for kind in counter.read(self.path, codes, self.unknown):
            piles.push(self.get(state), kind)

    def forms(self) -> dict[str, Form]:
        return {f"{self.at}.cards": placed(self.kinds, self.words)}

    def in_scene(self) -> list[InScene]:
        return [cards_in(self.zone, f"{self.at}.cards", self.cards.faces)] if self.zone else []


class Pack(Pile):
    """GEN-15: the pack that waits to be cut or dealt. Its top is its first card. Its cards are counted apart from those
    of the round that has ended."""

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        super().read(given, state, counter.playoff if state.phase == PLAYOFF else self.cards.counter(state))

    def forms(self) -> dict[str, Form]:
        return {f"{self.at}.cards": absent()}

    def in_scene(self) -> list[InScene]:
        return [size_in(self.zone, f"{self.at}.length")]


# --- the playoff -------------------------------------------------------------------------------------------------

ONLY_IN_PLAYOFFS = ("hands", "leader", "book", "won", "books", "declared", "taps", "committed")
"""Fields of a playoff. In Books they are also fields of a round."""


class Tied(Seats):
    """The tied seats of a playoff. Without a playoff, a position may not have the fields `only`."""

    only: tuple[str, ...] = ONLY_IN_PLAYOFFS

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        super().read(given, state, counter)
        for name in () if state.tied or state.phase == PLAYOFF else self.only:
            if getattr(given, name) not in (None, []):
                raise BadPosition(name, getattr(given, name), "allowed only in a playoff [TOUR-07]")


class Ones(OfCards):
    """TOUR-07: the card of each seat in a playoff, which has no won piles and no Books."""

    def json(self) -> list[tuple[Any, ...]]:
        codes = list[list[str | int]] | None
        return [("hands", codes, None), ("won", codes, None), ("books", list[int] | None, None)]

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i1, SEATS

    def write(self, state: Snapshot) -> dict[str, Any]:
        if not state.tied:
            return {}
        ones = state.ones[: state.players]
        hands = [[] if card == EMPTY else [code_of(card)] for card in ones]
        return {"hands": hands, "won": [[] for _ in ones], "books": [0 for _ in ones]}

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        for seat, cards in enumerate(self.items(given, state, [])) if state.tied else ():
            if len(cards) > (state.tied >> seat & 1):
                reason = "in a playoff, each tied seat has at most one card, and the others have none"
                raise BadPosition(f"hands[{seat}]", cards, reason)
            for kind in counter.playoff.read(f"hands[{seat}]", cards, unknown=True):
                state.ones[seat] = kind

    def forms(self) -> dict[str, Form]:
        return {self.at: placed(FACES, self.words)}


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """A card of a Book, and the seat that played it."""

    seat: int
    card: str | int


class Entries(OfCards):
    """The cards of a Book in order of play. The seats that played them are the field `seats` beside it."""

    kind: ClassVar[Any] = list[Entry]

    @property
    def usual(self) -> Any:
        return None if self.required else []

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i1, SEATS

    def book(self, state: Any) -> Any:
        """Return the record of the Book."""
        return attrgetter(self.at.rpartition(".")[0])(state)

    def write(self, state: Snapshot) -> dict[str, Any]:
        book = self.book(state)
        entries = zip(book.seats, book.held, strict=False)
        return {self.key: [{"seat": seat, "card": code_of(card)} for seat, card in entries]}

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        book, entries = self.book(state), getattr(given, self.key)
        if len(entries) > SEATS:
            raise BadPosition(self.path, len(entries), f"a Book has at most {SEATS} cards")
        for place, entry in enumerate(entries):
            path = f"{self.path}[{place}]"
            book.seats[place] = in_range(f"{path}.seat", entry.seat, 0, state.players - 1)
            book.cards[place] = counter.visible(f"{path}.card", entry.card)
        book.length = len(entries)

    def forms(self) -> dict[str, Form]:
        return {self.at: placed(KINDS, self.words)}


class Values(Field):
    """BOOKS-15: the values that each seat has declared, in order, as faces."""

    kind: ClassVar[Any] = list[list[str | int]] | None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return pile(SEATS), SEATS

    def write(self, state: Snapshot) -> dict[str, Any]:
        return {self.key: [[FACE_CODES[face] for face in pile.held] for pile in self.get(state)[: state.players]]}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for seat, values in enumerate(self.items(given, state, [])):
            for place, value in enumerate(values):
                kind = KIND_OF.get(str(value), EMPTY)
                if place >= SEATS or not FIFTEEN <= kind <= HUNDRED:
                    reason = "give at most four values from 15, 25, 50 and 100"
                    raise BadPosition(f"{self.path}[{seat}][{place}]", value, reason)
                piles.push(self.get(state)[seat], kind)

    def forms(self) -> dict[str, Form]:
        return {f"{self.at}.cards": one_of(FACES, words=self.words)}


class Taps(Numbers):
    """BOOKS-21: the number of Taps of each seat in this round."""

    highest: int = SEATS

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i1, SEATS


class Committed(Field):
    """BOOKS-11: the slot, counted from 1, that each seat has chosen while all choose at once; EMPTY for none."""

    kind: ClassVar[Any] = list[int | str | None] | None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i1, SEATS

    def write(self, state: Snapshot) -> dict[str, Any]:
        shown = {EMPTY: None, UNKNOWN: "x"}
        slots = [shown.get(slot, slot) for slot in state.book.committed[: state.players]]
        return {"committed": slots} if state.book.simultaneous else {}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        if given.committed is not None and not state.book.simultaneous:
            raise BadPosition("committed", given.committed, "cards can be committed only if all are revealed together")
        for seat, slot in enumerate(self.items(given, state, None)):
            if isinstance(slot, str) and slot != "x":
                raise BadPosition(f"committed[{seat}]", slot, "give the number of a slot, or x for an unknown one")
            if slot is not None:
                known = slot if slot == "x" else in_range(f"committed[{seat}]", slot, 1, 20)
                state.book.committed[seat] = UNKNOWN if known == "x" else known


class Book(Part):
    """A Book in play: its cards in order of play, the values declared in this round, and the rules for Books at this
    table."""

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        if not self.there or self.there(state):
            super().read(given, state, counter.playoff if state.tied else counter)
            to_declare(state.book)  # settles question marks that stay bare


def book_field(there: Callable[[Snapshot], object] | None = attrgetter("tied"), **changed: Field) -> Book:
    """Return the field of a Book. `changed` has other fields in place of those named so."""
    parts: dict[str, Field] = {
        "leader": SeatOrNobody(),
        "length": Unwritten(),
        "seats": Unwritten(
            store=(i1, SEATS), shown={"": in_order(one_seat("seats that played the cards of the Book"))}
        ),
        "cards": Entries("cards of the Book in order of play", key="book"),
        "settled": Unwritten(),  # number of entries whose question marks are declared or stay bare
        "declared": Values("declared values, in order"),
        "taps": Taps(),
        "committed": Committed(),
        "scope": Unwritten(),
        "takes_book": Unwritten(),
        "simultaneous": Unwritten(),
        "peek": Unwritten(),
    }
    return Book(flat=True, there=there, parts=parts | changed)


# --- the table ---------------------------------------------------------------------------------------------------


class TablePhase(Phase, kw_only=True):
    """The phase. `usual_phase(given, state)` is that of a position without one."""

    usual_phase: Callable[[Any, Fields], str]

    @property
    def usual(self) -> Any:
        return ""

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        given.phase = given.phase or self.usual_phase(given, state)
        super().read(given, state, counter)


class Turn(SeatOrNobody):
    """The seat on turn. If it is left out, it follows from the playoff, or is the seat to the dealer's left."""

    late: ClassVar[bool] = True

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        super().read(given, state, counter)
        if playoff_is_dealt(state) and not is_out_of_order(snapshot(state)):
            go_on_with_playoff(state)
            if state.over:
                raise BadPosition("phase", given.phase, "all cards are played, so the playoff is over [TOUR-07]")
            if given.turn not in (None, state.turn):
                raise BadPosition("turn", given.turn, f"it is the turn of seat {state.turn} in this playoff [TOUR-07]")
        elif state.phase in (DEALING, OVER):
            state.turn = NOBODY
        elif state.phase != PLAYOFF and state.turn == NOBODY:
            state.turn = seat_after(state, state.dealer)


class Dealer(Seat):
    """The dealer, by default the last seat."""

    kind: ClassVar[Any] = int | None

    @property
    def usual(self) -> Any:
        return None

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        last = state.players - 1
        state.dealer = in_range("dealer", last if given.dealer is None else given.dealer, 0, last)


class Winners(Seats):
    """The winners, which a position has at the end only."""

    def write(self, state: Snapshot) -> dict[str, Any]:
        return super().write(state) if state.over else {}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        if state.over:
            super().read(given, state, counter)


class Scores(Numbers):
    """The points of each seat in the last round."""

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i2, SEATS


def table(phases: Sequence[str], usual_phase: Callable[[Any, Fields], str], **changed: Field) -> dict[str, Field]:
    """Return the fields that all games share, in the order of the record. `phases` are the game's own phases. `changed`
    has other fields in place of those named so.

    `match.game` is the number of the round, and `match.totals` are the points. `ones` are the single cards of a
    playoff.
    """
    words = f"{', '.join(SHARED_PHASES)}, then the phases of the game"
    shared: dict[str, Field] = {
        "players": Derived(value=lambda state: state.players, reason="this table has {} players"),
        "round": Number(at="match.game", lowest=1),
        "phase": TablePhase(words, names=(*SHARED_PHASES, *phases), usual_phase=usual_phase),
        "turn": Turn("seat on turn"),
        "dealer": Dealer(),
        "tied": Tied("tied seats in a playoff", sparse=True),
        "winners": Winners(key="winner"),
        "ones": Ones("hand card in a playoff", key="hands"),
        "book": book_field(),
        "pack": Pack(key="deck", room=CARDS, unknown=True, sparse=True, zone="pack"),
        "round_scores": Unwritten(store=(i2, SEATS)),
    }
    return shared | changed


def prepare_position(state: Fields) -> None:
    """Clear the table of a game of one round."""
    set_table(state, 1)


def settle_position(state: Fields) -> None:
    """Let the dealer act before a deal, and the seats whose turn it is in a playoff."""
    if playoff_is_dealt(state):
        go_on_with_playoff(state)
    elif state.phase == DEALING or (state.phase == PLAYOFF and state.turn == NOBODY):
        state.to_act = 1 << state.dealer


# --- what must hold ----------------------------------------------------------------------------------------------


def entries_of(book: Snapshot) -> list[tuple[int, int]]:
    """Return the seat and the card of each entry of a Book."""
    return list(zip(book.seats, book.held, strict=False))


def declared_before(state: Snapshot, seat: int) -> bool:
    """Return whether a seat has declared other values than those in the Book of a playoff (TOUR-07)."""
    values = [card - DECLARED for owner, card in entries_of(state.book) if owner == seat and card >= DECLARED]
    return bool(state.tied and state.book.declared[seat].held != values)


def waiting(state: Snapshot) -> list[int]:
    """Return the seats that have not played their card in a playoff."""
    return [seat for seat in range(state.players) if state.ones[seat] != EMPTY]


def is_out_of_order(state: Snapshot) -> bool:
    """Return whether seats have played out of order in a playoff (TOUR-07)."""
    leader, tied = state.book.leader, members(state.tied)
    played = [seat for seat, _ in entries_of(state.book)]
    order = [seat for seat in (*range(leader, state.players), *range(leader)) if seat in tied]
    size = len(played)
    return leader not in order or played != order[:size] or waiting(state) != sorted(order[size:])


def cuts_wrongly(state: Snapshot) -> bool:
    """Return whether the seat on turn before a playoff cannot cut its pack (TOUR-02)."""
    return state.turn != NOBODY and (state.turn != seat_after(state, state.dealer) or state.pack.length < 2)


TABLE_CONDITIONS = (
    Condition(
        "tied",
        "give at least two tied seats, in phase playoff or over only",
        lambda state: (
            (state.tied or state.phase == PLAYOFF)
            and (state.phase not in (PLAYOFF, OVER) or len(members(state.tied)) < 2)
        ),
    ),
    Condition("declared[{}]", "a playoff starts without declared values", declared_before),
    Condition(
        "leader",
        "give the leader once the cards are dealt [TOUR-07]",
        lambda state: not playoff_is_dealt(state) and (state.book.length or waiting(state)),
        (PLAYOFF,),
    ),
    Condition(
        "turn",
        "before the deal, only the player on the dealer's left can cut the deck [TOUR-02]",
        lambda state: not playoff_is_dealt(state) and cuts_wrongly(state),
        (PLAYOFF,),
    ),
    Condition(
        "deck",
        "the deck needs a card for each tied seat [TOUR-07]",
        lambda state: not playoff_is_dealt(state) and 0 < state.pack.length < len(members(state.tied)),
        (PLAYOFF,),
    ),
    Condition(
        "book",
        "tied seats must play one card each, in order from the leader [TOUR-07]",
        lambda state: playoff_is_dealt(state) and is_out_of_order(state),
        (PLAYOFF,),
    ),
    Condition(
        "deck",
        "the deck must be empty after the deal of the playoff [TOUR-07]",
        lambda state: playoff_is_dealt(state) and state.pack.length,
        (PLAYOFF,),
    ),
)
"""The conditions of every state of all games."""

CUTTER = Condition(
    "turn",
    lambda state: f"seat {seat_after(state, state.dealer)}, on the dealer's left, must cut [TOUR-02]",
    lambda state: state.turn != seat_after(state, state.dealer),
    (CUTTING,),
)
"""GEN-11, TOUR-02: before a deal, the seat to the dealer's left cuts."""
