"""Limits on network connections: their number, and the time within which they must send requests and receive responses.

uvicorn closes connections that are idle after a response or do not reply to a ping. The protocols in this module also
count all connections, and close those that do not send a complete request or receive the response in time. They
override methods that are not part of uvicorn's stable interface. If one of these methods is missing, importing this
module raises FairdealError.
"""

import asyncio
import inspect
import ipaddress
import sys
from collections import Counter, OrderedDict
from collections.abc import Iterable
from importlib.metadata import requires, version
from typing import Any

import h11

from fairdeal.engine.errors import FairdealError
from fairdeal.server.limits import AT_HOME, origin_of


def other_uvicorn(problem: object) -> FairdealError:
    """Return the error for an installed version of uvicorn that lacks a method needed to protect the room."""
    wanted = [needed for needed in requires("fairdeal") or () if needed.startswith("uvicorn")]
    return FairdealError(
        f"the room cannot start with uvicorn {version('uvicorn')}: {problem}, and without it the room is not protected "
        f"against slow and too many connections; install {', '.join(wanted) or 'an older uvicorn'}"
    )


try:
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
except ImportError as problem:
    raise other_uvicorn(problem) from None

ASK_WITHIN = 10.0
"""Maximum time from the start of a connection, or from the last response, to the last byte of a request, in seconds."""

TAKE_WITHIN = 60.0
"""Maximum time from the last byte of a request to the last byte of its response, in seconds."""

LONGEST_HEAD = 65_536
"""Maximum size of a request without its body, in bytes."""

MOST = 12_000
"""Maximum number of connections, if the system allows that many."""

SPARE = 100
"""Number of file descriptors that the room reserves for other purposes."""


class Connections:
    """All connections, by network, and those that have not sent a request yet, oldest first. If there are too many
    connections, the oldest ones without a request are closed. Proxies may have as many as the room's own machine."""

    def __init__(self, most: int, of_an_address: int, proxies: Iterable[str] = ()) -> None:
        self.most, self.of_an_address = most, of_an_address
        self.proxies = [ipaddress.ip_network(proxy) for proxy in proxies]
        self.networks: dict[asyncio.Transport, str] = {}
        self.of: Counter[str] = Counter()
        self.silent: OrderedDict[asyncio.Transport, None] = OrderedDict()

    def enter(self, transport: asyncio.Transport, address: str) -> bool:
        """Count a new connection. Return whether there is room for it."""
        network, times = origin_of(address)
        if any(ipaddress.ip_address(address) in proxy for proxy in self.proxies):
            times = AT_HOME
        if self.of[network] >= self.of_an_address * times:
            return False
        while len(self.networks) >= self.most and self.silent:
            oldest, _ = self.silent.popitem(last=False)
            oldest.abort()
            self.leave(oldest)
        if len(self.networks) >= self.most:
            return False
        self.networks[transport] = network
        self.of[network] += 1
        self.silent[transport] = None
        return True

    def asked(self, transport: asyncio.Transport) -> None:
        """Record that a connection has sent a complete request."""
        self.silent.pop(transport, None)

    def leave(self, transport: asyncio.Transport) -> None:
        network = self.networks.pop(transport, None)
        self.silent.pop(transport, None)
        if network is not None:
            self.of[network] -= 1
            if not self.of[network]:
                del self.of[network]


class OneReading(h11.Connection):
    """The reader of an HTTP connection. It rejects requests whose length a proxy in front of the room may read
    differently (RFC 9112, section 6.1), which h11 would carry out."""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if b"transfer-encoding" in names and (b"content-length" in names or event.http_version < b"1.1"):
                raise h11.RemoteProtocolError("both Transfer-Encoding and Content-Length")
        return event


class Requests(H11Protocol):
    """An HTTP connection with timeouts. `entered` is set by `protocols`."""

    entered: Connections
    headers_of_all: list[tuple[bytes, bytes]]
    timer: asyncio.TimerHandle | None = None
    asking = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.conn = OneReading(h11.SERVER, LONGEST_HEAD)
        if not self.entered.enter(transport, self.client[0] if self.client else ""):
            transport.abort()
            return
        self.wait(ASK_WITHIN)

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_waiting()
        self.entered.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.set_timeout()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.stop_waiting()
        self.set_timeout()

    def set_timeout(self) -> None:
        """Start the timeout for a complete request, or for the response to be received. A partial request does not
        extend the timeout."""
        if self.transport.get_protocol() is not self:  # it is a WebSocket
            return
        asking = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if not asking:
            self.entered.asked(self.transport)
        if asking != self.asking or self.timer is None:
            self.asking = asking
            self.wait(ASK_WITHIN if asking else TAKE_WITHIN)

    def wait(self, seconds: float) -> None:
        self.stop_waiting()
        if not self.transport.is_closing():
            self.timer = self.loop.call_later(seconds, self.transport.abort)

    def stop_waiting(self) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.stop_waiting()
        self.entered.asked(self.transport)
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Send uvicorn's response to an invalid request, with the room's usual headers."""
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"), *self.headers_of_all]
        for event in (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=msg.encode("ascii")),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class Sockets(WebSocketsSansIOProtocol):
    """A WebSocket connection. `entered` is set by `protocols`."""

    entered: Connections

    def connection_lost(self, exc: Exception | None) -> None:
        self.entered.leave(self.transport)
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # the peer takes nothing, not even a close frame


def check_hooks(protocol: type, names: Iterable[str]) -> None:
    """Check that the base class of `protocol` has methods with these names, and that the overriding methods have the
    same parameters.

    Raises FairdealError otherwise, because a method that overrides nothing is never called.
    """
    base = protocol.__base__
    assert base is not None
    for name in names:
        inherited = getattr(base, name, None)
        if inherited is None:
            raise other_uvicorn(f"its {base.__name__} does not have {name}")
        theirs, ours = (list(inspect.signature(it).parameters) for it in (inherited, vars(protocol)[name]))
        if theirs != ours:
            raise other_uvicorn(f"{base.__name__}.{name} takes ({', '.join(theirs)}), not ({', '.join(ours)})")


HOOKS: dict[type, tuple[str, ...]] = {
    Requests: (
        "connection_made",
        "connection_lost",
        "data_received",
        "on_response_complete",
        "handle_websocket_upgrade",
        "send_400_response",
    ),
    Sockets: ("connection_lost", "keepalive_timeout"),
}
"""The methods of uvicorn that each class overrides."""

for protocol, names in HOOKS.items():
    check_hooks(protocol, names)


def protocols(most: int, of_an_address: int, headers: dict[str, str], proxies: Iterable[str] = ()) -> dict[str, Any]:
    """Return the `http` and `ws` arguments of uvicorn.Config for at most `most` connections, and at most
    `of_an_address` from one address except those of proxies, whose responses have the given headers."""
    shared: dict[str, Any] = {"entered": Connections(most, of_an_address, proxies)}
    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {
        "http": type("Requests", (Requests,), shared | {"headers_of_all": named}),
        "ws": type("Sockets", (Sockets,), shared),
    }


def places() -> int:
    """Raise the system's limit on the number of connections as far as possible, and return the new limit."""
    if sys.platform == "win32":
        return 400
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + SPARE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST if soft == resource.RLIM_INFINITY else max(SPARE, min(MOST, soft - SPARE))
