"""Evenings: tournaments by link, in rounds of a game.

Stored are the evening, its players, and which table belongs to which round. Standings follow from the finished tables,
and the tables of a round from these (`extras.pairings`). A player keeps their place to the end: an opponent of the room
plays on for those who leave or do not come, and those who come late take over the place of an opponent. Nothing runs by
a clock: what is due happens before a request is answered, in whichever process that is, so that nothing is lost when
the room stops.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import sqlalchemy as sa

from fairdeal.bots.company import company
from fairdeal.bots.levels import seated
from fairdeal.bots.registry import usual_bot
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import changed
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import table_for
from fairdeal.protocol import bodies as b
from fairdeal.server.api.clearing import at
from fairdeal.server.api.opening import HELD, check_clock, check_opening, new_id
from fairdeal.server.extras.pairings import Entrant, Table, balanced, robin, standings, swiss
from fairdeal.server.limits import TooMany
from fairdeal.server.long_work import Client
from fairdeal.server.room import NoTable, Room
from fairdeal.server.storage.queries import UNFINISHED, unfinished
from fairdeal.server.storage.store import NotSaved, alone, entrants, evenings, guests, put, seats, tables
from fairdeal.server.tables.dealing import go_on
from fairdeal.server.tables.guests import name_of
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.new_seats import fill, name_for
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
    """An evening as stored, its games so far, the rows of the tables of the current round, and the unfinished table of
    each guest. The game of a table that was deleted before its end has no places."""

    row: Any
    players: list[Entrant]
    games: tuple[b.EveningGame, ...]
    now: list[Any]
    sits: dict[str, str]

    @property
    def size(self) -> int:
        """The number of players at a table."""
        return int(self.row.options["players"])

    @property
    def seats(self) -> int:
        """The number of seats that a round needs now: those of whole tables, at least of two."""
        return max(2, -(-len(self.players) // self.size)) * self.size

    @property
    def rounds(self) -> int:
        """The number of rounds. That of a round robin follows from its players, of which none is new once it runs."""
        return int(self.row.rounds or self.seats - 1)

    @property
    def round(self) -> int:
        """The number of the current round, 0 before the first one."""
        return self.games[-1].round if self.games else 0

    def is_host(self, guest: str) -> bool:
        """Return whether a guest may run the evening. If its host has deleted their data, every player may."""
        return self.row.host == guest or (not self.row.host and self.of(guest) is not None)

    def of(self, guest: str) -> Entrant | None:
        return next((one for one in self.players if one.guest == guest), None)


with_host = sa.select(evenings, guests.c.name.label("by")).outerjoin(guests, guests.c.id == evenings.c.host)
"""The evenings with the names of their hosts."""


def name_in(row: Any) -> str:
    """Return the name of an evening, which is that of its host, if there is one with a name."""
    return f"{isolated(shown(row.by))}’s evening" if row.by else "An evening"


def stored(connection: sa.Connection, evening: str) -> Stored:
    """Return an evening. Raises NoTable if there is none with this id."""
    row = connection.execute(with_host.where(evenings.c.id == evening)).first()
    if row is None:
        raise NoTable(f"there is no evening {evening!r}")
    players = connection.execute(sa.select(entrants).where(entrants.c.evening == evening).order_by(entrants.c.number))
    own = sa.select(tables).where(tables.c.evening == evening).order_by(tables.c.made)
    there = {table.id: table for table in connection.execute(own)}
    sitting = own.with_only_columns(seats.c.guest, seats.c.table).join(seats).where(unfinished)
    games = tuple(
        b.EveningGame(table, number, tuple(numbers), tuple(there[table].places or ()))
        for table, number, numbers in row.played
    )
    now = [there[game.table] for game in games if game.round == games[-1].round]
    return Stored(row, [Entrant(*one) for one in players], games, now, dict(connection.execute(sitting).all()))


async def change(room: Room, evening: str, work: Callable[[sa.Connection, Stored], None]) -> None:
    """Change an evening as it is stored now, while no other process does."""

    def keep(connection: sa.Connection) -> None:
        alone(connection, f"evening {evening}")
        work(connection, stored(connection, evening))

    await room.store.write(keep)


def set_values(connection: sa.Connection, evening: str, **values: Any) -> None:
    connection.execute(evenings.update().where(evenings.c.id == evening).values(**values))


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
        players, own = found.players, found.of(guest)
        if own is None:
            number = next((one.number for one in players if one.plays != PERSON), len(players) + 1)
            if number > len(players) and found.games and not found.row.rounds:
                raise FairdealError("all places of this round robin are taken; you can watch")
            if number > MOST_PLAYERS:
                raise TooMany(f"an evening has at most {MOST_PLAYERS} players")
            own = Entrant(evening, number, guest, apart(name, [one.name for one in players]), PERSON)
        put(connection, entrants, **own._replace(left=False)._asdict())

    await change(room, evening, keep)


async def part(room: Room, found: Stored, guest: str) -> None:
    """Let an opponent play on for a player."""
    own = found.of(guest)
    if own is None:
        raise FairdealError("you have not entered this evening")
    gone = own._replace(left=True)._asdict()
    await change(room, own.evening, lambda c, _: put(c, entrants, **gone))
    if table := found.sits.get(guest):
        await at(room, table, "running", lambda live: leave(live, guest))


# --- rounds -----------------------------------------------------------------------------------------------------


async def begin_round(room: Room, found: Stored) -> None:
    """Begin the next round."""
    if room.house.holds:
        raise FairdealError(HELD)
    if found.round >= found.rounds:
        raise FairdealError("this is the last round; end the evening")
    players, pairs = await room.work.do(Client("", f"evening {found.row.id}"), planned, found)

    def keep(connection: sa.Connection, now: Stored) -> None:
        if (now.players, now.round, now.row.state) != (found.players, found.round, found.row.state):
            raise NotSaved("the evening has just changed; look again")
        for one in players[len(found.players) :]:
            put(connection, entrants, **one._asdict())
        played, number = [*now.row.played], found.round + 1
        for place, numbers in enumerate(pairs, 1):
            name = f"Evening, round {number}, table {place}"
            table = open_table(connection, now.row, name, [players[one - 1] for one in numbers])
            played.append((table, number, numbers))
        set_values(connection, now.row.id, played=played, state="running")

    await change(room, found.row.id, keep)


def planned(found: Stored) -> tuple[list[Entrant], list[Table]]:
    """Return the players, with the opponents of the room who fill up, and the tables of the next round."""
    row, players, game = found.row, [*found.players], find_game(found.row.game)
    plays = [one.plays for one in players if one.plays != PERSON]
    for word in company(usual_bot(game), found.seats - len(players), game, plays):
        name = name_for(word, [one.name for one in players])
        players.append(Entrant(row.id, len(players) + 1, None, name, seated(word, game)))
    numbers = [one.number for one in players]
    if found.size > 2:
        return players, balanced(numbers, found.size, found.games, random.Random(f"{row.id} {found.round}"))
    if row.rounds:
        return players, swiss(numbers, found.games, row.rounds)
    return players, robin(len(players), found.round + 1)


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
    places = Seats([])
    for seat, one in enumerate(players):
        if one.plays != PERSON:
            places.places.append(bot_place(seat, one.name, one.plays, terms.seed))
        else:
            places.places.append(Place(seat) if one.left else Place(seat, one.name, PERSON, one.guest))
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
        if found.round < found.rounds:
            await begin_round(room, found)
        else:
            await change(room, found.row.id, lambda c, now: set_values(c, now.row.id, state="over"))
        return True
    for table in going_on:
        if now >= table.made + NO_SHOW:
            with contextlib.suppress(FairdealError):  # another worker has it
                await at(room, table.id, "running", replace_absent, asks=False)
        elif table.id not in room.held:
            await room.wake(table.id)
    return False


STATES = {"pause": "paused", "resume": "running", "end": "over"}


async def do(room: Room, guest: str, evening: str, act: b.EveningAct) -> None:
    """Carry out what a guest asks for at an evening. Raises FairdealError if they may not, or if it is not possible
    now."""
    found = await room.store.read(lambda c: stored(c, evening))
    if act.do == "leave":
        await part(room, found, guest)
    elif found.row.state == "over":
        raise FairdealError("this evening is over")
    elif act.do == "enter":
        await enter(room, guest, evening)
    elif not found.is_host(guest):
        raise FairdealError("only the host of the evening can do that")
    elif act.do == "start":
        await begin_round(room, found)
    elif act.do != "end" and not found.games:
        raise FairdealError("the evening has not started")
    else:
        await change(room, evening, lambda c, _: set_values(c, evening, state=STATES[act.do]))


# --- what is shown ----------------------------------------------------------------------------------------------


async def view(room: Room, guest: str, evening: str) -> b.Evening:
    """Return an evening for a guest, after what is due."""
    found = await room.store.read(lambda c: stored(c, evening))
    with contextlib.suppress(FairdealError):  # shown as it is; tried again with the next request
        if await bring_up(room, found):
            found = await room.store.read(lambda c: stored(c, evening))
    row, own = found.row, found.of(guest)
    scale = SCALES.get(row.game, ()) if found.size > 2 else ()
    return b.Evening(
        id=row.id,
        name=name_in(row),
        title=title_of(row.game),
        form="mixed tables" if found.size > 2 else "Swiss" if row.rounds else "round robin",
        rounds=found.rounds,
        round=found.round,
        scale=scale,
        state=row.state,
        began=found.now[0].made if found.now else 0.0,
        host=found.is_host(guest),
        you=own.number if own and not own.left else 0,
        table=found.sits.get(guest, ""),
        players=standings(found.players, found.games, scale),
        games=found.games,
    )


def in_short(connection: sa.Connection, guest: str) -> dict[str, str]:
    """Return the evenings of a guest that are not over, by their ids."""
    plays = sa.select(entrants.c.evening).where(entrants.c.guest == guest, ~entrants.c.left)
    own = evenings.c.state != "over", sa.or_(evenings.c.host == guest, evenings.c.id.in_(plays))
    query = with_host.where(*own).order_by(evenings.c.made.desc()).limit(MOST_OF_ONE)
    return {row.id: f"{name_in(row)}: {title_of(row.game)}" for row in connection.execute(query)}
