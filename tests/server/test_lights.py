"""What a room says about its own state is true: its answer to `/api/ready`, its gauges, its log, and what players see
are compared with real moves while the database fails and after that."""

import ast
import asyncio
import contextlib
import logging
import re
import shutil
import sqlite3
import threading
import time
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from fairdeal.server import metrics
from fairdeal.server.storage import store as store_module
from fairdeal.server.storage.promises import kept_keys
from fairdeal.server.storage.readiness import NotReady
from fairdeal.server.storage.store import LONGEST_CHECK, SPACE_NAME, NotSaved, entries, metadata
from fairdeal.table.redrawing import CANNOT_SAVE
from tests.server.in_process import (
    BOTH_DATABASES,
    InsideRoom,
    apart,
    filling,
    locked,
    rest,
    rows,
    seat_two,
    store_of,
    until,
)
from tests.server.lights import EACH, STATES, Record
from tests.server.machine import Cable
from tests.server.postgresql import PROGRAMS, WITHOUT
from tests.server.test_analysis import Maker, played_by_bots

pytestmark = pytest.mark.usefixtures("quick")

WITH_SERVER = pytest.mark.skipif(not PROGRAMS, reason=WITHOUT)
SERVER = Path(store_module.__file__).parents[1]

# --- every statement about a state ----------------------------------------------------------------------------------

EVENTS = {
    "the program that writes the rules of %s failed: %s",
    "%s has ended with %s; starting it again",
    "%s; the other workers are not replaced",
    "a notification about table %s was not sent: %s",
    "a request failed",
    "a request was refused",
    "an old backup cannot be deleted: %s",
    "the backup failed, and older ones are kept: %s",
    "the database was backed up",
    "the keeper has banned or readmitted guests",
    "the room has closed",
    "the room is open",
    "act %s of the keeper has failed",
    "act %s of the keeper was carried out",
    "all workers were replaced",
    "changes of the owners of tables are not noticed; trying again",
    "something was not saved, because a part of the database is damaged: %s",
    "table %s cannot be deleted",
    "table %s cannot be loaded",
    "table %s cannot be replayed: %s",
    "table %s cannot be shown",
    "table %s cannot continue; trying again",
    "table %s has an unknown entry %s; reloading the table",
    "the analysing process has exited with %s",
    "the database %s is damaged: %s. The room opens anyway, and reports tables that cannot be read. Make a copy of the "
    "file; then restore an older one, or recover what is left with: sqlite3 %s .recover",
    "the database cannot be read: %s",
    "the drawing process has exited with %s: %s",
    "the lease of this worker is not renewed",
    "the lease of this worker is not renewed: %s",
    "the moves of table %s cannot be read: its part of the database is damaged",
    "the rules of %s cannot be written as WebAssembly: %s",
    "the server of %s has fsync=off: acknowledged moves are lost if its machine fails",
    "this worker was not heard of for %s s; others may have taken its tables",
    "worker %s has ended",
}
"""Log lines about something that has just happened, or that was found at the start. Nothing later makes them wrong."""


def lines_logged():
    """Return the texts of all log lines of the server."""
    found = set()
    for path in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("log."):
                found |= {one.value for one in node.args if isinstance(one, ast.Constant)}
    return found


def test_every_log_line_is_about_an_event_or_a_state_that_is_compared_with_moves():
    found = lines_logged()
    assert found - STATES - EVENTS == set(), "say in STATES or EVENTS what these are, and compare states with events"
    assert found >= STATES
    assert found >= EVENTS


GAUGES = {
    "fairdeal_backup_timestamp_seconds": "the times of the last events, which nothing later makes wrong",
    "fairdeal_tables": "the tables in memory, which are counted when they are asked for",
    "fairdeal_connections": "the connections in memory, which are counted when they are asked for",
    "fairdeal_analyses": "test_an_analysis_that_is_over_is_not_in_progress",
    "fairdeal_saves": "test_no_light_says_that_the_room_can_save_while_it_cannot",
    "fairdeal_waiting": "test_the_queue_of_the_database_has_every_save_that_is_not_finished",
}
"""Every gauge of a room, with the reason why it is true, or the test that shows it."""


async def test_every_gauge_is_counted_at_once_or_has_a_test(inside):
    gauges = {family.name for family in metrics.Gauges(inside).collect()}
    assert gauges == {*GAUGES}
    assert {why for why in GAUGES.values() if why.startswith("test_")} <= {*globals()}


