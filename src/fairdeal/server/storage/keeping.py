"""Read, copy and change the database of a room from another process, for the keeper of the room."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import sync_folder
from fairdeal.server.storage import database
from fairdeal.server.storage.leases import remove_if_ended
from fairdeal.server.storage.queries import CLEARED
from fairdeal.server.storage.store import (
    PATIENCE,
    bans,
    chat,
    entries,
    guests,
    leases,
    metadata,
    player_name,
    seats,
    tables,
    workers,
)
from fairdeal.server.storage.words import kept_guests

ROWS = 1000
"""Number of rows that are copied at a time."""

COPIED = [table for table in metadata.sorted_tables if table not in (workers, leases)]
"""The tables of the database that outlast the processes of a room."""

ENDINGS = "", "-wal", "-shm", "-journal", ".lock"
"""Ends of the names of an SQLite file and of what lies beside it while it is written."""


def check_exists(given: str) -> None:
    """Raise FairdealError if a database is an SQLite file that does not exist."""
    path = database.file_of(database.address_of(given))
    if path and not path.exists():
        raise FairdealError(f"there is no database {path}; {database.OTHER}")


@contextlib.contextmanager
def reading(given: str, writes: bool = False) -> Iterator[sa.Connection]:
    """Open one consistent state of a database for reading, even while a room has it open. If `writes` is true, open a
    transaction that may also write rows that rooms only read. Raises FairdealError if the database is missing, or has
    the schema of another version."""
    check_exists(given)
    with database.opened(given, PATIENCE) as (engine, where), engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=not writes)
        with connection.begin():
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")  # or queries read different states
            database.check_schema(connection, where)
            yield connection


@contextlib.contextmanager
def writing(given: str) -> Iterator[sa.Connection]:
    """Open a database for one transaction, after creating or migrating it if necessary, and keep rooms from opening it
    meanwhile. Raises FairdealError if a room has it open."""
    with database.opened(given, PATIENCE, locks=True) as (engine, where):
        database.bring_up(engine, where, metadata)
        with database.transactional(engine) as connection, connection.begin():
            if engine.dialect.name == "postgresql":
                refuse_workers(connection, where)
            yield connection


def refuse_workers(connection: sa.Connection, where: Path | str) -> None:
    """Keep new workers from starting until the end of the transaction. Raises FairdealError if there are others."""
    connection.exec_driver_sql("LOCK TABLE workers IN SHARE ROW EXCLUSIVE MODE")
    query = sa.select(workers.c.id)
    for worker in connection.execute(query).scalars().all():
        remove_if_ended(connection, worker)
    if connection.execute(query).first():
        raise FairdealError(f"another fairdeal has this room open: {where}; stop it or {database.OTHER}")


# --- copies -------------------------------------------------------------------------------------------------


class Content(NamedTuple):
    """The number of rows of a table, and the sum of their hashes in this process, which has no order."""

    rows: int = 0
    hashes: int = 0

    def plus(self, rows: Sequence[Sequence[Any]]) -> Content:
        return Content(self.rows + len(rows), self.hashes + sum(hash(repr(tuple(row))) for row in rows))


def copy(source: str, target: str) -> int:
    """Copy everything in a database to another one, which must be empty, in one transaction of each. Return the number
    of rows."""
    with reading(source) as old, writing(target) as new:
        return sum(copied.rows for copied in copy_all(old, new).values())


def copy_all(old: sa.Connection, new: sa.Connection) -> dict[str, Content]:
    """Copy all tables of a database to another one, which must be empty. Return what was copied, by table."""
    for table in COPIED:
        if new.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first():
            raise FairdealError(
                f"the database to write to is not empty: it contains {table.name}; name one that no room has opened"
            )
    copied = {table.name: copy_table(old, new, table) for table in COPIED}
    if new.dialect.name == "postgresql":
        for numbered in (table for table in COPIED if table.autoincrement_column is not None):
            following = f"setval(pg_get_serial_sequence('{numbered.name}', 'id'), coalesce(max(id), 0) + 1, false)"
            new.exec_driver_sql(f"SELECT {following} FROM {numbered.name}")
    return copied


def copy_table(old: sa.Connection, new: sa.Connection, table: sa.Table) -> Content:
    copied = Content()
    for rows in partitions(old, table):
        new.execute(table.insert(), [dict(row._mapping) for row in rows])
        copied = copied.plus(rows)
    return copied


def partitions(connection: sa.Connection, table: sa.Table) -> Iterator[Sequence[sa.Row[Any]]]:
    """Yield the rows of a table, ROWS at a time."""
    return connection.execution_options(yield_per=ROWS).execute(sa.select(table)).partitions()


def back_up(source: str, file: Path) -> int:
    """Copy a database to a new SQLite file, which only its owner can read, and check the copy. The file appears when it
    is complete. Return the number of rows. `file` is an absolute path. Raises FairdealError, and leaves no file, if
    that fails."""
    if file.exists():
        raise FairdealError(f"{file} exists already; name a new file")
    part = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        part.touch(0o600)
        with reading(source) as old, writing(str(part)) as new:
            copied = copy_all(old, new)
        make_single(part)
        check_copy(part, copied)
        with part.open("r+b") as written:
            os.fsync(written.fileno())  # which Windows refuses for a file that is only read
        part.rename(file)
        sync_folder(file.parent)
    except OSError as problem:
        raise FairdealError(f"cannot write {file}: {problem.strerror}") from None
    finally:
        for ending in ENDINGS:
            part.with_name(part.name + ending).unlink(missing_ok=True)
    return sum(content.rows for content in copied.values())


def make_single(file: Path) -> None:
    """Write what lies in the files beside an SQLite database to its own file. Raises FairdealError if there is no
    space; SQLite alone does not tell when it closes a database."""
    with database.opened(str(file), PATIENCE) as (engine, _), engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode=DELETE")


def check_copy(file: Path, copied: Mapping[str, Content]) -> None:
    """Check the pages, the references and every value of a copy, reading its file alone. Raises FairdealError with the
    first difference."""
    alone = f"{file.as_uri()}?mode=ro&immutable=1"
    engine = sa.create_engine("sqlite://", creator=lambda: sqlite3.connect(alone, uri=True), poolclass=sa.NullPool)
    try:
        with engine.connect() as connection:
            wrong = damage_of(connection)
            for table in COPIED:
                found = Content()
                for rows in partitions(connection, table):
                    found = found.plus(rows)
                if found != copied[table.name]:
                    wrong.append(f"the table {table.name} differs, with {found.rows} of {copied[table.name].rows} rows")
    except sa.exc.DatabaseError as problem:
        wrong = [str(problem.orig)]
    if wrong:
        raise FairdealError(f"the copy is not what was read: {wrong[0]}; check the disk of {file.parent}")


def damage_of(connection: sa.Connection) -> list[str]:
    """Return what is wrong with the pages of an SQLite file, and with the references between its rows."""
    pages = connection.exec_driver_sql("PRAGMA integrity_check").scalars()
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check")
    return [f"database file: {line}" for line in pages if line != "ok"] + [
        f"{row[0]}: row {row[1]} refers to a missing row of {row[2]}" for row in broken
    ]


# --- lists, and ages ----------------------------------------------------------------------------------------

moves = sa.select(sa.func.count()).where(entries.c.table == tables.c.id).scalar_subquery()
of_table = sa.select(entries.c.at).where(entries.c.table == tables.c.id)
last_move = of_table.order_by(entries.c.number.desc()).limit(1).scalar_subquery()
last_line = sa.select(sa.func.max(chat.c.at)).where(chat.c.table == tables.c.id).scalar_subquery()


def all_tables(connection: sa.Connection, most: int | None = None) -> Sequence[Any]:
    """Return the facts of all tables that were not cleared, the newest first, or of `most` of them."""
    at = sa.func.coalesce(last_move, tables.c.moved).label("at")
    newest = sa.select(tables.c.id, at).where(tables.c.status != CLEARED).order_by(sa.desc("at"), tables.c.id)
    found = newest.limit(most).subquery()
    facts = tables.c.id, tables.c.game, tables.c.title, tables.c.status, moves.label("moves"), found.c.at
    query = sa.select(*facts).join(found, found.c.id == tables.c.id)
    return connection.execute(query.order_by(found.c.at.desc(), tables.c.id)).all()


there = sa.select(seats.c.guest.label("guest"), seats.c.table.label("table")).where(seats.c.guest.is_not(None))
hosted = sa.select(tables.c.host, tables.c.id).where(tables.c.status != CLEARED)
concerned = there.union(hosted).subquery()
"""The guests of each table that was not cleared: those with seats, and its host."""


known_guests = sa.select(guests.c.id).union(sa.select(bans.c.guest)).subquery()
"""The guests with names or bans."""


def all_guests(connection: sa.Connection, most: int | None = None) -> Sequence[Any]:
    """Return the id, name and number of tables of all guests with names or bans, the newest first, or of `most` of
    them."""
    at = sa.func.coalesce(guests.c.named, bans.c.at)
    return listed(connection, known_guests, sa.func.coalesce(guests.c.name, ""), at, most)


def guests_of(connection: sa.Connection, table: str) -> Sequence[Any]:
    """Return the same facts for the guests of a table, with their names at this table. Raises FairdealError if there is
    no such table."""
    made = connection.execute(sa.select(tables.c.made).where(tables.c.id == table)).scalar()
    if made is None:
        raise FairdealError(f"there is no table {table!r}; `fairdeal room tables` lists all tables")
    those = sa.select(concerned.c.guest.label("id")).where(concerned.c.table == table).subquery()
    here = sa.select(player_name).where(seats.c.table == table, seats.c.guest == those.c.id).limit(1)
    name = sa.func.coalesce(here.scalar_subquery(), guests.c.name, "")
    return listed(connection, those, name, sa.func.coalesce(guests.c.named, bans.c.at, made))


def listed(
    connection: sa.Connection,
    those: sa.Subquery,
    name: sa.ColumnElement[str],
    at: sa.ColumnElement[float],
    most: int | None = None,
) -> Sequence[Any]:
    """Return the id, name and number of tables of guests, and whether they are banned, sorted by time, or of the first
    `most` of them."""
    there = those.outerjoin(guests, guests.c.id == those.c.id).outerjoin(bans, bans.c.guest == those.c.id)
    facts = those.c.id, name.label("name"), at.label("at"), bans.c.guest.is_not(None).label("banned")
    found = sa.select(*facts).select_from(there).order_by(at.desc(), those.c.id).limit(most).subquery()
    of_guest = sa.select(sa.func.count()).where(concerned.c.guest == found.c.id).scalar_subquery()
    query = sa.select(found.c.id, found.c.name, of_guest.label("tables"), found.c.at, found.c.banned)
    return connection.execute(query.order_by(found.c.at.desc(), found.c.id)).all()


def lines_of(connection: sa.Connection, table: str) -> Sequence[Any]:
    """Return the lines of a table's chat, in order."""
    query = sa.select(chat.c.id, chat.c.at, chat.c.seat, chat.c.name, chat.c.text).where(chat.c.table == table)
    return connection.execute(query.order_by(chat.c.id)).all()


