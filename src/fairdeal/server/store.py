"""What is kept: tables, seats, the moves of each, chat and guests, in a database through SQLAlchemy Core.

One thread writes. It takes all that waits and commits it together, so that a hundred tables cost one write to the
disk; whoever asked is answered after the commit, never before.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

T = TypeVar("T")

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("host", sa.String, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("clock", sa.Integer, nullable=False),  # seconds a move, 0 for none
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("status", sa.String, nullable=False),  # open, running, over
    sa.Column("result", sa.JSON),
    sa.Column("rematch", sa.String),
    sa.Column("origin", sa.JSON),  # of a table played on from another: its id and the move
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("moved", sa.Float, nullable=False),
    sa.Index("tables_by_status", "status", "listed", "moved"),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("plays", sa.String, nullable=False),  # person, or a bot's name: as in the log
    sa.Column("guest", sa.String),  # who sits there; none at a bot's seat and at a free one
    sa.Column("nonce", sa.String, nullable=False),
    sa.Column("stand_in", sa.Boolean, nullable=False),  # a bot plays until the guest is back
    sa.Index("seats_by_guest", "guest"),
)

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("table", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("text", sa.String, nullable=False),  # a move in notation, or `undo`
    sa.Column("client", sa.String, nullable=False),  # the id that the mover gave it, to know it again
    sa.Column("at", sa.Float, nullable=False),
)

chat = sa.Table(
    "chat",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table", sa.ForeignKey("tables.id"), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("text", sa.String, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)

guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("name", sa.String, nullable=False),
)

webhooks = sa.Table(
    "webhooks",
    metadata,
    sa.Column("guest", sa.String, primary_key=True),
    sa.Column("address", sa.String, nullable=False),
    sa.Column("room", sa.String, nullable=False),  # the room's own address, as this guest knows it
)

secrets = sa.Table(
    "secrets", metadata, sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.LargeBinary)
)

MOST_TOGETHER = 512
"""Pieces of work in one commit, at most."""

Work = Callable[[sa.Connection], Any]


class Waiting(NamedTuple):
    """Work for the writing thread, or an entry for it to add, and who waits for it."""

    work: Work | dict[str, Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


Answer = tuple[Waiting, Any, BaseException | None]


class Store:
    """A database. `write` and `read` take a function of a connection; both are awaited."""

    def __init__(self, url: str) -> None:
        self.engine = sa.create_engine(url)
        if self.engine.dialect.name == "sqlite":
            sa.event.listen(self.engine, "connect", set_pragmas)
        migrate(self.engine)
        self.insert = entries.insert().compile(self.engine)  # once: it is most of what an insertion costs
        self.gathered: list[Waiting] = []
        self.waiting: queue.SimpleQueue[list[Waiting] | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self.run, name="store", daemon=True)
        self.thread.start()

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Do something and commit it; the result, when it is on the disk."""
        found: T = await self.ask(work)
        return found

    async def append(self, **entry: Any) -> None:
        """Add an entry to a table's log. Raises sqlalchemy.exc.IntegrityError if its number is taken."""
        await self.ask(entry)

    def ask(self, work: Work | dict[str, Any]) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        piece = Waiting(work, loop.create_future(), loop)
        if not self.gathered:
            loop.call_soon(self.hand_over)
        self.gathered.append(piece)
        return piece.future

    def hand_over(self) -> None:
        """Give the writing thread what one round of the event loop has gathered, and wake it once."""
        self.waiting.put(self.gathered)
        self.gathered = []

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Look something up, in a thread of its own."""
        return await asyncio.to_thread(self.look, work)

    def look(self, work: Callable[[sa.Connection], T]) -> T:
        with self.engine.connect() as connection:
            return work(connection)

    def close(self) -> None:
        self.waiting.put(None)
        self.thread.join()
        self.engine.dispose()

    # --- the writing thread ---------------------------------------------------------------------------------

    def run(self) -> None:
        with self.engine.connect() as connection:
            while True:
                together = self.next_together()
                if together:
                    self.commit(connection, together)
                else:
                    return

    def next_together(self) -> list[Waiting]:
        """The next pieces of work: the first that come and all that wait behind them; none at the end."""
        together: list[Waiting] = []
        pieces = self.waiting.get()
        while pieces is not None:
            together += pieces
            if self.waiting.empty() or len(together) >= MOST_TOGETHER:
                return together
            pieces = self.waiting.get()
        if together:
            self.waiting.put(None)
        return together

    def commit(self, connection: sa.Connection, together: Sequence[Waiting]) -> None:
        """One transaction for all; if a piece fails, each alone, so that the others are not lost with it."""
        try:
            answers = self.transaction(connection, together)
        except Exception:
            answers = []
            for piece in together:
                try:
                    answers += self.transaction(connection, [piece])
                except Exception as problem:
                    answers.append((piece, None, problem))
        by_loop: dict[asyncio.AbstractEventLoop, list[Answer]] = {}
        for found in answers:
            by_loop.setdefault(found[0].loop, []).append(found)
        for loop, of_loop in by_loop.items():
            loop.call_soon_threadsafe(answer, of_loop)

    def transaction(self, connection: sa.Connection, together: Sequence[Waiting]) -> list[Answer]:
        """Do and commit; rows for one table go in together."""
        rows = [piece.work for piece in together if isinstance(piece.work, dict)]
        with connection.begin():
            if rows:
                order = self.insert.positiontup
                ordered = [tuple(row[name] for name in order) for row in rows] if order else rows
                connection.exec_driver_sql(str(self.insert), ordered)
            return [
                (piece, None if isinstance(piece.work, dict) else piece.work(connection), None) for piece in together
            ]


def answer(answers: Sequence[Answer]) -> None:
    for piece, value, problem in answers:
        if piece.future.cancelled():
            continue
        if problem:
            piece.future.set_exception(problem)
        else:
            piece.future.set_result(value)


def set_pragmas(connection: Any, _: Any) -> None:
    """Write-ahead log, and every commit on the disk before it is answered."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA busy_timeout=10000")


def migrate(engine: sa.Engine) -> None:
    """Bring the database up to the newest schema."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
