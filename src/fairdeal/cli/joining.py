"""The command that plays at a table of a room, by its link."""

from __future__ import annotations

from typing import Annotated

import typer

from fairdeal.cli.shared import CalmRaces, app


@app.command()
def join(
    link: Annotated[str, typer.Argument(help="A table's link, such as http://127.0.0.1:8017/t/abc123.")],
    name: Annotated[str | None, typer.Option(help="What you are called there.")] = None,
    calm_races: CalmRaces = False,
) -> None:
    """Play at a table of a room in the terminal, by its link; your seat there is found again."""
    from fairdeal.terminal.remote import run

    run(link, name, calm_races)
