"""CHIMAX: the position fields that all games share: the phase, the dealer, the waiting pack, and the playoff
(GEN-15)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.piles import push
from fairdeal.engine.kit.positions import CardCounter, in_range, number_of, sized
from fairdeal.engine.kit.seats import members, seat_after
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, Record
from fairdeal.games.chimax.cards import FACE_CODES, KIND_OF, code_of, read_code
from fairdeal.games.chimax.deck import CARDS, DECLARED, EACH, FACES, FIFTEEN, HUNDRED, MARKS, QUESTION, face_of
from fairdeal.games.chimax.rules.playoff import go_on_with_playoff
from fairdeal.games.chimax.rules.tournament import set_table
from fairdeal.games.chimax.rules.trick import to_declare
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, PLAYOFF, SEATS, SHARED_PHASES


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """A card of a Book, and the seat that played it."""

    seat: int
    card: str | int


class TablePosition(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The position fields that all games share. Each game adds its own."""

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
    committed: list[int | str | None] | None = None
    winner: list[int] | None = None


def seat_or_null(seat: int) -> int | None:
    """Return a seat, or None for NOBODY."""
    return None if seat == NOBODY else seat


# --- writing -----------------------------------------------------------------------------------------------------


def write_table(state: Snapshot, own_phases: Sequence[str]) -> dict[str, Any]:
    """Return the shared fields, in the order of the specification, which each game merges with its own."""
    position: dict[str, Any] = {
        "players": state.players,
        "round": state.match.game,
        "dealer": state.dealer,
        "turn": seat_or_null(state.turn),
        "phase": (*SHARED_PHASES, *own_phases)[state.phase],
    }
    if state.pack.length:
        position["deck"] = pile_codes(state.pack)
    if state.tied:
        position |= write_playoff(state)
    if state.phase == OVER:
        position["winner"] = members(state.winners)
    return position


def pile_kinds(pile: Record) -> list[int]:
    """Return the kinds of the cards in a pile, a Book or a layout."""
    kinds: list[int] = snapshot(pile).held
    return kinds


def pile_codes(pile: Record) -> list[str | None]:
    """Return the codes of the cards in a pile, a Book or a layout."""
    return [code_of(kind) for kind in pile_kinds(pile)]


def write_playoff(state: Snapshot) -> dict[str, Any]:
    """Return the single cards and the Book of a playoff (TOUR-07)."""
    players = state.players
    return {
        "tied": members(state.tied),
        "hands": [[] if card == EMPTY else [code_of(card)] for card in state.ones[:players]],
        "won": [[] for _ in range(players)],
        "books": [0] * players,
        **write_book(state, players),
    }


def write_book(state: Snapshot, players: int) -> dict[str, Any]:
    """Return the fields of the Book in play and the declared values."""
    book = state.book
    entries = zip(book.seats, book.held, strict=False)
    found: dict[str, Any] = {
        "leader": seat_or_null(book.leader),
        "book": [{"seat": seat, "card": code_of(card)} for seat, card in entries],
        "declared": [pile_codes(values) for values in book.declared[:players]],
        "taps": book.taps[:players],
    }
    if book.simultaneous:
        written = {EMPTY: None, UNKNOWN: "x"}
        found["committed"] = [written.get(slot, slot) for slot in book.committed[:players]]
    return found


# --- reading -----------------------------------------------------------------------------------------------------


def read_table(
    state: Record, given: TablePosition, own_phases: Sequence[str], usual_phase: str, rounds: int = 1
) -> None:
    """Write the shared fields into a blank state that has its options, for a match of `rounds` rounds.

    The seats to act follow from the phase and the turn.
    """
    players = state.players
    set_table(state, rounds)
    if given.players is not None and given.players != players:
        raise BadPosition("players", given.players, f"this table has {players} players")
    state.match.game = in_range("round", given.round, 1, 127)
    state.dealer = in_range("dealer", players - 1 if given.dealer is None else given.dealer, 0, players - 1)
    state.phase = number_of("phase", given.phase or usual_phase, (*SHARED_PHASES, *own_phases))
    if len(given.deck or []) > CARDS:
        raise BadPosition("deck", len(given.deck or []), f"a deck has at most {CARDS} cards")
    for place, code in enumerate(given.deck or []):
        push(state.pack, read_plain(f"deck[{place}]", code))
    state.turn = NOBODY if given.turn is None else in_range("turn", given.turn, 0, players - 1)
    if given.tied or state.phase == PLAYOFF:
        read_playoff(state, given)
    read_turn(state, given)


