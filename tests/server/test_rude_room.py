"""`fairdeal join` at a server that answers too much, too slowly, from elsewhere, or what cannot be."""

import asyncio
import contextlib
import gzip
import itertools
import json
import socket
import threading
import tracemalloc

import msgspec
import pytest
import websockets.asyncio.server as websockets

from fairdeal.protocol import messages as m
from fairdeal.terminal.online import asking, keeper, remote_table
from fairdeal.terminal.online.asking import LARGEST_ANSWER, Asking
from fairdeal.terminal.online.chat import time_of_day
from fairdeal.terminal.online.client import Visit
from fairdeal.terminal.online.connection import LARGEST_MESSAGE, Connection
from fairdeal.terminal.online.remote_table import RemoteApp
from tests.conftest import refusal
from tests.server.test_join import at_table, until

DEEP = 100_000
OK = b"HTTP/1.1 200 OK\r\n"


class RudeServer:
    """A server that sends the same bytes to everyone, and then perhaps one byte from time to time."""

    def __init__(self, answer, drips=b""):
        self.answer, self.drips, self.asked = answer, drips, []
        self.over = threading.Event()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.threads = [threading.Thread(target=self.accept)]
        self.threads[0].start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listening.accept()
                if self.over.is_set():
                    connection.close()
                    return
                self.threads.append(threading.Thread(target=self.serve, args=[connection]))
                self.threads[-1].start()

    def serve(self, connection):
        with connection, contextlib.suppress(OSError):
            self.asked.append(connection.recv(65536))
            connection.sendall(self.answer)
            while self.drips and not self.over.wait(0.01):
                connection.sendall(self.drips)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):  # closing before all is read would take the answer back
                pass

    def close(self):
        self.over.set()
        with contextlib.suppress(OSError):
            socket.create_connection(self.listening.getsockname()).close()
        self.threads[0].join()
        for thread in self.threads:
            thread.join()
        self.listening.close()


@pytest.fixture(autouse=True)
def known(tmp_path, monkeypatch):
    monkeypatch.setattr(keeper, "guests_file", lambda: tmp_path / "data" / "guests.json")


@pytest.fixture
def serves():
    """Starts rude servers, and ends them."""
    with contextlib.ExitStack() as stack:
        yield lambda *wishes: stack.enter_context(contextlib.closing(RudeServer(*wishes)))


def said(content, *headers):
    lines = b"".join(header.encode() + b"\r\n" for header in headers)
    return OK + lines + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(content) + content


def joined(run, address):
    """Return the line with which `fairdeal join` ends."""
    code, out, err = run(f"join {address}/t/abc --bot greedy")
    assert (code, out) == (1, "")
    assert err.startswith("fairdeal: ")
    assert err.count("\n") == 1
    return err


BOMB = gzip.compress(bytes(2 * LARGEST_ANSWER))
PACKED = {
    "too much, packed": (said(BOMB, "Content-Encoding: gzip"), "sends more than 16 MiB"),
    "too much": (said(bytes(LARGEST_ANSWER + 1)), "sends more than 16 MiB"),
    "packed otherwise": (said(b"{}", "Content-Encoding: br"), "'br', not as gzip"),
    "not packed": (said(b"{}", "Content-Encoding: gzip"), "cannot reach the room"),
    "from elsewhere": (
        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/t\x9b\r\nContent-Length: 0\r\n\r\n",
        "refers to",
    ),
    "cookies": (
        said(b"{}", *(f"Set-Cookie: c{number}={'x' * 1000}" for number in range(5))),
        "sends more than 4 KiB of cookies",
    ),
    "a cookie twice": (
        said(b'{"name":"Ada"}', "Set-Cookie: c=1; Path=/", "Set-Cookie: c=2; Path=/api"),
        "is not a room",
    ),
    "deep": (said(b"[" * DEEP), "is not a room"),
    "deep in a field": (said(b'{"unknown":' + b"[" * DEEP + b"]" * DEEP + b"}"), "is not a room"),
    "not text": (said(b'{"id":"\xff"}'), "is not a room"),
    "not HTTP": (b"\x1b]0;title\x07\r\n\r\n", "cannot reach the room"),
}


@pytest.mark.parametrize("answer", PACKED)
def test_what_a_server_may_not_answer_ends_in_one_line(run, serves, answer):
    content, words = PACKED[answer]
    server = serves(content)
    tracemalloc.start()
    try:
        assert words in joined(run, server.address)
        assert tracemalloc.get_traced_memory()[1] < 2.5 * LARGEST_ANSWER
    finally:
        tracemalloc.stop()
    saved = keeper.guests_file().parent
    assert sum(file.stat().st_size for file in saved.rglob("*") if file.is_file()) < 5000


