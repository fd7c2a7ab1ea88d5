"""The room's storage: tables, seats, moves, chat and guests, in a database through SQLAlchemy Core.

A single thread writes to the database. It commits all waiting tasks in one transaction, so that a hundred tables need
only one write to disk. Callers get their results after the commit. If the database cannot be written because the disk
is full, another program has locked it or its server cannot be reached, the transaction is rolled back, and callers get
`NotSaved`. The thread continues.

After a failed save, the room counts as unable to save until a proof succeeds: a save of every kind, which the thread
repeats until then. The success of a different save does not change that, because a full disk may have space for a small
save, and a lock may affect a single table.
"""

import asyncio
import contextlib
import logging
import queue
import secrets as random
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from fairdeal.engine.errors import FairdealError
from fairdeal.server.meter import Meter
from fairdeal.server.storage import database
from fairdeal.server.storage.leases import Lease, Removed, clock

log = logging.getLogger(__name__)

T = TypeVar("T")

metadata = sa.MetaData()


def key(name: str, *kind: Any, **more: Any) -> sa.Column[Any]:
    """Return a column of the primary key."""
    return sa.Column(name, *kind, primary_key=True, **more)


def required(name: str, *kind: Any, **more: Any) -> sa.Column[Any]:
    """Return a column that is never NULL."""
    return sa.Column(name, *kind, nullable=False, **more)


tables = sa.Table(
    "tables",
    metadata,
    key("id", sa.String),
    required("game", sa.String),
    required("rules_version", sa.Integer),
    required("options", sa.JSON),
    required("title", sa.String),
    required("host", sa.String),
    required("listed", sa.Boolean),
    required("clock", sa.Integer),  # seconds per move, 0 for no limit
    required("seed", sa.LargeBinary),
    required("status", sa.String),  # open, running, over or cleared
    sa.Column("result", sa.JSON),
    sa.Column("places", sa.JSON(none_as_null=True)),  # by seat, 1 is best
    sa.Column("rematch", sa.String),
    sa.Column("origin", sa.JSON),  # of a table played on from another: `terms.Origin`
    sa.Column("daily", sa.JSON(none_as_null=True)),  # the deal of a day that is played here: `terms.Daily`
    sa.Column("evening", sa.String),  # to which the table belongs
    required("format", sa.Integer, server_default="1"),  # of the log
    required("attempt", sa.Integer, server_default="1"),  # number of times that nonces were asked for
    sa.Column("failed", sa.JSON(none_as_null=True)),  # attempts that failed: `table.log.Failed`
    required("waits", sa.Boolean, server_default="1"),  # whether the deal waits for missing nonces
    required("calm", sa.Boolean, server_default="0"),  # whether races are calm in any case
    required("rated", sa.Boolean, server_default="0"),  # whether the result counts for ratings: see `ratings`
    required("made", sa.Float),
    required("moved", sa.Float),
    sa.Column("acts", sa.Integer),  # after the deal, as in an entry
    sa.Column("rest", sa.JSON(none_as_null=True)),  # time left on the clocks at the last pause: `pace.Rest`
    sa.Column("due", sa.Float, index=True),  # Unix time of the next reminder or end of a turn: `live.next_due`
    sa.Index("tables_by_status", "status", "listed", "moved"),
    sa.Index("tables_by_seed", "seed"),
)

seats = sa.Table(
    "seats",
    metadata,
    key("table", sa.ForeignKey("tables.id")),
    key("seat", sa.Integer),
    required("name", sa.String),
    required("plays", sa.String),  # person, or a bot's name: as in the log
    sa.Column("guest", sa.String),  # the seated guest; none for a bot's seat or a free one
    required("nonce", sa.String),
    sa.Column("hash", sa.String),  # commitment to the nonce; "" if none was given, NULL while it is asked for
    required("withheld", sa.Boolean, server_default="0"),
    required("stand_in", sa.Boolean),  # a bot plays until the guest is back
    required("calm", sa.Boolean, server_default="0"),  # the guest wishes for calm races
    sa.Column("ready", sa.String),  # commitment to a nonce for a rematch; NULL until the guest asks for one
    required("successor", sa.String, server_default=""),  # name of a guest who has taken the seat over
    sa.Index("seats_by_guest", "guest"),
)

