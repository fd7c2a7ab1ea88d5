"""Orders: descriptions of games to play, as plain values, so that any process on any machine can play a part of them.

A remote worker creates the table from the name of the game and its options. It rejects the order if its version of
fairdeal or of the rules differs, because the same game numbers might then give different games.
"""

import platform
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from importlib.metadata import version
from typing import NamedTuple

import msgspec

from fairdeal.bots import custom
from fairdeal.bots.registry import code_of
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import changed
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import Table, table_for


class Place(NamedTuple):
    """A table as plain values: the game, its options as JSON, and the versions of fairdeal and of the rules."""

    game: str
    options: bytes
    rules: int
    fairdeal: str


class Apart(NamedTuple):
    """Seeds of games that share only their deals with other games: one for what no seat has seen at the deal, which is
    drawn again, and one for the bots' own randomness."""

    later: str
    own: str


_tables: dict[Place, Table] = {}
"""The tables of this process, by `Place`: those for which it has created orders, and those rebuilt from received
orders."""


@dataclass(frozen=True)
class Order:
    """Games between `bots`, with rotating seats, dealt from `seed`. `limits` are the time limits of user-defined bots,
    in seconds. If `apart` is given, only what the seats see of a deal depends on `seed`."""

    place: Place
    bots: tuple[str, ...]
    seed: str
    limits: tuple[tuple[str, float], ...]
    apart: Apart | None = None

    @cached_property
    def table(self) -> Table:
        """The table, whose bots may now be imported. Raises FairdealError, with the name of the machine, if that
        fails."""
        try:
            if self.place not in _tables:
                _tables[self.place] = table_at(self.place)
            for name, seconds in self.limits:
                if custom.limit_of(name) != seconds:
                    custom.admit([name], seconds)
        except FairdealError as problem:
            raise FairdealError(f"on {platform.node()}: {problem}") from None
        return _tables[self.place]

    @cached_property
    def codes(self) -> tuple[int | None, ...]:
        """The codes of the bots, for those that can be run by compiled code (`code_of`)."""
        return tuple(code_of(name, self.table.game) for name in self.bots)

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code can run all bots."""
        return None not in self.codes

    @property
    def own(self) -> str:
        """The seed of the bots' randomness."""
        return self.apart.own if self.apart else self.seed

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def order_of(table: Table, bots: Sequence[str], seed: int | str = 0, apart: Apart | None = None) -> Order:
    """Return the order for games at this table."""
    rules = table.game.rules_version
    place = Place(table.game.name, msgspec.json.encode(changed(table.options)), rules, version("fairdeal"))
    _tables[place] = table
    limits = {name: limit for name in bots if (limit := custom.limit_of(name)) is not None}
    return Order(place, tuple(bots), str(seed), tuple(limits.items()), apart)


def table_at(place: Place) -> Table:
    """Return the table for a `Place`, creating it if necessary. Raises FairdealError if that fails, or if a version
    differs."""
    here, rules = version("fairdeal"), find_game(place.game).rules_version
    if here != place.fairdeal:
        raise FairdealError(f"this machine has fairdeal {here}, but the job requires {place.fairdeal}")
    if rules != place.rules:
        raise FairdealError(
            f"{place.game} has rules version {rules} on this machine, but the job requires {place.rules}"
        )
    return table_for(place.game, msgspec.json.decode(place.options))
