"""CHIP IT: positions in writing (docs/rules/chip-it.md, section 4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from fairdeal.engine import piles
from fairdeal.engine.errors import BadPosition
from fairdeal.engine.matches import start_match
from fairdeal.engine.records import UNKNOWN, Record
from fairdeal.games.chip_it.cards import CODES, KIND_OF, by_number, cost, number_of
from fairdeal.games.chip_it.rules import play as rules
from fairdeal.games.chip_it.state import (
    CARDS,
    COPIES,
    DUEL,
    HIGHEST_VALUE,
    LARGEST_HAND,
    SINGLE,
    SUPPLY,
    TOURNAMENT,
)

MODES = ("single", "tournament", "duel")
FRONT_CARD = re.compile(r"(\d{1,2}[gp])(?:\+(\d{1,3})=(\d{1,4}))?")
MOST_TOTAL = 32767


def write_position(state: Record) -> dict[str, Any]:
    """The JSON form (section 4); unknown hand cards are `?`."""
    players = int(state.players)
    top = state.top
    return {
        "mode": MODES[int(state.options.mode)],
        "hands": [hand_codes(state.hands[seat]) for seat in range(players)],
        "bank": state.bank.tolist()[:players],
        "front": [front_codes(state.fronts[seat]) for seat in range(players)],
        "top": {"owner": int(top.owner), "count": int(top.count), "value": int(top.value)} if top.count else None,
        "turn": int(state.turn),
        "discard": [CODES[kind] for kind in discarded(state)],
        "aside": aside(state),
        "pool": int(state.pool),
        "finished": state.finished.cards.tolist()[: int(state.finished.length)],
        "zero_passes": int(state.zero_passes),
        "match": {
            "game": int(state.match.game),
            "first": int(state.match.first),
            "totals": state.match.totals.tolist()[:players],
        },
        "over": bool(state.over),
    }


def discarded(state: Record) -> list[int]:
    """The kinds of the discard pile, in writing order."""
    return by_number([kind for kind, count in enumerate(state.discard.tolist()) for _ in range(count)])


def hand_codes(hand: Record) -> list[str]:
    cards = hand.cards.tolist()[: int(hand.length)]
    known = by_number([kind for kind in cards if kind != UNKNOWN])
    return [CODES[kind] for kind in known] + ["?"] * cards.count(UNKNOWN)


def front_codes(front: Record) -> list[str]:
    """Cards of a front with their points: `11p+2=33`."""
    value = int(front.value)
    codes = []
    for kind in by_number(front.cards.tolist()[: int(front.length)]):
        points = cost(kind, value)
        codes.append(f"{CODES[kind]}+{points}={value}" if points else CODES[kind])
    return codes


def aside(state: Record) -> int:
    """CHIP-04: how many cards take no part."""
    there = sum(state.discard)
    for seat in range(int(state.players)):
        there += int(state.hands[seat].length) + int(state.fronts[seat].length)
    return CARDS - there


class Top(msgspec.Struct, forbid_unknown_fields=True):
    """The combination to beat."""

    owner: int
    count: int
    value: int


class Match(msgspec.Struct, forbid_unknown_fields=True):
    """The running game (from 1), its starter, the totals so far."""

    game: int = 1
    first: int = 0
    totals: tuple[int, ...] = ()


class Position(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position; what may be left out has a default."""

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
    """Write a position into a blank state with its options, then clear fronts as CHIP-10, 50, 54 say."""
    try:
        given = msgspec.convert(dict(position), Position)
    except (msgspec.ValidationError, UnicodeEncodeError) as problem:
        words, _, path = str(problem).partition(" - at `$")
        raise BadPosition(path.rstrip("`").lstrip("."), "", words) from None
    players = int(state.players)
    if given.mode and given.mode != MODES[int(state.options.mode)]:
        raise BadPosition("mode", given.mode, f"the options say {MODES[int(state.options.mode)]}")
    check_lengths(given, players)
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
        rules.begin_turn(state, int(state.turn))


def check_end(state: Record) -> None:
    """CHIP-46, 64, 66, 70, 80: a position is over when its game has ended, and that game is the last one."""
    wanted = int(state.players) - 1 if state.options.placement else 1
    ended = int(state.finished.length) >= wanted or bool(rules.is_stalled(state))
    if ended and not state.over:
        raise BadPosition("over", False, "this game has ended: say over: true [CHIP-64, CHIP-46]")
    if state.over and not ended:
        raise BadPosition("over", True, f"{int(state.finished.length)} have finished, and {wanted} must [CHIP-64]")
    if state.over and state.match.game < state.match.games:
        last = int(state.match.games)
        raise BadPosition("match.game", int(state.match.game), f"a match is over after its last game, {last}")


def in_range(path: str, value: int, lowest: int, highest: int) -> int:
    if not lowest <= value <= highest:
        raise BadPosition(path, value, f"give a number from {lowest} to {highest}")
    return value


def check_lengths(given: Position, players: int) -> None:
    for path, seats in (("hands", given.hands), ("bank", given.bank), ("front", given.front)):
        if len(seats) != players and not (path != "hands" and not seats):
            raise BadPosition(path, len(seats), f"there are {players} seats")
    if given.match.totals and len(given.match.totals) != players:
        raise BadPosition("match.totals", len(given.match.totals), f"there are {players} seats")


