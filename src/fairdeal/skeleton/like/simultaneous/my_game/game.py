"""My Game: the options, and the object that describes the game to fairdeal."""

from typing import Annotated

from fairdeal.engine.options import Options, about

from . import rules

# without: FirstPlayer


class MyGameOptions(Options, kw_only=True):
    """Options of a table of My Game."""

    players: Annotated[int, about("How many play.", "MINE-01", "Players", ge=2, le=rules.SEATS)] = 3
    lowest: Annotated[bool, about("The lowest card takes the trick.", "MINE-11", "Lowest wins")] = False
