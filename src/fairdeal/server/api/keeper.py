"""The open room carries out the acts of its keeper, and enforces the rules of the house."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.server.api.clearing import delete, forget_lines, take_out
from fairdeal.server.room import NoTable, Room
from fairdeal.server.storage import acts as a
from fairdeal.server.storage.own_data import said_by
from fairdeal.server.storage.queries import CLEARED
from fairdeal.server.storage.store import NotSaved, bans, chat, entrants, guests, put, seats, tables
from fairdeal.server.storage.words import hold_name
from fairdeal.server.tables.live import LiveTable
from fairdeal.table.names import NAMELESS, apart

BETWEEN = 1.0
"""Time, in seconds, after which the room looks for new acts again."""

LONGEST_WAIT = 5.0
"""Maximum time, in seconds, for which the keeper's page waits for an act that another worker carries out."""

log = logging.getLogger(__name__)


async def keep_house(room: Room) -> None:
    """Carry out new acts and close the connections of those who are excluded, until cancelled."""
    while True:
        with contextlib.suppress(NotSaved):  # already logged
            await look(room)
        await asyncio.sleep(BETWEEN)


async def look(room: Room) -> None:
    """Carry out the acts that wait, then read the rules of the house, once all that began to do so before have ended.
    Raises NotSaved if the room cannot save."""
    async with room.looking:
        for asked in await room.store.read(a.waiting):
            if await room.store.write(partial(a.take, asked=asked)):
                problem = await carry_out(room, asked)
                await room.store.write(partial(a.finish, asked=asked, problem=problem))
        house, before = await room.store.read(a.house_of), room.house
        room.house = house
        if house.banned != before.banned:
            changes = {"banned": len(house.banned - before.banned), "readmitted": len(before.banned - house.banned)}
            log.info("the keeper has banned or readmitted guests", extra=changes)
        signed_out = {guest for guest, epoch in house.epochs.items() if epoch > before.epochs.get(guest, 0)}
        for connection in room.connections:
            if connection.guest in house.banned | signed_out or house.bars(connection.address):
                connection.hang_up()
        for live in [*room.held.values()]:
            is_later = house.vacations != before.vacations and live.terms.is_over_days
            if is_later:
                live.note_vacations()
                live.tell()
                live.wake()
            if is_later or house.notice != before.notice:
                live.tell_facts()


async def carry_out(room: Room, asked: a.Asked) -> str:
    """Carry out an act, and return why that failed, or an empty string."""
    problem = ""
    try:
        await room.store.read(partial(a.foreseen, act=asked.act))
        await WAYS[type(asked.act)](room, asked.act)
    except FairdealError as failed:
        problem = str(failed)
    except Exception:
        log.exception("act %s of the keeper has failed", asked.id)
        problem = "the room failed; its log says why"
    if not problem:
        log.info("act %s of the keeper was carried out", asked.id)
    return problem


async def outcome_of(room: Room, number: int) -> a.Asked:
    """Look for acts, and return the one with a number: when it was carried out here or by another worker, or as it is
    after LONGEST_WAIT."""
    ends = time.monotonic() + LONGEST_WAIT
    while True:
        await look(room)
        (asked,) = await room.store.read(partial(a.log_of_acts, only=number))
        if asked.done or time.monotonic() > ends:
            return asked
        await asyncio.sleep(BETWEEN / 10)


# --- tables -------------------------------------------------------------------------------------------------


async def close(room: Room, act: a.Close) -> None:
    live = await unfinished(room, act.table)
    async with live.lock:
        await live.check_owner()
        if live.status != CLEARED:
            await delete(room, live)


async def unfinished(room: Room, table: str) -> LiveTable:
    """Return a table. Raises FairdealError if its game has just ended."""
    live = await room.find(table)
    if live.status in ("over", CLEARED):
        raise NoTable(f"there is no unfinished table {table!r}; `fairdeal room tables` lists all tables")
    return live


async def free(room: Room, act: a.Free) -> None:
    live = await unfinished(room, act.table)
    guest = live.seats[act.seat].guest
    if guest is not None:  # who may have left just now
        await take_out(room, live, guest)


async def exclude(room: Room, act: a.Exclude) -> None:
    live = await unfinished(room, act.table)
    room.house = room.house._replace(excluded=room.house.excluded | {(act.table, act.guest)})
    if not await take_out(room, live, act.guest):
        live.audience.hang_up(act.guest)


# --- guests -------------------------------------------------------------------------------------------------


async def ban(room: Room, act: a.Ban) -> None:
    await room.store.write(lambda c: put(c, bans, guest=act.guest, at=time.time()))


async def readmit(room: Room, act: a.Readmit) -> None:
    await room.store.write(lambda c: c.execute(bans.delete().where(bans.c.guest == act.guest)))


async def unname(room: Room, act: a.Unname) -> None:
    """Delete a guest's name, then at each table before the deal, in its title, and beside the guest's lines."""

    def names(connection: sa.Connection) -> set[str]:
        connection.execute(guests.delete().where(guests.c.id == act.guest))
        hold_name(connection, act.guest, NAMELESS)
        connection.execute(entrants.update().where(entrants.c.guest == act.guest).values(name=NAMELESS))
        said = sa.select(chat.c.table).where(said_by(act.guest))
        sits = sa.select(seats.c.table).where(seats.c.guest == act.guest)
        hosts = sa.select(tables.c.id).where(tables.c.host == act.guest, tables.c.status != CLEARED)
        return set(connection.execute(said.union(sits, hosts)).scalars())

    for table in await room.store.write(names):
        with contextlib.suppress(NoTable):
            await unname_at(room, await room.find(table), act.guest)


async def unname_at(room: Room, live: LiveTable, guest: str) -> None:
    async with live.changing():
        name = apart(NAMELESS, [place.shown for place in live.seats if place.guest != guest])
        lines = chat.update().where(chat.c.table == live.id, said_by(guest)).values(name=name)
        await room.store.write(lambda c: c.execute(lines), live.tenure)
        for place in live.seats:
            if place.guest == guest and live.status == "open":
                place.name = name
            elif place.guest == guest and place.successor:
                place.successor = name
        if live.terms.host == guest:
            live.terms = replace(live.terms, name=f"{name}’s {live.terms.title}")
        await live.keep_places(title=live.terms.name)
    await show_again(room, live)


async def erase(room: Room, act: a.Erase) -> None:
    query = sa.select(chat.c.table).where(chat.c.id == act.line)
    table = await room.store.read(lambda c: c.execute(query).scalar())
    if table is None:  # it was erased a moment ago
        return
    live = await room.find(table)
    async with live.lock:
        await room.store.write(lambda c: forget_lines(c, table, chat.c.id == act.line), live.tenure)
    await show_again(room, live)


async def show_again(room: Room, live: LiveTable) -> None:
    """Read a table and its chat again, and let all viewers connect again, who then see what is left of it."""
    kept, _ = await room.kept(live.id)
    live.audience.chat = kept.audience.chat
    live.audience.hang_up()


async def follows(room: Room, act: a.Acts) -> None:
    """Do nothing: the rules of the house follow from the log."""


WAYS: dict[type[a.Acts], Callable[..., Awaitable[None]]] = {
    a.Close: close,
    a.Free: free,
    a.Exclude: exclude,
    a.Ban: ban,
    a.Readmit: readmit,
    a.Bar: follows,
    a.Erase: erase,
    a.Unname: unname,
    a.Announce: follows,
    a.Hold: follows,
    a.Doors: follows,
}
"""The function that carries out each kind of act."""