async def test_a_room_cannot_set_more_cookies_with_every_answer(serves):
    count = itertools.count()
    server = serves(b"")
    visitor = Asking(server.address, {})
    for _ in range(4):
        server.answer = said(b"{}", f"Set-Cookie: c{next(count)}={'x' * 1000}")
        await asyncio.to_thread(visitor.ask, "GET", "/")
    server.answer = said(b"{}", f"Set-Cookie: c{next(count)}={'x' * 1000}")
    with refusal("more than 4 KiB of cookies"):
        await asyncio.to_thread(visitor.ask, "GET", "/")
    server.answer = said(b"{}")
    await asyncio.to_thread(visitor.ask, "GET", "/")
    assert [len(asked) < 5000 for asked in server.asked] == [True] * 6
    assert b"cookie" not in server.asked[-1].lower()
    visitor.close()


@pytest.mark.parametrize("begun", [OK, OK + b"Content-Length: 1000000\r\n\r\n"], ids=["header", "content"])
def test_an_answer_byte_by_byte_ends_in_time(run, serves, monkeypatch, begun):
    monkeypatch.setattr(asking, "LONGEST_ANSWER", 0.2)
    assert "takes too long to answer" in joined(run, serves(begun, b"a").address)


def test_a_program_that_ends_does_not_wait_for_an_answer(serves):
    slow, ended = serves(OK + b"Content-Length: 1000000\r\n\r\n", b"a"), []
    requests = Asking(slow.address, None)

    def ask():
        with refusal("is over"):
            requests.ask("GET", "/")
        ended.append(True)

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    while len(slow.asked) < len(threads):
        slow.over.wait(0.01)
    requests.close()
    for thread in threads:
        thread.join(20)
    assert len(ended) == len(threads)
    ask()
    requests.close()


@pytest.mark.parametrize("leaves", [False, True], ids=["ends", "leaves"])
async def test_the_terminal_ends_although_its_room_never_ends_an_answer(room, guests, serves, monkeypatch, leaves):
    monkeypatch.setattr(remote_table, "LONGEST_GOODBYE", 0.05)
    table = guests("Ada").open("chi", chairs=["person", "greedy"], options={"stacks_to_end": 4})["id"]
    slow = serves(OK + b"Content-Length: 1000000\r\n\r\n", b"a")
    with contextlib.closing(Visit(f"{room.address}/t/{table}")) as visit:
        visit.come_in("Tess")
        app = RemoteApp(visit, pause=0)
        async with app.run_test(size=(100, 30)) as pilot:
            screen = await at_table(pilot)
            visit.http.address = slow.address
            asked = asyncio.create_task(asyncio.to_thread(visit.moment, 1, 0))
            await until(pilot, lambda: slow.asked)
            if leaves:
                screen.sure(True)
                await until(pilot, lambda: not app.is_running)
            else:
                app.exit()
        assert visit.http.is_closed
        with refusal("is over"):
            async with asyncio.timeout(20):
                await asked


@pytest.mark.parametrize("host", ["nowhere.invalid", "a" * 64, "a..b", "xn--a", "ü" * 70, "1.2.3.4.5.6"])
def test_a_host_that_does_not_exist_is_named_in_one_line(run, host):
    assert f"cannot reach the room at http://{host}" in joined(run, f"http://{host}:1")


def facts(**changes):
    chairs = [{"seat": 0, "name": "Ada"}, {"seat": 1, "name": "Bo"}]
    known = {"id": "abc", "game": "chi", "title": "CHI", "name": "", "status": "open", "options": {}, "chairs": chairs}
    return known | {"deal": {"commitment": "0" * 64}} | changes


IMPOSSIBLE = [
    {"seat": 2},
    {"seat": -2},
    {"seat": 10**18},
    {"acts": [0, 5]},
    {"host_seat": -9},
    {"chairs": [{"seat": 1}, {"seat": 0}]},
    {"chairs": [{"seat": 0}, {"seat": 0}], "seat": 1},
    {"chairs": [], "seat": 0},
    {"id": ""},
    {"id": "../abc"},
    {"id": "a" * 65},
    {"deal": {"commitment": "0" * 64, "key": "/etc/cron.d/abcd"}},
    {"deal": {"commitment": "0" * 64, "key": "../../bin/"}},
    {"deal": {"commitment": "0" * 64, "key": "\0" + "a" * 63}},
    {"deal": {"commitment": "0" * 64, "key": "A" * 64}},
]


@pytest.mark.parametrize("changes", IMPOSSIBLE, ids=str)
def test_impossible_facts_are_refused(run, serves, changes):
    assert "is not a room" in joined(run, serves(said(json.dumps(facts(**changes)).encode())).address)
    with pytest.raises(msgspec.DecodeError):
        m.decoded(json.dumps({"type": "table", "facts": facts(**changes)}))


