"""CHIMAX: the fields that the records of all its games share, and the kinds of their fields (docs/rules/chimax.md,
sections 0 and 8)."""

from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar

import msgspec
import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit import piles
from fairdeal.engine.kit.forms import Form, absent, in_order, number, one_of, one_seat, placed
from fairdeal.engine.kit.positions import CardCounter, in_range
from fairdeal.engine.kit.seats import members, seat_after
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.options import option_fields
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, i1, i2, pile
from fairdeal.engine.scene.shown import InScene, size_in
from fairdeal.engine.written import (
    Cards,
    Condition,
    Derived,
    Field,
    Flag,
    Number,
    Numbers,
    OfCards,
    Part,
    Phase,
    Piles,
    Seat,
    SeatOrNobody,
    Seats,
    Unwritten,
)
from fairdeal.games.chimax.cards import CARD_FACES, FACE_CODES, KIND_OF, code_of, read_code
from fairdeal.games.chimax.deck import CARDS, DECLARED, EACH, FACES, FIFTEEN, HUNDRED, KINDS, MARKS, QUESTION, face_of
from fairdeal.games.chimax.options import TournamentOptions
from fairdeal.games.chimax.rules.playoff import go_on_with_playoff, playoff_is_dealt
from fairdeal.games.chimax.rules.tournament import set_table
from fairdeal.games.chimax.rules.trick import to_declare
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, PLAYOFF, SEATS, SHARED_PHASES

# --- cards -------------------------------------------------------------------------------------------------------


class FaceCounter(CardCounter):
    """A reader of codes that counts faces. A declared question mark counts as a question mark."""

    @cached_property
    def playoff(self) -> CardCounter:
        """The counter of the cards of a playoff, which has a whole deck of its own (TOUR-07)."""
        return WHOLE_DECK.counter(None)

    def kind(self, path: str, text: Any, unknown: bool = False) -> int:
        """Count and return the kind of a face, or UNKNOWN for `x` if `unknown` is true. Raises BadPosition for other
        values."""
        kind = self.face(path, text, unknown)
        if kind >= 0:
            self.count(path, kind)
        return kind

    def face(self, path: str, text: Any, unknown: bool = False) -> int:
        """Return what `kind` returns, but do not count the card."""
        kind = read_code(path, text)
        if kind >= FACES:
            raise BadPosition(path, text, "only a face-up question mark can have a value")
        if kind == EMPTY or (kind == UNKNOWN and not unknown):
            raise BadPosition(path, text, f"give a face: {' '.join(FACE_CODES)} [{self.clauses}]")
        return kind

    def visible(self, path: str, text: Any) -> int:
        """Count and return the kind of a face-up card: a face, or a question mark declared as one of four values.
        Raises BadPosition for other values."""
        kind = read_code(path, text)
        if kind < 0 or (kind >= FACES and not FIFTEEN <= kind - DECLARED <= HUNDRED):
            raise BadPosition(path, text, "give a visible card: a face, or ?15, ?25, ?50 or ?100")
        self.count(path, face_of(kind))
        return kind


class FaceCards(Cards):
    """The faces of a deck, which positions give as codes or as numbers. `x` is an unknown card."""

    text: ClassVar[Any] = str | int
    reader: ClassVar[type[CardCounter]] = FaceCounter

    def code(self, kind: int) -> str | None:
        return code_of(kind)

    @property
    def faces(self) -> Sequence[str]:
        return CARD_FACES


def deck_of(copies: int = EACH, questions: int = MARKS, clauses: str = "GEN-01") -> FaceCards:
    """Return the cards of a deck with `copies` cards of each face and `questions` question marks."""
    in_deck = [questions if face == QUESTION else copies for face in range(FACES)]
    return FaceCards(FACE_CODES, in_deck, "write half, 25, ? or inf", clauses)


WHOLE_DECK = deck_of()


