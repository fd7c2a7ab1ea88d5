"""A guest becomes another one, whose name is kept under words that they know, and may bring along what they have.

Everything that is linked to the former guest is then linked to the kept one. Names stay as they are, in the logs that
are signed with them, in titles and beside lines. Cookies of the former guest become invalid.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.server.api.clearing import at_all_tables, take_out
from fairdeal.server.api.keeper import look
from fairdeal.server.api.opening import form_rematch
from fairdeal.server.room import Room
from fairdeal.server.storage.acts import unlink
from fairdeal.server.storage.own_data import COLUMNS, is_by, seated
from fairdeal.server.storage.queries import unfinished
from fairdeal.server.storage.ratings import rate
from fairdeal.server.storage.store import chat, entrants, entries, kept, put, tables, tries
from fairdeal.server.storage.words import kept_under
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.saving import keep_places, place_rows


async def become(room: Room, own: str, words: str, brings: bool) -> Any:
    """Return the row of the guest who keeps a name under words. If `brings` is true, link everything of the guest `own`
    to them. Raises FairdealError if there is no such guest, or if both have seats at an unfinished table."""
    found = await room.store.read(partial(kept_under, words=words))
    if found.guest != own:
        if brings:
            await merge(room, own, found.guest)
        room.hang_up({own})
    return found


async def merge(room: Room, old: str, new: str) -> None:
    """Link everything of a guest to another one. Raises NotSaved if that fails; it can then be repeated."""
    await room.store.read(lambda c: check_seats(c, old, new))
    await at_all_tables(room, old, lambda live: hand_on(room, live, old, new))
    await room.store.write(lambda c: relink(c, old, new))
    await look(room)


def check_seats(connection: sa.Connection, *guests: str) -> None:
    """Raise FairdealError if two guests have seats at the same unfinished table."""
    both = [tables.c.id.in_(seated(guest)) for guest in guests]
    title = connection.execute(sa.select(tables.c.title).where(unfinished, *both).limit(1)).scalar()
    if title is not None:
        raise FairdealError(
            f"both guests have seats at “{title}”; finish that game first, or leave the table if it has not begun"
        )


async def hand_on(room: Room, live: LiveTable, old: str, new: str) -> None:
    """Link what a guest has at a table to another one. At a finished game that both have played, the former guest's
    seat is linked to nobody."""
    async with live.changing():
        seats = live.seats
        is_left = seats.of(old) >= 0 and seats.of(new) >= 0
        if is_left:
            await room.store.read(lambda c: check_seats(c, old, new))  # who may have sat down just now
        for place in seats:
            if place.guest == old:
                place.guest, place.ready = (None, None) if is_left else (new, place.ready)
                live.audience.away(place.seat)
        terms = replace(live.terms, host=new) if live.terms.host == old else live.terms
        rows = place_rows(live.id, seats)

        def keep(connection: sa.Connection) -> None:
            keep_places(connection, live.id, rows, host=terms.host)
            for part in (entries, chat):
                client = new + sa.func.substr(part.c.client, len(old) + 1)
                own = part.c.table == live.id, is_by(part.c.client, old)
                connection.execute(part.update().where(*own).values(client=client))

        await room.store.write(keep, live.tenure)
        live.terms = terms
        for client, number in live.clients.pop(old, {}).items():
            live.remember(new + client.removeprefix(old), number)
        await live.read_score()
        for guest in (old, new):  # a seat gets other entries than a spectator
            live.audience.hang_up(guest)
        live.audience.reseat()
        live.note_here()
        live.look_at_presence()
        await form_rematch(room, live)
    if {(live.id, old), (live.id, new)} & room.house.excluded:
        await take_out(room, live, new)


def relink(connection: sa.Connection, old: str, new: str) -> None:
    """Link to another guest what is linked to a guest outside of tables, and make the guest's cookies invalid. If both
    have played a deal of the day, the other guest's try counts."""
    epoch = connection.execute(sa.select(kept.c.epoch).where(kept.c.guest == old)).scalar() or 0
    played = sa.select(tries.c.deal).where(tries.c.guest == new, tries.c.counted)
    connection.execute(tries.update().where(tries.c.guest == old, tries.c.deal.in_(played)).values(counted=False))
    both = sa.select(entrants.c.evening).where(entrants.c.guest == new)
    own = entrants.c.guest == old, entrants.c.evening.in_(both)
    connection.execute(entrants.update().where(*own).values(guest=None, left=True))
    for column in COLUMNS:
        other = column.table.alias()
        if column.primary_key:  # what the other guest has remains
            keys = [key for key in column.table.primary_key if key is not column]
            has = sa.exists().where(other.c[column.name] == new, *(other.c[key.name] == key for key in keys))
            connection.execute(column.table.delete().where(column == old, has))
        connection.execute(column.table.update().where(column == old).values({column: new}))
    unlink(connection, old, new)
    rate_again(connection, new)
    put(connection, kept, guest=old, epoch=epoch + 1)


def rate_again(connection: sa.Connection, guest: str) -> None:
    """Rate the games of each kind again from the first rated one of a guest on."""
    own = tables.c.id.in_(seated(guest)), tables.c.rated, tables.c.status == "over"
    first = sa.select(tables.c.game, sa.func.min(tables.c.moved)).where(*own).group_by(tables.c.game)
    for game, since in connection.execute(first).all():
        rate(connection, game, since)
