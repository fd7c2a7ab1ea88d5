"""Compile search before its first use, in a separate process.

Compiling takes many seconds, during which this process could do hardly anything else. Afterwards the compiled code is
loaded into this process.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator

from fairdeal.bots.search import SearchBot
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.cache import UNSAVED
from fairdeal.engine.game import Game
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State, table_for

FAR = 100
"""Maximum number of moves after the deal within which a state with a choice must occur."""

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
    """Run one minimal search at a choice between moves, so that everything that a search calls is compiled."""
    bot = SearchBot(game, b"", games=1)
    for turn, state in enumerate(moments(game)):
        seat = state.to_act[0]
        if len(bot.think(state.view(seat, bot.recall), seat, turn)) > 1:
            break
    _ready.add(game.name)


def moments(game: Game) -> Iterator[State]:
    """Yield the first states of a game played by greedy bots."""
    state = table_for(game.name, {}, "").deal(0)
    plan = compiled.scratch(game)
    for _ in range(FAR):
        if state.over or not state.to_act:
            return
        yield state
        seat = state.to_act[0]
        count = compiled.ready(game).greedy(state.view(seat, game.recall).record, seat, plan)
        state.play_actions(seat, plan[:count].tolist())


if __name__ == "__main__":
    prepare(find_game(sys.argv[1]))
