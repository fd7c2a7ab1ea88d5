"""Rooms of two workers behind HAProxy: every request for a table reaches its owner, and the tables of a worker that is
killed, hangs or is cut off are taken over."""

import contextlib
import functools
import inspect
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from fairdeal.server.workers import configuration
from fairdeal.table.verification import verify
from fairdeal.terminal.online.connection import RESTARTS
from tests.conftest import SHORT
from tests.server.conftest import Guest, RoomProcess
from tests.server.histories import check_stored
from tests.server.in_process import apart, execute
from tests.server.lossy import PATIENCE, PatientGuest, cookie_of
from tests.server.machine import small_disk
from tests.server.shared import HAPROXY, SharedRoom, needs_haproxy
from tests.server.test_play import play_out, seat_two
from tests.server.test_rounds import Fault, Round, plans, play_rounds
from tests.server.test_stopping import BACK_WITHIN

pytestmark = [needs_haproxy, pytest.mark.databases("postgresql")]


def add_roles(server):
    """Let each worker log in to the database as itself."""
    for role in ("worker1", "worker2"):
        with contextlib.suppress(psycopg.errors.DuplicateObject):
            server.execute(f"CREATE ROLE {role} LOGIN SUPERUSER")


@pytest.fixture
def workers(server, database):
    add_roles(server(fsync=False))
    return database


@pytest.fixture
def guests_of():
    """Return a function that returns a function that makes guests of a room. They leave at the end."""
    with contextlib.ExitStack() as made:

        def come(room, name):
            return made.enter_context(contextlib.closing(Guest(room, name)))

        yield lambda room: functools.partial(come, room)


@pytest.fixture
def shared(workers, tmp_path):
    made = SharedRoom(workers, tmp_path)
    yield made
    made.stop()


def test_haproxy_accepts_the_configuration(tmp_path):
    file = tmp_path / "haproxy.cfg"
    file.write_text(configuration("127.0.0.1:8017", ["127.0.0.1:1", "127.0.0.1:2"]))
    checked = subprocess.run([HAPROXY, "-c", "-f", file], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert "warning" not in (checked.stdout + checked.stderr).lower()


# --- one worker ends, hangs, or is cut off ------------------------------------------------------------------------


def test_two_guests_play_at_one_worker_and_go_on_at_the_other_when_it_is_killed(shared, guests_of):
    ada, ben, table = seat_two(guests_of(shared), "chi", options={"first_player": 0})
    ada.connect(table)
    ben.connect(table)
    owner = shared.owner(table)
    assert owner is not None, "both requests went to the worker that owns the table"
    number = ada.ask("play", seq=0, move="draw 0")["seq"]
    shared.workers[owner].kill()
    welcome = back(ben, table)
    assert welcome["scene"]["seq"] == number
    assert welcome["epoch"] > 1
    assert shared.owner(table) == 1 - owner
    assert back(ada, table)["scene"]["seq"] == number
    assert ben.ask("play", seq=number, move="draw 0")["type"] == "done"
    shared.workers[owner].start()


def test_a_worker_that_hangs_is_replaced_and_shows_no_old_scene_when_it_wakes(shared, guests_of):
    ada, ben, table = seat_two(guests_of(shared), "chi", options={"first_player": 0})
    ada.connect(table)
    owner = shared.owner(table)
    asleep, direct = shared.workers[owner], Guest(shared.workers[owner], "Eve")
    os.kill(asleep.process.pid, signal.SIGSTOP)
    waits = ada.send("play", seq=0, move="draw 0")
    began = time.monotonic()
    assert back(ben, table)["scene"]["seq"] == 0
    took = time.monotonic() - began
    assert ben.ask("play", seq=0, move="draw 0")["type"] == "refused"
    ada.connect(table)
    number = ada.ask("play", seq=0, move="draw 0", id=waits)["seq"]
    os.kill(asleep.process.pid, signal.SIGCONT)
    welcome = direct.connect(table)
    assert (welcome["scene"]["seq"], welcome["epoch"]) >= (number, 3), "it asks the new owner for the table"
    assert took < 10, took
    direct.close()


def test_a_worker_that_is_stopped_hands_its_tables_over_before_it_ends(shared, guests_of):
    ada, ben, table = seat_two(guests_of(shared), "chi", options={"first_player": 0})
    epoch = ada.connect(table)["epoch"]
    ben.connect(table)
    owner = shared.owner(table)
    number = ada.ask("play", seq=0, move="draw 0")["seq"]
    stopped = shared.workers[owner].process
    stopped.terminate()
    with pytest.raises(ConnectionClosed) as caught:
        ben.until("nothing else")
    assert caught.value.rcvd.code == RESTARTS
    began = time.monotonic()
    welcome = back(ben, table)
    took = time.monotonic() - began
    assert (welcome["scene"]["seq"], welcome["epoch"], shared.owner(table)) == (number, epoch + 1, 1 - owner)
    assert took < BACK_WITHIN
    stopped.join(20)
    assert stopped.exitcode == 0
    shared.workers[owner].start()


def back(guest, table):
    """Connect until the table is there, as a page does, and return the welcome."""
    for _ in range(200):
        try:
            return guest.connect(table)
        except (OSError, EOFError, TimeoutError, InvalidHandshake, ConnectionClosed):
            time.sleep(0.05)
    raise AssertionError("the table does not come back")


# --- the command --------------------------------------------------------------------------------------------------


def children(process):
    """Return the ids of the processes that a process has started."""
    return [
        int(word)
        for task in Path(f"/proc/{process.pid}/task").iterdir()
        for word in (task / "children").read_text().split()
    ]


def workers_of(room):
    """Return the process ids of the workers that a command has started."""
    return {pid for pid in children(room.process) if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()}


def test_the_command_starts_workers_and_proxy_and_all_end_with_it(workers, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    room = RoomProcess(workers, errors=tmp_path / "errors", options=("--workers", "2"))
    made = [Guest(room, name) for name in ("Ada", "Ben")]
    come = iter(made)
    *players, table = seat_two(lambda _: next(come), "chi", options={"first_player": 0} | SHORT["chi"])
    for guest in players:
        guest.connect(table)
    play_out(players, random.Random(1))
    log = made[0].log(table)
    verify(log)
    started = children(room.process)
    assert len(started) >= 3
    one = min(workers_of(room))
    os.kill(one, signal.SIGKILL)
    until(lambda: one not in children(room.process) and len(children(room.process)) == len(started))
    assert made[1].log(table) == log
    for guest in made:
        guest.close()
    started = children(room.process)
    room.kill()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started))


