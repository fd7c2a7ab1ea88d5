"""CHIMAX ORDER: positions in writing (docs/rules/chimax.md, section 2.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.piles import find, push
from fairdeal.engine.positions import converted, in_range, sized
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, Record
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.deck import FACES, HALF
from fairdeal.games.chimax.order.rules import board_of, boards_in_play, face_at, forget_miss, how_far, must_be_unseen
from fairdeal.games.chimax.order.state import (
    ASCENDING,
    DESCENDING,
    EITHER,
    FLIPPING,
    OWN_BOARDS,
    RACE,
    RESTART,
    SHARED_BOARD,
)
from fairdeal.games.chimax.rules.layout import is_down, unseen_left
from fairdeal.games.chimax.state import CUTTING, DEALING, PLAYOFF
from fairdeal.games.chimax.text.layout_positions import Missed, numbers_of, read_places
from fairdeal.games.chimax.text.positions import (
    FaceCounter,
    TablePosition,
    check_cutter,
    pile_codes,
    pile_kinds,
    read_numbers,
    read_plain,
    read_table,
    write_table,
)

PHASES = ("flip",)

MOST_DEAD = 1000
MOST_MISSES = 32000


class Best(msgspec.Struct, forbid_unknown_fields=True):
    """ORDER-09: the longest run so far, and who reached it first."""

    run: int = 0
    seat: int | None = None


class MissedBy(Missed, forbid_unknown_fields=True):
    """The card that was turned back just now, and by whom."""

    seat: int


class Position(TablePosition, kw_only=True):
    """The fields of a position; what may be left out has a default. On own boards `layout`, `up` and `seen` are lists
    of one for each seat."""

    layout: list[Any] = msgspec.field(default_factory=list)
    up: list[Any] | None = None
    seen: list[Any] | None = None
    next: str | int | msgspec.UnsetType | None = msgspec.UNSET
    placed: list[list[str | int]] | None = None
    at: list[int] | None = None
    dead: int = 0
    live: bool = False
    misses: list[int] | None = None
    best: Best | None = None
    missed: MissedBy | None = None


# --- writing -----------------------------------------------------------------------------------------------------


def write_position(state: Record) -> dict[str, Any]:
    """The JSON form (section 2.3), and `missed`: the card that everybody has just seen turned back."""
    players = int(state.players)
    boards = [state.boards[number] for number in range(boards_in_play(state))]
    layouts = [pile_codes(board) for board in boards]
    up = [numbers_of(board.open) for board in boards]
    seen = [numbers_of(board.seen) for board in boards]
    own = int(state.options.board) == OWN_BOARDS
    position = write_table(state, PHASES) | {
        "layout": layouts if own else layouts[0],
        "up": up if own else up[0],
        "next": next_code(state),
        "placed": [[FACE_CODES[face] for face in placed_by(state, seat)] for seat in range(players)],
        "seen": seen if own else seen[0],
        "dead": int(boards[0].dead),
        "live": any(int(board.live) for board in boards),
        "misses": state.misses.tolist()[:players],
    }
    if int(state.options.board) != SHARED_BOARD:
        position["at"] = state.match.totals.tolist()[:players]
    if int(state.options.on_miss) == RESTART:
        seat = int(state.best.seat)
        position["best"] = {"run": int(state.best.run), "seat": None if seat == NOBODY else seat}
    if int(state.missed.seat) != NOBODY:
        missed = state.missed
        position["missed"] = {
            "seat": int(missed.seat),
            "place": int(missed.place) + 1,
            "card": FACE_CODES[int(missed.card)],
        }
    return position


def next_face(state: Record) -> int | None:
    """The face wanted from the seat on turn; None while both ends are right, and where nobody turns up cards."""
    if int(state.phase) != FLIPPING or int(state.direction) == EITHER:
        return None
    return int(face_at(state, how_far(state, int(state.turn))))


def next_code(state: Record) -> str | None:
    face = next_face(state)
    return None if face is None else FACE_CODES[face]


def placed_by(state: Record, seat: int) -> list[int]:
    """The faces that a seat has placed, in their order."""
    if int(state.options.board) != SHARED_BOARD:
        return [int(face_at(state, number)) for number in range(int(state.match.totals[seat]))]
    run = state.run.cards.tolist()[: int(state.run.length)]
    return [int(face_at(state, number)) for number, placer in enumerate(run) if placer == seat]


# --- reading -----------------------------------------------------------------------------------------------------


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state with its options. No automatic step is run."""
    given = converted(position, Position)
    forget_miss(state)
    state.direction = state.options.direction
    read_table(state, given, PHASES, "flip")
    read_placed(state, given)
    read_boards(state, given)
    read_counts(state, given)
    if given.missed is not None:
        read_missed(state, given.missed)
    check_pack(state)
    check_phase(state)
    if given.next is not msgspec.UNSET and given.next != next_code(state) and str(given.next) != next_code(state):
        raise BadPosition("next", given.next, f"what is placed makes it {next_code(state)} [ORDER-06]")


