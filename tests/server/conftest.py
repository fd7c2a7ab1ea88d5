"""A room in a process of its own, and guests who talk to it."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import weakref
from pathlib import Path

import httpx2
import pytest
from websockets.sync.client import connect

from fairdeal.cli.serve import located
from fairdeal.server.storage import store as store_module
from fairdeal.server.storage.store import Store
from fairdeal.server.tables import driver
from fairdeal.table import fairness
from tests.ports import wait_for
from tests.server.forking import CAN_FORK, draw_from, forks, serve_here
from tests.server.in_process import InsideRoom, Ticker, rest, rows_in
from tests.server.inside import opened as opened_inside
from tests.server.networks import in_networks
from tests.server.postgresql import PROGRAMS, WITHOUT, Server
from tests.server.visiting import BROWSER

HELD = socket.socket()
atexit.register(HELD.close)
HELD.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
HELD.bind(("127.0.0.1", 0))
PORT = HELD.getsockname()[1] if sys.platform == "linux" else 0
"""Where the rooms of this process listen, one after the other, so that a browser keeps their files. Nobody else is
given what is held, and on Linux a room may listen there all the same; elsewhere it takes any port."""


def is_open(connection):
    try:
        connection.total_changes  # noqa: B018
    except sqlite3.ProgrammingError:
        return False
    return True


def serve_in_vain(*options):
    """Run `fairdeal serve` where it cannot open a room. Return its exit code and its complaint."""
    command = [sys.executable, "-m", "fairdeal.cli", "serve", "--port", "0", "--no-compile", *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.fixture(autouse=True)
def opened(monkeypatch):
    """The connections that SQLAlchemy opens to SQLite; none may be left open. Python warns of them since 3.13 only."""
    connections = []
    connect = sqlite3.dbapi2.connect

    def noted(*arguments, **options):
        connections.append(connect(*arguments, **options))
        return connections[-1]

    monkeypatch.setattr(sqlite3.dbapi2, "connect", noted)
    yield connections
    assert [connection for connection in connections if is_open(connection)] == []


@pytest.fixture(autouse=True)
def sockets(monkeypatch):
    """Internet sockets that a test makes. A thread may still close some when the test ends, but none may be left open:
    Python would warn of it in a later test."""
    made = weakref.WeakSet()
    make = socket.socket.__init__

    def noted(self, *arguments, **options):
        make(self, *arguments, **options)
        made.add(self)

    monkeypatch.setattr(socket.socket, "__init__", noted)
    yield
    until = time.monotonic() + 2
    while (left := [one for one in list(made) if one.fileno() >= 0 and one.family != socket.AF_UNIX]) and (
        time.monotonic() < until
    ):
        time.sleep(0.01)
    assert left == []


class RoomProcess:
    """`fairdeal serve` over a database; it can be killed and started again. Its complaints are in the file `errors`,
    which is beside a database file."""

    def __init__(
        self, database, pause=0.0, port=0, errors=None, program=(sys.executable, "-m", "fairdeal.cli"), options=()
    ):
        self.database, self.pause, self.port, self.program, self.options = database, pause, port, program, options
        self.errors = errors or Path(f"{database}.errors")
        self.start()

    def start(self):
        command = [*self.program, "serve", "--port", str(self.port)]
        command += ["--database", str(self.database), "--pause", str(self.pause), "--no-compile", *self.options]
        with self.errors.open("a") as errors:
            told = os.environ | {"PYTHONFAULTHANDLER": "1"}
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=told)
        with self.process.stdout as said:
            self.answers_at(said.readline())

    def answers_at(self, line):
        """Wait until the room answers at the address that it has named."""
        assert "The room is open at" in line, self.errors.read_text()
        self.address = line.split()[-1]
        self.port = int(self.address.rpartition(":")[2])
        wait_for(self.port)

    def kill(self):
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def end(self):
        """End it in good order; how it has ended if it had ended by itself."""
        ended = self.process.poll()
        if ended is None:
            self.process.terminate()
            self.process.wait(60)
        return ended

    def rows(self, query, *values):
        """Return the rows of a query of the database."""
        return rows_in(located(self.database), query, *values)

    def stop(self):
        """End it in good order; it is wrong if it has ended by itself, or has a complaint."""
        ended, errors = self.end(), self.errors.read_text()
        assert ended in (None, 0, -signal.SIGKILL, -signal.SIGTERM), f"the room ended with {ended}: {errors}"
        assert "Traceback" not in errors, errors


class ForkedRoom(RoomProcess):
    """The same without the command: a fork of a process that has imported it, after a change of the program. Its deals
    follow from `chance`, if these words are given, and from the number of times that it was started."""

    def __init__(self, database, pause=0.0, port=0, errors=None, chance="", change=None, **wishes):
        self.chance, self.starts, self.change, self.wishes = chance, 0, change, wishes
        super().__init__(database, pause, port, errors)

    def start(self):
        if not CAN_FORK:
            pytest.skip("a process cannot fork on Windows")
        wishes = {"port": self.port, "database": str(self.database), "pause": self.pause, "compile": False}
        receiver, sender = forks.Pipe(duplex=False)
        self.starts += 1
        chance = self.chance and f"{self.chance} {self.starts}"
        told = (sender, str(self.errors), chance, self.change, wishes | self.wishes)
        self.process = forks.Process(target=serve_here, args=told, daemon=True)
        self.process.start()
        sender.close()
        with receiver, open(receiver.fileno(), closefd=False) as said:
            self.answers_at(said.readline())

    def kill(self):
        self.process.kill()
        self.process.join()

    def end(self):
        ended = self.process.exitcode
        if ended is None:
            self.process.terminate()
            self.process.join(60)
            assert self.process.exitcode is not None, "the room does not end"
        return ended


class Guest:
    """A guest with cookies, as a program: HTTP, and a connection to one table at a time."""

    def __init__(self, room, name="Ada"):
        self.room = room
        self.http = httpx2.Client(base_url=room.address, timeout=60, verify=False)  # nothing here is https
        self.http.get("/api/me")
        self.http.post("/api/me", json={"name": name})
        self.heard = []
        self.stack = contextlib.ExitStack()
        self.count = 0

    def post(self, path, status=None, **body):
        answer = self.http.post(path, json=body)
        if status:
            assert answer.status_code == status, answer.text
        else:
            assert answer.is_success, answer.text
        return answer.json()

    def get(self, path):
        return self.http.get(path).json()

    def facts(self, table):
        return self.get(f"/api/tables/{table}")

    def log(self, table):
        """Return the text of the log of a finished game."""
        return self.http.get(f"/api/tables/{table}/log").text

    def finish(self, table):
        """Let bots play a table to its end, and return the text of its log."""
        facts = self.facts(table)
        if facts["seat"] >= 0 and facts["status"] != "over":
            self.connect(table)
            self.ask("stand_in", seat=facts["seat"])
        for _ in range(1200):
            if self.facts(table)["status"] == "over":
                return self.log(table)
            time.sleep(0.05)
        raise AssertionError(f"the game at table {table} does not end")

    def fair_start(self):
        """A promise's ticket, and the hash of a number of one's own."""
        self.promise = self.post("/api/promise")
        return {"ticket": self.promise["ticket"], "hash": self.bind()}

    def bind(self, nonce=""):
        self.nonce = nonce or secrets.token_hex(16)
        return fairness.nonce_hash(self.nonce)

    def open(self, game, numbers=None, **wishes):
        """Open a table and show a number; where other guests are waited for, only if `numbers` are wished for."""
        if numbers is None:
            numbers = "person" not in wishes.get("chairs", ())
        if not numbers:
            return self.post("/api/tables", game=game, ticket=self.post("/api/promise")["ticket"], **wishes)
        facts = self.post("/api/tables", game=game, **self.fair_start(), **wishes)
        return self.show(facts["id"]) if facts["deal"]["stage"] == "numbers" and facts["seat"] >= 0 else facts

    def join(self, table, nonce=""):
        return self.post(f"/api/tables/{table}/join", hash=self.bind(nonce))

    def show(self, table):
        """Show the number that one is bound to."""
        return self.post(f"/api/tables/{table}/number", nonce=self.nonce)

    def connect(self, table):
        return self.connect_to(f"/api/tables/{table}/play")

    def connect_to(self, path):
        self.stack.close()
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        opening = connect(
            self.room.address.replace("http", "ws") + path,
            additional_headers={"Cookie": cookie},
            open_timeout=60,
            close_timeout=1,  # it waits for it whenever messages are unread
            max_size=2**22,
        )
        self.socket = self.stack.enter_context(opening)
        self.scene = None
        return self.until("welcome")

    def hear(self, timeout=60):
        message = json.loads(self.socket.recv(timeout=timeout))
        self.heard.append(message)
        if message.get("scene") and not message["scene"].get("draft"):
            self.scene = message["scene"]
        return message

    def until(self, kind, **facts):
        """The next message of a kind."""
        for _ in range(400):
            message = self.hear()
            if message["type"] == kind and all(message.get(name) == value for name, value in facts.items()):
                return message
        raise AssertionError(f"no {kind}")

    def send(self, kind, **facts):
        self.count += 1
        identity = facts.pop("id", f"r{self.count}")
        self.socket.send(json.dumps({"type": kind, "id": identity, **facts}))
        return identity

    def ask(self, kind, **facts):
        """Send a request and wait for its answer."""
        identity = self.send(kind, **facts)
        for _ in range(400):
            message = self.hear()
            if message.get("id") == identity:
                return message
        raise AssertionError("no answer")

    def close(self):
        self.stack.close()
        self.http.close()


@pytest.fixture(autouse=True)
def deal(monkeypatch, request):
    """Rooms and guests draw the same secrets for a test at every run, from its name or its mark `deal`."""
    wished = request.node.get_closest_marker("deal")
    words = os.environ.get("FAIRDEAL_CHANCE", "") + (wished.args[0] if wished else request.node.name)
    draw_from(words, monkeypatch.setattr)
    return words


def pytest_generate_tests(metafunc):
    """Run tests with the mark `databases` with each kind of database that it names."""
    kinds = metafunc.definition.get_closest_marker("databases")
    if kinds and "database" in metafunc.fixturenames:
        marks = {"postgresql": pytest.mark.skipif(not PROGRAMS, reason=WITHOUT)}
        metafunc.parametrize(
            "database", [pytest.param(kind, marks=marks.get(kind, ())) for kind in kinds.args], indirect=True
        )


@pytest.fixture(scope="session")
def server():
    """Return a function that returns a PostgreSQL server, which is started only once for this process."""
    with contextlib.ExitStack() as started:

        @functools.cache
        def start(fsync):
            made = Server(fsync)
            started.callback(made.remove)
            made.start()
            return made

        yield start


@pytest.fixture
def database(request, server, tmp_path):
    """The database of the room: the path of an SQLite file, or the URL of a PostgreSQL database with the room's schema.
    Its server syncs to disk only for tests with the mark `durable`, because others need not survive a power cut."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield tmp_path / "room.db"
    else:
        with server(fsync=request.node.get_closest_marker("durable") is not None).database() as url:
            yield url


