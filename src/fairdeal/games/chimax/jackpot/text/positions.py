"""CHIMAX JACKPOT: positions in writing (docs/rules/chimax.md, section 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.piles import push
from fairdeal.engine.positions import converted, in_range, sized
from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.games.chimax.cards import read_code
from fairdeal.games.chimax.deck import DECLARED, QUESTION, stands_for
from fairdeal.games.chimax.jackpot.state import (
    ALLOWED,
    AT_CLAIM,
    AT_FLIP,
    CARDS,
    CLAIMING,
    COMPLETING,
    DECLARING,
    MOST_BOOKS,
    OWN_PHASES,
    PILE,
    QUESTIONS,
    REEL,
    REELS,
)
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, OWN_PHASE
from fairdeal.games.chimax.text.positions import (
    FaceCounter,
    TablePosition,
    pile_codes,
    pile_kinds,
    read_table,
    write_table,
)

OF_SEVERAL = ("tied", "hands", "leader", "book", "won", "declared", "taps", "committed")
"""Fields of a playoff."""

MOST_POINTS = 250
"""Above what a deal can bring: thirteen Books, two Jackpots with 100 on top, four streaks."""


def three_empty() -> list[Any]:
    return [[], [], []]


class Position(TablePosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position; what may be left out has a default."""

    stock: list[list[str | int]] = msgspec.field(default_factory=three_empty)
    columns: list[list[str | int]] = msgspec.field(default_factory=three_empty)
    spin: int = 1
    reel: int = 0
    flipped: int = 0
    books: list[list[str | int]] = msgspec.field(default_factory=list)  # type: ignore[assignment]
    points: int = 0
    streak: int = 0
    ran: bool = False
    deal: int = 1
    total: int = 0


