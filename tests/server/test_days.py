"""Tables over days: turns end although no process has the table in memory, guests are reminded once, their clocks stand
still while they are away, and they find the table that waits for them."""

import asyncio
import gc
import time
from functools import partial

import pytest

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.registry import installed_games
from fairdeal.server.api.clearing import delete_old
from fairdeal.server.api.keeper import look
from fairdeal.server.api.lobby import listing, waiting
from fairdeal.server.api.opening import open_table
from fairdeal.server.storage import leases, queries
from fairdeal.server.storage.own_data import data_of
from fairdeal.server.storage.store import devices, put, tables
from fairdeal.server.tables import live as live_module
from fairdeal.server.tables.guests import be_away
from fairdeal.table.clocks import DAY, GRACE, SOON
from tests.server.in_process import BOTH_DATABASES, Ticker, Viewer, done, move, refused, rows, seat_two, seated, until
from tests.server.test_clocks import FIRST, TOGETHER, left
from tests.server.test_clocks import wall as wall
from tests.server.test_leases import Worker, let_expire

REMINDED = 18 * 3600
"""Seconds of a turn of a day after which a guest is reminded."""


@pytest.fixture
async def room(restart, ticker):
    return await restart(ticker=ticker)


async def asleep(room, clock=DAY, **wishes):
    """Return the id of a table of two guests who have gone, after it has left memory."""
    live, *viewers = await seat_two(room, clock=clock, **({"options": FIRST} | wishes))
    table = live.id
    for viewer in viewers:
        viewer.go()
    del live, viewers, viewer
    await put_to_sleep(room, table)
    return table


async def put_to_sleep(room, table):
    if table in room.live:
        room.live[table].wake()
    await until(lambda: not (table in room.live and room.live[table].driver.is_busy))
    room.let_sleep(time.monotonic() + 10_000)
    gc.collect()
    await until(lambda: table not in room.held)


def has_moved(live):
    return live.number > 0


async def made_by_bots(room, ticker, table):
    """Look for what is due, and let the time of grace pass. Return the authors of all moves."""
    await room.look_for_due()
    if live := room.live.get(table):
        ticker.seconds += GRACE
        await live.driver.call_time(live)
        live.wake()
    return [by for (by,) in rows(room.store, 'select "by" from entries where "table" = ? order by number', table)]


def due(room, table):
    """Return the hours until the table is due."""
    ((found,),) = rows(room.store, "select due from tables where id = ?", table)
    return None if found is None else round((found - time.time()) / 3600, 1)


# --- turns that end ---------------------------------------------------------------------------------------------------


@BOTH_DATABASES
async def test_a_turn_ends_once_while_no_process_has_the_table(room, ticker, wall):
    table = await asleep(room)
    wall.seconds += DAY - SOON - 60
    await room.look_for_due()
    await put_to_sleep(room, table)
    wall.seconds += 60 + SOON
    assert await made_by_bots(room, ticker, table) == ["greedy"]
    assert await made_by_bots(room, ticker, table) == ["greedy"]
    await put_to_sleep(room, table)
    assert due(room, table) == REMINDED / 3600, "the next turn is watched, too"
    wall.seconds += 2 * DAY
    assert await made_by_bots(room, ticker, table) == ["greedy"] * 2


async def test_a_turn_that_ended_while_the_room_was_down_ends_after_the_restart(room, restart, wall):
    table = await asleep(room)
    wall.seconds += 3 * DAY
    clock = Ticker()
    after = await restart(ticker=clock)
    assert await after.store.read(queries.going_on) == [], "it is not held in memory, but looked for"
    assert await made_by_bots(after, clock, table) == ["greedy"]


async def test_a_table_of_which_it_is_not_known_when_it_is_due_is_loaded_at_the_start(room, restart):
    table = await asleep(room)
    await room.store.write(lambda c: c.exec_driver_sql("update tables set due = null"))
    after = await restart(ticker=Ticker())
    await after.revive()
    await put_to_sleep(after, table)
    assert due(after, table) == REMINDED / 3600


@pytest.mark.databases("postgresql")
async def test_a_turn_ends_once_although_the_worker_of_the_table_is_killed(database, wall, monkeypatch):
    monkeypatch.setattr(leases, "RENEWED", 0.05)
    workers = [first := Worker(database, "one")]
    try:
        table = await asleep(first)
        workers.append(second := Worker(database, "two"))
        first.freeze()
        wall.seconds += 2 * DAY
        await second.look_for_due()
        assert table not in second.live, "the first worker still has it"
        let_expire(database, first)
        await asyncio.gather(*(worker.look_for_due() for worker in (first, second, second)))
        live = second.live[table]
        live.pace.clocks.deadlines = {0: live.pace.now()}
        live.wake()
        await until(partial(has_moved, live))
        del live
        await put_to_sleep(second, table)
        assert rows(second.store, 'select "by" from entries') == [("greedy",)]
        assert due(second, table) == REMINDED / 3600
    finally:
        for worker in workers:
            await worker.end()