class Pile(OfCards):
    """A pile in order, from its first card. If `unknown`, JSON may have `x` in it. Its zone shows its size."""

    unknown: bool = False
    kind: ClassVar[Any] = list[str] | None

    def in_json(self, state: Snapshot) -> Any:
        return self.cards.written(self.get(state).held)

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        codes = getattr(given, self.key) or []
        if len(codes) > CARDS:
            raise BadPosition(self.path, len(codes), f"there are only {CARDS} cards{self.why}")
        for kind in counter.read(self.path, codes, self.unknown):
            piles.push(self.get(state), kind)

    def in_scene(self) -> list[InScene]:
        return [size_in(self.zone, f"{self.at}.length")] if self.zone else []


class Pack(Pile):
    """GEN-15: the pack that waits to be cut or dealt, with its top first. Its cards are counted apart from those of the
    round that has ended."""

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        super().read(given, state, counter.playoff if state.phase == PLAYOFF else self.cards.counter(state))


# --- the playoff -------------------------------------------------------------------------------------------------


class Ones(OfCards):
    """TOUR-07: the card of each seat in a playoff."""

    kind: ClassVar[Any] = list[list[str]] | None

    def in_json(self, state: Snapshot) -> Any:
        ones = state.ones[: state.players]
        return [[] if card == EMPTY else [code_of(card)] for card in ones]

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        for seat, cards in enumerate(self.items(given, state, [])):
            if len(cards) > (state.tied >> seat & 1):
                reason = "in a playoff, each tied seat has at most one card, and the others have none"
                raise BadPosition(f"hands[{seat}]", cards, reason)
            for kind in counter.playoff.read(f"hands[{seat}]", cards, unknown=True):
                state.ones[seat] = kind


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """A card of a Book, and the seat that played it."""

    seat: int
    card: str | int


class Entries(OfCards):
    """The cards of a Book in order of play. The record of the Book has the seats that played them as `seats`."""

    kind: ClassVar[Any] = list[Entry] | None

    def in_json(self, state: Snapshot) -> Any:
        book = self.whole(state)
        return [{"seat": seat, "card": code_of(card)} for seat, card in entries_of(book)]

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        book, entries = self.whole(state), getattr(given, self.key) or []
        if len(entries) > SEATS or (self.required and not entries):
            raise BadPosition(self.path, len(entries), f"a Book has 1 to {SEATS} cards")
        for place, entry in enumerate(entries):
            path = f"{self.path}[{place}]"
            book.seats[place] = in_range(f"{path}.seat", entry.seat, 0, state.players - 1)
            book.cards[place] = counter.visible(f"{path}.card", entry.card)
        book.length = len(entries)


def entries_of(book: Snapshot) -> list[tuple[int, int]]:
    """Return the seat and the card of each entry of a Book."""
    return list(zip(book.seats, book.held, strict=False))


class Values(Piles):
    """BOOKS-15: the values that each seat has declared, in order, as faces."""

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for seat, values in enumerate(self.items(given, state, [])):
            for place, value in enumerate(values):
                kind = KIND_OF.get(str(value), EMPTY)
                if place >= SEATS or not FIFTEEN <= kind <= HUNDRED:
                    reason = "give at most four values from 15, 25, 50 and 100"
                    raise BadPosition(f"declared[{seat}][{place}]", value, reason)
                piles.push(state.book.declared[seat], kind)


class Committed(Field):
    """BOOKS-11: the slot, counted from 1, that each seat has chosen while all choose at once; EMPTY for none."""

    kind: ClassVar[Any] = list[int | str | None] | None

    def in_json(self, state: Snapshot) -> Any:
        shown = {EMPTY: None, UNKNOWN: "x"}
        return [shown.get(slot, slot) for slot in state.book.committed[: state.players]]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for seat, slot in enumerate(self.items(given, state, None)):
            if slot == "x":
                state.book.committed[seat] = UNKNOWN
            elif isinstance(slot, str):
                raise BadPosition(f"committed[{seat}]", slot, "give the number of a slot, or x for an unknown one")
            elif slot is not None:
                state.book.committed[seat] = in_range(f"committed[{seat}]", slot, 1, 20)