def gauge(room, name, *labels):
    """Return the value of a gauge."""
    found = [sample for family in metrics.Gauges(room).collect() if family.name == name for sample in family.samples]
    return next(sample.value for sample in found if tuple(sample.labels.values()) == labels)


# --- the lights and the moves -------------------------------------------------------------------------------------


class Course(Record, logging.Handler):
    """The course of a fault of a room inside the test."""

    def __init__(self, room, attempt):
        Record.__init__(self)
        logging.Handler.__init__(self)
        self.room, self.attempt, self.pending, self.acknowledged = room, attempt, None, 0
        logging.getLogger("fairdeal").addHandler(self)

    def emit(self, record):
        if record.msg in STATES:
            self.told.append((record.msg, "again" in record.msg))

    async def begin(self):
        self.live, *self.viewers = await seat_two(self.room, "chip-it", options={"players": 2, "first_player": 0})

    async def tick(self):
        """Let a player try something, and look at all lights before the next attempt."""
        began = time.monotonic()
        await self.try_once()
        for name, light in LIGHTS.items():
            is_on = await light(self.room, self)
            if is_on is not None:
                self.told.append((name, is_on))
        await asyncio.sleep(EACH - (time.monotonic() - began))

    async def see_all_on(self):
        """Wait until a player succeeds and all lights are on, twice in a row: a busy machine may take a second."""
        row = 0
        for _ in range(50):
            before = len(self.told)
            await self.tick()
            row = row + 1 if all(is_on for _, is_on in self.told[before:]) else 0
            if row == 2:
                return
        raise AssertionError(self.told[-20:])

    async def try_once(self):
        """Record whether an attempt succeeded. One that has no answer counts as a failure after LONGEST_CHECK."""
        if self.pending is None:
            self.pending, self.since = asyncio.create_task(self.attempt(self)), time.monotonic()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self.pending), LONGEST_CHECK / 2)
        if self.pending.done():
            self.told.append(("attempt", self.pending.result()))
            self.pending = None
        elif time.monotonic() > self.since + LONGEST_CHECK + 2 * EACH:
            self.told.append(("attempt", False))

    async def settle(self):
        if self.pending:
            await self.pending
            self.pending = None


async def is_ready(room, _=None):
    try:
        await room.readiness.check()
    except NotReady:
        return False
    return True


async def is_saving(room, _):
    return bool(gauge(room, "fairdeal_saves"))


async def is_calm(_, course):
    """Return whether a table does not say that the room cannot save, or None while it waits for the database."""
    return None if course.pending else course.live.audience.trouble == ""


LIGHTS = {"/api/ready": is_ready, "fairdeal_saves": is_saving, "the table": is_calm}


async def make_move(course):
    """Make a move, or take it back."""
    ada = course.viewers[0]
    answer = await (ada.undo() if course.live.number % 2 else ada.play("pass 1"))
    if answer is None or answer["type"] != "done":
        return False
    course.acknowledged = answer["seq"]
    return True


async def say_something(course):
    course.room.limits.guests.clear()
    answer = await course.viewers[0].say("hello")
    return answer is not None and answer["type"] == "done"


class Fault:
    """A fault of the database of a store, between `begin` and `end`."""

    def __init__(self, store, server, stack):
        self.store, self.server, self.stack = store, server, stack

    async def begin(self):
        raise NotImplementedError

    def end(self):
        raise NotImplementedError


class Full(Fault):
    """The disk is full, also the pages that are there already."""

    async def begin(self):
        self.store.fill()
        ((table,),) = rows(self.store, "select id from tables")
        row = store_module.sample(entries, table) | {"text": 500 * "x"}
        with contextlib.suppress(NotSaved):
            for number in range(1000, 9999):
                await self.store.append(**row | {"number": number})

    def end(self):
        self.store.empty()


class Locked(Fault):
    """Another program holds the whole database."""

    async def begin(self):
        self.stack.enter_context(locked(self.store))

    def end(self):
        self.stack.close()


class OneTable(Locked):
    """Another program holds one table of the database, which moves do not need."""

    async def begin(self):
        self.stack.enter_context(apart(self.store.engine.url)).exec_driver_sql("LOCK TABLE chat IN EXCLUSIVE MODE")


