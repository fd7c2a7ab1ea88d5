"""CHIMAX BOOKS: positions as JSON (docs/rules/chimax.md, section 1.6)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.positions import in_range, opened, sized
from fairdeal.engine.kit.seats import act_alone, members, seat_after
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, Record
from fairdeal.games.chimax.books.rules.hidden import declared_before
from fairdeal.games.chimax.books.rules.play import set_customs
from fairdeal.games.chimax.books.rules.rounds import add_to_won, questions_of, start_of_won
from fairdeal.games.chimax.books.state import CHOOSE, DECLARING, PLAY, SLOTS
from fairdeal.games.chimax.cards import code_of, read_code
from fairdeal.games.chimax.deck import CARDS, MARKS, QUESTION, face_of
from fairdeal.games.chimax.rules.trick import to_declare
from fairdeal.games.chimax.state import CUTTING, DEALING, OWN_PHASE, PLAYOFF, SEATS
from fairdeal.games.chimax.text import positions as shared

OWN_PHASES = ("play", "choose", "declare")
MOST_POINTS = 9999


class Taken(msgspec.Struct, forbid_unknown_fields=True):
    """The Book just won, which is still visible, and its winner."""

    winner: int
    cards: list[shared.Entry]


class Position(shared.TablePosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position of Books."""

    scores: list[int] | None = None
    round_scores: list[int] | None = None
    exposed: list[list[int]] | None = None
    taken: Taken | None = None


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return a position in its JSON form: the fields of section 1.6, the scores of the last round, and the Book just
    won."""
    players = state.players
    position = shared.write_table(state, OWN_PHASES)
    if not state.tied:
        position |= {
            "hands": [shared.pile_codes(hand) for hand in state.hands[:players]],
            "won": [[code_of(kind) for kind in won_kinds(state, seat)] for seat in range(players)],
            "books": state.books[:players],
            **shared.write_book(state, players),
        }
    position["scores"] = state.match.totals[:players]
    position["round_scores"] = state.round_scores[:players]
    if state.taken.length:
        cards = zip(state.taken.seats, state.taken.held, strict=False)
        entries = [{"seat": seat, "card": code_of(card)} for seat, card in cards]
        position["taken"] = {"winner": state.taken.winner, "cards": entries}
    if any(state.exposed):
        position["exposed"] = [slots_of(slots) for slots in state.exposed[:players]]
    return position


def won_kinds(state: Snapshot, seat: int) -> list[int]:
    """Return the kinds of the cards in a won pile."""
    start = start_of_won(state.won, seat)
    kinds: list[int] = state.won.cards[start : start + state.won.length[seat]]
    return kinds


def slots_of(bits: int) -> list[int]:
    """Return the slots in a bit set, counted from 1."""
    return [slot + 1 for slot in members(bits)]


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state that has its options. No automatic steps are carried out."""
    given, state = opened(position, Position, state)
    players = state.players
    set_customs(state)
    shared.read_table(state, given, OWN_PHASES, "choose" if state.book.simultaneous else "play")
    shared.read_numbers(players, state.match.totals, "scores", given.scores, -MOST_POINTS, MOST_POINTS)
    shared.read_numbers(players, state.round_scores, "round_scores", given.round_scores, -MOST_POINTS, MOST_POINTS)
    if not state.tied:
        read_round(state, given)
    read_taken(state, given)
    length = state.pack.length
    if state.phase in (DEALING, CUTTING):
        if (length or state.phase == CUTTING) and length < max(2, players):
            raise BadPosition("deck", length, f"a pack for {players} players has at least {max(2, players)} cards")
        shared.check_cutter(state)
    elif length and state.phase != PLAYOFF:
        raise BadPosition("deck", length, "there is a deck only before a deal [GEN-15]")