class Book(Part):
    """A Book in play: its cards in order of play, the values declared in this round, and the rules for Books at this
    table."""

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        super().read(given, state, counter.playoff if state.tied else counter)
        to_declare(state.book)  # settles question marks that stay bare


TABLE_OPTIONS = tuple(option_fields(TournamentOptions))
"""The names of the options that all games for several players share."""

OF_SEATS = (i1, SEATS)
VALUES = (pile(SEATS), SEATS)
VALUES_SHOWN = one_of(FACES, words="declared values, in order")
PARTS_OF_BOOK: dict[str, Field] = {
    "leader": SeatOrNobody(),
    "length": Unwritten(),
    "seats": Unwritten(store=OF_SEATS, form=in_order(one_seat("seats that played the cards of the Book"))),
    "cards": Entries(key="book", store=OF_SEATS, form=placed(KINDS, "cards of the Book in order of play")),
    "settled": Unwritten(),  # number of entries whose question marks are declared or stay bare
    "declared": Values(store=VALUES, form=VALUES_SHOWN),
    "taps": Numbers(store=OF_SEATS, highest=SEATS),
    "committed": Committed(
        store=OF_SEATS, when=attrgetter("book.simultaneous"), only="if all cards are revealed together"
    ),
    "scope": Unwritten(),
    "takes_book": Unwritten(),
    "simultaneous": Unwritten(),
    "peek": Unwritten(),
}


# --- layouts of face-down cards ----------------------------------------------------------------------------------


class Laid(OfCards):
    """MEM-01: the cards of a layout by place, with null for a place whose card was taken."""

    kind: ClassVar[Any] = list[str | None] | None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i1, self.room

    def in_json(self, state: Snapshot) -> Any:
        return self.cards.written(self.whole(state).held)

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        layout, codes = self.whole(state), getattr(given, self.key) or []
        if len(codes) > self.room:
            reason = f"a layout has at most {self.room} places [{self.cards.clauses}]"
            raise BadPosition(self.path, len(codes), reason)
        for place, code in enumerate(codes):
            path = f"{self.path}[{place}]"
            layout.cards[place] = EMPTY if code is None else counter.kind(path, code, unknown=True)
        layout.length = len(codes)

    def forms(self) -> dict[str, Form]:
        return {self.at: placed(self.kinds, "cards of the layout")}


class Places(Field):
    """MEM-02, 05: places of a layout that were turned up, in order. JSON counts them from 1."""

    kind: ClassVar[Any] = list[int] | None

    def in_json(self, state: Snapshot) -> Any:
        return numbers_of(self.get(state))

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        read_places(self.get(state), self.path, getattr(given, self.key) or [], self.whole(state).length)


def numbers_of(places: Snapshot) -> list[int]:
    """Return the places in a pile, counted from 1."""
    return [place + 1 for place in places.held]


def read_places(places: Fields, path: str, given: Sequence[Any], size: int) -> None:
    """Read a list of distinct places of a layout of `size` places into a pile. Raises BadPosition if it is invalid."""
    for order, place in enumerate(given):
        if type(place) is not int or not 1 <= place <= size or piles.find(places, place - 1) >= 0:
            raise BadPosition(f"{path}[{order}]", place, f"give each place only once, from 1 to {size}")
        if order == len(places.cards):
            raise BadPosition(path, len(given), f"at most {order} cards can be face up")
        piles.push(places, place - 1)


class Open(Places):
    """MEM-02: the places turned up in this turn, whose cards are known."""

    late: ClassVar[bool] = True

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        super().read(given, state, counter)
        layout = self.whole(state)
        for order, place in enumerate(given.open or []):
            if layout.cards[place - 1] < 0 or piles.find(layout.seen, place - 1) < 0:
                reason = "a face-up card must be known and also listed in `seen` [MEM-02, MEM-05]"
                raise BadPosition(f"open[{order}]", place, reason)


