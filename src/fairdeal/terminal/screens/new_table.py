"""Plans for opening a table: the players, their seats, and the path of the log."""

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fairdeal.bots.company import called, company
from fairdeal.bots.registry import usual_bot
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import user_file
from fairdeal.engine.registry import find_game, game_names
from fairdeal.engine.state import table_for
from fairdeal.table.log import Player
from fairdeal.table.names import check_name
from fairdeal.table.sitting import PERSON, Sitting, seed_file

PEOPLE = ("Ada", "Ben", "Cid", "Dee", "Eve", "Fin", "Gil", "Hal", "Ida", "Jon", "Kay", "Lou", "Max", "Nan", "Ole")


@dataclass(frozen=True)
class Plan:
    """A table to open. People take the first seats, followed by bots. If `bots` has only one bot, that bot and its
    company take all remaining seats. The defaults are the game's first preset (`preset` is empty), its usual number of
    players (`players` is None), its usual opponent (`bots` is empty), and a random deal (`seed` is None)."""

    game: str
    preset: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    players: int | None = None
    people: int = 1
    names: Sequence[str] = ()
    bots: Sequence[str] = ()
    seed: str | None = None

    def open(self) -> Sitting:
        """Seat all players and deal. Raises FairdealError with a message that names valid values."""
        given = dict(self.options)
        if self.players is not None:
            given["players"] = self.players
        elif "players" not in given and len(self.bots) > 1:
            given["players"] = self.people + len(self.bots)
        table = table_for(self.game, given, self.preset or next(iter(find_game(self.game).presets), ""))
        return Sitting.open(table, self.seated(table.players), self.seed)

    def seated(self, players: int) -> list[Player]:
        """Return the people and bots for a table of `players` seats. Raises FairdealError if they do not fit."""
        if self.people > players:
            raise FairdealError(f"{self.people} people do not fit at a table of {players}")
        if len(self.names) > self.people:
            raise FairdealError(f"{len(self.names)} names for {self.people} people at this screen")
        free = players - self.people
        game = find_game(self.game)
        bots = list(self.bots) or [usual_bot(game)]
        if len(bots) == 1:
            bots = [*company(bots[0], free, game)]
        if len(bots) != free:
            raise FairdealError(f"{free} seats are left for bots, but {len(bots)} bots are named")
        given = [check_name(name) for name in self.names]
        people = [*given, *(name for name in PEOPLE if name not in given)][: self.people]
        names = people
        for bot in bots:
            names = [*names, name_for(bot, names)]
        plays = [PERSON] * len(people) + bots
        return [Player(name, played) for name, played in zip(names, plays, strict=True)]


def name_for(bot: str, taken: Sequence[str]) -> str:
    """Return a name for a bot that is not taken: `Bram`, or `Bo` if Bram is taken."""
    known = {name.casefold() for name in taken}
    return called(bot, lambda name: name.casefold() not in known)


def logs_folder() -> Path:
    """Return the folder for logs of games played on this machine."""
    return user_file("logs")


def new_log_path(game: str) -> Path:
    """Return a path for a new log, named after the game and the time."""
    stamp = datetime.datetime.now().strftime("%Y-%m-%d %H.%M.%S")
    path = logs_folder() / f"{game} {stamp}.log"
    number = 2
    while path.exists():
        path = logs_folder() / f"{game} {stamp} {number}.log"
        number += 1
    return path


def title_of(log: Path) -> str:
    """Return the title of a saved game, such as `Chi, 3 Nov 19:12`, or the file name if the user chose it."""
    parts = re.fullmatch(r"(\S+) (\d{4}-\d\d-\d\d \d\d\.\d\d)\.\d\d( \d+)?", log.stem)
    if parts is None or parts[1] not in game_names():
        return log.stem
    begun = datetime.datetime.strptime(parts[2], "%Y-%m-%d %H.%M")
    return f"{find_game(parts[1]).title}, {begun.day} {begun:%b %H:%M}"


def unfinished_logs() -> list[Path]:
    """Return the saved games that can be resumed, sorted newest first."""
    running = [path for path in logs_folder().glob("*.log") if seed_file(path).exists()]
    return sorted(running, key=lambda path: path.stat().st_mtime, reverse=True)


def people_of(sitting: Sitting) -> list[int]:
    """Return the seats played by people at this screen."""
    return [seat for seat, player in enumerate(sitting.log.players) if player.plays == PERSON]
