"""My Game: the options, and the object that describes the game to fairdeal."""

from typing import Annotated, Literal

from fairdeal.engine.options import Options, about, called

from . import rules


class MyGameOptions(Options, kw_only=True):
    """Options of a table of My Game."""

    players: Annotated[int, about("How many play.", "MINE-01", "Players", ge=2, le=rules.SEATS)] = 3
    first_player: Annotated[
        Literal["random"] | Annotated[int, about("A seat.", "MINE-02", ge=0, le=rules.SEATS - 1)],
        about("The seat that leads the first trick.", "MINE-02", "First player", seat=True),
        called(random="drawn by lot"),
    ] = "random"
    target: Annotated[int, about("Number of points that ends the match.", "MINE-20", "Points", ge=1, le=10)] = 5
