"""Guests who ask for too much, too often, oddly or under another name do not stop the room for others."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import threading
import time
from collections import Counter
from typing import get_args

import pytest
import sqlalchemy as sa

from fairdeal.engine.options import check_depth
from fairdeal.protocol import messages as m
from fairdeal.server.api import opening
from fairdeal.server.api.requests import ANSWERS, ATTEMPTS
from fairdeal.server.app import HEADERS
from fairdeal.server.limits import (
    AT_HOME,
    DEFAULT_LIMITS,
    Limits,
    LimitSettings,
    TooFast,
    TooMany,
)
from fairdeal.server.long_work import Client
from fairdeal.server.network import connections
from fairdeal.server.network.connections import Connections
from fairdeal.server.storage.queries import MOST_OF_ONE
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.new_seats import places_for
from fairdeal.server.tables.saving import keep_name
from fairdeal.table.names import apart, looks
from fairdeal.table.sitting import Sitting
from tests.conftest import refusal
from tests.server import inside
from tests.server.in_process import Viewer, call_first, done, move
from tests.server.inside import HOST, Inside, opened

FAR = "203.0.113.7"


class Heart:
    """Measures for how long the event loop stands still: `longest` is the longest pause, in seconds."""

    async def __aenter__(self):
        self.task = asyncio.create_task(self.beat())
        await asyncio.sleep(0.01)
        self.longest, self.beats, self.began = 0.0, 0, time.monotonic()
        return self

    async def __aexit__(self, *_):
        self.lasted = time.monotonic() - self.began
        self.task.cancel()

    async def beat(self):
        self.longest = self.beats = 0
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.001)
            self.longest, self.beats = max(self.longest, time.monotonic() - before), self.beats + 1


def toil(seconds):
    """Compute for `seconds` of this thread's processor time."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def table_of_two(guest):
    """Open a running table at which the guest moves first, against a bot."""
    return await guest.open(options={"players": 2, "first_player": 0})


async def table_with_ben(guest, game="chi", **options):
    """Open a running table of two people, at which the guest moves first."""
    live = await guest.open(game, "you", "person", options={"first_player": 0} | options)
    ben = await guest.newcomer()
    assert (await ben.post(f"/api/tables/{live.id}/join")).status == 200
    return live


# --- long work ------------------------------------------------------------------------------------------------------


async def test_a_hint_for_a_moment_that_is_past_is_not_given(guest, monkeypatch):
    live = await table_with_ben(guest)  # a bot might answer before the hint is refused
    thinking, go_on = threading.Event(), threading.Event()

    def wait(*_):
        thinking.set()
        go_on.wait(10)

    call_first(Sitting, "hint", wait, monkeypatch.setattr)
    viewer = Viewer(guest.room, live, guest.guest)
    asked = asyncio.create_task(viewer.ask(m.Hint(id="h")))
    await asyncio.to_thread(thinking.wait, 10)
    await done(viewer.play("draw 0"))
    go_on.set()
    refused = await asked
    assert refused["type"] == "refused"
    assert "moved on" in refused["reason"]


@pytest.mark.parametrize(("rivals", "kind"), [(ATTEMPTS - 1, "answer"), (ATTEMPTS, "refused")])
async def test_a_hint_is_thought_out_again_while_rivals_move_who_may_act_too(guest, monkeypatch, rivals, kind):
    live = await table_of_two(guest)
    looks = []
    call_first(Sitting, "hint", lambda *_: looks.append(1), monkeypatch.setattr)
    monkeypatch.setattr(LiveTable, "number_for", lambda *_: min(len(looks), rivals))
    viewer = Viewer(guest.room, live, guest.guest)
    await viewer.ask(m.Hint(id="h"))
    assert [message["type"] for message in viewer.heard if message.get("id") == "h"] == [kind]
    assert len(looks) == ATTEMPTS


