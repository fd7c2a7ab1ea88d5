"""CHIMAX BOOKS: the record of a game, its JSON form and what observations show (docs/rules/chimax.md, section 1)."""

from collections.abc import Iterator
from typing import Any, ClassVar

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import flags, in_order, number, one_seat, placed
from fairdeal.engine.kit.positions import CardCounter, in_range
from fairdeal.engine.kit.seats import members, seat_after
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.options import option_fields, options_record
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, i1, i2, i4, record
from fairdeal.engine.written import (
    Condition,
    Field,
    Numbers,
    OfCards,
    Part,
    Piles,
    Position,
    Seat,
    SeatOrNobody,
    Unwritten,
)
from fairdeal.games.chimax import record as chimax
from fairdeal.games.chimax.books import state as books
from fairdeal.games.chimax.books.options import BooksOptions
from fairdeal.games.chimax.books.rules.hidden import declared_before
from fairdeal.games.chimax.books.rules.play import set_customs
from fairdeal.games.chimax.books.rules.rounds import add_to_won, questions_of, start_of_won
from fairdeal.games.chimax.deck import CARDS, EACH, FACES, KINDS, MARKS, QUESTION, face_of
from fairdeal.games.chimax.rules.tournament import set_table
from fairdeal.games.chimax.rules.trick import to_declare
from fairdeal.games.chimax.state import CUTTING, DEALING, OWN_PHASE, SEATS

MOST_POINTS = 9999


class Ones(chimax.Ones):
    """The card of each seat in a playoff. Positions have it as the hand of the seat."""

    def json(self) -> list[tuple[Any, ...]]:
        return []


class Slots(Piles):
    """BOOKS-05: the hands, whose slots are counted from the top. `length` slots were dealt, and `left` of them still
    hold a card; the others are EMPTY, and null in JSON."""

    kind: ClassVar[Any] = list[list[str | None]] | None

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for seat, codes in enumerate(self.items(given, state, [])):
            hand, path = state.hands[seat], f"hands[{seat}]"
            if len(codes) > books.SLOTS:
                raise BadPosition(path, len(codes), f"a hand has at most {books.SLOTS} slots [BOOKS-01]")
            for slot, code in enumerate(codes):
                hand.cards[slot] = EMPTY if code is None else counter.kind(f"{path}[{slot}]", code, unknown=True)
            hand.length, hand.left = len(codes), len(codes) - codes.count(None)


class Won(OfCards):
    """BOOKS-14: all won piles, one after another by seat, each in the order in which its cards were won."""

    kind: ClassVar[Any] = list[list[str]] | None

    def in_json(self, state: Snapshot) -> Any:
        return [self.cards.written(won_kinds(state, seat)) for seat in range(state.players)]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        piles = self.items(given, state, [])
        if sum(map(len, piles)) > CARDS:
            raise BadPosition("won", sum(map(len, piles)), f"there are only {CARDS} cards [BOOKS-01]")
        for seat, codes in enumerate(piles):
            for kind in counter.read(f"won[{seat}]", codes, unknown=True):
                add_to_won(state.won, seat, kind)


def won_kinds(state: Snapshot, seat: int) -> list[int]:
    """Return the kinds of the cards in a won pile."""
    start = start_of_won(state.won, seat)
    kinds: list[int] = state.won.cards[start : start + state.won.length[seat]]
    return kinds


class Exposed(Field):
    """The slots of each hand that were exposed by accident, as bits."""

    kind: ClassVar[Any] = list[list[int]] | None

    def in_json(self, state: Snapshot) -> Any:
        return [slots_of(slots) for slots in state.exposed[: state.players]]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for seat, slots in enumerate(self.items(given, state, [])):
            for place, slot in enumerate(slots):
                found = in_range(f"exposed[{seat}][{place}]", slot, 1, state.hands[seat].length)
                state.exposed[seat] |= 1 << found - 1


def slots_of(bits: int) -> list[int]:
    """Return the slots in a bit set, counted from 1."""
    return [slot + 1 for slot in members(bits)]


class Turn(chimax.Turn):
    """The seat on turn. During a round it follows from the cards of the Book (BOOKS-10, 15)."""

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        if state.phase < OWN_PHASE:
            super().read(given, state, counter)
            return
        book, players = snapshot(state.book), state.players
        for place, seat in enumerate(book.seats[: book.length]):
            if seat != (book.leader + place) % players:
                raise BadPosition(f"book[{place}].seat", seat, "seats must play in order from the leader")
        waits = to_declare(book)
        state.turn = book.seats[waits] if waits >= 0 else (book.leader + book.length) % players
        if state.phase == books.CHOOSE:
            state.turn = NOBODY
            if given.turn is not None:
                raise BadPosition("turn", given.turn, "turn must be null because all choose at once [BOOKS-11]")
        elif given.turn not in (None, state.turn):
            raise BadPosition("turn", given.turn, f"by the cards of the Book, it is the turn of seat {state.turn}")


