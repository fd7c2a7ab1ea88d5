"""Evenings: tournaments by link, in rounds of a game.

Stored are the evening, its players, and which table belongs to which round. Standings follow from the finished tables,
and the tables of a round from these (`extras.pairings`). A player keeps their place to the end: an opponent of the room
plays on for those who leave or do not come, and those who come late take over the place of an opponent. Nothing runs by
a clock: what is due happens before a request is answered, in whichever process that is, so that nothing is lost when
the room stops.
"""

import contextlib
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import changed
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import table_for
from fairdeal.protocol import bodies as b
from fairdeal.server.api.opening import HELD, check_clock, check_opening, new_id
from fairdeal.server.extras.pairings import Entrant, Table, balanced, standings, swiss
from fairdeal.server.limits import TooMany
from fairdeal.server.long_work import Client
from fairdeal.server.room import NoTable, Room
from fairdeal.server.storage.own_data import evenings_for
from fairdeal.server.storage.queries import UNFINISHED, unfinished
from fairdeal.server.storage.store import NotSaved, alone, entrants, evenings, put, seats, tables
from fairdeal.server.tables.dealing import go_on
from fairdeal.server.tables.guests import name_of
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.new_seats import fill, opponents
from fairdeal.server.tables.saving import insert_table
from fairdeal.server.tables.seating import leave
from fairdeal.server.tables.seats import Place, Seats, bot_place
from fairdeal.server.tables.terms import Terms, title_of
from fairdeal.table import fairness
from fairdeal.table.names import apart, isolated, shown
from fairdeal.table.sitting import PERSON

BREAK = 20.0
"""Seconds from the end of the last game of a round to the next round."""

NO_SHOW = 180.0
"""Seconds from the beginning of a round after which opponents of the room play for absent players."""

MOST_PLAYERS, MOST_OF_ONE = 64, 5
"""Maximum number of players at an evening, and of evenings of one host that are not over."""

SCALES = {"chip-it": (4.0, 2.0, 1.0)}
"""Points by place where the rulebook has them (CHIP-71). At other tables of more than two, and always at tables of two,
they are one for each player behind."""


class Stored(NamedTuple):
    """An evening as stored, for a guest: its row, its players, the tables of the current round, how many seats a round
    needs now, the guest as a player, and what the guest sees."""

    row: Any
    players: list[Entrant]
    now: list[Any]
    seats: int
    own: Entrant | None
    seen: b.Evening


def name_in(row: Any) -> str:
    """Return the name of an evening, which is that of its host, if there is one with a name."""
    return f"{isolated(shown(row.by))}’s evening" if row.by else "An evening"


