"""CHIP IT: moves in writing (docs/rules/chip-it.md, section 5)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.games.chip_it.cards import CODES, KIND_OF, by_number, cost, number_of
from fairdeal.games.chip_it.rules.combinations import value_of
from fairdeal.games.chip_it.state import COMPLETE, FIRST_CARD, FIRST_POINTS, SUPPLY

PASS = re.compile(r"pass (\d{1,4})")
PLAY = re.compile(r"play ((?:\S+ )*?\S+)(?: as (\d{1,5}))?")


class Play(msgspec.Struct, frozen=True):
    """A combination that somebody wants to play: kinds in ascending order and the common value."""

    kinds: tuple[int, ...]
    value: int

    def text(self) -> str:
        return f"play {' '.join(CODES[kind] for kind in by_number(self.kinds))} as {self.value}"


def parse(text: str) -> int | Play:
    """A pass as its points, or a play. Raises IllegalMove for what is neither."""
    passing = PASS.fullmatch(text)
    if passing:
        return int(passing[1])
    playing = PLAY.fullmatch(text)
    if not playing:
        raise IllegalMove(text, "write `play 5g 4p as 8`, `play 9g` or `pass 1`")
    codes = playing[1].split()
    for code in codes:
        if code not in KIND_OF:
            raise IllegalMove(text, f"{code!r} is no card: green are 2g to 21g, purple 2p to 11p", "CHIP-01")
    kinds = tuple(sorted(KIND_OF[code] for code in codes))
    if playing[2]:
        return Play(kinds, int(playing[2]))
    numbers = {number_of(kind) for kind in kinds}
    if len(numbers) > 1:
        raise IllegalMove(text, "the cards show different numbers: say `as` which value", "CHIP-20")
    return Play(kinds, numbers.pop())


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The actions of a whole move (section 8: first card, its points, the further cards)."""
    move = parse(text)
    if isinstance(move, int):
        if move >= FIRST_CARD:
            raise IllegalMove(text, "a pass returns 0, 1 or 2 points", "CHIP-40")
        return [move]
    points = cost(move.kinds[0], move.value)
    if points is None:
        raise IllegalMove(text, unreachable(move.kinds[0], move.value), clause_of(move.kinds[0]))
    if points > SUPPLY:
        raise IllegalMove(text, f"that takes {points} points, and there are {SUPPLY} in all", "CHIP-02")
    further = [FIRST_CARD + kind for kind in move.kinds[1:]]
    actions = [FIRST_CARD + move.kinds[0], FIRST_POINTS + points, *further]
    if int(state.top.count) == 0:
        actions.append(COMPLETE)
    return actions


def unreachable(kind: int, value: int) -> str:
    """Why a card cannot take a value."""
    if value < number_of(kind):
        return f"{CODES[kind]} shows {number_of(kind)}, and a value never falls"
    return f"{CODES[kind]} takes only multiples of {number_of(kind)}"


def clause_of(kind: int) -> str:
    return "CHIP-24" if CODES[kind].endswith("p") else "CHIP-23"


def played(actions: Sequence[int]) -> Play | None:
    """The combination that a whole move's actions play; None for a pass."""
    if actions[0] < FIRST_CARD:
        return None
    kinds = tuple(action - FIRST_CARD for action in actions if FIRST_CARD <= action < FIRST_POINTS)
    points = next(action - FIRST_POINTS for action in actions if FIRST_POINTS <= action < COMPLETE)
    return Play(kinds, int(value_of(kinds[0], points)))


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    play = played(actions)
    return play.text() if play else f"pass {actions[0]}"
