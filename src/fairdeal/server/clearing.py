"""Unfinished tables that concern one guest alone: cleared away by that guest, or by the room when they were left."""

from __future__ import annotations

import asyncio
import contextlib
import time

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.server.dealing import stop_waiting
from fairdeal.server.keeping import clear_table
from fairdeal.server.live import LiveTable
from fairdeal.server.queries import CLEARED, left_since
from fairdeal.server.room import Room

LEFT_FOR = 7 * 24 * 3600.0
"""Seconds without a move after which a table that concerns one guest alone is cleared away."""

EVERY = 3600.0
"""Seconds between two looks for such tables."""


async def clear(room: Room, live: LiveTable, guest: str) -> None:
    """Clear a table away for good, with its moves and its talk. Only its promise is kept, so that nobody who has seen
    these cards opens another table with them. Raises FairdealError if others are concerned, or the game is finished."""
    async with live.lock:
        if live.status == CLEARED:
            return
        if live.status == "over":
            raise FairdealError("this game is finished, and finished games are kept")
        if people_of(live) != {guest}:
            raise FairdealError("you can clear away only tables that nobody else opened or plays at")

        def keep(connection: sa.Connection) -> None:
            clear_table(connection, live.id)

        await room.store.write(keep)
        stop_waiting(live)
        live.be_cleared()
        room.forget(live)
        live.tell_facts()


def people_of(live: LiveTable) -> set[str]:
    """Whom a table concerns: who opened it, and the guests who have a seat."""
    return {live.terms.host, *(place.guest for place in live.seats if place.guest)}


async def clear_left(room: Room, now: float) -> None:
    """Clear away what was left, unless somebody is there."""
    for table in await room.store.read(lambda c: left_since(c, now - LEFT_FOR)):
        with contextlib.suppress(FairdealError):
            live = await room.find(table)
            if not live.audience.connections:
                await clear(room, live, live.terms.host)


async def keep_clear(room: Room) -> None:
    """Clear away what was left, again and again."""
    while True:
        with contextlib.suppress(FairdealError):
            await clear_left(room, time.time())
        await asyncio.sleep(EVERY)
