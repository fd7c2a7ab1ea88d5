"""The description for programs is valid OpenAPI, and true: every answer is in it, and all that is in it is answered."""

import contextlib
import inspect
import json
import sqlite3
import time

import msgspec
import pytest
import sqlalchemy as sa
from openapi_spec_validator import validate
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from fairdeal.bots.evaluation import Ends
from fairdeal.engine.observe.interface import Description
from fairdeal.protocol.bodies import Problem
from fairdeal.protocol.daily import number_at
from fairdeal.server.api import http
from fairdeal.server.api.http import ROUTES
from fairdeal.server.app import OWNER, PAGES
from fairdeal.server.extras.invitations import keep_code
from fairdeal.server.limits import DEFAULT_LIMITS, Both, Rate
from fairdeal.server.network.gate import Gate
from fairdeal.server.network.reach import Reach
from fairdeal.server.storage.acts import House
from fairdeal.server.storage.store import tries
from fairdeal.server.storage.words import keep
from fairdeal.table.analysis import Sums
from fairdeal.table.fairness import nonce_hash
from tests.server.inside import HOST, opened
from tests.server.test_analysis import Maker

BASE = "https://room.example"
OPEN = {"game": "chi", "chairs": ["you", "person"]}
AGAINST_BOTS = {"game": "chi", "chairs": ["you", "greedy"]}

BODIES = {
    ("POST", "/api/me"): {"name": "Ada"},
    ("PUT", "/api/webhook"): {"address": "https://hooks.example/ada"},
    ("PUT", "/api/me/away"): {"until": 0},
    ("PUT", "/api/device"): {"endpoint": "https://web.push.apple.com/ada", "keys": None},
    ("POST", "/api/tables"): OPEN,
    ("POST", "/api/tables/{table}/branch"): {"move": 1, "seat": 0},
    ("POST", "/api/codes"): {"code": "AAAAAA"},
    ("POST", "/api/tables/{table}/report"): {"seat": 0},
    ("PUT", "/api/network"): {"open": False},
}
"""Bodies of requests that are carried out; the others take any."""

CACHES = {"no-store", "no-cache", "private, max-age=3600", "public, max-age=31536000, immutable"}
"""How an answer may be kept; without a word, a browser or a proxy would decide."""

MODULE = Description(
    "chi", 1, "", "0.1", "0" * 64, 0, 0, 0, 2, 0, 0, False, (("draw", 0), None), (), (), (), "", False, 0, 0, ()
)

BY_PATH = {(one.method, one.path): one for one in ROUTES}


class Programmer:
    """A guest who compares every answer with the description; `seen` has all answers: the method, the path, the status
    and the media type, which is empty where there is no body. `read` has each handler with the types of the bodies and
    parameters that it has read."""

    def __init__(self, guest, description, monkeypatch):
        self.guest, self.description, self.seen, self.read = guest, description, set(), set()
        self.bodies = BODIES.copy()
        for reader in (http.body_of, http.parameters_in):

            def reading(request, kind, *others, reader=reader):
                self.read.add((inspect.unwrap(request.scope["endpoint"]), kind))
                return reader(request, kind, *others)

            monkeypatch.setattr(http, reader.__name__, reading)

    def described(self):
        """All answers of the description, as in `seen`."""
        return {
            (method.upper(), path, int(status), kind)
            for path, operations in self.description["paths"].items()
            for method, operation in operations.items()
            for status in operation["responses"]
            for kind in self.kinds(operation, status)
        }

    def kinds(self, operation, status):
        """The media types of an answer."""
        found = operation["responses"][status]
        if "$ref" in found:
            found = self.description["components"]["responses"][found["$ref"].rpartition("/")[2]]
        return [*found.get("content", [""])]

    async def ask(self, method, path, query="", headers=(HOST,), **parts):
        """Ask, and check that the body of the answer is of the type that the route names."""
        body = json.dumps(self.bodies.get((method, path), {})).encode()
        asked = path.format(
            **{"game": "chi", "lesson": "first", "move": 1, "file": "cover.svg", "hash": "0", "evening": "x"} | parts
        )
        answer = await self.guest.ask(method, asked + query, body, headers)
        kind = answer.headers.get("content-type", "").partition(";")[0]
        self.seen.add((method, path, answer.status, kind))
        assert answer.headers["cache-control"] in CACHES
        if path.endswith(("/log", "/code.svg")):
            assert answer.headers["cache-control"] == "no-store"
        if kind == "application/json":
            given = BY_PATH[method, path].given if answer.status < 300 else Problem
            assert given is not str
            msgspec.json.decode(answer.body, type=given)
        assert bool(kind) == bool(answer.body)
        return answer