async def test_long_options_are_read_in_a_thread(guest, monkeypatch):
    threads = []
    call_first(opening, "table_for", lambda *_: threads.append(threading.current_thread()), monkeypatch.setattr)
    for text in ("x", "x" * 2000):
        assert (await guest.post("/api/tables", game="chi", options={"first_player": text})).status == 400
    assert [thread is threading.main_thread() for thread in threads] == [True, False]


# --- the log in words -----------------------------------------------------------------------------------------------


def told_at_once(live, viewer):
    """Return the log in words, from a sitting that nobody has looked at."""
    sitting = live.sitting.still()
    return tuple(
        m.Told(number, line.seat, line.text, line.clauses)
        for number in range(1, sitting.moves_made + 1)
        for line in sitting.lines(number, viewer)
    )


async def test_the_others_play_on_while_a_long_log_is_sent(guest, monkeypatch):
    live = await table_with_ben(guest, stacks_to_end=8)  # or a lucky deal is over before
    await move(live, 40)
    assert live.sitting.moves_made > 20
    real = Sitting.events_of
    call_first(Sitting, "events_of", lambda *_: toil(0.02), monkeypatch.setattr)
    stories = guest.room.stories
    async with Heart() as heart:
        telling = asyncio.create_task(stories.prepare(live, 0, Client("ada", "ada")))
        await asyncio.sleep(0.1)
        await move(live, 2)
        assert not telling.done(), "moves are made before the log is told"
        await telling
    assert heart.lasted > 0.6
    assert heart.longest < heart.lasted / 4
    monkeypatch.setattr(Sitting, "events_of", real)
    assert stories.lines(live, 0) == told_at_once(live, 0)
    monkeypatch.setattr(Sitting, "events_of", lambda *_: pytest.fail("a line is told twice"))
    assert stories.lines(live, 0)


async def test_the_log_in_words_is_right_for_everybody_after_moves_and_undoing(guest):
    live, stories = await table_with_ben(guest, "chip-it"), guest.room.stories
    viewer = Viewer(guest.room, live, guest.guest)
    await done(viewer.play("pass 1"))
    passed = stories.lines(live, 0)
    await done(viewer.undo())
    await viewer.play(next(text for text in live.sitting.state.moves(0) if text.startswith("play")))
    assert stories.lines(live, 0) == told_at_once(live, 0) != passed
    for _ in range(3):
        await move(live, 5)
        for seat in (-1, 0, 1):
            assert stories.lines(live, seat) == told_at_once(live, seat) != ()


# --- how much, how often --------------------------------------------------------------------------------------------


async def test_a_guest_has_a_limited_number_of_tables(guest):
    wished = {"game": "chi", "chairs": ["you", "person"]}
    answers = await asyncio.gather(*(guest.post("/api/tables", **wished) for _ in range(2 * DEFAULT_LIMITS.tables)))
    refused = [answer for answer in answers if answer.status != 201]
    assert [answer.status for answer in refused] == [429] * DEFAULT_LIMITS.tables
    assert "tables" in refused[0].json()["reason"]
    assert len(guest.room.live) == DEFAULT_LIMITS.tables


async def test_one_host_does_not_fill_the_lobby(guest):
    others = await (await guest.newcomer()).open("chi", "you", "person")
    for _ in range(MOST_OF_ONE + 4):
        await guest.open("chi", "you", "person")
    listed = (await (await guest.newcomer()).get("/api/lobby")).json()["open"]
    assert len(listed) == MOST_OF_ONE + 1
    assert others.id in [facts["id"] for facts in listed]


@pytest.mark.parametrize(("kind", "path"), [("promise", "/api/promise"), ("open", "/api/tables")])
async def test_a_client_who_asks_too_often_learns_when_to_come_back(guest, kind, path):
    answers = [await guest.post(path, **({"game": "none"} if kind == "open" else {})) for _ in range(60)]
    late = [answer for answer in answers if answer.status == 429]
    assert len(late) >= 60 - getattr(DEFAULT_LIMITS, kind).guest.at_once - 5
    for answer in late:
        assert 1 <= int(answer.headers["retry-after"]) <= 60
        assert answer.json()["reason"]
    assert (await (await guest.newcomer()).get("/api/me")).status == 200, "the others are let in"


