"""Rewards of the seats at the end of a game, computed from the final scores."""

import math
from collections.abc import Callable, Sequence

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.state import Table


def scores(returns: Sequence[float]) -> list[float]:
    """Return the final scores as rewards, without the fractions that decide between equal scores."""
    return [float(math.floor(score)) for score in returns]


def wins(returns: Sequence[float]) -> list[float]:
    """Return 1 for a sole winner and -1 / (players - 1) for every other seat.

    Seats that tie for first place split the winner's reward. The rewards add up to 0.
    """
    players, best = len(returns), max(returns)
    first = sum(score == best for score in returns)
    return [((score == best) * players / first - 1) / (players - 1) for score in returns]


REWARDS: dict[str, Callable[[Sequence[float]], list[float]]] = {"scores": scores, "wins": wins}


def rewards_by(name: str, table: Table) -> Callable[[Sequence[float]], list[float]]:
    """Return the reward function with this name. Raises FairdealError if it does not fit the table."""
    if name not in REWARDS:
        raise FairdealError(f"there are no rewards {name!r}; choose {' or '.join(REWARDS)}")
    if name == "wins" and table.players == 1:
        raise FairdealError("rewards='wins' needs at least two players; use rewards='scores'")
    return REWARDS[name]
