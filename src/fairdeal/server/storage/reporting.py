"""Reports of guests to the keeper: a line of chat, or the name at a seat. The room does not store who reported it."""

import time
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.server.storage.store import chat, player_name, reports, seats, tables

MOST_REPORTS = 20
"""Maximum number of reports of one table."""


def report(connection: sa.Connection, table: str, seat: int, at: float | None) -> None:
    """Report the line that a seat wrote at a time, or without a time the name of the seat. Something that is reported
    again is stored once. Raises FairdealError if there is no such line or name, or if the table has many reports."""
    line = None
    if at is not None:
        written = sa.select(chat.c.id).where(chat.c.table == table, chat.c.seat == seat, chat.c.at == at)
        line = connection.execute(written.limit(1)).scalar()
    named = sa.select(seats.c.seat).where(seats.c.table == table, seats.c.seat == seat, seats.c.guest.is_not(None))
    if line is None and (at is not None or connection.execute(named).first() is None):
        raise FairdealError("there is no such line" if at is not None else f"no guest has seat {seat}")
    known = sa.select(reports.c.seat, reports.c.line).where(reports.c.table == table)
    found = [tuple(row) for row in connection.execute(known)]
    if len(found) >= MOST_REPORTS:
        raise FairdealError("this table has been reported already")
    if (seat, line) not in found:
        connection.execute(reports.insert().values(table=table, seat=seat, line=line, at=time.time()))


def all_reports(connection: sa.Connection, most: int) -> Sequence[Any]:
    """Return the newest reports of lines and names that are still there, at most `most`: the table with its title, the
    seat with its guest and name, and the line with its text. `of` is the number of all such reports."""
    query = (
        sa.select(
            *(reports.c.id, reports.c.at, reports.c.table, tables.c.title, reports.c.seat, reports.c.line),
            sa.func.coalesce(chat.c.name, player_name, "").label("name"),
            *(chat.c.text, seats.c.guest, sa.func.count().over().label("of")),
        )
        .join(tables, tables.c.id == reports.c.table)
        .outerjoin(chat, chat.c.id == reports.c.line)
        .outerjoin(seats, sa.and_(seats.c.table == reports.c.table, seats.c.seat == reports.c.seat))
    )
    is_there = sa.or_(chat.c.id.is_not(None), sa.and_(reports.c.line.is_(None), seats.c.guest.is_not(None)))
    return connection.execute(query.where(is_there).order_by(reports.c.id.desc()).limit(most)).all()
