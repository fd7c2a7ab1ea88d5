"""Run the room: open a socket, start the server, and open a browser."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Coroutine, Sequence
from types import FrameType
from typing import Any

import uvicorn

from fairdeal.engine.errors import FairdealError
from fairdeal.server.app import HEADERS, Door, create_app
from fairdeal.server.connections import places, protocols
from fairdeal.server.logs import log_to_stderr
from fairdeal.server.settings import Settings
from fairdeal.server.storage.store import NotSaved, Store

PORT_TAKEN = errno.EADDRINUSE, errno.EACCES
"""Error codes of `bind` after which another port may work."""


LONGEST_SAVING = 2.0
"""Time, in seconds, for which a room that is stopped waits until the last moves are saved."""

LONGEST_ANSWERS = 0.5
"""Time, in seconds, for which it then waits until the requests that it was carrying out are answered."""


def end(number: int, frame: FrameType | None) -> None:
    """End the process after closing the database. uvicorn repeats a signal after it has stopped. Further ones would
    interrupt the closing."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(0)


def run(settings: Settings, says: bool = True) -> None:
    """Serve until interrupted. `says` is whether the address of the room is printed. Raises FairdealError if a port is
    in use."""
    log_to_stderr(settings.log, settings.log_addresses)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, end)
    with contextlib.ExitStack() as opened:
        listening = opened.enter_context(listen(settings.host, settings.port))
        own = f"http://{settings.host}:{listening.getsockname()[1]}"
        store = opened.enter_context(contextlib.closing(Store(settings.database, address=own)))
        run_loop(serve(store, listening, settings, (settings.base or own) if says else None))


def run_loop(serving: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine on uvloop or, on Windows, on asyncio's own loop."""
    if sys.platform == "win32":
        asyncio.run(serving)
    else:
        import uvloop

        uvloop.run(serving)


def listen(host: str, port: int) -> socket.socket:
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(kind, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # or asyncio leaves Nagle on
    if sys.platform == "win32":  # where SO_REUSEADDR would let two rooms share a port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as problem:
        listening.close()
        hint = "try another --port, or 0 for any" if problem.errno in PORT_TAKEN else "try another --host"
        raise FairdealError(f"cannot listen on {host}:{port}: {problem.strerror}; {hint}") from None
    return listening


async def serve(store: Store, listening: socket.socket, settings: Settings, address: str | None) -> None:
    """Serve a database until interrupted. If there is an `address`, announce it as soon as the room can be opened."""
    app = await create_app(store, settings)
    calm_collector()
    with contextlib.ExitStack() as opened:
        if settings.metrics is not None:
            from fairdeal.server.metrics import served

            opened.enter_context(served(app.room, settings.metrics))
        if address:
            announce(address, settings)
        await Serving(app, settings.proxies).serve(sockets=[listening])


def announce(address: str, settings: Settings) -> None:
    """Print the address of the room, and open it in a browser if wanted."""
    print(f"The room is open at {address}", flush=True)
    if settings.log == "text":
        print("Stop with Ctrl+C. All tables are saved.", file=sys.stderr, flush=True)
    if settings.browser and has_screen():
        threading.Timer(0.5, webbrowser.open, [address]).start()


class Serving(uvicorn.Server):
    """A server that saves and acknowledges waiting moves, and gives its tables up, before it closes connections."""

    def __init__(self, app: Door, proxies: Sequence[str]) -> None:
        super().__init__(configured(app, proxies))
        self.room = app.room

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.room.readiness.closing = True
        for server in self.servers:
            server.close()  # so that a proxy sends guests to other workers
        busy = {connection for connection in self.room.connections if connection.busy}
        with contextlib.suppress(TimeoutError, NotSaved):
            await asyncio.wait_for(self.room.store.leave(), LONGEST_SAVING)
            async with asyncio.timeout(LONGEST_ANSWERS):
                while any(connection.busy or connection.unsent for connection in busy & self.room.connections):
                    await asyncio.sleep(0.01)
        await super().shutdown(sockets)


def configured(app: Door, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """Return the configuration of uvicorn for the room. Proxies on its own machine and at the given addresses are
    trusted to pass on the addresses of guests."""
    return uvicorn.Config(
        app,
        log_config=None,
        server_header=False,
        ws_max_size=65_536,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        lifespan="on",
        forwarded_allow_ips=["127.0.0.1", "::1", *proxies],
        **protocols(places(), app.room.limits.settings.address_connections, HEADERS, proxies),
    )


def calm_collector() -> None:
    """Run the garbage collector less often. A move creates few reference cycles, and each collection scans all objects
    of the tables (measured: 12 % more moves per second, and shorter pauses)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def has_screen() -> bool:
    """Return whether there is a desktop on which a browser can be opened."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
