"""Deletion of tables, and of everything that is linked to a guest.

A table that concerns only one guest is deleted whole. Only its commitment remains, so that a guest who has seen these
cards cannot open another table with them. A game of several people stays, because its log is signed and belongs to all
of them: the guest is removed from it, and only the name in the log remains.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.protocol import bodies as b
from fairdeal.protocol import messages as m
from fairdeal.server.api.opening import form_rematch
from fairdeal.server.room import DAMAGED, Room, Unreadable
from fairdeal.server.storage.acts import unlink
from fairdeal.server.storage.keeping import old_tables
from fairdeal.server.storage.own_data import OWN, is_by, said_by, tables_of
from fairdeal.server.storage.queries import CLEARED, UNFINISHED, summaries
from fairdeal.server.storage.store import NotSaved, bans, chat, entrants, entries, evenings, tables, tries
from fairdeal.server.tables.dealing import stop_waiting
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.saving import clear_table, keep_places, place_rows
from fairdeal.server.tables.seating import leave
from fairdeal.table.names import isolated

MOST_ROUNDS = 10
"""Number of times that the tables of a guest are looked up, because a page that is still open may add to them."""

AT_ONCE = 8
"""Number of tables from which a guest is removed at the same time, so that they share commits."""

BETWEEN_LOOKS = 600.0
"""Time, in seconds, after which the room looks for old tables again."""

MOST_AT_ONCE = 1000
"""Maximum number of old tables that are looked up at once."""

FORMER = "A former guest"
"""The name of a player of an evening who has deleted their data."""

T = TypeVar("T")

log = logging.getLogger(__name__)


async def clear(room: Room, live: LiveTable, guest: str) -> None:
    """Delete an unfinished table with its moves and chat. Raises FairdealError if the table concerns other guests, or
    if the game is finished."""
    async with live.lock:
        await live.check_owner()
        if live.status == CLEARED:
            return
        if live.is_over:
            raise FairdealError("a finished game cannot be cleared away")
        if live.terms.evening or (live.terms.counts and live.status == "running"):
            kind = "game of an evening" if live.terms.evening else "rated game"
            raise FairdealError(f"a {kind} cannot be cleared away; leave it, and a bot plays on for you")
        if people_of(live) != {guest}:
            raise FairdealError("you can clear away only tables that nobody else opened or plays at")
        await delete(room, live)


async def delete(room: Room, live: LiveTable) -> None:
    """Delete a table. The caller must hold its lock."""
    await room.store.write(lambda c: clear_table(c, live.id), live.tenure)
    stop_waiting(live)
    live.be_cleared()
    room.forget(live)
    live.tell_facts()


def people_of(live: LiveTable) -> set[str]:
    """Return the guests concerned by a table: the guest who opened it, and those who have seats."""
    return {live.terms.host, *(place.guest for place in live.seats if place.guest)}


# --- everything of a guest ----------------------------------------------------------------------------------------


async def forget(room: Room, guest: str) -> b.Forgotten:
    """Delete everything that is linked to a guest, except a ban, and close the guest's connections. Raises NotSaved if
    that fails; it can then be repeated."""
    deleted: set[str] = set()
    kept: set[str] = set()

    async def forget_at(live: LiveTable) -> None:
        (deleted if await part(room, live, guest) else kept).add(live.id)

    await at_all_tables(room, guest, forget_at)
    await room.store.write(lambda c: forget_guest(c, guest))
    return b.Forgotten(len(deleted), len(kept - deleted))


async def at_all_tables(room: Room, guest: str, work: Callable[[LiveTable], Awaitable[None]]) -> None:
    """Call `work`, which unlinks a guest from a table, with all tables of the guest, and close the guest's connections.
    Raises NotSaved if there are always more."""
    for _ in range(MOST_ROUNDS):
        room.hang_up({guest})
        found = await room.store.read(lambda c: tables_of(c, guest))
        if not found:
            return
        for first in range(0, len(found), AT_ONCE):
            await asyncio.gather(*(at(room, table, status, work) for table, status in found[first : first + AT_ONCE]))
    raise NotSaved("your data changes meanwhile; close all pages of this room and try again")


async def at(room: Room, table: str, status: str, work: Callable[[LiveTable], Awaitable[T]], asks: bool = True) -> T:
    """Call `work` with a table, which then belongs to this process. A finished game that is not in memory is not
    loaded, and has no moves. Raises NotOwner if another worker has the table; if `asks` is true, ask for it first."""
    while True:
        if status == "over" and table not in room.held and table not in room.loading:
            live = await asleep(room, table, asks)
        else:
            live = await room.find(table, asks)
        done = await work(live)
        if room.held.get(table) in (live, None) and table not in room.loading:
            return done


async def asleep(room: Room, table: str, asks: bool) -> LiveTable:
    tenure = await room.store.own(table, asks)
    found = (await room.store.read(lambda c: summaries(c, [table]))).get(table)
    if found is None:
        raise Unreadable(DAMAGED)
    live = room.from_rows(found.table, found.seats)
    live.tenure = tenure
    return live


async def part(room: Room, live: LiveTable, guest: str) -> bool:
    """Delete what a guest has said at a table. Then delete the table if it concerns nobody else, or remove the guest
    from it. Return whether the table is deleted."""
    said = await room.store.write(lambda c: forget_lines(c, live.id, said_by(guest)), live.tenure)
    live.audience.chat = [line for line in live.audience.chat if line not in said]
    return await take_out(room, live, guest)


async def take_out(room: Room, live: LiveTable, guest: str) -> bool:
    """Delete a table if it concerns only this guest, or remove the guest from it: before the deal the seat is free,
    afterwards a bot plays on until another guest takes it. Return whether the table is deleted."""
    await leave(live, guest)
    async with live.changing():
        if people_of(live) <= {guest}:
            await delete(room, live)
            return True
        for place in live.seats:
            if place.guest == guest:
                place.guest, place.ready, place.calm, place.successor = None, None, False, ""
        terms, rows = live.terms, place_rows(live.id, live.seats)
        if terms.host == guest:
            heir, name = next((place.guest, place.shown) for place in live.seats if place.guest)
            terms = replace(terms, host=heir, name=f"{name}’s {terms.title}")

        def keep(connection: sa.Connection) -> None:
            keep_places(connection, live.id, rows, host=terms.host, title=terms.name)
            own = entries.c.table == live.id, is_by(entries.c.client, guest)
            connection.execute(entries.update().where(*own).values(client=""))

        await room.store.write(keep, live.tenure)
        live.terms = terms
        live.clients.pop(guest, None)
        await live.read_score()
        live.audience.reseat()
        live.note_here()
        live.look_at_presence()
        live.tell()
        await form_rematch(room, live)  # the others may have waited for this guest
    return False


def forget_lines(connection: sa.Connection, table: str, which: sa.ColumnElement[bool]) -> list[m.Said]:
    """Delete some lines of a table's chat, and return them as they are sent."""
    gone = chat.delete().where(chat.c.table == table, which)
    found = connection.execute(gone.returning(chat.c.seat, chat.c.name, chat.c.text, chat.c.at))
    return [m.Said(row.seat, isolated(row.name), row.text, row.at) for row in found]


