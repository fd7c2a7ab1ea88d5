"""The bots by name: simple rules, the learned bot, the six opponents, and a user's own bots as `module:Class`."""

import difflib
import re
from collections.abc import Callable, Sequence

from fairdeal.bots import custom
from fairdeal.bots.bots import Bot, GreedyBot, RandomBot
from fairdeal.bots.learned import LearnedBot, net_for
from fairdeal.bots.levels import FACES, LevelBot, level_of, levels_of
from fairdeal.engine import drivers
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.state import Table

LEARNED = "learned"
"""Name of the bot that plays with a neural network, in games with a trained network."""

BOTS: dict[str, Callable[[Table, int, bytes], Bot]] = {
    "random": lambda table, seat, key: RandomBot(key),
    "greedy": lambda table, seat, key: GreedyBot(table.game.recall),
    "forgetful": lambda table, seat, key: GreedyBot(table.game.recall * FORGETFUL // 100),
    LEARNED: lambda table, seat, key: LearnedBot(table),
}

STAND_IN = "greedy"
"""Name of the bot that replaces absent players, and players whose time is up."""

NEWCOMERS = "juno"
"""Id of the opponent suggested to new players."""

FORGETFUL = 40
"""Percentage of seen cards that the forgetful bot remembers, in games with memory."""

SHARE = re.compile(r"greedy-(\d{1,2}|100)")
"""Pattern of the names of greedy bots with a given memory in percent, such as `greedy-30`."""


def bots_of(game: Game) -> list[str]:
    """Return the ids of the opponents offered in a game, from the weakest to the strongest."""
    return list(levels_of(game))


def usual_bot(game: Game) -> str:
    """Return the default opponent of a game: the opponent for new players if the game has it, or else the weakest."""
    there = bots_of(game)
    return NEWCOMERS if NEWCOMERS in there else [*there, STAND_IN][0]


def one_for_each(names: str | Sequence[str], seats: int, game: Game) -> tuple[str, ...]:
    """Return a bot name for each of `seats` seats. A single name is used for all seats. Raises FairdealError if the
    names do not fit."""
    return tuple(name for name, _ in coded_for_each(names, seats, game))


def coded_for_each(names: str | Sequence[str], seats: int, game: Game) -> tuple[tuple[str, int | None], ...]:
    """Return a bot name and its code (see `code_of`) for each seat. A single name is used for all seats. Raises
    FairdealError if the names do not fit."""
    named = (names,) if isinstance(names, str) else tuple(names)
    coded = tuple((name, code_of(name, game)) for name in named)
    if len(coded) not in (1, seats):
        raise FairdealError(f"give one bot for all seats or one for each of the {seats} seats, not {len(coded)}")
    return coded * seats if len(coded) == 1 else coded


def code_of(name: str, game: Game) -> int | None:
    """Return the code of a bot that runs in compiled simulations, or None for a bot that runs in Python. Raises
    FairdealError if the bot does not exist."""
    check_bot(name)
    share = SHARE.fullmatch(name)
    if share:
        return drivers.GREEDY + int(share[1])
    if name == "random":
        return drivers.RANDOM
    if name == "greedy":
        return drivers.GREEDY + game.recall
    if name == "forgetful":
        return drivers.GREEDY + game.recall * FORGETFUL // 100
    if name == LEARNED or custom.is_own(name):
        return None
    level = level_of(name, game)
    if level.playouts:
        return None
    if level.blunders == 100:
        return drivers.RANDOM
    return drivers.GREEDY + level.recall(game) + drivers.BLUNDERS * level.blunders


def check_table(name: str, table: Table) -> None:
    """Raise FairdealError if the bot with this name cannot play at a table."""
    check_bot(name)
    if name == LEARNED:
        net_for(table)


def find_bot(name: str, table: Table, seat: int, key: bytes) -> Bot:
    """Return the bot with this name, or with this string made by `seated`, for a seat. `key` seeds its random choices.
    Raises FairdealError, with a list of the names, if the bot does not exist."""
    check_bot(name)
    share = SHARE.fullmatch(name)
    if share:
        return GreedyBot(int(share[1]))
    if name in BOTS:
        return BOTS[name](table, seat, key)
    if custom.is_own(name):
        return custom.seat(name, table, seat, key)
    return LevelBot(table.game, level_of(name, table.game), key)


def name_of(bot: str) -> str:
    """Return the display name of a bot, such as `Vix` for an opponent or the class name of a user's own bot."""
    face = FACES.get(bot.partition(":")[0])
    return bot.rpartition(":")[2] if custom.is_own(bot) else face.name if face else bot.capitalize()


def check_bot(name: str) -> None:
    """Raise FairdealError if no bot has this name."""
    if custom.is_own(name):
        custom.check(name)
        return
    known = [*FACES, *BOTS]
    if not SHARE.fullmatch(name) and name.partition(":")[0] not in known:
        near = difflib.get_close_matches(name, known, n=1)
        raise FairdealError(f"there is no bot {name!r}; did you mean {near[0]}?" if near else known_bots(name))


def known_bots(name: str) -> str:
    return f"there is no bot {name!r}; choose {', '.join([*FACES, *BOTS])}, or a class of your own as MODULE:CLASS"
