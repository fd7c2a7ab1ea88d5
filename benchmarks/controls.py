"""Are the statistics of reports right? `uv run python -m benchmarks.controls` makes thousands of reports on tables that
are alike. Every difference that they name is wrong (A/A tests), and their intervals should contain the true values.

The games of a few tables are played and watched once. Each study draws its games from these, with replacement, so that
their means are the true values. The seats, the first player and the owners of hands are exchanged at random, so that
every player, bot and card has a fair share of wins. Everything else is the code that makes reports.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from multiprocessing import get_context
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.state import table_for
from fairdeal.lab.estimates import Estimate, exact
from fairdeal.lab.simulate.outcomes import Outcomes
from fairdeal.lab.studies.cards import Card, Hands, hands_part
from fairdeal.lab.studies.comparing import Difference, is_significant
from fairdeal.lab.studies.findings import Findings, Stopped
from fairdeal.lab.studies.luck import SHARES, Among, Luck, Numbers, guest_of, results_of, shares_of
from fairdeal.lab.studies.measures import STATISTICS, Chance, Measure, Often, PartOfGame, often_of
from fairdeal.lab.studies.recipe import Setup, Study
from fairdeal.lab.studies.run import Judged, Played, findings_of, found_of, headline, judge, play_until_clear
from fairdeal.lab.studies.targets import Verdict, verdicts_of
from fairdeal.lab.studies.watching import Watched, watch_from

PAIR = "greedy", "bram"
"""Two players of different strength."""

CERTAIN = 0.01
"""The share of the printed intervals that may miss."""

FEWEST = 100
"""Number of reports below which the intervals of a statistic are not counted."""

MOST_DEALT = 2000
"""Number of games of a study whose cards dealt are looked at."""

# --- statistics -------------------------------------------------------------------------------------------------

WORDS: dict[tuple[type, str], str] = {
    (Chance, "wins"): "wins of a seat or bot",
    (Chance, "score"): "points of a seat or bot",
    (Card, "wins"): "wins with each card dealt, together",
    (Often, "games"): "games with an event",
    (Often, "times"): "times of an event",
    (Often, "wins"): "wins of those who caused each event, together",
    (PartOfGame, "winner"): "chance of the later winner",
    (PartOfGame, "favourite"): "chance of the favourite",
    (Among, "result"): "wins or points of another opponent",
    (Stopped, "estimate"): "main measure of a study until clear",
    (Verdict, "estimate"): "measure with a target",
    **{(Luck, part): f"luck: {words}" for part, words in SHARES.items()},
}
"""The statistics of a report that have intervals, by struct and field. Measures and differences have their titles."""

TOGETHER = WORDS[Card, "wins"], WORDS[Often, "wins"]
"""Statistics whose intervals in a report hold together."""


def statistic_of(kind: type, field: str, measure: str = "") -> str:
    """Return the name of a statistic."""
    title = STATISTICS[measure].title if kind in (Measure, Difference) else WORDS[kind, field]
    return f"difference: {title[0].lower()}{title[1:]}" if kind is Difference else title


def structs_in(found: object) -> Iterator[Any]:
    """Yield a struct and all structs in it."""
    if isinstance(found, msgspec.Struct):
        yield found
        for field in found.__struct_fields__:
            yield from structs_in(getattr(found, field))
    elif isinstance(found, tuple):
        for one in found:
            yield from structs_in(one)


class Interval(NamedTuple):
    """An interval of a report: its statistic, the struct that has it, and what it is about."""

    statistic: str
    struct: Any
    about: tuple[object, ...]
    estimate: Estimate


def intervals_in(found: object) -> Iterator[Interval]:
    """Yield all intervals."""
    for struct in structs_in(found):
        values = {field: getattr(struct, field) for field in struct.__struct_fields__}
        about = (
            (struct.part,)
            if isinstance(struct, PartOfGame)
            else tuple(value for value in values.values() if isinstance(value, str))
        )
        for field, value in values.items():
            if isinstance(value, Estimate):
                measure = values.get("measure", values.get("key", ""))
                yield Interval(statistic_of(type(struct), field, measure), struct, about, value)


def names_something(found: object) -> bool:
    """Return whether anything in a report is said to differ, or to meet or to miss a target."""
    return any(is_significant(getattr(struct, "corrected", None)) for struct in structs_in(found))


# --- games ------------------------------------------------------------------------------------------------------

Drawn = NDArray[np.int64]
"""Games of a study: their numbers in the pool, and by how many seats the players, the first move and the hands are
moved on."""


class Size(NamedTuple):
    """The numbers of games of a study, and its number of deals for luck and skill."""

    games: int
    watched: int
    followed: int
    deals: int = 0

    @property
    def words(self) -> str:
        return f"{self.games:,} / {self.watched:,} / {self.followed:,}"


@dataclass(frozen=True)
class Pool:
    """The games from which studies draw theirs: their records without and with the chances in their course, what each
    seat was dealt, and the results of deals for luck and skill."""

    setup: Setup
    watched: Sequence[Watched]
    followed: Sequence[Watched]
    hands: Sequence[Hands]
    results: Numbers

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        return np.array([game.scores for game in self.watched], np.float64)

    @cached_property
    def moves(self) -> NDArray[np.int64]:
        return np.array([game.moves for game in self.watched], np.int64)

    @property
    def players(self) -> int:
        return self.setup.table.players

    def outcomes(self, bots: tuple[str, ...], drawn: Drawn) -> Outcomes:
        """Return the outcomes of games."""
        games, turned, first, _ = drawn
        seats = (np.arange(self.players) + turned[:, None]) % self.players
        return Outcomes(bots, self.scores[games[:, None], seats], self.moves[games], first)

    def true(self) -> dict[tuple[str, tuple[object, ...]], float]:
        """Return the true value of every statistic but those that depend on the report, by its name and what it is
        about: that of all games with their seats exchanged in every way."""
        games, turned = (axis.ravel() for axis in np.meshgrid(np.arange(len(self.watched)), np.arange(self.players)))
        every = self.outcomes(self.setup.bots, np.stack([games, turned, 0 * games, 0 * games]))
        one = Played(self.setup, [every], [*self.followed])
        if self.players > 1:
            one.luck = [luck for luck in [luck_in(self.results)] if luck]
        one.among = [guest_of("guest", "", every)]
        found = found_of(one, "", 1).replaced(often=often_of(self.setup.table, self.followed, most=sys.maxsize))
        return {(one.statistic, one.about): one.estimate.value for one in intervals_in(found)}


def pool_of(game: str, players: int, games: int, deals: int, playouts: int, jobs: int | None) -> Pool:
    """Play and watch games between greedy bots."""
    table = table_for(game, {"players": players})
    setup = Setup(game, table, ("greedy",) * players, Study(game=game))
    followed = watch_from(setup.order, 0, games, playouts, jobs)
    watched = [replace(game, course=None) for game in followed]
    if players == 1:
        return Pool(setup, watched, followed, (), np.empty(0))
    hands = hands_part(setup.order, 0, games)
    return Pool(setup, watched, followed, hands, results_of(table, *PAIR, deals, 0, jobs))


def luck_in(results: Numbers) -> Luck | None:
    shares = shares_of(results)
    return Luck(*PAIR, len(results), *shares) if shares else None


@dataclass
class Drawing:
    """Draws the games of a study from a pool."""

    pool: Pool
    source: np.random.Generator

    def numbers(self, games: int, shared: Drawn | None = None) -> Drawn:
        """Draw games. Half of them are `shared` ones, if there are any."""
        players = self.pool.players
        own = self.source.integers([[len(self.pool.watched)], [players], [players], [players]], size=(4, games))
        return own if shared is None else np.where(self.source.random(games) < 0.5, shared, own)

    def played(self, setup: Setup, size: Size, drawn: Drawn) -> Played:
        """Return a table whose games are played and watched."""
        pool, games, moved_on = self.pool, drawn[0].tolist(), drawn[3].tolist()
        watched = [pool.followed[game] for game in games[: size.followed]]
        watched += [pool.watched[game] for game in games[size.followed : size.watched]]
        one = Played(setup, [pool.outcomes(setup.bots, drawn)], watched)
        if pool.hands:
            dealt = zip(games[:MOST_DEALT], moved_on, strict=False)
            one.hands = [pool.hands[game][seat:] + pool.hands[game][:seat] for game, seat in dealt]
        if size.deals and pool.players > 1:
            luck = luck_in(pool.results[self.source.integers(len(pool.results), size=size.deals)])
            one.luck = [luck] if luck else []
        one.among = [guest_of("guest", "", pool.outcomes(setup.bots, self.numbers(size.games)))]
        return one

    def play_on(self, one: Played, last: int) -> None:
        """Play the games of a table up to a number."""
        one.outcomes.append(self.pool.outcomes(one.setup.bots, self.numbers(last - one.games)))


# --- reports ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """A form of report: its tables, whether these share half of their games, the measures with targets, whose ends are
    the true values, and the main measures of studies that stop when the answer is clear."""

    players: int = 2
    bots: tuple[str, ...] = ("greedy",)
    tables: tuple[dict[str, Any], ...] = ({},)
    shares: bool = True
    targets: tuple[str, ...] = ()
    until_clear: tuple[str, ...] = ()

    def setups(self, study: Study) -> list[Setup]:
        bots = tuple(self.bots[seat % len(self.bots)] for seat in range(self.players))
        return [
            Setup(
                f"table {number}",
                table_for(study.game, {"players": self.players, **options}),
                bots,
                study if self.shares else msgspec.structs.replace(study, seed=number),
            )
            for number, options in enumerate(self.tables)
        ]


SIX = tuple({"start_points": points} for points in range(6))

TABLES = {1: "chimax-jackpot", 2: "chip-it", 6: "chip-it"}
"""The games that are played, by the number of players."""

FORMS = {
    "one table, two bots": Form(bots=PAIR),
    "a table for six": Form(players=6),
    "two tables for one": Form(players=1, tables=({"par": 3}, {"par": 4})),
    "two recipes": Form(tables=({}, {}), shares=False),
    "six tables": Form(tables=SIX),
    "two tables, targets": Form(tables=SIX[:2], targets=("first", "margin", "minutes")),
    "until clear": Form(until_clear=("first",)),
    "six tables until clear": Form(tables=SIX, shares=False, until_clear=("first", "shared", "margin", "moves")),
}

APART = "targets, corrected apart"
"""Reports with targets whose verdicts would be corrected without the other tests."""

SIZES = (
    *(Size(games, games, games) for games in (2, 5, 10, 29, 30)),
    *(Size(100, 30, 5), Size(100, 100, 30, 100), Size(1000, 200, 50, 250), Size(10_000, 200, 50, 500)),
)
"""The sizes of reports, from the smallest that the command accepts."""


@dataclass(frozen=True)
class Controls:
    """Pools of games by the number of players, with the true values."""

    pools: Mapping[int, Pool]
    truths: Mapping[int, Mapping[tuple[str, tuple[object, ...]], float]]

    @classmethod
    def of(
        cls, games: int, deals: int, playouts: int, jobs: int | None = None, tables: Iterable[int] = TABLES
    ) -> Controls:
        """Play and watch `games` of each table, with chances of this number of `playouts`, and deals for luck."""
        pools = {players: pool_of(TABLES[players], players, games, deals, playouts, jobs) for players in tables}
        return cls(pools, {players: pool.true() for players, pool in pools.items()})

    def study(self, form: Form, size: Size, number: int) -> tuple[Study, list[Played]]:
        """Return a study and its games, which depend on its number."""
        pool, truth = self.pools[form.players], self.truths[form.players]
        drawing = Drawing(pool, np.random.default_rng([number, *size, *repr(form).encode()]))
        ends = {key: truth_of(truth, key) for key in form.targets}
        study = Study(
            game=pool.setup.table.game.name,
            games=size.games,
            main=form.until_clear[number % len(form.until_clear)] if form.until_clear else "",
            until_clear=bool(form.until_clear),
            targets={key: (end, 2 * end) if number % 2 else (end / 2, end) for key, end in ends.items()},
        )
        setups = form.setups(study)
        if form.until_clear:
            played = [Played(setup) for setup in setups]
            play_until_clear(study, played, study.main, drawing.play_on)
            return study, played
        first = drawing.numbers(size.games)
        others = [drawing.numbers(size.games, first if form.shares else None) for _ in setups[1:]]
        return study, [drawing.played(setup, size, own) for setup, own in zip(setups, (first, *others), strict=True)]

    def true_value(self, form: Form, found: Findings, one: Interval) -> float | None:
        """Return the true value of a statistic of a report, or None if it is not known."""
        truth = self.truths[form.players]
        if isinstance(one.struct, Card):
            return one.struct.fair
        if isinstance(one.struct, Difference) or (isinstance(one.struct, Stopped) and found.several):
            return 0.0
        if isinstance(one.struct, Verdict | Stopped):
            return truth_of(truth, getattr(one.struct, "measure", found.main))
        return truth.get((one.statistic, one.about))

    def report(self, name: str, size: Size, number: int) -> Result:
        """Make a report and check it."""
        form = FORMS[name]
        study, played = self.study(form, size, number)
        found = findings_of(study, played, "")
        held: dict[str, list[bool]] = defaultdict(list)
        for one in intervals_in(found):
            true = self.true_value(form, found, one)
            if true is not None and bool(form.until_clear) == isinstance(one.struct, Stopped):
                held[one.statistic].append(one.estimate.low <= true <= one.estimate.high)
        shares = {key: float(all(own) if key in TOGETHER else np.mean(own)) for key, own in held.items()}
        apart = False
        if form.targets:
            others = judge(Judged(found.setups, found.differences, ()), headline(study, found.main, found.setups))
            verdicts = verdicts_of({one.setup.name: one.samples for one in played}, study.targets)
            apart = names_something((*others.setups, *others.differences, *verdicts))
        tested = frozenset(
            type(struct) for struct in structs_in(found) if getattr(struct, "corrected", None) is not None
        )
        return Result(names_something(found), apart, shares, tested)


def truth_of(truth: Mapping[tuple[str, tuple[object, ...]], float], measure: str) -> float:
    """Return the true value of a measure."""
    return truth[STATISTICS[measure].title, (measure, STATISTICS[measure].title, STATISTICS[measure].kind)]


class Result(NamedTuple):
    """The result of a report: whether it names anything, whether it would if its targets were corrected apart, the
    share of the intervals of each statistic that hold, and the structs that are tested."""

    named: bool
    apart: bool
    held: dict[str, float]
    tested: frozenset[type]


# --- many reports -----------------------------------------------------------------------------------------------

HERE: list[Controls] = []
"""The controls of a process."""


def begin(controls: Controls) -> None:
    HERE[:] = [controls]


def reports(name: str, size: Size, first: int, last: int) -> list[Result]:
    """Make and check the reports from number `first` up to, but not including, `last`."""
    return [HERE[0].report(name, size, number) for number in range(first, last)]


def told(values: Sequence[float]) -> str:
    """Return a rate in percent, with its exact interval of 99 %."""
    rate = exact(float(sum(values)), len(values), CERTAIN)
    return f"{100 * rate.value:.1f} ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def coverage(statistic: str, held: Mapping[Size, Sequence[float]]) -> list[str]:
    """Return the row of a statistic: how often its intervals hold by size, and the lowest rate with its interval."""
    known = {size: own for size, own in held.items() if len(own) >= FEWEST}
    lowest = min(known.values(), key=np.mean)
    return [statistic, *(f"{100 * np.mean(known[size]):.1f}" if size in known else "–" for size in SIZES), told(lowest)]


def print_row(cells: Iterable[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def print_head(cells: Sequence[str]) -> None:
    print_row(cells)
    print(f"|{'---|' * len(cells)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.controls", description=__doc__)
    parser.add_argument("--reports", type=int, default=400, help="reports of each form and size (default 400)")
    parser.add_argument("--pool", type=int, default=600, help="games from which studies draw theirs (default 600)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of processes")
    chosen = parser.parse_args()
    controls = Controls.of(chosen.pool, 10 * chosen.pool, 20, chosen.jobs)
    held: dict[str, dict[Size, list[float]]] = defaultdict(lambda: defaultdict(list))
    firsts = range(0, chosen.reports, max(1, chosen.reports // (4 * chosen.jobs)))
    lasts = [*firsts[1:], chosen.reports]
    print("Percentage of reports on tables that are alike that name something, with exact intervals of 99 %\n")
    print_head(["games / watched / followed", *FORMS, APART])
    with ProcessPoolExecutor(chosen.jobs, get_context("spawn"), begin, (controls,)) as processes:
        for size in SIZES:
            row, apart = [], ""
            for name, form in FORMS.items():
                made = processes.map(partial(reports, name, size), firsts, lasts)
                found = [*chain.from_iterable(made)]
                row.append(told([one.named for one in found]))
                apart = told([one.apart for one in found]) if form.targets else apart
                for one in found:
                    for statistic, share in one.held.items():
                        held[statistic][size].append(share)
            print_row([size.words, *row, apart])
    print("\nPercentage of intervals of 95 % that contain the true value\n")
    print_head(["", *(size.words for size in SIZES), "lowest"])
    for statistic in sorted(held, key=str.lower):
        print_row(coverage(statistic, held[statistic]))


if __name__ == "__main__":
    main()
