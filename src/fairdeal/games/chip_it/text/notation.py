"""CHIP IT: the notation of moves (docs/rules/chip-it.md, section 5)."""

import re
from collections.abc import Sequence

import msgspec

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.chip_it.cards import CODES, EXAMPLES, KIND_OF, by_number, cost, number_of, price
from fairdeal.games.chip_it.options import SUPPLY
from fairdeal.games.chip_it.rules.combinations import value_of
from fairdeal.games.chip_it.state import ACTIONS, COMPLETE, FIRST_CARD, FIRST_POINTS, GREENS

TEXTS = Texts(ACTIONS, pass_="pass {}", card=None, points=None, complete=None)
PASS = re.compile(r"pass (\d{1,4})")
PLAY = re.compile(r"play ((?:\S+ )*?\S+)(?: as (\d{1,5}))?")


class Play(msgspec.Struct, frozen=True):
    """A combination to be played: the kinds in ascending order, and their common value."""

    kinds: tuple[int, ...]
    value: int

    @property
    def text(self) -> str:
        return f"play {' '.join(CODES[kind] for kind in by_number(self.kinds))} as {self.value}"

    @property
    def price(self) -> int:
        """Number of points on the cards, or 0 if they cannot share the value."""
        return price(self.kinds, self.value) or 0


def parse(text: str) -> int | Play:
    """Parse a move. Return a Play, or the number of points that a pass returns. Raises IllegalMove for any other
    text."""
    passing = TEXTS.read(text)
    if passing is not None:
        return ACTIONS.decode(passing).which
    playing = PLAY.fullmatch(text)
    if not playing and PASS.fullmatch(text):
        raise IllegalMove(text, "a pass returns 0, 1 or 2 points", "CHIP-40")
    if not playing:
        raise TEXTS.unknown(text, "`play 5g 4p as 8`, `play 9g` or `pass 1`")
    codes = playing[1].split()
    for code in codes:
        if code not in KIND_OF:
            raise IllegalMove(text, f"{code!r} is not a card: {EXAMPLES}", "CHIP-01")
    kinds = tuple(sorted(KIND_OF[code] for code in codes))
    if playing[2]:
        return Play(kinds, int(playing[2]))
    numbers = {number_of(kind) for kind in kinds}
    if len(numbers) > 1:
        raise IllegalMove(text, "the cards have different numbers: add a value, such as `as 8`", "CHIP-20")
    return Play(kinds, numbers.pop())


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """Return the actions of a complete move: the first card, its points, and the further cards (section 8)."""
    move = parse(text)
    if isinstance(move, int):
        return [ACTIONS.encode("pass", move)]
    points = cost(move.kinds[0], move.value)
    if points is None:
        raise IllegalMove(text, *unreachable(move.kinds[0], move.value))
    if points > SUPPLY:
        raise IllegalMove(text, f"that takes {points} points, but there are only {SUPPLY} in the game", "CHIP-02")
    first, *further = (FIRST_CARD + kind for kind in move.kinds)
    return [first, FIRST_POINTS + points, *further, *([] if state.top.count else [COMPLETE])]


def unreachable(kind: int, value: int) -> tuple[str, str]:
    """Return the reason why a card cannot reach a value, and its clause."""
    clause = "CHIP-23" if kind < GREENS else "CHIP-24"
    if value < number_of(kind):
        return f"{CODES[kind]} has the number {number_of(kind)} and cannot take a lower value", clause
    return f"{CODES[kind]} can only take multiples of {number_of(kind)}", clause


def played(actions: Sequence[int]) -> Play | None:
    """Return the combination that the actions of a complete move play, or None for a pass."""
    steps = [ACTIONS.decode(action) for action in actions]
    kinds = tuple(kind for verb, kind in steps if verb == "card")
    points = [points for verb, points in steps if verb == "points"]
    return Play(kinds, int(value_of(kinds[0], points[0]))) if kinds else None


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the notation of a complete move."""
    play = played(actions)
    return play.text if play else TEXTS.write(actions[0]) or ""
