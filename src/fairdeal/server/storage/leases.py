"""The tables of each worker, where several share a PostgreSQL database.

Every table has one owner at a time. Its row in `leases` names the owner and the epoch, which is the number of owners so
far. A worker has a row in `workers` that tells until when its own lease lasts, by the clock of the database.

- A transaction that writes to a table first locks the row of its worker. So a worker is removed only between its
  transactions, and one that was removed writes nothing.
- A worker is removed only after its lease has ended, or after its process has ended on the same machine. It answers
  from memory only while its lease lasts, by its own clock and counted from before it asked for the lease.
- A living worker gives a table up by itself when another worker asks for it.
"""

import contextlib
import logging
import os
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from fairdeal.engine.files import is_locked_now

LASTS = 3.0
"""Seconds for which a lease lasts."""

RENEWED = 1.0
"""Seconds after which it is renewed."""

MARGIN = 0.5
"""Seconds by which a worker's own clock ends it earlier."""

HELD = 3.0
"""Seconds for which a worker keeps a new table before it gives it up, so that requests that reach two workers in turns
do not move a table all the time."""

NOW = "extract(epoch from clock_timestamp())"

LOCK = "SELECT id FROM workers WHERE id = %s FOR UPDATE"
INSERT = f"""WITH worker AS MATERIALIZED ({LOCK})
INSERT INTO entries SELECT entry.* FROM worker, json_populate_recordset(NULL::entries, %s) AS entry"""
"""Statements in the form of psycopg, which repeats them faster than SQLAlchemy's own."""

log = logging.getLogger(__name__)