def last_lines(connection: sa.Connection, of: Sequence[str], most: int) -> Mapping[str, Sequence[Any]]:
    """Return the last lines of the chats of tables, at most `most` of each, in order. `before` is the number of the
    lines before the first one of a table."""
    number = sa.func.row_number().over(partition_by=chat.c.table, order_by=chat.c.id.desc())
    before = sa.func.count().over(partition_by=chat.c.table) - most
    query = sa.select(chat.c.table, chat.c.id, chat.c.name, chat.c.text, before.label("before"), number.label("number"))
    numbered = query.where(chat.c.table.in_(of)).subquery()
    found: dict[str, list[Any]] = {}
    for row in connection.execute(sa.select(numbered).where(numbered.c.number <= most).order_by(numbered.c.id)):
        found.setdefault(row.table, []).append(row)
    return found


def old_tables(since: float, *statuses: str) -> sa.Select[Any]:
    """Return the query for the tables with these statuses and without a move or a chat line since a time, the oldest
    first. While a clock in days runs, a table is not old."""
    is_old = (
        tables.c.due.is_(None),
        tables.c.moved < since,
        *(sa.func.coalesce(at, 0) < since for at in (last_move, last_line)),
    )
    return sa.select(tables.c.id).where(tables.c.status.in_(statuses), *is_old).order_by(tables.c.moved)


def older_than(connection: sa.Connection, days: float, *statuses: str) -> tuple[list[str], list[str]]:
    """Return the tables with these statuses and without a move or a chat line for this number of days, and the guests
    without other tables who gave their names earlier than that and do not keep them."""
    since = time.time() - days * 86_400
    old = old_tables(since, *statuses)
    elsewhere = sa.select(concerned.c.guest).where(concerned.c.table.not_in(old))
    early = sa.select(guests.c.id).where(guests.c.named < since)
    gone = early.where(guests.c.id.not_in(kept_guests), guests.c.id.not_in(elsewhere))
    return [*connection.execute(old).scalars()], [*connection.execute(gone).scalars()]
