"""Whole games of bots."""

import fairdeal
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting


def finished(name, bots=("greedy",), seed="finished", names=(), **options):
    """Return the sitting of a whole game, in which the bots sit around the table in turn."""
    table = fairdeal.load(name, **options)
    names = names or [f"Player {seat}" for seat in range(table.players)]
    players = [Player(names[seat], bots[seat % len(bots)]) for seat in range(table.players)]
    sitting = Sitting.open(table, players, seed)
    while not sitting.over:
        sitting.play_bot(sitting.bot_to_act())
    return sitting
