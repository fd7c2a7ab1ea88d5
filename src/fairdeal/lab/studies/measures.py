"""Measures: statistics of a table's games, each with a 95 % interval."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.rulebook import clause
from fairdeal.engine.state import Table
from fairdeal.lab.estimates import FEWEST_GAMES, Estimate, mean, p_of_share, share
from fairdeal.lab.simulate.outcomes import Outcomes
from fairdeal.lab.simulate.simulation import wins_of
from fairdeal.lab.studies.comparing import is_significant
from fairdeal.lab.studies.watching import KINDS, STEPS, Watched, names_in

Kind = Literal["share", "number", "minutes", "points"]
"""The unit of a measure."""

Samples = dict[str, NDArray[np.float64]]
"""The values of each statistic, one for each game."""

SURE = 0.9
"""Minimum chance of the winner, from a move to the end, for a game to count as decided at that move."""

AHEAD = 0.1
"""Minimum lead over the next player's chance for a player to count as the favourite."""

MOST_BARS = 30
MOST_NAMES = 24
"""Maximum number of events of a kind in a report, which lists the most frequent events."""

LONGEST_WORDS = 96
"""Maximum number of characters of a clause in a report."""

FEWEST_DOERS = 30
"""Minimum number of players who caused an event for their share of wins to be reported."""


class Measure(Frozen):
    """A measure of a table: its mean or share, its 5 %, 50 % and 95 % quantiles, its lowest and highest value, and
    the numbers of games with the lowest, the middle and the highest value."""

    key: str
    title: str
    kind: Kind
    games: int
    estimate: Estimate
    low_5: float
    median: float
    high_5: float
    low: float = 0.0
    high: float = 0.0
    examples: tuple[int, ...] = ()


class Chance(Frozen):
    """A player's share of first places, with shared first places split; its fair value; the mean score; the number of
    the game that it won with the most points; and the p-value of the share, compared with its fair value, before and
    after the correction for all tests of the report. What is not tested has no p-values."""

    name: str
    games: int
    wins: Estimate
    fair: float
    score: Estimate
    example: int | None = None
    p: float | None = None
    corrected: float | None = None

    @property
    def clear(self) -> bool:
        """Whether the share differs significantly from its fair value, given all tests of the report."""
        return is_significant(self.corrected)


class Histogram(Frozen):
    """The share of games in each bin of a histogram. The first bin begins at `start`, and each is `width` wide."""

    start: float
    width: float
    shares: tuple[float, ...]


class Often(Frozen):
    """The frequency of an event: the share of games in which it happens, its mean number per game, and the share of
    first places of the players who caused it, or None if there are too few of them; and the number of the game in which
    it happens most often."""

    kind: str
    name: str
    words: str
    games: Estimate
    times: Estimate
    wins: Estimate | None
    example: int | None = None


class PartOfGame(Frozen):
    """The mean chance of the eventual winner and of the current favourite after a fraction of a game."""

    part: float
    winner: Estimate
    favourite: Estimate


# --- one value a game -------------------------------------------------------------------------------------------


Values = NDArray[np.float64] | None
"""One value for each game, or None if a table does not have the statistic."""


@dataclass(frozen=True)
class Statistic:
    """A statistic with one value for each game. A new statistic needs only an entry in `STATISTICS`: tables,
    comparisons, JSON and Parquet files then list it, and reports show it. Values that `Watched` lacks are counted while
    a game is watched (`lab/studies/watching.py`). Test it in tests/lab/test_measures.py, and run `python -m
    tests.test_tables`, which writes the table of docs/laboratory.md.

    title   title of the statistic
    kind    unit of the values
    words   description in a sentence, shown below its chart or table in a report and in docs/laboratory.md
    values  function that returns the values of the finished games or of the watched ones, or None if the table does
            not have the statistic
    topic   section of a report: wins, length or course; "" for the comparison of tables only
    chart   title of its histogram in a report; "" for a row of the section's table
    large   whether it is one of the large figures of a report on one table
    binary  whether each value is 0 or 1, or a share of first place, so that the interval is one of a share
    """

    title: str
    kind: Kind
    words: str
    values: Callable[[Outcomes, Sequence[Watched]], Values]
    topic: Literal["wins", "length", "course", ""] = ""
    chart: str = ""
    large: bool = False
    binary: bool = False