class TimedGuest(PatientGuest):
    """A guest who thinks before each step. `away` has the seconds from each loss of the connection to the welcome."""

    def __init__(self, *facts):
        self.away, self.lost = [], 0.0
        super().__init__(*facts)

    def connect(self):
        self.lost = self.lost or time.monotonic()
        super().connect()

    def hear(self, timeout=PATIENCE):
        message = super().hear(timeout)
        if message and message["type"] == "welcome":
            self.away.append(time.monotonic() - self.lost)
            self.lost = 0.0
        return message

    def step(self):
        time.sleep(0.1)
        super().step()


def test_the_command_replaces_workers_while_people_play_and_tells_them_when_it_ends(workers, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    room = RoomProcess(workers, errors=tmp_path / "errors", options=("--workers", "2"))
    players = []
    for number in range(2):
        *people, table = seat_two(functools.partial(Guest, room), "chip-it", options={"players": 2})
        for seat, guest in enumerate(people):
            name = f"{seat} of {number}"
            players.append(TimedGuest(name, room.address, cookie_of(guest), table, name, seat))
            guest.close()
    before = workers_of(room)
    with ThreadPoolExecutor(len(players)) as threads:
        playing = [threads.submit(guest.play_out) for guest in players]
        os.kill(room.process.pid, signal.SIGUSR1)
        try:
            until(lambda: "all workers were replaced" in room.errors.read_text())
            until(lambda: all(guest.away[1:] and not guest.lost for guest in players))
        finally:
            for guest in players:
                guest.has_enough = True
            for game in playing:
                game.result(60)
    assert not before & workers_of(room)
    eve = Guest(room, "Eve")
    eve.connect(table)
    room.process.terminate()
    with pytest.raises(ConnectionClosed) as caught:
        eve.until("nothing else")
    assert caught.value.rcvd.code == RESTARTS
    eve.close()
    room.process.wait(60)
    room.stop()
    for table in {guest.table for guest in players}:
        check_stored(workers, table, [guest.history for guest in players if guest.table == table])
    longest = max(seconds for guest in players for seconds in guest.away[1:])
    print(f"the guests were back within {longest:.2f} s")
    assert longest < BACK_WITHIN


def until(ready):
    for _ in range(600):
        if ready():
            return
        time.sleep(0.05)
    raise AssertionError(inspect.getsource(ready))


def test_several_workers_need_postgresql(tmp_path):
    command = [sys.executable, "-m", "fairdeal.cli", "serve", "--workers", "2", "--database", tmp_path / "room.db"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "--workers 2: several workers share a PostgreSQL database; name one: --database" in done.stderr


# --- rounds -------------------------------------------------------------------------------------------------------


class SharedRound(Round):
    """A round in a room of two workers. Faults befall the worker that the time before them chooses, or the disk of the
    database."""

    def open(self):
        """Open the tables. On a busy machine, HAProxy may take a worker for dead meanwhile; then open others."""
        with contextlib.suppress(httpx2.TransportError):
            return super().open()
        return super().open()

    def chosen(self, seconds):
        return self.room.workers[int(seconds * 1e6) % 2]

    def kill(self, seconds):
        worker = self.chosen(seconds)
        worker.kill()
        time.sleep(10 * seconds)
        worker.start()

    def drain(self, seconds):
        """Stop a worker in good order, and start it again at once."""
        worker = self.chosen(seconds)
        worker.end()
        worker.start()

    def pause(self, seconds):
        """For 0.4 to 6 s; a lease lasts 3."""
        process = self.chosen(seconds).process
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(20 * seconds)
        os.kill(process.pid, signal.SIGCONT)

    def proxy(self, seconds):
        self.room.kill_proxy()
        time.sleep(seconds)
        self.room.start_proxy()

    def apart(self, seconds):
        """Cut one worker off from the database for 0.4 to 6 s."""
        user = f"worker{1 + int(seconds * 1e6) % 2}"
        self.server.execute(f"ALTER ROLE {user} NOLOGIN")
        self.server.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{user}'")
        time.sleep(20 * seconds)
        self.server.execute(f"ALTER ROLE {user} LOGIN")

    def full(self, seconds):
        """For 0.2 to 3 s."""
        self.machine.fill()
        time.sleep(10 * seconds)
        self.machine.empty()


KINDS = ["kill", "drain", "pause", "proxy", "apart", "away", "cut", "full"]
ROUNDS = max(len(KINDS), int(os.environ.get("FAIRDEAL_ROUNDS", "8")))


@pytest.fixture
def disk(server):
    """The disk of the databases, or None."""
    with small_disk(server(fsync=True).folder / "disk", 16) as made:
        yield made


@pytest.mark.durable
def test_no_fault_of_a_worker_loses_an_acknowledged_move_or_shows_an_old_scene(server, disk, tmp_path, deal):
    found, own, kinds = Counter(), server(fsync=True), KINDS if disk else KINDS[:-1]
    add_roles(own)

    def play(plan):
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        with own.database(on=disk and disk.folder) as database:
            with apart(database) as connection:  # so that nearly every move needs another page of the disk
                execute(connection, "alter table entries set (fillfactor = 10)")
            one = SharedRound(plan, SharedRoom(database, folder, chance=str(plan.chance)), own, disk)
            try:
                tables = one.play()
            finally:
                one.room.kill()
            for table, histories in tables.items():
                final = check_stored(database, table, histories)
                found.update(histories=len(histories), entries=len(final.requests))
                found.update(done=sum(len(history.done) for history in histories))
                found.update(moved=max(told.epoch for history in histories for told in history.told) > 1)
        one.room.stop()
        complaints = "".join(worker.errors.read_text() for worker in one.room.workers)
        found["on a full disk"] += complaints.count("No space left on device")
        found.update(fault.kind for fault in plan.faults)
        found.update(rounds=1)

    any_plan = plans(True, kinds) | plans(False, ["kill", "drain", "pause", "apart"])
    play_rounds(play, any_plan, [[Fault(kind, 2, 0.005, 0.2 + n / 1e6)] for n, kind in enumerate(kinds)], ROUNDS, deal)
    print(dict(found))
    assert found["done"] > 2 * ROUNDS, "hardly anything was acknowledged: the rounds are too short to say much"
    assert found["moved"], "no table has changed its owner"
    assert found["on a full disk"] or not disk, "the disk was never full when a move was made"
