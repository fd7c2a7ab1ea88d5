"""The deal of the day in a room: its tries, the numbers for later deals, and what came of them.

`protocol.daily` says when lists are closed and links opened. Nothing runs by a clock: what is due happens before the
first request of a day is answered, in one transaction, so that the workers of a room agree.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from fairdeal.bots.levels import searches, seated
from fairdeal.bots.registry import bots_of, name_of
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.state import Table, table_for
from fairdeal.protocol import bodies as b
from fairdeal.protocol import daily as d
from fairdeal.server.api.history import result_of
from fairdeal.server.api.opening import check_opening, seat_at
from fairdeal.server.long_work import Client
from fairdeal.server.room import NoTable, Room
from fairdeal.server.storage import own_data
from fairdeal.server.storage.queries import CLEARED
from fairdeal.server.storage.store import NotSaved, alone, days, entries, seats, tables, tries
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.terms import Daily
from fairdeal.table import fairness, signatures
from fairdeal.table.analysis import BEST, Analysis, by_cost
from fairdeal.table.log import Day, Log, Player
from fairdeal.table.sitting import Sitting

WEEK: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    ("chimax-books", {"target": 10}, ("otto",)),
    ("chip-it", {"duel_games": 2}, ("otto",)),
    ("war-xtreme", {"max_rounds": 12, "ask_extreme": False, "race": "seeded"}, ("otto",)),
    ("chi", {"stacks_to_end": 4}, ("otto",)),
    ("chimax-fate", {}, ("bram",)),
    ("chimax-order", {}, ()),
    ("chimax-jackpot", {}, ()),
)
"""The short games of a week from Monday on, with their options and opponents."""

MOST_FRIENDS = 50
"""Maximum number of friends whose tries are shown, the first ones of a deal."""

MARKS = {BEST: "●", "fine": "○"}
WORST = "■"

DAILY = Client("", "the deal of the day")
"""The client to which the games of the strongest opponents are charged."""


class Played(NamedTuple):
    """A counted try, with its result in words if it is over. `state` is that of a `Stamp`."""

    deal: int
    table: str
    name: str
    state: str
    result: str


def game_of(number: int) -> tuple[Table, tuple[str, ...]]:
    """Return the table of a deal, and the opponents at it. The first deal was dealt on a Thursday."""
    game, options, rivals = WEEK[(number + 2) % 7]
    return table_for(game, {"players": 1 + len(rivals), **options}), rivals


def change_of(room: Room) -> float:
    """Return when days begin, in seconds from midnight UTC. Raises NoTable if the room has no deal of the day."""
    if room.change is None:
        raise NoTable("this room has no deal of the day")
    return room.change


def link_in(room: Room, number: int) -> bytes:
    """Return the link of a deal."""
    return d.link_of(last_link(room, number), number)


def end_of(room: Room, number: int) -> str:
    """Return the end of the chain to which the link of a deal belongs."""
    return d.hashed(last_link(room, number), d.LINKS).hex()


def last_link(room: Room, number: int) -> bytes:
    return room.keys.seed(f"daily chain {d.chain_of(number)[0]}")


# --- lists, numbers and deals -----------------------------------------------------------------------------------


async def today_in(room: Room) -> int:
    """Return the number of today's deal, after closing the lists and fixing the deals that are due."""
    change = change_of(room)
    number = d.number_at(time.time(), change)
    if room.today != number:
        await room.store.write(lambda c: bring_up(c, number, change))
        room.today = number
    return number


def bring_up(connection: sa.Connection, today: int, change: float) -> None:
    """Close the list of tomorrow's deal, and those of the deals that can be played if the room was closed before."""
    alone(connection, "days")
    closed = {*connection.execute(sa.select(days.c.number)).scalars()}
    for number in {today - 1, today, today + 1} - closed:
        connection.execute(days.insert().values(number=number, closes=d.begins(number + d.OPEN_DAYS, change)))


def check_day(connection: sa.Connection, today: int) -> None:
    """Raise NotSaved if another worker has begun the next day."""
    alone(connection, "days")
    if connection.execute(sa.select(days).where(days.c.number == today + d.OPEN_DAYS)).first():
        raise NotSaved("the day has just changed; look again")


