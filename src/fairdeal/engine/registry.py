"""Functions that find games by name in the entry-point group `fairdeal.games`, whether they are fairdeal's own or
third-party."""

import copyreg
import difflib
import pickle
import warnings
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points, version

from fairdeal.engine.errors import BrokenGame, UnknownGame, in_a_line
from fairdeal.engine.game import Game

GROUP = "fairdeal.games"


@cache
def entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def game_names() -> list[str]:
    """Return the names of all installed games, sorted.

    >>> "chi" in game_names()
    True
    """
    return sorted(entries())


@cache
def installed_games() -> tuple[Game, ...]:
    """Return every installed game that loads, sorted by name. For each game that does not load, issue one warning with
    the reason."""
    games = []
    for name in game_names():
        try:
            games.append(find_game(name))
        except BrokenGame as problem:  # the other games go on
            warnings.warn(str(problem), RuntimeWarning, stacklevel=2)
    return tuple(games)


def find_game(name: str) -> Game:
    """Return the game named `name`. Raises UnknownGame, listing similar names or all names, if it is not installed, and
    BrokenGame if it cannot be loaded.

    >>> find_game("chi").title
    'Chi'
    """
    if name not in entries():
        raise UnknownGame(name, difflib.get_close_matches(name.lower(), entries(), n=3, cutoff=0.4), game_names())
    entry = entries()[name]
    try:
        game = entry.load()
    except Exception as problem:  # a stranger's package may raise anything
        raise BrokenGame(name, f"{entry.value} cannot be loaded: {in_a_line(problem)}") from problem
    if not isinstance(game, Game):
        raise BrokenGame(name, f"{entry.value} is a {type(game).__name__}, not a Game")
    if game.name != name:
        raise BrokenGame(name, f"{entry.value} has the name {game.name!r}; both must have the same name")
    return game


@cache
def version_of(name: str) -> str:
    """Return the versions of the packages that draw a game, with which its words may change: of fairdeal, and of the
    package of a game of a third party. Return an empty string if that package has no version.

    >>> version_of("chi") == version("fairdeal")
    True
    """
    package, own = entries()[name].dist if name in entries() else None, version("fairdeal")
    if package is None:
        return ""
    return own if package.name == "fairdeal" else f"{own} with {package.name} {package.version}"


def by_name(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """Pickle a game as its name. Raises PicklingError if this is not the game that is installed under the name."""
    if game.name not in entries() or find_game(game.name) is not game:
        raise pickle.PicklingError(f"only installed games can be pickled, and this game {game.name} is not installed")
    return find_game, (game.name,)


copyreg.pickle(Game, by_name)