async def test_an_address_makes_a_limited_number_of_guests(guest):
    answers = [await guest.another(FAR).get("/api/me") for _ in range(80)]
    assert [answer.status for answer in answers].count(200) == pytest.approx(
        DEFAULT_LIMITS.guest.address.at_once, abs=3
    )
    assert "set-cookie" not in answers[-1].headers
    assert (await guest.another("203.0.113.8").get("/api/me")).status == 200
    assert (await guest.another(FAR).get("/web/main.js")).status == 200, "files need no guest"


def test_an_address_and_a_guest_are_held_to_what_they_may_do():
    limits = Limits()

    def taken(guest, address):
        """Return how often guests may speak, whose name and address depend on a number."""
        for number in range(5000):
            try:
                limits.spend("say", guest.format(number), address.format(number))
            except TooFast:
                return number
        raise AssertionError(f"{guest} at {address} has no limit")

    say = DEFAULT_LIMITS.say
    assert taken("ada", "198.51.100.1") == pytest.approx(say.guest.at_once, abs=2)
    assert taken("guest {}", FAR) == pytest.approx(say.address.at_once, abs=6)
    assert taken("guest at home {}", "::1") == pytest.approx(say.address.at_once * AT_HOME, rel=0.1)
    assert taken("guest of six {}", "2001:db8::{:x}") == pytest.approx(say.address.at_once, abs=6)


async def test_a_guest_talks_no_more_over_forty_connections_than_over_one(guest):
    live = await table_of_two(guest)
    viewers = [Viewer(guest.room, live, guest.guest) for _ in range(40)]
    requests = [(viewer, m.Say(id=f"{line} {id(viewer)}", text="buy!")) for line in range(6) for viewer in viewers]
    answers = Counter([(await viewer.ask(request))["type"] for viewer, request in requests])
    assert 6 <= answers["done"] <= 6 + 4
    assert answers == {"done": len(live.audience.chat), "refused": 240 - answers["done"]}


def test_a_guest_is_connected_only_so_often():
    limits = Limits()
    with contextlib.ExitStack() as entered:
        for _ in range(DEFAULT_LIMITS.connections - 1):
            entered.enter_context(limits.connection("ada", "127.0.0.1"))
        with limits.connection("ada", "127.0.0.1"):
            with pytest.raises(TooMany), limits.connection("ada", "127.0.0.1"):
                pass
            with limits.connection("ben", "127.0.0.1"):
                pass
        with limits.connection("ada", "127.0.0.1"):
            pass
    assert not limits.guests_connected | limits.addresses_connected


async def test_a_connection_too_many_is_refused_in_words(guest):
    guest.room.limits = Limits(LimitSettings(connections=0))
    live = await table_of_two(guest)
    answer = await guest.ask("GET", f"/api/tables/{live.id}/play", kind="websocket")
    assert (answer.status, "too many connections" in answer.json()["reason"]) == (429, True)
    assert HEADERS.items() <= answer.headers.items()


# --- what comes over the network ------------------------------------------------------------------------------------


@pytest.fixture
async def listening(guest, monkeypatch):
    """The port of a room that listens as `fairdeal serve` does, with less patience."""
    monkeypatch.setattr(connections, "ASK_WITHIN", 0.5)
    async with inside.listening(guest.app) as port:
        yield port


