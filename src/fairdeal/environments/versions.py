"""The versions of a game's environments, and the tables at which they play.

An environment's name ends in its version: `war-xtreme-v2` in PettingZoo and batches, `fairdeal/WarXtreme-v2` in
Gymnasium. The version of the rules plays with the default of every option. If a game's first preset sets options, as in
games whose default rules begin slowly, the next version plays by that preset. A name without a version means the first
version.
"""

import re
from collections.abc import Mapping

from fairdeal.engine.errors import UnknownGame
from fairdeal.engine.game import Game
from fairdeal.engine.registry import find_game, game_names
from fairdeal.engine.state import Table, table_for

VERSIONED = re.compile(r"(.+)-v(\d{1,6})")


def versions_of(game: Game) -> dict[int, str]:
    """Return the versions of a game's environments, each with the name of its preset, or "" for the default options.

    >>> versions_of(find_game("chi")), versions_of(find_game("war-xtreme"))
    ({1: ''}, {1: '', 2: 'at-once'})
    """
    first = next(iter(game.presets), "")
    usual = {game.rules_version: ""}
    if first and table_for(game.name, {}, first).options != table_for(game.name, {}).options:
        return usual | {game.rules_version + 1: first}
    return usual


def version_in(name: str) -> tuple[Game, int]:
    """Return the game and the version for an environment's name. Raises UnknownGame if there is no such version.

    >>> version_in("chimax-books-v2")[1], version_in("chimax-books")[1]
    (2, 1)
    """
    parts = VERSIONED.fullmatch(name) if isinstance(name, str) and name not in game_names() else None
    if parts is None:
        game = find_game(name)
        return game, game.rules_version
    game, version = find_game(parts[1]), int(parts[2])
    there = versions_of(game)
    if version not in there:
        raise UnknownGame(name, [f"{game.name}-v{one}" for one in there])
    return game, version


def table_of(name: str, options: Mapping[str, object], preset: str = "") -> tuple[Table, int]:
    """Return the table of an environment, and its version. The preset of the version is used unless another one is
    given. Raises FairdealError if there is no such environment, or if the options are not valid for the game."""
    game, version = version_in(name)
    return table_for(game.name, options, preset or versions_of(game)[version]), version
