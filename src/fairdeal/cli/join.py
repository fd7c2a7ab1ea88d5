"""The command that plays at a room's table, by its link."""

from functools import partial
from typing import Annotated

import typer

from fairdeal.cli.shared import CalmRaces, TimeLimit, admitted, app, refuse
from fairdeal.terminal.plain import say


@app.command()
def join(
    context: typer.Context,
    link: Annotated[
        str,
        typer.Argument(
            metavar="LINK", help="A link of a table, such as http://127.0.0.1:8017/t/abc123, or of an evening."
        ),
    ],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name at the table.")] = None,
    words: Annotated[
        bool, typer.Option("--words", help="Ask for the six words of a kept name, and be the same guest as there.")
    ] = False,
    calm_races: CalmRaces = False,
    bot: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A bot that plays for you, such as vix, or your own bot as MODULE:CLASS."),
    ] = None,
    time_limit: TimeLimit = None,
) -> None:
    """Play at a room's table in the terminal, by its link. If you already have a seat there, you get it back. With the
    link of an evening, play at your tables there, one after the other."""
    if bot is not None:
        refuse(context, "with --bot, because a bot does not need longer races", "calm_races")
        refuse(context, "with --bot, because a bot has a name of its own", "words")
        from fairdeal.terminal.online import bot as bot_visit

        (bot,) = admitted(bot, time_limit)
        bot_visit.run(link, name, bot, partial(say, flush=True))
        return
    refuse(context, "without --bot", "time_limit")
    secret = typer.prompt("The six words of your name", hide_input=True) if words else ""
    if "/evening/" in link:
        from fairdeal.terminal.online import evening

        evening.run(link, name, calm_races, secret, partial(say, flush=True))
        return
    from fairdeal.terminal.online.remote_table import run

    run(link, name, calm_races, secret)


@app.command()
def today(
    link: Annotated[
        str | None,
        typer.Argument(metavar="[LINK]", help="A room's link (default: the room where you have played)."),
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name at the table.")] = None,
) -> None:
    """Play the deal of the day of a room, and show what came of it."""
    from fairdeal.terminal.online.today import run

    run(link, name, partial(say, flush=True))
