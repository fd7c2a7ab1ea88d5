"""Long work is done in fair turns: whoever asks seldom waits for one task, however many others ask without pause."""

import asyncio
import contextlib
import threading
import time

import pytest

from fairdeal.server import long_work
from fairdeal.server.limits import TooFast
from fairdeal.server.long_work import (
    HALF_LIFE,
    MOST_AT_WORK,
    MOST_IN_LINE,
    MOST_OF_ONE_IN_LINE,
    Client,
    Left,
    LongWork,
    Usage,
    processors,
)
from fairdeal.server.tables import thinking
from fairdeal.server.tables.thinking import Thinking
from tests.server.in_process import Ticker, until

ADA, BEN = Client("ada", "1.0.0.0/32"), Client("ben", "2.0.0.0/32")
MOB = [Client(f"mob {number}", "9.0.0.0/32") for number in range(8)]


class Line:
    """A line of long work whose tasks take the time that the test says. `begun` names the clients whose tasks have
    begun, in order."""

    def __init__(self, monkeypatch, **options):
        self.ticker, self.begun, self.ends, self.refused = Ticker(), [], [], []
        monkeypatch.setattr(long_work, "monotonic", self.ticker)
        self.work = LongWork(**options)

    async def ask(self, *clients):
        """Let clients join the line; return their tasks."""
        tasks = [asyncio.create_task(self.hold(client)) for client in clients]
        await asyncio.sleep(0.001)
        return tasks

    async def hold(self, client):
        end = asyncio.Event()
        try:
            async with self.work.turn(client):
                self.begun.append(client.name)
                self.ends.append(end)
                await end.wait()
        except TooFast:
            self.refused.append(client.name)

    async def end_one(self, seconds=1.0):
        """Let the oldest running task end after some time."""
        self.ticker.seconds += seconds
        self.ends.pop(0).set()
        await asyncio.sleep(0.001)


async def test_one_piece_of_long_work_a_guest_and_a_few_in_all():
    work, lock = LongWork(), threading.Lock()
    now, most = {"ada": 0, "ben": 0, "eve": 0}, {"one": 0, "all": 0}

    def piece(name):
        with lock:
            now[name] += 1
            most.update(one=max(most["one"], now[name]), all=max(most["all"], sum(now.values())))
        time.sleep(0.02)
        with lock:
            now[name] -= 1

    pieces = [work.do(Client(name, name), piece, name) for name in now for _ in range(5)]
    crowd = [work.do(Client("mob", "mob"), time.sleep, 0.02) for _ in range(MOST_OF_ONE_IN_LINE + 5)]
    done = await asyncio.gather(*pieces, *crowd, return_exceptions=True)
    assert most == {"one": 1, "all": MOST_AT_WORK}
    assert [type(one) for one in done if one is not None] == [TooFast] * 5
    assert not work.line
    assert not work.running
    work.close()


@pytest.mark.parametrize(
    "mob", [MOB, [Client(one.name, one.name) for one in MOB]], ids=["one network", "many networks"]
)
async def test_a_client_who_asks_for_the_first_time_is_next(mob, monkeypatch):
    line = Line(monkeypatch, at_once=2)
    await line.ask(*mob * 3)
    for _ in mob:
        await line.end_one()
    before = len(line.begun)
    await line.ask(ADA)
    assert line.begun[before:] == []
    await line.end_one()
    assert line.begun[before:] == ["ada"]


async def test_a_network_of_many_guests_has_the_share_of_one(monkeypatch):
    line = Line(monkeypatch, at_once=1)
    await line.ask(*MOB * 2, *[ADA] * 4, *[BEN] * 4)
    for _ in range(11):
        await line.end_one()
    shares = [sum(name.startswith(one) for name in line.begun) for one in ("mob", "ada", "ben")]
    assert shares == [4, 4, 4]


async def test_short_tasks_come_more_often_than_long_ones(monkeypatch):
    line = Line(monkeypatch, at_once=1)
    await line.ask(*[ADA] * 8, *[BEN] * 8)
    for _ in range(9):
        await line.end_one(3.0 if line.begun[-1] == "ada" else 1.0)
    assert line.begun.count("ben") in (7, 8)


