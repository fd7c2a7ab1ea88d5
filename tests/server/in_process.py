"""A room inside the test: no process and no sockets, its own clock, and a database that can be kept from writing."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time

from fairdeal.protocol import messages as m
from fairdeal.server.api.opening import open_table
from fairdeal.server.api.requests import handle
from fairdeal.server.api.websocket import arrive
from fairdeal.server.room import Room
from fairdeal.server.storage.promises import Keys
from fairdeal.server.storage.store import Store
from fairdeal.server.tables.audience import Connection
from fairdeal.server.tables.seating import join

PATIENCE = 0.02
"""Seconds for which a write waits here."""


KEYS = Keys(seeds=bytes(32), signing=bytes(range(32)))
"""The same for all rooms over one database, as they would be kept in it."""


class Ticker:
    """A clock that goes forwards by hand."""

    def __init__(self):
        self.seconds = 1000.0

    def __call__(self):
        return self.seconds


class InsideRoom(Room):
    """A room whose tables take the time from `ticker`, where there is one."""

    def __init__(self, store, pause=0.0, ticker=None):
        super().__init__(store, pause, keys=KEYS, now=ticker or time.monotonic)


class Viewer:
    """Somebody who is connected to a table, with all that they were sent."""

    def __init__(self, room, live, guest):
        self.room, self.live, self.heard, self.count = room, live, [], 0
        self.connection = Connection(guest, live.seats.of(guest), lambda text: self.heard.append(json.loads(text)))
        live.audience.connections.append(self.connection)

    async def ask(self, request):
        """Its answer."""
        await handle(self.room, self.live, self.connection, request)
        return next(message for message in reversed(self.heard) if message.get("id") == request.id)

    async def play(self, move=None, **facts):
        """A move: this one, or the one that a hint would make."""
        self.count += 1
        sitting, seat = self.live.sitting, self.connection.seat
        if move is None:
            move = sitting.table.game.write_move(sitting.state.record, seat, sitting.hint(seat).actions)
        return await self.ask(m.Play(**({"id": f"r{self.count}", "seq": self.live.number} | facts), move=move))

    async def undo(self):
        self.count += 1
        return await self.ask(m.Undo(id=f"r{self.count}", seq=self.live.number))

    async def stand_in(self, seat, on=True):
        self.count += 1
        return await self.ask(m.StandIn(id=f"r{self.count}", seat=seat, on=on))

    async def say(self, room, text):
        self.count += 1
        request = m.Say(id=f"r{self.count}", text=text)
        await handle(room, self.live, self.connection, request)
        return next(message for message in reversed(self.heard) if message.get("id") == request.id)

    async def arrive(self):
        await arrive(self.room, self.live, self.connection)

    def go(self):
        self.live.audience.part(self.connection)

    def told_of_trouble(self):
        """What the facts said was wrong, in order, each once."""
        told = [message["facts"]["trouble"] for message in self.heard if "facts" in message]
        return [now for before, now in zip(["", *told], told, strict=False) if now != before]


@contextlib.contextmanager
def locked(store):
    """Somebody else is writing to the database for as long as this lasts."""
    with contextlib.closing(sqlite3.connect(store.engine.url.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def rows(store, statement, *values):
    """What is in the database, for anybody who reads it."""
    with contextlib.closing(sqlite3.connect(store.engine.url.database)) as database:
        return database.execute(statement, values).fetchall()


async def until(ready, seconds=20.0):
    """Wait for something that comes by itself."""
    for _ in range(round(seconds / 0.01)):
        if ready():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came")


def store_in(folder, kind=Store):
    return kind(f"sqlite:///{folder}/room.db", patience=PATIENCE)


async def seat_two(room, game="chi", **wishes):
    """A table of Ada's with Ben, and both of them connected."""
    live = await open_table(room, "ada", game=game, chairs=("you", "person"), **wishes)
    await join(live, "ben", None, "")
    return live, Viewer(room, live, "ada"), Viewer(room, live, "ben")


def end_all(room):
    """Stop the drivers, as the end of the process would."""
    for live in room.live.values():
        if live.driver.task:
            live.driver.task.cancel()
