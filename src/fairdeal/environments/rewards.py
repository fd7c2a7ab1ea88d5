"""What seats get at the end of a game, from its final scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.state import Table


def scores(returns: Sequence[float]) -> list[float]:
    """The final scores."""
    return [float(score) for score in returns]


def wins(returns: Sequence[float]) -> list[float]:
    """1 for who is first alone, -1 / (players - 1) for all others; those who share the first place share what it
    brings. The sum is 0."""
    players, best = len(returns), max(returns)
    first = sum(score == best for score in returns)
    return [((score == best) * players / first - 1) / (players - 1) for score in returns]


REWARDS: dict[str, Callable[[Sequence[float]], list[float]]] = {"scores": scores, "wins": wins}


def rewards_by(name: str, table: Table) -> Callable[[Sequence[float]], list[float]]:
    """The rewards of this name. Raises FairdealError if there are none, or none at this table."""
    if name not in REWARDS:
        raise FairdealError(f"there are no rewards {name!r}; there are {' and '.join(REWARDS)}")
    if name == "wins" and table.players == 1:
        raise FairdealError("whoever plays alone wins against nobody; take rewards='scores'")
    return REWARDS[name]
