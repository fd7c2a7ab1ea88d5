"""CHIMAX ORDER: the record of a game, its JSON form and what observations show (docs/rules/chimax.md, section 2)."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import one_of, one_seat, placed
from fairdeal.engine.kit.piles import find, push
from fairdeal.engine.kit.positions import CardCounter, in_range, sized
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.options import options_record
from fairdeal.engine.records import NOBODY, i1, pile, record
from fairdeal.engine.scene import count_of
from fairdeal.engine.scene.shown import InScene
from fairdeal.engine.written import (
    Condition,
    Derived,
    Field,
    Number,
    Numbers,
    Part,
    Position,
    SeatOrNobody,
    Unwritten,
)
from fairdeal.games.chimax import record as chimax
from fairdeal.games.chimax.cards import FACE_CODES, code_of
from fairdeal.games.chimax.deck import FACES, HALF
from fairdeal.games.chimax.order import state as order
from fairdeal.games.chimax.order.options import OrderOptions
from fairdeal.games.chimax.order.rules import board_of, boards_in_play, face_at, forget_miss, how_far, must_be_unseen
from fairdeal.games.chimax.rules.layout import is_down, unseen_left
from fairdeal.games.chimax.rules.tournament import set_table
from fairdeal.games.chimax.state import CUTTING, DEALING, PLAYOFF, SEATS

MOST_DEAD = 1000
MOST_MISSES = 32000


class Boards(Part):
    """ORDER-02, 03: the layouts. If each seat has its own, a position lists their fields by seat."""

    late: ClassVar[bool] = True

    def json(self) -> list[tuple[Any, ...]]:
        lists = [(name, list[Any] | None, None) for name in ("layout", "up", "seen")]
        return [*lists, ("dead", int, 0), ("live", bool, False)]

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return super().type(seats, options), order.BOARDS

    def write(self, state: Snapshot) -> dict[str, Any]:
        boards = state.boards[: boards_in_play(state)]
        found: dict[str, Any] = {
            "layout": [[code_of(kind) for kind in board.held] for board in boards],
            "up": [chimax.numbers_of(board.open) for board in boards],
            "seen": [chimax.numbers_of(board.seen) for board in boards],
        }
        if state.options.board != order.OWN_BOARDS:
            found = {name: lists[0] for name, lists in found.items()}
        return found | {"dead": boards[0].dead, "live": any(board.live for board in boards)}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        lists = [by_board(given, state, name) for name in ("layout", "up", "seen")]
        for number, (codes, up, seen) in enumerate(zip(*lists, strict=True)):
            path, board = f"[{number}]" if state.options.board == order.OWN_BOARDS else "", state.boards[number]
            read_codes(board, f"layout{path}", codes or [], 0 if state.phase in (DEALING, CUTTING) else FACES)
            chimax.read_places(board.open, f"up{path}", up or [], board.length)
            chimax.read_places(board.seen, f"seen{path}", (up if seen is None else seen) or [], board.length)
            for place in up or []:
                if find(board.seen, place - 1) < 0:
                    reason = f"place {place} is face up, so it must be listed too [MEM-05]"
                    raise BadPosition(f"seen{path}", seen, reason)
            check_up(snapshot(state), number, f"up{path}")
            board.dead = in_range("dead", given.dead, 0, MOST_DEAD)
        if given.live and state.phase != order.FLIPPING:
            raise BadPosition("live", True, "allowed only in phase flip [MEM-06]")
        if given.live:
            state.boards[board_of(state, state.turn)].live = 1

    def in_scene(self) -> list[InScene]:
        return []


def by_board(given: Any, state: Fields, name: str) -> Sequence[Any]:
    """Return the lists that a position gives for each layout, or None for each. Raises BadPosition if they are not
    lists."""
    own, found = state.options.board == order.OWN_BOARDS, getattr(given, name)
    if found is None:
        return [None] * boards_in_play(state)
    lists = sized(name, found, state.players) if own else [found]
    for number, one in enumerate(lists):
        if one is not None and not isinstance(one, list):
            raise BadPosition(f"{name}[{number}]" if own else name, one, "give a list for each layout [ORDER-03]")
    return lists


def read_codes(board: Fields, path: str, codes: Sequence[Any], size: int) -> None:
    """Read the cards of a layout, each of which has a set of its own."""
    if len(codes) != size:
        reason = f"give a list of {FACES} cards, or an empty list before the deal [ORDER-02]"
        raise BadPosition(path, codes, reason)
    counter = SET.counter(board)
    for place, code in enumerate(codes):
        if code is None:
            raise BadPosition(f"{path}[{place}]", code, "cards never leave the layout [ORDER-06]")
        board.cards[place] = counter.kind(f"{path}[{place}]", code, unknown=True)
    board.length = size


def check_up(state: Snapshot, number: int, path: str) -> None:
    """Check that the placed cards are face up or, in a race, those found in this turn (ORDER-06, 13)."""
    board, totals = state.boards[number], state.match.totals
    up, shown = chimax.numbers_of(board.open), [board.cards[place] for place in board.open.held]
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


class Placed(Field):
    """ORDER-06, 13: the seat that placed each card of a common sequence. If sequences are separate, the number of cards
    that each seat has placed is its total. A position lists the faces that each seat has placed."""

    def json(self) -> list[tuple[Any, ...]]:
        return [("placed", list[list[str | int]] | None, None), ("at", list[int] | None, None)]

    def write(self, state: Snapshot) -> dict[str, Any]:
        seats = range(state.players)
        placed: dict[str, Any] = {"placed": [[FACE_CODES[face] for face in placed_by(state, seat)] for seat in seats]}
        shared = state.options.board == order.SHARED_BOARD
        return placed if shared else placed | {"at": state.match.totals[: state.players]}

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        faces = [
            [counter.face(f"placed[{seat}][{place}]", code) for place, code in enumerate(codes)]
            for seat, codes in enumerate(self.items(given, state, []))
        ]
        if state.options.board == order.SHARED_BOARD:
            if given.at is not None:
                reason = "a shared board has one sequence for all, so `at` must be omitted [ORDER-03]"
                raise BadPosition("at", given.at, reason)
            read_run(state, faces)
        totals = [len(own) for own in faces] if given.at is None else given.at
        for seat, number in enumerate(sized("at", totals, state.players)):
            state.match.totals[seat] = in_range(f"at[{seat}]", number, 0, FACES)
        table = snapshot(state)
        for seat, own in enumerate(faces):
            if given.placed is not None and own != placed_by(table, seat):
                reason = f"give the first {count_of(table.match.totals[seat], 'card')} of the sequence [ORDER-06]"
                raise BadPosition(f"placed[{seat}]", given.placed[seat], reason)


def placed_by(state: Snapshot, seat: int) -> list[int]:
    """Return the faces that a seat has placed, in order."""
    if state.options.board != order.SHARED_BOARD:
        return [face_at(state, number) for number in range(state.match.totals[seat])]
    return [face_at(state, number) for number, placer in enumerate(state.run.held) if placer == seat]


def read_run(state: Fields, faces: list[list[int]]) -> None:
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


class Next(Derived):
    """The face that the seat on turn wants, or null."""

    def check(self, given: Any, state: Snapshot) -> None:
        wanted = self.value(state)
        if given.next is not None and str(given.next) != wanted:
            reason = f"it must be {wanted or 'null'} after the cards placed [ORDER-06]"
            raise BadPosition("next", given.next, reason)


def next_code(state: Snapshot) -> str | None:
    """Return the code of the face that the seat on turn wants, or None if either end is right or no flip is due."""
    if state.phase != order.FLIPPING or state.direction == order.EITHER:
        return None
    return FACE_CODES[face_at(state, how_far(state, state.turn))]


class Best(Part):
    """ORDER-09: the longest run so far, and the first seat that reached it."""

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        super().read(given, state, counter)
        longest = max(how_far(state, seat) for seat in range(state.players))
        if longest and state.best.seat == NOBODY:
            state.best.seat = placers(state)[0]
        state.best.run = max(state.best.run, longest)


def placers(state: Any) -> list[int]:
    """Return the seats that have placed cards."""
    return [seat for seat in range(state.players) if state.match.totals[seat]]


class MissBy(chimax.Miss):
    """The card that has just been turned back, and the seat that turned it."""

    seat: int


class Missed(Field):
    """MEM-04: the card that has just been turned back, and lies face down; seat NOBODY for none."""

    late: ClassVar[bool] = True
    kind: ClassVar[Any] = MissBy | None

    def in_json(self, state: Snapshot) -> Any:
        missed = state.missed
        card = {"seat": missed.seat, "place": missed.place + 1, "card": FACE_CODES[missed.card]}
        return None if missed.seat == NOBODY else card

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        if given.missed:
            seat = in_range("missed.seat", given.missed.seat, 0, state.players - 1)
            board, own = state.boards[board_of(state, seat)], SET.counter(state)
            for place in range(board.length):
                if board.cards[place] >= 0:
                    own.count("layout", board.cards[place])
            place, card = chimax.read_miss(board, "missed", given.missed, own)
            if not is_down(board, place):
                raise BadPosition("missed.place", given.missed.place, "give a card that is face down again [MEM-04]")
            state.missed.seat, state.missed.place, state.missed.card = seat, place, card


SET = chimax.deck_of(1, 1, "ORDER-02")
"""ORDER-02: a set of the thirteen faces."""

POSITION = Position(
    SET,
    options_record(OrderOptions),
    SEATS,
    **chimax.table(("flip",), "flip"),
    boards=Boards(flat=True, parts=chimax.parts_of_layout(FACES, FACES, MOST_DEAD)),
    run=Placed(key="placed", store=pile(FACES), form=one_seat("seats that placed the cards of the sequence")),
    direction=Unwritten(form=one_of(order.EITHER + 1)),  # EITHER until the first card sets it
    best=Best(
        parts={"run": Number(highest=FACES), "seat": SeatOrNobody()},
        when=lambda state: state.options.on_miss == order.RESTART,
        only="if a miss loses the run",
        clause="ORDER-09",
    ),
    misses=Numbers("number of misses", highest=MOST_MISSES, counter="miss"),
    missed=Missed(
        sparse=True,
        store=record(seat=i1, place=i1, card=i1),
        shown={
            "seat": one_seat("seat that has just turned back a card"),
            "card": placed(FACES, "card just turned back"),
        },
    ),
    next=Next(of=str | int, value=next_code),
)


def prepare_position(state: Fields) -> None:
    """Clear the table."""
    set_table(state, 1)
    forget_miss(state)
    state.direction = state.options.direction
    state.best.seat = NOBODY


FLIPS = (order.FLIPPING,)

CONDITIONS = (
    *chimax.TABLE_CONDITIONS,
    chimax.CUTTER,
    Condition(
        "deck",
        f"there are {FACES} cards before the cut and the deal, and none later [ORDER-02]",
        lambda state: (
            state.phase != PLAYOFF
            and state.pack.length != FACES * (state.phase == CUTTING)
            and (state.phase, state.pack.length) != (DEALING, FACES)
        ),
    ),
    Condition(
        "best.seat",
        "give the seat of the best run, or null if there is no run [ORDER-09]",
        lambda state: (state.best.run > 0) != (state.best.seat != NOBODY),
    ),
    Condition(
        "placed",
        "only the seat on turn can have placed cards [ORDER-09]",
        lambda state: state.options.on_miss == order.RESTART and {*placers(state)} - {state.turn},
        FLIPS,
    ),
    Condition(
        "phase",
        "the last card is placed, so the game is over [ORDER-10]",
        lambda state: any(how_far(state, seat) == FACES for seat in range(state.players)),
        FLIPS,
    ),
    Condition(
        "dead",
        "every card has been seen, so the game is over [MEM-07]",
        lambda state: must_be_unseen(state, state.turn) and not unseen_left(state.boards[board_of(state, state.turn)]),
        FLIPS,
    ),
)
"""The conditions of every state."""