def read_round(state: Record, given: Position) -> None:
    """Read the cards of a round, and check them."""
    state.book.leader = usual_leader(state, given)
    shared.read_book(state, given)
    read_cards(state, given)
    for seat, slots in enumerate(sized("exposed", given.exposed or [[]] * state.players, state.players)):
        for number, slot in enumerate(slots):
            most = state.hands[seat].length
            state.exposed[seat] |= 1 << in_range(f"exposed[{seat}][{number}]", slot, 1, most) - 1
    check_declared(snapshot(state))
    if state.phase >= OWN_PHASE:
        check_book(snapshot(state))
        read_turn(state, given)
    elif given.book or any(slot not in (0, EMPTY) for slot in state.book.committed):
        raise BadPosition("book", len(given.book), "there is a Book only during a round")


def usual_leader(state: Record, given: Position) -> int:
    """Return the default leader: the first seat that played, the seat on turn, or the dealer's left."""
    most = state.players - 1
    if given.book:
        return in_range("book[0].seat", given.book[0].seat, 0, most)
    if state.phase == PLAY and given.turn is not None:
        return in_range("turn", given.turn, 0, most)
    return seat_after(state, state.dealer)


def read_cards(state: Record, given: Position) -> None:
    """Read the hands, the won piles, the Book and the pack, and check the number of cards.

    The number of cards of each face is checked only if all cards are named, because short positions for teaching may
    repeat a face.
    """
    players, questions = state.players, questions_of(state)
    hands = sized("hands", given.hands or [[]] * players, players)
    won = sized("won", given.won or [[]] * players, players)
    most = CARDS - MARKS + questions
    count = len(given.deck or []) + len(given.book) + sum(len(cards) for cards in won)
    count += sum(len(codes) - codes.count(None) for codes in hands)
    if count > most:
        raise BadPosition("", count, f"the deck has {most} cards [BOOKS-01]")
    for seat, codes in enumerate(hands):
        hand = state.hands[seat]
        if len(codes) > SLOTS:
            raise BadPosition(f"hands[{seat}]", len(codes), f"a hand has at most {SLOTS} slots [BOOKS-01]")
        hand.length = len(codes)
        for slot, code in enumerate(codes):
            hand.cards[slot] = shared.read_plain(f"hands[{seat}][{slot}]", code)
            hand.left += code is not None
    for seat, cards in enumerate(won):
        for number, code in enumerate(cards):
            add_to_won(state.won, seat, shared.read_plain(f"won[{seat}][{number}]", code))
    if count == most:
        check_faces(snapshot(state), shared.FaceCounter(questions))
    shared.read_numbers(players, state.books, "books", given.books, 0, SLOTS)


def check_faces(state: Snapshot, counter: shared.FaceCounter) -> None:
    """Check that the deck has enough cards of each face (GEN-01)."""
    counter.add_all("deck", state.pack.held)
    counter.add_all("book", state.book.held)
    for seat in range(state.players):
        counter.add_all(f"hands[{seat}]", state.hands[seat].held)
        counter.add_all(f"won[{seat}]", won_kinds(state, seat))


def check_declared(state: Snapshot) -> None:
    """Check that the values each seat has declared in this round, and those it may still declare, are possible with
    four question marks."""
    won, book = state.won.cards[: start_of_won(state.won, SEATS)], state.book
    hands = [hand.held for hand in state.hands[: state.players]]
    lying = sum(face_of(card) == QUESTION for cards in (won, book.held, *hands) for card in cards)
    lying += max(0, min(won.count(UNKNOWN), declared_before(state) - won.count(QUESTION)))
    free = max(0, questions_of(state) - lying)
    for seat, hand in enumerate(hands):
        waiting = list(zip(book.seats, book.held, strict=False)).count((seat, QUESTION))
        most = hand.count(QUESTION) + min(free, hand.count(UNKNOWN)) + waiting
        declared = book.declared[seat].length
        if declared + most > SEATS:
            raise BadPosition(f"declared[{seat}]", declared, "there are only four question marks [GEN-01]")


