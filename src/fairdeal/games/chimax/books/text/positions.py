"""CHIMAX BOOKS: positions in writing (docs/rules/chimax.md, section 1.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.positions import converted, in_range, sized
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, Record
from fairdeal.games.chimax.books.rules.hidden import declared_before
from fairdeal.games.chimax.books.rules.play import set_customs
from fairdeal.games.chimax.books.rules.rounds import add_to_won, questions_of, start_of_won
from fairdeal.games.chimax.books.state import CHOOSE, DECLARING, PLAY, SLOTS
from fairdeal.games.chimax.cards import code_of, read_code
from fairdeal.games.chimax.deck import CARDS, MARKS, QUESTION, face_of
from fairdeal.games.chimax.rules.trick import to_declare
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, PLAYOFF, SEATS
from fairdeal.games.chimax.text.positions import (
    Entry,
    FaceCounter,
    TablePosition,
    check_cutter,
    pile_codes,
    pile_kinds,
    read_book,
    read_numbers,
    read_plain,
    read_table,
    write_book,
    write_table,
)

OWN_PHASES = ("play", "choose", "declare")
MOST_POINTS = 9999


class Taken(msgspec.Struct, forbid_unknown_fields=True):
    """The Book just won, while it still lies open, and who has won it."""

    winner: int
    cards: list[Entry]


class Position(TablePosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position of Books."""

    scores: list[int] | None = None
    round_scores: list[int] | None = None
    exposed: list[list[int]] | None = None
    taken: Taken | None = None


# --- writing -----------------------------------------------------------------------------------------------------


def write_position(state: Record) -> dict[str, Any]:
    """The JSON form; beside the fields of section 1.6 the scores of the last round, and the Book just won."""
    players = int(state.players)
    position = write_table(state, OWN_PHASES)
    if not int(state.tied):
        position |= {
            "hands": [pile_codes(state.hands[seat]) for seat in range(players)],
            "won": [[code_of(kind) for kind in won_kinds(state, seat)] for seat in range(players)],
            "books": state.books.tolist()[:players],
        }
        position |= write_book(state, players)
    position["scores"] = state.match.totals.tolist()[:players]
    position["round_scores"] = state.round_scores.tolist()[:players]
    if int(state.taken.length):
        cards = zip(state.taken.seats.tolist(), state.taken.cards.tolist()[: int(state.taken.length)], strict=False)
        entries = [{"seat": seat, "card": code_of(card)} for seat, card in cards]
        position["taken"] = {"winner": int(state.taken.winner), "cards": entries}
    if any(state.exposed.tolist()):
        position["exposed"] = [slots_of(int(bits)) for bits in state.exposed.tolist()[:players]]
    return position


def won_kinds(state: Record, seat: int) -> list[int]:
    """The cards of a won pile."""
    start = int(start_of_won(state.won, seat))
    kinds: list[int] = state.won.cards.tolist()[start : start + int(state.won.length[seat])]
    return kinds


def slots_of(bits: int) -> list[int]:
    """The slots of a set, counted from 1."""
    return [slot + 1 for slot in range(SLOTS) if bits >> slot & 1]


# --- reading -----------------------------------------------------------------------------------------------------


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state with its options. No automatic step is run."""
    given = converted(position, Position)
    set_customs(state)
    read_table(state, given, OWN_PHASES, "choose" if int(state.book.simultaneous) else "play")
    read_scores(state, given)
    if not int(state.tied):
        read_round(state, given)
    elif int(state.phase) not in (PLAYOFF, OVER):
        raise BadPosition("tied", given.tied, "seats are tied in a playoff, and after it [TOUR-06]")
    read_taken(state, given)
    if int(state.phase) in (DEALING, CUTTING):
        check_pack(state)
    elif int(state.phase) != PLAYOFF and int(state.pack.length):
        raise BadPosition("deck", len(given.deck or []), "a pack lies there only before a deal [GEN-15]")


def read_scores(state: Record, given: Position) -> None:
    players = int(state.players)
    read_numbers(state.match.totals[:players], "scores", given.scores, -MOST_POINTS, MOST_POINTS)
    read_numbers(state.round_scores[:players], "round_scores", given.round_scores, -MOST_POINTS, MOST_POINTS)


def read_round(state: Record, given: Position) -> None:
    """The cards of a round."""
    phase = int(state.phase)
    state.book.leader = usual_leader(state, given)
    read_book(state, given)
    read_cards(state, given)
    read_exposed(state, given)
    check_declared(state)
    if phase in (PLAY, CHOOSE, DECLARING):
        check_book(state)
        read_turn(state, given)
    elif given.book or any(slot not in (0, EMPTY) for slot in state.book.committed.tolist()):
        raise BadPosition("book", len(given.book), "a Book lies there only while a round is played")


def usual_leader(state: Record, given: Position) -> int:
    """Who leads if nothing is said: who has played first, who is on turn, or the dealer's left."""
    players = int(state.players)
    if given.book:
        return in_range("book[0].seat", given.book[0].seat, 0, players - 1)
    if int(state.phase) == PLAY and given.turn is not None:
        return in_range("turn", given.turn, 0, players - 1)
    return (int(state.dealer) + 1) % players


