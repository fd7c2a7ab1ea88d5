"""The deal of the day in a room: its tries, the numbers for later deals, and what came of them.

`protocol.daily` says when lists are closed and links opened. Nothing runs by a clock: what is due happens before the
first request of a day is answered, in one transaction, so that the workers of a room agree.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Sequence
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
from fairdeal.server.storage.queries import CLEARED, all_games, finished_games
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
    ("chimax-order", {"players": 1}, ()),
    ("chimax-jackpot", {}, ()),
)
"""The short games of a week from Monday on, with their options and opponents."""

MOST_FRIENDS = 50
"""Maximum number of friends of a guest, the latest first."""

MARKS = {BEST: "●", "fine": "○"}
WORST = "■"

DAILY = Client("", "the deal of the day")
"""The client to which the games of the strongest opponents are charged."""


class Best(NamedTuple):
    """The result of the strongest opponent, who plays a deal in the guest's seat, and its decisions."""

    result: str
    moves: tuple[str, ...]


class Played(NamedTuple):
    """A counted try, with its result in words if it is over. `state` is that of a `Stamp`."""

    table: str
    guest: str
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
    return d.link_of(last_link(room, d.chain_of(number)[0]), number)


def end_of(room: Room, chain: int) -> str:
    """Return the end of a chain of links."""
    return d.hashed(last_link(room, chain), d.LINKS).hex()


def last_link(room: Room, chain: int) -> bytes:
    return room.keys.seed(f"daily chain {chain}")


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
    """Close the list of tomorrow's deal, and fix today's deal, and yesterday's if the room was closed then."""
    alone(connection, "days")
    for number in (today - 1, today, today + 1):
        row = connection.execute(sa.select(days).where(days.c.number == number)).first()
        of_list = tries.c.day == number - d.OPEN_DAYS, tries.c.hash != ""
        hashes = row.hashes if row else sorted({*connection.execute(sa.select(tries.c.hash).where(*of_list)).scalars()})
        if row is None:
            closes = d.begins(number + d.OPEN_DAYS, change)
            connection.execute(days.insert().values(number=number, hashes=hashes, closes=closes))
        if number <= today and (row is None or row.numbers is None):
            shown = connection.execute(sa.select(tries.c.hash, tries.c.nonce).where(*of_list, tries.c.nonce != ""))
            numbers = dict.fromkeys(hashes, "") | {hash: nonce for hash, nonce in shown if hash in hashes}
            connection.execute(days.update().where(days.c.number == number).values(numbers=numbers))


async def day_in(room: Room, number: int) -> Any:
    """Return the row of a deal. Raises NoTable if the room has none."""
    row = await room.store.read(lambda c: c.execute(sa.select(days).where(days.c.number == number)).first())
    if row is None:
        raise NoTable(f"this room has no record of deal No. {number}")
    return row


async def record(room: Room, number: int) -> d.DayRecord:
    """Return the record of a deal, or of tomorrow's, whose list takes numbers today."""
    await today_in(room)
    row, (chain, _) = await day_in(room, number), d.chain_of(number)
    is_fixed, key = row.numbers is not None, room.keys.signing
    found = d.DayRecord(
        room=room.keys.public,
        deal=number,
        end=end_of(room, chain),
        next_end=end_of(room, chain + 1),
        numbers=row.numbers if is_fixed else dict.fromkeys(row.hashes, ""),
        signed_list=signatures.sign(key, d.LIST, d.list_digest(number, row.hashes)),
        link=link_in(room, number).hex() if is_fixed and time.time() >= row.closes else "",
    )
    return msgspec.structs.replace(found, signed=signatures.sign(key, d.RECORD, found.digest)) if is_fixed else found