@pytest.fixture
async def programmer(tmp_path, monkeypatch):
    maker = Maker(monkeypatch)
    maker.may_end.set()
    limits = msgspec.structs.replace(DEFAULT_LIMITS, hint=Both(Rate(2, 200), Rate(5, 200)))
    async with opened(tmp_path, BASE, webhooks=["hooks.example"], limits=limits) as guest:
        yield Programmer(guest, (await guest.get("/api/openapi.json")).json(), monkeypatch)


def test_the_statuses_of_a_route_are_distinguished():
    assert len(BY_PATH) == len(ROUTES)
    by_path = {f"{one.method} {one.path}": one.statuses for one in ROUTES}
    assert by_path["POST /api/tables"] == [201, 400, 403, 415, 421, 429, 503]
    assert by_path["GET /api/tables/{table}/log"] == [200, 400, 403, 404, 409, 421, 429, 503]
    assert by_path["GET /api/games"] == [200, 304, 400, 403, 421, 429]


async def test_the_description_is_valid(programmer):
    validate(programmer.description)
    held = programmer.description["paths"]["/api/tables/{table}/analysis/held"]["get"]
    assert [(one["name"], one["in"], one["required"]) for one in held["parameters"]] == [
        ("table", "path", True),
        ("move", "query", True),
    ]


def undescribed(app, description):
    """The methods and paths of an application that are not described, but for those of pages."""
    return [
        (method, route.path)
        for route in app.routes
        if isinstance(route, Route)
        and route.path not in {*PAGES, OWNER, "/worker.js"}
        and not route.path.startswith(("/keep", "/invited", "/app/"))
        for method in route.methods - {"HEAD"}
        if method.lower() not in description["paths"].get(route.path, {})
    ]


async def test_every_route_is_described(programmer):
    app = programmer.guest.app.app
    assert undescribed(app, programmer.description) == []
    methods = sum(len(operations) for operations in programmer.description["paths"].values())
    assert methods == len(ROUTES) > 25
    app.routes.append(Route("/api/new", lambda request: PlainTextResponse("new")))
    app.routes.append(Route("/api/me", lambda request: PlainTextResponse("new"), methods=["PATCH"]))
    assert undescribed(app, programmer.description) == [("GET", "/api/new"), ("PATCH", "/api/me")]


@contextlib.contextmanager
def unusable(room):
    """The database cannot be used, and all tables are asleep."""
    engine = room.store.engine

    def fail(connection):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise sa.exc.OperationalError("BEGIN", None, error)

    room.live.clear()
    room.held.clear()
    sa.event.listen(engine, "begin", fail)
    yield
    sa.event.remove(engine, "begin", fail)


