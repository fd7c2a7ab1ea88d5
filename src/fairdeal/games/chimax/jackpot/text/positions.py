"""CHIMAX JACKPOT: positions as JSON (docs/rules/chimax.md, section 7)."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.piles import push
from fairdeal.engine.kit.positions import in_range, opened, sized
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.games.chimax.cards import read_code
from fairdeal.games.chimax.deck import DECLARED, QUESTION, stands_for
from fairdeal.games.chimax.jackpot import state as jackpot
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, OWN_PHASE
from fairdeal.games.chimax.text.positions import FaceCounter, TablePosition, pile_codes, read_table, write_table

OF_SEVERAL = ("tied", "hands", "leader", "book", "won", "declared", "taps", "committed")
"""The fields of a playoff, which a single-player game cannot have."""

ALONE = "a game for one player has no playoff [JACK-01]"

MOST_POINTS = 250
"""Maximum number of points in a deal, which exceeds any possible score: thirteen Books, two Jackpots with 100 extra
points, and four streaks."""


class Position(TablePosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position. Fields that can be omitted have a default."""

    stock: list[list[str | int]] = msgspec.field(default_factory=lambda: [[], [], []])
    columns: list[list[str | int]] = msgspec.field(default_factory=lambda: [[], [], []])
    spin: int = 1
    reel: int = 0
    flipped: int = 0
    books: list[list[str | int]] = msgspec.field(default_factory=list)  # type: ignore[assignment]
    points: int = 0
    streak: int = 0
    ran: bool = False
    deal: int = 1
    total: int = 0


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return a position in its JSON form, with `x` for a hidden card. Piles are listed from the top, and columns from
    the bottom."""
    shared, books = write_table(state, jackpot.OWN_PHASES), pile_codes(state.books)
    return {
        "stock": [pile_codes(pile)[::-1] for pile in state.stock],
        "columns": [pile_codes(column) for column in state.columns],
        "spin": state.spin,
        "reel": state.reel,
        "flipped": state.flipped,
        "phase": shared["phase"],
        "books": [books[first : first + 3] for first in range(0, len(books), 3)],
        "points": state.points,
        "streak": state.streak,
        "ran": bool(state.ran),
        "deal": shared["round"],
        "total": state.match.totals[0],
        **{name: shared[name] for name in ("deck", "winner") if name in shared},
    }


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state that has its options. No automatic steps are carried out."""
    given, state = opened(position, Position, state)
    options = state.options
    for name in OF_SEVERAL:
        if getattr(given, name) not in (None, []):
            raise BadPosition(name, getattr(given, name), ALONE)
    if given.phase == "playoff":
        raise BadPosition("phase", given.phase, ALONE)
    if given.round not in (1, given.deal):
        raise BadPosition("round", given.round, "the round must be 1 or the same as `deal`")
    read_table(state, given, jackpot.OWN_PHASES, "reel", options.deals)
    state.match.game = in_range("deal", given.deal, 1, options.deals)
    state.match.totals[0] = in_range("total", given.total, 0, MOST_POINTS * given.deal)
    state.points = in_range("points", given.points, 0, MOST_POINTS)
    state.spin = in_range("spin", given.spin, 1, options.spins)
    state.reel = in_range("reel", given.reel, 0, jackpot.REELS)
    state.flipped = in_range("flipped", given.flipped, 0, jackpot.REELS)
    state.streak = in_range("streak", given.streak, 0, 2 * options.streak)
    state.ran = given.ran
    read_cards(state, given, options)
    check_deck(snapshot(state))
    check_phase(snapshot(state), given)


