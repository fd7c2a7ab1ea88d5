"""The bots there are, by name: those that play by a rule, and the six opponents."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable

from fairdeal.bots.bots import Bot, GreedyBot, RandomBot
from fairdeal.bots.levels import FACES, LevelBot, level_of, levels_of
from fairdeal.engine import drivers
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.state import Table

BOTS: dict[str, Callable[[Table, int, bytes], Bot]] = {
    "random": lambda table, seat, key: RandomBot(key),
    "greedy": lambda table, seat, key: GreedyBot(table.game.recall),
    "forgetful": lambda table, seat, key: GreedyBot(table.game.recall * FORGETFUL // 100),
}

STAND_IN = "greedy"
"""The bot that plays for those who are away, or whose time is over."""

NEWCOMERS = "juno"
"""The opponent of whoever comes for the first time."""

FORGETFUL = 40
"""Percent of what it has seen that the forgetful bot remembers, where memory is the game."""


def bots_of(game: Game) -> list[str]:
    """The opponents worth offering in a game, the weakest first."""
    return list(levels_of(game))


def usual_bot(game: Game) -> str:
    """The opponent that sits down where nobody has said which: the one that newcomers should meet."""
    there = bots_of(game)
    return NEWCOMERS if NEWCOMERS in there else [*there, STAND_IN][0]


def code_of(name: str, game: Game) -> int:
    """The number of a bot for simulations, which run it in compiled code; `greedy-N` remembers N percent. Raises
    FairdealError."""
    if name == "random":
        return drivers.RANDOM
    if name == "greedy":
        return drivers.GREEDY + game.recall
    if name == "forgetful":
        return drivers.GREEDY + game.recall * FORGETFUL // 100
    share = re.fullmatch(r"greedy-(\d{1,3})", name)
    if share and int(share[1]) <= 100:
        return drivers.GREEDY + int(share[1])
    raise FairdealError(
        f"simulations know the bots {', '.join(BOTS)}, and greedy-N with N percent of memory, not {name!r}"
    )


def find_bot(name: str, table: Table, seat: int, key: bytes) -> Bot:
    """A bot by name for a seat, or by the word that `seated` gives; `key` seeds its own chance. Raises FairdealError
    with the names there are."""
    check_bot(name)
    if name in BOTS:
        return BOTS[name](table, seat, key)
    return LevelBot(table.game, level_of(name, table.game), key)


def check_bot(name: str) -> None:
    """Raises FairdealError if there is no bot of this name."""
    known = [*FACES, *BOTS]
    if name.partition(":")[0] not in known:
        near = difflib.get_close_matches(name, known, n=1)
        raise FairdealError(f"there is no bot {name!r}; did you mean {near[0]}?" if near else known_bots(name))


def known_bots(name: str) -> str:
    return f"there is no bot {name!r}; there are {', '.join([*FACES, *BOTS])}"