async def test_every_answer_is_described_and_all_that_is_described_is_answered(programmer):
    ask, guest = programmer.ask, programmer.guest
    await guest.post("/api/me", name="Ada")
    over = await guest.played_by_bots()
    finished, moves = over.id, over.sitting.moves_made
    programmer.bodies["POST", "/api/tables/{table}/analysis"] = msgspec.to_builtins(
        Sums(1, Ends((), (0.5, 0.5), *[0.0] * 3, 0, 0), ((0.5, 0.5),) * moves)
    )

    async def new(**wishes):
        return (await guest.post("/api/tables", **wishes)).json()["id"]

    words = await guest.room.store.write(lambda c: keep(c, guest.guest, 100))
    programmer.bodies["POST", "/api/me/words"] = {"words": words}
    state = guest.app.app.state
    state.gate = Gate(state.reach, print)
    assert state.gate.claim(state.gate.link, guest.guest)
    running, alone, waiting = await new(**OPEN), await new(**AGAINST_BOTS), await new(**OPEN)
    scene = (await guest.get(f"/api/tables/{finished}/moments/1")).json()["scene"]
    card = next(card["id"] for zone in scene["zones"] for card in zone.get("cards", ()))
    tables = {
        ("DELETE", "/api/tables/{table}"): alone,
        ("POST", "/api/tables/{table}/code"): waiting,
        **{("POST", f"/api/tables/{{table}}/{act}"): running for act in ("join", "number", "start", "report", "leave")},
    }
    queries = {
        "/api/tables/{table}/moments/{move}": "?seat=0&hands=true&log=1",
        "/api/tables/{table}/moments/{move}/card": f"?seat=-1&card={card}",
        "/api/tables/{table}/analysis": "?decisions=2",
        "/api/tables/{table}/analysis/held": "?move=1",
    }
    today, nonce = number_at(time.time(), guest.room.change), "0" * 32
    tried = {"deal": today, "guest": guest.guest, "counted": True, "day": today - 1}
    row = {"table": finished, "hash": nonce_hash(nonce), "nonce": "", **tried}
    await guest.room.store.write(lambda c: c.execute(tries.insert().values(row)))
    programmer.bodies["POST", "/api/today"] = {"deal": today}
    programmer.bodies["POST", "/api/today/number"] = {"number": nonce}
    wished = {"game": "chi", "options": {}}
    evening = (await guest.post("/api/evenings", **wished)).json()["id"]
    programmer.bodies["POST", "/api/evenings"] = wished
    programmer.bodies["POST", "/api/evenings/{evening}"] = {"do": "enter"}
    await ask("POST", "/api/codes")
    await guest.room.store.write(lambda c: keep_code(c, "AAAAAA", waiting, 1e10))
    kept = guest.room.modules.keep(msgspec.json.encode(MODULE))
    hashes = dict.fromkeys(("/modules/{hash}.wasm", "/modules/{hash}.json"), kept)
    ordered = sorted(ROUTES, key=lambda one: (one.handler is http.forget_me, "leave" in one.path))
    for one in ordered:  # one leaves after the start, and is forgotten at the end
        method, path, query = one.method, one.path, queries.get(one.path, "")
        found = hashes.get(path)
        given = {"table": tables.get((method, path), finished), "hash": found, "evening": evening}
        if one.taken:
            assert (await ask(method, path, query, (HOST, ("content-type", "text/plain")), **given)).status == 415
        answer = await ask(method, path, query, **given)
        assert answer.status == one.done, answer.body
        tag = ("if-none-match", answer.headers.get("etag", "none"))
        await ask(method, path, query, headers=(HOST, tag), table=finished, hash=found)
        await ask(method, path, query, table="nothing", file="nothing.svg")
        changes = "{table}" in path and method != "GET"
        await ask(method, path, query, table=await new(**OPEN) if changes else waiting)
        for headers in (HOST, ("origin", "https://evil.example")), (("host", "a b"),), (("host", "evil.example"),):
            await ask(method, path, query, headers=headers, table=waiting)
    await ask("GET", "/games/{game}/{file}", file="skin.css")
    await ask("GET", "/api/today/picture.png", f"?deal={today - 1}")
    guest.room.change, change = None, guest.room.change
    for one in ROUTES:
        if "/today" in one.path:
            await ask(one.method, one.path)
    guest.room.change = change
    state.reach = Reach()
    await ask("GET", "/api/tables/{table}/code.svg", table=await new(**OPEN))
    state.gate = None
    await ask("PUT", "/api/network")
    with unusable(guest.room):
        for one in ROUTES:
            await ask(one.method, one.path, queries.get(one.path, ""), table=waiting)
    await guest.get("/api/me")
    guest.room.house = House(frozenset({guest.guest}))
    for one in ordered:
        status = (await ask(one.method, one.path, table=waiting)).status
        assert (status == 403) != http.is_open_to_banned(one.method, one.path), one.path
    guest.room.house = House(frozenset())
    guest.address = "192.0.2.1"  # the room's own machine may check its health at any rate
    await guest.get("/api/me")
    for allowance in (*guest.room.limits.guests.values(), *guest.room.limits.addresses.values()):
        allowance.left = -1e6
    for one in ROUTES:
        assert "retry-after" in (await ask(one.method, one.path, table=waiting)).headers
    assert programmer.seen == programmer.described()
    taken = {(one.handler, kind) for one in ROUTES for kind in (one.taken, one.parameters) if kind}
    assert programmer.read == taken


SEATS = ("abc", "-2", "2", "1.5", "%C2%B2", "9" * 5000, "")
WRONG = [*(f"?seat={seat}" for seat in SEATS), "?hands=perhaps", "?log="]


async def test_a_parameter_that_is_not_as_described_is_refused(programmer):
    table = (await programmer.guest.played_by_bots()).id

    async def status(part, query="", move=1):
        return (await programmer.ask("GET", f"/api/tables/{{table}}/{part}", query, table=table, move=move)).status

    moment = "moments/{move}"
    assert await status(moment, "?seat=1&hands=0&unknown=1") == 200
    assert {query: await status(moment, query) for query in WRONG} == dict.fromkeys(WRONG, 400)
    for move in (-1, 999, "1e400", "x", "9" * 5000):
        assert await status(moment, move=move) == 400, move
    assert await status("analysis/held") == 400
