"""Evenings: tournaments by link, in rounds of a game.

Stored are the evening, its players, and which table belongs to which round. Standings follow from the finished tables,
and the tables of a round from these (`extras.pairings`). Nothing runs by a clock: what is due happens before a request
is answered, in whichever process that is, so that nothing is lost when the room stops.
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
from fairdeal.server.api.opening import HELD, LONGEST_CLOCK, check_opening, new_id
from fairdeal.server.extras.pairings import Game, Table, balanced, points_of, robin, standings, swiss
from fairdeal.server.limits import TooMany
from fairdeal.server.long_work import Client
from fairdeal.server.room import NoTable, Room
from fairdeal.server.storage.store import NotSaved, alone, entrants, entries, evenings, tables
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


class Round(msgspec.Struct, frozen=True):
    """A round: when it began, and the ids and players of its tables. A bye has no id."""

    began: float
    tables: tuple[tuple[str, Table], ...]


class Entrant(NamedTuple):
    """A player of an evening, as stored."""

    number: int
    guest: str | None
    name: str
    plays: str
    slot: int | None = None
    left: bool = False


class Stored(NamedTuple):
    """An evening as stored, and its tables by their ids."""

    row: Any
    players: list[Entrant]
    rounds: list[Round]
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
            Game(number, players, self.tables[table].places or () if table else (1,))
            for number, played in enumerate(self.rounds, 1)
            for table, players in played.tables
        ]

    @property
    def going_on(self) -> list[str]:
        """The unfinished tables of the current round."""
        now = self.rounds[-1].tables if self.rounds else ()
        return [table for table, _ in now if table and self.tables[table].status in ("open", "running")]

    @property
    def finished_at(self) -> float:
        now = self.rounds[-1]
        moved: list[float] = [self.tables[table].moved for table, _ in now.tables if table]
        return max([now.began, *moved])

    def is_host(self, guest: str) -> bool:
        """Return whether a guest may run the evening. If its host has deleted their data, every player may."""
        return self.row.host == guest or (not self.row.host and any(one.guest == guest for one in self.players))


def stored(connection: sa.Connection, evening: str) -> Stored:
    """Return an evening. Raises NoTable if there is none with this id."""
    row = connection.execute(sa.select(evenings).where(evenings.c.id == evening)).first()
    if row is None:
        raise NoTable(f"there is no evening {evening!r}")
    columns = [entrants.c[name] for name in Entrant._fields]
    found = connection.execute(sa.select(*columns).where(entrants.c.evening == evening).order_by(entrants.c.number))
    rounds = msgspec.convert(row.played, list[Round])
    ids = [table for played in rounds for table, _ in played.tables if table]
    moves = sa.select(sa.func.count()).where(entries.c.table == tables.c.id).scalar_subquery().label("moves")
    facts = [tables.c[name] for name in ("id", "status", "places", "result", "moved")]
    there = connection.execute(sa.select(*facts, moves).where(tables.c.id.in_(ids)))
    return Stored(row, [Entrant(*one) for one in found], rounds, {one.id: one for one in there})


async def change(room: Room, evening: str, work: Callable[[sa.Connection, Stored], None]) -> None:
    """Change an evening as it is stored now, while no other process does."""

    def keep(connection: sa.Connection) -> None:
        alone(connection, f"evening {evening}")
        work(connection, stored(connection, evening))

    await room.store.write(keep)


def set_values(connection: sa.Connection, evening: str, **values: Any) -> None:
    connection.execute(evenings.update().where(evenings.c.id == evening).values(**values))


def keep_entrant(connection: sa.Connection, evening: str, one: Entrant) -> None:
    """Store a player, who may be new."""
    of = entrants.c.evening == evening, entrants.c.number == one.number
    if not connection.execute(entrants.update().where(*of).values(**one._asdict())).rowcount:
        connection.execute(entrants.insert().values(evening=evening, **one._asdict()))


# --- to open an evening, enter and leave ------------------------------------------------------------------------


async def open_evening(room: Room, guest: str, wish: b.NewEvening) -> str:
    """Open an evening, and return its id. Raises FairdealError with a message that names valid values."""
    await check_opening(room, guest)
    if not 0 <= wish.clock <= LONGEST_CLOCK:
        raise FairdealError(f"a clock must be from 0 to {LONGEST_CLOCK} seconds")
    table = await room.work.do(Client(guest, guest), table_for, wish.game, wish.options, wish.preset)
    form = wish.form or ("swiss" if table.players == 2 else "tables")
    if table.players < 2:
        raise FairdealError("an evening needs a game for two or more players")
    if (form == "tables") != (table.players > 2):
        raise FairdealError(f"{form} is not a form for {table.players} players at a table; leave the form out")
    name = await name_of(room.store, guest)
    values = {"form": form, "rounds": wish.rounds, "least": wish.least, "clock": wish.clock}
    made = {"id": new_id(), "host": guest, "name": f"{isolated(name)}’s evening", "state": "open", "played": []}
    options = changed(table.options) | {"players": table.players}

    def keep(connection: sa.Connection) -> None:
        alone(connection, guest)
        own = evenings.c.host == guest, evenings.c.state != "over"
        if len(connection.execute(sa.select(evenings.c.id).where(*own)).all()) >= MOST_OF_ONE:
            raise TooMany(f"you have {MOST_OF_ONE} evenings that are not over; end one of them")
        row = {"game": table.game.name, "options": options, "made": time.time()} | made | values
        connection.execute(evenings.insert().values(**row))

    await room.store.write(keep)
    return str(made["id"])


async def enter(room: Room, guest: str, evening: str) -> None:
    """Add a guest to the players, or let one who has left play again."""
    name = await name_of(room.store, guest)

    def keep(connection: sa.Connection, found: Stored) -> None:
        players = found.players
        if found.row.state == "over":
            raise FairdealError("this evening is over")
        own = next((one for one in players if one.guest == guest), None)
        if own and not own.left:
            return
        if len(players) >= MOST_PLAYERS:
            raise TooMany(f"an evening has at most {MOST_PLAYERS} players, with those who have left")
        own = own or Entrant(len(players) + 1, guest, apart(name, [one.name for one in players]), PERSON)
        taken = {one.slot for one in players if not one.left}
        if found.row.form == "robin" and found.rounds and (own.slot is None or own.slot in taken):
            bot = next((one for one in players if one.plays != PERSON and not one.left), None)
            if bot is None:
                raise FairdealError("all places of this round robin are taken; you can watch, or enter when one leaves")
            keep_entrant(connection, evening, bot._replace(left=True))
            own = own._replace(slot=bot.slot)
        keep_entrant(connection, evening, own._replace(left=False))

    await change(room, evening, keep)


async def part(room: Room, found: Stored, guest: str, number: int) -> None:
    """Let a player play no further rounds, while an opponent finishes the current game for them. Only the host may do
    that for others."""
    own = next((one for one in found.players if (one.number == number if number else one.guest == guest)), None)
    if own is None:
        raise FairdealError(f"there is no player {number}" if number else "you have not entered this evening")
    if own.guest != guest and not found.is_host(guest):
        raise FairdealError("only the host can take other players out")
    await change(room, found.row.id, lambda c, _: keep_entrant(c, found.row.id, own._replace(left=True)))

    async def leave_table(live: LiveTable) -> None:
        await leave(live, own.guest or "")
        async with live.changing():
            await fill_up(live)

    if table := table_of(found, own.number):
        await at(room, table, "running", leave_table)


def table_of(found: Stored, number: int) -> str:
    """Return the unfinished table of a player, or an empty string."""
    now = dict(found.rounds[-1].tables) if found.rounds else {}
    return next((table for table in found.going_on if number in now[table]), "")


# --- rounds -----------------------------------------------------------------------------------------------------


async def begin_round(room: Room, found: Stored) -> None:
    """Begin the next round with those who are there now."""
    if room.house.holds:
        raise FairdealError(HELD)
    players, of_round, rounds = await room.work.do(Client("", f"evening {found.row.id}"), planned, found)
    tables_of_round = [(terms_of(found, players, one, place), one) for place, one in enumerate(of_round, 1)]
    began = time.time()
    made = [("" if len(one) == 1 else terms.id, one) for terms, one in tables_of_round]

    def keep(connection: sa.Connection, now: Stored) -> None:
        if (now.players, now.rounds, now.row.state) != (found.players, found.rounds, found.row.state):
            raise NotSaved("the evening has just changed; look again")
        for one in players:
            keep_entrant(connection, now.row.id, one)
        for terms, table in tables_of_round:
            if len(table) > 1:
                seats = Seats([place_of(players[one - 1], seat, terms.seed) for seat, one in enumerate(table)])
                insert_table(connection, terms, seats, "open", began)
        played = msgspec.to_builtins([*now.rounds, Round(began, tuple(made))])
        set_values(connection, now.row.id, played=played, rounds=rounds, state="running")

    await change(room, found.row.id, keep)
    for id, table in made:
        if id and all(players[one - 1].plays != PERSON for one in table):
            await room.wake(id)


def planned(found: Stored) -> tuple[list[Entrant], list[Table], int]:
    """Return the players, with those opponents of the room who fill up, the tables of the next round, and the number of
    rounds. Raises FairdealError if there are too few players."""
    row, size, number = found.row, found.size, len(found.rounds) + 1
    fills, in_slots = row.least > 0 or size > 2, row.form == "robin" and number > 1
    people = [one for one in found.players if one.plays == PERSON and one.guest and not one.left]
    gone = [one._replace(left=True) for one in found.players if one.plays == PERSON and one not in people]
    bots = [one for one in found.players if one.plays != PERSON]
    if in_slots:
        taken = {one.slot for one in people}
        free: list[int | None] = [*sorted({one.slot for one in found.players if one.slot} - taken)] if fills else []
    else:
        wanted = -(-max(len(people), row.least, size) // size) * size if fills else len(people)
        free = [None] * (wanted - len(people))
    playing, spare = [], []
    for one in sorted(bots, key=lambda one: (one.left, one.number)):
        if not one.left and one.slot in free:
            free.remove(one.slot)
            playing.append(one)
        else:
            spare.append(one)
    game, names = find_game(row.game), [one.name for one in found.players]
    for word in company(usual_bot(game), len(free) - len(spare), game, [one.plays for one in bots]):
        names.append(name_for(word, names))
        spare.append(Entrant(len(names), None, names[-1], seated(word, game)))
    playing += [one._replace(left=False, slot=slot) for one, slot in zip(spare, free, strict=False)]
    idle = [one._replace(left=True) for one in spare[len(free) :]]
    active = sorted([*people, *playing])
    if len(active) < 2:
        raise FairdealError("there are too few players; let opponents of the room fill up, or wait for others")
    if row.form == "robin" and not in_slots:
        active = [one._replace(slot=slot) for slot, one in enumerate(active, 1)]
    numbers, games, rounds = [one.number for one in active], found.games, row.rounds
    if row.form == "robin":
        slots = {one.slot: one.number for one in [*found.players, *active] if one.slot}
        places = len(slots) + len(slots) % 2
        rounds = places - 1
        of_round = robin({one.slot: one.number for one in active if one.slot}, places, number)
    elif row.form == "swiss":
        of_round = swiss(numbers, games, rounds)
    else:
        of_round = balanced(numbers, size, games, random.Random(f"{row.id} {number}"))
    return sorted([*active, *gone, *idle]), of_round, rounds


def terms_of(found: Stored, players: Sequence[Entrant], table: Table, place: int) -> Terms:
    """Return the terms of a table, whose host is the first guest there."""
    row, game = found.row, find_game(found.row.game)
    return Terms(
        id=new_id(),
        game=row.game,
        rules_version=game.rules_version,
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


def place_of(one: Entrant, seat: int, seed: bytes) -> Place:
    if one.plays == PERSON:
        return Place(seat, one.name, PERSON, one.guest)
    return bot_place(seat, one.name, one.plays, seed)


async def replace_absent(live: LiveTable) -> None:
    """Let opponents of the room play for absent players until they come."""
    async with live.changing():
        absent = [place for place in live.seats if not live.audience.is_here(place) and not live.grace(place)]
        for place in absent:
            place.hash = "" if place.is_unbound else place.hash
        await fill_up(live)
        for place in absent:
            await live.set_stand_in(place, on=True)


async def fill_up(live: LiveTable) -> None:
    """Give the seats of those who have left before the deal to opponents of the room. This must be called within
    `live.changing`."""
    if live.status == "open":
        word, seats = usual_bot(find_game(live.terms.game)), live.seats
        for place in seats:
            if place.is_free:
                name = name_for(word, [other.name for other in seats])
                plays = seated(word, find_game(live.terms.game))
                seats.places[place.seat] = bot_place(place.seat, name, plays, live.terms.seed)
        await live.keep_places()
        await go_on(live)


async def bring_up(room: Room, found: Stored) -> bool:
    """Do what is due at a running evening. Return whether something was done."""
    if found.row.state != "running":
        return False
    now = time.time()
    if not found.going_on:
        if now < found.finished_at + BREAK:
            return False
        if len(found.rounds) < found.row.rounds:
            await begin_round(room, found)
        else:
            await change(room, found.row.id, lambda c, now: set_values(c, now.row.id, state="over"))
        return True
    plays = {one.number: one.plays for one in found.players}
    now_at, is_late = dict(found.rounds[-1].tables), now >= found.rounds[-1].began + NO_SHOW
    for table in found.going_on:
        if is_late:
            with contextlib.suppress(FairdealError):  # another worker has it
                await at(room, table, "running", replace_absent, asks=False)
        elif table not in room.held and all(plays[one] != PERSON for one in now_at[table]):
            await room.wake(table)
    return False


async def do(room: Room, guest: str, evening: str, act: b.EveningAct) -> None:
    """Carry out what a guest asks for at an evening. Raises FairdealError if they may not, or if it is not possible
    now."""
    found = await room.store.read(lambda c: stored(c, evening))
    if act.do == "enter":
        await enter(room, guest, evening)
        return
    if act.do == "leave":
        await part(room, found, guest, act.player)
        return
    if not found.is_host(guest):
        raise FairdealError("only the host of the evening can do that")
    if found.row.state == "over":
        raise FairdealError("this evening is over")
    match act.do:
        case "start":
            if found.rounds and len(found.rounds) >= found.row.rounds:
                raise FairdealError("this is the last round; end the evening")
            await begin_round(room, found)
        case "replace":
            for table in found.going_on:
                await at(room, table, "running", replace_absent)
        case _:
            if act.do != "end" and not found.rounds:
                raise FairdealError("the evening has not started")
            state = {"pause": "paused", "resume": "running", "end": "over"}[act.do]
            await change(room, evening, lambda c, _: set_values(c, evening, state=state))


# --- what is shown ----------------------------------------------------------------------------------------------


async def view(room: Room, guest: str, evening: str) -> b.Evening:
    """Return an evening for a guest, after what is due."""
    found = await room.store.read(lambda c: stored(c, evening))
    with contextlib.suppress(FairdealError):  # shown as it is; tried again with the next request
        if await bring_up(room, found):
            found = await room.store.read(lambda c: stored(c, evening))
    row, own = found.row, next((one for one in found.players if one.guest == guest), None)
    games, known = found.games, {one.number: one for one in found.players}
    return b.Evening(
        id=row.id,
        name=row.name,
        game=row.game,
        title=title_of(row.game),
        options=row.options,
        form=row.form,
        size=found.size,
        rounds=row.rounds,
        round=len(found.rounds),
        clock=row.clock,
        scale=found.scale,
        state=row.state,
        made=row.made,
        began=found.rounds[-1].began if found.rounds else 0.0,
        host=found.is_host(guest),
        you=own.number if own and not own.left else 0,
        table=table_of(found, own.number) if own else "",
        players=tuple(shown(known[one.player], one) for one in standings(known, games, found.scale)),
        games=tuple(
            shown_game(game, table, found)
            for game, (table, _) in zip(games, [one for played in found.rounds for one in played.tables], strict=True)
        ),
    )


def shown(one: Entrant, at_place: Any) -> b.EveningPlayer:
    name = one.name if one.plays != PERSON else isolated(one.name)
    return b.EveningPlayer(one.number, name, one.plays.partition(":")[0], one.left, *at_place[1:])


def shown_game(game: Game, table: str, found: Stored) -> b.EveningGame:
    if not table:
        return b.EveningGame(game.round, "", game.players, "over", points=(1.0,))
    row, is_over = found.tables[table], bool(game.places)
    return b.EveningGame(
        round=game.round,
        table=table,
        players=game.players,
        status=row.status,
        moves=row.moves,
        places=tuple(game.places),
        points=tuple(points_of(game, found.scale).values()) if is_over else (),
        result=tuple(row.result or ()) if is_over else (),
        log=f"/api/tables/{table}/log" if row.status == "over" else "",
    )


def in_short(connection: sa.Connection, guest: str) -> list[b.EveningInShort]:
    """Return the evenings of a guest that are not over, the newest first."""
    plays = sa.select(entrants.c.evening).where(entrants.c.guest == guest, ~entrants.c.left)
    own = evenings.c.state != "over", sa.or_(evenings.c.host == guest, evenings.c.id.in_(plays))
    query = sa.select(evenings).where(*own).order_by(evenings.c.made.desc()).limit(MOST_OF_ONE)
    return [b.EveningInShort(row.id, row.name, title_of(row.game), row.state) for row in connection.execute(query)]