def bound_for(number: int) -> sa.ColumnElement[bool]:
    """Return the condition that a try has bound a number for a deal. No number is bound or shown for it any more when
    its day has begun."""
    return sa.and_(tries.c.day == number - d.OPEN_DAYS, tries.c.hash != "")


async def day_in(room: Room, number: int) -> Any:
    """Return the row of a deal. Raises NoTable if the room has none."""
    row = await room.store.read(lambda c: c.execute(sa.select(days).where(days.c.number == number)).first())
    if row is None:
        raise NoTable(f"this room has no record of deal No. {number}")
    return row


async def numbers_for(room: Room, number: int) -> dict[str, str]:
    """Return the numbers that were bound for a deal by their hashes, empty until they are shown."""
    bound = sa.select(tries.c.hash, tries.c.nonce).where(bound_for(number)).order_by(tries.c.hash)
    return dict(await room.store.read(lambda c: c.execute(bound).all()))


async def record(room: Room, number: int) -> d.DayRecord:
    """Return the record of a deal, or of tomorrow's, whose list takes numbers today."""
    is_fixed = number <= await today_in(room)
    row, numbers = await day_in(room, number), await numbers_for(room, number)
    key = room.keys.signing
    found = d.DayRecord(
        room=room.keys.public,
        deal=number,
        end=end_of(room, number),
        next_end=end_of(room, number + d.LINKS),
        numbers=numbers if is_fixed else dict.fromkeys(numbers, ""),
        signed_list="",
        link=link_in(room, number).hex() if time.time() >= row.closes else "",
    )
    return msgspec.structs.replace(
        found,
        signed_list=signatures.sign(key, d.LIST, found.list_digest),
        signed=signatures.sign(key, d.RECORD, found.digest) if is_fixed else "",
    )


async def show(room: Room, nonce: str) -> d.DayRecord:
    """Take the number of a closed list. Who shows it does not matter. Return the record of its deal. Raises
    FairdealError if the list is not closed, or the deal is fixed."""
    if not fairness.NONCE.fullmatch(nonce):
        raise FairdealError("a number has 32 hexadecimal digits")
    today = await today_in(room)
    shown = tries.update().where(bound_for(today + 1), tries.c.hash == fairness.nonce_hash(nonce))

    def keep(connection: sa.Connection) -> None:
        check_day(connection, today)
        if not connection.execute(shown.values(nonce=nonce)).rowcount:
            raise FairdealError(
                f"the closed list of deal No. {today + 1} has no hash of this number; show a number on the day after "
                "the try with which you bound it"
            )

    await room.store.write(keep)
    return await record(room, today + 1)


# --- tries ------------------------------------------------------------------------------------------------------


async def play(room: Room, guest: str, wish: b.Try) -> LiveTable:
    """Open a try at a deal, or return the guest's counted try if there is one. Raises FairdealError if the deal cannot
    be played now."""
    today = await today_in(room)
    if wish.deal not in (today - 1, today):
        raise FairdealError(f"only deals No. {today - 1} and {today} can be played now, not No. {wish.deal}")
    if wish.hash and not (wish.counted and fairness.HASH.fullmatch(wish.hash)):
        raise FairdealError("a hash has 64 hexadecimal digits, and only a counted try binds a number")
    own = await tries_of(room, tries.c.guest == guest, tries.c.deal == wish.deal)
    if wish.counted and own:
        return await room.find(own[0].table)
    if not wish.counted and not (own and own[0].result):
        raise FairdealError("play your counted try to its end first")
    await check_opening(room, guest)
    row, (table, rivals) = await day_in(room, wish.deal), game_of(wish.deal)
    if time.time() >= row.closes:  # the keeper has changed when days begin
        raise FairdealError(f"deal No. {wish.deal} is closed")
    day = d.day_of(wish.deal, await numbers_for(room, wish.deal))

    def keep(connection: sa.Connection, opened: str) -> None:
        check_day(connection, today)
        values = msgspec.structs.asdict(wish) | {"guest": guest, "day": today, "nonce": ""}
        connection.execute(tries.insert().values(table=opened, **values))

    try:
        return await seat_at(
            room,
            guest,
            table,
            ["you", *(seated(rival, table.game) for rival in rivals)],
            keep,
            title=f"Deal of the day No. {wish.deal}",
            seed=d.seed_of(link_in(room, wish.deal), day),
            listed=False,
            daily=Daily(day.number, day.numbers, row.closes, wish.counted, wish.hash),
        )
    except sa.exc.IntegrityError:  # another request of the same guest was faster
        return await play(room, guest, wish)