player_name = sa.case((seats.c.successor != "", seats.c.successor), else_=seats.c.name)
"""The name of the player who plays at a seat now."""

entries = sa.Table(
    "entries",
    metadata,
    key("table", sa.ForeignKey("tables.id")),
    key("number", sa.Integer),
    required("seat", sa.Integer),
    required("text", sa.String),  # a move in notation, or `undo` or `undo N`
    required("client", sa.String),  # the client's id of the request, which makes retries safe
    required("by", sa.String, server_default=""),  # the author, if not the seat's own player
    required("at", sa.Float),
    sa.Column("acts", sa.Integer),  # bit set of the seats that may act next; none if the game's own clock runs
    sa.Column("actions", sa.String),  # the move's action ids, such as `12,7`; none for an undo
    sa.Column("hidden", sa.String),  # numbers of hidden entries so far by seat, such as `0,2`, and + if it is one
)

INSERT = str(entries.insert())
"""The statement that adds entries in SQLite. Compiling it is most of the cost of an insert."""

chat = sa.Table(
    "chat",
    metadata,
    key("id", sa.Integer),
    required("table", sa.ForeignKey("tables.id"), index=True),
    required("seat", sa.Integer),
    required("name", sa.String),
    required("text", sa.String),
    required("at", sa.Float),
    required("client", sa.String, server_default=""),  # as in an entry
)

ratings = sa.Table(  # the seats of finished rated games: see `ratings`
    "ratings",
    metadata,
    key("table", sa.ForeignKey("tables.id")),
    key("seat", sa.Integer),
    required("place", sa.Integer),  # as it counts
    required("games", sa.Integer),  # number of rated games of this kind that the player had finished before
    required("old_mu", sa.Float),
    required("old_sigma", sa.Float),
    required("mu", sa.Float),
    required("sigma", sa.Float),
)

analyses = sa.Table(
    "analyses",
    metadata,
    key("table", sa.ForeignKey("tables.id")),
    required("analysis", sa.LargeBinary),  # JSON of `table.analysis.Analysis`
)

guests = sa.Table(
    "guests",
    metadata,
    key("id", sa.String),
    required("name", sa.String),
    required("named", sa.Float, server_default="0", index=True),  # time at which they last gave a name
)

bans = sa.Table(
    "bans",
    metadata,
    key("guest", sa.String),
    required("at", sa.Float),
)

acts = sa.Table(  # of the keeper: see `keeper.acts`
    "acts",
    metadata,
    key("id", sa.Integer),
    required("kind", sa.String),
    required("about", sa.JSON),  # fields of the act
    required("by", sa.String),  # how the keeper asked for it
    required("at", sa.Float),
    sa.Column("taken", sa.Float),  # when a process of the room began to carry it out
    sa.Column("done", sa.Float),  # when it was carried out or failed
    required("problem", sa.String, server_default=""),  # why it failed
    sa.Index("acts_by_done", "done"),
)

reports = sa.Table(  # what guests have reported to the keeper; who did is not stored
    "reports",
    metadata,
    key("id", sa.Integer),
    required("table", sa.ForeignKey("tables.id"), index=True),
    required("seat", sa.Integer),  # whose name, or who said the line
    sa.Column("line", sa.Integer),  # in `chat`; none if the name was reported
    required("at", sa.Float),
)

links = sa.Table(  # see `links`
    "links",
    metadata,
    key("hash", sa.String),  # of the secret in a link, or of a session that one began
    required("kind", sa.String),
    required("until", sa.Float),
)

invited = sa.Table(  # guests who have opened an invitation to the room
    "invited",
    metadata,
    key("guest", sa.String),
)

vacations = sa.Table(  # during which the clocks in days of a guest stand still
    "vacations",
    metadata,
    key("guest", sa.String),
    key("since", sa.Float),
    required("until", sa.Float),
)

kept = sa.Table(  # see `words`
    "kept",
    metadata,
    key("guest", sa.String),
    sa.Column("hash", sa.String, unique=True),  # of the words; none if the name is not kept
    sa.Column("skeleton", sa.String, index=True),  # of the kept name, as `table.names.looks` has it
    sa.Column("other_skeleton", sa.String, index=True),
    required("epoch", sa.Integer, index=True, default=0),  # number of times that cookies were made invalid
)

