"""Commands that play many games: simulate, ladder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairdeal.cli.shared import (
    Catalogue,
    GameName,
    Jobs,
    Json,
    Option,
    Players,
    Preset,
    TimeLimit,
    admitted,
    app,
    check_writable,
    open_table,
    print_json,
    progress_bar,
    refuse,
)
from fairdeal.terminal.plain import say

if TYPE_CHECKING:
    from rich.progress import Progress

    from fairdeal.bots.levels import Level
    from fairdeal.engine.state import Table
    from fairdeal.lab.estimates import Estimate
    from fairdeal.lab.ratings.ladder import Ladder
    from fairdeal.lab.simulate.executors import Workers
    from fairdeal.lab.simulate.simulation import Forfeits, Simulation

Cluster = Annotated[str, typer.Option(metavar="ADDRESS", help="Play on a Dask cluster (docs/cluster.md).")]
Seed = Annotated[str, typer.Option(metavar="SEED", help="A word or number; the same seed gives the same results.")]


@app.command()
def simulate(
    context: typer.Context,
    game: GameName,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="Number of games.", min=1)] = 1000,
    bots: Annotated[
        str,
        typer.Option(
            metavar="NAME[,NAME]",
            help="One bot for all seats, or one for each, such as otto,pip; your own bots as MODULE:CLASS.",
        ),
    ] = "greedy",
    seed: Seed = "0",
    jobs: Jobs = None,
    players: Players = None,
    option: Option = None,
    preset: Preset = "",
    catalogue: Catalogue = None,
    time_limit: TimeLimit = None,
    json: Json = False,
    cluster: Cluster = "",
    moves: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every decision to a Parquet file (docs/datasets.md).")
    ] = None,
    positions: Annotated[bool, typer.Option("--positions", help="Add each seat's knowledge as JSON; slow.")] = False,
    lists: Annotated[bool, typer.Option("--lists", help="Write observations as lists, not bytes; slower.")] = False,
    parquet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the result of every game to a Parquet file.")
    ] = None,
) -> None:
    """Let bots play many games. Prints results by seat and by bot with 95 % intervals, and lengths."""
    from fairdeal.bots.registry import one_for_each
    from fairdeal.lab.data import datasets
    from fairdeal.lab.simulate.simulation import play
    from fairdeal.lab.simulate.simulation import simulate as simulated

    if not moves:
        refuse(context, "without --moves", "positions", "lists")
    check_writable(moves, parquet)
    names = admitted(bots, time_limit)
    table = open_table(game, players, preset, option, catalogue)
    one_for_each(names, table.players, table.game)
    wishes = datasets.Wishes(positions, lists)
    play_them = datasets.play_into(moves, parquet, wishes) if moves or parquet else play
    with players_of(context, jobs, cluster) as workers, progress(table, compiles=not cluster) as bar:
        playing = bar.add_task(f"playing {table.game.title}", total=games)
        results = simulated(table, games, names, seed, workers, lambda more: bar.advance(playing, more), play_them)
    if json:
        print_json(results)
    else:
        print_simulation(results)


@contextmanager
def players_of(context: typer.Context, jobs: int | None, address: str) -> Iterator[Workers | int | None]:
    """Yield the workers of a cluster, or the number of threads that play the games in this process. If both are given,
    raise FairdealError."""
    from fairdeal.lab.simulate import executors

    if address:
        refuse(context, "with --cluster, because its workers play the games", "jobs")
        with executors.cluster(address) as workers:
            yield workers
    else:
        yield jobs


@contextmanager
def progress(table: Table, compiles: bool = True) -> Iterator[Progress]:
    """Show a progress bar on standard error. If games are played in this process, compile their rules first."""
    from rich.progress import TimeRemainingColumn

    from fairdeal.engine.compile import compiled
    from fairdeal.lab.simulate.simulation import prepare

    with progress_bar(TimeRemainingColumn()) as bar:
        if compiles:
            compiling = bar.add_task("compiling the rules", total=None)
            compiled.compiled(table.game, lambda done, of, name: bar.update(compiling, completed=done, total=of))
            bar.update(compiling, description="compiling simulations")
            prepare(table)
            bar.remove_task(compiling)
        yield bar


@app.command()
def ladder(
    context: typer.Context,
    game: GameName,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="Number of games of each line-up.", min=1)] = 2000,
    search_games: Annotated[
        int, typer.Option(metavar="NUMBER", help="Number of games if a bot searches or is your own.", min=1)
    ] = 100,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[,NAME]",
            help="Bots to rate, weakest first (default: the game's own); your own bots as MODULE:CLASS.",
        ),
    ] = None,
    seed: Seed = "0",
    jobs: Jobs = None,
    players: Players = None,
    option: Option = None,
    preset: Preset = "",
    calibrate: Annotated[bool, typer.Option("--calibrate", help="Calibrate the opponents' levels first.")] = False,
    minutes: Annotated[
        float,
        typer.Option(
            metavar="MINUTES", help="Processor time to calibrate bots that search; 0 leaves them unchanged.", min=0
        ),
    ] = 3.0,
    write: Annotated[bool, typer.Option("--write", help="Write results to levels.toml and docs/ladder.md.")] = False,
    time_limit: TimeLimit = None,
    json: Json = False,
    cluster: Cluster = "",
) -> None:
    """Rate a game's opponents by letting them play each other. A lead of 400 points means ten wins to one."""
    from fairdeal.bots.levels import levels_of
    from fairdeal.engine.errors import FairdealError
    from fairdeal.engine.registry import find_game
    from fairdeal.lab.ratings import calibration
    from fairdeal.lab.ratings import results as findings
    from fairdeal.lab.ratings.ladder import ladder as climbed
    from fairdeal.lab.ratings.ladder import lineups, seats_of

    if not calibrate:
        refuse(context, "without --calibrate", "minutes")
    low, high = find_game(game).players
    table = open_table(game, players if players is not None else min(max(low, 2), high), preset, option)
    names = admitted(bots, time_limit) if bots else []
    if names and (calibrate or write):
        raise FairdealError("--calibrate and --write need the game’s own opponents")
    levels: dict[str, Level] = {} if names else levels_of(table.game)
    seats = seats_of(table, names or list(levels))
    if calibrate:
        calibration.check(table)
    if write:
        findings.levels_path(table.game), findings.page_path()
    with players_of(context, jobs, cluster) as workers, progress(table, compiles=not cluster or calibrate) as bar:
        if calibrate:
            task = bar.add_task("calibrating", total=None)
            say = bar.console.print if not json else lambda words: None
            trials = calibration.Trials(table, games, search_games, minutes, f"trials {seed}", workers, say)
            levels = calibration.calibrate(trials)
            bar.remove_task(task)
        seated = {name: f"{name}:{level.way}" for name, level in levels.items()} or {name: name for name in names}
        total = len(lineups(len(seated), seats))
        playing = bar.add_task(f"playing {table.game.title}", total=total)
        found = climbed(
            table, seated, games, search_games, seed, workers, lambda done: bar.update(playing, completed=done)
        )
    if write:
        findings.write_levels(table.game, levels, found)
        findings.write_page(table.game, levels, found)
    if json:
        print_json(found)
    else:
        print_ladder(found)