async def tries_of(room: Room, *which: sa.ColumnElement[bool]) -> list[Played]:
    """Return some counted tries, the oldest first."""
    query = (
        sa.select(tries.c.deal, tables, days.c.closes, seats.c.name)
        .select_from(tries.join(tables).join(days, days.c.number == tries.c.deal))
        .outerjoin(seats, sa.and_(seats.c.table == tables.c.id, seats.c.seat == 0))
        .where(tries.c.counted, *which)
        .order_by(tables.c.made)
    )
    found = []
    for row in await room.store.read(lambda c: c.execute(query).all()):
        over = row.status == "over" and row.moved < row.closes
        unfinished = "begun" if time.time() < row.closes else "unfinished"
        state = "over" if over else "gone" if row.status == CLEARED else unfinished
        result = result_of(row.places, row.result, 0)[1] if over else ""
        found.append(Played(row.deal, row.id, row.name or "", state, result))
    return found


# --- what came of it ----------------------------------------------------------------------------------------------


def row_of(played: Collection[int], today: int) -> int:
    """Return the number of deals played in a row. A deal that can still be played does not end the row.

    >>> row_of({5, 6, 8}, 9), row_of({5, 6, 9}, 9), row_of({5, 6}, 9)
    (1, 1, 0)
    """
    row, number = 0, today
    while number in played or number > today - d.OPEN_DAYS:
        row += number in played
        number -= 1
    return row


def play_best(table: Table, rivals: Sequence[str], seed: bytes, day: Day) -> tuple[str, tuple[str, ...]]:
    """Play a deal with the strongest opponent in the guest's seat. Return the result and the opponent's decisions."""
    plays = [seated(one, table.game) for one in (bots_of(table.game)[-1], *rivals)]
    players = tuple(Player(name_of(one), one, fairness.seed_nonce(seed, seat)) for seat, one in enumerate(plays))
    log = Log(table.game.name, table.game.rules_version, {}, players, fairness.commitment(seed), day=day)
    sitting = Sitting(table, log, seed)
    while (seat := sitting.bot_to_act()) is not None:
        sitting.play_bot(seat)
    result = result_of(sitting.state.ranks, sitting.state.scores, 0)[1]
    return result, tuple(move.text for move in sitting.log.moves if move.seat == 0)


async def keep_best(room: Room, number: int) -> None:
    """Let the strongest opponent play a deal, and save its game."""
    (table, rivals), day = game_of(number), d.day_of(number, await numbers_for(room, number))
    if searches(bots_of(table.game)[-1], table.game):
        await asyncio.shield(room.thinking.prepare(table.game))
    seed = d.seed_of(link_in(room, number), day)
    best = await room.thinking.hints.do(DAILY, play_best, table, rivals, seed, day)
    await room.store.write(lambda c: c.execute(days.update().where(days.c.number == number).values(best=best)))


def missed_in(found: Analysis) -> str:
    """Return the decision that cost the player at seat 0 most, in a sentence, or an empty string."""
    own = [one for one in found.decisions if one.seat == 0]
    for one in by_cost(own)[:1]:
        if one.label != BEST:
            played, better, number = one.options[one.played], one.options[0], own.index(one) + 1
            what = "points" if found.alone else "percentage points of your chance"
            cost = f"“{played.text}” cost you {found.points(one.cost)} {what}"
            return f"Decision {number} of {len(own)}: {cost}. The best move found was “{better.text}”."
    return ""


def compared(own: Sequence[str], name: str, bot: bool, result: str, theirs: Sequence[str]) -> b.Beside:
    """Return a player beside the guest, by the decisions of both."""
    pairs = enumerate(zip_longest(theirs, own, fillvalue=""))
    alike, (their, your) = next(((n, pair) for n, pair in pairs if pair[0] != pair[1]), (len(own), ("", "")))
    return b.Beside(name, bot, result, alike, their, your)