class Replaced(Fault):
    """The file of the database is another one."""

    async def begin(self):
        self.aside = self.store.where.with_name("aside.db")
        self.store.where.rename(self.aside)
        shutil.copy(self.aside, self.store.where)

    def end(self):
        self.aside.replace(self.store.where)


class Stopped(Fault):
    """The server of the database is stopped."""

    async def begin(self):
        self.server.stop()

    def end(self):
        self.server.start()


class ReadOnly(Fault):
    """An administrator allows only reading."""

    def let(self, value):
        name = sa.make_url(self.store.engine.url).database
        self.server.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
        with psycopg.connect(self.server.url("postgres"), autocommit=True) as other:
            other.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (name,))

    async def begin(self):
        self.let("on")

    def end(self):
        self.let("off")


class Cut(Fault):
    """No byte passes between the room and the server, and neither hears of it. Nothing fails, and nothing succeeds."""

    async def begin(self):
        self.store.cable.cut()

    def end(self):
        self.store.cable.mend()


FAULTS = {"sqlite": (Full, Locked, Replaced), "postgresql": (Full, Locked, OneTable, Stopped, ReadOnly, Cut)}
EACH_FAULT = [
    pytest.param(kind, fault, id=f"{kind}-{fault.__name__}", marks=WITH_SERVER if kind == "postgresql" else ())
    for kind, faults in FAULTS.items()
    for fault in faults
]


@pytest.fixture
def failing(database, server, tmp_path, request):
    """A store, and the fault that it will have."""
    fault = request.param
    with contextlib.ExitStack() as stack:
        if fault is Full:
            store, fill, empty = stack.enter_context(filling(database, server, tmp_path))
            store.fill, store.empty = fill, empty
        elif fault is Cut:
            name, folder = ".s.PGSQL.5432", server(fsync=False).folder
            cable = Cable(tmp_path / name, folder / name)
            stack.callback(cable.close)
            store = store_of(database.replace(str(folder), str(tmp_path)))
            stack.callback(store.close)
            store.cable = cable
        else:
            store = store_of(database)
            stack.callback(store.close)
        of_server = None if isinstance(database, Path) else server(fsync=False)
        yield fault(store, of_server, stack.enter_context(contextlib.ExitStack()))


@pytest.mark.parametrize(("database", "failing"), EACH_FAULT, indirect=True)
async def test_no_light_says_that_the_room_can_save_while_it_cannot(failing):
    """Nobody plays while the room recovers."""
    store = failing.store
    await kept_keys(store)
    room = InsideRoom(store)
    course = Course(room, say_something if isinstance(failing, OneTable) else make_move)
    is_cut = isinstance(failing, Cut)
    try:
        await course.begin()
        await course.see_all_on()
        await failing.begin()
        try:
            for _ in range(400):  # a full disk takes some small moves more
                await course.try_once()
                if course.told[-1] == ("attempt", False):
                    break
            for _ in range(2 if is_cut else 8):
                await course.tick()
            with pytest.raises(NotReady, match=r"^[^/]+$"):  # nobody learns where the database is
                await room.readiness.check()
        finally:
            length = len(course.told)
            failing.end()
        await course.settle()
        await until(lambda: room.store.saves and not course.live.audience.trouble)
        await course.see_all_on()
        assert course.contradictions(2 if is_cut else 6, length) == []
        ((kept,),) = rows(store, "select count(*) from entries where number < 1000")
        assert course.acknowledged <= course.live.number == kept
        logged = [name for name, _ in course.told if name in STATES]
        assert logged == ([] if is_cut else ["the room cannot save: %s", "the room can save again"])
    finally:
        logging.getLogger("fairdeal").removeHandler(course)
        await rest(room)


# --- proofs ---------------------------------------------------------------------------------------------------------


def contents(store):
    """Return the number of rows of every table."""
    return {name: rows(store, f"select count(*) from {name}")[0][0] for name in metadata.tables}


def size_of(store, database):
    """Return the size of the database in bytes, with its indexes."""
    if store.engine.dialect.name == "sqlite":
        return rows(store, "select page_count * page_size from pragma_page_count, pragma_page_size")[0][0]
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("VACUUM")
    return rows(store, "select pg_database_size(current_database())")[0][0]


