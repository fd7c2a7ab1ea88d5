"""The bots there are, by name: those that play by a rule, one that has learned, the six opponents, and one's own,
`module:Class`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from itertools import chain, count

from fairdeal.bots import custom
from fairdeal.bots.bots import Bot, GreedyBot, RandomBot
from fairdeal.bots.learned import LearnedBot, net_for
from fairdeal.bots.levels import FACES, LevelBot, level_of, levels_of
from fairdeal.engine import drivers
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.state import Table

LEARNED = "learned"
"""The bot that plays by a net, in the games that one has learned."""

BOTS: dict[str, Callable[[Table, int, bytes], Bot]] = {
    "random": lambda table, seat, key: RandomBot(key),
    "greedy": lambda table, seat, key: GreedyBot(table.game.recall),
    "forgetful": lambda table, seat, key: GreedyBot(table.game.recall * FORGETFUL // 100),
    LEARNED: lambda table, seat, key: LearnedBot(table),
}

STAND_IN = "greedy"
"""The bot that plays for those who are away, or whose time is over."""

NEWCOMERS = "juno"
"""The opponent of whoever comes for the first time."""

NAMELESS = ("Bo", "Cleo", "Dai", "Eli", "Fay", "Gus", "Hana", "Ike", "Jo")
"""What bots are called that play by a rule alone."""

FORGETFUL = 40
"""Percent of what it has seen that the forgetful bot remembers, where memory is the game."""

SHARE = re.compile(r"greedy-(\d{1,2}|100)")
"""A greedy bot that remembers so many percent."""


def bots_of(game: Game) -> list[str]:
    """The opponents worth offering in a game, the weakest first."""
    return list(levels_of(game))


def usual_bot(game: Game) -> str:
    """The opponent that sits down where nobody has said which: the one that newcomers should meet."""
    there = bots_of(game)
    return NEWCOMERS if NEWCOMERS in there else [*there, STAND_IN][0]


def one_for_each(names: str | Sequence[str], seats: int, game: Game) -> tuple[str, ...]:
    """A bot for each of so many seats; a single name stands for all. Raises FairdealError."""
    return tuple(name for name, _ in coded_for_each(names, seats, game))


def coded_for_each(names: str | Sequence[str], seats: int, game: Game) -> tuple[tuple[str, int | None], ...]:
    """The same, each with its number (`code_of`)."""
    named = (names,) if isinstance(names, str) else tuple(names)
    coded = tuple((name, code_of(name, game)) for name in named)
    if len(coded) not in (1, seats):
        raise FairdealError(f"name one bot for all or one for each of the {seats} seats, not {len(coded)}")
    return coded * seats if len(coded) == 1 else coded


def code_of(name: str, game: Game) -> int | None:
    """The number of a bot that simulations run in compiled code; None for one that must be asked in Python. Raises
    FairdealError if there is no such bot."""
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
    """Raises FairdealError if the bot of this name cannot play at a table."""
    check_bot(name)
    if name == LEARNED:
        net_for(table)


def find_bot(name: str, table: Table, seat: int, key: bytes) -> Bot:
    """A bot by name for a seat, or by the word that `seated` gives; `key` seeds its own chance. Raises FairdealError
    with the names there are."""
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
    """What a bot is called: `Vix`, or the name of its class, or its own word."""
    face = FACES.get(bot.partition(":")[0])
    return bot.rpartition(":")[2] if custom.is_own(bot) else face.name if face else bot.capitalize()


def called(bot: str, is_free: Callable[[str], bool]) -> str:
    """What a bot is called where not every name is free: `Bram`, or `Bram 2` beside another."""
    if bot.partition(":")[0] not in FACES and bot != LEARNED and not custom.is_own(bot):
        return next(name for name in NAMELESS if is_free(name))
    name = name_of(bot)
    return next(one for one in chain([name], (f"{name} {number}" for number in count(2))) if is_free(one))


def check_bot(name: str) -> None:
    """Raises FairdealError if there is no bot of this name."""
    if custom.is_own(name):
        custom.check(name)
        return
    known = [*FACES, *BOTS]
    if not SHARE.fullmatch(name) and name.partition(":")[0] not in known:
        near = difflib.get_close_matches(name, known, n=1)
        raise FairdealError(f"there is no bot {name!r}; did you mean {near[0]}?" if near else known_bots(name))


def known_bots(name: str) -> str:
    return f"there is no bot {name!r}; there are {', '.join([*FACES, *BOTS])}, and your own as MODULE:CLASS"
