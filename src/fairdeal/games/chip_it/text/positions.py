"""CHIP IT: positions as JSON (docs/rules/chip-it.md, section 4)."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit import piles
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.positions import CardCounter, codes_of, in_range, kinds_in, opened, read_hand, sized
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN, Record
from fairdeal.engine.scene import count_of
from fairdeal.games.chip_it.cards import CODES, EXAMPLES, by_number, cost, number_of
from fairdeal.games.chip_it.options import SUPPLY
from fairdeal.games.chip_it.rules import play as rules
from fairdeal.games.chip_it.state import CARDS, COPIES, DUEL, HIGHEST_VALUE, LARGEST_HAND, SINGLE, TOURNAMENT

MODES = ("single", "tournament", "duel")
FRONT_CARD = re.compile(r"(\d{1,2}[gp])(?:\+(\d{1,3})=(\d{1,4}))?")
MOST_TOTAL = 32767


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return a position in its JSON form (section 4), with `?` for unknown cards of a hand."""
    players, top, match = state.players, state.top, state.match
    hands, fronts = state.hands[:players], state.fronts[:players]
    return {
        "mode": MODES[state.options.mode],
        "hands": [hand_codes(hand.held) for hand in hands],
        "bank": state.bank[:players],
        "front": [front_codes(front) for front in fronts],
        "top": {"owner": top.owner, "count": top.count, "value": top.value} if top.count else None,
        "turn": state.turn,
        "discard": codes_of(CODES, discarded(state)),
        "aside": CARDS - sum(state.discard) - sum(pile.length for pile in (*hands, *fronts)),
        "pool": state.pool,
        "finished": state.finished.held,
        "zero_passes": state.zero_passes,
        "match": {"game": match.game, "first": match.first, "totals": match.totals[:players]},
        "over": bool(state.over),
    }


def discarded(state: Snapshot) -> list[int]:
    """Return the kinds in the discard pile, in writing order."""
    return by_number(kinds_in(state.discard))


def hand_codes(kinds: list[int]) -> list[str]:
    known = by_number([kind for kind in kinds if kind != UNKNOWN])
    return codes_of(CODES, known) + ["?"] * kinds.count(UNKNOWN)


def front_codes(front: Snapshot) -> list[str]:
    """Return the cards of a front with their points, such as `11p+2=33`."""
    costs = [(CODES[kind], cost(kind, front.value)) for kind in by_number(front.held)]
    return [f"{code}+{points}={front.value}" if points else code for code, points in costs]


class Top(msgspec.Struct, forbid_unknown_fields=True):
    """The combination to beat."""

    owner: int
    count: int
    value: int


class Match(msgspec.Struct, forbid_unknown_fields=True):
    """The number of the current game (from 1), its starter, and the totals so far."""

    game: int = 1
    first: int = 0
    totals: tuple[int, ...] = ()


