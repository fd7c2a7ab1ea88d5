"""Go Fish in words: moves, positions, reasons, and what happened."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition, IllegalMove
from fairdeal.engine.events import Act, Drew, Event, Lost, Played, Won
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.positions import (
    CardCounter,
    codes_of,
    in_range,
    number_of,
    opened,
    read_deck,
    read_hand,
    sized,
)
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import Record
from fairdeal.engine.scene import Result, Voice, count_of
from go_fish.rules import ACTIONS, DECK, FISHED, GAVE, LUCKY, MOST_IN_HAND, OF_A_RANK, RANKS, asked_seat

CODES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
"""The ranks in writing."""
LAST = ("gave", "fished", "lucky")
MOVE = re.compile(r"ask (\d) (\S{1,9})", re.ASCII)


def plural(code: str) -> str:
    """`sevens`, `sixes`."""
    return code + ("es" if code == "six" else "s")


# --- moves -------------------------------------------------------------------------------------------------------


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """`ask 1 seven`."""
    _, question = ACTIONS.decode(actions[0])
    return f"ask {asked_seat(state, player, question)} {CODES[question % RANKS]}"


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """The action of a question. Raises IllegalMove for what cannot be read, or asked by anybody."""
    parts = MOVE.fullmatch(text)
    if not parts:
        raise IllegalMove(text, "write `ask 1 seven`: the seat, and the rank")
    seat, code = int(parts[1]), parts[2]
    if code not in CODES:
        raise IllegalMove(text, f"the ranks are {', '.join(CODES)}", "FISH-10")
    if seat >= state.players or seat == player:
        raise IllegalMove(text, f"ask another of the seats 0 to {state.players - 1}", "FISH-10")
    step = (seat - player) % state.players - 1
    return [ACTIONS.encode("ask", step * RANKS + CODES.index(code))]


def why_not(state: Snapshot, player: int, action: int) -> tuple[str, str] | None:
    """Why a question may not be asked, with the clause; None if nothing speaks against it."""
    rank = action % RANKS
    return None if rank in state.hands[player].held else (f"you have no {CODES[rank]} yourself", "FISH-10")


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot asked."""
    seat, rank = asked_seat(state, player, actions[0]), actions[0] % RANKS
    if rank in state.hands[seat].held:
        return f"They have shown {plural(CODES[rank])}."
    return f"{count_of(state.hands[player].held.count(rank), 'card')} of that book in hand already."


# --- positions ---------------------------------------------------------------------------------------------------