@BOTH_DATABASES
@pytest.mark.parametrize("tables", [0, 1])
async def test_checks_and_proofs_leave_nothing_behind(tables, database):
    store = store_of(database)
    await kept_keys(store)
    room = InsideRoom(store)
    for _ in range(tables):
        await seat_two(room)
    before = contents(store)
    await room.readiness.check()
    store.prove()
    size = size_of(store, database)
    for number in range(30):
        await room.readiness.check()
        if number % 5 == 0:
            store.prove()
    assert contents(store) == before
    assert size_of(store, database) <= 1.02 * size
    await rest(room)
    store.close()


@BOTH_DATABASES
async def test_a_proof_saves_in_every_table_and_more_than_most_saves_need(database):
    store, seen = store_of(database), []
    sa.event.listen(store.engine, "before_cursor_execute", lambda *given: seen.append(given[2]))
    store.prove()
    store.close()
    written = {kind: {table for one in seen if (table := written_in(one, kind))} for kind in ("INSERT INTO", "UPDATE")}
    assert written == {"INSERT INTO": {*metadata.tables}, "UPDATE": {*metadata.tables}}
    assert SPACE_NAME not in dict(rows(store, "select name, 1 from secrets"))


def written_in(statement, kind):
    found = re.match(rf"{kind} (\w+)", statement)
    return found and found[1]


@BOTH_DATABASES
async def test_a_different_save_that_succeeds_does_not_say_that_the_room_can_save_again(database, caplog):
    """A disk may have space for a small save only."""
    store = store_of(database)
    await kept_keys(store)
    room, large = InsideRoom(store), ["INSERT INTO entries", "WITH worker", "INSERT INTO secrets"]

    def fail(connection, cursor, statement, *_):
        if statement.startswith(tuple(large)):
            raise sa.exc.OperationalError(statement, {}, OSError("No space left on device"))

    live, ada, _ = await seat_two(room, options={"first_player": 0})
    sa.event.listen(store.engine, "before_cursor_execute", fail)
    assert (await ada.play())["type"] == "refused"
    for _ in range(20):
        await ada.say("hello")
        room.limits.guests.clear()
        assert (store.saves, live.audience.trouble) == (False, CANNOT_SAVE)
        assert not await is_ready(room)
        await asyncio.sleep(0.02)
    assert rows(store, "select count(*) from chat")[0][0] > 10
    assert "can save again" not in caplog.text
    large.clear()
    await until(lambda: store.saves and not live.audience.trouble)
    assert caplog.text.count("can save again") == 1
    await rest(room)
    store.close()


async def test_a_damaged_part_of_the_database_does_not_stop_the_rest(tmp_path, caplog):
    store = store_of(tmp_path / "room.db")

    def fail(_):
        raise sa.exc.DatabaseError("UPDATE", {}, damage)

    damage = sqlite3.DatabaseError("database disk image is malformed")
    damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    with pytest.raises(NotSaved):
        await store.write(fail)
    assert store.saves
    assert "because a part of the database is damaged: database disk image is malformed" in caplog.text
    assert "cannot save" not in caplog.text
    store.close()


# --- the other gauges -----------------------------------------------------------------------------------------------


async def test_the_queue_of_the_database_has_every_save_that_is_not_finished(inside):
    held, store = threading.Event(), inside.store
    writes = [asyncio.ensure_future(store.write(lambda _: held.wait(20))) for _ in range(5)]
    await until(lambda: gauge(inside, "fairdeal_waiting", "store") == 5)
    assert gauge(inside, "fairdeal_saves") == 1
    await until(lambda: gauge(inside, "fairdeal_saves") == 0, seconds=LONGEST_CHECK + 3)
    held.set()
    await asyncio.gather(*writes)
    assert (gauge(inside, "fairdeal_waiting", "store"), gauge(inside, "fairdeal_saves")) == (0, 1)


async def test_an_analysis_that_is_over_is_not_in_progress(guest, monkeypatch):
    """Also before anybody asks for it again, and if it has failed."""
    for fails in (True, False):
        maker = Maker(monkeypatch)
        maker.fails = fails
        await guest.get(await played_by_bots(guest))
        await until(lambda maker=maker: maker.begun)
        assert gauge(guest.room, "fairdeal_analyses") == 1
        maker.may_end.set()
        await until(lambda: gauge(guest.room, "fairdeal_analyses") == 0)
