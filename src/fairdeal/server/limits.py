"""Rate limits and connection limits for each guest and each address."""

import contextlib
import functools
import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from typing import Annotated, NamedTuple

import msgspec

from fairdeal.engine.errors import FairdealError


class Rate(NamedTuple):
    """A rate limit: requests per second, and burst size."""

    a_second: Annotated[float, msgspec.Meta(gt=0, le=1_000_000)]
    at_once: Annotated[float, msgspec.Meta(ge=1, le=1_000_000)]


class Both(msgspec.Struct, frozen=True):
    """The rate limits of one guest, and of one address with all its guests."""

    guest: Rate
    address: Rate


def about(description: str, least: float | None = None, most: float = 10_000_000) -> msgspec.Meta:
    """Return the description of a setting and, for a number, its bounds."""
    return msgspec.Meta(ge=least, le=None if least is None else most, description=description)


class LimitSettings(msgspec.Struct, frozen=True):
    """The limits that a keeper may change. Neither people nor programs that play normally reach the rate limits."""

    connections: Annotated[int, about("Connections of one guest to tables.", 1)] = 20
    address_connections: Annotated[int, about("Connections from one address.", 1)] = 200
    tables: Annotated[int, about("Unfinished tables of one guest.", 1)] = 20
    chat_lines: Annotated[int, about("Chat lines stored for each table. The oldest are deleted.", 1)] = 500
    guest_names: Annotated[int, about("Names of guests that are stored. The oldest are deleted.", 1)] = 20_000
    loading: Annotated[int, about("Tables that are loaded at the same time.", 1)] = 256
    replaying: Annotated[int, about("Tables that are replayed at the same time, each in a thread.", 1)] = 2
    idle: Annotated[float, about("Seconds until an unfinished table without connections is unloaded.", 0.01)] = 600.0
    idle_when_over: Annotated[float, about("Seconds until a finished table without connections is unloaded.", 0.01)] = (
        60.0
    )
    nonces: Annotated[float, about("Seconds in which guests must reveal their nonces.", 0.01)] = 20.0

    request: Annotated[Both, about("Requests over HTTP. For a guest, only those to /api count.")] = Both(
        Rate(30, 400), Rate(100, 2000)
    )
    guest: Annotated[Both, about("New guests. Only the address counts.")] = Both(Rate(1, 10), Rate(1, 60))
    connection: Annotated[Both, about("New connections to tables.")] = Both(Rate(5, 100), Rate(20, 400))
    promise: Annotated[Both, about("Commitments to deals.")] = Both(Rate(0.5, 40), Rate(2, 200))
    open: Annotated[Both, about("Tables opened, or continued from a finished game.")] = Both(
        Rate(0.5, 40), Rate(1, 100)
    )
    code: Annotated[Both, about("Invitation codes entered.")] = Both(Rate(0.1, 10), Rate(0.2, 30))
    say: Annotated[Both, about("Chat lines.")] = Both(Rate(1, 6), Rate(5, 60))
    hint: Annotated[Both, about("Hints.")] = Both(Rate(2, 20), Rate(5, 60))
    why: Annotated[Both, about("Explanations of moves that are not possible.")] = Both(Rate(10, 40), Rate(30, 200))
    analysis: Annotated[Both, about("Analyses of games that have not been analysed.")] = Both(
        Rate(1 / 30, 10), Rate(0.1, 40)
    )
    own_data: Annotated[
        Both, about("Exports and deletions of a guest's own data, and words of kept names, made or entered.")
    ] = Both(Rate(1 / 30, 20), Rate(0.2, 60))
    look: Annotated[Both, about("Scenes of unfinished moves, one for each choice.")] = Both(
        Rate(200, 4000), Rate(600, 12_000)
    )


DEFAULT_LIMITS = LimitSettings()

AT_HOME = 50
"""Factor by which the limits of an address are multiplied for the room's own machine, which may run proxies, tests and
benchmarks. Requests through a proxy that sets `X-Forwarded-For` count against the original address."""

OWN_MACHINE = "home"
"""The network of requests from the room's own machine."""

MOST_KNOWN = 20_000
"""Maximum number of allowances stored for guests, and for addresses, for each kind of request. The least recently used
are dropped."""


