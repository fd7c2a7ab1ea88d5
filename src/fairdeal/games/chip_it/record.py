"""CHIP IT: the record of a game, its JSON form and what observations show of it (docs/rules/chip-it.md, section 4)."""

import re
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit import piles
from fairdeal.engine.kit.forms import Form, counted, one_seat
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.positions import CardCounter, in_range
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import option_words, options_record
from fairdeal.engine.records import UNKNOWN, i1, i2, pile, record
from fairdeal.engine.scene import count_of
from fairdeal.engine.written import (
    Cards,
    Condition,
    Counts,
    Derived,
    Field,
    Flag,
    Hands,
    Number,
    Numbers,
    OfPiles,
    Part,
    Position,
    Seat,
    Unwritten,
)
from fairdeal.games.chip_it.cards import CODES, EXAMPLES, by_number, cost, number_of
from fairdeal.games.chip_it.options import SUPPLY, ChipItOptions
from fairdeal.games.chip_it.rules import play as rules
from fairdeal.games.chip_it.state import CARDS, COPIES, HIGHEST_VALUE, KINDS, LARGEST_HAND, SEATS

MODES = option_words(ChipItOptions, "mode")
FRONT_CARD = re.compile(r"(\d{1,2}[gp])(?:\+(\d{1,3})=(\d{1,4}))?")

combination = record(length=i1, cards=(i1, LARGEST_HAND), value=i2, load=i1)
"""Cards that share a value, and the number of points on them."""


class Numbered(Cards):
    """Cards that positions list by number. Unknown cards come last."""

    def written(self, kinds: Iterable[int]) -> list[Any]:
        listed = [*kinds]
        known = by_number([kind for kind in listed if kind != UNKNOWN])
        return [*super().written(known), *["?"] * listed.count(UNKNOWN)]


class Fronts(OfPiles):
    """CHIP-20..25: the combination in front of each seat: cards of one value with their points, such as `11p+2=33`."""

    kind: ClassVar[Any] = list[list[str]] | None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return combination, seats

    def in_json(self, state: Snapshot) -> Any:
        return [front_codes(front) for front in state.fronts[: state.players]]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for seat, codes in enumerate(self.items(given, state, [])):
            read_front(state.fronts[seat], f"front[{seat}]", codes, counter)

    def forms(self) -> dict[str, Form]:
        return {"fronts.cards": counted(KINDS, self.words)}


def front_codes(front: Snapshot) -> list[str]:
    """Return the cards of a front with their points."""
    costs = [(CODES[kind], cost(kind, front.value)) for kind in by_number(front.held)]
    return [f"{code}+{points}={front.value}" if points else code for code, points in costs]


def read_front(front: Fields, where: str, cards: list[str], counter: CardCounter) -> None:
    """Read a front, whose cards must share one value."""
    if len(cards) > LARGEST_HAND:
        raise BadPosition(f"{where}[0]", len(cards), f"a combination has at most {LARGEST_HAND} cards")
    load = 0
    for place, text in enumerate(cards):
        path, parts = f"{where}[{place}]", FRONT_CARD.fullmatch(text)
        if not parts:
            raise BadPosition(path, text, "write a card such as 11p, or 11p+2=33 if it is raised")
        kind = counter.kind(path, parts[1])
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


class Finished(Field):
    """CHIP-60: the finished seats in order, which are exactly those with neither cards nor points."""

    kind: ClassVar[Any] = list[int]

    @property
    def usual(self) -> Any:
        return []

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return pile(seats)

    def in_json(self, state: Snapshot) -> Any:
        return state.finished.held

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        done = [seat for seat in range(state.players) if rules.is_rid_of_everything(state, seat)]
        if sorted(given.finished) != done:
            reason = f"the seats without cards and points are {done}" if done else "every seat has cards or points"
            raise BadPosition("finished", given.finished, reason)
        for seat in given.finished:
            piles.push(state.finished, seat)

    def forms(self) -> dict[str, Form]:
        return {"finished.cards": one_seat(self.words)}


class Top(Part):
    """CHIP-22: the combination to beat. Its count is 0 in an open round."""

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        if given.top and given.top.count:
            super().read(given, state, counter)


