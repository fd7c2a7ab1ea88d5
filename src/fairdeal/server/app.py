"""The application: the room behind its pages, with the rules that browsers must keep."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fairdeal.server import http
from fairdeal.server.guests import Guests, signing_key
from fairdeal.server.play import play
from fairdeal.server.room import Room
from fairdeal.server.store import Store
from fairdeal.server.webhooks import Webhooks

WEB = Path(str(files("fairdeal.server") / "web"))

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Door:
    """Gives every response its headers and every browser its token, and refuses other sites' requests."""

    def __init__(self, app: ASGIApp, guests: Guests, base: str) -> None:
        self.app, self.guests, self.base = app, guests, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if scope["method"] not in ("GET", "HEAD") and not self.is_ours(connection):
            await PlainTextResponse("this page may not ask that", 403)(scope, receive, send)
            return
        guest = self.guests.of(connection)
        scope.setdefault("state", {})["guest"] = guest or self.guests.new()
        fresh = scope["state"]["guest"] if guest is None else None

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                if fresh:
                    holder = Response()
                    self.guests.give(holder, fresh, secure=self.base.startswith("https:"))
                    headers += [pair for pair in holder.raw_headers if pair[0] == b"set-cookie"]
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def is_ours(self, connection: HTTPConnection) -> bool:
        origin = connection.headers.get("origin")
        return origin is None or origin.rpartition("//")[2] == connection.headers.get("host") or origin == self.base


async def page(request: Request) -> Response:
    """The one page; what it shows follows from its address."""
    return FileResponse(WEB / "index.html", headers={"Cache-Control": "no-cache"})


async def create_app(
    store: Store, base: str = "", pause: float = 0.7, compiles: bool = True, webhooks: Collection[str] = ()
) -> ASGIApp:
    """The room over a database. `base` is the public address, where it is not that of the requests; `webhooks` are the
    hosts at which guests may be told of their turn."""
    base = base.rstrip("/")
    guests = Guests(await signing_key(store))
    notices = Webhooks(store, webhooks, base)
    room = Room(store, pause, notices.turned, compiles)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        reviving = asyncio.create_task(room.revive())
        yield
        reviving.cancel()
        await notices.close()

    inner = Starlette(
        routes=[
            *http.routes(),
            WebSocketRoute("/api/tables/{table}/play", play),
            Route("/", page),
            Route("/t/{table}", page),
            Mount("/web", StaticFiles(directory=WEB)),
        ],
        lifespan=lifespan,
    )
    inner.state.room, inner.state.guests, inner.state.base, inner.state.webhooks = room, guests, base, notices
    return Door(inner, guests, base)
