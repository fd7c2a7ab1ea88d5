"""What analysis says of a finished game, as plain data: for the terminal, the page and `fairdeal analyse`.

Chances run from 0 to 1 and are those of a first place in the whole match when everybody plays on by the greedy rule of
the game; shared first places count as shares. docs/analysis.md tells what they are good for. `table.analysing` makes
all this from a log, and `table.holding` what rivals could have held.
"""

from __future__ import annotations

import msgspec

VERSION = 1
"""Raised when an analysis would come out otherwise: a kept one of another version is made again."""

WORDS = ((0.10, "blunder"), (0.04, "slip"), (0.01, "fine"))
"""The words for decisions that cost more than so much."""

BEST = "best"


class Option(msgspec.Struct, frozen=True):
    """A move that a seat could have made: in words and in notation, its chance to win, and half the width of that
    chance's 95 % interval."""

    text: str
    notation: str
    chance: float
    error: float


class Decision(msgspec.Struct, frozen=True):
    """What a seat decided; where there was one move only nothing was decided. `move` counts the moves of the game from
    0; `options` are the best ones by chance, the best first, and the one that was played, number `played`. `cost` is
    the chance it gave away, 0 where the two moves cannot be told apart; `error` is half the width of the 95 % interval
    of their difference in the same deals. `label` is the word for the cost; `why` is a sentence, or empty."""

    move: int
    seat: int
    options: tuple[Option, ...]
    played: int
    cost: float
    error: float
    label: str
    why: str = ""


class Turn(msgspec.Struct, frozen=True):
    """A turning point: a move, told in a line as all could see it, the seat whose chance it changed most, and that
    chance before and after it."""

    move: int
    seat: int
    text: str
    before: float
    after: float


class Share(msgspec.Struct, frozen=True):
    """Where a seat's result came from, in chances to win: start + luck + play + gifts = result, its share of the first
    place.

    `start` is its chance at the deal as somebody sees it who looks into no hand. `play` is what its own decisions gave
    away, never above 0; `gifts` is what it gained by those of its rivals, or lost by what one of them gave to another.
    `luck` is all the rest: the deal, what was drawn, and how it fell out. Over all seats luck adds up to 0, and so do
    play and gifts together."""

    seat: int
    start: float
    luck: float
    play: float
    gifts: float
    result: float


class Analysis(msgspec.Struct, frozen=True):
    """A whole game. `chances[i]` has the chance of every seat before move i, each as that seat itself could know it
    if everybody plays on by the greedy rule: so a row need not add up to 1, and the best option of a decision may have
    a better chance than the row says. The last row is the result, and `result` says it in a sentence. `turns` are in
    order of play. `rounds` are the moves after which a round, or a game of a match, was counted. `playouts` is how many
    games each option was played out in. `chain` is the running hash of the log that it was made of, `rules` the version
    of the game's rules."""

    game: str
    seats: tuple[str, ...]
    playouts: int
    chances: tuple[tuple[float, ...], ...]
    decisions: tuple[Decision, ...]
    turns: tuple[Turn, ...]
    shares: tuple[Share, ...]
    rounds: tuple[int, ...] = ()
    result: str = ""
    chain: str = ""
    rules: int = 0
    version: int = VERSION

    @property
    def costliest(self) -> list[Decision]:
        """The decisions that cost something, those that cost most first."""
        return sorted((one for one in self.decisions if one.cost), key=lambda one: (-one.cost, one.move))

    def fits(self, chain: str, playouts: int | None) -> bool:
        """Was it made of the log with this running hash, by this version, and with so many playouts, if that counts?"""
        return (self.version, self.chain) == (VERSION, chain) and playouts in (None, self.playouts)


class Held(msgspec.Struct, frozen=True):
    """What a rival could have held at a decision, as its seat knew: faces with how likely each was in hand, the
    likeliest first, and those that were really there."""

    seat: int
    faces: tuple[tuple[str, float], ...]
    true: tuple[str, ...]


def points(chance: float) -> str:
    """A chance in points of a hundred: `9`, `−9`."""
    return f"{round(100 * chance):d}".replace("-", "−")


def signed(chance: float) -> str:
    """The same with its sign: `+9`, `−9`, `0`."""
    found = points(chance)
    return found if found in "0" or found.startswith("−") else f"+{found}"


def label_of(cost: float) -> str:
    """The word for what a decision cost."""
    return next((word for least, word in WORDS if cost > least), BEST)
