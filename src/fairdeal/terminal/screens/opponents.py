"""Whom this user played against last in each game, and how opponents are offered."""

from __future__ import annotations

from pathlib import Path

import msgspec
from platformdirs import user_data_dir

from fairdeal.bots.levels import FACES
from fairdeal.bots.registry import LEARNED, bots_of, usual_bot
from fairdeal.engine.game import Game

PIPS = 6

NET = "A trained net"
ABOUT_NET = "It learned the game by playing, with its usual options."


def opponents_file() -> Path:
    """Where it is kept."""
    return Path(user_data_dir("fairdeal", appauthor=False)) / "opponents.json"


class Opponents:
    """The opponent of the last table, by game; without a file it is forgotten."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.chosen: dict[str, str] = {}
        if path and path.exists():
            try:
                self.chosen = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
            except msgspec.DecodeError:
                self.chosen = {}

    def last(self, game: Game) -> str:
        """The one that was chosen last, or the usual one."""
        chosen = self.chosen.get(game.name, "")
        return chosen if chosen in chairs_of(game) else usual_bot(game)

    def choose(self, game: str, bot: str) -> None:
        if (bot in FACES or bot == LEARNED) and self.chosen.get(game) != bot:
            self.chosen[game] = bot
            if self.path:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.path.write_bytes(msgspec.json.format(msgspec.json.encode(self.chosen)))


def chairs_of(game: Game) -> list[str]:
    """Who may sit opposite: the opponents of a game, the weakest first, then a net where one has learned it."""
    return [*bots_of(game), *([LEARNED] if game.learned else [])]


def offered(game: Game) -> list[tuple[str, str]]:
    """These, as they are chosen from: name and strength, and the word for it."""
    return [(f"{FACES[bot].name:<4} {pips(bot)}" if bot in FACES else NET, bot) for bot in chairs_of(game)]


def line_of(bot: str) -> str:
    """What an opponent says before it plays; a net says nothing, and is told of."""
    return FACES[bot].line if bot in FACES else ABOUT_NET


def pips(bot: str) -> str:
    """How strong an opponent is, in full and empty circles."""
    return "●" * FACES[bot].pips + "○" * (PIPS - FACES[bot].pips)