devices = sa.Table(  # browsers that show notices of turns, and web addresses: see `extras.notices`
    "devices",
    metadata,
    key("guest", sa.String),
    key("id", sa.String),  # hash of the address of a browser; "" for a web address
    required("endpoint", sa.String),  # the address, which is a secret
    sa.Column("room", sa.String),  # the room's address as the guest of a web address knows it
    sa.Column("key", sa.String),  # the keys of a browser
    sa.Column("auth", sa.String),
    sa.Column("silent", sa.JSON(none_as_null=True)),  # hours in which it shows nothing: `bodies.Silent`
    required("at", sa.Float),
)

told = sa.Table(  # the last notice of each kind: see `extras.notices`
    "told",
    metadata,
    key("table", sa.ForeignKey("tables.id")),
    key("guest", sa.String),
    key("kind", sa.String),
    key("device", sa.String),
    required("moves", sa.Integer),  # made before the turn that it is about
    required("at", sa.Float),
    sa.Column("due", sa.Float, index=True),  # when it is to be sent; none if it is done with
)

secrets = sa.Table("secrets", metadata, key("name", sa.String), sa.Column("value", sa.LargeBinary))

workers = sa.Table(  # see `leases`
    "workers",
    metadata,
    key("id", sa.String),
    required("address", sa.String),
    required("expires", sa.Float),  # Unix time by the clock of the database
    required("guests", sa.Integer),
)

leases = sa.Table(
    "leases",
    metadata,
    key("table", sa.ForeignKey("tables.id")),
    required("epoch", sa.Integer),
    sa.Column("worker", sa.String, index=True),  # the owner; none if it was given up
    required("wanted", sa.Boolean),  # by another worker
    required("here", sa.Integer),  # bit set of the seats with a guest who is connected
)

invitations = sa.Table(
    "invitations",
    metadata,
    key("code", sa.String),
    required("table", sa.ForeignKey("tables.id")),
    required("until", sa.Float),
)

days = sa.Table(  # the deals of the day whose lists of numbers are closed: see `api.daily`
    "days",
    metadata,
    key("number", sa.Integer, autoincrement=False),
    required("closes", sa.Float),
    sa.Column("best", sa.JSON(none_as_null=True)),  # the game of the strongest opponent: `api.daily.play_best`
)

COUNTED = sa.text("counted")

tries = sa.Table(  # at deals of the day
    "tries",
    metadata,
    key("table", sa.ForeignKey("tables.id")),
    required("deal", sa.Integer),
    sa.Column("guest", sa.String, index=True),  # none after a guest has deleted their data
    required("counted", sa.Boolean),
    required("day", sa.Integer),  # on which it was begun, which is that of the deal or the next one
    required("hash", sa.String),  # commitment to a number for a later deal; "" if none was given
    required("nonce", sa.String),  # that number; "" until it is shown
    sa.Index("tries_counted", "deal", "guest", unique=True, sqlite_where=COUNTED, postgresql_where=COUNTED),
)

evenings = sa.Table(  # see `api.evening`
    "evenings",
    metadata,
    key("id", sa.String),
    required("host", sa.String),
    required("game", sa.String),
    required("options", sa.JSON),
    required("rounds", sa.Integer),  # 0 for a round robin
    required("clock", sa.Integer),  # as in `tables`
    required("state", sa.String),  # open, running, paused or over
    required("played", sa.JSON),  # the games so far: table, round, and numbers of the players
    required("made", sa.Float),
)

entrants = sa.Table(  # the players of evenings
    "entrants",
    metadata,
    key("evening", sa.ForeignKey("evenings.id")),
    key("number", sa.Integer),  # in the order of entry, from 1 on
    sa.Column("guest", sa.String, index=True),  # none for an opponent, or after a guest has deleted their data
    required("name", sa.String),
    required("plays", sa.String),  # as in `seats`
    required("left", sa.Boolean),  # an opponent plays on
)

