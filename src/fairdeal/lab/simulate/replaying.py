"""A game of a simulation, played again at a table that tells its moves."""

from collections import Counter

from fairdeal.bots.registry import name_of
from fairdeal.lab.simulate.following import Followed
from fairdeal.lab.simulate.jobs import Order
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting


def sitting_of(order: Order, number: int) -> Sitting:
    """Return the game of an order with this number, when it is over. Bots with the same name are distinguished by their
    seats, counted from 1."""
    followed = Followed(order, number)
    plays = [order.bots[(seat + number) % len(order.bots)] for seat in range(len(order.bots))]
    names, twice = [name_of(bot) for bot in plays], Counter(map(name_of, plays))
    players = [
        Player(f"{name} {seat + 1}" if twice[name] > 1 else name, bot)
        for seat, (name, bot) in enumerate(zip(names, plays, strict=True))
    ]
    sitting = Sitting.open(order.table, players, order.seed, followed.state.copy())
    for player, actions in followed.moves():
        sitting.play(player, actions)
    return sitting