async def is_served(port):
    """Return whether the room answers an ordinary request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(WHOLE)
    answer = await reader.read()
    writer.close()
    return answer.startswith(b"HTTP/1.1 200")


HALF = b"GET /api/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{"
WHOLE = b"GET /api/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize("start", [b"", HALF, HALF_A_BODY])
async def test_a_half_sent_request_is_not_waited_for(listening, start):
    """A connection that sends no whole request in time is closed, even if a byte comes now and then."""
    rude = [await asyncio.open_connection("127.0.0.1", listening) for _ in range(40)]
    began = time.monotonic()
    ended = [asyncio.create_task(reader.read()) for reader, _ in rude]
    for _, writer in rude:
        writer.write(start)
    while not all(task.done() for task in ended):
        assert time.monotonic() - began < 15, "connections are still open"
        await asyncio.sleep(0.1)
        for _, writer in rude:
            if start and not writer.is_closing():
                writer.write(b"x")
        assert await is_served(listening)
    assert time.monotonic() - began > 0.4, "there was some patience"
    await asyncio.gather(*ended, return_exceptions=True)
    for _, writer in rude:
        writer.close()


async def test_what_is_not_http_is_refused_with_the_headers_of_all_answers(listening):
    reader, writer = await asyncio.open_connection("127.0.0.1", listening)
    writer.write(b"\x16\x03\x01 what\r\n\r\n")
    answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"content-security-policy: default-src 'none'" in answer
    writer.close()


BODY = "0\r\n\r\nGET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n"
"""An empty body in chunks and another request, or a body of the length of both."""

LENGTH, CHUNKED = f"Content-Length: {len(BODY)}", "Transfer-Encoding: chunked"
TWO_READINGS = {
    "length and chunks": ("1.1", LENGTH, CHUNKED),
    "chunks and length": ("1.1", CHUNKED, LENGTH),
    "no length and chunks": ("1.1", "Content-Length: 0", CHUNKED),
    "length and chunks in capitals": ("1.1", LENGTH.upper(), CHUNKED.upper()),
    "length and chunks of an upgrade": (
        "1.1",
        LENGTH,
        CHUNKED,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ),
    "chunks in HTTP/1.0": ("1.0", CHUNKED, "Connection: keep-alive"),
    "two lengths": ("1.1", LENGTH, "Content-Length: 5"),
    "two lengths in a line": ("1.1", f"{LENGTH}, 5"),
    "a signed length": ("1.1", "Content-Length: +5"),
    "a hexadecimal length": ("1.1", "Content-Length: 0x5"),
    "chunks twice": ("1.1", CHUNKED, CHUNKED),
    "another encoding before chunks": ("1.1", "Transfer-Encoding: identity, chunked"),
    "another encoding": ("1.1", "Transfer-Encoding: xchunked"),
    "a space before the colon": ("1.1", "Transfer-Encoding : chunked"),
}


@pytest.mark.parametrize(("version", "headers"), [(one[0], one[1:]) for one in TWO_READINGS.values()], ids=TWO_READINGS)
async def test_a_request_whose_length_has_two_readings_is_refused_and_closes_the_connection(
    listening, version, headers
):
    """Otherwise a proxy may take for a part of one guest's request what the room takes for another guest's."""
    reader, writer = await asyncio.open_connection("127.0.0.1", listening)
    writer.write("\r\n".join([f"POST /api/me HTTP/{version}", "Host: localhost", *headers, "", BODY]).encode())
    answer = await asyncio.wait_for(reader.read(), 5)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"connection: close" in answer.lower()
    assert answer.count(b"HTTP/1.1 ") == 1
    writer.close()


async def test_a_request_whose_length_has_one_reading_is_carried_out(listening):
    for headers in ([CHUNKED], ["Content-Length: 0"], []):
        reader, writer = await asyncio.open_connection("127.0.0.1", listening)
        body = "0\r\n\r\n" if headers == [CHUNKED] else ""
        writer.write("\r\n".join(["GET /api/me HTTP/1.1", "Host: localhost", *headers, "", body]).encode() + WHOLE)
        assert (await asyncio.wait_for(reader.read(), 5)).count(b"HTTP/1.1 200") == 2
        writer.close()


UPGRADE = (
    b"GET /api/tables/x/play HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x85\x00\x00\x00\x00hello"
)


async def test_no_bytes_make_the_room_complain(listening, caplog):
    chance, answered = random.Random(6), 0
    right = [HALF + b"\r\n\r\n", HALF_A_BODY + b"}" * 19, WHOLE + WHOLE, UPGRADE]
    for _ in range(150):
        sent = bytearray(chance.choice(right))
        for _ in range(chance.randrange(4)):
            sent[chance.randrange(len(sent))] = chance.randrange(256)
        reader, writer = await asyncio.open_connection("127.0.0.1", listening)
        writer.write(sent[: chance.choice([len(sent), chance.randrange(1, len(sent))])])
        if chance.random() < 0.5:
            writer.write_eof()
        with contextlib.suppress(TimeoutError, OSError):
            answered += bool(await asyncio.wait_for(reader.read(100), 0.02))
        writer.transport.abort()
    assert await is_served(listening)
    assert answered > 30
    assert caplog.records, "what was no request is logged"
    assert [record for record in caplog.records if record.exc_info] == []


async def test_leaving_before_the_answer_that_there_is_no_table_is_not_an_error(guest):
    sent = []

    async def app(scope, receive, send):
        async def gone(message):
            sent.append(message["type"])
            if message["type"] == "websocket.send":
                raise OSError("gone")

        await guest.app(scope, receive, gone)

    await Inside(app, guest.room).get("/api/tables/nothing/play", kind="websocket")
    assert sent == ["websocket.accept", "websocket.send"]
    assert not guest.room.limits.guests_connected | guest.room.limits.addresses_connected


class Wire:
    """A transport that remembers whether it was aborted."""

    aborted = False

    def abort(self):
        self.aborted = True


def test_the_oldest_silent_connection_is_closed_if_there_are_too_many():
    entered = Connections(most=4, of_an_address=2)
    wires = [Wire() for _ in range(6)]
    for number in range(4):
        assert entered.enter(wires[number], f"198.51.100.{number}")
    entered.asked(wires[0])
    assert entered.enter(wires[4], FAR)
    assert [wire.aborted for wire in wires] == [False, True, False, False, False, False]
    assert entered.enter(wires[1], FAR)
    assert not entered.enter(wires[5], FAR), "two of an address"
    for wire in wires:
        entered.leave(wire)
    assert (len(entered.networks), entered.of.total()) == (0, 0)


def test_a_proxy_may_have_the_connections_of_all_its_guests():
    entered = Connections(most=1000, of_an_address=2, proxies=["198.51.100.0/30", "2001:db8::1"])
    for proxy in ("198.51.100.1", "2001:db8::1"):
        assert sum(entered.enter(Wire(), proxy) for _ in range(200)) == 2 * AT_HOME
    assert sum(entered.enter(Wire(), "198.51.100.4") for _ in range(200)) == 2


# --- what is asked --------------------------------------------------------------------------------------------------


DEEP = {
    "dots": "a." * 12_000 + "a = 1",
    "quoted": ".".join(['"a"'] * 5000) + " = 1",
    "brackets": "a = " + "[" * 12_000,
    "behind a string": 'a = """ \\""" """ \n b = ' + "[" * 500,
    "behind a comment": "# ]]]]] '\na = " + "{a = " * 500,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_a_text_that_nests_too_deeply_is_refused_unparsed(text):
    with refusal("levels deep"):
        check_depth(text)


