"""The command that describes a game's observations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairdeal.cli.shared import GameName, Option, Players, Preset, app, open_table
from fairdeal.terminal.plain import say

if TYPE_CHECKING:
    from fairdeal.engine.observe.layout import Layout


@app.command()
def observations(game: GameName, players: Players = None, option: Option = None, preset: Preset = "") -> None:
    """Print the planes of a game's observations. The output is a table in Markdown."""
    from fairdeal.engine.observe.layout import layout_of

    say(*section(layout_of(open_table(game, players, preset, option))).split("\n"))


def section(layout: Layout) -> str:
    """Return the planes of a layout as a section of docs/observations.md."""
    table = layout.table
    rows = [
        f"| {plane.name} | {plane.start} | {' × '.join(map(str, plane.shape)) or '1'} | {plane.words} |"
        for plane in layout.planes
    ]
    seats = "one player" if table.players == 1 else f"{table.players} players"
    head = f"{layout.size} numbers of type {layout.dtype} at a table for {seats}."
    return "\n".join([f"## {table.game.name}", "", head, "", "| plane | from | shape | |", "|---|---|---|---|", *rows])
