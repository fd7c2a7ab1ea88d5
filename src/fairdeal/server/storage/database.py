"""Open the room's database, SQLite or PostgreSQL: lock an SQLite file for one process, make it private, check and
migrate it."""

import contextlib
import functools
import logging
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from fairdeal.engine.errors import SECRET, FairdealError, missing
from fairdeal.engine.files import is_locked_now

LONGEST_LOOK = 2.0
"""Maximum duration of the check for damage at the start, in seconds. Parts not checked by then are read only when they
are needed."""

OTHER = "name another database"
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
EXAMPLE = "one looks like postgresql://me:password@host/room"
OWN_PATH = "the path of a file may begin with ./"
NO_URL = f"this is not a database URL; in a password, write : / ? # @ % & as %3A %2F %3F %23 %40 %25 %26; {EXAMPLE}"
"""The message about a URL that cannot be read. It does not quote the URL, because any part may be of a password."""

URL = re.compile(
    r"[^:/]+://([^:/@]*(:[^@]*)?@)?(\[[\w:.%]*\]|[^\[\]:/?@]*)(:\d*)?(/[^?@]*)?(\?[^@]*)?", re.DOTALL | re.ASCII
)
"""A URL whose parts are unambiguous: only the end of the password is an @. SQLAlchemy takes a password for a host or a
database instead."""

OF_A_PLACE = ("host", "hostaddr", "port", "user", "dbname")
"""Options of a URL that say where a database is."""

LOCKED = "55P03"
"""The SQLSTATE of PostgreSQL when another connection keeps a lock for too long."""

SCHEMA = "alembic_version"
"""The table with the revision of the schema."""

MIGRATION = 0x66616972
"""Number of the advisory lock under which a PostgreSQL database is migrated."""

LONGEST_IDLE = 1.5
"""Seconds after which PostgreSQL ends a connection that stops within a transaction, because the locks of a worker that
hangs would keep others from taking over its tables."""

TOO_LONG = 15
"""Seconds after which a connection to PostgreSQL is closed if its other end is not reached."""

WATCHED = {"connect_timeout": "5", "tcp_user_timeout": f"{1000 * TOO_LONG}", "application_name": "fairdeal"} | {
    "keepalives_idle": f"{TOO_LONG // 3}",
    "keepalives_interval": f"{TOO_LONG // 3}",
    "keepalives_count": "2",
}
KEEPALIVES = " ".join(f"-c tcp_{name}={value}" for name, value in WATCHED.items() if name.startswith("keepalives"))
log = logging.getLogger(__name__)


def is_url(database: str) -> bool:
    """Return whether a database is given as a URL. Everything else is the path of an SQLite file, even `C://room.db`
    and `./postgresql://room`."""
    return re.match(r"[a-z][a-z\d+.-]+://", database, re.IGNORECASE) is not None


def file_named(text: str | Path) -> Path:
    """Return the absolute path of the file that a text names, regardless of its characters. Raises FairdealError if it
    can only be the name of a folder, or no name at all."""
    check_names_file(text)
    try:
        path = Path(text).resolve()
    except (OSError, RuntimeError, ValueError) as problem:  # links in a circle, or a null character
        raise FairdealError(f"{text!s} cannot be the name of a file: {problem}; {OTHER}") from None
    if str(text).endswith(("/", os.sep)):
        raise FairdealError(f"{text!s} names a folder; name a file in it, such as {path / 'room.db'}")
    return path


def check_names_file(text: str | Path) -> None:
    """Raise FairdealError, without quoting the text, if it could be a URL with a password instead of the path of a
    file."""
    if SECRET.search(str(text)) and re.match(r"(?![a-z]:[/\\])[^/\\]*:", str(text), re.IGNORECASE):
        raise FairdealError(f"this names no file, but could be a URL with a password; {EXAMPLE}, and {OWN_PATH}")


def address_of(database: str) -> sa.URL:
    """Return the address of a database, given as a URL or as the path of an SQLite file. Raises FairdealError if the
    URL is invalid or names neither SQLite nor PostgreSQL."""
    if not is_url(database):
        return sa.URL.create("sqlite", database=str(file_named(database)))
    try:
        found = sa.make_url(database)
    except (sa.exc.ArgumentError, ValueError):
        raise FairdealError(NO_URL) from None
    if not URL.fullmatch(database):
        raise FairdealError(NO_URL)
    backend = found.get_backend_name()
    if backend not in DRIVERS or (backend == "sqlite" and (found.host or found.username)):
        raise FairdealError(f"{shown(found)} is a URL of neither SQLite nor PostgreSQL; {EXAMPLE}, and {OWN_PATH}")
    return found


