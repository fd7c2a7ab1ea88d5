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
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
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
from fairdeal.server.extras.pairings import Game, Table, balanced, robin, standings, swiss
from fairdeal.server.limits import TooMany
from fairdeal.server.long_work import Client
from fairdeal.server.room import NoTable, Room
from fairdeal.server.storage.store import NotSaved, alone, entrants, evenings, put, seats, tables
from fairdeal.server.tables.dealing import go_on
from fairdeal.server.tables.guests import name_of
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.new_seats import name_for
from fairdeal.server.tables.saving import insert_table
from fairdeal.server.tables.seating import leave
from fairdeal.server.tables.seats import Place, Seats, bot_place
from fairdeal.server.tables.terms import Terms, title_of
from fairdeal.table import fairness
from fairdeal.table.names import apart, isolated
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


class Entrant(NamedTuple):
    """A player of an evening, as stored."""

    number: int
    guest: str | None
    name: str
    plays: str
    left: bool = False


class Stored(NamedTuple):
    """An evening as stored, and its tables by their ids."""

    row: Any
    players: list[Entrant]
    rounds: list[dict[str, Table]]
    tables: dict[str, Any]

    @property
    def size(self) -> int:
        return int(self.row.options["players"])

    @property
    def scale(self) -> tuple[float, ...]:
        return SCALES.get(self.row.game, ()) if self.size > 2 else ()

    @property
    def games(self) -> list[Game]:
        """All games so far. That of a table that was deleted before its end has no places."""
        return [
            Game(number, players, self.tables[table].places or ())
            for number, played in enumerate(self.rounds, 1)
            for table, players in played.items()
        ]

    @property
    def now(self) -> dict[str, Table]:
        """The tables of the current round, with their players."""
        return self.rounds[-1] if self.rounds else {}

    @property
    def going_on(self) -> list[str]:
        """The unfinished tables of the current round."""
        return [table for table in self.now if self.tables[table].status in ("open", "running")]

    def is_host(self, guest: str) -> bool:
        """Return whether a guest may run the evening. If its host has deleted their data, every player may."""
        return self.row.host == guest or (not self.row.host and self.of(guest) is not None)

    def of(self, guest: str) -> Entrant | None:
        return next((one for one in self.players if one.guest == guest), None)


def stored(connection: sa.Connection, evening: str) -> Stored:
    """Return an evening. Raises NoTable if there is none with this id."""
    row = connection.execute(sa.select(evenings).where(evenings.c.id == evening)).first()
    if row is None:
        raise NoTable(f"there is no evening {evening!r}")
    columns = [entrants.c[name] for name in Entrant._fields]
    found = connection.execute(sa.select(*columns).where(entrants.c.evening == evening).order_by(entrants.c.number))
    there = connection.execute(sa.select(tables).where(tables.c.evening == evening))
    rounds = msgspec.convert(row.played, list[dict[str, Table]])
    return Stored(row, [Entrant(*one) for one in found], rounds, {one.id: one for one in there})


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
    name = await name_of(room.store, guest)
    values: dict[str, Any] = {
        "id": new_id(),
        "host": guest,
        "name": f"{isolated(name)}’s evening",
        "game": table.game.name,
        "options": changed(table.options) | {"players": table.players},
        "form": ("swiss" if wish.rounds else "robin") if table.players == 2 else "tables",
        "rounds": wish.rounds,
        "clock": wish.clock,
        "state": "open",
        "played": [],
        "made": time.time(),
    }

    def keep(connection: sa.Connection) -> None:
        alone(connection, guest)
        own = evenings.c.host == guest, evenings.c.state != "over"
        if len(connection.execute(sa.select(evenings.c.id).where(*own)).all()) >= MOST_OF_ONE:
            raise TooMany(f"you have {MOST_OF_ONE} evenings that are not over; end one of them")
        connection.execute(evenings.insert().values(**values))

    await room.store.write(keep)
    return str(values["id"])