async def test_while_a_clock_in_days_runs_a_table_is_not_old(room, wall):
    table, short = await asleep(room), await asleep(room, clock=0)
    await delete_old(room, "running", time.time() + 1)
    assert dict(rows(room.store, "select id, status from tables")) == {table: "running", short: "cleared"}


async def test_a_paused_game_is_not_due(room):
    live = await open_table(room, "ada", game="chi", clock=DAY, options=FIRST)
    ada = Viewer(room, live, "ada")
    await until(lambda: due(room, live.id) is not None)
    ada.go()
    await until(lambda: due(room, live.id) is None)


async def test_nobody_lets_a_bot_play_for_who_is_away_for_some_days(room, ticker):
    _, ada, ben = await seat_two(room, clock=DAY, options=FIRST)
    ben.go()
    ticker.seconds += GRACE
    assert "only when their time is over" in (await refused(ada.stand_in(1)))["reason"]


# --- which games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [game.name for game in installed_games()])
async def test_games_that_need_all_at_once_say_so(game, room):
    """All others, with all rules, can be played over days."""
    for preset in next(one for one in installed_games() if one.name == game).presets:
        reason = ""
        try:
            await open_table(room, f"ada {preset}", game=game, preset=preset, clock=DAY)
        except FairdealError as problem:
            reason = str(problem)
        if game == "war-xtreme":
            assert "cannot have a clock in days: in its races and windows, players answer within seconds" in reason
        elif preset == "tournament" and game.startswith("chimax"):
            assert "cannot have a clock in days: its rounds have a time limit; choose a shorter clock" in reason
        else:
            assert not reason


# --- reminders --------------------------------------------------------------------------------------------------------


async def until_reminded(room):
    """Let both guests have devices, and wait until one is reminded. Return who was reminded, and when."""
    for guest in ("ada", "ben"):
        row = {"guest": guest, "id": "", "endpoint": "", "at": 0.0}
        await room.store.write(lambda c, row=row: put(c, devices, **row))
    await room.look_for_due()
    await until(lambda: reminders(room))
    return reminders(room)


def reminders(room):
    return rows(room.store, "select guest, at from told where kind = 'reminder' order by guest")


@BOTH_DATABASES
async def test_who_is_away_is_reminded_once_in_each_turn(room, restart, wall):
    table = await asleep(room)
    wall.seconds += REMINDED - SOON - 60
    await room.look_for_due()
    assert (reminders(room), room.live) == ([], {})
    wall.seconds += 60
    first = await until_reminded(room)
    await put_to_sleep(room, table)
    room = await restart(ticker=Ticker())
    wall.seconds += 10
    await room.store.write(lambda c: c.execute(tables.update().values(due=time.time() + SOON)))
    await room.look_for_due()
    await put_to_sleep(room, table)
    assert reminders(room) == first
    assert [guest for guest, _ in first] == ["ada"]
    assert due(room, table) == 6
    live = await room.find(table)
    await done(Viewer(room, live, "ada").play())
    live.audience.connections.clear()
    del live
    await put_to_sleep(room, table)
    wall.seconds += REMINDED
    await room.look_for_due()
    await until(lambda: len(reminders(room)) > 1)
    assert [guest for guest, _ in reminders(room)] == ["ada", "ben"]


async def test_a_reminder_is_saved_together_with_the_next_time(room, wall, monkeypatch):
    table = await asleep(room)
    wall.seconds += REMINDED
    before = due(room, table)
    with monkeypatch.context() as broken:
        broken.setattr(live_module, "keep_notice", lambda *given: 1 / 0)
        await room.look_for_due()
        await asyncio.sleep(0.1)
        assert due(room, table) == before
    assert [guest for guest, _ in await until_reminded(room)] == ["ada"]


# --- vacations --------------------------------------------------------------------------------------------------------


async def away(room, guest, days):
    await be_away(room.store, guest, time.time() + days * DAY if days else 0.0, room.house.away(guest)[1])
    await look(room)


async def hours(room, table, guest="ada"):
    """Return the hours that a guest has left at a table."""
    live = await room.find(table)
    found = round(left(live, live.seats.of(guest)) / 3600, 1)
    del live
    await put_to_sleep(room, table)
    return found


