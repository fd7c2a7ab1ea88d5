"""My Game: the options, and the object that describes the game to fairdeal."""

from typing import Annotated

from fairdeal.engine.options import Options, about
from fairdeal.skeleton.my_game.game import FirstPlayer

from . import rules


class MyGameOptions(Options, kw_only=True):
    """Options of a table of My Game."""

    players: Annotated[int, about("How many play.", "MINE-01", "Players", ge=2, le=rules.SEATS)] = 3
    first_player: FirstPlayer = "random"
    target: Annotated[int, about("Number of points that ends the match.", "MINE-20", "Points", ge=1, le=10)] = 5
