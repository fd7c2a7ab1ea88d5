"""CHIMAX ORDER: positions as JSON (docs/rules/chimax.md, section 2.3)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.piles import push
from fairdeal.engine.kit.positions import in_range, opened, sized
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.records import EMPTY, NOBODY, Record
from fairdeal.engine.scene import count_of
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.deck import FACES, HALF
from fairdeal.games.chimax.order import state as order
from fairdeal.games.chimax.order.rules import board_of, boards_in_play, face_at, forget_miss, how_far, must_be_unseen
from fairdeal.games.chimax.rules.layout import is_down, unseen_left
from fairdeal.games.chimax.state import CUTTING, DEALING, PLAYOFF
from fairdeal.games.chimax.text import positions as shared
from fairdeal.games.chimax.text.layout import Missed, numbers_of, read_miss, read_places

PHASES = ("flip",)

MOST_DEAD = 1000
MOST_MISSES = 32000


class Best(msgspec.Struct, forbid_unknown_fields=True):
    """ORDER-09: the longest run so far, and the first seat that reached it."""

    run: int = 0
    seat: int | None = None


class MissedBy(Missed, forbid_unknown_fields=True):
    """The card that has just been turned back, and the seat that turned it."""

    seat: int


class Position(shared.TablePosition, kw_only=True):
    """The fields of a position. Fields that can be omitted have a default. If each seat has a layout, `layout`, `up`
    and `seen` contain a list for each seat."""

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


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return a position in its JSON form (section 2.3), with `missed`, the card that has just been turned back."""
    own, seats = state.options.board == order.OWN_BOARDS, range(state.players)
    boards = state.boards[: boards_in_play(state)]
    layouts = [shared.pile_codes(board) for board in boards]
    up = [numbers_of(board.open) for board in boards]
    seen = [numbers_of(board.seen) for board in boards]
    position = shared.write_table(state, PHASES) | {
        "layout": layouts if own else layouts[0],
        "up": up if own else up[0],
        "next": next_code(state),
        "placed": [[FACE_CODES[face] for face in placed_by(state, seat)] for seat in seats],
        "seen": seen if own else seen[0],
        "dead": boards[0].dead,
        "live": any(board.live for board in boards),
        "misses": state.misses[: state.players],
    }
    if state.options.board != order.SHARED_BOARD:
        position["at"] = state.match.totals[: state.players]
    if state.options.on_miss == order.RESTART:
        position["best"] = {"run": state.best.run, "seat": shared.seat_or_null(state.best.seat)}
    missed = state.missed
    if missed.seat != NOBODY:
        position["missed"] = {"seat": missed.seat, "place": missed.place + 1, "card": FACE_CODES[missed.card]}
    return position


def next_code(state: Snapshot) -> str | None:
    """Return the code of the face that the seat on turn wants, or None if either end is right or no flip is due."""
    if state.phase != order.FLIPPING or state.direction == order.EITHER:
        return None
    return FACE_CODES[face_at(state, how_far(state, state.turn))]


