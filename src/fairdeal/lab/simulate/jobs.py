"""Orders: which games to play, in plain values, so that any process on any machine can play a part of them.

A worker elsewhere makes the table from the name of the game and its options. It plays only where it has the same
version of fairdeal and of the rules: others could play other games of the same numbers.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import NamedTuple

import msgspec

from fairdeal.bots import custom
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import changed
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import Table, table_for


class Place(NamedTuple):
    """A table in plain values: the game, its options as JSON, and with which versions it is played."""

    game: str
    options: bytes
    rules: int
    fairdeal: str


_tables: dict[Place, Table] = {}
"""The tables of this process: those that it gave orders for, and those that it made for an order."""


@dataclass(frozen=True)
class Order:
    """Games by these bots, who go round the seats, from this seed. `limits`: the seconds a move of one's own bots."""

    place: Place
    bots: tuple[str, ...]
    seed: str
    limits: tuple[tuple[str, float], ...]

    @cached_property
    def table(self) -> Table:
        """The table, with its bots ready to sit down. Raises FairdealError, which names the machine."""
        try:
            if self.place not in _tables:
                _tables[self.place] = table_at(self.place)
            for name, seconds in self.limits:
                if custom.limit_of(name) != seconds:
                    custom.admit([name], seconds)
        except FairdealError as problem:
            raise FairdealError(f"on {platform.node()}: {problem}") from None
        return _tables[self.place]

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "table"}


def order_of(table: Table, bots: Sequence[str], seed: int | str) -> Order:
    """The order for games at this table."""
    rules = table.game.rules_version
    place = Place(table.game.name, msgspec.json.encode(changed(table.options)), rules, version("fairdeal"))
    _tables[place] = table
    limits = {name: limit for name in bots if (limit := custom.limit_of(name)) is not None}
    return Order(place, tuple(bots), str(seed), tuple(limits.items()))


def table_at(place: Place) -> Table:
    """The table of a place, made here. Raises FairdealError if that is not possible, or it would not be the same."""
    here, rules = version("fairdeal"), find_game(place.game).rules_version
    if here != place.fairdeal:
        raise FairdealError(f"here is fairdeal {here}, and the games are to be played by {place.fairdeal}")
    if rules != place.rules:
        raise FairdealError(f"{place.game} has rules version {rules} here, {place.rules} where the games are wanted")
    return table_for(place.game, msgspec.json.decode(place.options))
