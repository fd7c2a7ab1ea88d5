"""A room that is stopped: it saves and acknowledges the last moves, and its guests come back by themselves."""

import asyncio
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from fairdeal.protocol import messages as m
from fairdeal.server.long_work import LongWork
from fairdeal.server.storage.store import Store
from fairdeal.terminal.online.connection import RESTARTS, Connection
from tests.server.conftest import PORT, ForkedRoom, Guest
from tests.server.in_process import BOTH_DATABASES
from tests.server.visiting import BROWSER, open_with

DOWN = 5.0
"""Seconds for which the room is down: guests who wait twice as long every time would come back late."""

BACK_WITHIN = 2.0
AGAINST_A_BOT = {"chairs": ["you", "greedy"], "options": {"first_player": 0}}


AT_WORK = "at work"


def until_at_work(room, tasks=1):
    """Wait until a room has begun with its slow tasks."""
    until = time.monotonic() + 20
    while room.errors.read_text().count(AT_WORK) < tasks:
        assert time.monotonic() < until
        time.sleep(0.01)


def commit_slowly():
    committed = Store.committed

    def slow(self, connection, together):
        if any(isinstance(piece.work, dict) for piece in together):
            print(AT_WORK, file=sys.stderr, flush=True)
            time.sleep(0.5)
        return committed(self, connection, together)

    Store.committed = slow


def answer_slowly():
    append = Store.append

    async def slow(self, *tenure, **entry):
        await append(self, *tenure, **entry)
        print(AT_WORK, file=sys.stderr, flush=True)
        await asyncio.sleep(0.2)

    Store.append = slow


def moves_of(room):
    return [client for (client,) in room.rows("select client from entries where client != '' order by number")]


@BOTH_DATABASES
@pytest.mark.parametrize("change", [commit_slowly, answer_slowly], ids=["saved", "answered"])
def test_a_move_that_is_being_saved_is_acknowledged_before_the_room_closes(database, tmp_path, deal, change):
    room = ForkedRoom(database, port=PORT, errors=tmp_path / "errors", chance=deal, change=change)
    ada = Guest(room)
    table = ada.open("chi", **AGAINST_A_BOT)["id"]
    ada.connect(table)
    move = ada.ask("hint")["move"]
    asked = ada.send("play", seq=ada.scene["seq"], move=move)
    until_at_work(room)
    room.process.terminate()
    assert ada.until("done")["id"] == asked
    with pytest.raises(ConnectionClosed) as caught:
        ada.until("nothing else")
    assert caught.value.rcvd.code == RESTARTS
    room.process.join(20)
    assert room.process.exitcode == 0, "the database was not closed"
    assert len(moves_of(room)) == 1
    room.start()
    ada.connect(table)
    assert ada.ask("play", seq=0, move=move, id=asked)["type"] == "done"
    assert len(moves_of(room)) == 1
    ada.close()
    room.stop()


NAMES = [f"option {n}" for n in range(500)]
"""Options of which the room finds in a thread that they do not exist."""


def work_slowly():
    do = LongWork.do

    async def slow(self, client, work, *arguments):
        print(AT_WORK, file=sys.stderr, flush=True)
        return await do(self, client, lambda: (time.sleep(4), work(*arguments))[1])

    LongWork.do = slow


def test_long_work_is_refused_when_the_room_closes(database, tmp_path):
    room = ForkedRoom(database, errors=tmp_path / "errors", change=work_slowly)
    ada, ben = Guest(room), Guest(room)
    ada.connect(ada.open("chi", **AGAINST_A_BOT)["id"])
    ada.send("undo", seq=ada.ask("play", seq=0, move="draw 0")["seq"])
    with ThreadPoolExecutor(1) as thread:
        opened = thread.submit(ben.http.post, "/api/tables", json={"game": "chi", "options": dict.fromkeys(NAMES)})
        until_at_work(room, tasks=2)
        room.process.terminate()
        refused = opened.result()
    assert (refused.status_code, refused.json()["reason"]) == (503, "the room closes; try again later")
    with pytest.raises(ConnectionClosed) as caught:
        ada.until("nothing else")
    assert caught.value.rcvd.code == RESTARTS
    room.process.join(20)
    ada.close()
    ben.close()
    room.stop()


@BOTH_DATABASES
def test_further_signals_do_not_interrupt_the_closing(room, guests):
    ada = guests()
    ada.connect(ada.open("chi", **AGAINST_A_BOT)["id"])
    for _ in range(5000):
        room.process.terminate()
        if not room.process.is_alive():
            break
        time.sleep(0.001)
    assert room.process.exitcode == 0


class Terminal(threading.Thread):
    """The connection of `fairdeal join`, in a thread. `arrived` has the times at which it was welcomed."""

    def __init__(self, guest, table):
        super().__init__(daemon=True)
        self.arrived, self.stands, self.restarts = [], True, []
        cookie = "; ".join(f"{name}={value}" for name, value in guest.http.cookies.items())
        self.line = Connection(self.hear, self.lost)
        self.listening = self.line.listen(f"ws://127.0.0.1:{guest.room.port}/api/tables/{table}/play", cookie)

    def run(self):
        asyncio.run(self.listening)

    def hear(self, text):
        if isinstance(m.decoded(text), m.Welcome):
            self.line.welcomed = True
            self.arrived.append(time.monotonic())
        return self.stands

    def lost(self):
        self.restarts.append(self.line.restarts)
        return self.stands


def test_page_and_terminal_say_that_the_room_restarts_and_are_soon_back(room, guests):
    ada = guests()
    table = ada.open("chi", **AGAINST_A_BOT)["id"]
    terminal = Terminal(ada, table)
    terminal.start()
    with BROWSER.visits(room.address) as visit:
        page = visit(may_log="WebSocket connection to|Failed to load resource")
        page.goto(f"/t/{open_with(page, 'chi', ['you', 'greedy'])}")
        page.wait_for_selector(".prompt[data-yours]")
        room.process.terminate()
        page.wait_for_selector(".status-line[data-kind=lost]:has-text('The room restarts, back in a moment.')")
        room.process.join(20)
        time.sleep(DOWN)
        before = len(terminal.arrived)
        room.start()
        back = time.monotonic()
        page.wait_for_selector(".app:not([data-lost])", timeout=BACK_WITHIN * 1000)
        while len(terminal.arrived) == before and time.monotonic() < back + BACK_WITHIN:
            time.sleep(0.01)
        print(f"the terminal was back after {terminal.arrived[-1] - back:.2f} s")
        assert len(terminal.arrived) == before + 1
        assert all(terminal.restarts)
    terminal.stands = False
    with suppress(OSError):
        ada.connect(table)  # so that it hears something, and ends
    terminal.join(20)
    assert not terminal.is_alive()