async def test_what_was_used_long_ago_counts_little(monkeypatch):
    line = Line(monkeypatch, at_once=1)
    await line.ask(ADA)
    await line.end_one(40.0)
    line.ticker.seconds += 10 * HALF_LIFE
    await line.ask(*[BEN] * 3, *[ADA] * 3)
    for _ in range(5):
        await line.end_one()
    assert line.begun == ["ada", *["ben", "ada"] * 3]


async def test_in_a_full_line_the_last_of_those_who_had_most_is_refused(monkeypatch):
    line = Line(monkeypatch, at_once=2)
    mob = [Client(f"mob {number}", "9.0.0.0/32") for number in range(MOST_IN_LINE // MOST_OF_ONE_IN_LINE)]
    await line.ask(*mob * MOST_OF_ONE_IN_LINE)
    assert line.refused == []
    await line.end_one()
    await line.ask(mob[0], ADA)  # who ended one may ask once more
    assert line.refused == ["mob 2"], "whose task is running"
    assert line.work.line.total() == MOST_IN_LINE
    await line.end_one()
    assert line.begun[-1] == "ada"


async def test_a_full_line_refuses_who_had_more_than_everybody_in_it(monkeypatch):
    line = Line(monkeypatch, at_once=1)
    await line.ask(ADA)
    await line.end_one()
    crowd = [Client(f"{number}", f"{number}.0.0.0/32") for number in range(MOST_IN_LINE)]
    await line.ask(*crowd)
    await line.ask(ADA)
    assert line.refused == ["ada"]


@pytest.mark.parametrize("cancelled", [0, 1], ids=["running", "waiting"])
async def test_who_leaves_makes_room(cancelled, monkeypatch):
    line = Line(monkeypatch, at_once=1)
    tasks = await line.ask(ADA, BEN, MOB[0])
    tasks[cancelled].cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await tasks[cancelled]
    while line.ends:
        await line.end_one()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert line.begun == ["ada", "ben", "mob 0"] if cancelled == 0 else ["ada", "mob 0"]
    assert (line.work.free, line.work.waiting, line.work.line, line.work.running) == (1, [], {}, {})


async def test_who_leaves_at_the_moment_of_being_called_makes_room(monkeypatch):
    line = Line(monkeypatch, at_once=1)
    _, ben, _ = await line.ask(ADA, BEN, MOB[0])
    line.ends.pop(0).set()
    while not line.work.running["ben"]:
        await asyncio.sleep(0)
    ben.cancel()
    await asyncio.gather(ben, return_exceptions=True)
    await asyncio.sleep(0.001)
    assert line.begun == ["ada", "mob 0"]


async def test_no_bot_waits_for_hints(monkeypatch):
    begun, gate, thinks = [], threading.Event(), Thinking()
    monkeypatch.setattr(thinking, "ask", lambda *_: "thought")
    hints = [asyncio.create_task(thinks.hints.do(client, lambda: begun.append(1) or gate.wait(60))) for client in MOB]
    await until(lambda: len(begun) == processors())
    found, _ = await asyncio.wait_for(thinks.think(ADA, None, None, 0, 0), 20)
    assert found == "thought"
    gate.set()
    await asyncio.gather(*hints)
    thinks.close()


def test_a_client_is_a_guest_at_a_network():
    assert Client.of("ada", "192.0.2.7") == ("ada", "192.0.2.7/32")
    assert Client.of("ada", "2001:db8:1:2::7").network == Client.of("ben", "2001:db8:1:2::8").network
    assert Client.of("", "192.0.2.7").name == "at 192.0.2.7"
    assert Client.of("ada", "127.0.0.1").network != Client.of("ben", "127.0.0.1").network, "perhaps behind a proxy"


class Search:
    """A task that rests after every step of its work. `steps` names the clients, in the order of their steps."""

    def __init__(self, work, number, takes=lambda: time.sleep(0.005)):
        self.work, self.number, self.takes, self.steps, self.lock = work, number, takes, [], threading.Lock()

    async def of(self, client, gate=None):
        def search(rest):
            for _ in range(self.number):
                rest()
                with self.lock:
                    self.steps.append(client.name)
                if gate:
                    gate.wait(60)
                self.takes()
            return client.name

        return await self.work.in_turns(client, search)


async def two_searches(monkeypatch, step):
    """Let a search of ADA wait behind one of BEN, and both go on to their ends. Each step takes `step` seconds."""
    monkeypatch.setattr(long_work, "monotonic", ticker := Ticker())

    def takes():
        ticker.seconds += step

    search, gate = Search(LongWork(at_once=1), 20, takes), threading.Event()
    ben = asyncio.create_task(search.of(BEN, gate))
    await until(lambda: search.steps)
    ada = asyncio.create_task(search.of(ADA))
    await until(lambda: search.work.waiting)
    gate.set()
    assert await asyncio.gather(ada, ben) == ["ada", "ben"]
    search.work.close()
    return search


async def test_a_search_that_began_earlier_lets_others_go_first_when_it_rests(monkeypatch):
    monkeypatch.setattr(long_work, "SLICE", 0.0)
    search = await two_searches(monkeypatch, step=0.005)
    assert search.steps == ["ben", "ada"] * 20


async def test_a_search_lets_nobody_go_first_within_its_slice(monkeypatch):
    search = await two_searches(monkeypatch, step=0.0)
    assert search.steps == ["ben"] * 20 + ["ada"] * 20


async def test_a_line_works_for_its_share_of_the_time(monkeypatch):
    line = Line(monkeypatch, at_once=1, share=0.25)
    pauses = []
    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", lambda *pause: pauses.append(pause))
    ada, ben = (asyncio.ensure_future(line.hold(client)) for client in (ADA, BEN))
    while not line.ends:
        await asyncio.sleep(0)
    line.ticker.seconds += 2.0
    line.ends.pop().set()
    await ada
    assert line.begun == ["ada"], "the next task waits"
    [(seconds, go_on)] = pauses
    assert seconds == pytest.approx(6.0)
    go_on()
    while not line.ends:
        await asyncio.sleep(0)
    assert line.begun == ["ada", "ben"]
    line.ends.pop().set()
    await ben


@pytest.mark.parametrize("rests", [False, True])
async def test_a_search_that_nobody_needs_ends(rests, monkeypatch):
    monkeypatch.setattr(long_work, "SLICE", 0.0)
    search, gate = Search(LongWork(at_once=1), 1000), threading.Event()
    ben = asyncio.create_task(search.of(BEN, gate))
    await until(lambda: search.steps)
    ada = asyncio.create_task(search.of(ADA, gate))
    await until(lambda: search.work.waiting)
    if rests:
        gate.set()
        await until(lambda: len(set(search.steps)) == 2)
    ben.cancel()
    gate.set()
    await asyncio.gather(ben, return_exceptions=True)
    ada.cancel()
    await asyncio.gather(ada, return_exceptions=True)
    await until(lambda: search.work.threads._work_queue.empty() and search.work.threads._idle_semaphore._value > 0)
    await until(lambda: not search.work.line)  # the loop hears of it a moment later
    assert len(search.steps) < 1500
    assert (search.work.free, search.work.waiting, search.work.line, search.work.running) == (1, [], {}, {})
    search.work.close()


async def test_a_search_ends_with_the_room(monkeypatch):
    monkeypatch.setattr(long_work, "SLICE", 0.0)
    search, gate = Search(LongWork(at_once=1), 1000), threading.Event()
    tasks = [asyncio.create_task(search.of(client, gate)) for client in (ADA, BEN)]
    await until(lambda: search.steps and search.work.waiting)
    search.work.close()
    gate.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in found].count(Left) >= 1
    assert len(search.steps) < 1500


async def test_a_thread_whose_client_has_gone_keeps_its_place_until_it_ends():
    work, gate, begun = LongWork(at_once=1), threading.Event(), []
    ada = asyncio.create_task(work.do(ADA, lambda: begun.append("ada") or gate.wait(60)))
    await until(lambda: begun)
    ada.cancel()
    await asyncio.gather(ada, return_exceptions=True)
    ben = asyncio.create_task(work.do(BEN, begun.append, "ben"))
    await asyncio.sleep(0.05)
    assert begun == ["ada"]
    gate.set()
    await ben
    assert begun == ["ada", "ben"]
    assert work.usage.of(ADA, long_work.monotonic()) > 0.04
    work.close()


def test_time_is_counted_once_for_a_client_and_once_for_its_network():
    usage = Usage()
    for client in (ADA, Client("", "")):
        usage.add(client, 2.0, 0.0)
        assert usage.of(client, 0.0) == usage.of(Client("", client.network), 0.0) == 2.0
