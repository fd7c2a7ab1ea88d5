"""Run a study: play, watch and measure its games, and compare its tables."""

import platform
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.metadata import version
from typing import NamedTuple, TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import as_dict, changed
from fairdeal.engine.registry import find_game
from fairdeal.lab.estimates import FEWEST_GAMES
from fairdeal.lab.simulate.executors import Jobs
from fairdeal.lab.simulate.jobs import order_of
from fairdeal.lab.simulate.outcomes import Outcomes, joined, play_from
from fairdeal.lab.simulate.simulation import Progress
from fairdeal.lab.studies.answers import answer_of, differ
from fairdeal.lab.studies.cards import Card, Hands, cards_in, hands_from
from fairdeal.lab.studies.comparing import LEVEL, Difference, at_any_time, is_clear, p_at_any_time, paired, together
from fairdeal.lab.studies.findings import Findings, Found, Stopped
from fairdeal.lab.studies.luck import FEWEST_DEALS, GAMES_OF_A_DEAL, Among, Luck, among, luck_of, rivals_of
from fairdeal.lab.studies.measures import (
    STATISTICS,
    Chance,
    Samples,
    chances_by_bot,
    chances_by_order,
    histogram,
    measures_of,
    moments_of,
    often_of,
    samples_of,
    telling,
    tests_of,
)
from fairdeal.lab.studies.recipe import Setup, Study
from fairdeal.lab.studies.targets import Verdict, verdicts_of
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
    """The games of one table that have been played so far: their outcomes, the records of those that were watched, what
    each seat was dealt, and the results of other games for luck and skill."""

    setup: Setup
    outcomes: list[Outcomes] = field(default_factory=list)
    watched: list[Watched] = field(default_factory=list)
    hands: Sequence[Hands] = ()
    luck: Sequence[Luck] = ()
    among: Sequence[Among] = ()
    stopped: Stopped | None = None

    @property
    def games(self) -> int:
        return sum(len(part.scores) for part in self.outcomes)

    @cached_property
    def samples(self) -> Samples:
        """The values of every measure, one for each game, after all games have been played."""
        return samples_of(joined(self.outcomes), self.watched)


def play_all(study: Study, setups: Sequence[Setup], jobs: Jobs, begin: Begin) -> list[Played]:
    """Play and watch the games of all tables. Raises FairdealError if they cannot be played."""
    played = [Played(setup) for setup in setups]
    play = partial(play_on, jobs=jobs, begin=begin)
    if study.until_clear:
        play_until_clear(study, played, main_of(study, played), play)
    else:
        for one in played:
            play(one, one.setup.study.games)
    for one in played:
        watch_some(one, jobs, begin)
        one.luck = luck_found(one.setup, jobs, begin)
        one.among = among_found(one.setup, jobs, begin)
        one.hands = hands_found(one, jobs, begin)
    return played


def findings_of(study: Study, played: Sequence[Played], command: str) -> Findings:
    """Measure and compare tables whose games have all been played."""
    told = telling([one.samples for one in played], {study.main, *study.targets})
    for one, samples in zip(played, told, strict=True):
        one.samples = samples
    found = [found_of(one, same_as(one, played), len(played)) for one in played]
    first, main = played[0], main_of(study, played)
    if study.until_clear:
        found = [at_any_end(one, main if len(found) == 1 else "") for one in found]
    differences = [
        difference
        for one, own in zip(played, found, strict=True)
        if one is not first and own.same_as != first.setup.name
        for difference in differences_of(first, one, main)
    ]
    verdicts = verdicts_of({} if study.until_clear else {one.setup.name: one.samples for one in played}, study.targets)
    judged = judge(Judged(tuple(found), tuple(differences), verdicts), headline(study, main, found))
    games, *others = (Games(one.setup, joined(one.outcomes), one.watched) for one in played)
    unused = tuple(idle for one in others if (idle := unused_of(games, one)))
    answer = answer_of(study, main, judged.setups, judged.differences, judged.tests, unused, judged.verdicts)
    return Findings(
        *(answer, study, main, command, versions_of(study)),
        *(judged.setups, judged.differences, judged.tests, unused, judged.verdicts),
    )


def same_as(one: Played, played: Sequence[Played]) -> str:
    """Return the name of the first table before this one that has exactly the same games, or ""."""
    return next((before.setup.name for before in played[: played.index(one)] if have_same_games(before, one)), "")


def have_same_games(one: Played, other: Played) -> bool:
    """Return whether all values of all games of two tables with the same seed are the same, and all watched moves."""
    if str(one.setup.study.seed) != str(other.setup.study.seed) or one.samples.keys() != other.samples.keys():
        return False
    pairs = [(joined(one.outcomes).scores, joined(other.outcomes).scores)]
    pairs += [(values, other.samples[key]) for key, values in one.samples.items()]
    moves, others = ([game.played for game in each.watched] for each in (one, other))
    return moves == others and all(mine.tobytes() == theirs.tobytes() for mine, theirs in pairs)