class Position(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position (rules.md, section 2); what may be left out has a default."""

    hands: list[list[str]]
    game: str = ""
    options: dict[str, Any] = {}
    start: int = 0
    turn: int = 0
    turn_no: int = 1
    last: str = "gave"
    over: bool = False
    deck: list[str] | None = None
    deck_size: int | None = None
    books: list[list[str]] | None = None
    known: list[list[str]] | None = None


def write_position(state: Snapshot) -> dict[str, Any]:
    """The JSON form; unknown cards are `?`."""
    seats = range(state.players)
    known = [[CODES[rank] for rank in range(RANKS) for _ in range(state.known[seat].counts[rank])] for seat in seats]
    return {
        "start": state.match.first,
        "turn": state.turn,
        "turn_no": state.turn_no,
        "last": LAST[state.last],
        "over": bool(state.over),
        "hands": [codes_of(CODES, state.hands[seat].held) for seat in seats],
        "deck": codes_of(CODES, state.deck.held[::-1]),
        "deck_size": state.deck.length,
        "books": [[CODES[rank] for rank in books_of(state, seat)] for seat in seats],
        "known": known,
    }


def books_of(state: Snapshot, seat: int) -> list[int]:
    """The ranks that a seat has laid."""
    return [rank for rank, owner in enumerate(state.books) if owner == seat + 1]


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state with its options. No automatic step is run."""
    given, state = opened(position, Position, state)
    players = state.players
    start_match(state, 1, in_range("start", given.start, 0, players - 1))
    state.turn = in_range("turn", given.turn, 0, players - 1)
    state.turn_no = in_range("turn_no", given.turn_no, 1, state.options.turn_limit)
    state.last = number_of("last", given.last, LAST)
    counted = CardCounter(CODES, DECK.tolist(), "ace, two to ten, jack, queen, king", "FISH-01")
    for seat, books in enumerate(sized("books", given.books or [[]] * players, players)):
        for number, code in enumerate(books):
            for _ in range(OF_A_RANK):
                state.books[counted.kind(f"books[{seat}][{number}]", code)] = seat + 1
    for seat, codes in enumerate(sized("hands", given.hands, players)):
        read_hand(state.hands[seat], f"hands[{seat}]", codes, MOST_IN_HAND - 1, counted)
        if any(codes.count(code) == OF_A_RANK for code in CODES):
            raise BadPosition(f"hands[{seat}]", codes, "four cards of a rank are laid at once [FISH-20]")
    for seat, codes in enumerate(sized("known", given.known or [[]] * players, players)):
        if Counter(codes) - Counter(given.hands[seat]):
            raise BadPosition(f"known[{seat}]", codes, "these cards are not in that hand [FISH-40]")
        for number, code in enumerate(codes):
            state.known[seat].counts[number_of(f"known[{seat}][{number}]", code, CODES)] += 1
    read_deck(state.deck, given.deck, given.deck_size, counted)
    state.over = given.over
    if not given.over and not state.hands[given.turn].length:
        raise BadPosition("turn", given.turn, "whoever is on turn has a card [FISH-21]")
    state.to_act = 0 if given.over else 1 << given.turn


# --- what happened -----------------------------------------------------------------------------------------------


class Asked(Act, frozen=True):
    """FISH-10: a seat asked another for a rank."""

    asked: int
    rank: str

    @property
    def seats(self) -> tuple[int, ...]:
        return self.seat, self.asked

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'ask')} {voice.name(self.asked)} for {plural(self.rank)}."


class Gave(Lost, frozen=True):
    """FISH-11: all cards of the rank."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'give')} {len(self.cards)}."


class WentFishing(Event, frozen=True):
    """FISH-12: another rank than the one asked for, or nothing if the pool is `empty`."""

    empty: bool

    def sentence(self, voice: Voice) -> str:
        return "Go fish! But the pool is empty." if self.empty else "Go fish!"


class Lucky(Drew, frozen=True):
    """FISH-13: the rank asked for, from the pool."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'fish', 'fishes')} one!"


class Laid(Played, frozen=True):
    """FISH-20: a book."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'lay')} the book of {plural(self.cards[0])}."


class MostBooks(Won, frozen=True):
    """FISH-30: the game is over; scores are books."""

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple([seat for seat, books in enumerate(self.scores) if books == max(self.scores)])

    def text(self, voice: Voice) -> str:
        books = count_of(max(self.scores), "book")
        if len(self.seats) == 1:
            return f"{voice.does(self.seats[0], 'win')} with {books}."
        return f"{voice.several_titled(self.seats)} share the win with {books} each."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the question, the answer, and what followed."""
    seat, rank = asked_seat(before, player, actions[0]), CODES[actions[0] % RANKS]
    found: list[Event] = [Asked(player, seat, rank)]
    if after.last == GAVE:
        given = before.hands[seat].length - after.hands[seat].length
        found.append(Gave(seat, (rank,) * given, clauses=("FISH-11",)))
    elif after.last == LUCKY:
        found.append(Lucky(player, (rank,), clauses=("FISH-13",)))
    elif after.last == FISHED:
        found.append(WentFishing(not before.deck.length, clauses=("FISH-12",)))
    for code, owner, was in zip(CODES, after.books, before.books, strict=True):
        if owner and not was:
            found.append(Laid(owner - 1, (code,) * OF_A_RANK, clauses=("FISH-20",)))
    return [*found, won(after)] if after.over else found


def won(state: Snapshot) -> MostBooks:
    """Return the end of a game that is over."""
    return MostBooks(tuple([len(books_of(state, seat)) for seat in range(state.players)]), clauses=("FISH-30",))


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the end, or None while the game runs."""
    return won(state).result(voice) if state.over else None
