"""Six opponents with the same faces in every game. How each of them plays a game is told by the game's `levels.toml`:
by how much it remembers, how often it plays anything, and how many games it plays out before it moves. Nobody cheats.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

from fairdeal.bots.bots import GreedyBot, RandomBot, Suggestion
from fairdeal.bots.search import SearchBot
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_file
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.state import State


class Face(msgspec.Struct, frozen=True):
    """An opponent as people know it: its name, the animal and the colour of its portrait, how many of the six pips are
    full, what is said of it, and its pronoun."""

    id: str
    name: str
    animal: str
    colour: str
    pips: int
    line: str
    pronoun: str


FACES: dict[str, Face] = {
    face.id: face
    for face in (
        Face("pip", "Pip", "mouse", "#a9566c", 1, "Learned it this morning.", "she"),
        Face("juno", "Juno", "hare", "#8a5a2b", 2, "Plays fast, forgets faster.", "she"),
        Face("bram", "Bram", "badger", "#47566b", 3, "Takes the sure thing.", "he"),
        Face("otto", "Otto", "otter", "#2f6f72", 4, "Counts every card.", "he"),
        Face("vix", "Vix", "fox", "#5d1f2b", 5, "Knows what you hold, nearly.", "she"),
        Face("nox", "Nox", "raven", "#3b2f63", 6, "Has all night.", "he"),
    )
}
"""The opponents, the weakest first."""


class Level(msgspec.Struct, frozen=True):
    """How an opponent plays a game. `memory`: percent of what a seat may remember there; `blunders`: percent of its
    moves that are any legal one; `playouts`: games that it plays out before a move, 0 for the game's greedy rule.
    `rating` and `deviation` are what the ladder found (docs/ladder.md), 0 before it was played."""

    memory: int = 100
    blunders: int = 0
    playouts: int = 0
    rating: float = 0.0
    deviation: float = 0.0

    @property
    def way(self) -> str:
        """How it plays, in a word for logs, which outlive the numbers in files."""
        return f"{self.memory}-{self.blunders}-{self.playouts}"

    def recall(self, game: Game) -> int:
        """How much of what a seat has seen it remembers, in percent: search all that the level allows, the greedy rule
        where memory is the game."""
        return self.memory if self.playouts else game.recall * self.memory // 100

    def habits(self, game: Game) -> str:
        """How it plays, in words."""
        if self.blunders == 100:
            return "any legal move"
        sound = f"plays {self.playouts} games out before a move" if self.playouts else "the greedy rule"
        memory = f"remembers {self.memory} %" if game.recall and self.memory < 100 else ""
        blunders = f"{self.blunders} % of its moves are random" if self.blunders else ""
        return ", ".join(filter(None, (sound, memory, blunders)))


USUAL = {
    "pip": Level(memory=0, blunders=100),
    "juno": Level(memory=0, blunders=40),
    "bram": Level(memory=0, blunders=10),
    "otto": Level(),
}
"""How opponents play a game that says nothing of them."""


def levels_of(game: Game) -> dict[str, Level]:
    """The opponents that can be told apart in a game, the weakest first. Raises FairdealError, saying where its file is
    wrong."""
    return read_levels(game.levels) if game.levels else USUAL


@cache
def read_levels(place: str) -> dict[str, Level]:
    """The opponents in a file of a package, such as `fairdeal.games.chi:levels.toml`. Raises FairdealError."""
    told = read_file(place, dict[str, Level])
    strangers = [name for name in told if name not in FACES]
    if strangers:
        raise FairdealError(f"{place}: {strangers[0]!r} is none of {', '.join(FACES)}")
    return {name: told[name] for name in FACES if name in told}


def seated(name: str, game: Game) -> str:
    """The word for a bot that sits down now: of an opponent, its name and how it plays, such as `vix:100-0-400`."""
    return f"{name}:{level_of(name, game).way}" if name in FACES else name


def level_of(word: str, game: Game) -> Level:
    """How the opponent plays that a name or the word of `seated` tells. Raises FairdealError."""
    name, _, way = word.partition(":")
    if way:
        told = re.fullmatch(r"(\d{1,3})-(\d{1,3})-(\d{1,6})", way)
        if not told or name not in FACES or max(int(told[1]), int(told[2])) > 100:
            raise FairdealError(f"{word!r} is no opponent; write one as NAME:MEMORY-BLUNDERS-PLAYOUTS, vix:100-0-400")
        return Level(*(int(number) for number in told.groups()))
    levels = levels_of(game)
    if name not in levels:
        raise FairdealError(f"{FACES[name].name} does not play {game.title}; there are {', '.join(levels)}")
    return levels[name]


def searches(word: str, game: Game) -> bool:
    """Does the bot of this name or word play games out before it moves?"""
    return word.partition(":")[0] in FACES and level_of(word, game).playouts > 0


class LevelBot:
    """An opponent at a seat. The same key, turn and knowledge give the same answer, for ever."""

    def __init__(self, game: Game, level: Level, key: bytes) -> None:
        self.recall = level.recall(game)
        self.blunders = level.blunders
        self.blunder = RandomBot(key)
        self.sound = SearchBot(game, key, level.playouts, self.recall) if level.playouts else GreedyBot(self.recall)
        self.master, self.source = new(chance_record), new(chance_record)
        chance.set_key(self.master, chance.key_of(b"blunders " + key))

    def choose(self, view: State, player: int, turn: int) -> Suggestion:
        chance.derive(self.source, self.master, turn)
        bot = self.blunder if chance.draw(self.source, 100) < self.blunders else self.sound
        return bot.choose(view, player, turn)
