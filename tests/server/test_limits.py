"""The room refuses malformed messages and the pages of other sites, and reveals neither seeds nor cookies."""

import contextlib
import json
import random

import pytest
from websockets.exceptions import ConnectionClosed

from fairdeal.protocol import messages as m
from fairdeal.server.app import HEADERS
from tests.server.in_process import Viewer
from tests.server.inside import HOST, opened
from tests.server.test_play import seat_two

MALFORMED, AT_ONCE = 10_000, 200


def noise(chance):
    """Return a message that is malformed, or a request that makes no sense."""
    kinds = ["pick", "play", "draft", "why", "hint", "undo", "say", "stand_in", "rematch", "nothing", 7, None]
    values = [0, -1, 2**70, "x" * chance.randrange(80), None, [], {}, [[]], True, 1.5, "\u202e"]
    values += [[2**40], ["a"], [-5, 3]]
    fields = ["seq", "choice", "draft", "move", "card", "text", "seat", "on", "hash", "id", "extra"]
    body = {"type": chance.choice(kinds)} | {
        field: chance.choice(values) for field in chance.sample(fields, chance.randrange(6))
    }
    text = json.dumps(body)
    form = chance.randrange(6)
    if form == 0:
        return text[: chance.randrange(len(text))]
    if form == 1:
        return "[" * 2000
    if form == 2:
        return "".join(chr(chance.randrange(1, 0x2FF)) for _ in range(40))
    if form == 3:
        return bytes(chance.randrange(256) for _ in range(30))
    return text


def test_ten_thousand_malformed_messages_and_one_that_is_too_long_change_nothing(guests):
    ada, ben, table = seat_two(guests, "chi", options={"first_player": 1})
    chance = random.Random(4)
    for _ in range(0, MALFORMED, AT_ONCE):
        ada.connect(table)
        with contextlib.suppress(ConnectionClosed):
            for _ in range(AT_ONCE):
                ada.socket.send(noise(chance))
            ada.ask("ping")
    ada.connect(table)
    ada.socket.send(json.dumps({"type": "say", "id": "long", "text": "x" * 5000}))
    assert "at most" in ada.until("refused")["reason"]
    facts = ben.facts(table)
    assert (facts["seq"], facts["status"]) == (0, "running")
    ben.connect(table)
    assert ben.ask("play", seq=0, move="draw 0")["type"] == "done"


async def test_every_refusal_has_the_headers_of_a_page(guest):
    evil = [HOST, ("origin", "https://evil.example")]
    refused = [
        (403, "POST", "/api/me", evil, "http"),
        (403, "POST", "/api/me", [HOST, ("origin", f"http://{HOST[1]}")], "http"),
        (404, "GET", "/api/nothing", [HOST], "http"),
        (405, "DELETE", "/api/key", [HOST], "http"),
        (403, "GET", "/api/tables/x/play", evil, "websocket"),
        (404, "GET", "/nothing", [HOST], "websocket"),
        (404, "GET", "/web/nothing.js", [HOST], "http"),
    ]
    for status, method, path, headers, kind in refused:
        guest.cookie = ""
        answer = await guest.ask(method, path, headers=headers, kind=kind)
        assert answer.status == status, path
        assert HEADERS.items() <= answer.headers.items(), path


async def test_pages_come_with_a_strict_policy_and_the_token_is_out_of_reach(guest):
    for path in ("/", "/t/anything", "/api/games", "/web/main.js"):
        headers = (await guest.get(path)).headers
        assert "default-src 'none'" in headers["content-security-policy"], path
        policy = headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self';" in policy, path
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", ""), path
        assert headers["x-content-type-options"] == "nosniff", path
    given = (await guest.another().get("/")).headers["set-cookie"]
    assert "HttpOnly" in given
    assert "SameSite=lax" in given


@pytest.mark.parametrize(("base", "secure"), [("https://room.example", True), ("http://room.example", False)])
async def test_a_room_with_https_gives_its_cookie_over_https_only(base, secure, tmp_path):
    async with opened(tmp_path, base) as guest:
        given = (await guest.another().get("/api/me")).headers["set-cookie"]
    assert ("Secure" in given.split("; ")) is secure


