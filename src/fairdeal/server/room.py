"""The room: opens tables, seats guests, brings kept tables back to life."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from fairdeal.bots.bots import STAND_IN
from fairdeal.engine import compiled
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import changed
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import table_for
from fairdeal.server import messages as m
from fairdeal.server.limits import Limits, LongWork, TooMany
from fairdeal.server.live import FIRST_PAUSE, LONGEST_PAUSE, Connection, LiveTable, Origin, Place, acts_of
from fairdeal.server.names import apart, clean_name
from fairdeal.server.opening import (
    bot_names,
    bot_place,
    check_chairs,
    checked_hash,
    find_title,
    insert_table,
    new_id,
    place_rows,
    places_for,
    seat_again,
    status_values,
)
from fairdeal.server.promises import Keys
from fairdeal.server.queries import (
    Entry,
    Kept,
    check_tables,
    going_on,
    is_used,
    keep_acts,
    keep_line,
    keep_name,
    kept_table,
    lobby,
)
from fairdeal.server.sleeping import DAMAGED, KEPT, facts_asleep, why_not_replayed
from fairdeal.server.store import Damaged, NotSaved, Store, entries, guests, seats, tables
from fairdeal.server.stories import Stories
from fairdeal.table import fairness
from fairdeal.table.log import Log
from fairdeal.table.sitting import PERSON

LONGEST_CLOCK = 7 * 24 * 3600
TIME_TO_SHOW = 20.0
"""Seconds in which guests, or their programs, show their numbers; then who has not is named."""

LONG_OPTIONS = 1000
"""Characters of options, as with the cards of a game among them, that are read in a thread."""

PATIENCE, PATIENCE_WHEN_OVER = 600.0, 60.0
"""Seconds for which a table stays in memory though nobody is connected and nothing goes on there."""

MOST_LOADING, MOST_REPLAYING = 256, 2
"""Tables that are being looked up at once, and those of them that are replayed: every replay takes a thread."""

LINES_KNOWN = 8
"""Lines of chat that are known again after a table was asleep, if they are sent once more."""

log = logging.getLogger(__name__)


def origin_at(live: LiveTable, written: Log, move: int) -> Origin:
    """Where a branch after so many moves that stand begins."""
    last = written.moves[move - 1] if move else None
    entry = next((n for n, one in enumerate(written.entries, start=1) if one is last), 0)
    return Origin(live.id, move, entry, written.chains()[entry], live.origin.dealt if live.origin else live.id)


class NoTable(FairdealError):
    """There is no table of this name."""


class Unreadable(FairdealError):
    """The disk does not give back what was written."""


def nobody_told(live: LiveTable) -> None:
    """For a room that notifies nobody."""


class Room:
    """All tables. `live` are those in memory: somebody is connected, a bot or a clock moves, or did a moment ago. The
    others are asleep: in the database only, from which `find` brings them back. `turned` is told of a table when it
    comes, and whenever the seats to act there may have changed, and `gone` when it leaves memory; they must not wait
    for anything. With `compiles` the games that are played are compiled in the background; until then their rules run
    interpreted."""

    def __init__(
        self,
        store: Store,
        pause: float = 0.7,
        turned: Callable[[LiveTable], None] = nobody_told,
        compiles: bool = False,
        keys: Keys | None = None,
        gone: Callable[[LiveTable], None] = nobody_told,
        time_to_show: float = TIME_TO_SHOW,
    ) -> None:
        self.store = store
        self.pause = pause
        self.turned, self.gone = turned, gone
        self.compiles = compiles
        self.live: dict[str, LiveTable] = {}
        self.used: dict[str, float] = {}  # when somebody last asked for a live table, or it went on
        self.held: weakref.WeakValueDictionary[str, LiveTable] = weakref.WeakValueDictionary()  # by anybody at all
        self.keys = keys or Keys()
        self.time_to_show = time_to_show
        self.loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.replaying = asyncio.Semaphore(MOST_REPLAYING)
        self.limits, self.work = Limits(), LongWork()
        self.stories = Stories(self.work)

    # --- guests ---------------------------------------------------------------------------------------------

    async def name_of(self, guest: str) -> str:
        found = await self.store.read(
            lambda c: c.execute(sa.select(guests.c.name).where(guests.c.id == guest)).scalar()
        )
        return found or "Guest"

    async def rename(self, guest: str, name: str) -> str:
        cleaned = clean_name(name)
        await self.store.write(lambda c: keep_name(c, guest, cleaned, time.time()))
        return cleaned

    # --- opening --------------------------------------------------------------------------------------------

    async def open(
        self,
        guest: str,
        *,
        game: str,
        preset: str = "",
        options: Mapping[str, Any] | None = None,
        chairs: Sequence[str] = (),
        listed: bool = True,
        clock: int = 0,
        ticket: str = "",
        hash: str = "",
        waits: bool = True,
    ) -> LiveTable:
        """A new table. `ticket` is that of a promise, and `hash` binds you to your number, made after it; `waits` for
        numbers that are not shown. `chairs` says what plays at each seat: `you` once or never, `person`, or a bot's
        name; left out, you and greedy bots. Raises FairdealError, which says what would be right."""
        await self.store.read(lambda c: check_tables(c, guest))
        if not 0 <= clock <= LONGEST_CLOCK:
            raise FairdealError(f"a clock has from 0 to {LONGEST_CLOCK} seconds")
        given = dict(options or {})
        if chairs and "players" not in given:
            given["players"] = len(chairs)
        if len(repr(given)) > LONG_OPTIONS:
            table = await self.work.do(guest, table_for, game, given, preset)
        else:
            table = table_for(game, given, preset)
        if hash and not ticket:
            raise FairdealError("a number proves nothing unless it is made after a promise: ask for one first")
        wanted = list(chairs) or ["you", *["greedy"] * (table.players - 1)]
        check_chairs(wanted, table.players)
        name = await self.name_of(guest)
        seed = self.keys.promised(guest, ticket) if ticket else fairness.new_seed()
        live = self.blank(
            id=new_id(),
            game=table.game.name,
            rules_version=table.game.rules_version,
            options=changed(table.options),
            title=table.game.title,
            name=f"{name}’s {table.game.title}",
            host=guest,
            seed=seed,
            places=places_for(wanted, guest, name, hash, seed),
            listed=listed,
            clock=clock,
            waits=waits,
            made=time.time(),
            moved=time.time(),
        )

        def keep(connection: sa.Connection) -> None:
            check_tables(connection, guest)  # again: many may be asked for at the same time
            if ticket and is_used(connection, seed):
                raise FairdealError("a table has been opened with this promise already; ask for another")
            insert_table(connection, live)

        await self.store.write(keep)
        self.take_in(live)
        async with live.lock:
            await self.go_on(live)
        return live

    def blank(self, **facts: Any) -> LiveTable:
        return LiveTable(
            append=self.store.append,
            keep_places=self.keep_places,
            keep_status=self.keep_status,
            read_again=self.read_again,
            turned=self.turned,
            keys=self.keys,
            pause=self.pause,
            **facts,
        )

    def take_in(self, live: LiveTable) -> None:
        """A table that is new here, or comes back to life."""
        self.live[live.id] = self.held[live.id] = live
        self.used[live.id] = time.monotonic()
        self.turned(live)
        if self.compiles and live.status != "over" and not live.unreadable:
            compiled.compile_in_background(find_game(live.game))

    async def go_on(self, live: LiveTable) -> None:
        """Somebody has come, gone, been bound to a number or shown it: deal, if that was all that the deal waits for.
        The lock is held."""
        if live.status == "open" and live.is_full and not live.unreadable:
            if live.is_ready:
                await self.begin_soon(live)
                return
            if live.waiting is None or live.waiting.done():
                live.waiting = asyncio.create_task(self.wait_for_numbers(live, live.attempt))
        live.tell_facts()

    async def wait_for_numbers(self, live: LiveTable, attempt: int) -> None:
        """Name those who do not show their numbers in time, and deal without them, if the table was opened so."""
        await asyncio.sleep(self.time_to_show)
        async with live.lock:
            if live.status != "open" or not live.is_full or live.attempt != attempt:
                live.waiting = None
                await self.go_on(live)
                return
            live.late, live.waiting = {place.seat for place in live.silent}, None
            if live.waits:
                live.tell_facts()
            elif live.stage == "numbers":
                await self.begin_soon(live)
            else:  # who is not bound in time gives no number; the others have their time to show theirs
                for place in live.silent:
                    place.hash = ""
                await self.go_on(live)

    async def show_number(self, live: LiveTable, guest: str, nonce: str, hash: str) -> None:
        """A guest is bound to a new number, or shows the one they are bound to. Raises FairdealError."""
        async with live.changing():
            place = next((place for place in live.places if place.guest == guest), None)
            if place is None:
                raise FairdealError("you do not sit at this table")
            before = replace(place)
            if hash and place.hash is None:
                place.hash = checked_hash(hash)
            elif hash and hash != place.hash:
                raise FairdealError("you are bound to another number already")
            if nonce and nonce != place.nonce:
                if live.stage != "numbers":
                    raise FairdealError("show your number when every seat is bound to one, not before or after")
                if not fairness.is_bound(nonce, place.hash or ""):
                    raise FairdealError("this is not the number that your hash binds you to: 32 hexadecimal digits")
                place.nonce, place.withheld = nonce, False
            if place == before:
                return  # sent again, or nothing said
            await self.keep_places(live)
            live.late = live.late - {place.seat}
            await self.go_on(live)

    async def begin(self, live: LiveTable) -> None:
        """All seats are taken: deal; numbers that are missing follow from the seed. The lock is held. Raises NotSaved,
        which leaves nothing but those numbers, marked as withheld where they are."""
        for place in live.places:
            if not place.nonce:
                place.nonce = fairness.seed_nonce(live.seed, place.seat)
                place.hash, place.withheld = place.hash or "", bool(place.hash)
        sitting, now = live.dealt(), time.time()
        await self.keep_places(live, status="running", moved=now, acts=acts_of(sitting.state))
        live.moved = now
        live.deal(sitting)
        live.late = set()
        live.set_clocks()
        live.tell_facts()
        live.tell()
        live.wake()
        self.turned(live)

    async def begin_if_ready(self, live: LiveTable) -> None:
        """Deal if there is nothing left to wait for. The lock is held. Raises NotSaved."""
        if live.is_ready:
            await self.begin(live)

    async def begin_soon(self, live: LiveTable) -> None:
        """Deal, or as soon as it can be saved. The lock is held."""
        try:
            await self.begin(live)
        except NotSaved:
            live.owe("deal", self.begin_if_ready)

    # --- sitting down ---------------------------------------------------------------------------------------

    async def join(self, live: LiveTable, guest: str, seat: int | None, hash: str) -> None:
        """Take a free seat, bound to a number by its hash; who sits already stays where they are."""
        async with live.changing():
            if live.seat_of(guest) >= 0:
                return
            if live.unreadable:
                raise FairdealError(live.unreadable)
            if live.status != "open":
                raise FairdealError("this game has begun; you can watch it")
            free = [place for place in live.places if place.plays == PERSON and not place.guest]
            place = next((place for place in free if seat in (None, place.seat)), None)
            if place is None:
                raise FairdealError("that seat is taken" if seat is not None else "no seat is free")
            name = await self.name_of(guest)
            place.hash = checked_hash(hash)
            place.guest, place.nonce = guest, ""
            place.name = apart(name, [other.name for other in live.places if other is not place])
            live.away_since[place.seat] = live.now()
            live.reseat()
            await self.keep_places(live)
            await self.go_on(live)

    async def leave(self, live: LiveTable, guest: str) -> None:
        """Before the deal the seat is free again; after it a bot plays on, until the guest comes back."""
        async with live.changing():
            seat = live.seat_of(guest)
            if seat < 0:
                return
            place = live.places[seat]
            if live.status == "open":
                live.ask_again()
                live.stop_waiting()
                place.guest, place.name, place.nonce, place.hash = None, "", "", None
                live.reseat()
                await self.keep_places(live, attempt=live.attempt)
                live.tell_facts()
            elif live.status == "running":
                await live.set_stand_in(place, on=True)

    async def start(self, live: LiveTable, guest: str) -> None:
        """The host does not wait: bots take the free seats, and those of guests who are late with their numbers."""
        async with live.changing():
            if live.host != guest:
                raise FairdealError("only who opened the table can start it")
            if live.unreadable:
                raise FairdealError(live.unreadable)
            if live.status == "open":
                if live.late:
                    late = live.late
                    live.ask_again()
                    live.stop_waiting()
                    for place in live.places:
                        if place.seat in late:
                            place.guest, place.name = None, ""
                taken = [place.name for place in live.places if place.name]
                for place in live.places:
                    if place.plays == PERSON and not place.guest:
                        name = bot_names(taken)[0]
                        live.places[place.seat] = bot_place(place.seat, name, STAND_IN, live.seed)
                        taken.append(name)
                live.reseat()
                await self.keep_places(live, attempt=live.attempt)
                await self.go_on(live)

    # --- going on -------------------------------------------------------------------------------------------

    async def rematch(self, live: LiveTable, connection: Connection, hash: str) -> None:
        """When all guests have asked, the same seats play again at a new table, whose seed was promised when this game
        ended. It is called within `live.changing`."""
        if live.status != "over" or connection.seat < 0:
            raise FairdealError("a rematch can be asked for when the game is over, by who played it")
        if live.origin:
            raise FairdealError("a game that was played on from another has no rematch; open a new table")
        live.ready[connection.seat] = checked_hash(hash)
        await self.form_rematch(live)

    async def form_rematch(self, live: LiveTable) -> None:
        """Open the rematch if all guests who are here have asked for it. It is called within `live.changing`."""
        here = {place.seat for place in live.places if place.guest and live.is_here(place)}
        if live.ready and not live.rematch and here and here <= set(live.ready):
            seed = self.keys.next_seed(live.id)
            again = self.blank(
                id=new_id(),
                game=live.game,
                rules_version=find_game(live.game).rules_version,
                options=live.options,
                title=live.title,
                name=live.name,
                host=live.host,
                seed=seed,
                places=seat_again(live, seed),
                listed=live.listed,
                clock=live.clock,
                waits=live.waits,
                made=time.time(),
                moved=time.time(),
            )

            def keep(connection: sa.Connection) -> None:
                insert_table(connection, again)
                connection.execute(tables.update().where(tables.c.id == live.id).values(rematch=again.id))

            await self.store.write(keep)
            live.rematch = again.id
            self.take_in(again)
            async with again.lock:
                await self.go_on(again)
        live.tell_facts()

    async def branch(self, live: LiveTable, guest: str, move: int, seat: int) -> LiveTable:
        """Play on from a move of a finished game, against bots. The header stays, and with it the deal."""
        if live.format == 1:
            raise FairdealError("an older fairdeal dealt this game; it can be replayed, but not played on from")
        if live.status != "over" or live.sitting is None:
            raise FairdealError("only a finished game can be played on from")
        if not 0 <= move < live.sitting.moves_made or not 0 <= seat < len(live.places):
            raise FairdealError("there is no such moment or seat")
        await self.store.read(lambda c: check_tables(c, guest))
        again = self.blank(
            id=new_id(),
            game=live.game,
            rules_version=live.rules_version,
            options=live.options,
            title=live.title,
            name=f"{live.name}, from move {move}",
            host=guest,
            seed=live.seed,
            places=[
                replace(place, guest=guest if place.seat == seat else None, stand_in=place.seat != seat)
                for place in live.places
            ],
            attempt=live.attempt,
            waits=live.waits,
            listed=False,
            made=time.time(),
            moved=time.time(),
            origin=origin_at(live, live.sitting.log, move),
        )
        made = live.sitting.log.entries[: again.origin.entry if again.origin else 0]
        rows = [Entry(n, one.seat, one.text, "", one.by, again.made) for n, one in enumerate(made, start=1)]
        await self.replay(again, rows)
        again.bots.pop(seat, None)

        def keep(connection: sa.Connection) -> None:
            check_tables(connection, guest)
            insert_table(connection, again)
            if rows:
                connection.execute(entries.insert(), [{"table": again.id} | row._asdict() for row in rows])
            keep_acts(connection, again.id, len(rows), acts_of(again.sitting.state) if again.sitting else None)

        await self.store.write(keep)
        self.take_in(again)
        again.wake()
        return again

    # --- finding --------------------------------------------------------------------------------------------

    async def find(self, table: str) -> LiveTable:
        """A table, brought back to life if need be. Raises NoTable, Unreadable or TooMany."""
        live = self.live.get(table) or self.held.get(table)
        if live is None:
            live = await asyncio.shield(self.loading.get(table) or self.begin_to_load(table))
        elif table not in self.live:
            self.take_in(live)
        self.used[table] = time.monotonic()
        return live

    def begin_to_load(self, table: str) -> asyncio.Task[LiveTable]:
        """Load a table in a task that goes on even if whoever asked first does not wait for it."""
        if len(self.loading) >= MOST_LOADING:
            raise TooMany("too many tables are being looked up at once; try again in a moment")

        def done(task: asyncio.Task[LiveTable]) -> None:
            del self.loading[table]
            if not task.cancelled():
                task.exception()  # seen, if nobody waits any more

        task = self.loading[table] = asyncio.create_task(self.load(table))
        task.add_done_callback(done)
        return task

    async def load(self, table: str) -> LiveTable:
        """Bring a table back to life, with its bots."""
        live, kept = await self.kept(table)
        for line in kept.chat[-LINES_KNOWN:]:
            live.remember(line["client"], live.number)
        self.take_in(live)
        async with live.lock:
            with contextlib.suppress(NotSaved):  # it is found out again next time
                await self.note_end_and_acts(live, kept)
            await self.go_on(live)  # the room may have ended between the last number and the deal
        live.wake()
        return live

    async def read_again(self, live: LiveTable) -> None:
        """Somebody else wrote to a table, or a write was kept that seemed to fail: what is kept is the truth. Raises
        NotSaved if it cannot be read."""
        live.take_over((await self.kept(live.id))[0])

    async def kept(self, table: str) -> tuple[LiveTable, Kept]:
        """A table as it is kept, and its rows. Raises NoTable, NotSaved, Unreadable."""
        try:
            kept = await self.store.read(lambda c: kept_table(c, table))
        except Damaged:
            raise Unreadable(DAMAGED) from None
        if kept is None:
            raise NoTable(f"there is no table {table!r}")
        live = self.from_rows(kept.table, kept.seats)
        live.chat = [m.Said(line["seat"], line["name"], line["text"], line["at"]) for line in kept.chat]
        if kept.damaged:
            live.unreadable = DAMAGED
            log.error("the moves of table %s cannot be read: its part of the database is damaged", table)
        elif live.status == "open":
            live.unreadable = why_not_replayed(live.empty_log())
        else:
            await self.bring_back(live, kept)
        live.moved = max(live.moved, kept.at or 0.0)
        return live, kept

    def from_rows(self, row: Mapping[str, Any], seated: Sequence[Any]) -> LiveTable:
        """A table as its rows have it, without its moves and its talk."""
        return self.blank(
            **{key: row[key] for key in KEPT},
            title=find_title(row["game"]),
            name=row["title"],
            rematch=row["rematch"] or "",
            origin=Origin(*row["origin"]) if row["origin"] else None,
            places=[Place(**{key: value for key, value in seat.items() if key != "table"}) for seat in seated],
        )

    async def bring_back(self, live: LiveTable, kept: Kept) -> None:
        """Replay what was played; where these rules cannot, keep it readable."""
        row = kept.table
        try:
            await self.replay(live, kept.entries)
        except FairdealError as problem:
            live.status = row["status"]  # dealing again has changed it
            live.keep_readable(kept.entries, row["result"], str(problem))
            log.warning("table %s does not replay: %s", live.id, problem)
            return
        own = live.seat_of(live.host)
        if live.origin and own >= 0 and not live.places[own].stand_in:
            live.bots.pop(own, None)

    async def note_end_and_acts(self, live: LiveTable, kept: Kept) -> None:
        """The room may have ended between the last move and the end; an old entry may not say who is to act. Raises
        NotSaved."""
        if live.sitting is None:
            return
        if live.status != kept.table["status"]:
            await self.keep_status(live)
        acts = acts_of(live.sitting.state)
        if live.status == "running" and acts != kept.acts:
            await self.store.write(lambda c: keep_acts(c, live.id, live.number, acts))

    async def replay(self, live: LiveTable, rows: Sequence[Entry]) -> None:
        """Replay entries in a thread. Raises FairdealError."""
        async with self.replaying:
            await asyncio.to_thread(live.replay, rows)

    async def revive(self) -> None:
        """After a start: bring back the tables that go on by themselves, one by one, with pauses as long as the work;
        the tables that somebody asks for come before them. While the database cannot be read, try again; a table that
        fails otherwise leaves the others alone."""
        pause = FIRST_PAUSE
        waiting: list[str] | None = None
        while waiting is None or waiting:
            try:
                waiting = await self.store.read(going_on) if waiting is None else waiting
                waiting = [table for table in waiting if not await self.wake(table)]
            except Damaged:
                return  # which is told in the log; a table comes back when it is asked for
            except NotSaved:
                pass
            if waiting is None or waiting:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def wake(self, table: str) -> bool:
        """Bring a table back when nobody waits for another, and rest as long as it took. False if it should be tried
        again."""
        if self.loading:
            await asyncio.wait([*self.loading.values()], timeout=1)
        started = time.monotonic()
        try:
            await self.find(table)
        except (NotSaved, TooMany):
            return False
        except FairdealError:
            return True  # told in the log, and to whoever asks for it
        except Exception:
            log.exception("table %s cannot be brought back", table)
        await asyncio.sleep(time.monotonic() - started)
        return True

    async def tidy(self) -> None:
        """Let tables fall asleep, again and again."""
        while True:
            await asyncio.sleep(PATIENCE_WHEN_OVER / 6)
            self.let_sleep(time.monotonic())

    def let_sleep(self, now: float) -> None:
        """Forget the tables that nobody has used for a while: all that matters of them is in the database."""
        for live in list(self.live.values()):
            goes_on = any(task is not None and not task.done() for task in (live.driver, live.waiting))
            brief = live.status == "over" and (live.rematch or not live.ready)
            if live.connections or live.lock.locked() or goes_on:
                self.used[live.id] = now
            elif now - self.used[live.id] >= (PATIENCE_WHEN_OVER if brief else PATIENCE):
                del self.live[live.id], self.used[live.id]
                self.gone(live)

    async def listing(self, guest: str) -> tuple[list[m.Facts], list[m.Facts]]:
        """What the guest is told of their own tables and of the open ones, newest first; none is brought back for it.
        Raises Unreadable."""
        awake = dict(self.live)
        try:
            mine, free, summaries = await self.store.read(lambda c: lobby(c, guest, awake))
        except Damaged:
            raise Unreadable("the list of tables cannot be read from the disk") from None
        told = {
            table: facts_asleep(self.from_rows(found.table, found.seats), found, guest)
            for table, found in summaries.items()
        }
        told |= {table: awake[table].facts(guest) for table in {*mine, *free} if table in awake}
        own = [told[table] for table in mine if table in told]
        return own, [told[table] for table in free if table in told and table not in mine]

    # --- keeping --------------------------------------------------------------------------------------------

    async def keep_places(self, live: LiveTable, **values: Any) -> None:
        """Save who sits where, and in the same transaction these values of the table."""
        rows = place_rows(live)

        def keep(connection: sa.Connection) -> None:
            connection.execute(seats.delete().where(seats.c.table == live.id))
            connection.execute(seats.insert(), rows)
            if values:
                connection.execute(tables.update().where(tables.c.id == live.id).values(**values))

        with live.saving():
            await self.store.write(keep)

    async def keep_status(self, live: LiveTable) -> None:
        values = status_values(live)
        with live.saving():
            await self.store.write(lambda c: c.execute(tables.update().where(tables.c.id == live.id).values(**values)))

    async def keep_line(self, live: LiveTable, said: m.Said, client: str = "") -> None:
        row = {"table": live.id, "seat": said.seat, "name": said.name, "text": said.text, "at": said.at}
        with live.saving():
            await self.store.write(lambda c: keep_line(c, row | {"client": client}))
