"""Tables fall asleep when nobody uses them and come back as they were; what the room keeps in memory is bounded."""

import asyncio
import contextlib
import gc
import threading
import time

import msgspec
import pytest
import sqlalchemy as sa

from fairdeal.engine.kit.seats import members
from fairdeal.protocol import messages as m
from fairdeal.server.api.lobby import listing
from fairdeal.server.api.opening import branch, open_table
from fairdeal.server.extras import notices as notices_module
from fairdeal.server.extras.notices import Notices
from fairdeal.server.limits import LimitSettings
from fairdeal.server.room import NoTable, TooMany
from fairdeal.server.storage import queries
from fairdeal.server.storage.store import chat, entries, guests, tables
from fairdeal.server.storage.store import told as stored
from fairdeal.server.tables.guests import name_of, rename
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.seating import leave
from tests.server.in_process import BOTH_DATABASES, InsideRoom, Viewer, call_first, done, move, rest, seated, until

pytestmark = BOTH_DATABASES

LATER = 10_000.0
"""Seconds after which every table may sleep that can."""

NOT_EXTREME = 4
"""The answer in WAR X-TREME for two that ends the game before it begins."""


@pytest.fixture
async def room(restart):
    return await restart()


def sleep(room):
    """Let every table sleep that can."""
    room.let_sleep(time.monotonic() + LATER)


def before_replay(monkeypatch, first):
    """Let `first` be called with each table that is replayed, in the thread in which that happens."""
    call_first(LiveTable, "replay", lambda live, rows: first(live), monkeypatch.setattr)


@pytest.fixture
def replays(monkeypatch):
    """The tables that were replayed, in order."""
    seen = []
    before_replay(monkeypatch, lambda live: seen.append(live.id))
    return seen


async def two_people(room, host="ada", **wishes):
    """Open a running table of two people, whose first seat is to act."""
    live = await seated(room, host, "bo", options={"players": 2, "first_player": 0}, **wishes)
    assert live.status == "running"
    return live


async def played_out(room):
    live = await open_table(room, "ada", game="chi", chairs=["greedy", "greedy"], options={"stacks_to_end": 4})
    await asyncio.wait_for(live.driver.task, 60)
    assert live.status == "over"
    return live


def timeless(facts):
    """Return the facts of a table without times, and without the time that is left to those who have just gone."""
    chairs = tuple(msgspec.structs.replace(chair, grace=0.0) for chair in facts.chairs)
    return msgspec.structs.replace(facts, chairs=chairs, moved=0.0, until=0.0)


# --- falling asleep ---------------------------------------------------------------------------------------------


async def test_a_finished_table_leaves_memory_after_a_minute(room):
    table = (await played_out(room)).id
    log = room.live[table].sitting.log.text()
    now = room.used[table]
    room.let_sleep(now + room.limits.settings.idle_when_over - 1)
    assert table in room.live
    room.let_sleep(now + room.limits.settings.idle_when_over + 1)
    assert (room.live, room.used) == ({}, {})
    assert (await room.find(table)).sitting.log.text() == log


async def test_who_is_connected_a_clock_a_bot_and_a_lock_keep_a_table_awake(room):
    watched, timed, locked, idle = [await two_people(room, clock=60 * (number == 1)) for number in range(4)]
    room.pause = 60.0  # its bot is thinking
    thinking = await open_table(room, "cleo", game="chi", chairs=["greedy", "greedy"])
    await open_table(
        room, "cleo", game="chi", chairs=["you", "greedy"], options={"first_player": 1}, clock=60
    )  # paused
    Viewer(room, watched, "somebody")
    async with locked.lock:
        sleep(room)
    assert set(room.live) == {watched.id, timed.id, locked.id, thinking.id}
    assert idle.id not in room.live
    watched.audience.connections.clear()
    room.let_sleep(time.monotonic() + LATER + room.limits.settings.idle - 1)
    assert set(room.live) == {watched.id, timed.id, locked.id, thinking.id}, "they were in use a moment ago"
    room.let_sleep(time.monotonic() + LATER + room.limits.settings.idle)
    assert set(room.live) == {timed.id, thinking.id}


async def test_who_asked_for_a_rematch_is_remembered_longer(room):
    live = await played_out(room)
    live.seats[0].ready = "ab" * 16
    now = room.used[live.id]
    room.let_sleep(now + room.limits.settings.idle - 1)
    assert live.id in room.live
    room.let_sleep(now + room.limits.settings.idle + 1)
    assert room.live == {}