SHALLOW = [
    'a = "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[" # [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[',
    "a = '....................................................'",
    "a = '''\n" + "[" * 50 + "\n'''",
    'a = """' + "{." * 50 + '"""',
    "\n".join(["[[a.b]]", "c = [1.5, 2.5]"] * 100),
    '{"a": "\\"[[[[[[[[[[[[[[[[[[[[[[[[[[[", "b": [' + "[1.5]," * 50 + "[]]}",
]


@pytest.mark.parametrize("text", SHALLOW)
def test_what_is_quoted_nests_nothing(text):
    check_depth(text)


async def test_a_deep_file_is_refused_before_it_is_parsed(guest, monkeypatch):
    def wished(text):
        return guest.post("/api/tables", game="war-xtreme", options={"players": 2, "catalogue": text})

    parsed = []
    await wished("a = 1")  # the room has read its own files by then
    monkeypatch.setattr("tomllib.loads", lambda text: parsed.append(text) or {})
    answer = await wished(DEEP["dots"])
    assert (answer.status, "levels deep" in answer.json()["reason"], parsed) == (400, True, [])
    await wished("a = 1")
    assert len(parsed) == 1


async def test_a_deep_body_is_refused_for_being_deep(guest):
    answer = await guest.post("/api/tables", game="chi", options={"x": json.loads("[" * 30 + "]" * 30)})
    assert (answer.status, "levels deep" in answer.json()["reason"]) == (400, True)