def read_placed(state: Record, given: Position) -> None:
    """ORDER-06, 08, 13: what each seat has placed, which gives the direction too."""
    players = int(state.players)
    faces: list[list[int]] = [[] for _ in range(players)]
    for seat, codes in enumerate(sized("placed", given.placed or [[]] * players, players)):
        faces[seat] = [read_face(f"placed[{seat}][{number}]", code) for number, code in enumerate(codes)]
    if int(state.options.board) == SHARED_BOARD:
        if given.at is not None:
            raise BadPosition("at", given.at, "on a shared board there is one sequence for all [ORDER-03]")
        read_run(state, faces)
        return
    at = sized("at", [len(own) for own in faces] if given.at is None else given.at, players)
    for seat, number in enumerate(at):
        state.match.totals[seat] = in_range(f"at[{seat}]", number, 0, FACES)
        if given.placed is not None and faces[seat] != placed_by(state, seat):
            raise BadPosition(f"placed[{seat}]", given.placed[seat], f"these are the first {number} of the sequence")


def read_face(path: str, code: object) -> int:
    kind = read_plain(path, code)
    if kind in (EMPTY, UNKNOWN):
        raise BadPosition(path, code, f"a face belongs here: {' '.join(FACE_CODES)}")
    return kind


def read_run(state: Record, faces: Sequence[Sequence[int]]) -> None:
    """The common sequence, of which every seat has placed a part."""
    together = sum(len(own) for own in faces)
    if together and int(state.direction) == EITHER:
        state.direction = found_direction(faces)
    for number in range(min(together, FACES)):
        face = int(face_at(state, number))
        placers = [seat for seat, own in enumerate(faces) if face in own]
        if len(placers) != 1:
            raise BadPosition(
                "placed", FACE_CODES[face], "the first faces of the sequence, each placed once [ORDER-06]"
            )
        push(state.run, placers[0])
        state.match.totals[placers[0]] += 1
    for seat, own in enumerate(faces):
        if list(own) != placed_by(state, seat):
            raise BadPosition(f"placed[{seat}]", len(own), "the first faces of the sequence, in its order [ORDER-06]")


def found_direction(faces: Sequence[Sequence[int]]) -> int:
    """ORDER-08: the direction that the first card has decided."""
    for own in faces:
        if len(own) > 1:
            return ASCENDING if own[0] < own[1] else DESCENDING
    placed = [face for own in faces for face in own]
    return ASCENDING if HALF in placed else DESCENDING


def read_boards(state: Record, given: Position) -> None:
    """MEM-01, 05: the layouts, what lies open, and what was ever seen."""
    if int(state.options.board) != OWN_BOARDS:
        read_board(state, 0, "", given.layout, given.up or [], given.seen)
        return
    players = int(state.players)
    layouts = sized("layout", given.layout, players)
    ups = sized("up", given.up or [[]] * players, players)
    seens = sized("seen", given.seen or [None] * players, players)
    for seat in range(players):
        read_board(state, seat, f"[{seat}]", layouts[seat], ups[seat], seens[seat])


def read_board(state: Record, number: int, path: str, cards: object, up: object, seen: object) -> None:
    board = state.boards[number]
    dealt = int(state.phase) not in (DEALING, CUTTING)
    if not isinstance(cards, list) or len(cards) != (FACES if dealt else 0):
        raise BadPosition(f"layout{path}", cards, f"a list of {FACES} cards; before the deal, of none [ORDER-02]")
    counted = FaceCounter(1, 1)
    for place, code in enumerate(cards):
        kind = read_plain(f"layout{path}[{place}]", code)
        if kind == EMPTY:
            raise BadPosition(f"layout{path}[{place}]", code, "no card leaves the layout [ORDER-06]")
        counted.add(f"layout{path}[{place}]", kind)
        board.cards[place] = kind
    board.length = len(cards)
    read_places(board.open, f"up{path}", up, len(cards))
    read_places(board.seen, f"seen{path}", up if seen is None else seen, len(cards))
    for place in board.open.cards.tolist()[: int(board.open.length)]:
        if find(board.seen, place) < 0:
            raise BadPosition(f"seen{path}", seen, f"place {place + 1} lies face up, so it was seen [MEM-05]")
    check_up(state, number, f"up{path}")