def read_turn(state: Record, given: TablePosition) -> None:
    """Set the seats to act: the seat on turn, the dealer between rounds, or none at the end."""
    led = state.book.leader != NOBODY
    if state.phase == OVER:
        state.over = 1
        state.turn = NOBODY
        for number, seat in enumerate(given.winner or []):
            state.winners |= 1 << in_range(f"winner[{number}]", seat, 0, state.players - 1)
    elif state.phase == DEALING or (state.phase == PLAYOFF and state.turn == NOBODY and not led):
        state.turn = NOBODY
        state.to_act = 1 << state.dealer
    elif state.phase != PLAYOFF or not led:
        if state.turn == NOBODY and not state.book.simultaneous:
            state.turn = seat_after(state, state.dealer)
        if state.turn != NOBODY:
            state.to_act = 1 << state.turn


def read_plain(path: str, code: object) -> int:
    """Return the kind of a card that is not a declared question mark. `x` is allowed. Raises BadPosition for any other
    value."""
    kind = read_code(path, code)
    if kind >= FACES:
        raise BadPosition(path, code, "only a face-up question mark can have a value")
    return kind


def read_face(path: str, code: object, clauses: str) -> int:
    """Return the kind of a visible face. Raises BadPosition for any other value."""
    kind = read_plain(path, code)
    if kind < 0:
        raise BadPosition(path, code, f"give a face: {' '.join(FACE_CODES)} [{clauses}]")
    return kind


def read_open(path: str, code: object) -> int:
    """Return the kind of a face-up card: a face, or a question mark declared as one of four values. Raises BadPosition
    for any other value."""
    kind = read_code(path, code)
    if kind == UNKNOWN or (kind >= FACES and not FIFTEEN <= kind - DECLARED <= HUNDRED):
        raise BadPosition(path, code, "give a visible card: a face, or ?15, ?25, ?50 or ?100")
    return kind


def read_numbers(players: int, target: Record, path: str, given: Sequence[int] | None, low: int, high: int) -> None:
    """Read a number for each seat into `target` (default: 0 for every seat). Raises BadPosition if a number is out of
    range."""
    for seat, number in enumerate(sized(path, [0] * players if given is None else given, players)):
        target[seat] = in_range(f"{path}[{seat}]", number, low, high)


def check_cutter(state: Record) -> None:
    """Check that only the seat to the dealer's left cuts before a deal (GEN-11, TOUR-02). Raises BadPosition
    otherwise."""
    left = seat_after(state, state.dealer)
    if state.phase == CUTTING and state.turn != left:
        raise BadPosition("turn", state.turn, f"seat {left}, on the dealer's left, must cut [TOUR-02]")


def read_playoff(state: Record, given: TablePosition) -> None:
    """Read the tied seats, their cards and the Book of a playoff (TOUR-07)."""
    players = state.players
    for number, seat in enumerate(given.tied or []):
        state.tied |= 1 << in_range(f"tied[{number}]", seat, 0, players - 1)
    tied = members(state.tied)
    if state.phase not in (PLAYOFF, OVER) or len(tied) < 2:
        raise BadPosition("tied", given.tied, "give at least two tied seats, in phase playoff or over only")
    for seat, cards in enumerate(sized("hands", given.hands or [[]] * players, players)):
        if len(cards) > 1 or (cards and seat not in tied):
            raise BadPosition(
                f"hands[{seat}]", cards, "in a playoff, each tied seat has at most one card, and the others have none"
            )
        if cards:
            state.ones[seat] = read_plain(f"hands[{seat}][0]", cards[0])
    read_book(state, given)
    check_playoff(snapshot(state))
    if state.phase == PLAYOFF:
        read_playoff_turn(state, given)


def check_playoff(state: Snapshot) -> None:
    """Check that a playoff uses a whole deck, and that only values in its own Book have been declared (TOUR-07)."""
    counter, book = FaceCounter(), state.book
    counter.add_all("deck", state.pack.held)
    counter.add_all("hands", state.ones)
    counter.add_all("book", book.held)
    entries = list(zip(book.seats, book.held, strict=False))
    for seat in range(state.players):
        declared = book.declared[seat]
        if declared.held != [card - DECLARED for owner, card in entries if owner == seat and card >= DECLARED]:
            raise BadPosition(f"declared[{seat}]", pile_codes(declared), "a playoff starts without declared values")


