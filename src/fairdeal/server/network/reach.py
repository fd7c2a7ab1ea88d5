"""The addresses of a room: which hosts it answers to, and which of them the links of an invitation have.

`Reach` decides this for pages, QR codes, previews, programs, and the lines that the room prints.
"""

from collections.abc import Iterable, Set
from typing import NamedTuple
from urllib.parse import urlsplit

from msgspec.structs import replace
from starlette.requests import HTTPConnection

from fairdeal.protocol.bodies import Address
from fairdeal.server.network import addresses
from fairdeal.server.network.addresses import Machine, Network, ip_of, is_home, plain

ONLY_HERE = "Only this computer can open this link."
ONLY_THERE = "Only the computer of this room can open this link."


ANY = Network("", ())
"""A network about which nothing is known."""


class Place(NamedTuple):
    """An address and a port at which a room listens. `0.0.0.0` and `::` stand for all addresses of their kind."""

    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://[{self.host}]:{self.port}" if ":" in self.host else f"http://{self.host}:{self.port}"

    @property
    def is_one(self) -> bool:
        """Whether it is a single address."""
        found = ip_of(self.host)
        return found is not None and not found.is_unspecified

    def includes(self, address: str) -> bool:
        return self.host in (address, "::" if ":" in address else "0.0.0.0")


class Origin(NamedTuple):
    """The origin of a page (RFC 6454)."""

    scheme: str
    host: str
    port: int


def origin_of(address: str) -> Origin | None:
    """Return the origin of an address, or None if it is not one on the web."""
    try:
        found = urlsplit(address)
        port = found.port or {"http": 80, "https": 443}[found.scheme]
    except (KeyError, ValueError):
        return None
    return Origin(found.scheme, found.hostname or "", port)


class Reach:
    """The addresses of a room that listens at `places`. Its public address, if it has one, is `base`. `names` are hosts
    by which the keeper calls it, in addition to the addresses and names of the machine."""

    def __init__(self, base: str = "", places: Iterable[Place] = (), names: Iterable[str] = ()) -> None:
        self.base, self.places = base, [*places]
        self.names = {name.lower() for name in names}
        self.machine = Machine()
        self.tried: set[str] = set()  # the hosts by which other devices have come

    # --- requests -------------------------------------------------------------------------------------------

    def is_here(self, host: str) -> bool:
        """Return whether the header `Host` of a request names this room. The header must be valid."""
        name = urlsplit(f"//{host}").hostname or ""
        return self.is_public(host) or name in self.names or self.machine.is_called(name)

    def is_public(self, host: str) -> bool:
        """Return whether the header `Host` of a request names the public address of this room."""
        base = origin_of(self.base)
        return base is not None and origin_of(f"{base.scheme}://{host}") == base

    def foreign(self, connection: HTTPConnection) -> str:
        """Return what is wrong with a request of a page at another address, scheme included, and what can be done about
        it. Return an empty string if the page is this room's, or if a program asks, which sends no Origin header."""
        sent, host = connection.headers.get("origin"), connection.headers.get("host", "")
        own = self.base if self.is_public(host) else own_part(connection)
        if sent is None or origin_of(sent) == origin_of(own) is not None:
            return ""
        advice = "" if self.base else "; if a proxy serves the room at that address, start it with --base"
        return f"only pages at {own} may do that, not pages at {sent[:100]}{advice}"

    def whereabouts(self, host: str) -> str:
        """Return what is wrong with a request for another host, and what can be done about it."""
        if self.base:
            return f"this room is at {self.base}"
        return f"this room does not know the host {host}; if it is its own, start the room with --base http://{host}"

    def note(self, connection: HTTPConnection) -> None:
        """Remember by which address a device has come, if it is another one than this machine."""
        if connection.client and not self.machine.is_called(connection.client.host):
            self.tried.add(arrived_at(connection) or came_by(connection))

    # --- links ----------------------------------------------------------------------------------------------

    def own_url(self, connection: HTTPConnection) -> str:
        """Return the address of the room for the browser or the program that sends a request, whose cookie is valid
        only there."""
        return self.base or (own_part(connection) if connection.headers.get("host") else self.home)

    def for_others(self, connection: HTTPConnection) -> list[Address]:
        """Return the addresses of the room that the links of an invitation can have, the most likely one first. If only
        this machine can open the room, return its address there."""
        if self.base:
            return [Address(self.base, "public")]
        host, arrived = came_by(connection), arrived_at(connection)
        is_near = connection.client is None or self.machine.is_called(connection.client.host)
        found = self.on_networks(set() if is_near else {host, arrived})
        if host and (ip_of(host) or arrived not in found):
            network = next((one for one in addresses.networks() if host in one.addresses), ANY)
            own = Address(own_part(connection), "network", words(network, host), host in self.tried)
            found[host] = replace(found[host], url=own.url) if host in found else own
        if not found:
            return [Address(self.own_url(connection), "computer", ONLY_HERE if is_near else ONLY_THERE)]
        first = host if host in found else arrived
        return [found[one] for one in sorted(found, key=lambda one: one != first)]

    def on_networks(self, known: Set[str] = frozenset()) -> dict[str, Address]:
        """Return an address of each network in which the room listens, with that of its links. `known` are addresses in
        the networks of the guest who asks; all are if that is this machine."""
        found = {place.host: (ANY, place.url) for place in self.places if place.is_one and not is_home(place.host)}
        for network in addresses.networks():
            listens = ((one, place) for one in network.addresses for place in self.places if place.includes(one))
            if one := next(listens, None):
                found.pop(one[0], None)
                found[one[0]] = network, one[1]._replace(host=one[0]).url
        return {
            address: Address(
                url,
                "network",
                words(network, address, not known or bool(known & {address, *network.addresses}), len(found) > 1),
                address in self.tried,
            )
            for address, (network, url) in found.items()
        }

    @property
    def is_open(self) -> bool:
        """Whether the room listens on a network."""
        return not all(is_home(place.host) for place in self.places)

    @property
    def home(self) -> str:
        """The address of the room on its own machine."""
        for place in self.places:
            for host in ("127.0.0.1", "::1"):
                if place.includes(host):
                    return place._replace(host=host).url
        return self.places[0].url if self.places else "http://127.0.0.1"


def words(network: Network, address: str, is_own: bool = True, is_one_of_many: bool = False) -> str:
    """Return where an address works, as far as that is known. `is_own` is whether the guest is in the network."""
    whose = ("your Wi-Fi" if network.is_wifi else "the same network") if is_own else "another network"
    named = f" ({network.name})" if is_one_of_many and network.name else ""
    found = ip_of(address)
    beyond = " This is a public address, which the internet may reach, too." if found and found.is_global else ""
    return f"For people in {whose}{named}.{beyond}"


def own_part(connection: HTTPConnection) -> str:
    """Return scheme and host of a request, as the client wrote them."""
    scheme = connection.url.scheme.replace("ws", "http", 1)
    return f"{scheme}://{connection.headers.get('host', '')}"


def came_by(connection: HTTPConnection) -> str:
    """Return the host by which a client from another device can have come, or an empty string."""
    host = plain((urlsplit(f"//{connection.headers.get('host', '')}").hostname or "").rstrip("."))
    return "" if is_home(host) else host


def arrived_at(connection: HTTPConnection) -> str:
    """Return the address of this machine at which a connection has arrived, or an empty string if no other machine can
    use it."""
    server = connection.scope.get("server")
    host = plain(server[0]) if server else ""
    return "" if is_home(host) or ip_of(host) is None else host