async def enter(room: Room, guest: str, evening: str) -> None:
    """Add a guest to the players, or let one who has left play again."""
    name = await name_of(room.store, guest)

    def keep(connection: sa.Connection, found: Stored) -> None:
        players, own = found.players, found.of(guest)
        if own is None:
            bot = next((one for one in players if one.plays != PERSON), None)
            if bot is None and found.row.form == "robin" and found.rounds:
                raise FairdealError("all places of this round robin are taken; you can watch")
            if bot is None and len(players) >= MOST_PLAYERS:
                raise TooMany(f"an evening has at most {MOST_PLAYERS} players")
            own = Entrant(
                bot.number if bot else len(players) + 1, guest, apart(name, [p.name for p in players]), PERSON
            )
        put(connection, entrants, evening=evening, **own._replace(left=False)._asdict())

    await change(room, evening, keep)


async def part(room: Room, found: Stored, guest: str) -> None:
    """Let an opponent play on for a player."""
    own = found.of(guest)
    if own is None:
        raise FairdealError("you have not entered this evening")
    gone = own._replace(left=True)._asdict()
    await change(room, found.row.id, lambda c, _: put(c, entrants, evening=found.row.id, **gone))
    if table := await room.store.read(lambda c: table_of(c, found, guest)):
        await at(room, table, "running", lambda live: leave(live, guest))


def table_of(connection: sa.Connection, found: Stored, guest: str) -> str:
    """Return the unfinished table of a guest, or an empty string."""
    at_seat = sa.select(seats.c.table).where(seats.c.guest == guest, seats.c.table.in_(found.going_on))
    return connection.execute(at_seat).scalar() or ""


# --- rounds -----------------------------------------------------------------------------------------------------


async def begin_round(room: Room, found: Stored) -> None:
    """Begin the next round."""
    if room.house.holds:
        raise FairdealError(HELD)
    if found.rounds and len(found.rounds) >= found.row.rounds:
        raise FairdealError("this is the last round; end the evening")
    players, tables_of_round = await room.work.do(Client("", f"evening {found.row.id}"), planned, found)
    made = [(terms_of(found, players, table, place), table) for place, table in enumerate(tables_of_round, 1)]

    def keep(connection: sa.Connection, now: Stored) -> None:
        if (now.players, now.rounds, now.row.state) != (found.players, found.rounds, found.row.state):
            raise NotSaved("the evening has just changed; look again")
        rounds = len(players) - 1 if now.row.form == "robin" else now.row.rounds
        for one in players[len(found.players) :]:
            connection.execute(entrants.insert().values(evening=now.row.id, **one._asdict()))
        for terms, table in made:
            insert_table(connection, terms, Seats(places_of(players, table, terms)), "open", terms.made)
        played = [*now.rounds, {terms.id: table for terms, table in made}]
        set_values(connection, now.row.id, played=played, rounds=rounds, state="running")

    await change(room, found.row.id, keep)