async def test_a_table_that_somebody_still_holds_is_not_made_twice(room):
    held = await two_people(room)
    sleep(room)
    assert room.live == {}
    assert await room.find(held.id) is held
    assert room.live == {held.id: held}


async def test_the_room_looks_for_tables_to_sleep_by_itself(room):
    room.limits.settings = LimitSettings(idle=0.05, idle_when_over=0.06)
    await two_people(room)
    tidying = asyncio.create_task(room.tidy())
    await until(lambda: not room.live)
    tidying.cancel()


# --- finding ----------------------------------------------------------------------------------------------------


async def test_one_that_waits_no_longer_does_not_make_a_table_twice(room, monkeypatch):
    table = (await two_people(room)).id
    sleep(room)
    gc.collect()
    may_go_on, made = threading.Event(), []
    before_replay(monkeypatch, lambda live: made.append(live) or may_go_on.wait(10))
    impatient = asyncio.create_task(room.find(table))
    await until(lambda: made)
    impatient.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await impatient
    patient = asyncio.create_task(room.find(table))
    await asyncio.sleep(0.05)
    may_go_on.set()
    assert await patient is room.live[table]
    assert len(made) == 1
    assert room.loading == {}


async def test_a_limited_number_of_tables_is_looked_up_at_once(room):
    room.limits.settings = LimitSettings(loading=3)
    asked = await asyncio.gather(*(room.find(f"nothing{number}") for number in range(8)), return_exceptions=True)
    assert [type(problem) for problem in asked] == [NoTable] * 3 + [TooMany] * 5
    assert room.loading == {}


async def test_nobody_waits_while_a_game_is_played_on_from(room, monkeypatch):
    live = await played_out(room)
    threads = []
    before_replay(monkeypatch, lambda _: threads.append(threading.current_thread()))
    again = await branch(room, live, "cleo", 4, 0)
    assert again.sitting.moves_made >= 4
    (thread,) = threads
    assert thread is not threading.main_thread()


async def test_a_guest_keeps_the_seat_of_a_bot_in_a_branch_until_they_leave(room, restart):
    live = await played_out(room)
    again = await branch(room, live, "cleo", 4, 0)
    table, moves = again.id, again.sitting.moves_made
    room = await restart()
    again = await room.find(table)
    assert list(again.pace.bots) == [1]
    cleo = Viewer(room, again, "cleo")
    await cleo.arrive()
    await until(lambda: 0 in again.sitting.state.to_act)
    await leave(again, "cleo")
    assert list(again.pace.bots) == [1]
    await done(cleo.stand_in(0))
    await asyncio.wait_for(again.driver.task, 60)
    assert (again.status, again.sitting.moves_made > moves) == ("over", True)


# --- the lobby --------------------------------------------------------------------------------------------------


async def test_a_lobby_lists_sleeping_tables_as_it_lists_live_ones_and_wakes_none(room, replays):
    running = await two_people(room)
    await move(running, 5)
    running.moved += 1000.0
    await room.store.write(lambda c: c.execute(entries.update().values(at=running.moved)))
    dealt = await two_people(room)
    timed = await two_people(room, clock=60)
    free = await open_table(room, "ada", game="chi", chairs=["you", "person"], options={"players": 2})
    left = await two_people(room)
    await leave(left, "bo")
    over = await played_out(room)
    won_by_nobody = await open_table(
        room, "ada", game="war-xtreme", chairs=["you", "greedy"], options={"players": 2, "ask_extreme": True}
    )
    ada = Viewer(room, won_by_nobody, "ada")
    async with won_by_nobody.lock:
        await won_by_nobody.enter(0, [NOT_EXTREME], "")
    branched = await branch(room, over, "ada", 4, 0)
    for live in (left, branched, won_by_nobody):
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(live.driver.task or asyncio.sleep(0), 10)
    ada.go()
    assert (won_by_nobody.is_over, won_by_nobody.has_winner) == (True, False)
    every = {live.id for live in (running, dealt, timed, free, left, over, won_by_nobody, branched)}
    awake = {guest: await listing(room, guest) for guest in ("ada", "bo", "cleo")}
    assert {facts.id for facts in awake["ada"][0]} == every
    assert awake["cleo"][0] == []
    assert len(awake["cleo"][1]) == 3  # of one host
    await rest(room)
    replays.clear()
    room.live.clear()
    for guest, lists in awake.items():
        for before, after in zip(lists, await listing(room, guest), strict=True):
            by_id = {facts.id: facts for facts in after}
            assert len(by_id) == len(before)
            for facts in before:
                found = by_id[facts.id]
                assert timeless(found) == timeless(facts)
                assert (found.moved, found.until) == pytest.approx((facts.moved, facts.until), abs=1.0)
    assert room.live == {}
    assert replays == []


