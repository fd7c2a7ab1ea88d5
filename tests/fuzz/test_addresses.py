"""Odd requests to every address of the room: it responds in words, never with an internal error."""

import json
import random

import pytest

from fairdeal.server.api.http import ROUTES
from fairdeal.server.app import HEADERS
from tests.server.inside import HOST, opened

REQUESTS = 1200

PATHS = sorted({path for _, path, *_ in ROUTES})
PATHS += ["/", "/t/{table}", "/web/{file}", "/api/tables/{table}/play", "/api/{file}", "/{file}"]
ODD_PARTS = [
    "%FF%FE",
    "%00",
    "..",
    "%2e%2e%2f",
    "7" * 5000,
    "-1",
    "1.5",
    "%F0%9F%83%8F",
    "x" * 4000,
    "",
    "²",
    "%ED%A0%80",
    "{}",
]
ODD_QUERIES = [
    "",
    "seat=abc",
    "seat=%FF",
    "seat=" + "9" * 5000,
    "seat=-1&log=1",
    "seat=&seat=",
    "log=%00",
    "&&==",
    "%",
    "seat=0",
]
ODD_HEADERS = {
    "host": ["a" * 3000, "evil.example", "[::1", "x:99999", "", "a b"],
    "cookie": ["fairdeal_guest=\xff\xfe.x", "=;=;\x00"],
    "origin": ["null", "http://[", "https://evil.example"],
    "range": ["bytes=9-1", "bytes=0-0,1-1," * 50],
    "if-none-match": ["\xff"],
    "if-modified-since": ["yesterday"],
    "x-forwarded-for": ["\xff"],
    "content-type": ["text/\xff"],
    "content-length": ["-1"],
    "transfer-encoding": ["what"],
}
METHODS = ["GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "WHAT"]

RIGHT = [
    {"name": "Ada"},
    {"game": "chi", "chairs": ["you", "person"], "options": {"players": 2}},
    {"seat": 0, "nonce": "ab" * 16},
    {"move": 1, "seat": 0},
    {"address": "https://hooks.example/"},
    {"open": True},
]
ODD_VALUES = [
    None,
    10**400,
    -(2**63),
    1e308,
    "\ud800",
    "x" * 9000,
    [],
    {},
    [[[]]],
    True,
    "\x00",
    {"\udcff": 1},
    ["you"] * 3000,
]


def odd_body(chance):
    kind = chance.randrange(8)
    if kind == 0:
        return bytes(chance.randrange(256) for _ in range(chance.randrange(60)))
    if kind == 1:
        return b'{"name": "\xff\xfe"}'
    if kind == 2:
        deep = chance.choice([15_000, 900, 30])
        return b'{"game": "chi", "options": {"players": ' + b"[" * deep + b"]" * deep + b"}}"
    if kind == 3:
        return b" " * 40_000
    if kind == 4:
        return b'{"game": "chip-it", "clock": ' + b"7" * 5000 + b"}"
    body = dict(chance.choice(RIGHT))
    for _ in range(chance.randrange(3)):
        body[chance.choice([*body, "nonce", "seat", "options", "chairs", "game"])] = chance.choice(ODD_VALUES)
    if "options" in body and chance.random() < 0.3:
        body["options"] = {chance.choice(["players", "\ud800", "x", "first_player"]): chance.choice(ODD_VALUES)}
    text = json.dumps(body)
    return text[: chance.randrange(len(text))].encode() if kind == 5 else text.encode()


def odd_line(chance, tables):
    """Return a method, an address, and the route if both are right, as in half of the requests."""
    method, path, route = chance.choice(METHODS), chance.choice(PATHS), None
    if chance.random() < 0.5:
        route = chance.choice(ROUTES)
        method, path = route.method, route.path
    known = {"{table}": tables, "{game}": ["chi"], "{move}": ["0", "1"], "{file}": ["cover.svg", "main.js"]}
    for part, right in known.items():
        path = path.replace(part, chance.choice(right if chance.random() < 0.6 else ODD_PARTS))
    return method, f"{path}?{chance.choice(ODD_QUERIES)}" if chance.random() < 0.5 else path, route


@pytest.mark.parametrize("base", ["", "https://room.example"])
async def test_no_request_is_answered_with_an_error_of_the_room(tmp_path, base):
    async with opened(tmp_path, base) as guest:
        made = await guest.post("/api/tables", game="chi", chairs=["greedy", "greedy"], options={"stacks_to_end": 4})
        tables = [made.json()["id"], "nothing"]
        await guest.room.live[tables[0]].driver.task
        assert guest.room.live[tables[0]].status == "over"
        chance = random.Random(5)
        seen, described = set(), set()
        for _ in range(REQUESTS):
            (method, path, route), body = odd_line(chance, tables), odd_body(chance)
            headers = [HOST] if chance.random() < 0.7 else []
            if chance.random() < 0.5:
                header = chance.choice([*ODD_HEADERS])
                headers.append((header, chance.choice(ODD_HEADERS[header])))
            kind = "websocket" if chance.random() < 0.1 else "http"
            if kind == "websocket" and chance.random() < 0.3:
                path = f"/api/tables/{tables[0]}/play"
            answer = await guest.ask(method, path, body, headers, kind)
            asked = f"{kind} {method} {path[:200]} {headers} {body[:200]}"
            seen.add(answer.status)
            assert answer.status < 500, asked
            assert answer.status == 101 or HEADERS.items() <= answer.headers.items(), asked
            if answer.headers.get("content-type") == "application/json" and method != "HEAD" and answer.status >= 400:
                assert answer.json()["reason"], asked
                if route and kind == "http":
                    described.add(answer.status)
                    assert answer.status in route.statuses, asked
        assert {101, 200, 400, 403, 404, 405, 421} <= seen
        assert {400, 404} <= described
