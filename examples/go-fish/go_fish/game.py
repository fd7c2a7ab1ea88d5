"""Go Fish: the options, and the object that describes the game to fairdeal."""

from typing import Annotated, Literal

from fairdeal.engine.game import Game
from fairdeal.engine.options import Options, Preset, about, called

from . import picture, rules, words


class GoFishOptions(Options, kw_only=True):
    """Options of a table of Go Fish."""

    players: Annotated[int, about("How many play.", "FISH-01", "Players", ge=2, le=rules.SEATS)] = 3
    first_player: Annotated[
        Literal["random"] | Annotated[int, about("A seat.", "FISH-02", ge=0, le=rules.SEATS - 1)],
        about("Who starts.", "FISH-02", "First player", seat=True),
        called(random="drawn by lot"),
    ] = "random"
    lucky: Annotated[
        bool, about("Fishing the rank you asked for gives you another turn.", "FISH-13", "Lucky catch")
    ] = True
    turn_limit: Annotated[
        int, about("Number of questions after which the game ends.", "FISH-31", "Questions at most", ge=50, le=2000)
    ] = 400


GAME = Game.of(
    *(words, picture, rules),
    name="go-fish",
    home="go_fish",
    title="Go Fish",
    designer="nobody in particular",
    publisher="in the public domain",
    goal="Collect the most sets of four.",
    blurb="Ask for what you need, fish for what they lack, and remember who asked for what.",
    minutes=(5, 15),
    weight="light",
    rules_version=1,
    clause_prefix="FISH",
    options=GoFishOptions,
    presets={
        "standard": Preset("Standard", "Fishing the rank you asked for gives you another turn."),
        "for two": Preset("For two", "Two players.", players=2),
        "unlucky": Preset("Unlucky", "Your turn always ends when you fish.", lucky=False),
    },
    recall=100,
)
