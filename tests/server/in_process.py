"""A room inside the test, without a process or sockets, with its own clock and a database that can be locked."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import time
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from fairdeal.cli.serve import located
from fairdeal.protocol import messages as m
from fairdeal.protocol.patches import Scenes, changes
from fairdeal.server.api.opening import open_table
from fairdeal.server.api.requests import handle
from fairdeal.server.api.websocket import arrive
from fairdeal.server.room import Room
from fairdeal.server.storage.database import address_of, engine_of
from fairdeal.server.storage.promises import Keys
from fairdeal.server.storage.store import Store, metadata
from fairdeal.server.tables.audience import Connection
from fairdeal.server.tables.seating import join
from tests.server.histories import History
from tests.server.machine import small_disk

PATIENCE = 0.02
"""Seconds that a write waits for the database."""

KEYS = Keys(seeds=bytes(32), signing=bytes(range(32)))
"""The keys of all rooms over one database, which real rooms store in it."""


class Ticker:
    """A clock that the test sets."""

    def __init__(self):
        self.seconds = 1000.0

    def __call__(self):
        return self.seconds


BOTH_DATABASES = pytest.mark.databases("sqlite", "postgresql")


class InsideRoom(Room):
    """A room whose tables take the time from `ticker`, if there is one."""

    def __init__(self, store, pause=0.0, ticker=None, **wishes):
        super().__init__(store, pause, keys=KEYS, now=ticker or time.monotonic, **wishes)


class Viewer:
    """A connection of a guest to a table, with all messages that were sent over it. Every viewer counts its requests
    from r1, so a second one of the same guest repeats ids, which the table ignores.

    It takes patches, and checks that each contains only the changes to the last scene that was sent to it."""

    def __init__(self, room, live, guest):
        self.room, self.live, self.heard, self.count = room, live, [], 0
        self.scenes = Scenes()
        self.connection = Connection(
            guest, live.seats.of(guest), self.hear, hang_up=self.go, scenes=Scenes(), welcomed=True
        )
        self.history = History(guest, self.connection.seat, guest)
        live.audience.connections.append(self.connection)
        live.look_at_presence()

    def hear(self, text):
        last, message = self.scenes.last, m.decoded(text)
        whole = self.scenes.whole(message)
        if isinstance(message, m.Patch):
            assert message.changes == json.loads(msgspec.json.encode(changes(last, whole.scene)))
            text = m.encoded(whole)
        self.heard.append(json.loads(text))
        self.history.hears(self.heard[-1])

    async def ask(self, request):
        """Send a request and return the response, or None if the room hangs up."""
        self.history.asks(**msgspec.to_builtins(request))
        await handle(self.room, self.live, self.connection, request)
        return next((message for message in reversed(self.heard) if message.get("id") == request.id), None)

    @property
    def scene(self):
        """The last scene that was sent."""
        return next(message["scene"] for message in reversed(self.heard) if message.get("scene"))

    async def play(self, move=None, **facts):
        """Play `move`, or the move of a hint."""
        self.count += 1
        sitting, seat = self.live.sitting, self.connection.seat
        if move is None:
            move = sitting.table.game.write_move(sitting.state.record, seat, sitting.hint(seat).actions)
        return await self.ask(
            m.Play(**({"id": f"r{self.count}", "seq": self.live.number_for(seat)} | facts), move=move)
        )

    async def undo(self, **facts):
        self.count += 1
        number = self.live.number_for(self.connection.seat)
        return await self.ask(m.Undo(**({"id": f"r{self.count}", "seq": number} | facts)))

    async def stand_in(self, seat, on=True):
        self.count += 1
        return await self.ask(m.StandIn(id=f"r{self.count}", seat=seat, on=on))

    async def say(self, text):
        self.count += 1
        return await self.ask(m.Say(id=f"r{self.count}", text=text))

    async def arrive(self):
        self.history.comes()
        self.connection.welcomed = False
        await arrive(self.room, self.live, self.connection)

    def go(self):
        self.live.audience.part(self.connection)
        self.live.look_at_presence()

    def told_of_trouble(self):
        """Return the problems that the facts named, in order, each once."""
        told = [message["facts"]["trouble"] for message in self.heard if "facts" in message]
        return [now for before, now in zip(["", *told], told, strict=False) if now != before]


async def done(asked):
    """Return the response to a request, which must have been carried out."""
    answer = await asked
    assert answer["type"] == "done", answer
    return answer


async def refused(asked):
    """Return the response to a request, which must have been rejected."""
    answer = await asked
    assert answer["type"] == "refused", answer
    return answer


def call_first(owner, name, first, put=setattr):
    """Let `first` be called with the arguments of a function before it. `put` sets an attribute."""
    real = getattr(owner, name)

    def called(*given):
        first(*given)
        return real(*given)

    put(owner, name, called)


@contextlib.contextmanager
def apart(database):
    """A connection to a database, given by its path, URL or address, apart from those of its room, which is committed
    at the end."""
    engine = engine_of(database if isinstance(database, sa.URL) else address_of(database), 5.0)
    try:
        with engine.connect().execution_options(isolation_level="SERIALIZABLE") as connection, connection.begin():
            yield connection
    finally:
        engine.dispose()


def execute(connection, statement, *values):
    """Execute a statement in which question marks stand for the values."""
    ours = "?" if connection.dialect.name == "sqlite" else "%s"
    return connection.exec_driver_sql(statement.replace("?", ours), values)


def rows_in(url, statement, *values):
    """Return the rows of a query of a database, read over a connection of its own."""
    with apart(url) as connection:
        return [tuple(row) for row in execute(connection, statement, *values)]


def rows(store, statement, *values):
    return rows_in(store.engine.url, statement, *values)


@contextlib.contextmanager
def locked(store):
    """Lock the database against writing for the duration of a context."""
    with apart(store.engine.url) as other:
        if other.dialect.name == "sqlite":
            other.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            other.exec_driver_sql("SET LOCAL lock_timeout = 0")
            other.exec_driver_sql(f"LOCK TABLE {', '.join(metadata.tables)} IN EXCLUSIVE MODE")
        yield


async def until(ready, seconds=20.0):
    """Wait until `ready()` is true."""
    for _ in range(round(seconds / 0.01)):
        if ready():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"not true within {seconds} seconds:\n{inspect.getsource(ready)}")


def store_of(database, kind=Store):
    return kind(located(database), patience=PATIENCE)


@contextlib.contextmanager
def on_small_disk(database, server, tmp_path):
    """A small disk and a new database on it, of the kind of `database`. If no disk can be mounted, None and a database
    that is not on one."""
    own = None if isinstance(database, Path) else server(fsync=False)
    with contextlib.ExitStack() as opened:
        disk = opened.enter_context(small_disk((own.folder if own else tmp_path) / "disk", 16 if own else 8))
        yield disk, opened.enter_context(own.database(disk and disk.folder)) if own else tmp_path / "disk" / "room.db"


@contextlib.contextmanager
def filling(database, server, tmp_path):
    """A store on a small disk, or in a file that may not grow if no disk can be mounted, and functions that fill and
    empty it."""
    most = [2**30]  # pages; SQLite takes 1 for as many as there are
    with contextlib.ExitStack() as opened:
        disk, new = opened.enter_context(on_small_disk(database, server, tmp_path))
        if not disk and not isinstance(new, Path):
            pytest.skip("cannot mount a small disk for PostgreSQL")
        store = store_of(new)
        opened.callback(store.close)
        if disk:
            yield store, disk.fill, disk.empty
        else:
            sa.event.listen(store.engine, "begin", lambda c: c.exec_driver_sql(f"PRAGMA max_page_count={most[0]}"))
            yield store, lambda: most.insert(0, 1), lambda: most.pop(0)


async def seated(room, *guests, game="chi", chairs=(), **wishes):
    """Open a table for guests, who take its free seats in this order."""
    host, *others = guests
    live = await open_table(room, host, game=game, chairs=chairs or ("you", *["person"] * len(others)), **wishes)
    for guest in others:
        await join(live, guest, None, "")
    return live


async def seat_two(room, game="chi", other="ben", **wishes):
    """Open a table for Ada and Ben, or `other`, who are both connected."""
    live = await seated(room, "ada", other, game=game, **wishes)
    return live, Viewer(room, live, "ada"), Viewer(room, live, other)


async def move(live, times=1, client=""):
    """Play up to `times` moves of whoever is to act, those of hints, until the game is over."""
    for number in range(times):
        if live.status == "running":
            async with live.lock:
                seat = live.sitting.state.to_act[0]
                await live.enter(seat, live.sitting.hint(seat).actions, f"{client}{number}" if client else "")


def drivers_of(room):
    """Return the tasks of tables that go on by themselves."""
    tasks = [live.driver.task for live in room.live.values()]
    return [task for task in tasks if task and not task.done()]


def end_all(room):
    """Stop the drivers, as the end of the process would."""
    for task in drivers_of(room):
        task.cancel()


async def rest(room):
    """Stop the drivers and wait until they have ended."""
    while drivers := drivers_of(room):
        end_all(room)  # again: one that is woken at the same moment goes on
        await asyncio.wait(drivers, timeout=0.1)
