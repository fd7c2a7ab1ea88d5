"""How much a guest, and an address, may ask of the room: so many a second and so many at once, kind by kind."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import ipaddress
import math
import time
import weakref
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from typing import NamedTuple, ParamSpec, TypeVar

from fairdeal.engine.errors import FairdealError

P = ParamSpec("P")
T = TypeVar("T")


class Rate(NamedTuple):
    """So many a second, and so many at once."""

    a_second: float
    at_once: float


class Both(NamedTuple):
    """What one guest may do, and what all guests of one address together may."""

    guest: Rate
    address: Rate


RATES = {
    "request": Both(Rate(30, 400), Rate(100, 2000)),  # over HTTP; for a guest only those to /api
    "guest": Both(Rate(1, 10), Rate(1, 60)),  # a new one
    "connection": Both(Rate(5, 100), Rate(20, 400)),  # to a table
    "promise": Both(Rate(0.5, 40), Rate(2, 200)),
    "open": Both(Rate(0.5, 40), Rate(1, 100)),  # a table: opened, or played on from another
    "say": Both(Rate(1, 6), Rate(5, 60)),
    "hint": Both(Rate(2, 20), Rate(5, 60)),
    "why": Both(Rate(10, 40), Rate(30, 200)),
    "analysis": Both(Rate(1 / 30, 10), Rate(1 / 10, 40)),  # of a game that nobody has had looked at
    "look": Both(Rate(200, 4000), Rate(600, 12_000)),  # at a half-made move, by its picks; a move of notation is one
}
"""What a person never reaches, and a program that plays well does not either."""

AT_HOME = 50
"""The room's own machine may do so many times what another address may: proxies, tests and benchmarks are there. A
proxy that says for whom it asks (`X-Forwarded-For`) does not count as the one who asks."""

MOST_KNOWN = 20_000
"""Guests, and addresses, whose allowances are remembered, kind by kind; those unheard of for longest go first."""

MOST_CONNECTIONS = 20
"""Connections to tables that one guest may have at a time."""

MOST_OF_AN_ADDRESS = 200
"""Connections that one address may have at a time."""

MOST_AT_WORK = 2
"""Pieces of long work that are done at the same time."""

MOST_IN_LINE, MOST_OF_ONE_IN_LINE = 64, 8
"""Pieces of long work that are being done or wait to be: of all, and of one guest."""


class TooMany(FairdealError):
    """A limit is reached."""


class TooFast(FairdealError):
    """More than the room takes now; `wait` seconds later it takes it."""

    def __init__(self, wait: float) -> None:
        self.wait = max(1, math.ceil(wait))
        super().__init__(f"too many requests; wait {'a second' if self.wait == 1 else f'{self.wait} seconds'}")


class Allowance:
    """So many a second, and so many at once (a token bucket)."""

    def __init__(self, rate: float, at_once: float) -> None:
        self.rate, self.at_once = rate, at_once
        self.left, self.seen = at_once, time.monotonic()

    def wait(self, cost: float = 1) -> float:
        """Seconds until so much can be spent; 0 if it can be now."""
        now = time.monotonic()
        self.left = min(self.at_once, self.left + (now - self.seen) * self.rate)
        self.seen = now
        return max(0.0, (min(cost, self.at_once) - self.left) / self.rate)

    def spend(self, cost: float = 1) -> bool:
        if self.wait(cost) > 0:
            return False
        self.left -= cost
        return True

    @property
    def is_full(self) -> bool:
        """Is it as if nothing had been spent?"""
        return self.left + (time.monotonic() - self.seen) * self.rate >= self.at_once


class Limits:
    """The allowances of all guests and addresses."""

    def __init__(self) -> None:
        self.guests: OrderedDict[tuple[str, str], Allowance] = OrderedDict()
        self.addresses: OrderedDict[tuple[str, str], Allowance] = OrderedDict()
        self.connected: Counter[tuple[str, str]] = Counter()

    def spend(self, kind: str, guest: str, address: str, cost: float = 1) -> None:
        """Take from what a guest and an address have left of a kind, or from neither. One without a token is known by
        the address only. Raises TooFast."""
        network, times = origin_of(address)
        found = [known(self.addresses, (kind, network), together(kind, times))]
        if guest:
            found.append(known(self.guests, (kind, guest), RATES[kind].guest))
        wait = max([allowance.wait(cost) for allowance in found])
        if wait > 0:
            raise TooFast(wait)
        for allowance in found:
            allowance.left -= cost

    @contextlib.contextmanager
    def connection(self, guest: str, address: str) -> Iterator[None]:
        """One of the connections that a guest and an address may have at a time. Raises TooMany or TooFast."""
        network, times = origin_of(address)
        most = {("guest", guest or network): MOST_CONNECTIONS, ("address", network): MOST_OF_AN_ADDRESS * times}
        if any(self.connected[key] >= number for key, number in most.items()):
            raise TooMany("you have too many connections; close other pages of this room first")
        self.spend("connection", guest, address)
        self.connected.update(most.keys())
        try:
            yield
        finally:
            self.connected.subtract(most.keys())
            for key in most:
                if not self.connected[key]:
                    del self.connected[key]


@functools.cache
def together(kind: str, times: int) -> Rate:
    """What all guests of an address that may do so many times the usual may do."""
    rate = RATES[kind].address
    return Rate(rate.a_second * times, rate.at_once * times)


def known(among: OrderedDict[tuple[str, str], Allowance], key: tuple[str, str], rate: Rate) -> Allowance:
    if key not in among:
        while len(among) >= MOST_KNOWN:
            among.popitem(last=False)
        among[key] = Allowance(*rate)
    among.move_to_end(key)
    return among[key]


class Origin(NamedTuple):
    """Where somebody asks from: all of an IPv6 network of 64 bits is one. `times` is how much more it may do."""

    network: str
    times: int


@functools.lru_cache(4096)
def origin_of(address: str) -> Origin:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # a socket of this machine, or what a proxy made up
        return Origin(address[:64], 1 if address else AT_HOME)
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found
    if found.is_loopback:
        return Origin("home", AT_HOME)
    bits = 64 if found.version == 6 else 32
    return Origin(str(ipaddress.ip_network((found, bits), strict=False)), 1)


class LongWork:
    """Work that would hold up the room is done in threads: one piece at a time for whoever asks, `at_once` in all; the
    others wait their turn."""

    def __init__(self, at_once: int = MOST_AT_WORK) -> None:
        self.turns: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self.places = asyncio.Semaphore(at_once)
        self.line: Counter[str] = Counter()

    async def do(self, whom: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` gives; it must not touch what others change meanwhile. Raises TooFast if too many wait."""
        async with self.turn(whom):
            return await asyncio.to_thread(work, *args, **kwargs)

    @contextlib.asynccontextmanager
    async def turn(self, whom: str) -> AsyncIterator[None]:
        """Wait for the turn of whoever asks, and have it for as long as this lasts. Raises TooFast if too many wait."""
        if self.line[whom] >= MOST_OF_ONE_IN_LINE or self.line.total() >= MOST_IN_LINE:
            raise TooFast(1)
        turn = self.turns.setdefault(whom, asyncio.Lock())
        self.line[whom] += 1
        try:
            async with turn, self.places:
                yield
        finally:
            self.line[whom] -= 1
            if not self.line[whom]:
                del self.line[whom]
