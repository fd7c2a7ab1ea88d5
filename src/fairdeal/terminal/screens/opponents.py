"""This user's last opponent in each game, and the list of available opponents."""

from pathlib import Path

import msgspec

from fairdeal.bots.levels import FACES
from fairdeal.bots.registry import LEARNED, bots_of, usual_bot
from fairdeal.engine.files import read_json, user_file, write_whole
from fairdeal.engine.game import Game

PIPS = 6

NET = "A trained net"
ABOUT_NET = "It learned the game by playing, with its usual options."


def opponents_file() -> Path:
    """Return the path of the file with this user's last opponents."""
    return user_file("opponents.json")


class Opponents:
    """The last opponent in each game, saved at `path`, if given."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.chosen: dict[str, str] = {}
        if path and path.exists():
            try:
                self.chosen = read_json(path, dict[str, str])
            except msgspec.DecodeError:
                self.chosen = {}

    def last(self, game: Game) -> str:
        """Return the opponent last chosen for a game, or else its usual opponent."""
        chosen = self.chosen.get(game.name, "")
        return chosen if chosen in chairs_of(game) else usual_bot(game)

    def choose(self, game: str, bot: str) -> None:
        if (bot in FACES or bot == LEARNED) and self.chosen.get(game) != bot:
            self.chosen[game] = bot
            if self.path:
                write_whole(self.path, msgspec.json.format(msgspec.json.encode(self.chosen)), syncs=False)


def chairs_of(game: Game) -> list[str]:
    """Return the opponents of a game, from the weakest to the strongest, followed by its trained network if it has
    one."""
    return [*bots_of(game), *([LEARNED] if game.learned else [])]


def offered(game: Game) -> list[tuple[str, str]]:
    """Return the label, with name and strength, and the id of each opponent of a game."""
    return [(f"{FACES[bot].name:<4} {pips(bot)}" if bot in FACES else NET, bot) for bot in chairs_of(game)]


def line_of(bot: str) -> str:
    """Return the line that introduces an opponent."""
    return FACES[bot].line if bot in FACES else ABOUT_NET


def pips(bot: str) -> str:
    """Return the strength of an opponent as full and empty circles."""
    return "●" * FACES[bot].pips + "○" * (PIPS - FACES[bot].pips)
