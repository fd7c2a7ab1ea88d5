"""Open tables: a new table, a rematch, or a branch that continues a finished game after one of its moves."""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from fairdeal.bots.company import company
from fairdeal.bots.registry import usual_bot
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import changed
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import Table, table_for
from fairdeal.server.long_work import Client
from fairdeal.server.room import Room
from fairdeal.server.storage.links import is_invited
from fairdeal.server.storage.queries import Entry, check_tables, is_used
from fairdeal.server.storage.ratings import check_rated
from fairdeal.server.storage.store import alone
from fairdeal.server.tables.audience import Connection
from fairdeal.server.tables.dealing import go_on
from fairdeal.server.tables.guests import name_of
from fairdeal.server.tables.live import LiveTable, acts_of
from fairdeal.server.tables.new_seats import places_again, places_for, seats_for
from fairdeal.server.tables.saving import insert_entries, insert_table, keep_acts, keep_values
from fairdeal.server.tables.seats import Seats, checked_hash
from fairdeal.server.tables.terms import Origin, Terms
from fairdeal.table import fairness
from fairdeal.table.clocks import DAY, lasts
from fairdeal.table.log import FORMAT, Log
from fairdeal.table.names import isolated

LONGEST_CLOCK = 7 * 24 * 3600

LONG_OPTIONS = 1000
"""Maximum length, in characters, of options that are parsed in the event loop. Longer options, such as lists of cards,
are parsed in a thread."""

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def new_id() -> str:
    """Return a random id of ten letters and digits (49 bits) without characters that are easily misread."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


HELD = "the keeper of this room lets no new tables be opened at the moment"
NOT_INVITED = "only invited guests can open tables in this room; ask its keeper, or a friend for the link of a table"


async def is_shut_out(room: Room, guest: str) -> bool:
    """Return whether the room is for invited guests only, and this guest is not one of them."""
    return room.house.invited_only and not await room.store.read(lambda c: is_invited(c, guest))


async def check_opening(room: Room, guest: str) -> None:
    """Raise FairdealError if a guest cannot open a table now."""
    if room.house.holds:
        raise FairdealError(HELD)
    if await is_shut_out(room, guest):
        raise FairdealError(NOT_INVITED)
    await room.store.read(lambda c: check_tables(c, guest, room.limits.settings.tables))


async def open_table(
    room: Room,
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
    calm: bool = False,
    rated: bool = False,
) -> LiveTable:
    """Open a new table.

    ticket  ticket of a commitment of the room
    hash    the guest's commitment to a nonce, made after the room's
    waits   whether the deal waits until all nonces are revealed
    calm    whether races are calm
    rated   whether the result counts for ratings
    chairs  player at each seat: `you` at most once, `person`, or a bot's name (default: you, the game's usual opponent,
            and its company)

    Raises FairdealError with a message that names valid values.
    """
    await check_opening(room, guest)
    given = dict(options or {})
    if chairs and "players" not in given:
        given["players"] = len(chairs)
    if len(repr(given)) > LONG_OPTIONS:
        table = await room.work.do(Client(guest, guest), table_for, game, given, preset)
    else:
        table = table_for(game, given, preset)
    check_clock(table, clock)
    if hash and not ticket:
        raise FairdealError("a nonce must be made after the room's commitment; request a commitment first")
    usual = company(usual_bot(table.game), table.players - 1, table.game)
    wanted = seats_for(table, list(chairs) or ["you", *usual])
    if rated:
        await room.store.read(lambda c: check_rated(c, guest, table.game, wanted))
    seed = room.keys.promised(guest, ticket) if ticket else fairness.new_seed()

    def keep(connection: sa.Connection, opened: str) -> None:
        if ticket and is_used(connection, seed, opened):
            raise FairdealError("this commitment has already been used to open a table; request another")

    terms: Any = {"seed": seed, "listed": listed, "clock": clock, "waits": waits, "calm": calm, "rated": rated}
    return await seat_at(room, guest, table, wanted, keep, hash=hash, **terms)


async def seat_at(
    room: Room,
    guest: str,
    table: Table,
    chairs: Sequence[str],
    keep: Callable[[sa.Connection, str], None],
    title: str = "",
    hash: str = "",
    **terms: Any,
) -> LiveTable:
    """Open a table for a guest with these players and terms. `keep` is called with its id in the transaction that
    saves it."""
    name = await name_of(room.store, guest)
    made = Terms(
        id=new_id(),
        game=table.game.name,
        rules_version=table.game.rules_version,
        options=changed(table.options),
        name=title or f"{isolated(name)}’s {table.game.title}",
        host=guest,
        made=time.time(),
        **terms,
    )
    live = LiveTable(made, Seats(places_for(chairs, guest, name, hash, made.seed)), room)

    def save(connection: sa.Connection) -> None:
        alone(connection, guest)
        check_tables(connection, guest, room.limits.settings.tables)  # check again, as requests may run concurrently
        insert_table(connection, made, live.seats, live.status, live.moved)
        keep(connection, live.id)

    await room.add(live, save)
    async with live.lock:
        await go_on(live)
    await room.send_on(live)
    return live


def check_clock(table: Table, clock: int) -> None:
    """Check that the players of a table can have a clock of some seconds. Raises FairdealError otherwise."""
    if not 0 <= clock <= LONGEST_CLOCK:
        raise FairdealError(f"a clock must be from 0 to {LONGEST_CLOCK} seconds")
    if clock >= DAY and (hurry := hurries(table)):
        raise FairdealError(f"{table.game.title} cannot have a clock in days: {hurry}; choose a shorter clock, or none")


def hurries(table: Table) -> str:
    """Return why the players of a table must be here at the same time, or an empty string."""
    if table.game.calm_race or table.game.has_windows:
        return "in its races and windows, players answer within seconds"
    return "its rounds have a time limit" if lasts(table.deal(0), calm=False) else ""


async def rematch(room: Room, live: LiveTable, connection: Connection, hash: str) -> None:
    """Record a player's request for a rematch, and open the rematch once all guests have asked. The room committed to
    the seed of the rematch when this game ended. This must be called within `live.changing`."""
    if not live.is_over or connection.seat < 0:
        raise FairdealError("only players can ask for a rematch, and only when the game is over")
    if room.house.holds:
        raise FairdealError(HELD)
    if live.terms.daily:
        raise FairdealError("there is no rematch of the deal of the day")
    if live.terms.evening:
        raise FairdealError("there is no rematch at an evening: the next round decides who plays whom")
    if live.terms.origin:
        raise FairdealError("a game that continues another game cannot have a rematch; open a new table")
    place = live.seats[connection.seat]
    if place.ready != checked_hash(hash):
        room.limits.spend("open", connection.guest, connection.address)
        place.ready = checked_hash(hash)
        await live.keep_places()
    await form_rematch(room, live)


async def form_rematch(room: Room, live: LiveTable) -> None:
    """Open the rematch if all guests who are present have asked for it. This must be called within `live.changing`."""
    ready = live.seats.ready
    here = {place.seat for place in live.seats if place.guest and live.audience.is_here(place)}
    if ready and not live.rematch and here and here <= set(ready):
        seed = room.keys.next_seed(live.id)
        version = find_game(live.terms.game).rules_version
        terms = replace(live.terms, id=new_id(), seed=seed, rules_version=version, made=time.time(), format=FORMAT)
        again = LiveTable(terms, Seats(places_again(live.seats, seed)), room)

        def keep(connection: sa.Connection) -> None:
            insert_table(connection, terms, again.seats, again.status, again.moved)
            keep_values(connection, live.id, rematch=again.id)

        await room.add(again, keep, live.tenure)
        live.rematch = again.id
        async with again.lock:
            await go_on(again)
        await room.send_on(again)
    live.tell_facts()


async def branch(room: Room, live: LiveTable, guest: str, move: int, seat: int) -> LiveTable:
    """Open a branch: a table that continues a finished game after one of its moves, against bots. The header and the
    deal are those of the finished game."""
    if not live.is_over or live.sitting is None:
        raise FairdealError("you can continue only a finished game")
    if live.is_sealed:
        raise FairdealError("you can continue the deal of a day when it is closed")
    if not 0 <= move < live.sitting.moves_made or not 0 <= seat < len(live.seats):
        raise FairdealError("there is no such move or seat")
    await check_opening(room, guest)
    origin = origin_at(live, live.sitting.log, move)
    terms = replace(
        live.terms,
        id=new_id(),
        name=f"{live.terms.name}, from move {move}",
        host=guest,
        clock=0,
        listed=False,
        made=time.time(),
        origin=origin,
        evening=None,
    )
    places = [
        replace(place, guest=guest if place.seat == seat else None, stand_in=place.seat != seat, calm=False, ready=None)
        for place in live.seats
    ]
    again = LiveTable(terms, Seats(places, live.seats.attempt, live.seats.failed), room)
    rows, made = [], replace(live.sitting.log, entries=[], moves=[])
    for number, entry in enumerate(live.sitting.log.entries[: origin.entry], start=1):
        made.add(entry)
        rows.append(Entry.of(number, entry, terms.made, hidden=made.hidden_by_seat()))
    await room.replay(again, rows)

    def keep(connection: sa.Connection) -> None:
        check_tables(connection, guest, room.limits.settings.tables)
        insert_table(connection, terms, again.seats, again.status, again.moved)
        insert_entries(connection, again.id, rows)
        keep_acts(connection, again.id, len(rows), acts_of(again.sitting.state) if again.sitting else None)

    await room.add(again, keep)
    again.wake()
    await room.send_on(again)
    return again


def origin_at(live: LiveTable, written: Log, move: int) -> Origin:
    """Return the origin of a branch after move `move`, not counting undone moves."""
    last = written.moves[move - 1] if move else None
    entry = next((n for n, one in enumerate(written.entries, start=1) if one is last), 0)
    dealt = live.terms.origin.dealt if live.terms.origin else live.id
    return Origin(live.id, move, entry, written.chains()[entry], dealt)
