"""Sockets at which a room listens: those that it starts with, and more while it runs."""

import asyncio
import contextlib
import errno
import socket
import sys
from collections.abc import Container, Iterable

import uvicorn

from fairdeal.engine.errors import FairdealError
from fairdeal.server.network.addresses import plain
from fairdeal.server.network.reach import Place

PORT_TAKEN = errno.EADDRINUSE, errno.EACCES
"""Error codes of `bind` after which another port may work."""

CLOSED_WITHIN = 1.0
"""Seconds after which connections of a closed socket that still exist are cut."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address. `::` stands for the addresses of IPv4, too, if the system allows
    that. Raises FairdealError if the address cannot be used."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(kind, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # or asyncio leaves Nagle on
    if sys.platform == "win32":  # where SO_REUSEADDR would let two rooms share a port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if host == "::":
        with contextlib.suppress(OSError):
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    try:
        listening.bind((host, port))
    except OSError as problem:
        listening.close()
        hint = "try another --port, or 0 for any" if problem.errno in PORT_TAKEN else "try another --host"
        raise FairdealError(f"cannot listen on {host}:{port}: {problem.strerror}; {hint}") from None
    return listening


def places_of(listening: socket.socket) -> list[Place]:
    """Return where a socket listens."""
    host, port = listening.getsockname()[:2]
    found = [Place(plain(host), port)]
    if host == "::" and not listening.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
        found.append(Place("0.0.0.0", port))
    return found


class MoreSockets:
    """Sockets that a running server opens in addition to its own, by address, with the same protocols and limits."""

    def __init__(self, server: uvicorn.Server) -> None:
        self.server = server
        self.open: dict[str, tuple[socket.socket, asyncio.Server]] = {}

    async def add(self, address: str, port: int) -> None:
        """Listen at one more address. Raises FairdealError if that is not possible."""
        server, config = self.server, self.server.config

        def protocol() -> asyncio.Protocol:
            return config.http_protocol_class(  # type: ignore[call-arg]
                config=config, server_state=server.server_state, app_state=server.lifespan.state
            )

        listening = listen(address, port)
        try:
            opened = await asyncio.get_running_loop().create_server(protocol, sock=listening, backlog=config.backlog)
        except BaseException:
            listening.close()
            raise
        server.servers.append(opened)
        self.open[address] = listening, opened

    def stop(self, addresses: Iterable[str]) -> None:
        """Stop listening at these addresses. Their connections remain."""
        for address in addresses:
            listening, opened = self.open.pop(address)
            opened.close()
            listening.close()
            self.server.servers.remove(opened)

    async def cut(self, addresses: Container[str]) -> None:
        """Close the connections that have arrived at these addresses, in good order if they close soon."""
        found = [
            connection
            for connection in self.server.server_state.connections
            if plain(connection.transport.get_extra_info("sockname")[0]) in addresses
        ]
        for connection in found:
            connection.shutdown()
        await asyncio.sleep(CLOSED_WITHIN)
        for connection in found:
            if connection in self.server.server_state.connections:
                connection.transport.abort()
