"""The commands of `fairdeal`."""

import contextlib
import errno
import os
import sys
import warnings
from io import StringIO, TextIOWrapper
from typing import Annotated, TextIO

import typer

from fairdeal.cli import check, games, join, logs, new, observations, play, room, simulate, study, wasm
from fairdeal.cli import serve as serving
from fairdeal.cli.shared import Command, app, fail
from fairdeal.engine.errors import BadOption, FairdealError
from fairdeal.terminal.plain import say

__all__ = [
    "app",
    "check",
    "games",
    "join",
    "logs",
    "main",
    "new",
    "observations",
    "play",
    "room",
    "serving",
    "simulate",
    "study",
    "wasm",
]

ORDER = [
    "serve",
    "play",
    "learn",
    "join",
    "today",
    "games",
    "rules",
    "simulate",
    "study",
    "tune",
    "ladder",
    "replay",
    "verify",
    "analyse",
    "observations",
    "wasm",
    "check",
    "position",
    "perft",
    "new",
]
app.add_typer(room.app, name="room")
app.registered_commands.sort(key=lambda command: ORDER.index(command.callback.__name__ if command.callback else ""))
for command in [*app.registered_commands, *room.app.registered_commands]:
    command.cls = Command


def show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"fairdeal {version('fairdeal')}")
        raise typer.Exit


@app.callback()
def common(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
    lan: Annotated[bool, serving.option("lan")] = False,
) -> None:
    """A card room: published card games as exact rules, to play, simulate and study. Without a command, it opens the
    room in your browser."""
    if context.invoked_subcommand is None:
        serving.serve(browser=True, lan=lan or None)
    elif lan:
        raise FairdealError("--lan opens the room: give no other command, or fairdeal serve --lan")


class Missing(StringIO):
    """The standard output of a program that was started without one. It holds what could not be printed."""


def prepare_streams() -> None:
    """Make the standard streams accept every letter, also if they are closed or go to a file.

    Python has None for a closed stream. Files that are opened later must not take its number, or other libraries would
    print into them.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdout = sys.stdout or Missing()
    # `print` would take standard output instead of None
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115 - as long as the program
    for stream in sys.stdout, sys.stderr:
        if isinstance(stream, TextIOWrapper):
            # a card's symbol must not fail on an ASCII terminal, and files are UTF-8 on Windows, too
            is_file = sys.platform == "win32" and not stream.isatty() and "PYTHONIOENCODING" not in os.environ
            stream.reconfigure(errors="replace", encoding="utf-8" if is_file else None)


def finish(output: TextIO) -> None:
    """Flush and close a stream. Python would flush it after `main`, where an error could not be caught. If flushing
    fails, the stream is closed anyway, so that Python does not flush it again, and OSError is raised."""
    if isinstance(output, Missing) and output.getvalue():
        raise OSError(errno.EBADF, "standard output is closed, so nothing was printed")
    try:
        output.flush()
    except OSError:
        with contextlib.suppress(OSError):
            output.close()
        raise


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning in one line, without the source line that caused it."""
    say(f"fairdeal: {message}", error=True)


def main() -> None:
    """Run a command. If input is invalid or output cannot be written, exit with one line on standard error."""
    prepare_streams()
    warnings.showwarning = show_warning
    try:
        try:
            app()
        finally:
            finish(sys.stdout)
    except BadOption as problem:
        fail(problem.coded)
    except FairdealError as problem:
        fail(str(problem))
    except BrokenPipeError:
        sys.exit(1)  # the reader has closed the pipe
    except OSError as problem:
        fail(f"{problem.filename}: {problem.strerror}" if problem.filename else problem.strerror or str(problem))
    except KeyboardInterrupt:
        sys.exit(130)