def shown(address: sa.URL) -> str:
    """Return a URL without its password, and without options that do not say where the database is."""
    return str(address.set(query={name: value for name, value in address.query.items() if name in OF_A_PLACE}))


def file_of(address: sa.URL) -> Path | None:
    """Return the file of an SQLite database, or None for a database that is in memory or not SQLite."""
    inside = address.database or ""
    if address.get_backend_name() != "sqlite" or not inside or inside.startswith((":memory:", "file:")):
        return None
    return Path(inside).resolve()


def identity(where: Path | str) -> tuple[int, int] | None:
    """Return the device and the number of an SQLite file, or None if it is missing or the database is not a file."""
    if isinstance(where, str):
        return None
    try:
        found = where.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


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
                raise FairdealError(f"another fairdeal{process} has this room open: {path}; stop it or {OTHER}")
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
        return f"cannot open the database {path}: there is no folder {path.parent}; create it or {OTHER}"
    if path.is_dir():
        return f"cannot open the database {path}: it is a folder; name a file in it, such as {path / 'room.db'}"
    return (
        f"cannot write the database {path}: {problem.strerror}; the room must be allowed to write the file and the "
        f"folder it is in, so change their rights or {OTHER}"
    )


def engine_of(address: sa.URL, patience: float) -> sa.Engine:
    """Return an engine whose connections sync to disk at every commit, and wait at most `patience` seconds for another
    program's write. Its errors do not contain the values of a statement, because they are logged. A connection to
    PostgreSQL whose other end cannot be reached is closed after TOO_LONG, by both ends."""
    address = address.set(drivername=DRIVERS[address.get_backend_name()])
    if address.drivername == "sqlite":
        engine = sa.create_engine(address, hide_parameters=True)
        sa.event.listen(engine, "connect", lambda connection, _: set_pragmas(connection, patience))
        return engine
    check_options(address)
    given = WATCHED | dict(address.query)
    settings = f"-c synchronous_commit=on -c lock_timeout={round(1000 * patience)} {KEEPALIVES}"
    given["options"] = f"{given.get('options', '')} {settings}"
    return sa.create_engine(address.set(query=given), isolation_level="AUTOCOMMIT", hide_parameters=True)


def check_options(address: sa.URL) -> None:
    """Raise FairdealError if a URL has an option that PostgreSQL does not know. This may be the end of a password, so
    it is not quoted."""
    try:
        from psycopg import pq
    except ImportError:
        raise missing("PostgreSQL needs psycopg", "postgres") from None
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    for number, name in enumerate(address.query, start=1):
        if name not in known:
            raise FairdealError(
                f"PostgreSQL does not know option {number} behind the ? of the database URL; write an & in a password "
                "as %26, or correct the option"
            )


def set_pragmas(connection: Any, patience: float) -> None:
    """Set up a connection with a write-ahead log and a sync to disk at every commit. The connection is closed if this
    fails."""
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute(f"PRAGMA busy_timeout={round(1000 * patience)}")
    except BaseException:
        connection.close()  # SQLAlchemy closes it only since 2.1
        raise


def transactional(engine: sa.Engine) -> sa.Connection:
    """Return a new connection whose statements form transactions."""
    connection = engine.connect()
    if engine.dialect.name == "postgresql":
        connection.execution_options(isolation_level="READ COMMITTED")
    return connection


def writer(engine: sa.Engine) -> sa.Connection:
    """Return a new connection for short transactions. PostgreSQL ends it if it pauses within one."""
    connection = transactional(engine)
    if engine.dialect.name == "postgresql":
        with contextlib.ExitStack() as opened:
            opened.callback(discard, connection)
            connection.exec_driver_sql(f"SET idle_in_transaction_session_timeout = {round(1000 * LONGEST_IDLE)}")
            connection.commit()
            opened.pop_all()
    return connection


def discard(connection: sa.Connection) -> None:
    """Close a connection, regardless of its state, instead of returning it to the pool."""
    connection.invalidate()
    connection.close()