def read_cards(state: Record, given: Position, options: Record) -> None:
    """Read the piles, the columns and the Books (JACK-01, 02)."""
    counted = FaceCounter(jackpot.QUESTIONS)
    piles = sized("stock", given.stock, jackpot.REELS)
    for reel, codes in enumerate(sized("columns", given.columns, jackpot.REELS)):
        size = len(codes) + len(piles[reel])
        if size > jackpot.PILE:
            reason = f"a pile and its column have at most {jackpot.PILE} cards together [JACK-02]"
            raise BadPosition(f"columns[{reel}]", size, reason)
        for place, code in enumerate(codes):
            path = f"columns[{reel}][{place}]"
            kind = read_open(counted, options, path, code)
            if kind >= DECLARED and options.qmark_when == jackpot.AT_CLAIM:
                raise BadPosition(path, code, "at this table, a ? has no face until it is claimed [JACK-06]")
            push(state.columns[reel], kind)
    for reel, codes in enumerate(piles):
        for place, code in reversed(list(enumerate(codes))):
            push(state.stock[reel], read_down(counted, f"stock[{reel}][{place}]", code))
    if len(given.books) > jackpot.MOST_BOOKS:
        raise BadPosition("books", len(given.books), f"there are only enough cards for {jackpot.MOST_BOOKS} Books")
    for number, codes in enumerate(given.books):
        for kind in read_book(counted, options, f"books[{number}]", codes):
            push(state.books, kind)
    placed = sum(len(codes) for codes in (*piles, *given.columns, *given.books))
    if placed > jackpot.CARDS:
        raise BadPosition("stock", placed, f"there are only {jackpot.CARDS} cards [JACK-01]")


def read_down(counted: FaceCounter, path: str, code: object) -> int:
    """Return the kind of a face-down card, which is never declared. Raises BadPosition if the code is invalid."""
    kind = read_code(path, code)
    if kind == EMPTY or kind >= DECLARED:
        raise BadPosition(path, code, "give a face, or x")
    counted.add(path, kind)
    return kind


def read_open(counted: FaceCounter, options: Record, path: str, code: object) -> int:
    """Return the kind of a face-up card, which may be a declared question mark (JACK-02, 06). Raises BadPosition if the
    code is invalid."""
    kind = read_code(path, code)
    if kind in (EMPTY, UNKNOWN):
        raise BadPosition(path, code, "cards in columns and Books must be face up [JACK-02]")
    if kind >= DECLARED and (
        kind == DECLARED + QUESTION or not jackpot.ALLOWED[options.qmark_values] >> kind - DECLARED & 1
    ):
        raise BadPosition(path, code, "a ? cannot stand for this face at this table [JACK-06]")
    counted.add(path, kind)
    return kind


def read_book(counted: FaceCounter, options: Record, path: str, codes: Sequence[str | int]) -> list[int]:
    """Return the kinds of three cards that make a Book (JACK-07). Raises BadPosition if they do not."""
    kinds = [read_open(counted, options, f"{path}[{place}]", code) for place, code in enumerate(sized(path, codes, 3))]
    first, second, third = (stands_for(kind) for kind in kinds)
    if not jackpot.COMPLETING[options.run_order, 2, first, second] >> third & 1:
        raise BadPosition(path, codes, "this is not a Book: give three of a kind or three neighbours [JACK-07]")
    return kinds


def check_deck(state: Snapshot) -> None:
    """Check that there is a pack only between deals, and that it does not have too many cards (GEN-15)."""
    size = state.pack.length
    if size and state.phase not in (DEALING, CUTTING):
        raise BadPosition("deck", size, "cards are allowed only in phases cut and deal")
    if state.phase == CUTTING and size < 2:
        raise BadPosition("deck", size, "a deck must have at least two cards for the cut [GEN-11]")
    if size > jackpot.CARDS:
        raise BadPosition("deck", size, f"there are only {jackpot.CARDS} cards [JACK-01]")
    FaceCounter(jackpot.QUESTIONS).add_all("deck", state.pack.held)


def check_phase(state: Snapshot, given: Position) -> None:
    """Check that the phase fits the turn, the reel and its cards."""
    phase, reel = state.phase, state.reel
    if given.turn not in (None, 0) or (phase in (OVER, DEALING) and given.turn is not None):
        raise BadPosition("turn", given.turn, "the turn must be seat 0, or null in phases deal and over")
    if phase < OWN_PHASE:
        return
    if phase == jackpot.CLAIMING:
        if reel != jackpot.REELS:
            raise BadPosition("reel", reel, "it must be 3 in phase claim, after all three reels [JACK-08]")
        return
    if reel == jackpot.REELS:
        raise BadPosition("reel", reel, "it must be a reel from 0 to 2 in this phase [JACK-03]")
    if phase == jackpot.REEL and not state.stock[reel].length:
        raise BadPosition("reel", reel, "the pile of this reel is empty, so the reel is held automatically [JACK-04]")
    bare = state.columns[reel].held[-1:] == [QUESTION]
    if phase == jackpot.DECLARING and not (bare and state.options.qmark_when == jackpot.AT_FLIP):
        raise BadPosition("phase", given.phase, "phase declare needs a ? just flipped on this reel [JACK-06]")