async def test_a_lobby_names_the_sleeping_tables_of_older_rules(room, store):
    live = await two_people(room)
    await store.write(lambda c: c.execute(tables.update().values(rules_version=0)))
    table = live.id
    del live
    sleep(room)
    (facts,), _ = await listing(room, "ada")
    reason = (await room.find(table)).unreadable
    assert "rules version 0 of Chi" in facts.readable_only
    assert facts.readable_only == reason


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("game", ["chi", "chip-it", "chimax-order"])
async def test_every_entry_says_who_may_act_after_it(room, store, game):
    live = await seated(room, "ada", "bo", game=game, options={"players": 2})
    viewers = [Viewer(room, live, guest) for guest in ("ada", "bo")]
    acting = {0: live.sitting.state.to_act}
    for _ in range(25):
        if live.status == "running":
            await move(live)
            acting[live.number] = live.sitting.state.to_act
            await viewers[live.sitting.log.moves[-1].seat].undo()
            acting[live.number] = live.sitting.state.to_act
    rows = await store.read(lambda c: c.execute(sa.select(entries.c.number, entries.c.acts)).all())
    (deal,) = await store.read(lambda c: c.execute(sa.select(tables.c.acts)).scalars().all())
    kept = dict(rows) | ({0: deal} if live.status == "running" else {0: acting[0][0] + 1})
    assert len(kept) > 20
    assert {number: tuple(members(acts)) for number, acts in kept.items()} == acting


async def test_a_table_whose_own_clock_runs_is_not_taken_for_one_that_waits(room, store, restart):
    live = await seated(room, "ada", "bo", game="chimax-order", preset="tournament", options={"players": 2})
    await move(live, 3)
    assert live.pace.round_clock.deadline, "no clock runs: this shows nothing"
    assert await store.read(queries.going_on) == [live.id]


# --- a restart --------------------------------------------------------------------------------------------------


async def test_after_a_restart_only_tables_that_go_on_by_themselves_are_woken(room, restart, replays, store):
    waiting = [await two_people(room, host=f"host{number}") for number in range(8)]
    for live in waiting[:4]:
        await move(live, 3)
    timed = await two_people(room, clock=3600)
    left = await two_people(room)
    unnoted = await played_out(room)
    await rest(room)
    left.seats[0].stand_in = True
    await left.keep_places()
    room.pause = 60.0
    bots = await open_table(room, "cleo", game="chi", chairs=["greedy", "greedy"])
    await open_table(
        room, "cleo", game="chi", chairs=["you", "greedy"], options={"first_player": 1}, clock=60
    )  # paused
    await store.write(lambda c: c.execute(tables.update().where(tables.c.id == unnoted.id).values(status="running")))
    going_on = {timed.id, left.id, bots.id, unnoted.id}
    after = await restart()
    await after.revive()
    assert set(replays) == set(after.live) == going_on
    assert after.live[unnoted.id].status == "over"
    mine, _ = await listing(after, "bo")
    assert {facts.id: facts.acts for facts in mine if facts.id not in going_on} == {
        live.id: live.sitting.state.to_act for live in waiting
    }
    assert set(after.live) == going_on


async def test_tables_of_which_it_is_not_known_who_acts_are_woken_once_and_known_then(room, restart, replays, store):
    live, dealt = await two_people(room), await two_people(room)
    await move(live, 3)
    await store.write(lambda c: c.execute(entries.update().values(acts=None)))
    await store.write(lambda c: c.execute(tables.update().values(acts=None)))
    await (await restart()).revive()
    assert set(replays) == {live.id, dealt.id}
    replays.clear()
    after = await restart()
    await after.revive()
    assert replays == []
    acts = {facts.id: facts.acts for facts in (await listing(after, "bo"))[0]}
    assert acts == {live.id: live.sitting.state.to_act, dealt.id: dealt.sitting.state.to_act}


