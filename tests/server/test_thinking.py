"""Bots think outside the loop of the room: neither their own table nor any other waits for them, and the time that they
take tells nothing."""

import asyncio
import os
import sys
import threading

import pytest

from fairdeal.bots.bots import GreedyBot
from fairdeal.server.api.opening import open_table
from fairdeal.server.long_work import Client, processors
from fairdeal.server.tables import thinking
from fairdeal.server.tables.thinking import STEPS, Thinking, Thought, Thoughts
from fairdeal.table.verification import verify
from tests.server.in_process import Viewer, done, seated, until

ADA = Client("ada", "ada")
FIRST = {"first_player": 1, "stacks_to_end": 4}


class Slow:
    """A bot that thinks until `go_on` is set, and remembers what it was shown and in which thread."""

    def __init__(self, bot):
        self.bot, self.recall, self.go_on = bot, bot.recall, threading.Event()
        self.shown, self.threads = [], []

    def choose(self, view, player, turn):
        self.shown.append((view, player, turn))
        self.threads.append(threading.current_thread())
        assert self.go_on.wait(60)
        return self.bot.choose(view, player, turn)


@pytest.fixture
async def room(restart):
    return await restart()


async def with_slow_bot(room, **options):
    """Open a table of Ada's at which a slow bot is to act."""
    live = await open_table(room, "ada", game="chi", chairs=("you", "greedy"), options=FIRST | options)
    Viewer(room, live, "ada")
    live.driver.task.cancel()
    slow = live.pace.bots[1] = Slow(live.pace.bots[1])
    await asyncio.sleep(0)
    live.wake()
    await until(lambda: slow.shown)
    return live, slow


async def test_nobody_waits_for_a_bot_that_thinks(room):
    live, slow = await with_slow_bot(room)
    ada = Viewer(room, live, "ada")
    async with asyncio.timeout(20):
        assert (await ada.say("Take your time."))["type"] == "done", "its own table goes on"
        other = await open_table(room, "ben", game="chi", chairs=("greedy", "greedy"), options={"stacks_to_end": 4})
        await until(lambda: other.status == "over")
    assert live.number == 0
    assert slow.threads[0] is not threading.main_thread()
    slow.go_on.set()
    await until(lambda: live.number == 1)


async def test_a_bot_is_shown_what_its_seat_may_know_and_no_more(room):
    live, slow = await with_slow_bot(room)
    view, player, turn = slow.shown[0]
    assert (player, turn, view.viewer) == (1, 0, 1)
    assert view.record.tobytes() == live.sitting.state.view(1, slow.recall).record.tobytes()
    assert view.record.tobytes() != live.sitting.state.record.tobytes()
    slow.go_on.set()


async def test_an_answer_to_a_table_that_has_moved_on_is_forgotten(room):
    live, slow = await with_slow_bot(room)
    async with live.lock:  # its time was over, and a move was made for it
        await live.enter(1, live.sitting.hint(1).actions, by="greedy")
    ada = Viewer(room, live, "ada")
    while 0 in live.sitting.state.to_act:
        await done(ada.play())
    entries = live.number
    await asyncio.sleep(0.05)
    assert len(slow.shown) == 1, "one thought at a time"
    slow.go_on.set()
    await until(lambda: live.number > entries)
    assert slow.shown[1][2] == entries


async def test_a_guest_who_is_back_moves_and_the_thought_of_the_stand_in_does_not(room):
    live = await seated(room, "ada", "ben", options={"first_player": 0})
    ada = Viewer(room, live, "ada")
    slow = live.pace.bots[0] = Slow(GreedyBot(0))
    async with live.lock:
        await live.set_stand_in(live.seats[0], on=True)
    await until(lambda: slow.shown)
    async with live.lock:
        await live.set_stand_in(live.seats[0], on=False)
    slow.go_on.set()
    await asyncio.sleep(0.1)
    assert live.number == 0
    await done(ada.play())
    assert not live.sitting.log.entries[0].by


def test_a_longer_thought_answers_at_a_step_that_its_seat_keeps_to():
    def answers_at(seat, took, found=None):
        """Of a thought that began at 10 seconds, at a table whose bots take 0.7."""
        return thoughts.answers_at(seat, Thought(None, 0, 10.0, None, found or 10.0 + took, took), 10.7)

    thoughts = Thoughts(None)
    assert thoughts.answers_at(1, Thought(None, 0, 10.0, None), 10.7) is None
    assert answers_at(1, took=0.2) == 10.7, "at its usual pace"
    assert answers_at(1, took=0.2, found=11.1) == 10.7 + 0.5, "the threads were taken"
    assert answers_at(1, took=0.2) == 10.7, "which it does not remember"
    assert answers_at(1, took=0.9) == 10.7 + 0.25
    assert answers_at(1, took=0.1) == 10.7 + 0.25, "a short thought takes as long from now on"
    assert answers_at(2, took=0.1) == 10.7, "at another seat it does not"
    assert answers_at(1, took=9.0) == 10.7 + 12.0
    assert answers_at(1, took=0.1) == 10.7 + STEPS[-1]
    late = Thought(None, 0, 20.0, None, 20.05, 0.05)
    assert thoughts.answers_at(3, late, 10.7) == 20.0 + STEPS[1], "what it waited for before it began does not count"


async def test_thinking_takes_no_more_threads_than_processors_and_gives_way_to_the_room(monkeypatch):
    monkeypatch.setattr(thinking, "ask", lambda *asked: seen.append(importance()) or gate.wait(60))
    seen, gate, room, usual = [], threading.Event(), Thinking(), importance()
    thoughts = [asyncio.create_task(room.think(ADA, None, None, 0, 0)) for _ in range(processors() + 3)]
    await until(lambda: len(seen) == processors())
    await asyncio.sleep(0.05)
    assert len(seen) == processors()
    gate.set()
    await asyncio.gather(*thoughts)
    room.close()
    if sys.platform == "linux":
        assert set(seen) == {thinking.PATIENT}
        assert importance() == usual


def importance():
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


async def test_a_search_waits_until_it_is_compiled_and_meanwhile_nobody_else_does(room, monkeypatch):
    begun, gate = [], threading.Event()

    def compile_slowly(game):
        begun.append(game.name)
        assert gate.wait(60)

    monkeypatch.setattr(thinking, "prepare_apart", compile_slowly)
    live = await open_table(room, "ada", game="chi", chairs=("you", "vix"), options=FIRST, clock=60)
    Viewer(room, live, "ada")
    await until(lambda: begun)
    slow = live.pace.bots[1] = Slow(GreedyBot(0))
    live.wake()
    other = await open_table(room, "ben", game="chi", chairs=("greedy", "greedy"), options={"stacks_to_end": 4})
    await until(lambda: other.status == "over")
    assert not slow.shown
    gate.set()
    await until(lambda: slow.shown)
    slow.go_on.set()
    assert begun == ["chi"], "once"


async def test_the_moves_of_a_bot_that_searches_can_be_made_again(room):
    live = await open_table(room, "ada", game="chi", chairs=("vix", "juno"), options={"stacks_to_end": 4})
    assert [place.plays.partition(":")[0] for place in live.seats] == ["vix", "juno"]
    await until(lambda: live.status == "over", 120)
    assert all(one.ok for one in verify(live.sitting.log.text())[1] if one.check in ("moves", "bots"))