class Position(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position. Fields that can be omitted have a default."""

    hands: list[list[str]]
    turn: int
    game: str = ""
    options: dict[str, Any] = {}
    mode: str = ""
    bank: list[int] = []
    front: list[list[str]] = []
    top: Top | None = None
    discard: list[str] = []
    aside: int | None = None
    pool: int | None = None
    finished: list[int] = []
    zero_passes: int = 0
    match: Match = msgspec.field(default_factory=Match)
    over: bool = False


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state that has its options. Then collect the fronts that the seat on turn would
    collect (CHIP-10, 50, 54)."""
    given, state = opened(position, Position, state)
    players, mode = state.players, MODES[state.options.mode]
    if given.mode and given.mode != mode:
        raise BadPosition("mode", given.mode, f"the options set mode {mode}")
    seats = f"give one item for each of the {players} seats"
    sized("hands", given.hands, players, seats)
    sized("bank", given.bank or [0] * players, players, seats)
    sized("front", given.front or [[]] * players, players, seats)
    sized("match.totals", given.match.totals or [0] * players, players, seats)
    rules.reset_table(state)
    read_match(state, given)
    read_cards(state, given)
    read_points(state, given)
    read_top(state, given)
    read_finished(state, given)
    state.zero_passes = in_range("zero_passes", given.zero_passes, 0, players)
    state.turn = in_range("turn", given.turn, 0, players - 1)
    state.over = given.over
    check_end(state)
    if not given.over:
        rules.begin_turn(state, given.turn)


def check_end(state: Record) -> None:
    """Check that `over` is set if and only if the game has ended, and only in the last game of a match (CHIP-46, 64,
    66, 70, 80)."""
    finished, wanted = state.finished.length, state.players - 1 if state.options.placement else 1
    game, games = state.match.game, state.match.games
    ended = finished >= wanted or rules.is_stalled(state)
    if ended and not state.over:
        raise BadPosition("over", False, "this game has ended, so over must be true [CHIP-64, CHIP-46]")
    if state.over and not ended:
        raise BadPosition("over", True, f"over needs {count_of(wanted, 'finished player')}, not {finished} [CHIP-64]")
    if state.over and game < games:
        raise BadPosition("match.game", game, f"a match ends after its last game, number {games}")


def read_match(state: Record, given: Position) -> None:
    players = state.players
    games = {SINGLE: 1, TOURNAMENT: players, DUEL: state.options.duel_games}[state.options.mode]
    start_match(state, games, in_range("match.first", given.match.first, 0, players - 1))
    state.match.game = in_range("match.game", given.match.game, 1, games)
    for seat, total in enumerate(given.match.totals):
        state.match.totals[seat] = in_range(f"match.totals[{seat}]", total, 0, MOST_TOTAL)


def read_cards(state: Record, given: Position) -> None:
    """Read the hands, the fronts with their loads, and the discard pile, with at most two cards of each kind."""
    counted = CardCounter(CODES, [COPIES] * len(CODES), EXAMPLES, "CHIP-01")
    for seat, codes in enumerate(given.hands):
        read_hand(state.hands[seat], f"hands[{seat}]", codes, LARGEST_HAND, counted, "CHIP-03")
    for seat, codes in enumerate(given.front):
        read_front(state.fronts[seat], f"front[{seat}]", codes, counted)
    for kind in counted.read("discard", given.discard):
        state.discard[kind] += 1
    rest = counted.left
    if rest < 0:
        raise BadPosition("hands", CARDS - rest, f"the deck has {CARDS} cards [CHIP-01]")
    if given.aside is not None and given.aside != rest:
        raise BadPosition("aside", given.aside, f"it must be {rest}, the {CARDS} cards minus those in play [CHIP-04]")


def read_front(front: Record, where: str, cards: list[str], counted: CardCounter) -> None:
    """Read a front, whose cards must share one value (CHIP-20..25)."""
    if len(cards) > LARGEST_HAND:
        raise BadPosition(f"{where}[0]", len(cards), f"a combination has at most {LARGEST_HAND} cards")
    load = 0
    for place, text in enumerate(cards):
        path, parts = f"{where}[{place}]", FRONT_CARD.fullmatch(text)
        if not parts:
            raise BadPosition(path, text, "write a card such as 11p, or 11p+2=33 if it is raised")
        kind = counted.kind(path, parts[1])
        points, value = int(parts[2] or 0), int(parts[3] or number_of(kind))
        if cost(kind, value) != points:
            raise BadPosition(path, text, "these points do not raise the card to that value [CHIP-23, CHIP-24]")
        if front.length and value != front.value:
            raise BadPosition(path, text, f"the other cards have the value {front.value} [CHIP-20]")
        front.value = in_range(path, value, 1, HIGHEST_VALUE)
        load += points
        piles.insert(front, kind)
    if load > SUPPLY:
        raise BadPosition(f"{where}[0]", load, f"there are only {SUPPLY} points in the game [CHIP-02]")
    front.load = load


def read_points(state: Record, given: Position) -> None:
    """Read the banks and the pool. Together with the loads of the fronts, they must add up to the total number of
    points (CHIP-02)."""
    total = state.options.pool_total
    for seat, points in enumerate(given.bank):
        state.bank[seat] = in_range(f"bank[{seat}]", points, 0, total)
    held = sum(given.bank) + sum(front.load for front in state.fronts)
    if held > total:
        raise BadPosition("bank", held, f"there are only {total} points in the game [CHIP-02]")
    if given.pool is not None and given.pool != total - held:
        raise BadPosition("pool", given.pool, f"it must be {total - held}, {total} minus the points held [CHIP-02]")
    state.pool = total - held


def read_top(state: Record, given: Position) -> None:
    """Read the combination to beat. If its owner still has a front, the two must agree (CHIP-22)."""
    if given.top is None or given.top.count == 0:
        return
    owner = in_range("top.owner", given.top.owner, 0, state.players - 1)
    front = state.fronts[owner]
    if front.length and (front.length, front.value) != (given.top.count, given.top.value):
        reason = f"the front of seat {owner} has {count_of(front.length, 'card')} with the value {front.value}"
        raise BadPosition("top", given.top.value, reason)
    state.top.owner = owner
    state.top.count = in_range("top.count", given.top.count, 1, LARGEST_HAND)
    state.top.value = in_range("top.value", given.top.value, 2, HIGHEST_VALUE)


def read_finished(state: Record, given: Position) -> None:
    """Read the finished seats, which are exactly those with neither cards nor points (CHIP-60)."""
    done = [seat for seat in range(state.players) if rules.is_rid_of_everything(state, seat)]
    if sorted(given.finished) != done:
        reason = f"the seats without cards and points are {done}" if done else "every seat has cards or points"
        raise BadPosition("finished", given.finished, reason)
    for seat in given.finished:
        piles.push(state.finished, seat)
