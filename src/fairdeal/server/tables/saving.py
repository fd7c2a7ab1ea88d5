"""Write tables to the database, and read them from their rows."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import msgspec
import sqlalchemy as sa

from fairdeal.protocol.bodies import Kind
from fairdeal.server.storage.queries import CLEARED, Entry
from fairdeal.server.storage.store import (
    analyses,
    chat,
    devices,
    entries,
    guests,
    invitations,
    put,
    ratings,
    reports,
    seats,
    tables,
    told,
    vacations,
)
from fairdeal.server.storage.words import kept_guests
from fairdeal.server.tables.seats import Place, Seats
from fairdeal.server.tables.terms import Daily, Origin, Terms
from fairdeal.table.log import Failed

COLUMNS = {
    **{fact.name: fact.name for fact in fields(Terms) if fact.name != "name"},
    "title": "name",
}
"""Columns in which the terms of a table are stored."""


def place_rows(table: str, places: Seats) -> list[dict[str, Any]]:
    """Return the rows of a table's seats."""
    return [{"table": table} | vars(place) for place in places]


def terms_in(row: Mapping[str, Any]) -> Terms:
    """Return the terms of a table from its row."""
    facts = {fact: row[column] for column, fact in COLUMNS.items()}
    origin, daily = row["origin"], row["daily"]
    return Terms(**facts | {"origin": Origin(*origin) if origin else None, "daily": Daily(*daily) if daily else None})


def seats_in(row: Mapping[str, Any], seated: Sequence[Mapping[str, Any]]) -> Seats:
    """Return the seats of a table from its row and the rows of the seats."""
    places = [Place(**{fact: value for fact, value in seat.items() if fact != "table"}) for seat in seated]
    return Seats(places, row["attempt"], msgspec.convert(row["failed"] or (), tuple[Failed, ...]))


def attempt_of(places: Seats) -> dict[str, Any]:
    """Return the number of the attempt at the deal, and the failed attempts, as values of a table's row."""
    return {"attempt": places.attempt, "failed": msgspec.to_builtins(places.failed) or None}


def keep_places(connection: sa.Connection, table: str, rows: Sequence[Mapping[str, Any]], **values: Any) -> None:
    """Store the seats of a table, and `values` in the table's own row. If a seat has another guest, its name is no
    longer the one that was reported."""
    found = sa.select(seats.c.seat, seats.c.guest).where(seats.c.table == table)
    sat = {row.seat: row.guest for row in connection.execute(found)}
    if moved := [row["seat"] for row in rows if sat.get(row["seat"]) != row["guest"]]:
        of_name = reports.c.table == table, reports.c.line.is_(None), reports.c.seat.in_(moved)
        connection.execute(reports.delete().where(*of_name))
    connection.execute(seats.delete().where(seats.c.table == table))
    connection.execute(seats.insert(), rows)
    if values:
        keep_values(connection, table, **values)


def keep_values(connection: sa.Connection, table: str, **values: Any) -> None:
    connection.execute(tables.update().where(tables.c.id == table).values(**values))


def insert_table(connection: sa.Connection, terms: Terms, places: Seats, status: str, moved: float) -> None:
    """Store a new table."""
    values = {column: getattr(terms, fact) for column, fact in COLUMNS.items()}
    connection.execute(tables.insert().values(**values, status=status, moved=moved, **attempt_of(places)))
    connection.execute(seats.insert(), place_rows(terms.id, places))


def insert_entries(connection: sa.Connection, table: str, rows: Sequence[Entry]) -> None:
    """Store the entries that a new table begins with."""
    if rows:
        connection.execute(entries.insert(), [{"table": table} | row._asdict() for row in rows])


def keep_notice(connection: sa.Connection, table: str, guest: str | None, moves: int, kind: Kind = "turn") -> None:
    """Store a notice for the devices of a guest, unless it is stored already, and delete those of earlier turns."""
    own, now = (told.c.table == table, told.c.guest == guest), time.time()
    connection.execute(told.delete().where(*own, told.c.moves < moves))
    if not connection.execute(sa.select(told.c.kind).where(*own, told.c.kind == kind)).first():
        values = {"table": table, "guest": guest, "kind": kind, "moves": moves, "at": now, "due": now}
        for device in connection.execute(sa.select(devices.c.id).where(devices.c.guest == guest)).scalars().all():
            connection.execute(told.insert().values(device=device, **values))


def clear_table(connection: sa.Connection, table: str) -> None:
    """Delete everything about a table except the facts of its deal, among them the commitment to its seed."""
    for part in (entries, chat, seats, ratings, analyses, invitations, reports, told):
        connection.execute(part.delete().where(part.c.table == table))
    keep_values(connection, table, status=CLEARED, title="", host="", result=None, origin=None, failed=None, due=None)


def prune(connection: sa.Connection, old: Sequence[str], left: Sequence[str]) -> None:
    """Delete tables, except their commitments, and guests."""
    for table in old:
        clear_table(connection, table)
    for guest in (guests.c.id, devices.c.guest, vacations.c.guest):
        connection.execute(sa.delete(guest.table).where(guest.in_(left)))


def keep_acts(connection: sa.Connection, table: str, number: int, acts: int | None) -> None:
    """Store the set of seats that are to act after the last entry, or after the deal."""
    entry = entries.update().where(entries.c.table == table, entries.c.number == number)
    deal = tables.update().where(tables.c.id == table)
    connection.execute((entry if number else deal).values(acts=acts))


def keep_analysis(connection: sa.Connection, table: str, analysis: bytes) -> None:
    """Store the analysis of a finished game, replacing an older one."""
    put(connection, analyses, table=table, analysis=analysis)


def keep_name(connection: sa.Connection, guest: str, name: str, now: float, most: int) -> None:
    """Store a guest's name. If there are more than `most` names, delete the oldest. Those guests are called Guest until
    they enter a name again. Kept names are not deleted."""
    known = connection.execute(guests.update().where(guests.c.id == guest).values(name=name, named=now))
    if not known.rowcount:
        put(connection, guests, id=guest, name=name, named=now)
        oldest = sa.select(guests.c.named).order_by(guests.c.named.desc()).offset(most).limit(1)
        old = guests.c.named <= oldest.scalar_subquery(), guests.c.id.not_in(kept_guests)
        connection.execute(guests.delete().where(*old))


def keep_line(connection: sa.Connection, line: Mapping[str, Any], most: int) -> None:
    """Store a line of chat. If the table has more than `most` lines, delete the oldest."""
    connection.execute(chat.insert().values(**line))
    of_table = chat.c.table == line["table"]
    oldest = sa.select(chat.c.id).where(of_table).order_by(chat.c.id.desc()).offset(most).limit(1)
    connection.execute(chat.delete().where(of_table, chat.c.id <= oldest.scalar_subquery()))