async def test_the_cookie_of_a_room_with_https_is_bound_to_its_host(tmp_path):
    """Another host of the same domain can set any cookie but this one, as one that makes a visitor somebody else."""
    async with opened(tmp_path, "https://room.example") as guest:
        await guest.post("/api/me", name="Ada")
        assert guest.cookie.startswith("__Host-fairdeal_guest=")
        planted = (await guest.newcomer("Eve")).cookie.removeprefix("__Host-")
        visitor = guest.another()
        visitor.cookie = planted
        given = await visitor.get("/api/me")
        assert given.json()["name"] == "Guest"
        assert {"Path=/", "Secure"} < {*given.headers["set-cookie"].split("; ")}
        assert "Domain" not in given.headers["set-cookie"]
        visitor.cookie = f"{planted}; {guest.cookie}"
        assert (await visitor.get("/api/me")).json() == {"name": "Ada"}
        taken = (await visitor.ask("DELETE", "/api/me")).headers["set-cookie"]
        assert ("Max-Age=0" in taken, "Secure" in taken) == (True, True)


@pytest.mark.parametrize(
    ("base", "host", "own"),
    [
        ("", "127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("https://room.example", "127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("https://room.example", "room.example", "https://room.example"),
        ("https://room.example:443", "room.example", "https://room.example"),
        ("http://room.example", "room.example:80", "http://room.example"),
    ],
)
async def test_only_pages_of_the_same_origin_make_requests(base, host, own, tmp_path):
    """Scheme and port are part of it, also if a proxy does not tell the room that it is asked over https."""
    other = own.replace("https", "http") if own.startswith("https") else own.replace("http", "https")
    async with opened(tmp_path, base) as guest:
        for origin in (own, other, f"{other}:80", f"{own}.example", "null", "http://[", "http://a:b", ""):
            headers = [("host", host), ("origin", origin)]
            answer = await guest.ask("POST", "/api/me", b'{"name": "Ada"}', headers)
            assert answer.status == (200 if origin == own else 403), origin
            answer = await guest.ask("GET", "/api/tables/x/play", headers=headers, kind="websocket")
            assert answer.status == (101 if origin == own else 403), origin


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("", 415),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("text/plain; application/json", 415),
    ],
)
async def test_a_body_that_does_not_say_that_it_is_json_is_refused(kind, status, guest):
    answer = await guest.ask("POST", "/api/me", b'{"name": "Ada"}', (HOST, ("content-type", kind)))
    assert answer.status == status
    assert (await guest.get("/api/me")).json()["name"] == ("Ada" if status == 200 else "Guest")
    live = await guest.open("chi", "person", "person")
    assert (await guest.ask("POST", f"/api/tables/{live.id}/join")).status == 200, "without a body"


async def test_a_body_may_begin_with_a_byte_order_mark(guest):
    """A program of Windows may send a file as it is."""
    assert (await guest.ask("POST", "/api/me", b'\xef\xbb\xbf{"name":\r\n"Zo\xc3\xab"}')).status == 200
    assert (await guest.get("/api/me")).json()["name"] == "Zoë"


async def test_names_and_chat_hide_nothing(guest):
    name = (await guest.post("/api/me", name="<b>\u202eada\u200b\x00</b>" + "x" * 10_000)).json()["name"]
    assert len(name) <= 24
    assert not set(name) & set("\u202e\u200b\x00")
    assert (await guest.post("/api/me", name="\u200b\u202e ")).json()["name"] == "Guest"
    live = await guest.open()
    viewer = Viewer(guest.room, live, guest.guest)
    await viewer.say("<script>alert(1)</script>\u202e" + "y" * 3000)
    (said,) = [message["said"]["text"] for message in viewer.heard if message["type"] == "chat"]
    assert said.startswith("<script>")
    assert len(said) <= 300
    assert "\u202e" not in said


async def test_nothing_says_the_seed_before_the_end(guest):
    live = await guest.open()
    viewer = Viewer(guest.room, live, guest.guest)
    await viewer.arrive()
    await viewer.say("hello")
    await viewer.ask(m.Hint(id="h"))
    assert len(viewer.heard) > 3
    told = json.dumps(viewer.heard).encode()
    for path in ("/api/lobby", f"/api/tables/{live.id}"):
        told += (await guest.get(path)).body
    assert live.terms.seed.hex().encode() not in told
