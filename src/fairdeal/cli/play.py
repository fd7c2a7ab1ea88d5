"""Commands that play and teach in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from fairdeal.cli.shared import (
    CalmRaces,
    Catalogue,
    GameName,
    Option,
    Players,
    Seed,
    TimeLimit,
    admitted,
    app,
    chosen_options,
    own_cards,
    refuse,
)


@app.command()
def play(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="A game (default: a menu).")] = None,
    players: Players = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[,NAME]",
            help="Bots for the other seats, such as vix or juno,bram, or your own bots as MODULE:CLASS.",
        ),
    ] = None,
    people: Annotated[
        int, typer.Option(metavar="NUMBER", help="Number of people at this screen; 0 to watch the bots.", min=0)
    ] = 1,
    name: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Your name; repeat the option for each person.")
    ] = None,
    seed: Seed = None,
    option: Option = None,
    preset: Annotated[str, typer.Option(metavar="NAME", help="A named set of options (default: the first).")] = "",
    catalogue: Catalogue = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Continue a saved game.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to save the game.")] = None,
    calm_races: CalmRaces = False,
    time_limit: TimeLimit = None,
) -> None:
    """Play in the terminal, either alone against bots or with several people at one screen."""
    from fairdeal.terminal.app import run
    from fairdeal.terminal.screens.new_table import Plan

    table = "players", "people", "name", "seed", "option", "preset", "catalogue"
    if resume is not None:
        refuse(context, "with --resume, because a saved game keeps its settings", "game", *table)
    elif game is None:
        refuse(context, "without a game; use fairdeal play GAME", *table, "bots", "save", "time_limit")
    chairs, plan = admitted(bots, time_limit) if bots else (), None
    if game is not None:
        options = chosen_options(option) | own_cards(game, catalogue)
        plan = Plan(game, preset, options, players, people, name or (), chairs, seed)
    run(plan, resume, save, calm_races)


@app.command()
def learn(
    game: GameName,
    lesson: Annotated[str, typer.Argument(metavar="LESSON", help="Another lesson of the game.")] = "first",
) -> None:
    """Learn a game in 90 seconds. The table allows only the moves of the lesson."""
    from fairdeal.terminal.app import learn as teach

    teach(game, lesson)
