"""The commands of `fairdeal`."""

from __future__ import annotations

import sys

from fairdeal.cli import checking, joining, logs, looking, playing, serving, studies
from fairdeal.cli.shared import app, fail
from fairdeal.engine.errors import FairdealError

__all__ = ["app", "checking", "joining", "logs", "looking", "main", "playing", "serving", "studies"]

ORDER = ["serve", "play", "join", "games", "rules", "simulate", "replay", "verify", "check", "position", "perft"]
app.registered_commands.sort(key=lambda command: ORDER.index(command.callback.__name__ if command.callback else ""))


def main() -> None:
    """Run a command; a bad input ends in one line on standard error."""
    try:
        app()
    except FairdealError as problem:
        fail(str(problem))
    except OSError as problem:
        fail(f"{problem.filename}: {problem.strerror}" if problem.filename else str(problem))
    except UnicodeDecodeError as problem:
        fail(f"not a text file: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
