"""The commands that play and teach in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairdeal.cli.shared import (
    CalmRaces,
    Catalogue,
    GameName,
    Option,
    Players,
    Preset,
    Seed,
    TimeLimit,
    admitted,
    app,
    chosen_options,
    own_cards,
)


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Without one, a menu.")] = None,
    players: Players = None,
    bots: Annotated[
        str | None, typer.Option(help="Bots for the other seats, such as vix or juno,bram; your own as MODULE:CLASS.")
    ] = None,
    people: Annotated[int, typer.Option(help="People who share this screen; 0 watches the bots.", min=0)] = 1,
    name: Annotated[list[str] | None, typer.Option(help="The name of a person; repeatable.")] = None,
    seed: Seed = None,
    option: Option = None,
    preset: Preset = "",
    catalogue: Catalogue = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with a saved game.")] = None,
    save: Annotated[Path | None, typer.Option(help="Where to save the game.")] = None,
    calm_races: CalmRaces = False,
    time_limit: TimeLimit = None,
) -> None:
    """Play in the terminal, alone against bots or several people at one screen."""
    from fairdeal.terminal.app import run

    run(
        game=game,
        players=players,
        bots=admitted(bots, time_limit) if bots else (),
        seed=seed,
        options=chosen_options(option) | (own_cards(game, catalogue) if game else {}),
        preset=preset,
        names=name or [],
        people=people,
        resume=resume,
        save=save,
        calm=calm_races,
    )


@app.command()
def learn(
    game: GameName,
    lesson: Annotated[str, typer.Argument(metavar="[LESSON]", help="One of the lessons of the game.")] = "first",
) -> None:
    """Learn a game in 90 seconds, at a table where only what the lesson asks for can be done."""
    from fairdeal.terminal.app import learn as teach

    teach(game, lesson)
