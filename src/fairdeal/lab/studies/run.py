"""Run a study: play, watch and measure its games, and compare its tables."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import as_dict, changed
from fairdeal.engine.registry import find_game
from fairdeal.lab.simulate.executors import Jobs
from fairdeal.lab.simulate.outcomes import Outcomes, Progress, joined, nobody, play_from
from fairdeal.lab.simulate.simulation import is_compiled
from fairdeal.lab.studies.answers import answer_of
from fairdeal.lab.studies.cards import Card, dealt_cards
from fairdeal.lab.studies.comparing import LEVEL, at_any_time, differences_of, is_clear
from fairdeal.lab.studies.findings import Findings, Found, Stopped
from fairdeal.lab.studies.luck import FEWEST_DEALS, GAMES_OF_A_DEAL, Among, Luck, among, luck_of, rivals_of
from fairdeal.lab.studies.measures import (
    STATISTICS,
    Samples,
    chances_by_bot,
    chances_by_order,
    histogram,
    measures_of,
    moments_of,
    often_of,
    samples_of,
    telling,
)
from fairdeal.lab.studies.recipe import MAIN, Setup, Study
from fairdeal.lab.studies.targets import verdicts_of
from fairdeal.lab.studies.unused import Games, unused_of
from fairdeal.lab.studies.watching import Watched, outcomes_of, watch_from

LOOKS = 20
"""Maximum number of interim looks at the results of a study that stops when the answer is clear."""

LEAST = 100
"""Minimum number of games before the first look, because its interval is only valid for large numbers."""

Begin = Callable[[str, int], Progress]
"""A function that is called at the start of a step, with the step's description and its number of games. It returns a
callback for progress."""


@dataclass
class Played:
    """The games of one table that have been played so far."""

    setup: Setup
    outcomes: list[Outcomes] = field(default_factory=list)
    watched: list[Watched] = field(default_factory=list)
    stopped: Stopped | None = None

    @property
    def games(self) -> int:
        return sum(len(part.scores) for part in self.outcomes)

    @cached_property
    def samples(self) -> Samples:
        """The values of every measure, one for each game, after all games have been played."""
        return samples_of(joined(self.outcomes), self.watched)


def carry_out(
    study: Study,
    setups: Sequence[Setup],
    command: str,
    jobs: Jobs = None,
    begin: Begin = lambda words, games: nobody,
) -> Findings:
    """Run a study and return its results. Raises FairdealError if it cannot be run."""
    return findings_of(study, play_all(study, setups, jobs, begin), command, jobs, begin)


def play_all(study: Study, setups: Sequence[Setup], jobs: Jobs, begin: Begin) -> list[Played]:
    """Play and watch the games of all tables. Raises FairdealError if they cannot be played."""
    played = [Played(setup) for setup in setups]
    if study.until_clear:
        play_until_clear(study, played, main_of(study, played), jobs, begin)
    else:
        for one in played:
            play_on(study, one, study.games, jobs, begin)
    for one in played:
        watch_some(study, one, jobs, begin)
    return played


def findings_of(study: Study, played: Sequence[Played], command: str, jobs: Jobs, begin: Begin) -> Findings:
    """Measure and compare tables whose games have all been played. Raises FairdealError if that fails."""
    for one, samples in zip(
        played, telling([one.samples for one in played], {study.main, *study.targets}), strict=True
    ):
        one.samples = samples
    found = tuple(
        replace(found_of(study, one, jobs, begin), dealt=cards_found(study, one, len(played), jobs, begin))
        for one in played
    )
    titles = {key: (statistic.title, statistic.kind) for key, statistic in STATISTICS.items()}
    compared = {one.setup.name: beyond_fair(one.samples, one.setup) for one in played}
    main, differences = main_of(study, played), differences_of(compared, titles)
    begin("comparing options", 0)
    first, *others = (Games(one.setup, joined(one.outcomes), one.watched) for one in played)
    unused = tuple(idle for one in others if (idle := unused_of(study.seed, first, one)))
    verdicts = verdicts_of({one.setup.name: one.samples for one in played}, study.targets)
    answer = answer_of(study, main, found, differences, unused, verdicts)
    return Findings(answer, study, main, command, versions_of(study), found, differences, unused, verdicts)


def beyond_fair(samples: Samples, setup: Setup) -> Samples:
    """Return samples in which the first player's wins are replaced by their excess over the fair share, so that tables
    with different numbers of players can be compared."""
    first = {"first": samples["first"] - 1 / setup.table.players} if "first" in samples else {}
    return samples | first


def main_of(study: Study, played: Sequence[Played]) -> str:
    """Return the main measure of a study (default: one that suits its first table)."""
    if study.main:
        return study.main
    table = played[0].setup.table
    return "score" if table.players == 1 else "first" if len(table.deal(0).to_act) == 1 else "moves"


# --- playing ----------------------------------------------------------------------------------------------------


def play_on(study: Study, played: Played, last: int, jobs: Jobs, begin: Begin) -> None:
    """Play the games of a table up to, but not including, number `last`. If bots search, watch the games at the same
    time."""
    setup, first = played.setup, played.games
    if is_compiled(setup.table, setup.bots):
        progress = begin(f"playing: {setup.name}", last - first)
        played.outcomes.append(play_from(setup.table, setup.bots, study.seed, first, last, jobs, progress))
    else:
        progress = begin(f"playing and watching: {setup.name}", last - first)
        games = watch(study, setup, first, last, jobs, progress)
        played.watched += games
        played.outcomes.append(outcomes_of(setup, games))


def watch_some(study: Study, played: Played, jobs: Jobs, begin: Begin) -> None:
    """Watch the first games of a table if they were not watched during play."""
    last = min(study.watched, played.games)
    if not played.watched:
        progress = begin(f"watching: {played.setup.name}", last)
        played.watched = watch(study, played.setup, 0, last, jobs, progress)


def watch(study: Study, setup: Setup, first: int, last: int, jobs: Jobs, progress: Progress) -> list[Watched]:
    """Watch games, and follow the chances in the first of them."""
    middle = min(max(first, study.followed), last)
    return [
        *watch_from(setup, study.seed, first, middle, study.playouts, jobs, progress),
        *watch_from(setup, study.seed, middle, last, 0, jobs, progress),
    ]


def play_until_clear(study: Study, played: Sequence[Played], main: str, jobs: Jobs, begin: Begin) -> None:
    """Play games at every table until the answer to the main question is clear, or all games are played. The first
    table plays as many games as any other, because all others are compared with it."""
    first, *others = played
    step = max(LEAST, -(-study.games // LOOKS))
    for last in range(step, study.games + step, step):
        last = min(last, study.games)
        going = [one for one in others or [first] if not (one.stopped and one.stopped.clear)]
        if not going:
            break
        for one in {id(one): one for one in (first, *going)}.values():
            play_on(study, one, last, jobs, begin)
        for one in going:
            one.stopped = looked_at(study, first, one, main, len(others) or 1)


def looked_at(study: Study, first: Played, one: Played, main: str, answers: int) -> Stopped:
    """Return the answer to the main question, compared with the fair value or with the first table. The probability of
    error is divided among the `answers` of a study."""
    values, fair = main_values(one, main), fair_of(one, main)
    if one is not first:
        fair_gap = (fair_of(one, main) or 0.0) - (fair_of(first, main) or 0.0)
        values, fair = values - main_values(first, main)[: len(values)] - fair_gap, 0.0
    estimate = at_any_time(values, study.games, LEVEL / answers)
    return Stopped(estimate, is_clear(estimate, fair, study.precision), len(values))


def main_values(played: Played, main: str) -> NDArray[np.float64]:
    found = samples_of(joined(played.outcomes), (), MAIN)
    if main not in found:
        raise FairdealError(f"{played.setup.name} has no measure `{main}`; it has {', '.join(found)}")
    return found[main]


def fair_of(played: Played, main: str) -> float | None:
    """Return the fair value of the main measure, or None if it has none."""
    return 1 / played.setup.table.players if main == "first" else None


# --- measuring --------------------------------------------------------------------------------------------------


def found_of(study: Study, played: Played, jobs: Jobs, begin: Begin) -> Found:
    """Return the results of a table whose games have been played."""
    setup, samples, outcomes = played.setup, played.samples, joined(played.outcomes)
    table = setup.table
    return Found(
        name=setup.name,
        options=as_dict(table.options),
        differs=changed(table.options),
        bots=setup.bots,
        games=len(outcomes.scores),
        watched=len(played.watched),
        followed=sum(game.course is not None for game in played.watched),
        measures=measures_of(samples),
        order=chances_by_order(outcomes),
        by_bot=chances_by_bot(outcomes),
        lengths={key: histogram(values) for key, values in samples.items() if STATISTICS[key].chart},
        often=often_of(table, played.watched),
        course=moments_of(played.watched),
        luck=luck_found(study, setup, jobs, begin),
        among=among_found(study, setup, jobs, begin),
        stopped=played.stopped,
    )


def cards_found(study: Study, played: Played, tables: int, jobs: Jobs, begin: Begin) -> tuple[Card, ...]:
    """Return the wins of the players of a table who were dealt each card. The study has this number of tables."""
    setup, games = played.setup, min(study.dealt, played.games) if played.setup.table.players > 1 else 0
    progress = begin(f"cards dealt: {setup.name}", games)
    return dealt_cards(setup, joined(played.outcomes), study.seed, games, tables, jobs, progress) if games else ()


def luck_found(study: Study, setup: Setup, jobs: Jobs, begin: Begin) -> tuple[Luck, ...]:
    found = []
    for rival in rivals_of(setup.table, setup.bots):
        pair = setup.bots[0], rival
        games = study.levels if is_compiled(setup.table, pair) else study.search_levels
        deals = 2 * games // GAMES_OF_A_DEAL
        if deals >= FEWEST_DEALS:
            progress = begin(f"luck and skill: {setup.name}", GAMES_OF_A_DEAL * deals)
            parts = luck_of(setup.table, *pair, deals, study.seed, jobs, progress)
            found += [parts] if parts else []
    return tuple(found)


def among_found(study: Study, setup: Setup, jobs: Jobs, begin: Begin) -> tuple[Among, ...]:
    progress = begin(f"other opponents: {setup.name}", 0)
    return among(setup.table, setup.bots[0], study.levels, study.search_levels, study.seed, jobs, progress)


def versions_of(study: Study) -> dict[str, str]:
    """Return the versions that, together with the recipe, determine the numbers."""
    game = find_game(study.game)
    return {
        "fairdeal": version("fairdeal"),
        f"rules of {game.title}": str(game.rules_version),
        "Python": platform.python_version(),
        "NumPy": version("numpy"),
        "Numba": version("numba"),
    }
