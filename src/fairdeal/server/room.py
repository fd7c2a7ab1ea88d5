"""The room and its tables, which are loaded in memory or stored only in the database."""

import asyncio
import contextlib
import logging
import time
import weakref
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from fairdeal.bots.levels import searches
from fairdeal.engine.compile import compiled
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.registry import find_game
from fairdeal.protocol import messages as m
from fairdeal.server.extras.analyses import Analyses
from fairdeal.server.extras.invitations import Invitations
from fairdeal.server.extras.modules import Modules
from fairdeal.server.limits import DEFAULT_LIMITS, Limits, LimitSettings, TooMany
from fairdeal.server.long_work import LongWork
from fairdeal.server.share.pictures import Pictures
from fairdeal.server.storage.acts import House
from fairdeal.server.storage.backups import Backups
from fairdeal.server.storage.leases import Lease
from fairdeal.server.storage.promises import Keys
from fairdeal.server.storage.queries import Entry, StoredTable, due_until, going_on, kept_table
from fairdeal.server.storage.readiness import Readiness
from fairdeal.server.storage.store import Damaged, NotOwner, NotSaved, Store, Tenure, Work
from fairdeal.server.tables.audience import Connection
from fairdeal.server.tables.dealing import go_on
from fairdeal.server.tables.driver import FIRST_PAUSE, LONGEST_PAUSE
from fairdeal.server.tables.last_lines import LastLines
from fairdeal.server.tables.live import LiveTable, acts_of
from fairdeal.server.tables.narration import Stories
from fairdeal.server.tables.pace import Rest
from fairdeal.server.tables.saving import keep_acts, seats_in, terms_in
from fairdeal.server.tables.thinking import PATIENT, Thinking
from fairdeal.table.clocks import SOON
from fairdeal.table.names import isolated
from fairdeal.table.sitting import table_of

MOST_OFFERS = 4
"""Maximum number of moves that are being checked, or wait to be checked, so that their undo can be offered. One move is
checked at a time."""

OFFERS_SHARE = 0.05
"""Maximum share of the time in which such checks run. They mostly hold the GIL, so every other request waits for
them."""

DAMAGED = "this table cannot be read from the disk"

BETWEEN_LOOKS = 20.0
"""Time, in seconds, after which the room looks again for tables with clocks in days that are due."""

LINES_KNOWN = 8
"""Number of chat lines whose request ids are restored when a table is loaded."""

log = logging.getLogger(__name__)


class NoTable(FairdealError):
    """Raised when a table does not exist."""


class Unreadable(FairdealError):
    """Raised when the database cannot return data that was written to it."""


