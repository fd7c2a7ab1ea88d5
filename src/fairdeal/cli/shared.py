"""The commands: what they all share. Everything heavy is imported by the command that needs it, so help is instant."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from fairdeal.engine.state import Table

app = typer.Typer(
    name="fairdeal",
    help="A card room: published card games as exact rules, to play, to simulate and to study.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The name of a game; `fairdeal games` lists them.")]
Players = Annotated[int | None, typer.Option(help="How many play.")]
Option = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option; repeatable.")
]
Preset = Annotated[str, typer.Option(help="A named set of options.")]
Catalogue = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Your own cards, for a game that takes them (docs/catalogue.md).")
]
Seed = Annotated[str | None, typer.Option(help="A word or number; the same one deals the same cards.")]
CalmRaces = Annotated[bool, typer.Option("--calm-races", help="Let races last longer, for everybody at the table.")]
TimeLimit = Annotated[
    float | None, typer.Option(help="Seconds a move for a bot of your own; 10 if left out.", min=0.001)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def fail(message: str) -> None:
    print(f"fairdeal: {message}", file=sys.stderr)
    sys.exit(1)


def chosen_options(options: list[str] | None) -> dict[str, object]:
    """The options given as NAME=VALUE."""
    from fairdeal.engine.errors import BadOption
    from fairdeal.engine.options import parse_value

    chosen: dict[str, object] = {}
    for text in options or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOption(name, "", "write it as NAME=VALUE")
        chosen[name.strip()] = parse_value(value.strip())
    return chosen


def own_cards(name: str, file: Path | None) -> dict[str, object]:
    """The option that says with which cards a game is played, if a file says so."""
    if file is None:
        return {}
    from fairdeal.engine.options import read_file
    from fairdeal.engine.registry import find_game

    return {"catalogue": read_file(find_game(name).options, "catalogue", file)}


def admitted(bots: str, seconds: float | None) -> list[str]:
    """Names of bots, with commas between them; one's own classes among them may play in this process."""
    from fairdeal.bots import own

    names = [name.strip() for name in bots.split(",")]
    own.admit(names, own.TIME_LIMIT if seconds is None else seconds)
    return names


def open_table(
    name: str, players: int | None, preset: str, options: list[str] | None, catalogue: Path | None = None
) -> Table:
    from fairdeal.engine.state import table_for

    given = chosen_options(options) | own_cards(name, catalogue) | ({} if players is None else {"players": players})
    return table_for(name, given, preset)


def print_json(value: Any) -> None:
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value)).decode())