def print_ladder(found: Ladder) -> None:
    from rich.table import Table as Grid

    from fairdeal.terminal.console import PlainConsole

    grid = Grid("bot", "rating", "wins against the previous one", "games", "plays", box=None, header_style="bold")
    for rung in found.rungs:
        rating = f"{rung.rating:.0f} ± {1.96 * rung.deviation:.0f}"
        grid.add_row(rung.name, rating, percent(rung.wins) if rung.wins else "", str(rung.games), rung.plays)
    PlainConsole().print(grid)
    print_forfeits(found.forfeits)


def print_forfeits(forfeits: tuple[Forfeits, ...]) -> None:
    for one in forfeits:
        counts = f"{one.late} late, {one.illegal} illegal, {one.failed} failed"
        say(f"{one.name} left {one.late + one.illegal + one.failed} moves to greedy: {counts}. {one.reason}")


def percent(share: Estimate) -> str:
    return f"{share.value:6.1%}  {share.low:.1%} to {share.high:.1%}"


def print_simulation(results: Simulation) -> None:
    from rich.table import Table as Grid

    from fairdeal.terminal.console import PlainConsole

    def number(value: Estimate) -> str:
        return f"{value.value:.2f} ± {value.high - value.value:.2f}"

    console = PlainConsole()
    for title, records in (("bot", results.by_bot), ("seat", results.by_seat)):
        grid = Grid(title, "wins", "mean score", "mean place", "games", box=None, header_style="bold")
        for record in records:
            row = percent(record.wins), number(record.score), number(record.place), str(record.games)
            grid.add_row(record.name, *row)
        console.print(grid)
        say()
    moves = results.moves
    say(
        f"moves per game: {number(moves.mean)}, median {moves.median:.0f}, 90 % from {moves.low_5:.0f} to "
        f"{moves.high_5:.0f}, longest {moves.longest}"
    )
    say(f"shared wins: {percent(results.shared_wins).strip()}")
    print_forfeits(results.forfeits)
    say(f"{results.games} games in {results.seconds:.1f} s, {rate(results.moves_per_second)} moves per second")


def rate(number: float) -> str:
    """Format a rate per second as people would say it, such as 850, 46,000 or 1.20 million."""
    if number >= 1e6:
        return f"{number / 1e6:.2f} million"
    return f"{float(f'{number:.2g}'):,.0f}"