def left(state: Snapshot) -> int:
    """Return the number of cards that are in no hand, no front and not discarded (CHIP-04)."""
    return CARDS - sum(state.discard) - sum(pile.length for pile in (*state.hands, *state.fronts))


def pool(state: Snapshot) -> int:
    """Return the number of points that nobody holds (CHIP-02)."""
    return int(state.options.pool_total - sum(state.bank) - sum(front.load for front in state.fronts))


POSITION = Position(
    Numbered(CODES, [COPIES] * KINDS, EXAMPLES, "CHIP-01"),
    options_record(ChipItOptions),
    SEATS,
    mode=Derived(value=lambda state: MODES[state.options.mode], reason="the options set mode {}"),
    match=Part(
        at="match",
        parts={
            "game": Number(lowest=1, highest=lambda state: int(state.match.games)),
            "first": Seat(),
            "totals": Numbers(highest=32767),
        },
    ),
    turn=Seat("seat on turn", required=True),
    hands=Hands(room=LARGEST_HAND, clause="CHIP-03", zone="hand", counter="card"),
    bank=Numbers("points in the bank", highest="pool_total", counter="point"),
    fronts=Fronts("combination on the table", key="front", zone="front{}"),
    top=Top(
        parts={
            "owner": Seat("owner of the combination to beat", required=True),
            "count": Number(lowest=1, highest=LARGEST_HAND, required=True),
            "value": Number(lowest=2, highest=HIGHEST_VALUE, required=True),
        },
        there=lambda state: state.top.count,
    ),
    pool=Derived(
        store=i1,
        value=pool,
        reason="it must be {}, {state.options.pool_total} minus the points held",
        clause="CHIP-02",
        zone="pool",
    ),
    aside=Derived(value=left, reason=f"it must be {{}}, the {CARDS} cards minus those in play", clause="CHIP-04"),
    discard=Counts("number of cards of each kind", zone="discard"),
    finished=Finished("seats that have finished, in order"),
    zero_passes=Number(highest="players"),
    over=Flag(at="over"),
    draft=Unwritten(store=combination, shown={"cards": counted(KINDS, "cards of an incomplete play")}),
    draft_place=Unwritten("first place of the hand that may hold the next card of the play"),
)


def differs_from_top(state: Snapshot) -> bool:
    """Return whether the owner of the combination to beat has another one in front."""
    front = state.fronts[state.top.owner]
    return bool(state.top.count and front.length and (front.length, front.value) != (state.top.count, state.top.value))


def front_of_owner(state: Snapshot) -> str:
    front = state.fronts[state.top.owner]
    return f"the front of seat {state.top.owner} has {count_of(front.length, 'card')} with the value {front.value}"


def places(state: Snapshot) -> int:
    """Return the number of finished players that end a game (CHIP-64)."""
    return state.players - 1 if state.options.placement else 1


def has_ended(state: Snapshot) -> bool:
    """Return whether a game has ended (CHIP-46, 64, 66)."""
    return bool(state.finished.length >= places(state) or rules.is_stalled(state))


CONDITIONS = (
    Condition("hands", f"the deck has {CARDS} cards [CHIP-01]", lambda state: left(state) < 0),
    Condition(
        "bank",
        lambda state: f"there are only {state.options.pool_total} points in the game [CHIP-02]",
        lambda state: pool(state) < 0,
    ),
    Condition("top.value", front_of_owner, differs_from_top),
    Condition(
        "over",
        "this game has ended, so over must be true [CHIP-64, CHIP-46]",
        lambda state: has_ended(state) and not state.over,
    ),
    Condition(
        "over",
        lambda state: f"over needs {count_of(places(state), 'finished player')}, not {state.finished.length} [CHIP-64]",
        lambda state: state.over and not has_ended(state),
    ),
    Condition(
        "match.game",
        lambda state: f"a match ends after its last game, number {state.match.games}",
        lambda state: state.over and state.match.game < state.match.games,
    ),
)
"""The conditions of every state."""


def prepare_position(state: Fields) -> None:
    """Begin a match, and clear the table."""
    start_match(state, rules.games_of(state), 0)
    rules.reset_table(state)


def settle_position(state: Fields) -> None:
    """Collect the fronts that the seat on turn would collect (CHIP-10, 50, 54)."""
    if not state.over:
        rules.begin_turn(state, state.turn)
