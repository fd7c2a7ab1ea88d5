"""Promises of seeds for tables to come: given before anybody says his number, and used once."""

from __future__ import annotations

import time

from fairdeal.engine.errors import FairdealError
from fairdeal.table import fairness

LASTS = 3600.0
"""Seconds for which an unused promise is kept."""

MOST = 10_000
"""Promises that are kept; then the oldest go."""


class Promises:
    """The seeds that are promised and not yet used, by what was promised."""

    def __init__(self) -> None:
        self.seeds: dict[str, tuple[bytes, float]] = {}

    def give(self) -> str:
        """Draw a seed and promise it."""
        seed, now = fairness.new_seed(), time.time()
        while self.seeds and (len(self.seeds) >= MOST or next(iter(self.seeds.values()))[1] < now - LASTS):
            del self.seeds[next(iter(self.seeds))]
        self.seeds[fairness.commitment(seed)] = seed, now
        return fairness.commitment(seed)

    def take(self, promise: str) -> bytes:
        """The seed of a promise. Raises FairdealError if there is none or it has been used."""
        if promise not in self.seeds:
            raise FairdealError("this promise is not known or has been used; ask for another")
        return self.seeds.pop(promise)[0]
