"""CHIMAX: what all its positions have in writing: the phase, the dealer, the pack that waits, the playoff (GEN-15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.piles import push
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, Record
from fairdeal.games.chimax.cards import CODES, KIND_OF, code_of, read_code
from fairdeal.games.chimax.deck import COPIES, FACES, FIFTEEN, HUNDRED, QUESTION, face_of
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, OWN_PHASE, PLAYOFF
from fairdeal.games.chimax.trick import SEATS, begin_first_trick

SHARED_PHASES = ("deal", "cut", "playoff", "over")

T = TypeVar("T")


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """A card of a Book and who played it."""

    seat: int
    card: str | int


class TablePosition(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The fields that the positions of all games share; each game adds its own."""

    game: str = ""
    options: dict[str, Any] = {}
    players: int | None = None
    round: int = 1
    dealer: int | None = None
    turn: int | None = None
    phase: str = ""
    deck: list[str | int] | None = None
    tied: list[int] | None = None
    hands: list[list[str | int | None]] | None = None
    leader: int | None = None
    book: list[Entry] = []
    won: list[list[str | int]] | None = None
    books: list[int] | None = None
    declared: list[list[str | int]] | None = None
    taps: list[int] | None = None
    committed: list[int | None] | None = None
    winner: list[int] | None = None


