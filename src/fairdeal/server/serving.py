"""Run the room: open a socket, start the server, and open a browser."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Coroutine, Sequence
from importlib.metadata import version
from socket import socket
from types import FrameType
from typing import Any

import uvicorn

from fairdeal.server.app import HEADERS, OWNER, Door, create_app
from fairdeal.server.logs import log_to_stderr
from fairdeal.server.network.addresses import is_home
from fairdeal.server.network.connections import places, protocols
from fairdeal.server.network.gate import Gate, announced
from fairdeal.server.network.listening import MoreSockets, listen, places_of
from fairdeal.server.network.reach import Place, Reach
from fairdeal.server.settings import Settings
from fairdeal.server.storage.links import new_secret
from fairdeal.server.storage.store import NotSaved, Store

log = logging.getLogger(__name__)

LONGEST_SAVING = 2.0
"""Time, in seconds, for which a room that is stopped waits until the last moves are saved."""

LONGEST_ANSWERS = 0.5
"""Time, in seconds, for which it then waits until the requests that it was carrying out are answered."""


def end(number: int, frame: FrameType | None) -> None:
    """End the process after closing the database. uvicorn repeats a signal after it has stopped. Further ones would
    interrupt the closing."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(0)


def run(settings: Settings, public: Sequence[Place] = ()) -> None:
    """Serve until interrupted. A worker gets the places at which guests reach its proxy, and prints nothing. Raises
    FairdealError if a port is in use."""
    log_to_stderr(settings.log, settings.log_addresses)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, end)
    with contextlib.ExitStack() as opened:
        listening = opened.enter_context(listen(settings.host, settings.port))
        own = own_url(settings, listening)
        store = opened.enter_context(contextlib.closing(Store(settings.database, address=own)))
        run_loop(serve(store, listening, settings, public))


def own_url(settings: Settings, listening: socket) -> str:
    """Return the URL at which this process listens."""
    return f"http://{settings.host}:{listening.getsockname()[1]}"


def note_opening(settings: Settings, url: str, store: Store) -> None:
    """Log that a room or a worker listens at a URL."""
    facts = {"version": version("fairdeal"), "url": url, "base": settings.base, "database": str(store.where)}
    log.info("the room is open", extra={name: value for name, value in facts.items() if value})


def run_loop(serving: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine on uvloop or, on Windows, on asyncio's own loop."""
    if sys.platform == "win32":
        asyncio.run(serving)
    else:
        import uvloop

        uvloop.run(serving)


async def serve(store: Store, listening: socket, settings: Settings, public: Sequence[Place]) -> None:
    """Serve a database until interrupted. A worker gets the places at which guests reach its proxy."""
    server = await server_for(store, listening, settings, public)
    calm_collector()
    with contextlib.ExitStack() as opened:
        if settings.metrics is not None:
            from fairdeal.server.metrics import served

            opened.enter_context(served(server.room, settings.metrics))
        await server.serve(sockets=[listening])


def say(text: str) -> None:
    """Print a text. Nobody may be left to read it, which does not concern the room."""
    try:
        print(text, flush=True)
    except OSError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the program ends with it


async def server_for(
    store: Store,
    listening: socket,
    settings: Settings,
    public: Sequence[Place] = (),
    tell: Callable[[str], None] = say,
) -> Serving:
    """Return the server of a room. `tell` gets its addresses when it listens, and when they change, unless it is a
    worker, which prints nothing."""
    reach = reach_for(settings, public or places_of(listening))
    can_open = not public and (settings.lan or not settings.base) and is_home(reach.places[0].host)
    gate = Gate(reach, tell) if can_open else None
    link = "" if public else await store.write(new_secret)

    def began() -> None:
        if not public:
            announce(reach, gate, settings, link, tell)
        note_opening(settings, own_url(settings, listening), store)

    app = await create_app(store, settings, reach, gate)
    return Serving(app, settings.proxies, gate, settings.lan, began)


def reach_for(settings: Settings, places: Sequence[Place]) -> Reach:
    """Return the addresses of a room that listens at these places."""
    return Reach(settings.base.rstrip("/"), places, {settings.host})


def announce(reach: Reach, gate: Gate | None, settings: Settings, link: str, tell: Callable[[str], None] = say) -> None:
    """Tell the addresses of the room and the links of its owner and its keeper, and open it in a browser if wanted."""
    home = reach.base or reach.home
    lines, opens = [f"The room is open at {home}"], home
    if gate or not reach.base:
        lines.append(announced(reach))
    if gate:
        opens = reach.home + OWNER.format(link=gate.link)
        does = "close it to" if gate.is_open else "open it to"
        lines.append(f"The browser that first opens this link can {does} the network:\n{opens}")
    lines.append(f"This link opens the page of its keeper, once and within an hour:\n{home}/keeper/{link}")
    tell("\n".join(lines))
    if settings.log == "text":
        print("Stop with Ctrl+C. All tables are saved.", file=sys.stderr, flush=True)
    if settings.browser and has_screen():
        threading.Timer(0.5, webbrowser.open, [opens]).start()


class Serving(uvicorn.Server):
    """A server that saves and acknowledges waiting moves, and gives its tables up, before it closes connections. If it
    has a gate, this can open it to the network, at once if `is_open` is true. `began` is called when it listens."""

    def __init__(
        self,
        app: Door,
        proxies: Sequence[str],
        gate: Gate | None,
        is_open: bool,
        began: Callable[[], None],
    ) -> None:
        super().__init__(configured(app, proxies))
        self.room, self.gate, self.is_open, self.began = app.room, gate, is_open, began
        if gate:
            gate.sockets = MoreSockets(self)

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        if self.gate and self.is_open:
            await self.gate.begin()
        self.began()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        self.room.readiness.closing = True
        if self.gate:
            self.gate.end()
        for server in self.servers:
            server.close()  # so that a proxy sends guests to other workers
        busy = {connection for connection in self.room.connections if connection.busy}
        with contextlib.suppress(TimeoutError, NotSaved):
            await asyncio.wait_for(self.room.store.leave(), LONGEST_SAVING)
            async with asyncio.timeout(LONGEST_ANSWERS):
                while any(connection.busy or connection.unsent for connection in busy & self.room.connections):
                    await asyncio.sleep(0.01)
        await super().shutdown(sockets)
        log.info("the room has closed")


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
        forwarded_allow_ips=["127.0.0.1", "::1", "::ffff:127.0.0.1", *proxies],
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