def check_up(state: Record, number: int, path: str) -> None:
    """ORDER-06, 13: placed cards lie open; in a race those of this turn."""
    board = state.boards[number]
    shown = [int(board.cards[place]) for place in board.open.cards.tolist()[: int(board.open.length)]]
    if int(state.options.board) != RACE:
        wanted = [int(face_at(state, step)) for step in range(how_far(state, number))]
        if shown != wanted:
            raise BadPosition(path, numbers_of(board.open), "just what is placed lies face up, in its order [ORDER-06]")
        return
    first = next((step for step in range(FACES) if shown and int(face_at(state, step)) == shown[0]), 0)
    if shown != [int(face_at(state, first + step)) for step in range(len(shown)) if first + step < FACES]:
        raise BadPosition(
            path, numbers_of(board.open), "the cards found in this turn lie open, in their order [ORDER-13]"
        )
    at = [first + len(shown)] * bool(shown)
    allowed = (
        [int(state.match.totals[int(state.turn)])] if int(state.phase) == FLIPPING else state.match.totals.tolist()
    )
    if at and at[0] not in allowed:
        raise BadPosition(path, numbers_of(board.open), "they bring the seat on turn to its place [ORDER-13]")


def read_counts(state: Record, given: Position) -> None:
    """MEM-06, ORDER-09, 14: turns without news, the longest run, wrong flips."""
    for number in range(boards_in_play(state)):
        state.boards[number].dead = in_range("dead", given.dead, 0, MOST_DEAD)
    if given.live and int(state.phase) != FLIPPING:
        raise BadPosition("live", True, "no turn is under way [MEM-06]")
    if given.live:
        state.boards[board_of(state, int(state.turn))].live = 1
    read_numbers(state.misses[: int(state.players)], "misses", given.misses, 0, MOST_MISSES)
    state.best.seat = NOBODY
    if int(state.options.on_miss) == RESTART:
        read_best(state, given.best or Best())
    elif given.best is not None:
        raise BadPosition("best", given.best.run, "runs are counted where they can be lost [ORDER-09]")


def read_best(state: Record, best: Best) -> None:
    longest = max(how_far(state, seat) for seat in range(int(state.players)))
    state.best.run = in_range("best.run", max(best.run, longest), 0, FACES)
    if best.seat is not None:
        state.best.seat = in_range("best.seat", best.seat, 0, int(state.players) - 1)
    elif longest:
        state.best.seat = next(seat for seat in range(int(state.players)) if int(state.match.totals[seat]))
    if (int(state.best.run) > 0) != (int(state.best.seat) != NOBODY):
        raise BadPosition("best.seat", best.seat, "a run was reached by a seat, none by nobody [ORDER-09]")
    if int(state.phase) != FLIPPING:
        return
    for seat in range(int(state.players)):
        if int(state.match.totals[seat]) and seat != int(state.turn):
            raise BadPosition("placed", seat, "only the run of the turn under way counts [ORDER-09]")


def read_missed(state: Record, missed: MissedBy) -> None:
    """MEM-04: a card that lies face down again and that everybody has just seen."""
    seat = in_range("missed.seat", missed.seat, 0, int(state.players) - 1)
    board = state.boards[board_of(state, seat)]
    place = in_range("missed.place", missed.place, 1, max(1, int(board.length))) - 1
    card = read_face("missed.card", missed.card)
    if not int(board.length) or not is_down(board, place) or find(board.seen, place) < 0:
        raise BadPosition("missed.place", missed.place, "a card that was seen and lies face down again [MEM-04]")
    elsewhere = find_kind(board, card)
    if int(board.cards[place]) not in (UNKNOWN, card) or elsewhere not in (NOBODY, place):
        raise BadPosition("missed.card", missed.card, "the layout has another card at this place")
    state.missed.seat, state.missed.place, state.missed.card = seat, place, card


def find_kind(board: Record, kind: int) -> int:
    """The place of a card of a layout, or -1."""
    cards = board.cards.tolist()[: int(board.length)]
    return cards.index(kind) if kind in cards else NOBODY


def check_pack(state: Record) -> None:
    """ORDER-02: a set of thirteen waits for the deal; a playoff has the whole deck; else there is no pack."""
    phase, size = int(state.phase), int(state.pack.length)
    if phase == PLAYOFF:
        return
    sizes = {CUTTING: (FACES,), DEALING: (0, FACES)}.get(phase, (0,))
    if size not in sizes:
        raise BadPosition("deck", size, f"{FACES} cards wait for the cut and the deal, else there are none [ORDER-02]")
    FaceCounter(1, 1).add_all("deck", pile_kinds(state.pack))
    check_cutter(state)


def check_phase(state: Record) -> None:
    """MEM-07, ORDER-10: the game is not over yet where somebody is to turn up a card."""
    if int(state.phase) != FLIPPING:
        return
    seat = int(state.turn)
    if any(how_far(state, other) == FACES for other in range(int(state.players))):
        raise BadPosition("phase", "flip", "the last card is placed, so this game is over [ORDER-10]")
    if must_be_unseen(state, seat) and not unseen_left(state.boards[board_of(state, seat)]):
        raise BadPosition("dead", int(state.boards[0].dead), "no card is unseen, so this game is over [MEM-07]")
