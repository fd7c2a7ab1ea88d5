"""My Game: the options, and the object that describes the game to fairdeal."""

from typing import Annotated, Literal

from fairdeal.engine.game import Game, Rules
from fairdeal.engine.options import Options, Preset, about, called

from . import picture, rules, words


class MyGameOptions(Options, frozen=True, kw_only=True):
    """The options of a table of My Game."""

    players: Annotated[int, about("Number of players.", "MINE-01", "Players", ge=2, le=rules.SEATS)] = 3
    first_player: Annotated[
        Literal["random"] | Annotated[int, about("A seat.", "MINE-02", ge=0, le=rules.SEATS - 1)],
        about("The seat that leads the first trick.", "MINE-02", "First player", seat=True),
        called(random="drawn by lot"),
    ] = "random"

    def conflict(self) -> tuple[str, str] | None:
        """Refuse a first seat that is not at the table."""
        if self.first_player != "random" and self.first_player >= self.players:
            return "first_player", f"the seats are 0 to {self.players - 1}"
        return None


GAME = Game.of(
    *(words, picture, rules),
    name="my-game",
    home="my_game",
    title="My Game",
    designer="you",
    publisher="nobody yet",
    goal="Win the most tricks.",
    blurb="The highest card takes the trick.",
    players=(2, rules.SEATS),
    minutes=(1, 5),
    weight="light",
    rules_version=1,
    specification="my_game:rules.md",
    clause_prefix="MINE",
    rules=Rules.of(rules),
    options=MyGameOptions,
    presets={
        "standard": Preset("Standard", "Three players."),
        "for two": Preset("For two", "Two players.", players=2),
    },
)
