"""What the room looks up in its database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from fairdeal.server.store import chat, entries, seats, tables

MOST_MINE, MOST_OPEN = 30, 40
"""Tables in a lobby: your own, and those that are open."""


class Kept(NamedTuple):
    """All that is kept of a table, in rows; of an entry its number, seat, text and client."""

    table: Any
    seats: Sequence[Any]
    entries: Sequence[tuple[int, int, str, str]]
    chat: Sequence[Any]


def kept_table(connection: sa.Connection, table: str) -> Kept | None:
    """A table with its seats, moves and talk, if there is one of this id."""
    row = connection.execute(sa.select(tables).where(tables.c.id == table)).mappings().first()
    if row is None:
        return None
    ordered = sa.select(seats).where(seats.c.table == table).order_by(seats.c.seat)
    played = sa.select(entries.c.number, entries.c.seat, entries.c.text, entries.c.client)
    said = sa.select(chat).where(chat.c.table == table).order_by(chat.c.id)
    moves = connection.execute(played.where(entries.c.table == table).order_by(entries.c.number))
    return Kept(
        row,
        connection.execute(ordered).mappings().all(),
        [(number, seat, text, client) for number, seat, text, client in moves],
        connection.execute(said).mappings().all(),
    )


def running_tables(connection: sa.Connection) -> list[str]:
    return list(connection.execute(sa.select(tables.c.id).where(tables.c.status == "running")).scalars())


def count_unfinished(connection: sa.Connection, guest: str) -> int:
    """How many tables that a guest opened or sits at are not over."""
    query = (
        sa.select(sa.func.count(sa.distinct(tables.c.id)))
        .select_from(tables.outerjoin(seats))
        .where(tables.c.status != "over", sa.or_(tables.c.host == guest, seats.c.guest == guest))
    )
    return connection.execute(query).scalar() or 0


def mine_and_open(connection: sa.Connection, guest: str) -> tuple[list[str], list[str]]:
    """The guest's own tables and the open ones, newest first."""
    order = tables.c.moved.desc()
    mine = (
        sa.select(tables.c.id)
        .distinct()
        .select_from(tables.outerjoin(seats))
        .where(sa.or_(tables.c.host == guest, seats.c.guest == guest))
        .add_columns(tables.c.moved)
        .order_by(order)
        .limit(MOST_MINE)
    )
    free = sa.select(tables.c.id).where(tables.c.listed, tables.c.status != "over").order_by(order).limit(MOST_OPEN)
    return [row[0] for row in connection.execute(mine)], [row[0] for row in connection.execute(free)]