def usual_leader(given: Any, state: Fields) -> int | None:
    """Return the default leader: the first seat that played, the seat on turn, or the dealer's left."""
    if state.tied:
        return None
    if given.book:
        return in_range("book[0].seat", given.book[0].seat, 0, state.players - 1)
    if state.phase == books.PLAY and given.turn is not None:
        return in_range("turn", given.turn, 0, state.players - 1)
    return seat_after(state, state.dealer)


def is_round(state: Any) -> bool:
    """Return whether there is no playoff."""
    return not state.tied


OWN_OPTIONS = [name for name in option_fields(BooksOptions) if name not in chimax.TABLE_OPTIONS]

POSITION = Position(
    chimax.deck_of(CARDS, CARDS),  # short positions for teaching may repeat a face
    options_record(BooksOptions, OWN_OPTIONS),
    SEATS,
    **chimax.table(
        ("play", "choose", "declare"),
        lambda given, state: "choose" if state.book.simultaneous else "play",
        turn=Turn("seat on turn"),
        ones=Ones(
            key="hands", store=chimax.OF_SEATS, form=placed(FACES, "hand card in a playoff"), **chimax.IN_PLAYOFF
        ),
        won=None,
        books=None,
        book=chimax.Book(flat=True, parts=chimax.PARTS_OF_BOOK | {"leader": SeatOrNobody(default=usual_leader)}),
        round_scores=Numbers(store=(i2, SEATS), lowest=-MOST_POINTS, highest=MOST_POINTS, default=0),
    ),
    hands=Slots(
        store=(record(length=i1, left=i1, cards=(i1, books.SLOTS)), SEATS),
        form=placed(FACES, "cards by slot, from the top"),
        zone="hand{}",
        when=is_round,
    ),
    won=Won(
        store=record(length=chimax.OF_SEATS, cards=(i1, CARDS)),
        form=number("won piles, one after another, from seat 0"),
    ),
    taken=Part(  # the Book just won, which everyone can see until the next card is played
        sparse=True,
        there=lambda state: state.taken.length,
        parts={
            "winner": Seat("seat that has just won a Book", required=True),
            "length": Unwritten(),
            "seats": Unwritten(
                store=chimax.OF_SEATS, form=in_order(one_seat("seats that played the cards of that Book"))
            ),
            "cards": chimax.Entries(
                store=chimax.OF_SEATS, form=placed(KINDS, "cards of that Book"), zone="taken", required=True
            ),
        },
    ),
    books=Numbers(highest=books.SLOTS, counter="Book"),
    exposed=Exposed(store=(i4, SEATS), sparse=True, form=flags(books.SLOTS, "slots exposed by accident")),
    scores=Numbers(at="match.totals", lowest=-MOST_POINTS, highest=MOST_POINTS, default=0, counter="total"),
)


def prepare_position(state: Fields) -> None:
    """Clear the table, and set the rules for Books."""
    set_table(state, 1)
    set_customs(state)


def cards_by_path(state: Snapshot) -> Iterator[tuple[str, list[int]]]:
    """Yield the cards of a round by their place in JSON."""
    yield "deck", state.pack.held
    yield "book", state.book.held
    for seat in range(state.players):
        yield f"hands[{seat}]", state.hands[seat].held
        yield f"won[{seat}]", won_kinds(state, seat)


def size_of_deck(state: Any) -> int:
    """Return the number of cards in the deck (BOOKS-01)."""
    return int(CARDS - MARKS + questions_of(state))


def size_of_round(state: Snapshot) -> int:
    """Return the number of cards in a round, which is 0 in a playoff."""
    cards = [] if state.tied else cards_by_path(state)
    return sum(len(kinds) - kinds.count(EMPTY) for _, kinds in cards)


def settle_position(state: Fields) -> None:
    """Let all seats act that have to choose a card, or those of the tournament layer. If all cards are named, check
    that the deck has them (GEN-01)."""
    if state.phase == books.CHOOSE:
        state.to_act = sum(1 << seat for seat in range(state.players) if state.book.committed[seat] == EMPTY)
    else:
        chimax.settle_position(state)
    table = snapshot(state)
    if size_of_round(table) == size_of_deck(state):
        counter = chimax.deck_of(EACH, questions_of(state)).counter(state)
        for path, kinds in cards_by_path(table):
            for place, kind in enumerate(kinds):
                if kind >= 0:
                    counter.count(f"{path}[{place}]", face_of(kind))