async def test_a_table_that_is_asked_for_does_not_wait_for_those_that_wake_by_themselves(room, restart, monkeypatch):
    timed = [(await two_people(room, host=f"host{number}", clock=3600)).id for number in range(12)]
    after = await restart()
    begun = []
    before_replay(monkeypatch, lambda live: begun.append(live.id) or time.sleep(0.02))
    start = time.monotonic()
    reviving = asyncio.create_task(after.revive())
    await until(lambda: begun)
    wanted = next(table for table in reversed(timed) if table not in begun)
    assert (await after.find(wanted)).id == wanted
    assert len(begun) <= 5, "it waited for the others"
    await reviving
    assert sorted(begun) == sorted(timed)
    assert time.monotonic() - start > 2 * 0.02 * (len(timed) - 2), "there was no pause between them"


async def test_a_table_that_cannot_be_brought_back_leaves_the_others_alone(room, restart, monkeypatch, caplog):
    timed = [(await two_people(room, host=f"host{number}", clock=3600)).id for number in range(4)]
    after = await restart()

    def broken(live):
        if live.id == timed[1]:
            raise RuntimeError("a mistake in a rule")

    before_replay(monkeypatch, broken)
    await after.revive()
    assert set(after.live) == {*timed} - {timed[1]}
    assert f"table {timed[1]} cannot be loaded" in caplog.text


# --- what is bounded --------------------------------------------------------------------------------------------


async def test_of_chat_the_last_lines_are_kept(room, store, monkeypatch):
    room.limits.settings = LimitSettings(chat_lines=20)
    monkeypatch.setattr(queries, "MOST_TOLD", 8)
    one, other = await two_people(room), await two_people(room)
    await other.keep_line(m.Said(0, "Ada", "stays", 0.0))
    for number in range(50):
        await one.keep_line(m.Said(0, "Ada", f"line {number}", float(number)))
    counts = sa.select(chat.c.table, sa.func.count()).group_by(chat.c.table)
    assert dict(await store.read(lambda c: c.execute(counts).all())) == {one.id: 20, other.id: 1}
    table = one.id
    del one
    sleep(room)
    kept = (await room.find(table)).audience.chat
    assert [line.text for line in kept] == [f"line {number}" for number in range(42, 50)]


async def test_of_guests_names_the_latest_are_kept(room, store):
    for number in range(5):
        await rename(room.store, f"guest{number}", f"Name {number}", 5)
    await rename(room.store, "guest0", "Ada", 5)
    for number in range(5, 9):
        await rename(room.store, f"guest{number}", f"Name {number}", 5)
    kept = await store.read(lambda c: c.execute(sa.select(guests.c.id)).scalars().all())
    assert set(kept) == {"guest0", "guest5", "guest6", "guest7", "guest8"}
    assert await name_of(room.store, "guest0") == "Ada"
    assert await name_of(room.store, "guest1") == "Guest"


async def test_turns_are_counted_only_for_tables_in_memory_and_sent_once(store, monkeypatch):
    told = []

    async def note(self, live, row):
        told.append((live.id, row.guest))
        done = stored.update().values(due=None)
        await self.store.write(lambda c: c.execute(done))

    async def until_turn_of(seat):
        Viewer(room, live, "ada")
        while live.sitting.state.to_act != (seat,):
            await move(live)
        live.audience.connections.clear()

    async def sent():
        for _ in range(2):
            await asyncio.gather(*notices.tasks)
            await notices.look(room.find)

    monkeypatch.setattr(notices_module, "GRACE", 0.0)
    monkeypatch.setattr(Notices, "deliver", note)
    notices = Notices(store, ("hooks.example.org",))
    room = InsideRoom(store, turned=notices.turned)
    for guest in ("ada", "bo"):
        await notices.keep(guest, "https://hooks.example.org/", "")
    live = await two_people(room)
    table = live.id
    await sent()
    told.clear()
    await until_turn_of(1)
    await sent()
    assert told == [(table, "bo")]
    del live
    sleep(room)
    gc.collect()
    assert (room.live, {**notices.turns}) == ({}, {})
    live = await room.find(table)
    await sent()
    assert told == [(table, "bo")], "told again of the same turn"
    await until_turn_of(0)
    await until_turn_of(1)
    await sent()
    assert told == [(table, "bo")] * 2
