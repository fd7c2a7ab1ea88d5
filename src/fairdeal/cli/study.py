"""Commands that study a game: study plays many games and writes a report, and tune searches for options."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairdeal.cli.shared import (
    Catalogue,
    Jobs,
    Option,
    Players,
    Preset,
    admitted,
    app,
    check_writable,
    chosen_options,
    refuse,
)
from fairdeal.cli.simulate import Cluster, players_of
from fairdeal.engine.errors import FairdealError
from fairdeal.terminal.plain import say

if TYPE_CHECKING:
    from fairdeal.lab.estimates import Estimate
    from fairdeal.lab.studies.findings import Findings, Found
    from fairdeal.lab.studies.recipe import Setup, Study
    from fairdeal.lab.studies.run import Begin
    from fairdeal.lab.tuning import Tuned

OUTSIDE = ("--jobs", "--cluster", "--out", "--json", "--parquet")
"""Options that do not affect a study's numbers."""


OwnSeed = Annotated[
    str | None, typer.Option(metavar="SEED", help="A word or number; the same seed gives the same results.")
]
Numbers = Annotated[Path | None, typer.Option(metavar="FILE", help="Write all numbers to this file, as JSON.")]

MOST_ROWS = 12
"""Maximum number of candidates that are printed."""


@app.command()
def study(
    context: typer.Context,
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game, or a recipe, which is a file like studies/chi.toml.")
    ] = "",
    games: Annotated[int | None, typer.Option(metavar="NUMBER", help="Maximum number of games.", min=2)] = None,
    bots: Annotated[
        str | None,
        typer.Option(metavar="NAME[,NAME]", help="One bot for all seats, or one for each, such as vix,otto."),
    ] = None,
    players: Players = None,
    option: Option = None,
    preset: Preset = "",
    catalogue: Catalogue = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=A,B,C", help="Compare these values of an option, or of `players`, `preset` or `bots`."
        ),
    ] = None,
    compare: Annotated[
        tuple[Path, Path] | None, typer.Option(metavar="A B", help="Compare two recipes of one game.")
    ] = None,
    watched: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Number of games that are recorded move by move.", min=2)
    ] = None,
    main: Annotated[
        str,
        typer.Option(metavar="KEY", help="The main measure, such as minutes or leads (docs/laboratory.md lists them)."),
    ] = "",
    until_clear: Annotated[bool, typer.Option("--until-clear", help="Stop when the answer is clear.")] = False,
    seed: OwnSeed = None,
    replay: Annotated[
        str,
        typer.Option(
            metavar="[TABLE:]GAME",
            help="Print this game of the study move by move instead, or with --out write its analysis.",
        ),
    ] = "",
    jobs: Jobs = None,
    cluster: Cluster = "",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report to this file, as HTML.")] = None,
    json: Numbers = None,
    parquet: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every game to this Parquet file.")] = None,
) -> None:
    """Study a game by simulation. Measures who wins, how long games take, what choices they offer, luck and skill, and
    how often each event happens, at one table or in a comparison of several (docs/laboratory.md)."""
    from fairdeal.lab.studies.recipe import Study as Asked
    from fairdeal.lab.studies.recipe import compared, read_study, setups_of
    from fairdeal.lab.studies.run import findings_of, play_all

    if bool(game) == bool(compare):
        raise FairdealError("name a game or a recipe, or two recipes with --compare")
    if replay:
        refuse(context, "with --replay, which plays one game", "cluster", "json", "parquet", "until_clear")
    elif out:
        from fairdeal.lab.studies.charts import require

        require()
    if parquet:
        from fairdeal.lab.data.datasets import arrow

        arrow()
    check_writable(out, json, parquet)
    given: dict[str, Any] = {
        "games": games,
        "players": players,
        "preset": preset or None,
        "catalogue": str(catalogue.resolve()) if catalogue else None,
        "bots": tuple(admitted(bots, None)) if bots else None,
        "sweep": dict(swept_values(text) for text in sweep) if sweep else None,
        "watched": watched,
        "main": main or None,
        "until_clear": until_clear or None,
        "seed": seed,
    }
    if compare:
        asked, setups = compared([(changed_by(read_study(path), given, option), path) for path in compare])
    else:
        is_recipe = game.endswith(".toml")
        asked = read_study(Path(game)) if is_recipe else Asked(game=game)
        asked = changed_by(asked, given, option)
        setups = setups_of(asked, Path(game).parent if is_recipe else Path())
    if replay:
        show_game(setups, replay, jobs, out)
        return
    with players_of(context, jobs, cluster) as workers, showing(setups, compiles=not cluster) as begin:
        played = play_all(asked, setups, workers, begin)
        if parquet:
            from fairdeal.lab.data.study_rows import write_games

            write_games(parquet, asked, played)
        begin("measuring", 0)
        found = findings_of(asked, played, command_line(sys.argv[1:]))
    write_results(found, out, json)


