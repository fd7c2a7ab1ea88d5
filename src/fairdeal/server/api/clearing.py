"""Deletion of unfinished tables that concern only one guest. The room never deletes a table by itself: a move that it
has acknowledged stays stored until its player deletes the table."""

from __future__ import annotations

from fairdeal.engine.errors import FairdealError
from fairdeal.server.room import Room
from fairdeal.server.storage.queries import CLEARED
from fairdeal.server.tables.dealing import stop_waiting
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.saving import clear_table


async def clear(room: Room, live: LiveTable, guest: str) -> None:
    """Delete a table with its moves and chat. Only its commitment remains, so that a guest who has seen these cards
    cannot open another table with them. Raises FairdealError if the table concerns other guests, or if the game is
    finished."""
    async with live.lock:
        await live.check_owner()
        if live.status == CLEARED:
            return
        if live.is_over:
            raise FairdealError("a finished game cannot be cleared away")
        if people_of(live) != {guest}:
            raise FairdealError("you can clear away only tables that nobody else opened or plays at")

        await live.write(lambda c: clear_table(c, live.id))
        stop_waiting(live)
        live.be_cleared()
        room.forget(live)
        live.tell_facts()


def people_of(live: LiveTable) -> set[str]:
    """Return the guests concerned by a table: the guest who opened it, and those who have seats."""
    return {live.terms.host, *(place.guest for place in live.seats if place.guest)}