def first_wins(outcomes: Outcomes, _: Sequence[Watched]) -> Values:
    return outcomes.by_order(outcomes.wins)[:, 0] if outcomes.has_order else None


def is_shared(outcomes: Outcomes, _: Sequence[Watched]) -> Values:
    return (outcomes.wins.max(axis=1) < 1).astype(np.float64) if outcomes.players > 1 else None


def score_alone(outcomes: Outcomes, _: Sequence[Watched]) -> Values:
    return outcomes.scores[:, 0] if outcomes.players == 1 else None


def margins(outcomes: Outcomes, _: Sequence[Watched]) -> Values:
    if outcomes.players == 1:
        return None
    ranked = np.floor(np.sort(outcomes.scores, axis=1))
    margins: Values = ranked[:, -1] - ranked[:, -2]
    return margins


def moves_made(outcomes: Outcomes, _: Sequence[Watched]) -> Values:
    return outcomes.moves.astype(np.float64)


def each_watched(value: Callable[[Watched], float], least_players: int = 1) -> Callable[..., Values]:
    """Return the function `values` of a statistic, given a function of one watched game."""

    def values(outcomes: Outcomes, watched: Sequence[Watched]) -> Values:
        if not watched or outcomes.players < least_players:
            return None
        return np.array([value(game) for game in watched], np.float64)

    return values


def each_course(value: Callable[[NDArray[np.float64]], float]) -> Callable[..., Values]:
    """Return the function `values` of a statistic, given a function of the chances in the course of one game."""

    def values(_: Outcomes, watched: Sequence[Watched]) -> Values:
        courses = [game.course for game in watched if game.course is not None]
        return np.array([value(course) for course in courses], np.float64) if courses else None

    return values


def turns_of(course: NDArray[np.float64]) -> float:
    """Return the number of times that the favourite changed. A player whose lead is smaller than `AHEAD` is not a
    favourite."""
    favourite, turns = -1, 0
    for chances in course:
        first, second = np.argsort(-chances, kind="stable")[:2]
        if chances[first] - chances[second] > AHEAD:
            turns += favourite not in (-1, first)
            favourite = int(first)
    return float(turns)


def decided(course: NDArray[np.float64]) -> float:
    """Return the fraction of a game after which the winner's chance was always at least `SURE`, or 1 if first place is
    shared."""
    result = course[-1]
    if result.max() < 1:
        return 1.0
    doubtful = np.flatnonzero(course[:, int(result.argmax())] < SURE)
    return float(doubtful[-1] + 1) / STEPS if len(doubtful) else 0.0


STATISTICS: dict[str, Statistic] = {
    "first": Statistic(
        "First player wins",
        "share",
        "First places won by the player who moved first, unless several players may begin.",
        first_wins,
        large=True,
        binary=True,
    ),
    "shared": Statistic("Shared first places", "share", "Games whose first place is shared.", is_shared, binary=True),
    "score": Statistic("Points", "points", "Points at the end.", score_alone, "wins", "Points", large=True),
    "margin": Statistic(
        "Winner ahead by",
        "points",
        "Difference in points between first and second place.",
        margins,
        "course",
        "By how much",
    ),
    "moves": Statistic("Moves", "number", "Moves per game.", moves_made, "length", "Moves", large=True),
    "minutes": Statistic(
        "Minutes",
        "minutes",
        "Minutes that people would take.",
        each_watched(lambda game: game.minutes),
        "length",
        "Minutes",
        large=True,
    ),
    "decisions": Statistic(
        "Decisions",
        "number",
        "Decisions: moves, and steps of moves, with more than one choice.",
        each_watched(lambda game: game.decisions),
        "length",
        large=True,
    ),
    "choices": Statistic(
        "Choices a decision",
        "number",
        "Number of choices in a decision.",
        each_watched(lambda game: game.choices / max(1, game.decisions)),
        "length",
        large=True,
    ),
    "leads": Statistic(
        "Lead changes",
        "number",
        "Changes of the sole leader by the score on the table.",
        each_watched(lambda game: game.leads, least_players=2),
        "course",
        large=True,
    ),
    "turns": Statistic(
        "Favourite changes",
        "number",
        "Changes of the favourite, who is 10 points of chance ahead.",
        each_course(turns_of),
        "course",
    ),
    "decided": Statistic(
        "Decided after",
        "share",
        f"The part of the game after which the winner’s chance stays at {100 * SURE:.0f} % or more.",
        each_course(decided),
        "course",
        large=True,
    ),
}
"""All statistics by key, in the order of tables."""