def show_game(setups: Sequence[Setup], number: str, jobs: int | None, out: Path | None) -> None:
    """Print a game of a study move by move, or write its analysis to a file."""
    from fairdeal.cli.logs import analysis_of, print_moves
    from fairdeal.engine.files import write_whole
    from fairdeal.lab.simulate.replaying import sitting_of
    from fairdeal.lab.studies.recipe import numbered

    setup, game = numbered(setups, number)
    with showing(setups, compiles=True) as begin:
        begin("playing the game", 0)
        sitting = sitting_of(setup.order, game)
    if out:
        from fairdeal.table.analysis.page import page_of

        write_whole(out, page_of(analysis_of(sitting, None, jobs)))
    else:
        print_moves(sitting)


def changed_by(study: Study, given: dict[str, Any], option: Sequence[str] | None) -> Study:
    """Return a study with the changes given on the command line. Raises FairdealError if they contradict each
    other."""
    import msgspec

    options = study.options | chosen_options([*option] if option else None)
    try:
        changes = {name: value for name, value in given.items() if value is not None}
        return msgspec.structs.replace(study, **changes, options=options)
    except ValueError as problem:
        raise FairdealError(str(problem)) from None


def swept_values(text: str) -> tuple[str, list[object]]:
    """Split `name=a,b,c` into an option and its values. Raises FairdealError if the text is malformed."""
    from fairdeal.engine.options import parse_value

    name, equals, values = text.partition("=")
    if not equals or not values:
        raise FairdealError(f"a sweep must have the form NAME=A,B,C, not {text!r}")
    return name.strip(), [parse_value(value.strip()) for value in values.split(",")]


def command_line(words: Sequence[str]) -> str:
    """Return the command line for the report, without options that do not affect its numbers."""
    import shlex

    kept: list[str] = []
    skip = False
    for word in words:
        if not skip and not word.startswith(tuple(f"{name}=" for name in OUTSIDE)) and word not in OUTSIDE:
            kept.append(word)
        skip = word in OUTSIDE
    return shlex.join(["fairdeal", *kept])


@contextmanager
def showing(setups: Sequence[Setup], compiles: bool) -> Iterator[Begin]:
    """Show progress on standard error. If games are played in this process, compile their rules first."""
    from fairdeal.cli.simulate import progress

    with progress(setups[0].table, compiles) as bar:

        def begin(words: str, games: int) -> Callable[[int], None]:
            for before in bar.task_ids:
                bar.remove_task(before)
            task = bar.add_task(words, total=games or None)
            return lambda more: bar.advance(task, more)

        yield begin


def write_results(found: Findings, out: Path | None, json: Path | None) -> None:
    """Write the requested files, and print the results in the terminal."""
    from fairdeal.engine.files import write_json, write_whole

    if json:
        write_json(json, found)
    if out:
        from fairdeal.lab.studies.report import report_of

        write_whole(out, report_of(found))
    print_results(found)


def print_results(found: Findings) -> None:
    """Print the answer in a sentence, the options that made no difference, the wins by bot and by seat, and the
    measures of every table, with their intervals."""
    from rich.table import Table as Grid

    from fairdeal.lab.studies.answers import idle_words, same_words, sharing
    from fairdeal.lab.studies.measures import STATISTICS
    from fairdeal.lab.studies.wording import between, formatted
    from fairdeal.terminal.console import PlainConsole

    idle = {one.setup for one in found.unused}
    same = (same_words(one) for one in found.setups if one.same_as and one.name not in idle)
    say(found.answer, *(idle_words(one, found.setups[0].name) for one in found.unused), *same, "")
    keys = {statistic.title: key for key, statistic in STATISTICS.items()}
    clear = {(one.setup, one.measure) for one in found.differences if one.clear}
    cells: dict[str, dict[str, str]] = {}
    for parts in zip(*map(estimates_of, found.setups), strict=True):
        for one, part in zip(found.setups, parts, strict=True):
            for title, estimate, kind in part:
                mark = " *" if (one.name, keys.get(title)) in clear else ""
                cells.setdefault(title, {})[one.name] = (
                    f"{formatted(estimate.value, kind)}{mark}\n{between(estimate, kind)}"
                )
    grid = Grid("", *(one.name for one in found.setups), box=None, header_style="bold")
    for title, row in cells.items():
        grid.add_row(title, *(row.get(one.name, "") for one in found.setups))
    PlainConsole().print(grid)
    if len(found.setups) > 1:
        say(
            f"* differs significantly from the first, after correction for all {found.tests:,} tests",
            sharing(found.setups),
        )