class Room:
    """All tables. `live` holds the loaded tables: those with connections, active bots or clocks, and those that have
    been idle only for a short time. `find` loads the others when they are needed.

    turned    called with a table when it is loaded and when its seats to act may have changed; it must not block
    compiles  whether games are compiled in the background when they are played; rules are interpreted until then
    """

    def __init__(
        self,
        store: Store,
        pause: float = 0.7,
        turned: Callable[[LiveTable], None] = lambda live: None,
        compiles: bool = False,
        keys: Keys | None = None,
        limits: LimitSettings = DEFAULT_LIMITS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.now = store, now
        self.readiness = Readiness(store)
        self.pause = pause
        self.turned = turned
        self.compiles = compiles
        self.live: dict[str, LiveTable] = {}
        self.used: dict[str, float] = {}  # the last request or event of a live table
        self.held: weakref.WeakValueDictionary[str, LiveTable] = weakref.WeakValueDictionary()  # all in memory
        self.keys = keys or Keys()
        self.loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.replaying = asyncio.Semaphore(limits.replaying)
        self.connections: set[Connection] = set()  # to tables and lessons
        self.house, self.looking = House(), asyncio.Lock()
        self.limits, self.work, self.thinking = Limits(limits), LongWork(), Thinking()
        self.offers = LongWork(1, niceness=PATIENT, most=MOST_OFFERS, share=OFFERS_SHARE)
        self.invitations = Invitations(store)
        self.analyses, self.modules = Analyses(store), Modules(compiles)
        self.pictures = Pictures(self.work)
        self.backups: Backups | None = None
        self.change: float | None = None  # when the deal of the day changes: `api.daily`
        self.today, self.playing_best = 0, dict[int, asyncio.Task[None]]()
        self.stories, self.last_lines = Stories(self.work), LastLines(self.kept)

    def take_in(self, live: LiveTable) -> None:
        """Add a new or reloaded table."""
        self.live[live.id] = self.held[live.id] = live
        self.used[live.id] = time.monotonic()
        self.turned(live)
        if live.status != "over" and not live.unreadable:
            self.compile_for(live)

    async def add(self, live: LiveTable, keep: Work, of: Tenure | None = None) -> None:
        """Store a new table with `keep`, and add it. Raises NotOwner if this process does not own the table `of`."""
        live.tenure = await self.store.add(live.id, keep, of)
        self.take_in(live)

    def compile_for(self, live: LiveTable) -> None:
        """Compile a table's game, and the search of its bots, in the background before they are needed."""
        game = find_game(live.terms.game)
        if any(searches(place.plays, game) for place in live.seats):
            self.thinking.prepare(game)
        elif self.compiles:
            compiled.compile_in_background(game)

    # --- loading --------------------------------------------------------------------------------------------

    async def find(self, table: str, asks: bool = True) -> LiveTable:
        """Return a table, loading it if necessary. If `asks` is true, ask another worker for it if necessary. Raises
        NoTable, NotOwner, Unreadable or TooMany if that is not possible."""
        live = self.live.get(table) or self.held.get(table)
        if live is not None:
            try:
                await live.check_owner()
            except NotOwner:
                self.drop(live)
                live = None
        if live is None:
            live = await asyncio.shield(self.loading.get(table) or self.begin_to_load(table, asks))
        elif table not in self.live:
            self.take_in(live)
        self.used[table] = time.monotonic()
        return live

    def forget(self, live: LiveTable) -> None:
        """Remove a table that was deleted or taken over, so that it can no longer be found."""
        if self.held.get(live.id) is live:
            self.live.pop(live.id, None)
            self.held.pop(live.id, None)
            self.used.pop(live.id, None)

    def drop(self, live: LiveTable) -> None:
        """Remove a table that another process owns now."""
        self.forget(live)
        live.be_dropped()

    async def send_on(self, live: LiveTable) -> None:
        """Give up a new table if there are other workers, because its guests may be routed to one of them."""
        if self.store.is_shared:
            await self.hand_over(live.id)

    async def hand_over(self, table: str) -> None:
        """Give up a table, so that another worker can own it. Changes that have begun are finished before."""
        live = self.held.get(table)
        async with live.lock if live else contextlib.nullcontext():
            if live:
                self.drop(live)
            with contextlib.suppress(NotSaved):  # asked for again
                await self.store.release(table)

    def begin_to_load(self, table: str, asks: bool = True) -> asyncio.Task[LiveTable]:
        """Load a table in a task that continues even if the first request for it is cancelled. If `asks` is true, ask
        another worker for it if necessary."""
        if len(self.loading) >= self.limits.settings.loading:
            raise TooMany("too many tables are being loaded; try again in a moment")

        def done(task: asyncio.Task[LiveTable]) -> None:
            del self.loading[table]
            if not task.cancelled():
                task.exception()  # mark as retrieved

        task = self.loading[table] = asyncio.create_task(self.load(table, asks))
        task.add_done_callback(done)
        return task

    async def load(self, table: str, asks: bool) -> LiveTable:
        """Load a table, and start its driver."""
        tenure = await self.store.own(table, asks) if m.TABLE_ID.fullmatch(table) else None
        live, kept = await self.kept(table)
        live.tenure = tenure
        for line in kept.chat[-LINES_KNOWN:]:
            live.remember(line["client"], live.number_for(line["seat"]))
        await live.read_score()
        self.take_in(live)
        async with live.lock:
            with contextlib.suppress(NotSaved):  # saved at the next load
                await note_end_and_acts(live, kept)
            await go_on(live)  # the room may have stopped between the last nonce and the deal
        live.wake()
        return live

    async def read_again(self, live: LiveTable) -> None:
        """Reload a table after another process wrote to it, or after a write that seemed to fail but succeeded. Raises
        NotSaved if the table cannot be read."""
        kept, _ = await self.kept(live.id)
        await kept.read_score()
        live.take_over(kept)

    async def kept(self, table: str) -> tuple[LiveTable, StoredTable]:
        """Return a table as stored, and its rows. Raises NoTable, NotSaved or Unreadable if it cannot be read."""
        try:
            kept = await self.store.read(lambda c: kept_table(c, table)) if m.TABLE_ID.fullmatch(table) else None
        except Damaged:
            raise Unreadable(DAMAGED) from None
        if kept is None:
            raise NoTable(f"there is no table {table!r}")
        live = self.from_rows(kept.table, kept.seats)
        live.audience.chat = [
            m.Said(line["seat"], isolated(line["name"]), line["text"], line["at"]) for line in kept.chat
        ]
        if kept.damaged:
            live.unreadable = DAMAGED
            log.error("the moves of table %s cannot be read: its part of the database is damaged", table)
        elif live.status == "open":
            live.unreadable = why_not_replayed(live)
        else:
            await self.bring_back(live, kept)
        live.moved = max(live.moved, kept.at or 0.0)
        return live, kept

    def from_rows(self, row: Mapping[str, Any], seated: Sequence[Mapping[str, Any]]) -> LiveTable:
        """Return a table as stored, without its moves and chat."""
        live = LiveTable(terms_in(row), seats_in(row, seated), self)
        live.status, live.moved, live.rematch = row["status"], row["moved"], row["rematch"] or ""
        live.due = row["due"]
        live.places = tuple(row["places"] or ())
        live.rest = Rest(*row["rest"]) if row["rest"] else None
        return live

    async def bring_back(self, live: LiveTable, kept: StoredTable) -> None:
        """Replay the moves of a table. If the current rules cannot replay them, make its log available for reading
        only."""
        try:
            await self.replay(live, kept.entries)
        except FairdealError as problem:
            live.status = kept.table["status"]  # dealing has changed it
            live.keep_readable(kept.entries, kept.table["result"], str(problem))
            log.warning("table %s cannot be replayed: %s", live.id, problem)

    async def replay(self, live: LiveTable, rows: Sequence[Entry]) -> None:
        """Replay entries in a thread. Raises FairdealError if the current rules cannot replay them."""
        async with self.replaying:
            await asyncio.to_thread(live.replay, rows)

    # --- waking and sleeping --------------------------------------------------------------------------------

    async def mind(self) -> None:
        """Load the tables that continue by themselves. Then, until cancelled, react to other workers."""
        await self.revive()
        lease = self.store.lease
        if lease is None:
            return
        news, loop = asyncio.Event(), asyncio.get_running_loop()
        lease.guests = lambda: len(self.limits.guests_connected)
        lease.news = lambda: loop.call_soon_threadsafe(news.set)
        while True:
            await news.wait()
            news.clear()
            try:
                await self.react(lease)
            except Exception:
                log.exception("changes of the owners of tables are not noticed; trying again")

    async def react(self, lease: Lease) -> None:
        """Drop lost tables, hand over those that others ask for, and load those of workers that have left."""
        if lease.is_lost:
            lease.is_lost = False
            for live in [*self.held.values()]:
                if live.tenure and lease.epoch_of(live.id) != live.tenure.epoch:
                    self.drop(live)
        await asyncio.gather(*(self.hand_over(table) for table in lease.wanted if not lease.is_new(table)))
        if lease.has_left:
            lease.has_left = False
            await self.revive()

    async def revive(self) -> None:
        """Load the tables that continue by themselves and that no other worker owns, one by one. Pause after each for
        as long as loading it took. Tables requested by guests are loaded first. If the database cannot be read, try
        again. Any other error affects only its own table."""
        pause = FIRST_PAUSE
        waiting: list[str] | None = None
        while waiting is None or waiting:
            try:
                waiting = await self.store.read(going_on) if waiting is None else waiting
                waiting = [table for table in waiting if not await self.wake(table)]
            except Damaged:
                return  # already logged; a table is loaded at the next request
            except NotSaved:
                pass
            if waiting is None or waiting:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def look_for_due(self) -> None:
        """Wake the tables with clocks in days at which a guest is to be reminded, or a turn ends soon."""
        with contextlib.suppress(NotSaved):  # already logged
            for table, due in await self.store.read(lambda c: due_until(c, time.time() + SOON)):
                await self.wake(table, due)

    async def watch_days(self) -> None:
        """Wake the tables with clocks in days that are due, until cancelled."""
        while True:
            await self.look_for_due()
            await asyncio.sleep(BETWEEN_LOOKS)

    async def wake(self, table: str, due: float | None = None) -> bool:
        """Load a table once no other is being loaded, and pause for as long as loading it took. Its stored time is
        `due`, if that is given. Return False if the attempt must be repeated."""
        if self.loading:
            await asyncio.wait([*self.loading.values()], timeout=1)
        started = time.monotonic()
        try:
            live = await self.find(table, asks=False)
            if due is not None:
                live.due = due
                live.wake()
        except NotOwner:
            return True
        except (NotSaved, TooMany):
            return False
        except FairdealError:
            return True  # already logged, and reported at the next request
        except Exception:
            log.exception("table %s cannot be loaded", table)
        await asyncio.sleep(time.monotonic() - started)
        return True

    async def tidy(self) -> None:
        """Unload idle tables periodically, until cancelled."""
        while True:
            await asyncio.sleep(self.limits.settings.idle_when_over / 6)
            self.let_sleep(time.monotonic())

    def hang_up(self, guests: Set[str]) -> None:
        """Close all connections of these guests."""
        for connection in self.connections:
            if connection.guest in guests:
                connection.hang_up()

    def let_sleep(self, now: float) -> None:
        """Unload tables that have been idle for some time. Their state remains in the database."""
        settings = self.limits.settings
        for live in list(self.live.values()):
            is_dealing = live.waiting is not None and not live.waiting.done()
            is_asking = (
                live.pace.windows.is_open and not live.pace.is_still
            )  # the rows of an unloaded table would tell when a seat passes
            brief = live.status == "over" and (live.rematch or not live.seats.ready)
            if live.audience.connections or live.lock.locked() or live.driver.is_busy or is_dealing or is_asking:
                self.used[live.id] = now
            elif now - self.used[live.id] >= (settings.idle_when_over if brief else settings.idle):
                del self.live[live.id], self.used[live.id]


def why_not_replayed(live: LiveTable) -> str:
    """Return the reason why the current rules cannot replay a table, judging by its header. Return an empty string if
    the header shows no reason."""
    terms = live.terms
    try:
        if find_game(terms.game).rules_version != terms.rules_version:
            table_of(terms.unsigned_log(live.seats, live.keys))
    except FairdealError as problem:
        return str(problem)
    return ""


async def note_end_and_acts(live: LiveTable, kept: StoredTable) -> None:
    """If the room stopped before a game's end was saved, save it now. Also save the seats to act if the last entry
    lacks them. Raises NotSaved if that fails."""
    if live.sitting is None:
        return
    if live.status != kept.table["status"]:
        await live.keep_end()
    acts = acts_of(live.sitting.state)
    if live.status == "running" and acts != kept.acts:
        await live.write(lambda c: keep_acts(c, live.id, live.number, acts))