def parts_of_layout(places: int, turned: int, most_dead: int) -> dict[str, Field]:
    """Return the fields of a layout, where cards keep their places, of which at most `turned` are turned up in a turn.
    Places are numbered from 0 in the record, and from 1 in notation."""
    return {
        "length": Unwritten(),
        "cards": Laid(key="layout", room=places, zone="layout"),
        "open": Open(store=pile(turned), form=one_of(places, words="places turned up in this turn")),
        "seen": Places(store=pile(places), form=number("places turned up so far, in order of the first time")),
        "dead": Number("number of turns without a new card", highest=most_dead),
        "live": Flag(),
    }


class Miss(msgspec.Struct, forbid_unknown_fields=True):
    """MEM-04: a card that has just been turned back, as its place, counted from 1, and its face."""

    place: int
    card: str | int


def read_miss(layout: Fields, path: str, miss: Any, counter: Any) -> tuple[int, int]:
    """Return the place and face of a card that has just been turned back (MEM-04). Raises BadPosition if it contradicts
    the layout."""
    place = in_range(f"{path}.place", miss.place, 1, max(1, layout.length)) - 1
    face, lies = counter.face(f"{path}.card", miss.card), layout.cards[place]
    if piles.find(layout.seen, place) < 0:
        raise BadPosition(f"{path}.place", miss.place, "this place must also be listed in `seen` [MEM-04, MEM-05]")
    if lies not in (face, UNKNOWN):
        raise BadPosition(f"{path}.card", miss.card, "the layout has a different card at this place")
    if lies == UNKNOWN:
        counter.count(f"{path}.card", face)
    return place, face


# --- the table ---------------------------------------------------------------------------------------------------


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


IN_PLAYOFF: dict[str, Any] = {"when": attrgetter("tied"), "only": "in a playoff", "clause": "TOUR-07"}


def table(phases: Sequence[str], usual_phase: Any, **changed: Field | None) -> dict[str, Field]:
    """Return the fields that all games share, in the order of the record. `phases` are the game's own phases, and
    `usual_phase(given, state)` is that of a position without one. `changed` has other fields in place of those named
    so, or None.

    `match.game` is the number of the round, and `match.totals` are the points. `ones` are the single cards of a
    playoff.
    """
    words = f"{', '.join(SHARED_PHASES)}, then the phases of the game"
    shared = {
        "players": Derived(of=int, value=attrgetter("players"), reason="this table has {} players"),
        "round": Number(at="match.game", lowest=1),
        "phase": Phase(words, names=(*SHARED_PHASES, *phases), default=usual_phase),
        "turn": Turn("seat on turn"),
        "dealer": Seat(default=lambda given, state: state.players - 1),
        "tied": Seats("tied seats in a playoff", sparse=True),
        "winners": Seats(key="winner", when=attrgetter("over")),
        "ones": Ones(key="hands", store=OF_SEATS, form=placed(FACES, "hand card in a playoff"), **IN_PLAYOFF),
        "won": Derived(of=list[list[str | int]], value=lambda state: [[] for _ in range(state.players)], **IN_PLAYOFF),
        "books": Derived(of=list[int], value=lambda state: [0] * state.players, **IN_PLAYOFF),
        "book": Book(flat=True, parts=PARTS_OF_BOOK, **IN_PLAYOFF),
        "pack": Pack(key="deck", store=pile(CARDS), form=absent(), unknown=True, sparse=True, zone="pack"),
        "round_scores": Unwritten(store=(i2, SEATS)),
    }
    return {name: field for name, field in (shared | changed).items() if field}


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


def has_declared_before(state: Snapshot, seat: int) -> bool:
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
    Condition("declared[{}]", "a playoff starts without declared values", has_declared_before),
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

PACK = Condition(
    "deck",
    "there is a deck only before a deal [GEN-15]",
    lambda state: state.phase not in (CUTTING, DEALING, PLAYOFF) and state.pack.length,
)