def read_cards(state: Record, given: Position) -> None:
    """Hands, won piles, the Book and the pack: no card too many, and no face where all cards are named.

    Where some are missing, as in short positions to teach from, any card may stand for another.
    """
    players, questions = int(state.players), int(questions_of(state))
    count = int(state.pack.length) + int(state.book.length)
    most = CARDS - MARKS + questions
    for seat, codes in enumerate(sized("hands", given.hands or [[]] * players, players)):
        hand = state.hands[seat]
        if len(codes) > SLOTS:
            raise BadPosition(f"hands[{seat}]", len(codes), f"a hand has at most {SLOTS} slots [BOOKS-01]")
        hand.length = len(codes)
        for slot, code in enumerate(codes):
            hand.cards[slot] = read_plain(f"hands[{seat}][{slot}]", code)
            hand.left += int(hand.cards[slot] != EMPTY)
        count += int(hand.left)
    for seat, cards in enumerate(sized("won", given.won or [[]] * players, players)):
        count += len(cards)
        for number, code in enumerate(cards[:CARDS]):
            card = read_plain(f"won[{seat}][{number}]", code)
            if count <= most:
                add_to_won(state.won, seat, card)
    if count > most:
        raise BadPosition("", count, f"the deck has {most} cards [BOOKS-01]")
    if count == most:
        check_faces(state, FaceCounter(questions))
    read_numbers(state.books[:players], "books", given.books, 0, SLOTS)


def check_faces(state: Record, counter: FaceCounter) -> None:
    """GEN-01: no face more often than the deck has it."""
    counter.add_all("deck", pile_kinds(state.pack))
    counter.add_all("book", pile_kinds(state.book))
    for seat in range(int(state.players)):
        counter.add_all(f"hands[{seat}]", pile_kinds(state.hands[seat]))
        counter.add_all(f"won[{seat}]", won_kinds(state, seat))


def read_exposed(state: Record, given: Position) -> None:
    """BOOKS-30."""
    players = int(state.players)
    for seat, slots in enumerate(sized("exposed", given.exposed or [[]] * players, players)):
        for number, slot in enumerate(slots):
            most = int(state.hands[seat].length)
            state.exposed[seat] |= 1 << in_range(f"exposed[{seat}][{number}]", slot, 1, most) - 1


def check_declared(state: Record) -> None:
    """There are four question marks, so nobody declares more than four times in a round."""
    won = state.won.cards.tolist()[: int(start_of_won(state.won, SEATS))]
    book = [face_of(card) for card in state.book.cards.tolist()[: int(state.book.length)]]
    hands = [state.hands[seat].cards.tolist()[: int(state.hands[seat].length)] for seat in range(int(state.players))]
    lying = book.count(QUESTION) + sum(pile.count(QUESTION) for pile in [won, *hands])
    lying += max(0, min(won.count(UNKNOWN), int(declared_before(state)) - won.count(QUESTION)))
    free = max(0, int(questions_of(state)) - lying)
    for seat, hand in enumerate(hands):
        waiting = sum(
            card == QUESTION and seat == owner
            for card, owner in zip(state.book.cards.tolist(), state.book.seats.tolist(), strict=True)
        )
        most = hand.count(QUESTION) + min(free, hand.count(UNKNOWN)) + waiting
        declared = int(state.book.declared[seat].length)
        if declared + most > SEATS:
            raise BadPosition(f"declared[{seat}]", declared, "there are only four question marks [GEN-01]")


