"""Unfinished tables that concern one guest alone can be cleared away by that guest. The room never does it by itself: a
move that it has acknowledged is kept until its player wishes otherwise."""

from __future__ import annotations

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.server.room import Room
from fairdeal.server.storage.queries import CLEARED
from fairdeal.server.tables.dealing import stop_waiting
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.saving import clear_table


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