def differences_of(first: Played, one: Played, main: str) -> list[Difference]:
    """Compare every measure of a table with that of the first table. The first players' shares are compared by their
    distance from a fair share. If games ended when the main question was answered, only its measure is tested, because
    the number of games depends on it."""
    found, fair_gap = [], (fair_of(one, "first") or 0.0) - (fair_of(first, "first") or 0.0)
    for key, statistic in STATISTICS.items():
        if key not in first.samples or key not in one.samples:
            continue
        if min(len(first.samples[key]), len(one.samples[key])) < 2:
            continue
        gap = fair_gap if key == "first" else 0.0
        games, estimate, p = paired(first.samples[key], one.samples[key] - gap, statistic.binary and not gap)
        if one.stopped:
            p = one.stopped.p if key == main else None
        found.append(Difference(one.setup.name, key, statistic.title, statistic.kind, games, estimate, p))
    return found


def at_any_end(one: Found, main: str) -> Found:
    """Return the results of a table whose number of games depends on them: of its players, only the first one is
    tested, if it is the `main` question, by the interval that allows for it."""
    p = one.stopped.p if one.stopped and main == "first" else None
    order = tuple(replace(chance, p=None if place else p) for place, chance in enumerate(one.order))
    by_bot = tuple(replace(chance, p=None) for chance in one.by_bot)
    return replace(one, order=order, by_bot=by_bot, dealt=tuple(replace(card, p=None) for card in one.dealt))


# --- tests ------------------------------------------------------------------------------------------------------


Result = TypeVar("Result", Chance, Difference, Card, Verdict)
"""Results that are tested."""


class Judged(NamedTuple):
    """Everything that a report tests, and the number of tests: the players at each table and its cards, compared with
    fair shares, the differences between tables, and targets."""

    setups: tuple[Found, ...]
    differences: tuple[Difference, ...]
    verdicts: tuple[Verdict, ...]
    tests: int = 0


def headline(study: Study, main: str, found: Sequence[Found]) -> set[str]:
    """Return the measures of the main question, which count as much as all others together: with the wins of players
    and the targets, those that the answer of a study may be about."""
    lengths = {"minutes", "moves"} if len(found) > 1 and differ(found) and not study.main else set()
    return {main, *lengths}


def judge(tested: Judged, measures: Collection[str]) -> Judged:
    """Correct all tests of a report together. Tables with the same games are tested once."""
    copies = {one.name for one in tested.setups if one.same_as}
    setups = [one for one in tested.setups if one.name not in copies]
    differences = [one for one in tested.differences if one.setup not in copies]
    main = [one.p for setup in setups for chances in (setup.order, setup.by_bot) for one in tests_of(chances)]
    main += [one.p for one in differences if one.measure in measures]
    main += [one.p for one in tested.verdicts if one.setup not in copies]
    others = [one.p for one in differences if one.measure not in measures]
    others += [card.p for one in setups for card in one.dealt]
    known, rest = ([p for p in tests if p is not None] for tests in (main, others))
    of_main, of_rest = (
        dict(zip(tests, corrected, strict=True))
        for tests, corrected in zip((known, rest), together(known, rest), strict=True)
    )

    def with_corrected(found: Sequence[Result], corrected: Mapping[float, float]) -> tuple[Result, ...]:
        """Within a part of the tests, corrected p-values depend on p-values alone."""
        return tuple(replace(one, corrected=None if one.p is None else corrected[one.p]) for one in found)

    return Judged(
        tuple(
            replace(
                one,
                order=with_corrected(shared_test(one.order), of_main),
                by_bot=with_corrected(shared_test(one.by_bot), of_main),
                dealt=with_corrected(one.dealt, of_rest),
            )
            for one in tested.setups
        ),
        tuple(with_corrected([one], of_main if one.measure in measures else of_rest)[0] for one in tested.differences),
        with_corrected(tested.verdicts, of_main),
        len(known) + len(rest),
    )


def shared_test(chances: Sequence[Chance]) -> Sequence[Chance]:
    """Return shares with the p-values of those that are tested."""
    return [replace(chance, p=chances[0].p) for chance in chances] if len(chances) == 2 else chances


def main_of(study: Study, played: Sequence[Played]) -> str:
    """Return the main measure of a study (default: one that suits its first table)."""
    if study.main:
        return study.main
    table = played[0].setup.table
    return "score" if table.players == 1 else "first" if len(table.deal(0).to_act) == 1 else "moves"


# --- playing ----------------------------------------------------------------------------------------------------


def play_on(played: Played, last: int, jobs: Jobs, begin: Begin) -> None:
    """Play the games of a table up to, but not including, number `last`. If bots search, watch the games at the same
    time."""
    setup, first = played.setup, played.games
    if setup.order.is_compiled:
        progress = begin(f"playing: {setup.name}", last - first)
        played.outcomes.append(play_from(setup.order, first, last, jobs, progress))
    else:
        progress = begin(f"playing and watching: {setup.name}", last - first)
        games = watch(setup, first, last, jobs, progress)
        played.watched += games
        played.outcomes.append(outcomes_of(setup.order, games))