def declares_too_often(state: Snapshot, seat: int) -> bool:
    """Return whether a seat has declared more values in this round than four question marks allow, with those that it
    may still declare (GEN-01)."""
    won, book, hand = state.won.cards[: start_of_won(state.won, SEATS)], state.book, state.hands[seat].held
    hands = [other.held for other in state.hands[: state.players]]
    lying = sum(face_of(card) == QUESTION for cards in (won, book.held, *hands) for card in cards)
    lying += max(0, min(won.count(UNKNOWN), declared_before(state) - won.count(QUESTION)))
    free = max(0, questions_of(state) - lying)
    waiting = chimax.entries_of(book).count((seat, QUESTION))
    most = hand.count(QUESTION) + min(free, hand.count(UNKNOWN)) + waiting
    return bool(book.declared[seat].length + most > SEATS)


def is_wrong_phase(state: Snapshot) -> bool:
    """Return whether the cards of the Book, or the options, do not fit the phase (BOOKS-11, 15)."""
    choosing = state.book.simultaneous and not state.book.length
    waits = to_declare(state.book) >= 0
    return (state.phase == books.DECLARING) != waits or (state.phase == books.CHOOSE) != bool(choosing)


def declares_too_late(state: Snapshot) -> bool:
    """Return whether cards were played after a question mark that waits for its declaration (BOOKS-15)."""
    length = state.book.length
    return bool(length < state.players if state.book.simultaneous else to_declare(state.book) < length - 1)


def has_committed(state: Snapshot) -> bool:
    """Return whether a seat has committed a card (BOOKS-11)."""
    return any(slot != EMPTY for slot in state.book.committed)


def has_empty_slot(state: Snapshot, seat: int) -> bool:
    """Return whether a seat has committed a slot without a card (BOOKS-11)."""
    slot, cards = state.book.committed[seat], [EMPTY, *state.hands[seat].held]
    return slot > 0 and (slot >= len(cards) or cards[slot] == EMPTY)


def is_not_last(state: Snapshot) -> bool:
    """Return whether the Book just won is not the last one of its winner, or a card was played since."""
    if not state.taken.length or state.phase < OWN_PHASE:
        return False
    faces = [face_of(card) for card in state.taken.held]
    lies = won_kinds(state, state.taken.winner)[-len(faces) :] == faces
    return not lies or bool(state.book.length) or has_committed(state)


ROUND = (books.PLAY, books.CHOOSE, books.DECLARING)

CONDITIONS = (
    *chimax.TABLE_CONDITIONS,
    chimax.CUTTER,
    chimax.PACK,
    Condition(
        "",
        lambda state: f"the deck has {size_of_deck(state)} cards [BOOKS-01]",
        lambda state: size_of_round(state) > size_of_deck(state),
    ),
    Condition(
        "won",
        "a playoff has no won piles and no Books [TOUR-07]",
        lambda state: state.tied and (any(state.won.length) or any(state.books)),
    ),
    Condition(
        "deck",
        lambda state: f"a pack for {state.players} players has at least {max(2, state.players)} cards",
        lambda state: (state.pack.length or state.phase == CUTTING) and state.pack.length < max(2, state.players),
        (DEALING, CUTTING),
    ),
    Condition(
        "book",
        "there is a Book only during a round",
        lambda state: state.phase < OWN_PHASE and not state.tied and (state.book.length or has_committed(state)),
    ),
    Condition(
        "declared[{}]",
        "there are only four question marks [GEN-01]",
        lambda state, seat: not state.tied and declares_too_often(state, seat),
    ),
    Condition(
        "book", lambda state: f"a Book has {state.players} cards", lambda state: state.book.length > state.players
    ),
    Condition(
        "hands[{}]",
        "this seat needs a card for the Book",
        lambda state, seat: not state.hands[seat].left and seat not in state.book.seats[: state.book.length],
        ROUND,
    ),
    Condition("phase", "the cards of the Book, or the options, do not fit this phase", is_wrong_phase, ROUND),
    Condition(
        "book",
        "a complete Book must be won at once [BOOKS-13]",
        lambda state: state.book.length == state.players,
        (books.PLAY,),
    ),
    Condition("book", "a question mark must be declared at once [BOOKS-15]", declares_too_late, (books.DECLARING,)),
    Condition("committed[{}]", "there is no card in this slot [BOOKS-11]", has_empty_slot, (books.CHOOSE,)),
    Condition(
        "committed",
        "at least one seat must still choose a card [BOOKS-11]",
        lambda state: EMPTY not in state.book.committed[: state.players],
        (books.CHOOSE,),
    ),
    Condition(
        "committed",
        "cards can be committed only in phase choose [BOOKS-11]",
        has_committed,
        (books.PLAY, books.DECLARING),
    ),
    Condition(
        "taken.cards",
        lambda state: f"give 1 to {state.players} cards",
        lambda state: state.taken.length > state.players,
    ),
    Condition(
        "taken",
        "give the last Book of the winner's pile, and only until the next card is played",
        is_not_last,
    ),
)
"""The conditions of every state."""