def samples_of(outcomes: Outcomes, watched: Sequence[Watched], keys: Iterable[str] = STATISTICS) -> Samples:
    """Return the values of the statistics that a table has, one per game."""
    found = {key: STATISTICS[key].values(outcomes, watched) for key in keys}
    return {key: values for key, values in found.items() if values is not None}


def telling(tables: Sequence[Samples], asked: Collection[str]) -> list[Samples]:
    """Return samples without the statistics that say nothing about the course of a game, such as a margin of 1 and no
    changes of lead in a game that is won or lost: they have the same value in every game of all tables. (The margin may
    also be 0, in shared first places.) Measures that are
    asked for stay."""
    said = []
    for key in dict.fromkeys(key for samples in tables for key in samples):
        values = np.concatenate([samples[key] for samples in tables if key in samples])
        varied = values[values > 0] if key == "margin" else values
        few = len(values) < FEWEST_DOERS
        if STATISTICS[key].topic != "course" or key in asked or few or (len(varied) and np.ptp(varied) > 0):
            said.append(key)
    return [{key: samples[key] for key in said if key in samples} for samples in tables]


def measures_of(samples: Samples) -> tuple[Measure, ...]:
    """Return the measures of a table. A single value, such as that of one followed game, has no interval."""
    found = []
    for key, values in samples.items():
        if len(values) < 2:
            continue
        statistic = STATISTICS[key]
        estimate = share(values) if statistic.binary else mean(values)
        low, middle, high = np.percentile(values, [5, 50, 95]).tolist()
        ends = float(values.min()), float(values.max())
        games = tuple(int(np.abs(values - value).argmin()) for value in (ends[0], middle, ends[1]))
        quantiles = low, middle, high
        found.append(Measure(key, statistic.title, statistic.kind, len(values), estimate, *quantiles, *ends, games))
    return tuple(found)


# --- who wins ---------------------------------------------------------------------------------------------------


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def order_words(place: int) -> str:
    """Return the words for a player's place in the order of play: `first player`, ..., `9th player`, ..."""
    return f"{ORDINALS[place] if place < len(ORDINALS) else f'{place + 1}th'} player"


def chances_by_order(outcomes: Outcomes) -> tuple[Chance, ...]:
    """Return the chances by order of play, or by seat if several may begin."""
    if outcomes.players == 1:
        return ()
    names = [order_words(place) if outcomes.has_order else f"seat {place + 1}" for place in range(outcomes.players)]
    wins, scores = outcomes.wins, outcomes.scores
    if outcomes.has_order:
        wins, scores = outcomes.by_order(wins), outcomes.by_order(scores)
    return tuple(chance_of(name, wins[:, place], scores[:, place], outcomes) for place, name in enumerate(names))


def chances_by_bot(outcomes: Outcomes) -> tuple[Chance, ...]:
    """Return the chances by bot, if there are several bots."""
    names = list(dict.fromkeys(outcomes.bots))
    if len(names) < 2:
        return ()
    wins, scores = outcomes.by_bot(outcomes.wins), outcomes.by_bot(outcomes.scores)
    own = {name: [bot == name for bot in outcomes.bots] for name in names}
    return tuple(chance_of(name, wins[:, own[name]].ravel(), scores[:, own[name]].ravel(), outcomes) for name in names)


