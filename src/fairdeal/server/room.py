"""The room: opens tables, seats guests, brings kept tables back to life."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from fairdeal.engine import compiled
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import changed
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import table_for
from fairdeal.server import messages as m
from fairdeal.server.live import Connection, LiveTable, Place
from fairdeal.server.names import apart, clean_name
from fairdeal.server.opening import (
    BOT_NAMES,
    check_chairs,
    checked_nonce,
    find_title,
    insert_table,
    new_id,
    next_nonce,
    place_rows,
    places_for,
)
from fairdeal.server.promises import Promises
from fairdeal.server.queries import count_unfinished, kept_table, mine_and_open, running_tables
from fairdeal.server.store import Store, chat, entries, guests, seats, tables
from fairdeal.table import fairness
from fairdeal.table.sitting import PERSON

MOST_TABLES = 20
"""Tables of one guest that are not over."""

LONGEST_CLOCK = 7 * 24 * 3600
KEPT = ("id", "game", "rules_version", "options", "host", "seed", "listed", "clock", "status", "made", "moved")
log = logging.getLogger(__name__)


class NoTable(FairdealError):
    """There is no table of this name."""


class TooMany(FairdealError):
    """A limit is reached."""


def nobody_told(live: LiveTable) -> None:
    """For a room that notifies nobody."""


class Room:
    """All tables. Those that nobody has looked at since the start are in the database only. `turned` is told of a table
    when it comes, and whenever the seats to act there may have changed; it must not wait for anything. With `compiles`
    the games that are played are compiled in the background; until then their rules run interpreted."""

    def __init__(
        self,
        store: Store,
        pause: float = 0.7,
        turned: Callable[[LiveTable], None] = nobody_told,
        compiles: bool = False,
    ) -> None:
        self.store = store
        self.pause = pause
        self.turned = turned
        self.compiles = compiles
        self.live: dict[str, LiveTable] = {}
        self.promises = Promises()
        self.loading: dict[str, asyncio.Task[LiveTable]] = {}

    # --- guests ---------------------------------------------------------------------------------------------

    async def name_of(self, guest: str) -> str:
        found = await self.store.read(
            lambda c: c.execute(sa.select(guests.c.name).where(guests.c.id == guest)).scalar()
        )
        return found or "Guest"

    async def rename(self, guest: str, name: str) -> str:
        cleaned = clean_name(name)

        def keep(connection: sa.Connection) -> None:
            changed = connection.execute(guests.update().where(guests.c.id == guest).values(name=cleaned))
            if not changed.rowcount:
                connection.execute(guests.insert().values(id=guest, name=cleaned))

        await self.store.write(keep)
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
        promise: str = "",
        nonce: str = "",
    ) -> LiveTable:
        """A new table. `promise` is one that was given before, and `nonce` your number, made after it. `chairs` says
        what plays at each seat: `you` once or never, `person`, or a bot's name; left out, you and greedy bots. Raises
        FairdealError, which says what would be right."""
        if await self.unfinished(guest) >= MOST_TABLES:
            raise TooMany(f"you have {MOST_TABLES} tables that are not over; finish or leave some first")
        if not 0 <= clock <= LONGEST_CLOCK:
            raise FairdealError(f"a clock has from 0 to {LONGEST_CLOCK} seconds")
        given = dict(options or {})
        if chairs and "players" not in given:
            given["players"] = len(chairs)
        table = table_for(game, given, preset)
        if nonce and not promise:
            raise FairdealError("a number proves nothing unless it is given after a promise: ask for one first")
        wanted = list(chairs) or ["you", *["greedy"] * (table.players - 1)]
        check_chairs(wanted, table.players)
        name = await self.name_of(guest)
        seed = self.promises.take(promise) if promise else fairness.new_seed()
        live = self.blank(
            id=new_id(),
            game=table.game.name,
            rules_version=table.game.rules_version,
            options=changed(table.options),
            title=table.game.title,
            name=f"{name}’s {table.game.title}",
            host=guest,
            seed=seed,
            places=places_for(wanted, guest, name, nonce, seed),
            listed=listed,
            clock=clock,
            made=time.time(),
            moved=time.time(),
        )
        await self.store.write(lambda c: insert_table(c, live))
        self.take_in(live)
        if live.is_full:
            await self.begin(live)
        return live

    def blank(self, **facts: Any) -> LiveTable:
        return LiveTable(
            append=self.store.append,
            keep_places=self.keep_places,
            finish=self.keep_status,
            turned=self.turned,
            pause=self.pause,
            **facts,
        )

    def take_in(self, live: LiveTable) -> None:
        """A table that is new here, or comes back to life."""
        self.live[live.id] = live
        self.turned(live)
        if self.compiles and live.status != "over" and not live.unreadable:
            compiled.compile_in_background(find_game(live.game))

    async def begin(self, live: LiveTable) -> None:
        """All seats are taken: deal."""
        live.deal()
        await self.keep_places(live)
        await self.keep_status(live)
        live.set_clocks()
        live.tell_facts()
        live.tell()
        live.wake()
        self.turned(live)

    async def unfinished(self, guest: str) -> int:
        return await self.store.read(lambda c: count_unfinished(c, guest))

    # --- sitting down ---------------------------------------------------------------------------------------

    async def join(self, live: LiveTable, guest: str, seat: int | None, nonce: str) -> None:
        """Take a free seat; who sits already stays where he is."""
        async with live.lock:
            if live.seat_of(guest) >= 0:
                return
            if live.status != "open":
                raise FairdealError("this game has begun; you can watch it")
            free = [place for place in live.places if place.plays == PERSON and not place.guest]
            place = next((place for place in free if seat in (None, place.seat)), None)
            if place is None:
                raise FairdealError("that seat is taken" if seat is not None else "no seat is free")
            name = await self.name_of(guest)
            place.guest, place.nonce = guest, checked_nonce(nonce)
            place.name = apart(name, [other.name for other in live.places if other is not place])
            for connection in live.connections:
                connection.seat = live.seat_of(connection.guest)
            await self.keep_places(live)
            if live.is_full:
                await self.begin(live)
            else:
                live.tell_facts()

    async def leave(self, live: LiveTable, guest: str) -> None:
        """Before the deal the seat is free again; after it a bot plays on, until the guest comes back."""
        seat = live.seat_of(guest)
        if seat < 0:
            return
        async with live.lock:
            place = live.places[seat]
            if live.status == "open":
                place.guest, place.name, place.nonce = None, "", ""
                for connection in live.connections:
                    connection.seat = live.seat_of(connection.guest)
                await self.keep_places(live)
                live.tell_facts()
            elif live.status == "running":
                await live.set_stand_in(place, on=True)

    async def start(self, live: LiveTable, guest: str) -> None:
        """The host does not wait: bots take the free seats."""
        async with live.lock:
            if live.host != guest:
                raise FairdealError("only who opened the table can start it")
            if live.status == "open":
                taken = [place.name for place in live.places if place.name]
                for place in live.places:
                    if place.plays == PERSON and not place.guest:
                        place.plays, place.nonce = "greedy", fairness.bot_nonce(live.seed, place.seat)
                        place.name = next(name for name in BOT_NAMES if name not in taken)
                        taken.append(place.name)
                await self.begin(live)

    # --- going on -------------------------------------------------------------------------------------------

    async def rematch(self, live: LiveTable, connection: Connection, nonce: str) -> None:
        """When all guests have asked, the same seats play again at a new table, whose seed was promised when this game
        ended."""
        if live.status != "over" or connection.seat < 0:
            raise FairdealError("a rematch can be asked for when the game is over, by who played it")
        if live.origin:
            raise FairdealError("a game that was played on from another has no rematch; open a new table")
        live.ready[connection.seat] = checked_nonce(nonce)
        wanted = {place.seat for place in live.places if place.guest and live.is_here(place)}
        if not live.rematch and wanted <= set(live.ready):
            again = self.blank(
                id=new_id(),
                game=live.game,
                rules_version=find_game(live.game).rules_version,
                options=live.options,
                title=live.title,
                name=live.name,
                host=live.host,
                seed=live.next_seed,
                places=[Place(p.seat, p.name, p.plays, p.guest, next_nonce(live, p)) for p in live.places],
                listed=live.listed,
                clock=live.clock,
                made=time.time(),
                moved=time.time(),
            )
            await self.store.write(lambda c: insert_table(c, again))
            self.take_in(again)
            await self.begin(again)
            live.rematch = again.id
            await self.keep_status(live)
        live.tell_facts()

    async def branch(self, live: LiveTable, guest: str, move: int, seat: int) -> LiveTable:
        """Play on from a move of a finished game, against bots. The header stays, and with it the deal."""
        if live.status != "over" or live.sitting is None:
            raise FairdealError("only a finished game can be played on from")
        if not 0 <= move < live.sitting.moves_made or not 0 <= seat < len(live.places):
            raise FairdealError("there is no such moment or seat")
        if await self.unfinished(guest) >= MOST_TABLES:
            raise TooMany(f"you have {MOST_TABLES} tables that are not over")
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
                Place(p.seat, p.name, p.plays, guest if p.seat == seat else None, p.nonce, stand_in=p.seat != seat)
                for p in live.places
            ],
            listed=False,
            made=time.time(),
            moved=time.time(),
            origin=(live.id, move),
        )
        again.places[seat].plays = live.places[seat].plays
        rows = [(n, played.seat, played.text, "") for n, played in enumerate(live.sitting.log.moves[:move], start=1)]
        again.replay(rows)
        again.bots.pop(seat, None)

        def keep(connection: sa.Connection) -> None:
            insert_table(connection, again)
            if rows:
                kept = [
                    {"table": again.id, "number": n, "seat": s, "text": t, "client": "", "at": again.made}
                    for n, s, t, _ in rows
                ]
                connection.execute(entries.insert(), kept)

        await self.store.write(keep)
        self.take_in(again)
        again.wake()
        return again

    # --- finding --------------------------------------------------------------------------------------------

    async def find(self, table: str) -> LiveTable:
        """A table, brought back to life if need be. Raises NoTable."""
        if table in self.live:
            return self.live[table]
        if table not in self.loading:
            self.loading[table] = asyncio.create_task(self.load(table))
        try:
            return await asyncio.shield(self.loading[table])
        finally:
            self.loading.pop(table, None)

    async def load(self, table: str) -> LiveTable:
        kept = await self.store.read(lambda c: kept_table(c, table))
        if kept is None:
            raise NoTable(f"there is no table {table!r}")
        row = kept.table
        live = self.blank(
            **{key: row[key] for key in KEPT},
            title=find_title(row["game"]),
            name=row["title"],
            rematch=row["rematch"] or "",
            origin=tuple(row["origin"]) if row["origin"] else None,
            places=[Place(p["seat"], p["name"], p["plays"], p["guest"], p["nonce"], p["stand_in"]) for p in kept.seats],
            chat=[m.Said(line["seat"], line["name"], line["text"], line["at"]) for line in kept.chat[-200:]],
        )
        if live.status != "open":
            try:
                await asyncio.to_thread(live.replay, kept.entries)
                if live.origin:
                    own = live.seat_of(live.host)
                    live.bots.pop(own, None)
                if live.status != row["status"]:  # the room ended between the last move and the end
                    await self.keep_status(live)
            except FairdealError as problem:
                live.status = row["status"]  # dealing again has changed it
                live.keep_readable(kept.entries, row["result"], str(problem))
                log.warning("table %s does not replay: %s", live.id, problem)
        self.take_in(live)
        if live.status == "open" and live.is_full:  # the room ended between the last chair and the deal
            await self.begin(live)
        live.set_clocks()
        live.wake()
        return live

    async def revive(self) -> None:
        """After a start: bring back all running tables, so that their bots play on."""
        for table in await self.store.read(running_tables):
            with contextlib.suppress(FairdealError):
                await self.find(table)

    async def listing(self, guest: str) -> tuple[list[LiveTable], list[LiveTable]]:
        """The guest's own tables and the open ones, newest first."""
        mine, free = await self.store.read(lambda c: mine_and_open(c, guest))
        own = [await self.find(table) for table in mine]
        return own, [await self.find(table) for table in free if table not in mine]

    # --- keeping --------------------------------------------------------------------------------------------

    async def keep_places(self, live: LiveTable) -> None:
        rows = place_rows(live)

        def keep(connection: sa.Connection) -> None:
            connection.execute(seats.delete().where(seats.c.table == live.id))
            connection.execute(seats.insert(), rows)

        await self.store.write(keep)

    async def keep_status(self, live: LiveTable) -> None:
        values = {
            "status": live.status,
            "rematch": live.rematch or None,
            "moved": live.moved,
            "result": list(live.sitting.state.scores) if live.sitting and live.status == "over" else None,
        }
        await self.store.write(lambda c: c.execute(tables.update().where(tables.c.id == live.id).values(**values)))

    async def keep_line(self, live: LiveTable, said: m.Said) -> None:
        row = {"table": live.id, "seat": said.seat, "name": said.name, "text": said.text, "at": said.at}
        await self.store.write(lambda c: c.execute(chat.insert().values(**row)))
