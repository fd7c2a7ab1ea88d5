"""A room inside the test: asked as uvicorn would ask it, so that whatever goes wrong comes out here."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, field
from urllib.parse import unquote

from fairdeal.server.app import create_app
from fairdeal.server.storage.store import Store

HOST = ("host", "room.example")


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes = b""

    def json(self):
        return json.loads(self.body)


@dataclass
class Inside:
    """A room, and a guest of it who keeps his cookie. Exceptions of the application are the test's."""

    app: object
    room: object
    address: str = "127.0.0.1"
    cookie: str = ""
    extra: list[tuple[str, str]] = field(default_factory=list)

    def another(self, address=None):
        return Inside(self.app, self.room, address or self.address)

    @property
    def guest(self):
        return self.cookie.partition("=")[2].rpartition(".")[0]

    async def ask(self, method, path, body=b"", headers=(HOST,), kind="http"):
        raw, _, query = path.partition("?")
        sent = [*headers, *([("cookie", self.cookie)] if self.cookie else [])]
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

        async def send(message):
            if message["type"].endswith("response.start"):
                found.status = message["status"]
                found.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in message["headers"]}
            elif message["type"].endswith("response.body"):
                found.body += message.get("body", b"")
            elif message["type"] == "websocket.accept":
                found.status = 101

        await self.app(scope, receive, send)
        if "set-cookie" in found.headers:
            self.cookie = found.headers["set-cookie"].partition(";")[0]
        return found

    async def get(self, path, **more):
        return await self.ask("GET", path, **more)

    async def post(self, path, **body):
        return await self.ask("POST", path, json.dumps(body).encode())


@contextlib.asynccontextmanager
async def opened(tmp_path, base="", address="127.0.0.1", webhooks=()):
    store = Store(f"sqlite:///{tmp_path / 'inside.db'}")
    app = await create_app(store, base, pause=0.0, compiles=False, webhooks=webhooks)
    room = app.app.state.room
    guest = Inside(app, room, address)
    try:
        await guest.get("/api/me")
        yield guest
    finally:
        for live in room.live.values():
            if live.driver.task:
                live.driver.task.cancel()
        store.close()