async def show(room: Room, nonce: str) -> d.DayRecord:
    """Take the number of a closed list. Who shows it does not matter. Return the record of its deal. Raises
    FairdealError if the list is not closed, or the deal is fixed."""
    if not fairness.NONCE.fullmatch(nonce):
        raise FairdealError("a number has 32 hexadecimal digits")
    today, hash = await today_in(room), fairness.nonce_hash(nonce)

    def keep(connection: sa.Connection) -> None:
        alone(connection, "days")
        row = connection.execute(sa.select(days).where(days.c.number == today + 1)).one()
        if row.numbers is not None or hash not in row.hashes:
            raise FairdealError(
                f"the closed list of deal No. {today + 1} has no hash of this number; show a number on the day after "
                "the try with which you bound it"
            )
        of_list = tries.c.day == today + 1 - d.OPEN_DAYS, tries.c.hash == hash
        connection.execute(tries.update().where(*of_list).values(nonce=nonce))

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
    own = (await tries_of(room, [guest], today, wish.deal)).get((guest, wish.deal))
    if wish.counted and own:
        return await room.find(own.table)
    if not wish.counted and not (own and own.result):
        raise FairdealError("play your counted try to its end first")
    await check_opening(room, guest)
    row, (table, rivals) = await day_in(room, wish.deal), game_of(wish.deal)
    if time.time() >= row.closes:  # the keeper has changed when days begin
        raise FairdealError(f"deal No. {wish.deal} is closed")
    day = d.day_of(wish.deal, row.numbers)

    def keep(connection: sa.Connection, opened: str) -> None:
        alone(connection, "days")
        if connection.execute(sa.select(days).where(days.c.number == today + d.OPEN_DAYS)).first():
            raise NotSaved("the day has just changed; look again")
        values = {"deal": wish.deal, "guest": guest, "counted": wish.counted, "day": today, "hash": wish.hash}
        connection.execute(tries.insert().values(table=opened, nonce="", **values))

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
        return await room.find((await tries_of(room, [guest], today, wish.deal))[guest, wish.deal].table)


async def tries_of(
    room: Room, of: Collection[str], today: int, deal: int | None = None
) -> dict[tuple[str, int], Played]:
    """Return the counted tries of guests, at one deal or at all, by guest and deal."""
    query = (
        sa.select(tries.c.table, tries.c.deal, tries.c.guest, seats.c.name)
        .add_columns(tables.c.status, tables.c.moved, tables.c.result, tables.c.places, days.c.closes)
        .select_from(tries.join(tables).join(days, days.c.number == tries.c.deal))
        .outerjoin(seats, sa.and_(seats.c.table == tables.c.id, seats.c.seat == 0))
        .where(tries.c.counted, tries.c.guest.in_(of), sa.true() if deal is None else tries.c.deal == deal)
        .order_by(tables.c.made)
    )
    found = {}
    for row in await room.store.read(lambda c: c.execute(query).all()):
        over = row.status == "over" and row.moved < row.closes
        state = "over" if over else "gone" if row.status == CLEARED else "begun"
        if state == "begun" and row.deal <= today - d.OPEN_DAYS:
            state = "unfinished"
        result = result_of(row.places, row.result, 0)[1] if over else ""
        found[row.guest, row.deal] = Played(row.table, row.guest, row.name or "", state, result)
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


def play_best(table: Table, rivals: Sequence[str], seed: bytes, day: Day) -> Best:
    """Play a deal with the strongest opponent in the guest's seat."""
    plays = [seated(one, table.game) for one in (bots_of(table.game)[-1], *rivals)]
    players = tuple(Player(name_of(one), one, fairness.seed_nonce(seed, seat)) for seat, one in enumerate(plays))
    log = Log(table.game.name, table.game.rules_version, {}, players, fairness.commitment(seed), day=day)
    sitting = Sitting(table, log, seed)
    while (seat := sitting.bot_to_act()) is not None:
        sitting.play_bot(seat)
    result = result_of(sitting.state.ranks, sitting.state.scores, 0)[1]
    return Best(result, tuple(move.text for move in sitting.log.moves if move.seat == 0))


async def best_of(room: Room, row: Any) -> Best | None:
    """Return the game of the strongest opponent, or None while it is played."""
    if row.best:
        return msgspec.convert(row.best, Best)
    if row.number not in room.playing_best:
        task = room.playing_best[row.number] = asyncio.create_task(keep_best(room, row))
        task.add_done_callback(lambda _: room.playing_best.pop(row.number))
    return None


async def keep_best(room: Room, row: Any) -> None:
    """Let the strongest opponent play a deal, and save its game."""
    (table, rivals), day = game_of(row.number), d.day_of(row.number, row.numbers)
    if searches(bots_of(table.game)[-1], table.game):
        await asyncio.shield(room.thinking.prepare(table.game))
    seed = d.seed_of(link_in(room, row.number), day)
    best = await room.thinking.hints.do(DAILY, play_best, table, rivals, seed, day)
    await room.store.write(lambda c: c.execute(days.update().where(days.c.number == row.number).values(best=best)))


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


