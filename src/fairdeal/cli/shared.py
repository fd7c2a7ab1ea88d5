"""Options and functions that all commands share. Heavy modules are imported by the commands that need them, so that
help is instant."""

from __future__ import annotations

import contextlib
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from fairdeal.engine.errors import SECRET, FairdealError
from fairdeal.terminal.plain import COMMANDS, say

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from fairdeal.engine.state import Table

PYTHON_TYPE = re.compile(r" <[^<>]+>$")
WORDED = re.compile(r"(?<=\[default: )\(([^()]*)\)")
"""A default that is given as text, which Typer shows in parentheses."""


UsageError: Any = typer.BadParameter.__base__
"""The error about a command line, which Typer does not export."""


@contextlib.contextmanager
def without_secrets() -> Iterator[None]:
    """Let errors about a command line not quote passwords."""
    try:
        yield
    except UsageError as problem:
        problem.message = SECRET.sub("...", problem.message)
        raise


class Commands(TyperGroup):
    """A group of commands whose errors do not quote passwords."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        with without_secrets():
            return super().resolve_command(ctx, args)


class Command(TyperCommand):
    """A command whose help shows argument names without Python types, and all defaults in the same way. Its errors do
    not quote passwords."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with without_secrets():
            return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for head, kind in (("Arguments", "argument"), ("Options", "option")):
            records = [one.get_help_record(ctx) for one in self.get_params(ctx) if one.param_type_name == kind]
            rows = [(PYTHON_TYPE.sub("", names), WORDED.sub(r"\1", text)) for names, text in filter(None, records)]
            if rows:
                with formatter.section(head):
                    formatter.write_dl(rows)


app = typer.Typer(
    name="fairdeal",
    cls=Commands,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The name of a game; `fairdeal games` lists them.")]
Players = Annotated[int | None, typer.Option(metavar="NUMBER", help="Number of players.")]
Option = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; repeatable.")
]
Preset = Annotated[str, typer.Option(metavar="NAME", help="A named set of options.")]
Catalogue = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Your own cards, for a game that accepts them (docs/catalogue.md).")
]
Seed = Annotated[str | None, typer.Option(metavar="SEED", help="A word or number; the same seed deals the same cards.")]
CalmRaces = Annotated[bool, typer.Option("--calm-races", help="Make races longer, for everybody at the table.")]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", help="Time limit for each move of your own bots, in seconds (default: 10).", min=0.001
    ),
]
Jobs = Annotated[int | None, typer.Option(metavar="NUMBER", help="Number of threads (default: all cores).", min=1)]
Json = Annotated[bool, typer.Option("--json", help="Print the output as JSON.")]


def refuse(context: typer.Context, reason: str, *names: str) -> None:
    """Raise FairdealError, with a reason, for the first of the options `names` on the command line, because it would
    have no effect."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is not None and source.name == "COMMANDLINE":
            typed = parameter.opts[0] if isinstance(parameter, TyperOption) else parameter.metavar
            raise FairdealError(f"{typed} has no effect {reason}")


def check_writable(*files: Path | None) -> None:
    """Check, before a long computation, that files can be written. Raises FairdealError otherwise."""
    for file in files:
        if file is None:
            continue
        if file.exists() and not file.is_file():
            raise FairdealError(f"{file} cannot be written: it is not an ordinary file")
        try:
            check_folder(file.parent)
        except OSError as problem:
            raise FairdealError(f"{file} cannot be written: {problem.strerror}") from None


def check_folder(folder: Path) -> None:
    """Create a folder if necessary. Raises OSError if no file can be written there."""
    import tempfile

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def progress_bar(*further: ProgressColumn) -> Progress:
    """Return a progress bar on standard error, disabled if that is not a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from fairdeal.terminal.console import PlainConsole

    console = PlainConsole(error=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), *further
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def fail(message: str) -> None:
    say(f"fairdeal: {message}", error=True)
    sys.exit(1)


def chosen_options(options: list[str] | None) -> dict[str, object]:
    """Return the options given as NAME=VALUE."""
    from fairdeal.engine.options import parse_value

    chosen: dict[str, object] = {}
    for text in options or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise FairdealError(f"an option must have the form NAME=VALUE, not {text!r}")
        chosen[name.strip()] = parse_value(value.strip())
    return chosen


def own_cards(name: str, file: Path | None) -> dict[str, object]:
    """Return the option `catalogue` with the contents of a file, or no options without a file."""
    if file is None:
        return {}
    from fairdeal.engine.options import read_file
    from fairdeal.engine.registry import find_game

    return {"catalogue": read_file(find_game(name).options, "catalogue", file)}


def admitted(bots: str, seconds: float | None) -> list[str]:
    """Return the names of bots in a comma-separated list, and allow this process to import the classes among them."""
    from fairdeal.bots import custom

    names = [name.strip() for name in bots.split(",")]
    custom.admit(names, custom.TIME_LIMIT if seconds is None else seconds)
    return names


def open_table(
    name: str, players: int | None, preset: str, options: list[str] | None, catalogue: Path | None = None
) -> Table:
    from fairdeal.engine.state import table_for

    given = chosen_options(options) | own_cards(name, catalogue) | ({} if players is None else {"players": players})
    return table_for(name, given, preset)


def print_json(value: Any) -> None:
    import msgspec

    lines = msgspec.json.format(msgspec.json.encode(value)).decode().split("\n")
    say(*(COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", line) for line in lines))


def finite(given: float | None) -> float | None:
    """Return a number that was given for an option. Raises BadParameter for `nan`, which satisfies any `min` and `max`,
    and for `inf`."""
    if given is not None and not math.isfinite(given):
        raise typer.BadParameter(f"{given} is not a number")
    return given