def estimates_of(one: Found) -> tuple[list[tuple[str, Estimate, str]], ...]:
    """Return the estimates of a table with their titles and kinds: those by bot, those by seat, and the measures."""
    from fairdeal.lab.studies.answers import bot_names

    names = bot_names(one)
    return (
        [(f"{names[chance.name]} wins", chance.wins, "share") for chance in one.by_bot],
        [(f"{chance.name.capitalize()} wins", chance.wins, "share") for chance in one.order],
        [(measure.title, measure.estimate, measure.kind) for measure in one.measures],
    )


@app.command()
def tune(
    context: typer.Context,
    recipe: Annotated[
        Path, typer.Argument(metavar="RECIPE", help="A recipe with [targets], and [sweep] with the values to try.")
    ],
    games: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Maximum number of games of a combination.", min=2)
    ] = None,
    watched: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Number of these games that are recorded move by move.", min=2)
    ] = None,
    seed: OwnSeed = None,
    jobs: Jobs = None,
    cluster: Cluster = "",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the best settings to this recipe.")] = None,
    json: Numbers = None,
    progress: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the games played so far in this file (default: RECIPE.progress, until the end).",
        ),
    ] = None,
) -> None:
    """Search for the options and numbers of a game that meet its targets. An interrupted search goes on where it was if
    you start it again (docs/laboratory.md)."""

    from fairdeal.engine.files import write_json, write_whole
    from fairdeal.lab.studies.recipe import read_study, setups_of
    from fairdeal.lab.tuning import MOST_CANDIDATES, recipe_of, told_tuned
    from fairdeal.lab.tuning import tune as tuned

    given = {"games": games, "watched": watched, "seed": seed}
    study = changed_by(read_study(recipe), given, None)
    setups = setups_of(study, recipe.parent, MOST_CANDIDATES)
    path = progress or Path(f"{recipe.name}.progress")
    check_writable(out, json, path)
    with players_of(context, jobs, cluster) as workers, showing(setups, compiles=not cluster) as begin:
        found = tuned(study, setups, workers, begin, path)
    if json:
        write_json(json, found)
    print_candidates(found)
    if out and found.best != "misses":
        best = next(setup for setup in setups if setup.name == found.rows[0].name)
        write_whole(out, recipe_of(study, best, recipe.parent, told_tuned(found)))
    if progress is None:
        path.unlink()


def print_candidates(found: Tuned) -> None:
    """Print the result in a sentence, and the best candidates with their values."""
    from rich.table import Table as Grid

    from fairdeal.lab.studies.answers import target_words
    from fairdeal.lab.studies.measures import STATISTICS
    from fairdeal.lab.studies.wording import between, formatted
    from fairdeal.lab.tuning import told_tuned
    from fairdeal.terminal.console import PlainConsole

    say(told_tuned(found), "")
    targets = (f"{STATISTICS[one.measure].title}\n{target_words(one)}" for one in found.rows[0].verdicts)
    grid = Grid("", *targets, "Games", "", box=None, header_style="bold")
    for row in found.rows[:MOST_ROWS]:
        values = (
            f"{formatted(one.estimate.value, STATISTICS[one.measure].kind)}{' *' if one.state == 'misses' else ''}\n"
            f"{between(one.estimate, STATISTICS[one.measure].kind)}"
            for one in row.verdicts
        )
        grid.add_row(row.name, *values, f"{row.games:,}", "not proven" if row.state == "open" else row.state)
    PlainConsole().print(grid)
    if len(found.rows) > MOST_ROWS:
        say(f"and {len(found.rows) - MOST_ROWS} more")
    if any(one.state == "misses" for row in found.rows[:MOST_ROWS] for one in row.verdicts):
        say("* misses the target for certain, after correction for all combinations, targets and rounds")