@BOTH_DATABASES
async def test_clocks_stand_still_while_a_guest_is_away(room, restart, wall):
    table = await asleep(room)
    wall.seconds += 3600
    await away(room, "ada", 10)
    assert await hours(room, table) == 24 * 11 - 1
    wall.seconds += DAY
    assert await hours(room, table) == 24 * 10 - 1
    room = await restart(ticker=Ticker())
    await look(room)
    await room.look_for_due()
    assert await hours(room, table) == 24 * 10 - 1
    assert due(room, table) == 24 * 9 + 18 - 1
    await away(room, "ada", 0)
    await room.look_for_due()
    assert await hours(room, table) == 23
    assert due(room, table) == 17
    wall.seconds += 3600
    assert await hours(room, table) == 22


async def test_a_turn_that_begins_while_a_guest_is_away_begins_when_they_are_back(room, ticker, wall):
    live, ada, ben = await seat_two(room, "chip-it", clock=DAY, options=FIRST | {"players": 2})
    await away(room, "ben", 2)
    await done(ada.play("pass 1"))
    assert left(live, 1) == pytest.approx(3 * DAY, abs=1)
    await done(ada.undo())
    assert left(live, 0) == pytest.approx(DAY, abs=1)
    await done(ada.play("pass 1"))
    for clock in (wall, ticker):
        clock.seconds += DAY
    await away(room, "ben", 0)
    ben.go()
    assert left(live, 1) == pytest.approx(DAY, abs=1)


async def test_the_others_at_the_table_see_until_when_and_nobody_else(room):
    live, ada, _ = await seat_two(room, clock=DAY, options=FIRST)
    quick, *_ = await seat_two(room, clock=60)
    await away(room, "ben", 2)
    seen = [live.facts(guest).chairs[1].away for guest in ("ada", "ben", "cleo")]
    assert seen == [pytest.approx(time.time() + 2 * DAY, abs=5)] * 2 + [0.0]
    assert [chair.away for chair in quick.facts("ada").chairs] == [0.0, 0.0]
    assert ada.heard[-1]["facts"]["chairs"][1]["away"] == seen[0]


async def test_a_guest_is_away_for_thirty_days_in_a_year(room, wall):
    table = await asleep(room)
    assert table
    with pytest.raises(FairdealError, match="30 days in a year, and have 30 days left; choose an earlier day"):
        await away(room, "ada", 31)
    await away(room, "ada", 20)
    await away(room, "ada", 10)
    wall.seconds += 4 * DAY
    await away(room, "ada", 0)
    with pytest.raises(FairdealError, match="have 26 days left"):
        await away(room, "ada", 27)
    await away(room, "ada", 25)
    wall.seconds += 26 * DAY
    with pytest.raises(FairdealError, match="have 1 day left"):
        await away(room, "ada", 2)
    wall.seconds += 341 * DAY
    await away(room, "ada", 6)
    found = rows(room.store, "select since, until from vacations order by since")
    assert [round((until - since) / DAY) for since, until in found] == [4, 25, 6]
    assert (await room.store.read(lambda c: data_of(c, "ada"))).vacations == tuple(found)


# --- the next table ---------------------------------------------------------------------------------------------------


@pytest.fixture
def early(wall):
    """Return a function that lets an hour pass."""

    def pass_hour():
        wall.seconds += 3600

    return pass_hour


async def test_the_next_table_is_that_with_the_least_time_left_and_then_that_which_waits_longest(room, early):
    async def table(**wishes):
        early()
        live = await seated(room, "ada", "ben", **({"options": FIRST} | wishes))
        return live.id

    old = await table()
    slow = await table(clock=7 * DAY)
    quick = await table(clock=DAY)
    new = await table()
    theirs = await table(options={"first_player": 1})
    alone = (await open_table(room, "ada", game="chi", options=FIRST)).id
    expected = [quick, slow, old, new]
    assert waiting((await listing(room, "ada"))[0]) == expected
    assert waiting((await listing(room, "ben"))[0]) == [theirs]
    for one in (*expected, theirs, alone):
        await put_to_sleep(room, one)
    assert room.live == {}
    assert waiting((await listing(room, "ada"))[0]) == expected, "nothing depends on what is in memory"


async def test_a_seat_that_passes_in_a_window_is_not_said_to_be_waited_for(room):
    """Only the seat that is asked learns that it is."""
    live = await seated(room, "ada", "ben", game="war-xtreme", options={"players": 2, "ask_extreme": False})
    for _ in range(60):
        if live.pace.windows.is_open or live.sitting.over:
            break
        await move(live)
    for seat, guest in enumerate(("ada", "ben")):
        shown = live.covered(seat) is None and seat in live.sitting.state.to_act
        assert waiting((await listing(room, guest))[0]) == [live.id] * shown


async def test_simultaneous_turns_are_all_waited_for(room):
    live = await seated(room, "ada", "ben", "cleo", game="chimax-books", options=TOGETHER, clock=DAY)
    await done(Viewer(room, live, "ben").play())
    assert [bool(waiting((await listing(room, one))[0])) for one in ("ada", "ben", "cleo")] == [True, False, True]