def forget_guest(connection: sa.Connection, guest: str) -> None:
    """Delete a guest who has no tables."""
    for column in OWN:
        if column.table is not bans:
            connection.execute(column.table.delete().where(column == guest))
    unlink(connection, guest)
    connection.execute(tries.update().where(tries.c.guest == guest).values(guest=None))
    gone = {"guest": None, "name": FORMER, "left": True}
    connection.execute(entrants.update().where(entrants.c.guest == guest).values(**gone))
    connection.execute(evenings.update().where(evenings.c.host == guest).values(host=""))
    connection.execute(tables.update().where(tables.c.host == guest).values(host="", title=""))  # deleted earlier


# --- old tables ---------------------------------------------------------------------------------------------------


async def delete_old_tables(room: Room, finished_days: float, unfinished_days: float) -> None:
    """Delete tables that were not used for a number of days, and old evenings, until cancelled. If the number is 0,
    none are deleted."""
    while True:
        for status, days in (("over", finished_days), *((status, unfinished_days) for status in UNFINISHED)):
            if days:
                await delete_old(room, status, time.time() - days * 86_400)
        if finished_days:
            with contextlib.suppress(NotSaved):  # already logged
                await room.store.write(lambda c: delete_evenings(c, time.time() - finished_days * 86_400))
        await asyncio.sleep(BETWEEN_LOOKS)


def delete_evenings(connection: sa.Connection, since: float) -> None:
    """Delete the evenings that were opened before a time, whose tables are deleted by themselves."""
    old = sa.select(evenings.c.id).where(evenings.c.made < since)
    connection.execute(entrants.delete().where(entrants.c.evening.in_(old)))
    connection.execute(evenings.delete().where(evenings.c.made < since))


async def delete_old(room: Room, status: str, since: float) -> None:
    """Delete the tables with a status that were not used since a time. Pause after each for as long as that took. A
    table that another worker owns is left for later."""
    old = old_tables(since, status).limit(MOST_AT_ONCE)
    found: Sequence[str] = ()
    with contextlib.suppress(NotSaved):  # already logged
        found = await room.store.read(lambda c: c.execute(old).scalars().all())
    for table in found:
        began = time.monotonic()
        try:
            await at(room, table, status, lambda live: delete_unused(room, live, old), asks=False)
        except FairdealError:
            pass  # another worker owns it, or already logged
        except Exception:
            log.exception("table %s cannot be deleted", table)
        await asyncio.sleep(time.monotonic() - began)


async def delete_unused(room: Room, live: LiveTable, old: sa.Select[Any]) -> None:
    """Delete a table if it is still old and nobody is connected."""
    async with live.lock:
        still_old = old.where(tables.c.id == live.id)
        found = await room.store.read(lambda c: c.execute(still_old).first())
        if found and not live.audience.connections:
            await delete(room, live)
