"""Six opponents, with the same names and portraits in every game.

A game's `levels.toml` sets the strength of each opponent: the share of seen cards that it remembers, the frequency of
random moves, and the number of games that it simulates before a move. No opponent sees more than its seat may know.
"""

import re
from functools import cache

from fairdeal.bots.bots import GreedyBot, RandomBot, Suggestion
from fairdeal.bots.search import SearchBot
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_file
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.state import State


class Face(Frozen):
    """The public profile of an opponent: name, animal and colour of the portrait, strength as a number of full pips (1
    to 6), one-line description, and pronoun."""

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
"""The profiles of the opponents, from the weakest to the strongest."""


class Level(Frozen):
    """The settings of an opponent in a game.

    `memory` is the percentage of the information available to its seat that the opponent remembers, `blunders` the
    percentage of random moves, and `playouts` the number of games simulated before a move (0 for the greedy rule).
    `rating` and `deviation` come from the ladder (docs/ladder.md) and are 0 before it has been run.
    """

    memory: int = 100
    blunders: int = 0
    playouts: int = 0
    rating: float = 0.0
    deviation: float = 0.0

    @property
    def way(self) -> str:
        """The settings as text for logs, `memory-blunders-playouts`. Logs contain them because the settings in files
        may change."""
        return f"{self.memory}-{self.blunders}-{self.playouts}"

    def recall(self, game: Game) -> int:
        """Return the percentage of seen cards that the opponent remembers.

        Search remembers everything that the level allows; the greedy rule remembers only in games with memory.
        """
        return self.memory if self.playouts else game.recall * self.memory // 100

    def habits(self, game: Game) -> str:
        """Return a description of the settings."""
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
"""The settings of opponents in a game without a `levels.toml`."""


def levels_of(game: Game) -> dict[str, Level]:
    """Return the settings of a game's opponents, from the weakest to the strongest. Raises FairdealError if the file is
    invalid."""
    return read_levels(game.levels) if game.levels else USUAL


@cache
def read_levels(place: str) -> dict[str, Level]:
    """Return the settings in a package file such as `fairdeal.games.chi:levels.toml`. Raises FairdealError if it is
    invalid."""
    told = read_file(place, dict[str, Level])
    strangers = [name for name in told if name not in FACES]
    if strangers:
        raise FairdealError(f"{place}: there is no opponent {strangers[0]!r}; the opponents are {', '.join(FACES)}")
    return {name: told[name] for name in FACES if name in told}


def seated(name: str, game: Game) -> str:
    """Return a bot's name for the log. An opponent's name is followed by its settings, as in `vix:100-0-400`."""
    return f"{name}:{level_of(name, game).way}" if name in FACES else name


def level_of(word: str, game: Game) -> Level:
    """Return the level for an opponent's name, or for a string made by `seated`. Raises FairdealError if there is no
    such level."""
    name, _, way = word.partition(":")
    if way:
        told = re.fullmatch(r"(\d{1,3})-(\d{1,3})-(\d{1,6})", way)
        if not told or name not in FACES or max(int(told[1]), int(told[2])) > 100:
            raise FairdealError(
                f"{word!r} is not an opponent; the form is NAME:MEMORY-BLUNDERS-PLAYOUTS, such as vix:100-0-400"
            )
        return Level(*(int(number) for number in told.groups()))
    levels = levels_of(game)
    if name not in levels:
        raise FairdealError(f"{FACES[name].name} does not play {game.title}; its opponents are {', '.join(levels)}")
    return levels[name]


def searches(word: str, game: Game) -> bool:
    """Return whether a bot simulates games before a move. `word` is its name or a string made by `seated`."""
    return word.partition(":")[0] in FACES and level_of(word, game).playouts > 0


class LevelBot:
    """An opponent at a seat. Equal keys, turns and views always give the same move."""

    def __init__(self, game: Game, level: Level, key: bytes) -> None:
        self.recall = level.recall(game)
        self.blunders = level.blunders
        self.blunder = RandomBot(key)
        self.sound = SearchBot(game, key, level.playouts, self.recall) if level.playouts else GreedyBot(self.recall)
        self.master, self.source = chance.seeded(b"blunders " + key), new(chance_record)

    def choose(self, view: State, player: int, turn: int) -> Suggestion:
        chance.derive(self.source, self.master, turn)
        bot = self.blunder if chance.draw(self.source, 100) < self.blunders else self.sound
        return bot.choose(view, player, turn)