@contextlib.contextmanager
def opened(database: str, patience: float, locks: bool = False) -> Iterator[tuple[sa.Engine, Path | str]]:
    """Return the engine of a database, and its name for messages. If `locks` is true, create an SQLite file if
    necessary, and lock it for this process. Raises FairdealError, with the problem and a remedy, if the database cannot
    be used, also within the context."""
    address = address_of(database)
    path = file_of(address)
    where = path or shown(address)
    with contextlib.ExitStack() as stack:
        if path and locks:
            stack.callback(os.close, claim(path))
            make_private(path)
        engine = engine_of(address, patience)
        stack.callback(engine.dispose)
        try:
            yield engine, where
        except sa.exc.DatabaseError as problem:
            raise FairdealError(cannot_use(where, problem)) from None


def bring_up(engine: sa.Engine, where: Path | str, schema: sa.MetaData) -> None:
    """Check a database, and migrate it to the newest schema, which is `schema`. Damage that affects only some tables is
    logged. Raises FairdealError if it cannot be used."""
    if engine.dialect.name == "sqlite":
        warn(look_over(engine), where)
    connection = transactional(engine)
    try:
        if engine.dialect.name == "postgresql":
            check_settings(connection, where)
        migrate(connection, where, schema)
    finally:
        discard(connection)


def check_settings(connection: sa.Connection, where: Path | str) -> None:
    """Raise FairdealError if a PostgreSQL database cannot store all letters, and log if its server does not sync."""
    settings = "SELECT current_setting('server_encoding'), current_setting('fsync')"
    encoding, fsync = connection.exec_driver_sql(settings).one()
    connection.commit()
    if encoding != "UTF8":
        raise FairdealError(f"{where} cannot store all letters: its encoding is {encoding}, not UTF8; {OTHER}")
    if fsync == "off":
        log.warning("the server of %s has fsync=off: acknowledged moves are lost if its machine fails", where)


def cannot_use(where: Path | str, problem: sa.exc.DatabaseError) -> str:
    reason = str(problem.orig).partition("\n")[0]
    if getattr(problem.orig, "sqlstate", None) == LOCKED:
        return f"another fairdeal is migrating {where}; wait until it has done so, or {OTHER}"
    if isinstance(where, str):
        return f"cannot use the database {where}: {reason}; start its server, correct the URL, or {OTHER}"
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


MIGRATIONS = Path(__file__).parent / "migrations"
"""The folder of the migrations. Alembic, which carries them out, is imported only for a database with an older schema,
because that takes a sixth of a start."""


@functools.cache
def newest() -> str:
    """Return the revision of the newest schema, with which the name of its file begins."""
    return max(path.name for path in (MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]


def tables_of(connection: sa.Connection) -> tuple[list[str], bool]:
    """Return the names of the tables of a database, and whether it has the newest schema."""
    names = sa.inspect(connection).get_table_names()
    schema = f"SELECT version_num FROM {SCHEMA}"
    return names, SCHEMA in names and connection.exec_driver_sql(schema).scalars().all() == [newest()]


def check_schema(connection: sa.Connection, where: Path | str) -> None:
    """Raise FairdealError if a database does not have the newest schema."""
    names, is_newest = tables_of(connection)
    if SCHEMA not in names:
        raise FairdealError(f"{where} is not the database of a room; {OTHER}")
    if not is_newest:
        raise FairdealError(f"{where} was written by another version of fairdeal; open it with `fairdeal serve` first")


def migrate(connection: sa.Connection, where: Path | str, schema: sa.MetaData) -> None:
    """Migrate the database to the newest schema, or create that in an empty one. Raises FairdealError if it belongs to
    another program, or to a newer version."""
    with connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION)))
        names, is_newest = tables_of(connection)
        if names and SCHEMA not in names:
            raise FairdealError(f"{where} is a database, but not a room's: it contains {names[0]}; {OTHER}")
        if is_newest:
            return
        if not names:
            create(connection, schema)
            return
        from alembic import command
        from alembic.config import Config
        from alembic.util import CommandError

        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))  # % would stand for a setting
        try:
            command.upgrade(config, "head")
        except CommandError:
            raise FairdealError(f"{where} was written by a newer fairdeal; install that, or {OTHER}") from None


def create(connection: sa.Connection, schema: sa.MetaData) -> None:
    """Create the tables of the newest schema, and record its revision."""
    schema.create_all(connection)
    number = sa.Column("version_num", sa.String(32), nullable=False)
    revision = sa.Table(SCHEMA, sa.MetaData(), number, sa.PrimaryKeyConstraint(number, name=f"{SCHEMA}_pkc"))
    revision.create(connection)
    connection.execute(revision.insert().values(version_num=newest()))