def clock() -> float:
    """Return the time of a monotonic clock that goes on while the machine sleeps, if there is one."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)  # time.monotonic() stops there
    return time.monotonic()


class Owned(NamedTuple):
    """The epoch in which a table is owned, and the time since when."""

    epoch: int
    since: float


class Owner(NamedTuple):
    """The worker that owns a table, and the epoch. The address is that of another worker, and empty for this one."""

    worker: str
    epoch: int
    address: str = ""


class Lease:
    """The lease of this process, which a thread renews until `close`, and the tables that it owns.

    address  the address of this worker, for others
    guests   returns the number of guests who are connected; called from any thread
    news     called, from any thread, if `wanted`, `is_lost` or `has_left` has changed
    """

    def __init__(self, engine: sa.Engine, address: str) -> None:
        self.engine, self.address = engine, address
        self.owned: dict[str, Owned] = {}
        self.here: dict[str, int] = {}  # seats with a guest, as a bit set, of tables for which that has changed
        self.others: dict[str, int] = {}  # numbers of the guests of other workers
        self.wanted: set[str] = set()
        self.is_lost = self.has_left = self.is_over = False
        self.guests: Callable[[], int] = lambda: 0
        self.news: Callable[[], object] = lambda: None
        self.until = 0.0
        self.lock = threading.Lock()
        self.begin()
        self.closing = threading.Event()
        self.thread = threading.Thread(target=self.run, name="lease", daemon=True)
        self.thread.start()

    def begin(self) -> None:
        """Start as a new worker, which owns nothing."""
        self.id, asked = uuid.uuid4().hex, clock()
        self.file = os.open(lock_of(self.id), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        is_locked_now(self.file)
        add = f"INSERT INTO workers (id, address, expires, guests) VALUES (:id, :address, {NOW} + {LASTS}, 0)"
        with self.engine.connect() as connection:
            connection.execute(sa.text(add), {"id": self.id, "address": self.address})
        self.until = asked + LASTS - MARGIN

    # --- in time --------------------------------------------------------------------------------------------

    def run(self) -> None:
        while not self.closing.wait(RENEWED):
            try:
                self.renew()
            except sa.exc.DBAPIError as problem:
                log.warning("the lease of this worker is not renewed: %s", problem.orig)
            except Exception:
                log.exception("the lease of this worker is not renewed")

    @property
    def lasts(self) -> bool:
        """Whether no other worker can own the tables of this one."""
        return clock() < self.until

    def renew(self) -> None:
        """Renew the lease, or begin a new one if this worker was removed; then all its tables are lost. Remove other
        workers that have ended. Raises DBAPIError if the database cannot be used."""
        with self.lock:
            if self.is_over:
                return
            asked = clock()
            with self.engine.connect() as connection:
                renewal = f"UPDATE workers SET expires = {NOW} + {LASTS}, guests = :guests WHERE id = :id"
                if connection.execute(sa.text(renewal), {"id": self.id, "guests": self.guests()}).rowcount:
                    self.until = asked + LASTS - MARGIN
                else:
                    log.warning("this worker was not heard of for %s s; others may have taken its tables", LASTS)
                    self.leave()
                    self.begin()
                    self.is_lost = True
                found = connection.execute(sa.text("SELECT id, guests FROM workers WHERE id <> :id"), {"id": self.id})
                others: dict[str, int] = {row.id: row.guests for row in found}
                for worker in others:
                    remove_if_ended(connection, worker)
                self.has_left |= not self.others.keys() <= others.keys()
                self.others = others
                self.tell_presence(connection)
                wanted = sa.text('SELECT "table" FROM leases WHERE worker = :id AND wanted')
                self.wanted = set(connection.execute(wanted, {"id": self.id}).scalars())
        if self.is_lost or self.has_left or self.wanted:
            self.news()

    def tell_presence(self, connection: sa.Connection) -> None:
        told = [self.here.popitem() for _ in range(len(self.here))]
        if told:
            rows = [{"id": self.id, "table": table, "here": here} for table, here in told]
            here = sa.text('UPDATE leases SET here = :here WHERE "table" = :table AND worker = :id')
            connection.execute(here, rows)

    def leave(self) -> None:
        self.owned.clear()
        self.until = 0.0
        os.close(self.file)
        lock_of(self.id).unlink(missing_ok=True)

    def close(self) -> None:
        """End the lease for good, so that other workers can take the tables over at once."""
        self.closing.set()
        self.thread.join()
        with self.lock:
            if self.is_over:
                return
            self.is_over = True
            with contextlib.suppress(sa.exc.DBAPIError), self.engine.connect() as connection:
                connection.execute(sa.text("DELETE FROM workers WHERE id = :id"), {"id": self.id})
            self.leave()

    # --- tables ---------------------------------------------------------------------------------------------

    def epoch_of(self, table: str) -> int | None:
        """Return the epoch in which this worker owns a table, or None."""
        found = self.owned.get(table)
        return found and found.epoch

    def lock_row(self, connection: sa.Connection, worker: str) -> None:
        """Lock a worker's row until the end of the transaction. Raises Removed if it has none."""
        if connection.exec_driver_sql(LOCK, (worker,)).first() is None:
            raise Removed

    def insert(self, connection: sa.Connection, worker: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Lock a worker's row, as `lock_row` does, and insert entries. This is one statement with one value for all
        rows, because each statement and value costs more than PostgreSQL needs to read JSON."""
        given = msgspec.json.encode(rows).decode()
        if connection.exec_driver_sql(INSERT, (worker, given)).rowcount < len(rows):
            raise Removed

    def claim(self, connection: sa.Connection, table: str, asks: bool) -> Owner | None:
        """Take a table if no living worker owns it. Otherwise, ask its owner to give it up if `asks` is true. Return
        the owner, to be noted after the commit, or None if there is no such table."""
        facts: dict[str, Any] = {"table": table, "id": self.id}

        def ask(statement: str) -> Any:
            return connection.execute(sa.text(statement), facts)

        add = 'INSERT INTO leases ("table", epoch, wanted, here) SELECT id, 0, false, 0 FROM tables WHERE id = :table'
        ask(f"{add} ON CONFLICT DO NOTHING")
        found = ask('SELECT worker, epoch FROM leases WHERE "table" = :table FOR UPDATE').first()
        if found is None:
            return None
        facts |= {"owner": found.worker, "epoch": found.epoch + 1}
        if found.worker and found.worker != self.id:
            remove_if_ended(connection, found.worker)
            address = ask("SELECT address FROM workers WHERE id = :owner").scalar()
            if address is not None:
                if asks:
                    ask('UPDATE leases SET wanted = true WHERE "table" = :table')
                return Owner(found.worker, found.epoch, address)
        own = "worker = :id, epoch = :epoch, wanted = false, here = 0"
        ask(f'UPDATE leases SET {own} WHERE "table" = :table')
        self.lock_row(connection, facts["id"])
        return Owner(facts["id"], facts["epoch"])

    def note(self, table: str, owner: Owner) -> bool:
        """Note the owner of a table. Return whether it is this worker, which may have been removed after the claim."""
        with self.lock:
            if owner.worker == self.id:
                self.owned[table] = Owned(owner.epoch, clock())
            return owner.worker == self.id

    def is_new(self, table: str) -> bool:
        """Return whether a table may not be given up yet."""
        found = self.owned.get(table)
        return found is not None and clock() < found.since + HELD

    def release(self, connection: sa.Connection, table: str) -> None:
        """Give up a table that this worker no longer owns in memory."""
        given = 'UPDATE leases SET worker = NULL, wanted = false, here = 0 WHERE "table" = :table AND worker = :id'
        connection.execute(sa.text(given), {"table": table, "id": self.id})


class Removed(Exception):
    """Raised within a transaction of a worker that was removed."""


def lock_of(worker: str) -> Path:
    """Return the file that a worker holds locked, from which others on this machine see that it has ended."""
    return Path(tempfile.gettempdir(), f"fairdeal-{worker}.lock")


def has_ended(worker: str) -> bool:
    """Return whether the process of a worker was on this machine and has ended."""
    try:
        file = os.open(lock_of(worker), os.O_RDWR)
    except OSError:
        return False
    try:
        return is_locked_now(file)
    finally:
        os.close(file)


def remove_if_ended(connection: sa.Connection, worker: str) -> None:
    """Remove a worker if its lease or its process has ended, unless it is just writing."""
    ended = has_ended(worker)
    why = "" if ended else f"AND expires < {NOW} "
    row = f"SELECT id FROM workers WHERE id = :id {why}FOR UPDATE SKIP LOCKED"
    removed = connection.execute(sa.text(f"DELETE FROM workers WHERE id IN ({row})"), {"id": worker})
    if removed.rowcount:
        log.warning("worker %s has ended", worker)
        if ended:
            with contextlib.suppress(OSError):  # another worker may have it open on Windows
                lock_of(worker).unlink()
