"""Open the room's database: lock it for one process, make it private, check it for damage, and migrate it."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import sys
import threading
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from fairdeal.engine.errors import FairdealError

LONGEST_LOOK = 2.0
"""Maximum duration of the check for damage at the start, in seconds. Parts not checked by then are read only when they
are needed."""

OTHER = "give another --database"
log = logging.getLogger(__name__)

if sys.platform == "win32":
    import msvcrt

    BEYOND = 1 << 20
    """Offset of the locked byte. Locked bytes cannot be read, but the process id at the start of the file must stay
    readable."""

    def is_locked_now(file: int) -> bool:
        os.lseek(file, BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True
else:
    import fcntl

    def is_locked_now(file: int) -> bool:
        """Try to lock a file, and return whether that succeeded. The lock is released when the process ends for any
        reason."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def file_of(url: str) -> Path | None:
    """Return the file of an SQLite URL, or None for a database that is in memory or not SQLite. Raises FairdealError if
    the URL is invalid."""
    try:
        found = sa.make_url(url)
    except sa.exc.ArgumentError:
        raise FairdealError(f"{url} is not a database URL; one looks like sqlite:////home/me/room.db") from None
    inside = found.database or ""
    if found.get_backend_name() != "sqlite" or not inside or inside.startswith((":memory:", "file:")):
        return None
    return Path(inside).resolve()


def claim(path: Path) -> int:
    """Lock a database for this process, using a file next to it, and return the file descriptor of the lock. The file
    remains when the lock is released.

    Raises FairdealError if another process has locked the database, or if the file cannot be created.
    """
    try:
        with contextlib.ExitStack() as opened:
            lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
            opened.callback(os.close, lock)
            if not is_locked_now(lock):
                owner = os.read(lock, 20).decode("ascii", "replace").strip()
                process = f" (process {owner})" if owner else ""
                raise FairdealError(f"another fairdeal{process} has this room open: {path}; close it or {OTHER}")
            os.ftruncate(lock, 0)
            os.write(lock, f"{os.getpid()}\n".encode())
            opened.pop_all()
            return lock
    except OSError as problem:
        raise FairdealError(cannot_write(path, problem)) from None


def make_private(path: Path) -> None:
    """Create the database file if necessary, and make it readable only by its owner, because it contains seeds and the
    key of the cookies. SQLite gives its own files next to it the same permissions. Raises FairdealError if that
    fails."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        for one in (path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal"))):
            if one.exists() and one.stat().st_mode & 0o077:
                one.chmod(0o600)
    except OSError as problem:
        raise FairdealError(cannot_write(path, problem)) from None


def cannot_write(path: Path, problem: OSError) -> str:
    if not path.parent.is_dir():
        return f"cannot open the database {path}: there is no folder {path.parent}; make it or {OTHER}"
    if path.is_dir():
        return f"cannot open the database {path}: it is a folder; name a file in it, such as {path / 'room.db'}"
    return (
        f"cannot write the database {path}: {problem.strerror}; the room must be allowed to write the file and the "
        f"folder it is in, so change their rights or {OTHER}"
    )


def engine_of(url: str) -> sa.Engine:
    try:
        return sa.create_engine(url)
    except (sa.exc.SQLAlchemyError, ImportError) as problem:
        raise FairdealError(f"cannot open the database {url}: {problem}") from None


def bring_up(engine: sa.Engine, where: Path | str) -> None:
    """Check a database and migrate it to the newest schema. Damage that affects only some tables is logged. Raises
    FairdealError with the problem and a remedy."""
    try:
        if engine.dialect.name == "sqlite":
            warn(look_over(engine), where)
        migrate(engine, where)
    except sa.exc.DatabaseError as problem:
        raise FairdealError(cannot_use(where, str(problem.orig))) from None


def cannot_use(where: Path | str, reason: str) -> str:
    if "not a database" in reason:
        return f"{where} is not an SQLite database; {OTHER}, or move this file away"
    if "malformed" in reason:
        return (
            f"the database {where} is damaged and cannot be opened: {reason}; restore a copy of it, or recover "
            f"what is left with: sqlite3 {where} .recover"
        )
    return f"cannot use the database {where}: {reason}; unlock the file or free space on its disk, or {OTHER}"


def look_over(engine: sa.Engine) -> list[str]:
    """Return the damage that SQLite finds in the pages of the file within LONGEST_LOOK seconds (0.2 s for 100 MB)."""
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        bound = threading.Timer(LONGEST_LOOK, driver.interrupt)
        bound.start()
        try:
            found = connection.exec_driver_sql("PRAGMA quick_check(3)").scalars().all()
        except sa.exc.DatabaseError as problem:
            return [] if "interrupted" in str(problem.orig) else [str(problem.orig)]
        finally:
            bound.cancel()
            bound.join()
    return [line for line in found if line != "ok"]


def warn(damage: list[str], where: Path | str) -> None:
    if damage:
        log.warning(
            "the database %s is damaged: %s. The room opens anyway, and reports tables that cannot be read. Make a "
            "copy of the file; then restore an older one, or recover what is left with: sqlite3 %s .recover",
            where,
            "; ".join(" ".join(damage).splitlines()[:3]),
            where,
        )


def migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


@functools.cache
def newest() -> str | None:
    """Return the revision of the newest schema."""
    return ScriptDirectory.from_config(migrations()).get_current_head()


def migrate(engine: sa.Engine, where: Path | str) -> None:
    """Migrate the database to the newest schema. Raises FairdealError if it belongs to another program, or to a newer
    version."""
    with engine.begin() as connection:
        names = sa.inspect(connection).get_table_names()
        if names and "alembic_version" not in names:
            raise FairdealError(f"{where} is a database, but not a room's: it contains {names[0]}; {OTHER}")
        schema = "SELECT version_num FROM alembic_version"
        if names and connection.exec_driver_sql(schema).scalars().all() == [newest()]:
            return
        config = migrations()
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError:
            raise FairdealError(f"{where} was written by a newer fairdeal; install that, or {OTHER}") from None