def check_book(state: Snapshot) -> None:
    """Check that cards were played in seat order from the leader, and that every seat still to play has a card
    (BOOKS-10)."""
    players, book = state.players, state.book
    if book.length > players:
        raise BadPosition("book", book.length, f"a Book has {players} cards")
    for number in range(players):
        seat = (book.leader + number) % players
        if number < book.length and book.seats[number] != seat:
            raise BadPosition(f"book[{number}].seat", book.seats[number], "seats must play in order from the leader")
        if number >= book.length and not state.hands[seat].left:
            raise BadPosition(f"hands[{seat}]", [], "this seat needs a card for the Book")


def read_turn(state: Record, given: Position) -> None:
    """Set the seats to act, given the cards of the Book, and check the phase against them."""
    players, phase, book = state.players, state.phase, snapshot(state.book)
    length, together, waits = book.length, bool(book.simultaneous), to_declare(book)
    if (phase == DECLARING) != (waits >= 0) or (phase == CHOOSE) != (together and not length):
        raise BadPosition("phase", given.phase, "the cards of the Book, or the options, do not fit this phase")
    if phase == PLAY and length == players:
        raise BadPosition("book", length, "a complete Book must be won at once [BOOKS-13]")
    if phase == DECLARING and (length < players if together else waits < length - 1):
        raise BadPosition("book", length, "a question mark must be declared at once [BOOKS-15]")
    if phase == CHOOSE:
        read_choosing(state, given)
        return
    if is_committed(book):
        raise BadPosition("committed", given.committed, "cards can be committed only in phase choose [BOOKS-11]")
    seat = book.seats[waits] if waits >= 0 else (book.leader + length) % players
    if given.turn not in (None, seat):
        raise BadPosition("turn", given.turn, f"by the cards of the Book, it is the turn of seat {seat}")
    act_alone(state, phase, seat)


def is_committed(book: Snapshot) -> bool:
    """Return whether a seat has committed a card (BOOKS-11)."""
    return any(slot != EMPTY for slot in book.committed)


def read_choosing(state: Record, given: Position) -> None:
    """Set the seats to act while all choose at the same time: those that have not committed a card (BOOKS-11)."""
    state.turn = NOBODY
    state.to_act = 0
    if given.turn is not None:
        raise BadPosition("turn", given.turn, "turn must be null because all choose at once [BOOKS-11]")
    table = snapshot(state)
    for seat, slot in enumerate(table.book.committed[: table.players]):
        cards = [EMPTY, *table.hands[seat].held]
        if slot == EMPTY:
            state.to_act |= 1 << seat
        elif slot != UNKNOWN and (slot >= len(cards) or cards[slot] == EMPTY):
            raise BadPosition(f"committed[{seat}]", slot, "there is no card in this slot [BOOKS-11]")
    if not state.to_act:
        raise BadPosition("committed", given.committed, "at least one seat must still choose a card [BOOKS-11]")


def read_taken(state: Record, given: Position) -> None:
    """Read the Book just won, whose cards must be the last in its winner's pile."""
    if given.taken is None:
        return
    players, cards = state.players, given.taken.cards
    winner = state.taken.winner = in_range("taken.winner", given.taken.winner, 0, players - 1)
    state.taken.length = in_range("taken.cards", len(cards), 1, players)
    for number, entry in enumerate(cards):
        path = f"taken.cards[{number}]"
        state.taken.seats[number] = in_range(f"{path}.seat", entry.seat, 0, players - 1)
        state.taken.cards[number] = read_code(f"{path}.card", entry.card)
        if state.taken.cards[number] < 0:
            raise BadPosition(f"{path}.card", entry.card, "give a visible card, because this Book is face up")
    table = snapshot(state)
    faces = [face_of(card) for card in table.taken.held]
    lies = won_kinds(table, winner)[-len(faces) :] == faces and not table.book.length and not is_committed(table.book)
    if state.phase >= OWN_PHASE and not lies:
        reason = "give the last Book of the winner's pile, and only until the next card is played"
        raise BadPosition("taken", winner, reason)
