"""What analysis says of a finished game, as plain data: for the terminal, the page and `fairdeal analyse --json`.

Chances run from 0 to 1 and are those of a first place; shared first places count as shares.
"""

from __future__ import annotations

import msgspec


class Option(msgspec.Struct, frozen=True):
    """A move that a seat could have made: in words and in notation, its chance to win, and half the width of that
    chance's 95 % interval."""

    text: str
    notation: str
    chance: float
    error: float


class Decision(msgspec.Struct, frozen=True):
    """What a seat decided. `move` counts the moves of the game from 0; `options` are the best ones by chance, the best
    first, and the one that was played, number `played`; `cost` is the chance it gave away, `label` the word for
    that: best, fine, slip, blunder, or forced where there was nothing to choose; `why` is a sentence, or empty."""

    move: int
    seat: int
    options: tuple[Option, ...]
    played: int
    cost: float
    label: str
    why: str = ""


class Turn(msgspec.Struct, frozen=True):
    """A turning point: the move whose seat's or rival's chance changed most, told in a line, and that chance before and
    after it."""

    move: int
    seat: int
    text: str
    before: float
    after: float


class Share(msgspec.Struct, frozen=True):
    """Where a seat's result came from, in chances to win: what the cards gave or took, and what its decisions cost."""

    seat: int
    luck: float
    play: float


class Analysis(msgspec.Struct, frozen=True):
    """A whole game. `chances[i]` has the chance of every seat before move i, as who was to act could know it; the last
    row is the result. `playouts` is what was spent on each decision."""

    game: str
    seats: tuple[str, ...]
    playouts: int
    chances: tuple[tuple[float, ...], ...]
    decisions: tuple[Decision, ...]
    turns: tuple[Turn, ...]
    shares: tuple[Share, ...]


class Held(msgspec.Struct, frozen=True):
    """What a rival could have held at a decision, as its seat knew: faces with how likely each was in hand, the
    likeliest first, and those that were really there."""

    seat: int
    faces: tuple[tuple[str, float], ...]
    true: tuple[str, ...]
