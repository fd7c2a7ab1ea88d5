"""What analysis says of a finished game, as plain data: for the terminal, the page and `fairdeal analyse`.

Chances run from 0 to 1 and are those of a first place in the whole match when everybody plays on by the greedy rule of
the game; shared first places count as shares. One player alone is always first: there every chance is a score, the one
that is expected at the end. docs/analysis.md tells what they are good for. `table.analysis.analyse` makes all this from
a log, and `table.analysis.holdings` what rivals could have held.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeVar

import msgspec

from fairdeal.table.advice import Option

VERSION = 2
"""Raised when an analysis would come out otherwise: a kept one of another version is made again."""

WORDS = ((0.10, "blunder"), (0.04, "slip"), (0.01, "fine"))
"""The words for decisions that cost more than so much."""

BEST = "best"


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


T = TypeVar("T", bound=Decision)


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
    """A whole game, or, while it is looked at, its course without decisions and shares. `chances[i]` has the chance of
    every seat before move i, each as that seat itself could know it if everybody plays on by the greedy rule: so a row
    need not add up to 1, and the best option of a decision may have a better chance than the row says. The last row is
    the result, and `result` says it in a sentence. `turns` are in order of play. `rounds` are the moves after which a
    round, or a game of a match, was counted. `playouts` is how many games each option was played out in. `chain` is the
    running hash of the log that it was made of, `rules` the version of the game's rules. `unit` is what a whole chance
    counts: 1, or of one player alone so many points of the score as decide a game between two equals."""

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
    unit: float = 1.0

    @property
    def alone(self) -> bool:
        """Did one player play alone, so that chances are scores?"""
        return len(self.seats) == 1

    @property
    def sign(self) -> str:
        """What stands behind a chance."""
        return "" if self.alone else " %"

    def points(self, chance: float) -> str:
        """A chance in points of a hundred, or a score: `9`, `−9`, `3.4`."""
        return told_score(chance) if self.alone else points(chance)

    def signed(self, change: float) -> str:
        """A change of it: `+9`, `−9`, `0`."""
        return with_sign(self.points(change))

    def height(self, chance: float) -> float:
        """How high a chance lies in the curve, from 0 to 1."""
        low, high = self.span
        return min(1.0, max(0.0, (chance - low) / (high - low)))

    def ticks(self) -> tuple[str, str, str]:
        """What stands beside a curve at its top, in its middle and at its foot."""
        low, high = self.span
        whole = 1 if self.alone else 100
        top, middle, foot = (f"{whole * height:.0f}".replace("-", "−") for height in (high, (low + high) / 2, low))
        return top, middle, foot

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest of a curve, in whole points of a score."""
        if not self.alone:
            return 0.0, 1.0
        low, high = math.floor(min(self.chances)[0]), math.ceil(max(self.chances)[0])
        return float(low), float(max(high, low + 1))

    @property
    def meaning(self) -> str:
        """What its numbers are, in a sentence."""
        if self.alone:
            return (
                "All numbers are points of the score: the one that is expected at the end if the player plays on by "
                "the greedy rule of the game, as they could know it."
            )
        return (
            "Chances are those of a first place if everybody plays on by the greedy rule of the game, as each player "
            "could know them; in points of a hundred."
        )

    def fits(self, chain: str, playouts: int | None) -> bool:
        """Was it made of the log with this running hash, by this version, and with so many playouts, if that counts?"""
        return (self.version, self.chain) == (VERSION, chain) and playouts in (None, self.playouts)


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far an analysis is: `done` of so many moves were looked at, first all for the course of the game, then all
    for the decisions. Between the two the course comes as `begun`, and each decision comes with its move."""

    done: int
    of: int
    begun: Analysis | None = None
    decision: Decision | None = None


class Held(msgspec.Struct, frozen=True):
    """What a rival could have held at a decision, as its seat knew: faces with how likely each was in hand, the
    likeliest first, and those that were really there."""

    seat: int
    faces: tuple[tuple[str, float], ...]
    true: tuple[str, ...]


def points(chance: float) -> str:
    """A chance in points of a hundred: `9`, `−9`."""
    return f"{round(100 * chance):d}".replace("-", "−")


def told_score(score: float) -> str:
    """A score with what is behind the point: `3.4`, `−9.0`."""
    return f"{round(score, 1) + 0.0:.1f}".replace("-", "−")


def with_sign(told: str) -> str:
    """A number that is told, with its sign: `+9`, `−9`, `0`."""
    return told if told in ("0", "0.0") or told.startswith("−") else f"+{told}"


def by_cost(decisions: Iterable[T]) -> list[T]:
    """Return decisions by their cost, the highest first."""
    return sorted(decisions, key=lambda one: (-one.cost, one.move))


def label_of(cost: float) -> str:
    """The word for what a decision cost."""
    return next((word for least, word in WORDS if cost > least), BEST)