def read_playoff_turn(state: Record, given: TablePosition) -> None:
    """Check the seats that have played and the seat on turn against the order of play."""
    table = snapshot(state)
    players, leader, size, tied = table.players, table.book.leader, table.pack.length, members(table.tied)
    played = table.book.seats[: table.book.length]
    waiting = [seat for seat in range(players) if table.ones[seat] != EMPTY]
    if leader == NOBODY:
        if played or waiting:
            raise BadPosition("leader", None, "give the leader once the cards are dealt [TOUR-07]")
        if table.turn != NOBODY and (table.turn != seat_after(table, table.dealer) or size < 2):
            raise BadPosition(
                "turn", given.turn, "before the deal, only the player on the dealer's left can cut the deck [TOUR-02]"
            )
        if 0 < size < len(tied):
            raise BadPosition("deck", size, "the deck needs a card for each tied seat [TOUR-07]")
        return
    order = [seat for seat in (*range(leader, players), *range(leader)) if seat in tied]
    if leader not in order or played != order[: len(played)] or waiting != sorted(order[len(played) :]):
        raise BadPosition("book", played, "tied seats must play one card each, in order from the leader [TOUR-07]")
    if size:
        raise BadPosition("deck", size, "the deck must be empty after the deal of the playoff [TOUR-07]")
    go_on_with_playoff(state)
    if state.over:
        raise BadPosition("phase", given.phase, "all cards are played, so the playoff is over [TOUR-07]")
    if given.turn not in (None, state.turn):
        raise BadPosition("turn", given.turn, f"it is the turn of seat {state.turn} in this playoff [TOUR-07]")


def read_book(state: Record, given: TablePosition) -> None:
    """Read the Book in play and the declared values."""
    book, players = state.book, state.players
    if given.leader is not None:
        book.leader = in_range("leader", given.leader, 0, players - 1)
    for number, entry in enumerate(given.book):
        if number >= SEATS:
            raise BadPosition("book", len(given.book), f"a Book has at most {SEATS} cards")
        book.seats[number] = in_range(f"book[{number}].seat", entry.seat, 0, players - 1)
        book.cards[number] = read_open(f"book[{number}].card", entry.card)
        book.length += 1
    for seat, values in enumerate(sized("declared", given.declared or [[]] * players, players)):
        for number, value in enumerate(values):
            kind = KIND_OF.get(str(value), -1)
            if number >= SEATS or not FIFTEEN <= kind <= HUNDRED:
                raise BadPosition(
                    f"declared[{seat}][{number}]", value, "give at most four values from 15, 25, 50 and 100"
                )
            push(book.declared[seat], kind)
    read_numbers(players, book.taps, "taps", given.taps, 0, SEATS)
    if given.committed is not None and not book.simultaneous:
        raise BadPosition("committed", given.committed, "cards can be committed only if all are revealed together")
    for seat, slot in enumerate(sized("committed", given.committed or [None] * players, players)):
        if slot == "x":
            book.committed[seat] = UNKNOWN
        elif isinstance(slot, str):
            raise BadPosition(f"committed[{seat}]", slot, "give the number of a slot, or x for an unknown one")
        elif slot is not None:
            book.committed[seat] = in_range(f"committed[{seat}]", slot, 1, 20)
    to_declare(book)  # settles question marks that stay bare


class FaceCounter(CardCounter):
    """A counter of faces in a deck of `copies` cards of each face and `questions` question marks, declared or not."""

    def __init__(self, questions: int = MARKS, copies: int = EACH, clauses: str = "GEN-01") -> None:
        in_deck = [questions if face == QUESTION else copies for face in range(FACES)]
        super().__init__(FACE_CODES, in_deck, "write half, 25, ? or inf", clauses)

    def add(self, path: str, kind: int) -> None:
        """Count a card, if it is known. Raises BadPosition if the deck has no more cards of its face."""
        if kind >= 0:
            self.count(path, face_of(kind))

    def add_all(self, path: str, kinds: Sequence[int]) -> None:
        """Count the known cards of a list. Raises BadPosition if the deck has too few cards of a face."""
        for number, kind in enumerate(kinds):
            self.add(f"{path}[{number}]", kind)

    def face(self, path: str, code: object) -> int:
        """Count and return a visible face. Raises BadPosition if the code is invalid or the deck has no more cards of
        that face."""
        kind = read_face(path, code, self.clauses)
        self.count(path, kind)
        return kind
