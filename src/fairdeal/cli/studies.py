"""The command that plays many games: simulate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fairdeal.cli.shared import Catalogue, GameName, Json, Option, Players, Preset, app, open_table, print_json

if TYPE_CHECKING:
    from fairdeal.lab.simulation import Estimate, Simulation


@app.command()
def simulate(
    game: GameName,
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 1000,
    bots: Annotated[str, typer.Option(help="One bot for all seats, or one for each: greedy,random,...")] = "greedy",
    seed: Annotated[str, typer.Option(help="A word or number; the same one gives the same results.")] = "0",
    jobs: Annotated[int | None, typer.Option(help="Threads; all cores if left out.", min=1)] = None,
    players: Players = None,
    option: Option = None,
    preset: Preset = "",
    catalogue: Catalogue = None,
    json: Json = False,
) -> None:
    """Let bots play many games: results by seat and by bot with 95 % intervals, and lengths."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from fairdeal.engine import compiled
    from fairdeal.lab.simulation import prepare, seats_for
    from fairdeal.lab.simulation import simulate as simulated

    table = open_table(game, players, preset, option, catalogue)
    seats_for(table, bots.split(","))
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        compiling = bar.add_task("compiling the rules", total=None)
        compiled.compiled(table.game, lambda done, of, name: bar.update(compiling, completed=done, total=of))
        bar.update(compiling, description="compiling simulations")
        prepare(table)
        bar.remove_task(compiling)
        playing = bar.add_task(f"playing {table.game.title}", total=games)
        results = simulated(table, games, bots.split(","), seed, jobs, lambda done: bar.update(playing, completed=done))
    if json:
        print_json(results)
    else:
        print_simulation(results)


def print_simulation(results: Simulation) -> None:
    from rich.console import Console
    from rich.table import Table as Grid

    def percent(share: Estimate) -> str:
        return f"{share.value:6.1%}  {share.low:.1%} to {share.high:.1%}"

    def number(value: Estimate) -> str:
        return f"{value.value:.2f} ± {value.high - value.value:.2f}"

    console = Console()
    for title, records in (("bot", results.by_bot), ("seat", results.by_seat)):
        grid = Grid(title, "wins", "mean score", "mean place", "games", box=None, header_style="bold")
        for record in records:
            row = percent(record.wins), number(record.score), number(record.place), str(record.games)
            grid.add_row(record.name, *row)
        console.print(grid)
        print()
    moves = results.moves
    print(
        f"moves a game: {number(moves.mean)}, median {moves.median:.0f}, 90 % from {moves.low_5:.0f} to "
        f"{moves.high_5:.0f}, longest {moves.longest}"
    )
    print(f"shared wins: {percent(results.shared_wins).strip()}")
    print(
        f"{results.games} games in {results.seconds:.1f} s, {results.moves_per_second / 1e6:.2f} million moves a second"
    )