@pytest.fixture
def room(request, database, tmp_path, deal):
    """A room, which is open to networks if the mark `networks` gives the addresses of its machine there."""
    errors, networks = tmp_path / "room.db.errors", request.node.get_closest_marker("networks")
    wishes = {"change": in_networks(*networks.args), "lan": True} if networks else {}
    process = ForkedRoom(database, port=PORT, errors=errors, chance=deal, **wishes)
    yield process
    process.stop()


@pytest.fixture
def guests(room):
    """Makes guests and sends them home at the end."""
    made = []

    def come(name="Ada"):
        made.append(Guest(room, name))
        return made[-1]

    yield come
    for guest in made:
        guest.close()


@pytest.fixture
def quick(monkeypatch):
    """Let a room soon try again what could not be saved."""
    monkeypatch.setattr(driver, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(driver, "LONGEST_PAUSE", 0.1)
    monkeypatch.setattr(store_module, "BETWEEN_PROOFS", 0.1)


@pytest.fixture
def store(database):
    made = Store(located(database))
    yield made
    made.close()


@pytest.fixture
async def restart(store):
    """Return a function that opens a room inside the test. Rooms that it has opened before are ended first."""
    made = []

    async def start(**wishes):
        for room in made:
            await rest(room)
        made.append(InsideRoom(store, **wishes))
        return made[-1]

    yield start
    for room in made:
        await rest(room)


@pytest.fixture
async def inside(restart):
    """A room inside the test, which is called without HTTP."""
    return await restart()


@pytest.fixture
def ticker():
    return Ticker()


@pytest.fixture
async def guest(tmp_path):
    """A guest of a room inside the test."""
    async with opened_inside(tmp_path) as made:
        yield made


@pytest.fixture
def visit(room):
    """A window of Chromium for a guest of the room, at `path` where there is one; a page that logs an error fails the
    test. With `overheard`, the test may stand between page and table."""
    with BROWSER.visits(room.address) as visit:
        yield visit