def convert(position: Mapping[str, Any], kind: type[T]) -> T:
    """A position as a struct of its game. Raises BadPosition with the path."""
    try:
        return msgspec.convert(dict(position), kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as problem:
        words, _, path = str(problem).partition(" - at `$")
        raise BadPosition(path.rstrip("`").lstrip("."), "", words) from None


def in_range(path: str, value: int, low: int, high: int) -> int:
    """A number within limits. Raises BadPosition."""
    if not low <= value <= high:
        raise BadPosition(path, value, f"a number from {low} to {high} belongs here")
    return value


def sized(path: str, values: Sequence[T], count: int) -> Sequence[T]:
    """A list of so many things. Raises BadPosition."""
    if len(values) != count:
        raise BadPosition(path, len(values), f"a list of {count} belongs here")
    return values


def seat_or_null(seat: int) -> int | None:
    return None if seat == NOBODY else seat


# --- writing -----------------------------------------------------------------------------------------------------


def write_table(state: Record, own_phases: Sequence[str]) -> dict[str, Any]:
    """The shared fields, in the order of the specification: to be merged with the game's own."""
    phase = int(state.phase)
    position: dict[str, Any] = {
        "players": int(state.players),
        "round": int(state.match.game),
        "dealer": int(state.dealer),
        "turn": seat_or_null(int(state.turn)),
        "phase": SHARED_PHASES[phase] if phase < OWN_PHASE else own_phases[phase - OWN_PHASE],
    }
    if int(state.pack.length):
        position["deck"] = pile_codes(state.pack)
    if int(state.tied):
        position |= write_playoff(state)
    if phase == OVER:
        position["winner"] = [seat for seat in range(int(state.players)) if int(state.winners) >> seat & 1]
    return position


def pile_codes(pile: Record) -> list[str | None]:
    return [code_of(kind) for kind in pile.cards.tolist()[: int(pile.length)]]


def write_playoff(state: Record) -> dict[str, Any]:
    """TOUR-07: the single cards and the Book that decides."""
    players = int(state.players)
    found: dict[str, Any] = {
        "tied": [seat for seat in range(players) if int(state.tied) >> seat & 1],
        "hands": [[] if card == EMPTY else [code_of(card)] for card in state.ones.tolist()[:players]],
        "won": [[] for _ in range(players)],
        "books": [0] * players,
    }
    return found | write_book(state, players)


def write_book(state: Record, players: int) -> dict[str, Any]:
    """The Book under way and what was declared."""
    book = state.book
    found: dict[str, Any] = {
        "leader": seat_or_null(int(book.leader)),
        "book": [
            {"seat": int(seat), "card": code_of(int(card))}
            for seat, card in zip(book.seats.tolist(), book.cards.tolist()[: int(book.length)], strict=False)
        ],
        "declared": [pile_codes(book.declared[seat]) for seat in range(players)],
        "taps": book.taps.tolist()[:players],
    }
    if int(book.simultaneous):
        found["committed"] = [None if slot == EMPTY else slot for slot in book.committed.tolist()[:players]]
    return found


# --- reading -----------------------------------------------------------------------------------------------------


def read_table(state: Record, given: TablePosition, own_phases: Sequence[str], usual_phase: str) -> None:
    """Write the shared fields into a blank state with its options; `to_act` follows from phase and turn."""
    players = int(state.players)
    if given.players is not None and given.players != players:
        raise BadPosition("players", given.players, f"this table has {players}")
    state.match.game = in_range("round", given.round, 1, 127)
    state.dealer = in_range("dealer", players - 1 if given.dealer is None else given.dealer, 0, players - 1)
    phases = (*SHARED_PHASES, *own_phases)
    phase = given.phase or usual_phase
    if phase not in phases:
        raise BadPosition("phase", phase, f"give {', '.join(phases)}")
    state.phase = phases.index(phase)
    begin_first_trick(state.book, NOBODY)
    for seat in range(SEATS):
        state.ones[seat] = EMPTY
    for place, code in enumerate(given.deck or []):
        push(state.pack, read_code(f"deck[{place}]", code))
    state.turn = NOBODY if given.turn is None else in_range("turn", given.turn, 0, players - 1)
    if given.tied:
        read_playoff(state, given)
    read_turn(state, given)


def read_turn(state: Record, given: TablePosition) -> None:
    """Who may act: the seat on turn, the dealer where the game rests, nobody at the end."""
    phase, players = int(state.phase), int(state.players)
    if phase == OVER:
        state.over = 1
        state.turn = NOBODY
        for number, seat in enumerate(given.winner or []):
            state.winners |= 1 << in_range(f"winner[{number}]", seat, 0, players - 1)
        return
    if phase == DEALING or (phase == PLAYOFF and int(state.turn) == NOBODY and int(state.book.leader) == NOBODY):
        state.turn = NOBODY
        state.to_act = 1 << int(state.dealer)
        return
    if int(state.turn) == NOBODY and not int(state.book.simultaneous):
        state.turn = (int(state.dealer) + 1) % players if phase == CUTTING or given.turn is None else given.turn
    if int(state.turn) != NOBODY:
        state.to_act = 1 << int(state.turn)


def read_playoff(state: Record, given: TablePosition) -> None:
    """TOUR-07."""
    players = int(state.players)
    for number, seat in enumerate(given.tied or []):
        state.tied |= 1 << in_range(f"tied[{number}]", seat, 0, players - 1)
    for seat, cards in enumerate(sized("hands", given.hands or [[]] * players, players)):
        if len(cards) > 1 or (cards and not int(state.tied) >> seat & 1):
            raise BadPosition(f"hands[{seat}]", cards, "in a playoff each tied seat has one card, the others none")
        if cards:
            state.ones[seat] = read_code(f"hands[{seat}][0]", cards[0])
    read_book(state, given)
    committed = [int(slot) != EMPTY for slot in state.book.committed.tolist()]
    if int(state.book.simultaneous) and int(state.turn) == NOBODY and int(state.book.leader) != NOBODY:
        for seat in range(players):
            if int(state.ones[seat]) != EMPTY and not committed[seat]:
                state.to_act |= 1 << seat


def read_book(state: Record, given: TablePosition) -> None:
    """The Book under way and what was declared."""
    book, players = state.book, int(state.players)
    if given.leader is not None:
        book.leader = in_range("leader", given.leader, 0, players - 1)
    for number, entry in enumerate(given.book):
        if number >= SEATS:
            raise BadPosition("book", len(given.book), f"a Book has at most {SEATS} cards")
        book.seats[number] = in_range(f"book[{number}].seat", entry.seat, 0, players - 1)
        book.cards[number] = read_code(f"book[{number}].card", entry.card)
        book.length += 1
    for seat, values in enumerate(sized("declared", given.declared or [[]] * players, players)):
        for number, value in enumerate(values):
            kind = KIND_OF.get(str(value), -1)
            if number >= SEATS or not FIFTEEN <= kind <= HUNDRED:
                raise BadPosition(f"declared[{seat}][{number}]", value, "at most four of 15, 25, 50 and 100")
            push(book.declared[seat], kind)
    for seat, taps in enumerate(sized("taps", given.taps or [0] * players, players)):
        book.taps[seat] = in_range(f"taps[{seat}]", taps, 0, SEATS)
    for seat, slot in enumerate(sized("committed", given.committed or [None] * players, players)):
        if slot is not None:
            book.committed[seat] = in_range(f"committed[{seat}]", slot, 1, 20)


class FaceCounter:
    """Checks that no face is named more often than the deck has it."""

    def __init__(self, questions: int = 4) -> None:
        self.left = [questions if face == QUESTION else int(COPIES[face]) for face in range(FACES)]

    def add(self, path: str, kind: int) -> None:
        """Raises BadPosition if there is no such card left."""
        if kind in (EMPTY, UNKNOWN):
            return
        self.left[face_of(kind)] -= 1
        if self.left[face_of(kind)] < 0:
            raise BadPosition(path, CODES[kind], "the deck has no more of these")