def chance_of(name: str, wins: NDArray[np.float64], scores: NDArray[np.float64], outcomes: Outcomes) -> Chance:
    won = np.where(wins > 0, scores, -np.inf)
    best = int(won.argmax()) * len(outcomes.scores) // len(wins) if wins.any() else None
    result, fair = share(wins), 1 / outcomes.players
    p = p_of_share(result.value, fair, len(wins)) if len(outcomes.scores) >= FEWEST_GAMES else None
    return Chance(name, len(wins), result, fair, mean(scores), best, p)


def tests_of(chances: Sequence[Chance]) -> Sequence[Chance]:
    """Return the shares that are tested: of two, which add up to 1, only one."""
    return chances[:1] if len(chances) == 2 else chances


def histogram(values: NDArray[np.float64]) -> Histogram:
    """Return a histogram of the values, with at most `MOST_BARS` bins of a round width."""
    low, high = float(np.floor(values.min())), float(np.floor(values.max()))
    width = next(
        unit * power
        for power in (10.0**exponent for exponent in range(9))
        for unit in (1, 2, 5)
        if (high - low) / (unit * power) < MOST_BARS - 1
    )
    start = np.floor(low / width) * width
    places = ((values - start) // width).astype(np.int64)
    return Histogram(float(start), width, tuple((np.bincount(places) / len(values)).tolist()))


# --- what happens -----------------------------------------------------------------------------------------------


def often_of(table: Table, watched: Sequence[Watched], most: int = MOST_NAMES) -> tuple[Often, ...]:
    """Return the frequencies of verbs, cards, phases, clauses and endings: the `most` frequent ones of each kind."""
    found, wins = [], wins_of(np.array([game.scores for game in watched])) if watched else np.empty((0, 0))
    for kind in KINDS:
        names = list(names_in(watched, kind))[:most]
        for name in names:
            times = np.array([float(game.happened[kind][name]) for game in watched])
            found.append(
                Often(
                    kind,
                    name,
                    words_of(table, kind, name),
                    share(times > 0),
                    mean(times),
                    wins_of_doers(watched, wins, kind, name, len(names)) if kind in ("verb", "card") else None,
                    int(times.argmax()),
                )
            )
    return tuple(found)


def wins_of_doers(
    watched: Sequence[Watched], wins: NDArray[np.float64], kind: str, name: str, tests: int
) -> Estimate | None:
    """Return the share of first places of the players who caused an event, given each seat's share in each game, with
    an interval that is corrected for the number of events of its kind."""
    doers = [(number, seat) for number, game in enumerate(watched) for seat in game.doers.get((kind, name), ())]
    alone = bool(watched) and len(watched[0].scores) == 1
    return share(wins[tuple(np.transpose(doers))], tests) if len(doers) >= FEWEST_DOERS and not alone else None


def words_of(table: Table, kind: str, name: str) -> str:
    """Return the wording for an event, such as the name of a card or the beginning of a clause."""
    if kind == "card":
        return table.game.faces(table.options)[name].name
    if kind in ("clause", "ending"):
        return beginning(table.game, name)
    return name.replace("_", " ").lower()


def beginning(game: Game, clause_id: str) -> str:
    """Return the first sentence of a clause, shortened after a word if it is longer than `LONGEST_WORDS`."""
    try:
        text = clause(game.specification, clause_id).text
    except FairdealError:
        return ""
    text = text.replace("`", "").removeprefix("[X] ").removeprefix("[R] ")
    first = text.split(". ")[0].rstrip(".")
    return first if len(first) <= LONGEST_WORDS else f"{first[:LONGEST_WORDS].rsplit(' ', 1)[0]} …"


def moments_of(watched: Sequence[Watched]) -> tuple[PartOfGame, ...]:
    """Return the mean chances over the course of a game."""
    courses = [game.course for game in watched if game.course is not None]
    if len(courses) < 2:
        return ()
    every: NDArray[Any] = np.array(courses)
    winners = (every * every[:, -1:, :]).sum(axis=2)
    favourites = every.max(axis=2)
    return tuple(
        PartOfGame(part / STEPS, mean(winners[:, part]), mean(favourites[:, part])) for part in range(STEPS + 1)
    )