class TooMany(FairdealError):
    """Raised when a limit is reached. There is no time after which the request can be repeated."""

    wait = 0


class TooFast(FairdealError):
    """Raised when a rate limit is exceeded. The request can be repeated after `wait` seconds."""

    def __init__(self, wait: float) -> None:
        self.wait = max(1, math.ceil(wait))
        super().__init__(f"too many requests; wait {'a second' if self.wait == 1 else f'{self.wait} seconds'}")


class Allowance:
    """A token bucket, which holds at most `at_once` tokens and gains `rate` tokens per second."""

    def __init__(self, rate: float, at_once: float) -> None:
        self.rate, self.at_once = rate, at_once
        self.left, self.seen = at_once, time.monotonic()

    def wait(self, cost: float = 1) -> float:
        """Return the number of seconds until `cost` tokens can be spent, or 0 if they can be spent now."""
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
        """Whether the bucket is full."""
        return self.left + (time.monotonic() - self.seen) * self.rate >= self.at_once


class Limits:
    """The allowances of all guests and addresses."""

    def __init__(self, settings: LimitSettings = DEFAULT_LIMITS) -> None:
        self.settings = settings
        self.guests: OrderedDict[tuple[str, str], Allowance] = OrderedDict()
        self.addresses: OrderedDict[tuple[str, str], Allowance] = OrderedDict()
        self.guests_connected: Counter[str] = Counter()
        self.addresses_connected: Counter[str] = Counter()

    def spend(self, kind: str, guest: str, address: str, cost: float = 1) -> None:
        """Spend tokens of a kind for both a guest and an address, or for neither. A client without a token is counted
        by its address only. Raises TooFast if there are not enough tokens."""
        network, times = origin_of(address)
        rates: Both = getattr(self.settings, kind)
        found = [known(self.addresses, (kind, network), multiplied(rates.address, times))]
        if guest:
            found.append(known(self.guests, (kind, guest), rates.guest))
        wait = max([allowance.wait(cost) for allowance in found])
        if wait > 0:
            raise TooFast(wait)
        for allowance in found:
            allowance.left -= cost

    @contextlib.contextmanager
    def connection(self, guest: str, address: str) -> Iterator[None]:
        """Count a connection of a guest and an address while the context is active. Raises TooMany or TooFast if a
        limit is exceeded."""
        network, times = origin_of(address)
        counted = (
            (self.guests_connected, guest or network, self.settings.connections),
            (self.addresses_connected, network, self.settings.address_connections * times),
        )
        if any(connected[key] >= most for connected, key, most in counted):
            raise TooMany("you have too many connections; close other pages of this room first")
        self.spend("connection", guest, address)
        for connected, key, _ in counted:
            connected[key] += 1
        try:
            yield
        finally:
            for connected, key, _ in counted:
                connected[key] -= 1
                if not connected[key]:
                    del connected[key]


@functools.lru_cache(256)
def multiplied(rate: Rate, times: int) -> Rate:
    """Return the rate limit of an address, multiplied by `times`."""
    return Rate(rate.a_second * times, rate.at_once * times)


def known(among: OrderedDict[tuple[str, str], Allowance], key: tuple[str, str], rate: Rate) -> Allowance:
    """Return the allowance of a key. For a new key, drop the least recently used allowances as long as they are full,
    because a full allowance is equivalent to a new one."""
    if key not in among:
        while among and (len(among) >= MOST_KNOWN or next(iter(among.values())).is_full):
            among.popitem(last=False)
        among[key] = Allowance(*rate)
    among.move_to_end(key)
    return among[key]


class Origin(NamedTuple):
    """The origin of a request: an IPv4 address, or a 64-bit IPv6 network. `times` is the factor by which its limits are
    raised."""

    network: str
    times: int


@functools.lru_cache(4096)
def origin_of(address: str) -> Origin:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # a socket of this machine, or a proxy's invention
        return Origin(address[:64], 1 if address else AT_HOME)
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found
    if found.is_loopback:
        return Origin(OWN_MACHINE, AT_HOME)
    bits = 64 if found.version == 6 else 32
    return Origin(str(ipaddress.ip_network((found, bits), strict=False)), 1)
