"""Games behind the numbers of a study: which ones to look at, and how each was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fairdeal.bots.registry import name_of
from fairdeal.engine.errors import FairdealError
from fairdeal.lab.simulate.following import Followed
from fairdeal.lab.simulate.jobs import order_of
from fairdeal.lab.studies.recipe import Setup
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting

LOWEST, MIDDLE, HIGHEST = range(3)
"""Places in the examples of a measure."""

PICKS = (
    ("The longest", "moves", HIGHEST),
    ("A game of middle length", "moves", MIDDLE),
    ("The shortest", "moves", LOWEST),
    ("The closest", "margin", LOWEST),
    ("The most one-sided", "margin", HIGHEST),
    ("The most points", "score", HIGHEST),
    ("The fewest points", "score", LOWEST),
    ("The most lead changes", "leads", HIGHEST),
    ("The latest to be decided", "decided", HIGHEST),
    ("The earliest to be decided", "decided", LOWEST),
)
"""Games to look at: words, the measure, and the place in its examples."""


def replayed(setups: Sequence[Setup], seed: int | str, text: str) -> Sitting:
    """Return a finished game of a study, given as the number of the game, or as `TABLE:GAME` with the number of the
    table, counted from 1. Raises FairdealError if there is no such table."""
    table, colon, game = text.rpartition(":")
    if not game.isdecimal() or (colon and not table.isdecimal()):
        raise FairdealError(f"a game must have the form GAME or TABLE:GAME, such as 17 or 2:17, not {text!r}")
    number = int(table or 1)
    if not 1 <= number <= len(setups):
        raise FairdealError(f"there is no table {number}: this study has {len(setups)}")
    return sitting_of(setups[number - 1], seed, int(game))


def sitting_of(setup: Setup, seed: int | str, number: int) -> Sitting:
    """Play the game with this number again, move by move."""
    followed = Followed(order_of(setup.table, setup.bots, seed), number)
    plays = [setup.bots[(seat + number) % len(setup.bots)] for seat in range(len(setup.bots))]
    names, twice = [name_of(bot) for bot in plays], Counter(map(name_of, plays))
    players = [
        Player(f"{name} {seat + 1}" if twice[name] > 1 else name, bot)
        for seat, (name, bot) in enumerate(zip(names, plays, strict=True))
    ]
    sitting = Sitting.open(setup.table, players, f"{seed}", followed.state.copy())
    for player, actions in followed.moves():
        sitting.play(player, actions)
    return sitting
