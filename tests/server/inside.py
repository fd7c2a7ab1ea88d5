"""A room inside the test, called as uvicorn calls it, so that its exceptions are raised in the test."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass
from urllib.parse import unquote

import uvicorn

from fairdeal.server import serving
from fairdeal.server.app import create_app
from fairdeal.server.limits import DEFAULT_LIMITS
from fairdeal.server.settings import Settings
from fairdeal.server.storage.store import Store
from tests.conftest import SHORT
from tests.server.in_process import rest, until

HOST = ("host", "localhost:8000")


@dataclass
class Answer:
    """A response of the room."""

    status: int
    headers: dict[str, str]
    body: bytes = b""

    def json(self):
        return json.loads(self.body)


@dataclass
class Inside:
    """A guest of a room, with a cookie. Exceptions of the application are raised in the test."""

    app: object
    room: object
    address: str = "127.0.0.1"
    cookie: str = ""

    def another(self, address=None):
        return Inside(self.app, self.room, address or self.address)

    async def newcomer(self, name=""):
        """Return another guest, who has visited the room and may have chosen a name."""
        other = self.another()
        await other.get("/api/me")
        if name:
            await other.post("/api/me", name=name)
        return other

    async def open(self, game="chi", *chairs, **wishes):
        """Open a table, against a bot unless `chairs` are given, and return it."""
        made = await self.post("/api/tables", game=game, **({"chairs": chairs} if chairs else {}), **wishes)
        assert made.status == 201, made.body
        return self.room.live[made.json()["id"]]

    async def played_by_bots(self, game="chi", **options):
        """Let bots play a game to its end, and return its table."""
        live = await self.open(game, "greedy", "greedy", options=SHORT[game] | options)
        await until(lambda: live.status == "over")
        return live

    @property
    def guest(self):
        return self.cookie.partition("=")[2].rpartition(".")[0]

    async def ask(self, method, path, body=b"", headers=(HOST,), kind="http", send=None):
        raw, _, query = path.partition("?")
        sent = [*headers, *([("cookie", self.cookie)] if self.cookie else [])]
        if body and "content-type" not in dict(headers):
            sent.append(("content-type", "application/json"))
        scope = {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http" if kind == "http" else "ws",
            "path": unquote(raw),
            "raw_path": raw.encode("latin-1"),
            "query_string": query.encode("latin-1"),
            "root_path": "",
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in sent],
            "client": (self.address, 4321) if self.address else None,
            "server": ("127.0.0.1", 8000),
            "subprotocols": [],
            "state": {},
            "extensions": {"websocket.http.response": {}},
        }
        coming = [{"type": "http.request", "body": body}] if kind == "http" else [{"type": "websocket.connect"}]
        found = Answer(0, {})

        async def receive():
            if coming:
                return coming.pop(0)
            return {"type": "http.disconnect"} if kind == "http" else {"type": "websocket.disconnect", "code": 1001}

        async def hear(message):
            if message["type"].endswith("response.start"):
                found.status = message["status"]
                found.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in message["headers"]}
            elif message["type"].endswith("response.body"):
                found.body += message.get("body", b"")
            elif message["type"] == "websocket.accept":
                found.status = 101

        await self.app(scope, receive, send or hear)
        if "set-cookie" in found.headers:
            self.cookie = found.headers["set-cookie"].partition(";")[0]
        return found

    async def get(self, path, **more):
        return await self.ask("GET", path, **more)

    async def post(self, path, **body):
        return await self.ask("POST", path, json.dumps(body).encode())


@contextlib.asynccontextmanager
async def opened(tmp_path, base="", address="127.0.0.1", webhooks=(), limits=DEFAULT_LIMITS, **wishes):
    store = Store(f"sqlite:///{tmp_path / 'inside.db'}")
    settings = Settings(base=base, pause=0.0, compile=False, webhooks=tuple(webhooks), limits=limits, **wishes)
    app = await create_app(store, settings)
    room = app.app.state.room
    guest = Inside(app, room, address)
    try:
        await guest.get("/api/me")
        yield guest
    finally:
        await room.analyses.close()
        await app.app.state.notices.close()
        await rest(room)
        store.close()


@contextlib.asynccontextmanager
async def listening(app):
    """Serve an application as `fairdeal serve` does. Return its port."""
    socket = serving.listen("127.0.0.1", 0)
    server = uvicorn.Server(serving.configured(app))
    serve = asyncio.create_task(server.serve(sockets=[socket]))
    await until(lambda: server.started)
    try:
        yield socket.getsockname()[1]
    finally:
        server.should_exit = True
        await serve