def write_position(state: Record) -> dict[str, Any]:
    """The JSON form; a card that may not be seen is `x`. Piles are written from the top, columns from the bottom."""
    shared = write_table(state, OWN_PHASES)
    books = pile_codes(state.books)
    return {
        "stock": [pile_codes(state.stock[reel])[::-1] for reel in range(REELS)],
        "columns": [pile_codes(state.columns[reel]) for reel in range(REELS)],
        "spin": int(state.spin),
        "reel": int(state.reel),
        "flipped": int(state.flipped),
        "phase": shared["phase"],
        "books": [books[first : first + 3] for first in range(0, len(books), 3)],
        "points": int(state.points),
        "streak": int(state.streak),
        "ran": bool(state.ran),
        "deal": shared["round"],
        "total": int(state.match.totals[0]),
        **{name: shared[name] for name in ("deck", "winner") if name in shared},
    }


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state with its options. No automatic step is run."""
    given = converted(position, Position)
    for name in OF_SEVERAL:
        if getattr(given, name) not in (None, []):
            raise BadPosition(name, getattr(given, name), "one player has nobody to play off with [JACK-01]")
    if given.phase == "playoff":
        raise BadPosition("phase", given.phase, "one player has nobody to play off with [JACK-01]")
    if given.round not in (1, given.deal):
        raise BadPosition("round", given.round, "deals are counted in `deal`")
    read_table(state, given, OWN_PHASES, "reel", int(state.options.deals))
    state.match.game = in_range("deal", given.deal, 1, int(state.options.deals))
    state.match.totals[0] = in_range("total", given.total, 0, MOST_POINTS * given.deal)
    state.points = in_range("points", given.points, 0, MOST_POINTS)
    state.spin = in_range("spin", given.spin, 1, int(state.options.spins))
    state.reel = in_range("reel", given.reel, 0, REELS)
    state.flipped = in_range("flipped", given.flipped, 0, REELS)
    state.streak = in_range("streak", given.streak, 0, 2 * int(state.options.streak))
    state.ran = given.ran
    read_cards(state, given)
    check_deck(state, given)
    check_phase(state, given)


def read_cards(state: Record, given: Position) -> None:
    """JACK-01, 02: piles, columns and Books."""
    counted = FaceCounter(QUESTIONS)
    for reel, codes in enumerate(sized("columns", given.columns, REELS)):
        size = len(codes) + len(sized("stock", given.stock, REELS)[reel])
        if size > PILE:
            raise BadPosition(f"columns[{reel}]", size, f"a pile and its column have {PILE} cards at most [JACK-02]")
        for place, code in enumerate(codes):
            path = f"columns[{reel}][{place}]"
            kind = read_code(path, code)
            counted.add(path, check_open(state, path, code, kind, in_column=True))
            push(state.columns[reel], kind)
    for reel, codes in enumerate(given.stock):
        for place in reversed(range(len(codes))):
            path = f"stock[{reel}][{place}]"
            push(state.stock[reel], read_down(counted, path, codes[place]))
    if len(given.books) > MOST_BOOKS:
        raise BadPosition("books", len(given.books), f"there are cards for {MOST_BOOKS} Books")
    for number, codes in enumerate(given.books):
        read_book(state, f"books[{number}]", codes, counted)
    placed = sum(int(pile.length) for pile in (*state.stock, *state.columns, state.books))
    if placed > CARDS:
        raise BadPosition("stock", placed, f"there are {CARDS} cards [JACK-01]")


def read_down(counted: FaceCounter, path: str, code: object) -> int:
    """A card that lies face down: it stands for nothing yet. Raises BadPosition."""
    kind = read_code(path, code)
    if kind == EMPTY or kind >= DECLARED:
        raise BadPosition(path, code, "a face belongs here, or x")
    counted.add(path, kind)
    return kind


def check_open(state: Record, path: str, code: object, kind: int, in_column: bool) -> int:
    """JACK-02, 06: a card that lies open: itself, or a question mark for what it may stand for. Raises BadPosition."""
    if kind in (EMPTY, UNKNOWN):
        raise BadPosition(path, code, "cards of columns and Books lie open [JACK-02]")
    if kind >= DECLARED:
        if in_column and int(state.options.qmark_when) == AT_CLAIM:
            raise BadPosition(path, code, "a ? stays bare until it is claimed [JACK-06]")
        face = kind - DECLARED
        if face == QUESTION or not int(ALLOWED[int(state.options.qmark_values)]) >> face & 1:
            raise BadPosition(path, code, "a ? does not stand for this at this table [JACK-06]")
    return kind


def read_book(state: Record, path: str, codes: Sequence[str | int], counted: FaceCounter) -> None:
    """JACK-07: three cards that are a Book."""
    kinds = []
    for place, code in enumerate(sized(path, codes, 3)):
        kind = read_code(f"{path}[{place}]", code)
        counted.add(f"{path}[{place}]", check_open(state, f"{path}[{place}]", code, kind, in_column=False))
        push(state.books, kind)
        kinds.append(stands_for(kind))
    if not int(COMPLETING[int(state.options.run_order), 2, kinds[0], kinds[1]]) >> kinds[2] & 1:
        raise BadPosition(path, codes, "this is no Book: three alike, or three neighbours [JACK-07]")


def check_deck(state: Record, given: Position) -> None:
    """GEN-15: a pack lies there only between deals, and has a card for each place."""
    phase, size = int(state.phase), int(state.pack.length)
    if size and phase not in (DEALING, CUTTING):
        raise BadPosition("deck", size, "the cards are dealt: there is a deck only in phases cut and deal")
    if phase == CUTTING and size < 2:
        raise BadPosition("deck", size, "a deck of two cards or more is cut [GEN-11]")
    if size > CARDS:
        raise BadPosition("deck", size, f"there are {CARDS} cards [JACK-01]")
    FaceCounter(QUESTIONS).add_all("deck", pile_kinds(state.pack))


def check_phase(state: Record, given: Position) -> None:
    """What the phases of a spin take for granted."""
    phase, reel = int(state.phase), int(state.reel)
    if given.turn not in (None, 0) or (phase in (OVER, DEALING) and given.turn is not None):
        raise BadPosition("turn", given.turn, "nobody is on turn in this phase")
    if phase < OWN_PHASE:
        return
    if phase == CLAIMING:
        if reel != REELS:
            raise BadPosition("reel", reel, "claims come when all three reels are settled: 3 [JACK-08]")
        return
    if reel == REELS:
        raise BadPosition("reel", reel, "a reel from 0 to 2 turns in this phase [JACK-03]")
    if phase == REEL and not int(state.stock[reel].length):
        raise BadPosition("reel", reel, "the pile of this reel is empty, so it is held by itself [JACK-04]")
    column = pile_codes(state.columns[reel])
    if phase == DECLARING and (int(state.options.qmark_when) != AT_FLIP or not column or column[-1] != "?"):
        raise BadPosition("phase", given.phase, "declare is for the ? that was just flipped on this reel [JACK-06]")
