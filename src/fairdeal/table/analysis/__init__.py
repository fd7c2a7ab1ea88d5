"""The results of analysing a finished game, as plain data for the terminal, the HTML page and `fairdeal analyse`.

A chance is the probability, from 0 to 1, of first place in the whole match if all seats continue by the game's greedy
rule; shared first places count as shares. In a single-player game, every chance is instead the expected final score.
docs/analysis.md explains how to use the results. `table.analysis.analyse` computes them from a log, and
`table.analysis.holdings` estimates the cards that rivals could have held.
"""

import math
from collections.abc import Iterable
from typing import Annotated, TypeVar

import msgspec

from fairdeal.bots.evaluation import Ends, Sum
from fairdeal.engine.drivers.search import FINALISTS
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.table.advice import Option

VERSION = 2
"""Version of the analysis, which is raised when results would change. A saved analysis of another version is computed
again."""

WORDS = ((0.10, "blunder"), (0.04, "slip"), (0.01, "fine"))
"""Labels for decisions that cost more than a given chance."""

BEST = "best"


class Decision(Frozen):
    """A decision of a seat between two or more moves.

    move     number of the move in the game, from 0
    seat     the seat that decided
    options  the best moves, starting with the best one, and the move that was played
    played   index of the played move in `options`
    cost     the chance lost; 0 if the played move and the best move cannot be distinguished
    error    half the width of the 95 % interval of the difference between the two moves in the same deals
    label    the word for the cost
    why      a sentence about the best move, or an empty string
    """

    move: int
    seat: int
    options: tuple[Option, ...]
    played: int
    cost: float
    error: float
    label: str
    why: str = ""


T = TypeVar("T", bound=Decision)


class Turn(Frozen):
    """A turning point: a move, described with public information only; the seat whose chance it changed most; and the
    chance before and after the move."""

    move: int
    seat: int
    text: str
    before: float
    after: float


class Share(Frozen):
    """The sources of a seat's result, as chances of winning: start + luck + play + gifts = result.

    start   chance of the seat at the deal, as estimated for a spectator who sees no hand
    luck    the remainder: the deal, the draws, and their consequences
    play    the chance lost by the seat's own decisions; never above 0
    gifts   the chance gained by decisions of rivals, or lost by gifts from one rival to another
    result  the seat's share of first place

    Over all seats, luck adds up to 0, and so does the sum of play and gifts.
    """

    seat: int
    start: float
    luck: float
    play: float
    gifts: float
    result: float


