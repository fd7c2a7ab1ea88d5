"""The backups that a room makes by itself: copies of its database in a folder, of which it keeps the newest.

A program of its own makes and checks a copy, so that the room can go on meanwhile. The name of a copy tells the room
and the time, and that of an unfinished copy begins with a dot. If several workers share a database, the one that holds
a lock of the database makes the backups until it ends.
"""

import asyncio
import calendar
import contextlib
import logging
import os
import re
import subprocess
import time
from pathlib import Path

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.server.long_work import program
from fairdeal.server.storage.database import discard
from fairdeal.server.storage.store import Store, cause_of

COPIER = "fairdeal.server.storage.copier"

NICENESS = 19
"""Niceness of the copying process; 19 is the lowest priority."""

BETWEEN_LOOKS = 30.0
"""Seconds after which the room looks again whether a backup is due."""

AGAIN = 600.0
"""Seconds after which a backup that failed is tried again."""

STAMP = "%Y%m%dT%H%M%SZ"
"""The form of the time in the name of a backup, in UTC."""

TURN = "SELECT pg_try_advisory_lock(hashtextextended('backups', 0))"
"""Statement that takes the lock of the process that makes the backups. A connection that has the lock gets it again."""

log = logging.getLogger(__name__)


class Backups:
    """The backups of a room in a folder.

    database  the database to copy, as the room was given it
    key       the public key of the room, whose beginning is in the names of its files
    every     seconds from one backup to the next
    keep      the number of backups that are kept
    last      Unix times: `success` of the newest backup in the folder, `failure` of this process's last failed attempt
    """

    def __init__(self, store: Store, database: str, folder: Path, key: str, every: float, keep: int) -> None:
        self.store, self.database, self.folder, self.every, self.keep = store, database, folder, every, keep
        self.name = f"room-{key[:8]}"
        self.last: dict[str, float] = {}
        self.holding: sa.Connection | None = None  # the lock, where there may be other workers

    async def run(self) -> None:
        """Make backups when they are due, until cancelled."""
        try:
            while True:
                is_well = await self.look()
                await asyncio.sleep(BETWEEN_LOOKS if is_well else min(AGAIN, self.every))
        finally:
            if self.holding:
                discard(self.holding)

    async def look(self) -> bool:
        """Make a backup if one is due and no other process makes them. Return False if that failed."""
        try:
            if await asyncio.to_thread(self.is_due) and await asyncio.to_thread(self.is_ours):
                await self.make()
        except Exception as problem:
            self.last["failure"] = time.time()
            expected = isinstance(problem, (FairdealError, OSError, sa.exc.DBAPIError))
            log.error("the backup failed, and older ones are kept: %s", cause_of(problem), exc_info=not expected)
            return False
        return True

    def is_due(self) -> bool:
        """Return whether the newest backup is too old. One from the future, made by a wrong clock, does not count."""
        now = time.time()
        newest = max((at for at in self.files() if at <= now), default=0.0)
        if newest:
            self.last["success"] = newest
        return now - newest >= self.every

    def files(self) -> dict[float, Path]:
        """Return the backups of this room that are in the folder, by time."""
        form = re.compile(rf"{self.name}-(\d{{8}}T\d{{6}}Z)\.db")
        found = {}
        for path in self.folder.iterdir():
            named = form.fullmatch(path.name)
            if named and path.is_file() and not path.is_symlink():
                with contextlib.suppress(ValueError):  # no time
                    found[float(calendar.timegm(time.strptime(named[1], STAMP)))] = path
        return found

    def is_ours(self) -> bool:
        """Return whether this process makes the backups: it is the only one, or it has the lock."""
        if self.store.lease is None:
            return True
        try:
            return self.has_lock()
        except sa.exc.DBAPIError as problem:
            if not problem.connection_invalidated:
                raise
        return self.has_lock()  # over a new connection

    def has_lock(self) -> bool:
        """Return whether this process has the lock, or gets it now."""
        connection, self.holding = self.holding or self.store.engine.connect(), None
        with contextlib.ExitStack() as opened:
            opened.callback(discard, connection)
            if not connection.exec_driver_sql(TURN).scalar():
                return False
            opened.pop_all()
        self.holding = connection
        return True

    async def make(self) -> None:
        """Make a backup, and delete those that are too old. Raises FairdealError or OSError if it cannot be made."""
        began = time.time()
        file = self.folder / f"{self.name}-{time.strftime(STAMP, time.gmtime(began))}.db"
        try:
            await copied(self.database, file)
        finally:
            with contextlib.suppress(OSError):
                self.remove_parts()
        self.last["success"] = began
        size, took = file.stat().st_size, round(time.time() - began, 1)
        log.info("the database was backed up", extra={"file": str(file), "bytes": size, "seconds": took})
        await asyncio.to_thread(self.delete_old, file)

    def remove_parts(self) -> None:
        """Delete what a copying process left that was killed."""
        for part in self.folder.glob(f".{self.name}-????????T??????Z.db.[0-9]*"):
            part.unlink(missing_ok=True)

    def delete_old(self, new: Path) -> None:
        """Delete the oldest backups but for the newest, and never the one that was just made."""
        others = [path for _, path in sorted(self.files().items()) if path != new]
        for path in others[: max(0, len(others) + 1 - self.keep)]:
            try:
                path.unlink()
            except OSError as problem:
                log.warning("an old backup cannot be deleted: %s", problem)


async def copied(database: str, file: Path) -> None:
    """Run the program that copies a database to a new file. Raises FairdealError with the reason if it fails."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    async with program(COPIER, str(file), str(NICENESS), **pipes) as process:
        _, errors = await process.communicate(os.fsencode(database))
    if process.returncode:
        told = errors.decode(errors="replace").strip().splitlines()
        raise FairdealError(told[-1] if told else f"the copying process has ended with {process.returncode}")