def check_book(state: Record) -> None:
    """BOOKS-10: cards lie in seat order from the leader, and whoever is to play has a card."""
    players, book = int(state.players), state.book
    length, leader = int(book.length), int(book.leader)
    if length > players:
        raise BadPosition("book", length, f"a Book has {players} cards")
    for number in range(length):
        if int(book.seats[number]) != (leader + number) % players:
            raise BadPosition(f"book[{number}].seat", int(book.seats[number]), "seats play in order from the leader")
    for number in range(length, players):
        seat = (leader + number) % players
        if not int(state.hands[seat].left):
            raise BadPosition(f"hands[{seat}]", [], "a card for this Book is needed")


def read_turn(state: Record, given: Position) -> None:
    """Who may act follows from the Book."""
    players, phase, book = int(state.players), int(state.phase), state.book
    length, simultaneous = int(book.length), bool(book.simultaneous)
    waits = int(to_declare(book))
    if (phase == DECLARING) != (waits >= 0) or (phase == CHOOSE) != (simultaneous and not length):
        raise BadPosition("phase", given.phase, "the cards of the Book, or the options, do not go with this phase")
    if phase == PLAY and length == players:
        raise BadPosition("book", length, "a whole Book is won at once [BOOKS-13]")
    if phase == DECLARING and (length < players if simultaneous else waits < length - 1):
        raise BadPosition("book", length, "a question mark is declared at once [BOOKS-15]")
    if phase == CHOOSE:
        read_choosing(state, given)
        return
    if any(slot != EMPTY for slot in book.committed.tolist()):
        raise BadPosition("committed", given.committed, "cards are committed only in phase choose [BOOKS-11]")
    seat = int(book.seats[waits]) if waits >= 0 else (int(book.leader) + length) % players
    if given.turn not in (None, seat):
        raise BadPosition("turn", given.turn, f"the Book says that seat {seat} is to act")
    state.turn = seat
    state.to_act = 1 << seat


def read_choosing(state: Record, given: Position) -> None:
    """BOOKS-11: all who have not committed a card choose at once."""
    state.turn = NOBODY
    state.to_act = 0
    if given.turn is not None:
        raise BadPosition("turn", given.turn, "all choose at once: turn is null [BOOKS-11]")
    for seat, slot in enumerate(state.book.committed.tolist()[: int(state.players)]):
        if slot == EMPTY:
            state.to_act |= 1 << seat
            continue
        hand = state.hands[seat]
        if slot != UNKNOWN and (slot > int(hand.length) or int(hand.cards[slot - 1]) == EMPTY):
            raise BadPosition(f"committed[{seat}]", slot, "there is no card in this slot [BOOKS-11]")
    if not int(state.to_act):
        raise BadPosition("committed", given.committed, "when all are in, all are turned up [BOOKS-11]")


def read_taken(state: Record, given: Position) -> None:
    """The Book just won: it lies in the winner's pile, the last one."""
    if given.taken is None:
        return
    players, cards = int(state.players), given.taken.cards
    state.taken.winner = in_range("taken.winner", given.taken.winner, 0, players - 1)
    state.taken.length = in_range("taken.cards", len(cards), 1, players)
    for number, entry in enumerate(cards):
        state.taken.seats[number] = in_range(f"taken.cards[{number}].seat", entry.seat, 0, players - 1)
        state.taken.cards[number] = read_code(f"taken.cards[{number}].card", entry.card)
        if int(state.taken.cards[number]) < 0:
            raise BadPosition(f"taken.cards[{number}].card", entry.card, "this Book lies open")
    if int(state.phase) in (PLAY, CHOOSE, DECLARING):
        check_taken(state, [face_of(int(card)) for card in state.taken.cards.tolist()[: len(cards)]])


def check_taken(state: Record, faces: Sequence[int]) -> None:
    winner = int(state.taken.winner)
    pile = won_kinds(state, winner)
    if pile[-len(faces) :] != faces or int(state.book.length) or any(s != EMPTY for s in state.book.committed.tolist()):
        raise BadPosition("taken", winner, "this Book is the last of its winner's pile, until the next card is played")


def check_pack(state: Record) -> None:
    """GEN-15: the pack waits to be cut, or to be dealt."""
    length, players = int(state.pack.length), int(state.players)
    if (length or int(state.phase) == CUTTING) and length < max(2, players):
        raise BadPosition("deck", length, f"a pack for {players} players has a card for each at least")
    check_cutter(state)