class Analysis(Frozen):
    """The analysis of a whole game, or its course without decisions and shares while the analysis is under way.

    playouts   number of games in which each option was played out
    chances    a row for each move, with the chances of all seats before it, each estimated from the seat's own
               knowledge; the last row is the result
    decisions  all decisions, in order of play
    turns      the turning points, in order of play
    shares     the sources of each seat's result
    rounds     the moves after which a round, or a game of a match, was counted
    result     the result in a sentence
    chain      the running hash of the analysed log
    rules      the version of the game's rules
    unit       the value of a whole win: 1, or in a single-player game the number of points that decide a game between
               two equal players

    Because every seat knows different cards, a row need not add up to 1, and the best option of a decision may have a
    higher chance than the row shows.
    """

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
        """Whether there is only one player, so that chances are scores."""
        return len(self.seats) == 1

    @property
    def sign(self) -> str:
        """The unit written after a chance."""
        return "" if self.alone else " %"

    def points(self, chance: float) -> str:
        """Return a chance in percentage points, or a score, as text: `9`, `−9`, `3.4`."""
        return told_score(chance) if self.alone else points(chance)

    def signed(self, change: float) -> str:
        """Return a change of a chance or score as text, with its sign: `+9`, `−9`, `0`."""
        return with_sign(self.points(change))

    def height(self, chance: float) -> float:
        """Return the height of a chance in the curve, from 0 to 1."""
        low, high = self.span
        return min(1.0, max(0.0, (chance - low) / (high - low)))

    def ticks(self) -> tuple[str, str, str]:
        """Return the labels beside a curve, at its top, in its middle and at its foot."""
        low, high = self.span
        whole = 1 if self.alone else 100
        top, middle, foot = (f"{whole * height:.0f}".replace("-", "−") for height in (high, (low + high) / 2, low))
        return top, middle, foot

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest value of the curve. For scores, both are rounded to whole points."""
        if not self.alone:
            return 0.0, 1.0
        low, high = math.floor(min(self.chances)[0]), math.ceil(max(self.chances)[0])
        return float(low), float(max(high, low + 1))

    @property
    def meaning(self) -> str:
        """A sentence that explains the meaning of the numbers."""
        if self.alone:
            return (
                "All numbers are points of the score: the score expected at the end if the player continues by "
                "the game's greedy rule, based on what they could know."
            )
        return (
            "Chances are those of first place if everybody continues by the game's greedy rule, based on what each "
            "player could know, in percentage points."
        )

    def fits(self, chain: str, playouts: int | None) -> bool:
        """Return whether this version made this analysis from the log with the running hash `chain` and, unless
        `playouts` is None, with `playouts` games."""
        return (self.version, self.chain) == (VERSION, chain) and playouts in (None, self.playouts)


class DecisionSums(Frozen, forbid_unknown_fields=True):
    """A decision that a program has evaluated.

    move     number of the move in the game, from 0
    played   index of the played move in `moves`
    moves    the moves that were played out, in the order in which they were listed
    """

    move: Annotated[int, msgspec.Meta(ge=0)]
    played: Annotated[int, msgspec.Meta(ge=0)]
    moves: Annotated[tuple[Ends, ...], msgspec.Meta(min_length=1, max_length=FINALISTS)]


class Sums(Frozen, forbid_unknown_fields=True):
    """The figures of an analysis that a program has computed (docs/wasm.md).

    games      number of games played out for each sum
    start      the sums for a spectator at the deal
    chances    for each move, the sums of the results of each seat, from that seat's knowledge before the move
    decisions  decisions in order of play: all, or only some
    whole      whether these are all decisions
    """

    games: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    start: Ends
    chances: tuple[tuple[Sum, ...], ...]
    decisions: tuple[DecisionSums, ...] = ()
    whole: bool = False


class Step(Frozen, omit_defaults=True):
    """The progress of an analysis: `done` of `of` moves have been examined, first for the course of the game, then for
    the decisions. Between the two, `begun` contains the course. Each decision is reported with its move."""

    done: int
    of: int
    begun: Analysis | None = None
    decision: Decision | None = None


class Held(Frozen):
    """The cards that a rival could have held at a decision, given the knowledge of the deciding seat: their faces and
    probabilities, the likeliest first, followed by the faces of the cards that the rival actually held."""

    seat: int
    faces: tuple[tuple[str, float], ...]
    true: tuple[str, ...]


def points(chance: float) -> str:
    """Return a chance, or a difference of two chances, in percentage points: `9`, `−9`."""
    return f"{round(100 * chance):d}".replace("-", "−")


def told_score(score: float) -> str:
    """Return a score with one decimal: `3.4`, `−9.0`."""
    return f"{round(score, 1) + 0.0:.1f}".replace("-", "−")


def with_sign(told: str) -> str:
    """Return a formatted number with its sign: `+9`, `−9`, `0`."""
    return told if told in ("0", "0.0") or told.startswith("−") else f"+{told}"


def by_cost(decisions: Iterable[T]) -> list[T]:
    """Return decisions sorted by their cost, the highest first."""
    return sorted(decisions, key=lambda one: (-one.cost, one.move))


def label_of(cost: float) -> str:
    """Return the label for the cost of a decision."""
    return next((word for least, word in WORDS if cost > least), BEST)