def watch_some(played: Played, jobs: Jobs, begin: Begin) -> None:
    """Watch the first games of a table if they were not watched during play."""
    last = min(played.setup.study.watched, played.games)
    if not played.watched:
        progress = begin(f"watching: {played.setup.name}", last)
        played.watched = watch(played.setup, 0, last, jobs, progress)


def watch(setup: Setup, first: int, last: int, jobs: Jobs, progress: Progress) -> list[Watched]:
    """Watch games, and follow the chances in the first of them."""
    study = setup.study
    middle = min(max(first, study.followed), last)
    return [
        *watch_from(setup.order, first, middle, study.playouts, jobs, progress),
        *watch_from(setup.order, middle, last, 0, jobs, progress),
    ]


def play_until_clear(study: Study, played: Sequence[Played], main: str, play: Callable[[Played, int], None]) -> None:
    """Play games at every table until the answer to the main question is clear, or all games are played. The first
    table plays as many games as any other, because all others are compared with it. `play` plays the games of a table
    up to a number."""
    first, *others = played
    step = max(LEAST, -(-study.games // LOOKS))
    for last in range(step, study.games + step, step):
        last = min(last, study.games)
        going = [one for one in others or [first] if not (one.stopped and one.stopped.clear)]
        if not going:
            break
        for one in {id(one): one for one in (first, *going)}.values():
            play(one, last)
        for one in going:
            one.stopped = looked_at(study, first, one, main, len(others) or 1)


def looked_at(study: Study, first: Played, one: Played, main: str, answers: int) -> Stopped:
    """Return the answer to the main question, compared with the fair value or with the first table. The probability of
    error is divided among the `answers` of a study."""
    values, fair = main_values(one, main), fair_of(one, main)
    if one is not first:
        fair_gap = (fair_of(one, main) or 0.0) - (fair_of(first, main) or 0.0)
        values, fair = values - main_values(first, main)[: len(values)] - fair_gap, 0.0
    level, games = LEVEL / answers, len(values)
    estimate, enough = at_any_time(values, study.games, level), games >= FEWEST_GAMES
    p = p_at_any_time(values, fair, study.games, level) if enough and fair is not None else None
    return Stopped(estimate, p, enough and is_clear(estimate, fair, study.precision), games)


def main_values(played: Played, main: str) -> NDArray[np.float64]:
    outcomes = joined(played.outcomes)
    found = samples_of(outcomes, (), [main])
    if main not in found:
        known = ", ".join(samples_of(outcomes, ()))
        raise FairdealError(f"{played.setup.name} has no measure `{main}`; it has {known}")
    return found[main]


def fair_of(played: Played, main: str) -> float | None:
    """Return the fair value of the main measure, or None if it has none."""
    return 1 / played.setup.table.players if main == "first" else None


def hands_found(played: Played, jobs: Jobs, begin: Begin) -> list[Hands]:
    """Return what each seat of a table was dealt in its first games."""
    setup, games = played.setup, min(played.setup.study.dealt, played.games) if played.setup.table.players > 1 else 0
    progress = begin(f"cards dealt: {setup.name}", games)
    return hands_from(setup.order, games, jobs, progress) if games else []


def luck_found(setup: Setup, jobs: Jobs, begin: Begin) -> tuple[Luck, ...]:
    found, study = [], setup.study
    for rival in rivals_of(setup.table, setup.bots):
        pair = setup.bots[0], rival
        games = study.levels if order_of(setup.table, pair, study.seed).is_compiled else study.search_levels
        deals = 2 * games // GAMES_OF_A_DEAL
        if deals >= FEWEST_DEALS:
            progress = begin(f"luck and skill: {setup.name}", GAMES_OF_A_DEAL * deals)
            parts = luck_of(setup.table, *pair, deals, study.seed, jobs, progress)
            found += [parts] if parts else []
    return tuple(found)


def among_found(setup: Setup, jobs: Jobs, begin: Begin) -> tuple[Among, ...]:
    study = setup.study
    progress = begin(f"other opponents: {setup.name}", 0)
    return among(setup.table, setup.bots[0], study.levels, study.search_levels, study.seed, jobs, progress)


# --- measuring --------------------------------------------------------------------------------------------------


def found_of(played: Played, same: str, tables: int) -> Found:
    """Return the results of one of several tables whose games have been played. `same` names an earlier table with the
    same games."""
    setup, samples, outcomes = played.setup, played.samples, joined(played.outcomes)
    table = setup.table
    return Found(
        name=setup.name,
        options=as_dict(table.options),
        differs=changed(table.options),
        bots=setup.bots,
        seed=setup.study.seed,
        same_as=same,
        games=len(outcomes.scores),
        watched=len(played.watched),
        followed=sum(game.course is not None for game in played.watched),
        measures=measures_of(samples),
        order=chances_by_order(outcomes),
        by_bot=chances_by_bot(outcomes),
        lengths={key: histogram(values) for key, values in samples.items() if STATISTICS[key].chart},
        often=often_of(table, played.watched),
        course=moments_of(played.watched),
        luck=tuple(played.luck),
        among=tuple(played.among),
        stopped=played.stopped,
        dealt=cards_in(table, played.hands, outcomes.wins, tables),
    )


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