def planned(found: Stored) -> tuple[list[Entrant], list[Table]]:
    """Return the players, with the opponents of the room who fill up, and the tables of the next round."""
    row, size, players, game = found.row, found.size, [*found.players], find_game(found.row.game)
    tables_needed = max(2, -(-len(players) // size))
    plays = [one.plays for one in players if one.plays != PERSON]
    for word in company(usual_bot(game), tables_needed * size - len(players), game, plays):
        name = name_for(word, [one.name for one in players])
        players.append(Entrant(len(players) + 1, None, name, seated(word, game)))
    numbers, done = [one.number for one in players], len(found.rounds)
    if row.form == "robin":
        return players, robin(len(players), done + 1)
    if row.form == "swiss":
        return players, swiss(numbers, found.games, row.rounds)
    return players, balanced(numbers, size, found.games, random.Random(f"{row.id} {done}"))


def terms_of(found: Stored, players: Sequence[Entrant], table: Table, place: int) -> Terms:
    """Return the terms of a table, whose host is the first guest there."""
    row = found.row
    return Terms(
        id=new_id(),
        game=row.game,
        rules_version=find_game(row.game).rules_version,
        options=row.options,
        name=f"{row.name}, round {len(found.rounds) + 1}, table {place}",
        host=next((guest for one in table if (guest := players[one - 1].guest)), row.host),
        seed=fairness.new_seed(),
        clock=row.clock,
        listed=False,
        waits=False,
        made=time.time(),
        evening=row.id,
    )


def places_of(players: Sequence[Entrant], table: Table, terms: Terms) -> list[Place]:
    """Return the seats of a table. Where a player has left, there is an opponent of the room."""
    places = []
    for seat, one in enumerate(players[number - 1] for number in table):
        if one.plays == PERSON and not one.left:
            places.append(Place(seat, one.name, PERSON, one.guest))
        elif one.plays == PERSON:
            places.append(opponent(seat, [other.name for other in players], terms))
        else:
            places.append(bot_place(seat, one.name, one.plays, terms.seed))
    return places


def opponent(seat: int, names: Sequence[str], terms: Terms) -> Place:
    """Return a seat for the usual opponent, whose name is apart from others."""
    game = find_game(terms.game)
    word = usual_bot(game)
    return bot_place(seat, name_for(word, names), seated(word, game), terms.seed)


async def replace_absent(live: LiveTable) -> None:
    """Let opponents of the room play for absent players until they come, and for those whose seat is free."""
    async with live.changing():
        absent = [place for place in live.seats if not live.audience.is_here(place) and not live.grace(place)]
        if live.status == "open":
            for place in absent:
                place.hash = "" if place.is_unbound else place.hash
                if place.is_free:
                    names = [other.name for other in live.seats]
                    live.seats.places[place.seat] = opponent(place.seat, names, live.terms)
            await live.keep_places()
            await go_on(live)
        for place in absent:
            await live.set_stand_in(place, on=True)


async def bring_up(room: Room, found: Stored) -> bool:
    """Do what is due at a running evening. Return whether something was done."""
    if found.row.state != "running":
        return False
    now = time.time()
    if not found.going_on:
        if now < max(found.tables[table].moved for table in found.now) + BREAK:
            return False
        if len(found.rounds) < found.row.rounds:
            await begin_round(room, found)
        else:
            await change(room, found.row.id, lambda c, now: set_values(c, now.row.id, state="over"))
        return True
    for table in found.going_on:
        if now >= found.tables[table].made + NO_SHOW:
            with contextlib.suppress(FairdealError):  # another worker has it
                await at(room, table, "running", replace_absent, asks=False)
        elif table not in room.held:
            await room.wake(table)
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
    elif act.do != "end" and not found.rounds:
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
    row, own, known = found.row, found.of(guest), {one.number: one for one in found.players}
    ids = [table for played in found.rounds for table in played]
    return b.Evening(
        id=row.id,
        name=row.name,
        title=title_of(row.game),
        form=row.form,
        rounds=row.rounds,
        round=len(found.rounds),
        scale=found.scale,
        state=row.state,
        began=min((found.tables[table].made for table in found.now), default=0.0),
        host=found.is_host(guest),
        you=own.number if own and not own.left else 0,
        table=await room.store.read(lambda c: table_of(c, found, guest)),
        players=tuple(
            b.EveningPlayer(isolated(known[one.number].name), known[one.number].plays, known[one.number].left, *one)
            for one in standings(known, found.games, found.scale)
        ),
        games=tuple(
            b.EveningGame(table, game.round, game.players, tuple(game.places))
            for table, game in zip(ids, found.games, strict=True)
        ),
    )


def in_short(connection: sa.Connection, guest: str) -> dict[str, str]:
    """Return the evenings of a guest that are not over, by their ids."""
    plays = sa.select(entrants.c.evening).where(entrants.c.guest == guest, ~entrants.c.left)
    own = evenings.c.state != "over", sa.or_(evenings.c.host == guest, evenings.c.id.in_(plays))
    query = sa.select(evenings).where(*own).order_by(evenings.c.made.desc()).limit(MOST_OF_ONE)
    return {row.id: f"{row.name}: {title_of(row.game)}" for row in connection.execute(query)}
