"""Rooms of two workers behind HAProxy: every request for a table reaches its owner, and the tables of a worker that is
killed or hangs are taken over."""

import contextlib
import functools
import inspect
import os
import random
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from fairdeal.server import restarting
from fairdeal.server.workers import configuration
from fairdeal.table.verification import verify
from fairdeal.terminal.online.connection import RESTARTS
from tests.conftest import SHORT
from tests.ports import free_port, wait_for
from tests.server.conftest import Guest, RoomProcess, serve_in_vain
from tests.server.postgresql import WITH_US
from tests.server.shared import HAPROXY, SharedRoom, check_restarting, needs_haproxy
from tests.server.test_play import mine, play_out, seat_two, step
from tests.server.test_stopping import BACK_WITHIN

pytestmark = [needs_haproxy, pytest.mark.databases("postgresql")]


@pytest.fixture
def shared(database, tmp_path):
    made = SharedRoom(database, tmp_path)
    yield made
    made.stop()


@pytest.fixture
def seated(shared):
    """Ada and Ben, who are at a table of the room, and the id of the table."""
    with contextlib.ExitStack() as made:

        def come(name):
            return made.enter_context(contextlib.closing(Guest(shared, name)))

        ada, ben, table = seat_two(come, "chi", options={"first_player": 0})
        ada.connect(table)
        ben.connect(table)
        yield ada, ben, table


def test_haproxy_accepts_the_configuration(tmp_path):
    file, page = tmp_path / "haproxy.cfg", tmp_path / "the room's page"
    page.write_text(restarting.page())
    file.write_text(configuration("127.0.0.1:8017", ["127.0.0.1:1", "127.0.0.1:2"], str(page)))
    checked = subprocess.run([HAPROXY, "-c", "-f", file], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert "warning" not in (checked.stdout + checked.stderr).lower()


def test_while_no_worker_is_there_people_get_a_page_and_programs_json(tmp_path):
    port, page, log = free_port(), tmp_path / "restarting.html", tmp_path / "log"
    page.write_text(restarting.page())
    file = tmp_path / "haproxy.cfg"
    file.write_text(configuration(f"127.0.0.1:{port}", [f"127.0.0.1:{free_port()}" for _ in range(2)], str(page)))
    paths = {
        "/": "rest",
        "/privacy": "rest",
        "/t/some": "pages",
        "/g/some/analysis": "pages",
        "/modules/0.wasm": "modules",
    }
    paths |= {"/api/me": "api", "/api/tables/some/play": "tables"}
    with log.open("w") as written, httpx2.Client(base_url=f"http://127.0.0.1:{port}") as client:
        proxy = subprocess.Popen([*WITH_US, HAPROXY, "-db", "-f", file], stderr=written)
        try:
            wait_for(port)
            check_restarting(client, paths, log)
        finally:
            proxy.kill()
            proxy.wait()


# --- one worker ends, hangs, or is cut off ------------------------------------------------------------------------


def test_two_guests_play_at_one_worker_and_go_on_at_the_other_when_it_is_killed(shared, seated):
    ada, ben, table = seated
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


def test_a_worker_that_hangs_is_replaced_and_shows_no_old_scene_when_it_wakes(shared, seated):
    ada, ben, table = seated
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


@pytest.fixture
def room(database, tmp_path, monkeypatch):
    """A room that the command opens with two workers."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    made = RoomProcess(database, errors=tmp_path / "errors", options=("--workers", "2"))
    yield made
    made.end()


def test_the_command_starts_workers_and_proxy_and_all_end_with_it(room):
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


def play_on(guest, table, has_enough):
    """Play until there is enough. Return the seconds from each loss of the connection until the table was back, with
    all that was acknowledged."""
    away, chance, known = [], random.Random(1), 0
    while not has_enough():
        time.sleep(0.05)
        try:
            if mine(guest):
                known = max(known, step(guest, chance).get("seq", 0))
            guest.hear(timeout=0.05)
        except TimeoutError:
            continue
        except (OSError, EOFError, ConnectionClosed):
            lost = time.monotonic()
            assert back(guest, table)["scene"]["seq"] >= known
            away.append(time.monotonic() - lost)
    return away


def test_the_command_replaces_workers_while_people_play_and_tells_them_when_it_ends(room):
    enough = threading.Event()
    *people, table = seat_two(functools.partial(Guest, room), "chip-it", options={"players": 2})
    for guest in people:
        guest.connect(table)
    before = workers_of(room)
    with ThreadPoolExecutor(len(people)) as threads:
        playing = [threads.submit(play_on, guest, table, enough.is_set) for guest in people]
        os.kill(room.process.pid, signal.SIGUSR1)
        try:
            until(lambda: "all workers were replaced" in room.errors.read_text())
        finally:
            enough.set()
            away = [game.result(60) for game in playing]
    assert not before & workers_of(room)
    assert all(away), "nobody was interrupted"
    assert max(map(max, away)) < BACK_WITHIN
    ada, ben = people
    back(ada, table)
    room.process.terminate()
    with pytest.raises(ConnectionClosed) as caught:
        ada.until("nothing else")
    assert caught.value.rcvd.code == RESTARTS
    ada.close()
    ben.close()
    room.process.wait(60)
    room.stop()


def until(ready):
    for _ in range(600):
        if ready():
            return
        time.sleep(0.05)
    raise AssertionError(inspect.getsource(ready))


def test_several_workers_need_postgresql(tmp_path):
    code, complaint = serve_in_vain("--workers", 2, "--database", tmp_path / "room.db")
    assert code == 1
    assert "--workers 2: several workers share a PostgreSQL database; name one: --database" in complaint