MOST_TOGETHER = 512
"""Maximum number of write tasks in one commit."""

LONGEST_CLAIM, BETWEEN_CLAIMS = 6.0, 0.1
"""Seconds for which a request waits for another worker's table, and between attempts to take it."""

TAKEN_OVER = "another worker has this table now; look again"
UNREACHABLE = "the room cannot read its database at the moment; try again"

BETWEEN_PROOFS = 1.0
"""Seconds from a failed save, and from a failed proof, to the next proof."""

LONGEST_CHECK = 1.0
"""Seconds after which a save that is not finished counts as failing."""

SPACE, SPACE_NAME = 1 << 18, "space"
"""Number of bytes that a proof saves in addition, and the name of their row in `secrets`. Many moves that are saved
together, or an analysis, need more space than a single move."""

PATIENCE = 5.0
"""Maximum time, in seconds, for which a write waits for another program's write."""

OF_THE_DISK = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOTADB,
}
"""Errors of SQLite that are caused by the database rather than by the statement (https://sqlite.org/rescode.html)."""

READ_ONLY, DAMAGED = "25006", ("XX001", "XX002")
"""SQLSTATEs of PostgreSQL that have the same meaning, and that psycopg does not report as an OperationalError."""

Work = Callable[[sa.Connection], Any]


class NotSaved(FairdealError):
    """Raised when the database cannot be used at present. Nothing has been changed, unless it is InDoubt."""


class InDoubt(NotSaved):
    """Raised when the connection to the database broke during a commit, so that the change may have been saved."""


class Damaged(NotSaved):
    """Raised when a part of the database is damaged, so that a retry is useless."""


class Replaced(NotSaved):
    """Raised when the SQLite file was replaced or removed. The next process would not find later writes."""


class NotOwner(NotSaved):
    """Raised when another worker owns a table. The client must connect again."""


MOVED_ON = "the table has moved on; look again"


class NumberTaken(FairdealError):
    """Raised when the log of a table already has an entry with the given number."""


class Tenure(NamedTuple):
    """A table, and the epoch in which this process owns it."""

    table: str
    epoch: int