def stored(connection: sa.Connection, evening: str, guest: str = "") -> Stored:
    """Return an evening for a guest. If its host has deleted their data, every player may run it. A game whose table
    was deleted before its end has no places. A round robin has one round less than seats, whose number does not
    change once it runs. Raises NoTable if there is no evening with this id."""
    row = connection.execute(evenings_for(guest).where(evenings.c.id == evening)).first()
    if row is None:
        raise NoTable(f"there is no evening {evening!r}")
    found = connection.execute(sa.select(entrants).where(entrants.c.evening == evening).order_by(entrants.c.number))
    players = [Entrant(*one) for one in found]
    own = next((one for one in players if one.guest == guest), None)
    of_evening = sa.select(tables).where(tables.c.evening == evening)
    there = {table.id: table for table in connection.execute(of_evening)}
    sits = of_evening.join(seats).where(unfinished, seats.c.guest == guest).order_by(tables.c.made.desc())
    games = tuple(
        b.EveningGame(table, number, tuple(numbers), tuple(there[table].places or ()))
        for table, number, numbers in row.played
    )
    now = [there[game.table] for game in games if game.round == games[-1].round]
    size = row.options["players"]
    places = max(2, -(-len(players) // size)) * size  # of whole tables, at least of two
    scale = SCALES.get(row.game, ()) if size > 2 else ()
    seen = b.Evening(
        id=evening,
        name=name_in(row),
        title=title_of(row.game),
        form="mixed tables" if size > 2 else "Swiss" if row.rounds else "round robin",
        rounds=row.rounds or places - 1,
        round=games[-1].round if games else 0,
        scale=scale,
        state=row.state,
        began=now[0].made if now else 0.0,
        host=row.host == guest or (not row.host and own is not None),
        you=own.number if own and not own.left else 0,
        table=connection.execute(sits).scalar() or "",
        players=standings(players, games, scale),
        games=games,
    )
    return Stored(row, players, now, places, own, seen)


async def change(
    room: Room, evening: str, work: Callable[[sa.Connection, Stored], dict[str, Any] | None], guest: str = ""
) -> None:
    """Change an evening as it is stored now, while no other process does. `work` returns the new values of its row, if
    there are any."""

    def keep(connection: sa.Connection) -> None:
        alone(connection, f"evening {evening}")
        if values := work(connection, stored(connection, evening, guest)):
            connection.execute(evenings.update().where(evenings.c.id == evening).values(**values))

    await room.store.write(keep)


# --- to open an evening, enter and leave ------------------------------------------------------------------------


async def open_evening(room: Room, guest: str, wish: b.NewEvening) -> str:
    """Open an evening, and return its id. Raises FairdealError with a message that names valid values."""
    await check_opening(room, guest)
    table = await room.work.do(Client(guest, guest), table_for, wish.game, wish.options, wish.preset)
    check_clock(table, wish.clock)
    if table.players < 2 or (table.players > 2 and not wish.rounds):
        raise FairdealError(f"{table.players} at a table: an evening needs two or more, and a round robin two")
    evening = new_id()

    def keep(connection: sa.Connection) -> None:
        alone(connection, guest)
        own = evenings.c.host == guest, evenings.c.state != "over"
        if len(connection.execute(sa.select(evenings.c.id).where(*own)).all()) >= MOST_OF_ONE:
            raise TooMany(f"you have {MOST_OF_ONE} evenings that are not over; end one of them")
        values = evenings.insert().values(
            id=evening,
            host=guest,
            game=table.game.name,
            options=changed(table.options) | {"players": table.players},
            rounds=wish.rounds,
            clock=wish.clock,
            state="open",
            played=[],
            made=time.time(),
        )
        connection.execute(values)

    await room.store.write(keep)
    return evening


async def enter(room: Room, guest: str, evening: str) -> None:
    """Add a guest to the players, or let one who has left play again."""
    name = await name_of(room.store, guest)

    def keep(connection: sa.Connection, found: Stored) -> None:
        players, own = found.players, found.own
        if own is None:
            number = next((one.number for one in players if one.plays != PERSON), len(players) + 1)
            if number > len(players) and found.now and not found.row.rounds:
                raise FairdealError("all places of this round robin are taken; you can watch")
            if number > MOST_PLAYERS:
                raise TooMany(f"an evening has at most {MOST_PLAYERS} players")
            own = Entrant(evening, number, guest, apart(name, [one.name for one in players]), PERSON)
        put(connection, entrants, **own._replace(left=False)._asdict())

    await change(room, evening, keep, guest)


async def part(room: Room, found: Stored, guest: str) -> None:
    """Let an opponent play on for a player."""
    if found.own is None:
        raise FairdealError("you have not entered this evening")
    gone = found.own._replace(left=True)._asdict()
    await change(room, found.row.id, lambda c, _: put(c, entrants, **gone))
    if found.seen.table:
        await leave(await room.find(found.seen.table), guest)


# --- rounds -----------------------------------------------------------------------------------------------------


async def begin_round(room: Room, found: Stored) -> None:
    """Begin the next round."""
    if room.house.holds:
        raise FairdealError(HELD)
    number = found.seen.round + 1
    if number > found.seen.rounds:
        raise FairdealError("this is the last round; end the evening")
    players, pairs = await room.work.do(Client("", f"evening {found.row.id}"), planned, found)

    def keep(connection: sa.Connection, now: Stored) -> dict[str, Any]:
        if (now.players, now.row.played, now.row.state) != (found.players, found.row.played, found.row.state):
            raise NotSaved("the evening has just changed; look again")
        for one in players[len(found.players) :]:
            put(connection, entrants, **one._asdict())
        played = [*now.row.played]
        for place, numbers in enumerate(pairs, 1):
            name = f"Evening, round {number}, table {place}"
            table = open_table(connection, now.row, name, [players[one - 1] for one in numbers])
            played.append((table, number, numbers))
        return {"played": played, "state": "running"}

    await change(room, found.row.id, keep)


def planned(found: Stored) -> tuple[list[Entrant], list[Table]]:
    """Return the players, with the opponents of the room who fill up, and the tables of the next round."""
    row, seen, count = found.row, found.seen, len(found.players)
    more = opponents(row.game, found.seats - count, found.players)
    players = found.players + [Entrant(row.id, number, None, *one) for number, one in enumerate(more, count + 1)]
    numbers, size = range(1, found.seats + 1), row.options["players"]
    if size > 2:
        return players, balanced(numbers, size, seen.games, random.Random(f"{row.id} {seen.round}"))
    if row.rounds:
        return players, swiss(numbers, seen.games, row.rounds)
    from caissify_pairings.engines.round_robin import berger_round

    return players, berger_round(found.seats, seen.round + 1)  # the Berger tables of FIDE


def open_table(connection: sa.Connection, row: Any, name: str, players: list[Entrant]) -> str:
    """Open a table of an evening, whose host is the first guest there, and return its id. Where a player has left, an
    opponent of the room sits."""
    terms = Terms(
        id=new_id(),
        game=row.game,
        rules_version=find_game(row.game).rules_version,
        options=row.options,
        name=name,
        host=next((one.guest for one in players if one.guest), row.host),
        seed=fairness.new_seed(),
        clock=row.clock,
        listed=False,
        waits=False,
        made=time.time(),
        evening=row.id,
    )
    places = Seats(
        [
            bot_place(seat, one.name, one.plays, terms.seed)
            if one.plays != PERSON
            else Place(seat)
            if one.left
            else Place(seat, one.name, PERSON, one.guest)
            for seat, one in enumerate(players)
        ]
    )
    fill(places, terms)
    insert_table(connection, terms, places, "open", terms.made)
    return terms.id


async def replace_absent(live: LiveTable) -> None:
    """Let opponents of the room play for absent players until they come, and for those whose seat is free."""
    async with live.changing():
        absent = [place for place in live.seats if not live.audience.is_here(place) and not live.grace(place)]
        if live.status == "open":
            for place in absent:
                place.hash = place.hash or ""
            fill(live.seats, live.terms)
            await live.keep_places()
            await go_on(live)
        for place in absent:
            await live.set_stand_in(place, on=True)


async def bring_up(room: Room, found: Stored) -> bool:
    """Do what is due at a running evening. Return whether something was done."""
    if found.row.state != "running":
        return False
    now, going_on = time.time(), [table for table in found.now if table.status in UNFINISHED]
    if not going_on:
        if now < max(table.moved for table in found.now) + BREAK:
            return False
        if found.seen.round < found.seen.rounds:
            await begin_round(room, found)
        else:
            await change(room, found.row.id, lambda *_: {"state": "over"})
        return True
    for table in going_on:
        with contextlib.suppress(FairdealError):  # another worker has it
            live = await room.find(table.id, asks=False)  # where bots go on
            if now >= table.made + NO_SHOW:
                await replace_absent(live)
    return False


STATES = {"pause": "paused", "resume": "running", "end": "over"}


async def do(room: Room, guest: str, evening: str, act: b.EveningAct) -> None:
    """Carry out what a guest asks for at an evening. Raises FairdealError if they may not, or if it is not possible
    now."""
    found = await room.store.read(lambda c: stored(c, evening, guest))
    if act.do == "leave":
        await part(room, found, guest)
    elif found.row.state == "over":
        raise FairdealError("this evening is over")
    elif act.do == "enter":
        await enter(room, guest, evening)
    elif not found.seen.host:
        raise FairdealError("only the host of the evening can do that")
    elif act.do == "start":
        await begin_round(room, found)
    elif act.do != "end" and not found.now:
        raise FairdealError("the evening has not started")
    else:
        await change(room, evening, lambda *_: {"state": STATES[act.do]})


# --- what is shown ----------------------------------------------------------------------------------------------


async def view(room: Room, guest: str, evening: str) -> b.Evening:
    """Return an evening for a guest, after what is due."""
    found = await room.store.read(lambda c: stored(c, evening, guest))
    with contextlib.suppress(FairdealError):  # shown as it is; tried again with the next request
        if await bring_up(room, found):
            found = await room.store.read(lambda c: stored(c, evening, guest))
    return found.seen


def in_short(connection: sa.Connection, guest: str) -> dict[str, str]:
    """Return the evenings of a guest that are not over, by their ids."""
    own = evenings.c.state != "over", sa.or_(evenings.c.host == guest, ~entrants.c.left)
    query = evenings_for(guest).where(*own).order_by(evenings.c.made.desc()).limit(MOST_OF_ONE)
    return {row.id: f"{name_in(row)}: {title_of(row.game)}" for row in connection.execute(query)}
