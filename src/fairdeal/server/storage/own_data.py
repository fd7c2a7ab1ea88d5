"""Queries for the data of a guest, and its export.

A request that a client sends with an id is stored as `guest:id`, so that spectators' lines are found too. A line
without an id is found by the seat and the name of its player.
"""

from __future__ import annotations

from collections.abc import Iterator
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


def tables_of(connection: sa.Connection, guest: str) -> list[tuple[str, str]]:
    """Return the ids and states of the tables that a guest opened, plays at or has talked at, the oldest first."""
    talked = sa.select(chat.c.table).where(is_by(chat.c.client, guest))
    concerned = sa.or_(tables.c.host == guest, tables.c.id.in_(seated(guest)), tables.c.id.in_(talked))
    query = sa.select(tables.c.id, tables.c.status).where(tables.c.status != CLEARED, concerned)
    return [(table, status) for table, status in connection.execute(query.order_by(tables.c.made))]


# --- the export ---------------------------------------------------------------------------------------------------


def data_of(connection: sa.Connection, guest: str) -> b.OwnData:
    """Return everything that is linked to a guest, and nothing of others."""
    name = connection.execute(sa.select(guests.c.name, guests.c.named).where(guests.c.id == guest)).first()
    banned = connection.execute(sa.select(bans.c.at).where(bans.c.guest == guest)).scalar()
    own = (sa.select(part).where(part.c.guest == guest).order_by(part.c.at) for part in (devices, told))
    shown, sent = (connection.execute(query).all() for query in own)
    found = sa.select(chat.c.table, chat.c.at, chat.c.name, chat.c.text).where(said_by(guest)).order_by(chat.c.id)
    tried = sa.select(tries).where(tries.c.guest == guest).order_by(tries.c.day)
    away = sa.select(vacations.c.since, vacations.c.until).where(vacations.c.guest == guest)
    return b.OwnData(
        guest=guest,
        name=name.name if name else "",
        named=name.named if name else None,
        banned=banned,
        devices=tuple(msgspec.convert(row, b.OwnDevice, from_attributes=True) for row in shown),
        notices=tuple(msgspec.convert(row, b.OwnNotice, from_attributes=True) for row in sent),
        kept=kept_by(connection, guest) is not None,
        acts=tuple(b.OwnAct(asked.at, asked.act.text) for asked in acts_about(connection, guest)),
        tables=tuple(own_tables(connection, guest)),
        lines=tuple(b.OwnLine(*line) for line in connection.execute(found)),
        vacations=tuple((since, until) for since, until in connection.execute(away)),
        tries=tuple(msgspec.convert(row, b.OwnTry, from_attributes=True) for row in connection.execute(tried)),
        evenings=tuple(own_evenings(connection, guest)),
    )


def own_evenings(connection: sa.Connection, guest: str) -> Iterator[b.OwnEvening]:
    at = sa.and_(entrants.c.evening == evenings.c.id, entrants.c.guest == guest)
    query = sa.select(evenings.c.id, evenings.c.host == guest, entrants.c.number, entrants.c.name)
    own = sa.or_(evenings.c.host == guest, entrants.c.guest == guest)
    found = connection.execute(query.select_from(evenings.outerjoin(entrants, at)).where(own).order_by(evenings.c.made))
    return (b.OwnEvening(*row) for row in found)


def own_tables(connection: sa.Connection, guest: str) -> Iterator[b.OwnTable]:
    own = {row.table: row for row in connection.execute(sa.select(seats).where(seats.c.guest == guest))}
    moves: dict[str, list[b.OwnMove]] = {}
    at_own = entries.join(seats, sa.and_(seats.c.table == entries.c.table, seats.c.seat == entries.c.seat))
    sent = sa.select(entries.c.table, entries.c.at, entries.c.text).select_from(at_own)
    sent = sent.where(seats.c.guest == guest, is_by(entries.c.client, guest))
    for table, at, text in connection.execute(sent.order_by(entries.c.table, entries.c.number)):
        moves.setdefault(table, []).append(b.OwnMove(at, text))
    at_seat = sa.and_(seats.c.table == ratings.c.table, seats.c.seat == ratings.c.seat)
    rated = sa.select(ratings).join(seats, at_seat).where(seats.c.guest == guest)
    skills = {row["table"]: {**row} for row in connection.execute(rated).mappings()}
    concerned = tables.c.status != CLEARED, sa.or_(tables.c.host == guest, tables.c.id.in_(seated(guest)))
    for row in connection.execute(sa.select(tables).where(*concerned).order_by(tables.c.made)):
        place, is_host, is_over = own.get(row.id), row.host == guest, row.status == "over"
        yield b.OwnTable(
            id=row.id,
            game=row.game,
            title=row.title,
            status=row.status,
            made=row.made,
            ended=row.moved if is_over else None,
            opened=is_host,
            options=row.options if is_host else {},
            seat=msgspec.convert(place, b.OwnSeat, from_attributes=True) if place else None,
            moves=tuple(moves.get(row.id, ())),
            log=f"/api/tables/{row.id}/log" if is_over else "",
            rated=row.rated,
            rating=skills.get(row.id),
        )
