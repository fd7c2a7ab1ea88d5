"""Compilation of search before its first use, in a separate process.

Compiling takes many seconds, during which this process could do hardly anything else. Afterwards the compiled code is
loaded into this process.
"""

import logging
import subprocess
import sys

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.cache import UNSAVED
from fairdeal.engine.compile.searches import compiled_search
from fairdeal.engine.game import Game
from fairdeal.engine.registry import find_game

log = logging.getLogger(__name__)

_ready: set[str] = set()


def prepare_apart(game: Game) -> None:
    """Compile the search of a game in a separate process and load it, or compile it in this process if that fails."""
    if game.name in _ready:
        return
    command = [sys.executable, "-W", f"error:{UNSAVED}", "-m", "fairdeal.bots.preparing", game.name]
    told = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if told.returncode:
        log.warning(
            "the search for %s could not be compiled in a separate process: %s",
            game.name,
            told.stderr[-compiled.LONGEST :],
        )
    prepare(game)


def prepare(game: Game) -> None:
    """Compile the search of a game, or load it."""
    compiled_search(game.name)
    _ready.add(game.name)


if __name__ == "__main__":
    prepare(find_game(sys.argv[1]))