def compared(name: str, bot: bool, result: str, theirs: Sequence[str], own: Sequence[str]) -> b.Beside:
    """Return a player beside the guest, by the decisions of both."""
    pairs = zip(theirs, own, strict=False)
    alike = next((n for n, (one, other) in enumerate(pairs) if one != other), min(len(theirs), len(own)))
    return b.Beside(name, bot, result, alike, "".join(theirs[alike : alike + 1]), "".join(own[alike : alike + 1]))


def friends_of(connection: sa.Connection, guest: str) -> list[str]:
    """Return the guests with whom a guest has finished a game in this room."""
    games = finished_games(connection, all_games, {"guest": guest})
    met = dict.fromkeys(place["guest"] for there, *_ in games for place in there)
    return [one for one in met if one not in (None, guest)][:MOST_FRIENDS]


async def moves_at(room: Room, among: Iterable[str]) -> dict[str, list[str]]:
    """Return the decisions of the players at seat 0 of tables, in notation."""
    query = sa.select(entries.c.table, entries.c.text).where(entries.c.table.in_(among), entries.c.seat == 0)
    found: dict[str, list[str]] = {}
    for table, text in await room.store.read(lambda c: c.execute(query.order_by(entries.c.number)).all()):
        found.setdefault(table, []).append(text)
    return found


async def view(room: Room, guest: str, number: int, client: Client, spend: Callable[[], None]) -> b.Today:
    """Return a deal of the day for a guest; number 0 is today's. `spend` is called before an analysis begins. Raises
    NoTable if the room has not dealt it."""
    today = await today_in(room)
    number = number or today
    if number > today:
        raise NoTable(f"deal No. {number} is not dealt yet")
    row, (table, rivals) = await day_in(room, number), game_of(number)
    own = {deal: played for (_, deal), played in (await tries_of(room, [guest], today)).items()}
    mine = own.get(number)
    found = b.Today(
        **msgspec.structs.asdict(stamp(number, today, mine)),
        today=today,
        goal=table.game.goal,
        best=name_of(bots_of(table.game)[-1]),
        rivals=tuple(map(name_of, rivals)),
        begins=d.begins(number, change_of(room)),
        closes=row.closes,
        table=mine.table if mine else "",
        week=tuple(stamp(one, today, own.get(one)) for one in range(today - 6, today + 1)),
        row=row_of(own, today),
        end=end_of(room, d.chain_of(number)[0]),
    )
    return await with_result(room, found, row, mine, client, spend) if mine and mine.result else found


def stamp(number: int, today: int, own: Played | None) -> b.Stamp:
    """Return a deal with the state of a guest's try."""
    unplayed = "open" if number > today - d.OPEN_DAYS else "missed"
    return b.Stamp(number, game_of(number)[0].game.title, own.state if own else unplayed)


async def with_result(
    room: Room, found: b.Today, row: Any, own: Played, client: Client, spend: Callable[[], None]
) -> b.Today:
    """Return a deal with what came of a guest's try, which is over."""
    friends = await room.store.read(lambda c: friends_of(c, own.guest))
    others = [one for one in (await tries_of(room, friends, found.today, found.deal)).values() if one.result]
    moves = await moves_at(room, [own.table, *(one.table for one in others)])
    best, mine, (live, _) = await best_of(room, row), moves.get(own.table, []), await room.kept(own.table)
    assert live.written is not None
    made = (await room.analyses.of(own.table, live.written, client, spend, b.KnownAnalysis(), 0)).analysis
    beside = [compared(found.best, True, *best, mine)] if best else []
    beside += [compared(one.name, False, one.result, moves.get(one.table, []), mine) for one in others]
    marks = "".join(MARKS.get(one.label, WORST) for one in made.decisions if one.seat == 0) if made else ""
    against = f", {found.best} {best.result}" if best else ""
    return found.replaced(
        result=own.result,
        beside=tuple(beside),
        waits=best is None or made is None,
        marks=marks,
        missed=missed_in(made) if made else "",
        text=" · ".join(filter(None, (f"fairdeal No. {found.deal}", found.title, own.result + against, marks))),
    )


async def in_short(room: Room, guest: str) -> b.Stamp | None:
    """Return the deal of the day for the lobby, or None if the room has none."""
    if room.change is None:
        return None
    today = d.number_at(time.time(), room.change)
    return stamp(today, today, (await tries_of(room, [guest], today, today)).get((guest, today)))