def read_match(state: Record, given: Position) -> None:
    players, mode = int(state.players), int(state.options.mode)
    games = {SINGLE: 1, TOURNAMENT: players, DUEL: int(state.options.duel_games)}[mode]
    start_match(state, games, in_range("match.first", given.match.first, 0, players - 1))
    state.match.game = in_range("match.game", given.match.game, 1, games)
    for seat, total in enumerate(given.match.totals):
        state.match.totals[seat] = in_range(f"match.totals[{seat}]", total, 0, MOST_TOTAL)


def read_cards(state: Record, given: Position) -> None:
    """Hands, fronts with their loads, and the discard pile; never more than two of a kind."""
    seen: Counter[int] = Counter()

    def kind_at(path: str, code: str) -> int:
        kind = KIND_OF.get(code)
        if kind is None:
            raise BadPosition(path, code, "no such card: green are 2g to 21g, purple 2p to 11p")
        seen[kind] += 1
        if seen[kind] > COPIES:
            raise BadPosition(path, code, f"the deck has only {COPIES} of this card [CHIP-01]")
        return kind

    for seat, codes in enumerate(given.hands):
        if len(codes) > LARGEST_HAND:
            raise BadPosition(f"hands[{seat}]", len(codes), f"a hand has at most {LARGEST_HAND} cards [CHIP-03]")
        for place, code in enumerate(codes):
            kind = UNKNOWN if code == "?" else kind_at(f"hands[{seat}][{place}]", code)
            piles.insert(state.hands[seat], kind)
    for seat, codes in enumerate(given.front):
        read_front(state.fronts[seat], [(f"front[{seat}][{i}]", code) for i, code in enumerate(codes)], kind_at)
    for place, code in enumerate(given.discard):
        state.discard[kind_at(f"discard[{place}]", code)] += 1
    rest = aside(state)
    if rest < 0:
        raise BadPosition("hands", CARDS - rest, f"the deck has {CARDS} cards [CHIP-01]")
    if given.aside is not None and given.aside != rest:
        raise BadPosition("aside", given.aside, f"it must be {rest}: {CARDS} cards less those in play [CHIP-04]")


def read_front(front: Record, cards: list[tuple[str, str]], kind_at: Callable[[str, str], int]) -> None:
    """CHIP-20..25: the cards of a front share one value."""
    if len(cards) > LARGEST_HAND:
        raise BadPosition(cards[0][0], len(cards), f"a combination has at most {LARGEST_HAND} cards")
    kinds: list[int] = []
    load = 0
    for path, text in cards:
        parts = FRONT_CARD.fullmatch(text)
        if not parts:
            raise BadPosition(path, text, "write 11p, or 11p+2=33 for a raised card")
        kind = kind_at(path, parts[1])
        points, value = int(parts[2] or 0), int(parts[3] or number_of(kind))
        if cost(kind, value) != points:
            raise BadPosition(path, text, "the points do not give that value [CHIP-23, CHIP-24]")
        if kinds and value != front.value:
            raise BadPosition(path, text, f"the other cards have the value {front.value} [CHIP-20]")
        front.value = in_range(path, value, 1, HIGHEST_VALUE)
        load += points
        kinds.append(kind)
    if load > SUPPLY:
        raise BadPosition(cards[0][0], load, f"there are {SUPPLY} points in all [CHIP-02]")
    front.load = load
    for kind in sorted(kinds):
        piles.push(front, kind)


def read_points(state: Record, given: Position) -> None:
    """CHIP-02: banks, loads and pool add up to all points there are."""
    players, total = int(state.players), int(state.options.pool_total)
    for seat in range(players):
        bank = given.bank[seat] if given.bank else 0
        state.bank[seat] = in_range(f"bank[{seat}]", bank, 0, total)
    held = sum(state.bank.tolist()) + sum(int(state.fronts[seat].load) for seat in range(players))
    if held > total:
        raise BadPosition("bank", held, f"there are {total} points in all [CHIP-02]")
    if given.pool is not None and given.pool != total - held:
        raise BadPosition("pool", given.pool, f"it must be {total - held}: {total} less those held [CHIP-02]")
    state.pool = total - held


def read_top(state: Record, given: Position) -> None:
    """CHIP-22: the combination to beat; if its owner still has a front, it is that one."""
    if given.top is None or given.top.count == 0:
        return
    owner = in_range("top.owner", given.top.owner, 0, int(state.players) - 1)
    front = state.fronts[owner]
    if front.length and (int(front.length), int(front.value)) != (given.top.count, given.top.value):
        raise BadPosition("top", given.top.value, f"the front of seat {owner} is {int(front.length)} x {front.value}")
    state.top.owner = owner
    state.top.count = in_range("top.count", given.top.count, 1, LARGEST_HAND)
    state.top.value = in_range("top.value", given.top.value, 2, HIGHEST_VALUE)


def read_finished(state: Record, given: Position) -> None:
    """CHIP-60: exactly the seats with neither cards nor points."""
    done = {seat for seat in range(int(state.players)) if rules.is_rid_of_everything(state, seat)}
    if set(given.finished) != done or len(given.finished) != len(done):
        raise BadPosition("finished", given.finished, f"neither cards nor points have {sorted(done) or 'no seats'}")
    for seat in given.finished:
        piles.push(state.finished, seat)
