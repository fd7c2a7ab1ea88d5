"""Games by name, from the entry-point group `fairdeal.games`: ours and those of third parties alike."""

from __future__ import annotations

import difflib
import warnings
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from fairdeal.engine.errors import UnknownGame
from fairdeal.engine.game import Game

GROUP = "fairdeal.games"


@cache
def entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def game_names() -> list[str]:
    """The names of all installed games, in order."""
    return sorted(entries())


@cache
def installed_games() -> tuple[Game, ...]:
    """Every installed game that loads, in order of names; of one that does not, a warning says why, once."""
    games = []
    for name in game_names():
        try:
            games.append(find_game(name))
        except Exception as problem:  # a stranger's package may raise anything; the other games go on
            warnings.warn(f"the game {name} cannot be loaded: {problem!r}", RuntimeWarning, stacklevel=2)
    return tuple(games)


def find_game(name: str) -> Game:
    """The game of that name. Raises UnknownGame with names near it, or all."""
    if name not in entries():
        raise UnknownGame(name, difflib.get_close_matches(name.lower(), entries(), n=3, cutoff=0.4), game_names())
    game = entries()[name].load()
    if not isinstance(game, Game):
        raise TypeError(f"entry point {name} of {GROUP} is not a Game")
    return game
