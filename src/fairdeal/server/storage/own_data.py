"""Queries for the data of a guest, and its export.

A request that a client sends with an id is stored as `guest:id`, so that spectators' lines are found too. A line
without an id is found by the seat and the name of its player.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from fairdeal.protocol import bodies as b
from fairdeal.server.storage.acts import acts_about
from fairdeal.server.storage.queries import CLEARED
from fairdeal.server.storage.store import (
    bans,
    chat,
    devices,
    entrants,
    entries,
    evenings,
    guests,
    metadata,
    player_name,
    ratings,
    seats,
    tables,
    told,
    tries,
    vacations,
)
from fairdeal.server.storage.words import kept_by

COLUMNS = [
    column
    for table in metadata.sorted_tables
    for column in table.c
    if column.name in ("guest", "host") or column is guests.c.id
]
"""All columns with the ids of guests. Requests in `entries.client` and `chat.client` begin with one, too, and some acts
are about a guest."""

OWN = [column for column in COLUMNS if column.primary_key]
"""Those of them whose rows are only about a guest."""


def is_by(client: sa.Column[Any], guest: str) -> sa.ColumnElement[bool]:
    """Return the condition that a request was sent by a guest."""
    return sa.func.substr(client, 1, len(guest) + 1) == f"{guest}:"


def said_by(guest: str) -> sa.ColumnElement[bool]:
    """Return the condition that a line of chat was said by a guest."""
    same = seats.c.table == chat.c.table, seats.c.seat == chat.c.seat, player_name == chat.c.name
    at_seat = sa.exists().where(*same, seats.c.guest == guest)
    return sa.or_(is_by(chat.c.client, guest), sa.and_(chat.c.client == "", at_seat))


def seated(guest: str) -> sa.Select[tuple[str]]:
    """Return the query for the ids of the tables at which a guest has a seat."""
    return sa.select(seats.c.table).where(seats.c.guest == guest)


def evenings_for(guest: str) -> sa.Select[Any]:
    """Return the query for evenings, with the names of their hosts, and the number and the name of a guest there."""
    own = sa.and_(entrants.c.evening == evenings.c.id, entrants.c.guest == guest)
    joined = evenings.outerjoin(guests, guests.c.id == evenings.c.host).outerjoin(entrants, own)
    return sa.select(evenings, guests.c.name.label("by"), entrants.c.number, entrants.c.name).select_from(joined)


def tables_of(connection: sa.Connection, guest: str) -> list[tuple[str, str]]:
    """Return the ids and states of the tables that a guest opened, plays at or has talked at, the oldest first."""
    talked = sa.select(chat.c.table).where(is_by(chat.c.client, guest))
    concerned = sa.or_(tables.c.host == guest, tables.c.id.in_(seated(guest)), tables.c.id.in_(talked))
    query = sa.select(tables.c.id, tables.c.status).where(tables.c.status != CLEARED, concerned)
    return [(table, status) for table, status in connection.execute(query.order_by(tables.c.made))]


# --- the export ---------------------------------------------------------------------------------------------------


def data_of(connection: sa.Connection, guest: str) -> b.OwnData:
    """Return everything that is linked to a guest, and nothing of others."""

    def own(part: sa.Table, order: str) -> Sequence[sa.Row[Any]]:
        return connection.execute(sa.select(part).where(part.c.guest == guest).order_by(order)).all()

    name = connection.execute(sa.select(guests).where(guests.c.id == guest)).first()
    is_host = evenings.c.host == guest
    known = evenings_for(guest).add_columns(is_host.label("opened")).where(is_host | (entrants.c.guest == guest))
    said = sa.select(chat).where(said_by(guest)).order_by(chat.c.id)
    found = {
        "guest": guest,
        "name": name.name if name else "",
        "named": name.named if name else None,
        "banned": next((ban.at for ban in own(bans, "at")), None),
        "devices": own(devices, "at"),
        "notices": own(told, "at"),
        "kept": kept_by(connection, guest) is not None,
        "acts": [{"at": asked.at, "text": asked.act.text} for asked in acts_about(connection, guest)],
        "tables": [*own_tables(connection, guest)],
        "lines": connection.execute(said).all(),
        "vacations": [(one.since, one.until) for one in own(vacations, "since")],
        "tries": own(tries, "day"),
        "evenings": connection.execute(known.order_by(evenings.c.made)).all(),
    }
    return msgspec.convert(found, b.OwnData, from_attributes=True)


def own_tables(connection: sa.Connection, guest: str) -> Iterator[dict[str, Any]]:
    def at_seat(part: sa.Table) -> sa.Select[Any]:
        same = sa.and_(seats.c.table == part.c.table, seats.c.seat == part.c.seat)
        return sa.select(part).join(seats, same).where(seats.c.guest == guest)

    places = {row.table: row for row in connection.execute(sa.select(seats).where(seats.c.guest == guest))}
    rated = {row.table: values_in(row) for row in connection.execute(at_seat(ratings))}
    moves = defaultdict(list)
    for move in connection.execute(at_seat(entries).where(is_by(entries.c.client, guest)).order_by(entries.c.number)):
        moves[move.table].append(move)
    concerned = tables.c.status != CLEARED, sa.or_(tables.c.host == guest, tables.c.id.in_(seated(guest)))
    for row in connection.execute(sa.select(tables).where(*concerned).order_by(tables.c.made)):
        is_host, is_over = row.host == guest, row.status == "over"
        yield {
            **values_in(row),
            "ended": row.moved if is_over else None,
            "opened": is_host,
            "options": row.options if is_host else {},
            "seat": places.get(row.id),
            "moves": moves[row.id],
            "log": f"/api/tables/{row.id}/log" if is_over else "",
            "rating": rated.get(row.id),
        }


def values_in(row: sa.Row[Any]) -> dict[str, Any]:
    """Return the values of a row by the names of their columns, which SQLAlchemy keeps in a class of its own."""
    return {str(name): value for name, value in row._mapping.items()}