@pytest.mark.parametrize("id", ["xyz", "abcd", "ABC"])
def test_the_facts_of_another_table_are_refused(run, serves, id):
    assert f"the facts of table {id!r} instead of 'abc'" in joined(
        run, serves(said(json.dumps(facts(id=id)).encode())).address
    )
    with pytest.raises(msgspec.DecodeError, match="another table"):
        Visit("http://127.0.0.1:1/t/abc").keeper.heard(
            m.decoded(json.dumps({"type": "table", "facts": facts(id=id)})), 1
        )


def test_possible_facts_are_read():
    assert m.decoded(json.dumps({"type": "table", "facts": facts(seat=1, acts=[0], host_seat=0)})).facts.seat == 1
    assert m.decoded(json.dumps({"type": "table", "facts": facts(seat=-1)})).facts.seat == -1
    known = {"commitment": "0" * 64, "key": "a1" * 32}
    assert m.decoded(json.dumps({"type": "table", "facts": facts(deal=known)})).facts.deal.key == "a1" * 32


@pytest.mark.parametrize("text", ["[" * DEEP, '{"type":"done","id":"a","unknown":' + "[" * DEEP, b'{"type":"\xff"}'])
def test_a_message_that_cannot_be_read_is_unknown(text):
    with pytest.raises(msgspec.DecodeError):
        m.decoded(text)


async def test_a_connection_is_not_led_elsewhere(serves):
    elsewhere = serves(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    goal = elsewhere.address.replace("http", "ws")
    room = serves(f"HTTP/1.1 307 Away\r\nLocation: {goal}/\r\nContent-Length: 0\r\n\r\n".encode())
    lost = []
    line = Connection(lambda text: True, lambda: bool(lost.append(1)))
    async with asyncio.timeout(20):
        await line.listen(room.address.replace("http", "ws", 1), "guest=secret")
    assert (len(lost), len(room.asked), elsewhere.asked) == (1, 1, [])


def test_a_running_hash_of_less_than_nothing_is_not_saved():
    made = Visit("http://127.0.0.1:1/t/abc").keeper
    for seq in (-1000, 1000):
        made.heard(m.Done(id="1", seq=seq, chain="a" * 64), 1)
    assert {*made.now.acknowledged} == {(-1, 1000)}


@pytest.mark.parametrize("compression", ["deflate", None])
async def test_a_message_that_is_too_large_is_not_read(compression):
    async def serve(socket):
        await socket.send("a" * (LARGEST_MESSAGE + 1))
        await socket.wait_closed()

    heard, lost = [], []
    line = Connection(lambda text: bool(heard.append(text)), lambda: bool(lost.append(1)))
    async with asyncio.timeout(20), websockets.serve(serve, "127.0.0.1", 0, compression=compression) as server:
        await line.listen(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", "")
    assert (heard, lost) == ([], [1])


SCENE = {"skin": "chi", "title": "Chi", "viewer": 0, "seats": [{"seat": 0, "name": "You"}]}

UNFIT = {
    "of another scene": {"base": 2, "changes": {}},
    "of no scene": {"base": 0, "changes": {}},
    "to a name as if it had parts": {"base": 1, "changes": {"title": {"big": "x"}}},
    "to a seat that is removed by a number": {"base": 1, "changes": {"seats": {"-": 1}}},
    "without a position": {"base": 1, "changes": {"seats": {"+": [{"seat": 1, "name": "Bo"}]}}},
    "to a title that is a number": {"base": 1, "changes": {"title": 1}},
    "without a title": {"base": 1, "changes": {"title": None}},
    "that make the scene too large": {"base": 1, "changes": {"title": "a" * (LARGEST_MESSAGE - 60)}},
}
"""Patches that do not fit the first scene."""


@pytest.mark.parametrize("what", UNFIT)
async def test_a_program_reconnects_if_changes_do_not_fit(what):
    visits = []

    async def serve(socket):
        visits.append(socket)
        await socket.send(json.dumps({"type": "welcome", "facts": facts(), "scene": SCENE}))
        patch = UNFIT[what] if len(visits) == 1 else {"base": 1, "changes": {"seats": {"0": {"name": "Ada"}}}}
        await socket.send(json.dumps({"type": "patch", **patch}))
        await socket.wait_closed()

    heard = []

    def hear(text):
        with contextlib.suppress(msgspec.DecodeError):
            heard.append(line.decoded(text))
        return len(heard) < 3

    line = Connection(hear, lambda: True)
    async with (
        asyncio.timeout(20),
        websockets.serve(serve, "127.0.0.1", 0, max_size=None) as server,
    ):
        await line.listen(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", "")
    assert len(visits) == 2
    assert [type(message) for message in heard] == [m.Welcome, m.Welcome, m.Shown]
    assert heard[-1].scene.seats[0].name == "Ada"


def test_a_time_that_there_is_not_is_left_out():
    assert [time_of_day(at) for at in (1e300, -1e300, float("inf"), float("nan"))] == ["", "", "", ""]
    assert len(time_of_day(0.0)) == 5