ODD = [
    ("POST", "/api/me", b'{"name": "\xff\xfe"}', 400),
    ("POST", "/api/me", b" " * 20_000, 400),
    ("POST", "/api/tables", b'{"game": "chi", "options": {"x": ' + b"[" * 15_000 + b"]" * 15_000 + b"}}", 400),
    ("POST", "/api/tables", b'{"game": "\\ud800"}', 400),
    ("POST", "/api/tables", b"", 400),
    ("POST", "/api/tables", b"[]", 400),
    ("POST", "/api/tables", b'{"game": 7}', 400),
    ("POST", "/api/tables", b'{"game": "chi", "more": 1}', 400),
    ("POST", "/api/tables", b"[" * 9000, 400),
    ("GET", "/api/tables/%FF%FE", b"", 404),
    ("GET", "/web/%00", b"", 404),
    ("GET", "/web/../app.py", b"", 404),
    ("GET", "/web/%2e%2e/app.py", b"", 404),
    ("GET", "/games/chi/../rules.py", b"", 404),
    ("GET", "/games/chi/game.py", b"", 404),
]


async def test_an_odd_request_is_refused_with_a_reason(guest):
    for method, path, body, status in ODD:
        answer = await guest.ask(method, path, body)
        assert answer.status == status, (path, body)
        assert answer.body, path
        if path.startswith("/api"):
            assert answer.json()["reason"], path


async def test_a_full_disk_is_reported_in_words_and_nothing_is_half_done(guest):
    def protect(connection):
        connection.exec_driver_sql(f"PRAGMA query_only={full}")  # whichever connection the room takes

    full = True
    sa.event.listen(guest.room.store.engine, "begin", protect)
    for path, body in (("/api/me", {"name": "Ada"}), ("/api/tables", {"game": "chi"})):
        answer = await guest.post(path, **body)
        assert answer.status == 503
        assert "try again" in answer.json()["reason"]
    assert not guest.room.live
    assert (await guest.get("/api/lobby")).status == 200
    full = False
    await guest.open()


async def test_a_room_with_an_address_answers_to_no_other(tmp_path):
    async with opened(tmp_path, base="https://room.example") as guest:
        for host in ("room.example", "ROOM.example:443", "localhost:8000", "127.0.0.1", "[::1]:99"):
            assert (await guest.get("/api/me", headers=[("host", host)])).status == 200
        for host in ("evil.example", "room.example.evil", "room.example:8000"):
            for path, kind in (("/api/me", "http"), ("/web/main.js", "http"), ("/api/tables/x/play", "websocket")):
                answer = await guest.get(path, headers=[("host", host)], kind=kind)
                assert (answer.status, HEADERS.items() <= answer.headers.items()) == (421, True)