class Waiting(NamedTuple):
    """A task for the writing thread, or the row of an entry to add, with the future of its result. It is refused unless
    this process owns the table in `of`, if there is one."""

    work: Work | dict[str, Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    of: Tenure | None = None


Answer = tuple[Waiting, Any, BaseException | None]


class Store:
    """A database, given as a URL or as the path of an SQLite file. A file is locked for this process until it is
    closed; a PostgreSQL database may be shared by several workers, each of which has a `lease`. `write` and `read` are
    coroutines that take a function of a connection, and raise NotSaved if the database cannot be used. `patience` is
    the maximum wait for another program's write, in seconds, and `address` the address of this worker. Raises
    FairdealError if the database cannot be opened or is locked by another process."""

    def __init__(self, given: str, patience: float = PATIENCE, address: str = "") -> None:
        self.meter = Meter()
        self.failing = False  # a save has failed, and no proof has succeeded since
        self.proves_at = self.began = 0.0  # when the next proof is due, and since when a save is in progress, if one is
        with contextlib.ExitStack() as opened:  # closed again if the rest fails
            self.engine, where = opened.enter_context(database.opened(given, patience, locks=True))
            database.bring_up(self.engine, where, metadata)
            self.where, self.file = where, database.identity(where)
            self.connection: sa.Connection | None = database.writer(self.engine)
            opened.callback(self.let_go)
            self.lease = Lease(self.engine, address) if self.engine.dialect.name == "postgresql" else None
            self.opened = opened.pop_all()
        self.together = 0  # number of write tasks in the last transaction
        self.gathered: list[Waiting] = []
        self.asked = self.done = 0  # numbers of write tasks
        self.renewing: asyncio.Task[None] | None = None
        self.waiting: queue.SimpleQueue[list[Waiting] | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self.run, name="store", daemon=True)
        self.thread.start()

    async def write(self, work: Callable[[sa.Connection], T], of: Tenure | None = None) -> T:
        """Run `work` in the next transaction, and return its result after the commit. Raises NotOwner, and changes
        nothing, if it is about a table that this process does not own."""
        found: T = await self.ask(work, of)
        return found

    async def append(self, of: Tenure | None = None, **entry: Any) -> None:
        """Add an entry to a table's log. Raises NotSaved if that fails, NotOwner if this process does not own the
        table, or NumberTaken if the log already has an entry with this number."""
        try:
            await self.ask(entry, of)
        except sa.exc.IntegrityError:
            raise NumberTaken(MOVED_ON) from None

    def ask(self, work: Work | dict[str, Any], of: Tenure | None) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        piece = Waiting(work, loop.create_future(), loop, of)
        if not self.gathered:
            loop.call_soon(self.hand_over)
        self.gathered.append(piece)
        self.asked += 1
        return piece.future

    def hand_over(self) -> None:
        """Pass the tasks collected in one iteration of the event loop to the writing thread, waking it only once."""
        self.waiting.put(self.gathered)
        self.gathered = []

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Run the read-only function `work` in a thread, and return its result."""
        return await asyncio.to_thread(self.query_again, work)

    def query_again(self, work: Callable[[sa.Connection], T]) -> T:
        try:
            try:
                return self.query(work)
            except sa.exc.DBAPIError as problem:
                if not problem.connection_invalidated:
                    raise
            return self.query(work)  # over a new connection
        except sa.exc.DBAPIError as problem:
            if not is_of_the_disk(problem):
                raise
            log.warning("the database cannot be read: %s", problem.orig)
            kind = Damaged if is_damage(problem) else NotSaved
            raise kind(UNREACHABLE) from None

    def query(self, work: Callable[[sa.Connection], T]) -> T:
        with self.engine.connect() as connection:
            return work(connection)

    def close(self) -> None:
        self.waiting.put(None)
        self.thread.join()
        if self.lease:
            self.lease.close()
        self.opened.close()

    # --- the tables of this process -------------------------------------------------------------------------

    async def add(self, table: str, keep: Work, of: Tenure | None = None) -> Tenure | None:
        """Run `keep`, which stores a new table, and make this process its owner in the same transaction. Raises
        NotSaved, or NotOwner if this process does not own the table `of`."""
        lease = self.lease
        if lease is None:
            await self.write(keep, of)
            return None

        def keep_and_claim(connection: sa.Connection) -> Any:
            keep(connection)
            return lease.claim(connection, table, asks=False)

        try:
            owner = await self.write(keep_and_claim, of)
        except Removed:
            raise NotOwner(TAKEN_OVER) from None
        lease.note(table, owner)
        return Tenure(table, owner.epoch)

    async def own(self, table: str, asks: bool = True) -> Tenure | None:
        """Make this process the owner of a table. Return None if there is no such table, or if no other process can own
        one. If a living worker owns it, ask for it if `asks` is true, and wait for up to LONGEST_CLAIM seconds. Raises
        NotOwner if that is in vain, or NotSaved."""
        lease, ends = self.lease, clock() + LONGEST_CLAIM
        while lease is not None:
            if lease.is_over:
                raise NotOwner(TAKEN_OVER)
            if (epoch := lease.epoch_of(table)) is not None:
                return Tenure(table, epoch)
            try:
                found = await self.write(lambda c: lease.claim(c, table, asks))
            except Removed:
                await self.renew()
                continue
            if found is None:
                return None
            if lease.note(table, found):
                return Tenure(table, found.epoch)
            if not asks or clock() >= ends:
                raise NotOwner(f"another worker has this table now: {found.address or 'unknown'}; try again")
            await asyncio.sleep(BETWEEN_CLAIMS)
        return None

    async def check(self, of: Tenure | None) -> None:
        """Raise NotOwner if another process may own a table now, or NotSaved if that cannot be found out."""
        if of is not None and self.lease is not None and not self.lease.lasts:
            await self.renew()
        if not self.owns(of):
            raise NotOwner(TAKEN_OVER)

    def owns(self, of: Tenure | None) -> bool:
        """Return whether no other process can own a table now."""
        return of is None or self.lease is None or (self.lease.lasts and self.has(of))

    def note_here(self, of: Tenure | None, here: int) -> None:
        """Note for other workers which seats of a table have a guest who is connected, as a bit set."""
        if of is not None and self.lease is not None:
            self.lease.here[of.table] = here

    @property
    def is_shared(self) -> bool:
        """Whether there are other workers."""
        return self.lease is not None and bool(self.lease.others)

    @property
    def guests_elsewhere(self) -> int:
        """The number of guests who are connected to other workers."""
        return sum(self.lease.others.values()) if self.lease else 0

    async def renew(self) -> None:
        """Renew the lease now. Raises NotSaved if that fails."""
        assert self.lease is not None
        if self.renewing is None or self.renewing.done():
            self.renewing = asyncio.create_task(asyncio.to_thread(self.lease.renew))
        try:
            await asyncio.wait_for(asyncio.shield(self.renewing), LONGEST_CLAIM)
        except (sa.exc.DBAPIError, TimeoutError):
            raise NotSaved(UNREACHABLE) from None

    async def release(self, table: str) -> None:
        """Give up a table, after the writes that were asked for before. Raises NotSaved if that fails."""
        lease = self.lease
        if lease is not None:
            lease.owned.pop(table, None)
            await self.write(lambda c: lease.release(c, table))

    async def leave(self) -> None:
        """Save the writes that were asked for before, and let other workers take all tables over. Raises NotSaved if
        the former fails."""
        await self.write(lambda connection: None)
        if self.lease is not None:
            await asyncio.to_thread(self.lease.close)

    # --- the writing thread ---------------------------------------------------------------------------------

    def run(self) -> None:
        while (together := self.next_together()) is not None:
            if together:
                self.commit(together)
            del together  # or the tables of these tasks would stay in memory until the next write
            if self.failing and time.monotonic() >= self.proves_at:
                self.prove()

    def next_together(self) -> list[Waiting] | None:
        """Wait for the next write task, and return it with all tasks that are queued behind it. Return an empty list if
        a proof is due before, or None after `close`."""
        together: list[Waiting] = []
        try:
            pieces = self.waiting.get(timeout=max(0.0, self.proves_at - time.monotonic()) if self.failing else None)
        except queue.Empty:
            return together
        while pieces is not None:
            together += pieces
            if self.waiting.empty() or len(together) >= MOST_TOGETHER:
                return together
            pieces = self.waiting.get()
        if together:
            self.waiting.put(None)
        return together or None

    @property
    def unfinished(self) -> int:
        """The number of write tasks that wait or are in progress."""
        return self.asked - self.done

    @property
    def is_crowded(self) -> bool:
        """Whether write tasks arrive faster than they are committed."""
        return self.together > 1

    def commit(self, together: Sequence[Waiting]) -> None:
        """Run tasks in one transaction. If a task fails, run each in a separate transaction, so that the others
        succeed. If the database fails, all tasks fail, because each retry would wait just as long."""
        self.together, self.began = len(together), time.monotonic()
        try:
            answers = self.transaction(together)
            self.meter.committed(time.monotonic() - self.began)
        except Exception as problem:
            if is_of_the_disk(problem) and not is_damage(problem):
                answers = [(piece, None, self.refusal(problem)) for piece in together]
            else:
                answers = [self.alone(piece) for piece in together]
        self.began = 0.0
        self.done += len(together)
        by_loop: dict[asyncio.AbstractEventLoop, list[Answer]] = {}
        for found in answers:
            by_loop.setdefault(found[0].loop, []).append(found)
        for loop, of_loop in by_loop.items():
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(answer, of_loop)

    def alone(self, piece: Waiting) -> Answer:
        try:
            return self.transaction([piece])[0]
        except Removed as problem:
            return piece, None, NotOwner(TAKEN_OVER) if piece.of else problem
        except Exception as problem:
            return piece, None, self.refusal(problem) if is_of_the_disk(problem) else problem

    def refusal(self, problem: Exception) -> NotSaved:
        """Note a failed save, and return the error for its caller. Damage may affect only this save: then a proof
        succeeds, and the room can still save."""
        if is_damage(problem) and self.prove():
            log.error("something was not saved, because a part of the database is damaged: %s", cause_of(problem))
        else:
            self.note(problem)
        if broke_during_commit(problem):
            return InDoubt("the room cannot tell at the moment what it has saved; look again")
        return NotSaved("the room cannot save at the moment; nothing was changed, try again")

    def prove(self) -> bool:
        """Make a save of every kind. Return whether that succeeded, and so whether the room can save."""
        try:
            self.with_a_connection(self.proved)
        except Exception as problem:
            self.note(problem)
        else:
            self.note(None)
        self.proves_at = time.monotonic() + BETWEEN_PROOFS
        return not self.failing

    def note(self, problem: Exception | None) -> None:
        """Note a failed save or proof, or a proof that succeeded. Log it if the state changes."""
        if problem and not self.failing:
            log.error("the room cannot save: %s", cause_of(problem))
            self.proves_at = time.monotonic() + BETWEEN_PROOFS
        elif not problem and self.failing:
            log.warning("the room can save again")
        self.failing = problem is not None

    @property
    def saves(self) -> bool:
        """Whether the room can save: no save has failed since the last proof, and none is overdue."""
        began = self.began  # of the other thread
        return not self.failing and not (began and time.monotonic() > began + LONGEST_CHECK)

    def transaction(self, together: Sequence[Waiting]) -> list[Answer]:
        """Run tasks in one transaction, inserting all entries with one statement."""
        return self.with_a_connection(lambda connection: self.committed(connection, together))

    def with_a_connection(self, work: Callable[[sa.Connection], T]) -> T:
        """Let `work` run transactions. If the connection breaks before the commit, for example because the server was
        restarted, try once more with a new one."""
        if database.identity(self.where) != self.file:
            raise Replaced(f"the file {self.where} was replaced or removed; restart the room")
        try:
            return self.attempt(work)
        except sa.exc.DBAPIError as problem:
            if not problem.connection_invalidated or broke_during_commit(problem):
                raise
        return self.attempt(work)

    def attempt(self, work: Callable[[sa.Connection], T]) -> T:
        connection = self.kept_connection()
        try:
            return work(connection)
        except BaseException:
            if connection.invalidated or connection.in_transaction() or not rolled_back(connection):
                self.let_go()
            raise

    def kept_connection(self) -> sa.Connection:
        """Return the thread's own connection. Taking a connection from the pool would cost a third of a small
        commit."""
        if self.connection is None:
            self.connection = database.writer(self.engine)
        return self.connection

    def let_go(self) -> None:
        """Close the thread's own connection."""
        connection, self.connection = self.connection, None
        if connection is not None:
            database.discard(connection)

    def committed(self, connection: sa.Connection, together: Sequence[Waiting]) -> list[Answer]:
        """Run tasks in one transaction. Raises Removed if another worker may own the tables of this one."""
        worker = self.lease.id if self.lease else ""  # read before the epochs: a new worker owns no table at first
        refused = [piece for piece in together if piece.of and not self.has(piece.of)]
        accepted = [piece for piece in together if piece not in refused] if refused else together
        rows = [piece.work for piece in accepted if isinstance(piece.work, dict)]
        with connection.begin():
            if self.lease and any(piece.of and callable(piece.work) for piece in accepted):
                self.lease.lock_row(connection, worker)
            if rows:
                self.insert(connection, worker, rows)
            return [(piece, None, NotOwner(TAKEN_OVER)) for piece in refused] + [
                (piece, piece.work(connection) if callable(piece.work) else None, None) for piece in accepted
            ]

    def insert(self, connection: sa.Connection, worker: str, rows: Sequence[dict[str, Any]]) -> None:
        """Insert entries. Raises Removed if this worker was removed."""
        if self.lease:
            self.lease.insert(connection, worker, rows)
        else:
            connection.exec_driver_sql(INSERT, list(rows))

    # --- proofs ---------------------------------------------------------------------------------------------

    def try_move(self, connection: sa.Connection) -> None:
        """Write what a move writes, and delete it again in the same transaction. Nobody sees it, and the database does
        not grow. Without a table, make a save of every kind instead."""
        table = connection.execute(sa.select(sa.func.min(tables.c.id))).scalar()
        if table is None:
            save_everything(connection)
            return
        worker = self.lease.id if self.lease else ""
        row = sample(entries, table) | {"number": -1 - int(worker[:7] or "0", 16)}  # not that of another worker
        self.insert(connection, worker, [row])
        connection.execute(entries.delete().where(is_sample(entries, row)))

    def proved(self, connection: sa.Connection) -> None:
        """Make a save of every kind, as this worker, and one of SPACE bytes. Raises Removed if it was removed. Locks
        that others hold for long do not delay the moves behind it by as much again."""
        with connection.begin():
            if self.lease:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {round(1000 * LONGEST_CHECK / 4)}")
                self.lease.lock_row(connection, self.lease.id)
            save_everything(connection)
            put(connection, secrets, name=SPACE_NAME, value=random.token_bytes(SPACE))
        with connection.begin():
            connection.execute(secrets.delete().where(secrets.c.name == SPACE_NAME))

    def has(self, of: Tenure) -> bool:
        """Return whether this process owns a table in an epoch, unless it has been removed."""
        return self.lease is None or self.lease.epoch_of(of.table) == of.epoch


def sample(table: sa.Table, word: str) -> dict[str, Any]:
    """Return a row with a value in each column. Texts, and references to other rows, are `word`."""
    kinds = {column.name: dict if isinstance(column.type, sa.JSON) else column.type.python_type for column in table.c}
    return {name: word if kind is str else kind() for name, kind in kinds.items()}


def is_sample(table: sa.Table, row: Mapping[str, Any]) -> sa.ColumnElement[bool]:
    return sa.and_(*(column == row[column.name] for column in table.primary_key.columns))


def save_everything(connection: sa.Connection) -> None:
    """Insert a row into every table, change it, and delete it again, all in one transaction, so that nobody sees it."""
    word = uuid.uuid4().hex
    rows = [(table, sample(table, word)) for table in metadata.sorted_tables]
    for table, row in rows:
        connection.execute(table.insert().values(row))
        connection.execute(table.update().where(is_sample(table, row)).values(row))
    for table, row in reversed(rows):
        connection.execute(table.delete().where(is_sample(table, row)))


def alone(connection: sa.Connection, words: str) -> None:
    """Let no other worker run a transaction that is `alone` with the same words before this one has ended."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(words, 0))))


def put(connection: sa.Connection, into: sa.Table, /, **values: Any) -> None:
    """Insert a row, or replace the values of the row with the same primary key."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    keys = into.primary_key.columns.keys()
    rest = {name: value for name, value in values.items() if name not in keys}
    connection.execute(dialect.insert(into).values(**values).on_conflict_do_update(index_elements=keys, set_=rest))


def rolled_back(connection: sa.Connection) -> bool:
    """Roll back a transaction whose commit failed, and return whether that succeeded. SQLAlchemy leaves it open, and
    the next commit would save it."""
    try:
        connection.connection.rollback()
    except Exception:
        return False
    return True


def answer(answers: Sequence[Answer]) -> None:
    for piece, value, problem in answers:
        if piece.future.cancelled():
            continue
        if problem:
            piece.future.set_exception(problem)
        else:
            piece.future.set_result(value)


def cause_of(problem: Exception) -> object:
    """Return the error of the driver, which is shorter than that of SQLAlchemy."""
    return getattr(problem, "orig", problem)


def broke_during_commit(problem: Exception) -> bool:
    return isinstance(problem, sa.exc.DBAPIError) and problem.connection_invalidated and problem.statement is None


def is_of_the_disk(problem: Exception) -> bool:
    """Return whether an error is caused by the database (full, locked, broken, replaced or missing) rather than by the
    statement."""
    if not isinstance(problem, sa.exc.DBAPIError):
        return isinstance(problem, Replaced)
    code = getattr(problem.orig, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in OF_THE_DISK
    state = getattr(problem.orig, "sqlstate", None)
    return isinstance(problem, sa.exc.OperationalError) or state == READ_ONLY or state in DAMAGED


def is_damage(problem: BaseException) -> bool:
    """Return whether an error means that the database is damaged."""
    cause = getattr(problem, "orig", None)
    code = getattr(cause, "sqlite_errorcode", None)
    if code is None:
        return getattr(cause, "sqlstate", None) in DAMAGED
    return code & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
