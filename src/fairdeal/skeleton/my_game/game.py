"""My Game: the options, and the object that describes the game to fairdeal."""

from typing import Annotated, Literal

from fairdeal.engine.game import Game
from fairdeal.engine.options import Options, Preset, about, called

from . import picture, rules, words

FirstPlayer = Annotated[
    Literal["random"] | Annotated[int, about("A seat.", "MINE-02", ge=0, le=rules.SEATS - 1)],
    about("The seat that leads the first trick.", "MINE-02", "First player", seat=True),
    called(random="drawn by lot"),
]


class MyGameOptions(Options, kw_only=True):
    """Options of a table of My Game."""

    players: Annotated[int, about("Number of players.", "MINE-01", "Players", ge=2, le=rules.SEATS)] = 3
    first_player: FirstPlayer = "random"


GAME = Game.of(
    *(words, picture, rules),
    name="my-game",
    home="my_game",
    title="My Game",
    designer="you",
    publisher="nobody yet",
    goal="Win the most tricks.",
    blurb="The highest card takes the trick.",
    minutes=(1, 5),
    weight="light",
    rules_version=1,
    clause_prefix="MINE",
    options=MyGameOptions,
    presets={
        "standard": Preset("Standard", "Three players."),
        "for two": Preset("For two", "Two players.", players=2),
    },
)