async def test_a_host_that_is_none_gets_into_no_link(guest):
    live = await table_of_two(guest)
    for host in ("a" * 3000, "a b", 'x"onload=', "x:99999", "x:65536", "[::1", "a/b", "a@b"):
        for path in ("/api/network", f"/api/tables/{live.id}/code.svg"):
            answer = await guest.get(path, headers=[("host", host)])
            assert (answer.status, HEADERS.items() <= answer.headers.items()) == (400, True), host
    for sane in ("localhost:1", "LOCALHOST", "127.0.0.1:65535", "[::1]:9"):
        answer = await guest.get("/api/network", headers=[("host", sane)])
        assert [one["url"] for one in answer.json()["addresses"]] == [f"http://{sane}"]


# --- names ----------------------------------------------------------------------------------------------------------


def test_bots_and_guests_are_kept_apart():
    places = places_for(["you", "greedy", "greedy"], "guest", "Вo", "", bytes(32))
    assert places[0].name == "Вo"
    assert "Bo" not in [place.name for place in places]
    places = places_for(["you", "bram:0-10-0", "vix:100-0-60", "bram:0-10-0"], "guest", "Ada", "", bytes(32))
    assert [place.name for place in places] == ["Ada", "Bram", "Vix", "Bo"]
    places = places_for(["bram:0-10-0", "you"], "guest", "Вram", "", bytes(32))  # the first letter is Cyrillic
    assert places[0].name == "Bo"
    assert apart("ВO", ["Ada", "Bo", "Bo 2"]) == "ВO 3"


async def test_names_at_a_table_stay_distinct_when_a_guest_takes_another(guest):
    await guest.post("/api/me", name="Ada")
    ben, eve = await guest.newcomer("Аda"), await guest.newcomer("Eve")
    live = await guest.open("chip-it", "you", "person", "person")
    for other in (ben, eve):
        await other.post(f"/api/tables/{live.id}/join")
    await eve.post("/api/me", name="Ada")
    assert [place.name for place in live.seats] == ["Ada", "Аda 2", "Eve"]
    await Viewer(guest.room, live, eve.guest).say("it is me")
    assert live.audience.chat[-1].name == "Eve"


@pytest.mark.parametrize("old", ["You", "Pip"])
async def test_a_reserved_name_is_refused_and_one_of_an_earlier_version_is_marked(old, guest):
    body = json.dumps({"name": f"{old} 2"}).encode()
    answer = await guest.ask("POST", "/api/me", body, (HOST, ("origin", f"http://{HOST[1]}")))
    assert answer.status == 400
    assert re.fullmatch(f"“{old} 2” could be taken for .*; choose a different name", answer.json()["reason"])
    assert (await guest.get("/api/me")).json() == {"name": "Guest"}
    assert (await guest.post("/api/me", name=f"{old} 2")).json() == {"name": f"{old} 2 (guest)"}, "a program"
    await guest.room.store.write(lambda c: keep_name(c, guest.guest, old, 1.0, 10))
    assert (await guest.get("/api/me")).json() == {"name": f"{old} (guest)"}
    live = await guest.open("chi", "you", "pip")
    assert [place.name for place in live.seats] == [f"{old} (guest)", "Pip"]
    live.seats.places[0].name = old  # of a table of an earlier version
    assert [chair.name for chair in live.facts(guest.guest).chairs] == [f"{old} (guest)", "Pip"]


async def test_who_watches_does_not_speak_as_a_player(guest):
    await guest.post("/api/me", name="Ada")
    live = await table_of_two(guest)
    bot = live.seats[1].name
    for name in ("Ada", "Аda", bot, bot.upper()):
        watcher = await guest.newcomer(name)
        await done(Viewer(guest.room, live, watcher.guest).say("hello"))
        said = live.audience.chat[-1]
        assert said.seat == -1
        assert not any(looks(said.name) & looks(place.name) for place in live.seats), said.name
    assert len(live.audience.chat) == 4


def test_every_request_is_answered():
    assert set(ANSWERS) == set(get_args(m.Requests))