def placed_by(state: Snapshot, seat: int) -> list[int]:
    """Return the faces that a seat has placed, in order."""
    if state.options.board != order.SHARED_BOARD:
        return [face_at(state, number) for number in range(state.match.totals[seat])]
    return [face_at(state, number) for number, placer in enumerate(state.run.held) if placer == seat]


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state that has its options. No automatic steps are carried out."""
    given, state = opened(position, Position, state)
    forget_miss(state)
    state.direction = state.options.direction
    shared.read_table(state, given, PHASES, "flip")
    read_placed(state, given)
    read_boards(state, given)
    read_counts(state, given)
    if given.missed is not None:
        read_missed(state, given.missed)
    check_pack(state)
    table = snapshot(state)
    check_phase(table)
    wanted = next_code(table)
    if given.next is not msgspec.UNSET and given.next != wanted and str(given.next) != wanted:
        raise BadPosition("next", given.next, f"it must be {wanted or 'null'} after the cards placed [ORDER-06]")


def read_placed(state: Record, given: Position) -> None:
    """Read the cards placed by each seat, and the direction that follows from them (ORDER-06, 08, 13)."""
    players = state.players
    faces = [
        [shared.read_face(f"placed[{seat}][{number}]", code, "ORDER-06") for number, code in enumerate(codes)]
        for seat, codes in enumerate(sized("placed", given.placed or [[]] * players, players))
    ]
    if state.options.board == order.SHARED_BOARD:
        if given.at is not None:
            raise BadPosition(
                "at", given.at, "a shared board has one sequence for all, so `at` must be omitted [ORDER-03]"
            )
        read_run(state, faces)
        return
    at = [len(own) for own in faces] if given.at is None else given.at
    shared.read_numbers(players, state.match.totals, "at", at, 0, FACES)
    table = snapshot(state)
    for seat, own in enumerate(faces):
        if given.placed is not None and own != placed_by(table, seat):
            raise BadPosition(
                f"placed[{seat}]", given.placed[seat], f"give the first {count_of(at[seat], 'card')} of the sequence"
            )


def read_run(state: Record, faces: list[list[int]]) -> None:
    """Read the common sequence, of which each seat has placed a part. Its first card sets the direction (ORDER-08)."""
    together = sum(map(len, faces))
    if together and state.direction == order.EITHER:
        pairs = [own for own in faces if len(own) > 1]
        upwards = pairs[0][0] < pairs[0][1] if pairs else any(HALF in own for own in faces)
        state.direction = order.ASCENDING if upwards else order.DESCENDING
    for number in range(min(together, FACES)):
        face = face_at(state, number)
        placers = [seat for seat, own in enumerate(faces) if face in own]
        if len(placers) != 1:
            reason = "give the first faces of the sequence, each placed once [ORDER-06]"
            raise BadPosition("placed", FACE_CODES[face], reason)
        push(state.run, placers[0])
        state.match.totals[placers[0]] += 1
    table = snapshot(state)
    for seat, own in enumerate(faces):
        if own != placed_by(table, seat):
            raise BadPosition(
                f"placed[{seat}]", len(own), "give the first faces of the sequence, in its order [ORDER-06]"
            )


def read_boards(state: Record, given: Position) -> None:
    """Read the layouts, the cards that are face up, and the places seen (MEM-01, 05)."""
    if state.options.board != order.OWN_BOARDS:
        read_board(state, 0, "", given.layout, given.up or [], given.seen)
        return
    players = state.players
    layouts = sized("layout", given.layout, players)
    ups = sized("up", given.up or [[]] * players, players)
    seens = sized("seen", given.seen or [None] * players, players)
    for seat, (layout, up, seen) in enumerate(zip(layouts, ups, seens, strict=True)):
        read_board(state, seat, f"[{seat}]", layout, up, seen)


def read_board(state: Record, number: int, path: str, cards: object, up: object, seen: object) -> None:
    """Read a layout, the cards that are face up in it, and the places seen."""
    board, counted = state.boards[number], shared.FaceCounter(1, 1)
    dealt = state.phase not in (DEALING, CUTTING)
    if not isinstance(cards, list) or len(cards) != (FACES if dealt else 0):
        raise BadPosition(
            f"layout{path}", cards, f"give a list of {FACES} cards, or an empty list before the deal [ORDER-02]"
        )
    for place, code in enumerate(cards):
        kind = shared.read_plain(f"layout{path}[{place}]", code)
        if kind == EMPTY:
            raise BadPosition(f"layout{path}[{place}]", code, "cards never leave the layout [ORDER-06]")
        counted.add(f"layout{path}[{place}]", kind)
        board.cards[place] = kind
    board.length = len(cards)
    read_places(board.open, f"up{path}", up, len(cards))
    read_places(board.seen, f"seen{path}", up if seen is None else seen, len(cards))
    table = snapshot(state)
    for place in table.boards[number].open.held:
        if place not in table.boards[number].seen.held:
            raise BadPosition(f"seen{path}", seen, f"place {place + 1} is face up, so it must be listed too [MEM-05]")
    check_up(table, number, f"up{path}")


def check_up(state: Snapshot, number: int, path: str) -> None:
    """Check that the placed cards are face up or, in a race, those found in this turn (ORDER-06, 13)."""
    board, totals = state.boards[number], state.match.totals
    up, shown = numbers_of(board.open), [board.cards[place] for place in board.open.held]
    sequence = [face_at(state, step) for step in range(FACES)]
    if state.options.board != order.RACE:
        if shown != sequence[: how_far(state, number)]:
            raise BadPosition(path, up, "give exactly the cards placed, in order [ORDER-06]")
    elif shown:
        first = sequence.index(shown[0]) if shown[0] in sequence else 0
        if shown != sequence[first : first + len(shown)]:
            raise BadPosition(path, up, "give the cards found in this turn, in order [ORDER-13]")
        if first + len(shown) not in (totals if state.phase != order.FLIPPING else [totals[state.turn]]):
            raise BadPosition(path, up, "the last one must be the last card placed by the seat on turn [ORDER-13]")


def read_counts(state: Record, given: Position) -> None:
    """Read the counts of dead turns and misses, and the longest run (MEM-06, ORDER-09, 14)."""
    for number in range(boards_in_play(state)):
        state.boards[number].dead = in_range("dead", given.dead, 0, MOST_DEAD)
    if given.live:
        if state.phase != order.FLIPPING:
            raise BadPosition("live", True, "allowed only in phase flip [MEM-06]")
        state.boards[board_of(state, state.turn)].live = 1
    shared.read_numbers(state.players, state.misses, "misses", given.misses, 0, MOST_MISSES)
    state.best.seat = NOBODY
    if state.options.on_miss == order.RESTART:
        read_best(state, given.best or Best())
    elif given.best is not None:
        raise BadPosition("best", given.best.run, "give the best run only if a miss loses the run [ORDER-09]")


def read_best(state: Record, best: Best) -> None:
    """Read the longest run. Of the current runs, only that of the seat on turn may be above 0 (ORDER-09)."""
    table, seats = snapshot(state), range(state.players)
    longest = max(how_far(table, seat) for seat in seats)
    placers = [seat for seat in seats if table.match.totals[seat]]
    state.best.run = in_range("best.run", max(best.run, longest), 0, FACES)
    if best.seat is not None:
        state.best.seat = in_range("best.seat", best.seat, 0, len(seats) - 1)
    elif longest:
        state.best.seat = placers[0]
    if (state.best.run > 0) != (state.best.seat != NOBODY):
        raise BadPosition(
            "best.seat", best.seat, "give the seat of the best run, or null if there is no run [ORDER-09]"
        )
    others = [seat for seat in placers if seat != table.turn]
    if table.phase == order.FLIPPING and others:
        raise BadPosition("placed", others[0], "only the seat on turn can have placed cards [ORDER-09]")


def read_missed(state: Record, missed: MissedBy) -> None:
    """Read the card that has just been turned back, and lies face down (MEM-04)."""
    seat = in_range("missed.seat", missed.seat, 0, state.players - 1)
    board, counted = state.boards[board_of(state, seat)], shared.FaceCounter(1, 1)
    counted.add_all("layout", shared.pile_kinds(board))
    place, card = read_miss(board, "missed", missed, counted)
    if not is_down(board, place):
        raise BadPosition("missed.place", missed.place, "give a card that is face down again [MEM-04]")
    state.missed.seat, state.missed.place, state.missed.card = seat, place, card


def check_pack(state: Record) -> None:
    """Check the pack: thirteen cards before the deal, a whole deck for a playoff, and no pack at other times
    (ORDER-02)."""
    phase, pack = state.phase, shared.pile_kinds(state.pack)
    if phase == PLAYOFF:
        return
    if len(pack) not in {CUTTING: (FACES,), DEALING: (0, FACES)}.get(phase, (0,)):
        reason = f"there are {FACES} cards before the cut and the deal, and none later [ORDER-02]"
        raise BadPosition("deck", len(pack), reason)
    shared.FaceCounter(1, 1).add_all("deck", pack)
    shared.check_cutter(state)


def check_phase(state: Snapshot) -> None:
    """Check that the game is not over if a seat is to turn up a card (MEM-07, ORDER-10)."""
    if state.phase != order.FLIPPING:
        return
    if any(how_far(state, seat) == FACES for seat in range(state.players)):
        raise BadPosition("phase", "flip", "the last card is placed, so the game is over [ORDER-10]")
    if must_be_unseen(state, state.turn) and not unseen_left(state.boards[board_of(state, state.turn)]):
        raise BadPosition("dead", state.boards[0].dead, "every card has been seen, so the game is over [MEM-07]")