async def moves_at(room: Room, among: Iterable[str]) -> dict[str, list[str]]:
    """Return the decisions of the players at seat 0 of tables, in notation."""
    query = sa.select(entries.c.table, entries.c.text).where(entries.c.table.in_(among), entries.c.seat == 0)
    found = defaultdict(list)
    for table, text in await room.store.read(lambda c: c.execute(query.order_by(entries.c.number)).all()):
        found[table].append(text)
    return found


async def view(room: Room, guest: str, number: int, client: Client, spend: Callable[[], None]) -> b.Today:
    """Return a deal of the day for a guest; number 0 is today's. `spend` is called before an analysis begins. Raises
    NoTable if the room has not dealt it."""
    today = await today_in(room)
    number = number or today
    if number > today:
        raise NoTable(f"deal No. {number} is not dealt yet")
    row, (table, rivals) = await day_in(room, number), game_of(number)
    own = {one.deal: one for one in await tries_of(room, tries.c.guest == guest)}
    mine = own.get(number)
    found = b.Today(
        **msgspec.structs.asdict(stamp(number, today, own)),
        today=today,
        goal=table.game.goal,
        best=name_of(bots_of(table.game)[-1]),
        rivals=tuple(map(name_of, rivals)),
        begins=d.begins(number, change_of(room)),
        closes=row.closes,
        table=mine.table if mine else "",
        result=mine.result if mine else "",
        week=tuple(stamp(one, today, own) for one in range(today - 6, today + 1)),
        row=row_of(own, today),
        end=end_of(room, number),
    )
    return await with_result(room, guest, found, client, spend) if found.result else found


def stamp(number: int, today: int, own: Mapping[int, Played]) -> b.Stamp:
    """Return a deal with the state of a guest's try. `own` are tries by their deals."""
    unplayed = "open" if number > today - d.OPEN_DAYS else "missed"
    return b.Stamp(number, game_of(number)[0].game.title, own[number].state if number in own else unplayed)


async def with_result(room: Room, guest: str, found: b.Today, client: Client, spend: Callable[[], None]) -> b.Today:
    """Return a deal with what came of a guest's try, which is over."""
    games = seats.c.table.in_(own_data.seated(guest)), tables.c.status == "over"
    friends = tries.c.guest.in_(sa.select(seats.c.guest).join(tables).where(*games)), tries.c.guest != guest
    others = [one for one in await tries_of(room, *friends, tries.c.deal == found.deal) if one.result][:MOST_FRIENDS]
    moves = await moves_at(room, [found.table, *(one.table for one in others)])
    best, mine, (live, _) = (await day_in(room, found.deal)).best, moves[found.table], await room.kept(found.table)
    if not best and found.deal not in room.playing_best:
        task = room.playing_best[found.deal] = asyncio.create_task(keep_best(room, found.deal))
        task.add_done_callback(lambda _: room.playing_best.pop(found.deal))
    assert live.written is not None
    made = (await room.analyses.of(found.table, live.written, client, spend, b.KnownAnalysis(), 0)).analysis
    beside = [compared(mine, found.best, True, *best)] if best else []
    beside += [compared(mine, one.name, False, one.result, moves[one.table]) for one in others]
    marks = "".join(MARKS.get(one.label, WORST) for one in made.decisions if one.seat == 0) if made else ""
    against = f", {found.best} {best[0]}" if best else ""
    return found.replaced(
        beside=tuple(beside),
        waits=best is None or made is None,
        marks=marks,
        missed=missed_in(made) if made else "",
        text=" · ".join(filter(None, (f"fairdeal No. {found.deal}", found.title, found.result + against, marks))),
    )


async def in_short(room: Room, guest: str) -> b.Stamp | None:
    """Return the deal of the day for the lobby, or None if the room has none."""
    if room.change is None:
        return None
    today = d.number_at(time.time(), room.change)
    own = await tries_of(room, tries.c.guest == guest, tries.c.deal == today)
    return stamp(today, today, {one.deal: one for one in own})
