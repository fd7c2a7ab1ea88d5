"""The deal of the day in a room: its tries, the numbers for later deals, and what came of them.

`protocol.daily` says when lists are closed and links opened. Nothing runs by a clock: what is due happens before the
first request of a day is answered, in one transaction, so that the workers of a room agree.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from fairdeal.bots.levels import searches, seated
from fairdeal.bots.registry import bots_of, name_of
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import changed
from fairdeal.engine.scene.points import minus
from fairdeal.engine.state import Table, table_for
from fairdeal.protocol import bodies as b
from fairdeal.protocol import daily as d
from fairdeal.server.api.opening import check_opening, new_id
from fairdeal.server.long_work import Client
from fairdeal.server.room import NoTable, Room
from fairdeal.server.storage.queries import CLEARED, check_tables, kept_analysis
from fairdeal.server.storage.store import NotSaved, alone, days, entries, seats, tables, tries
from fairdeal.server.tables import guests
from fairdeal.server.tables.dealing import go_on
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.new_seats import places_for
from fairdeal.server.tables.saving import insert_table
from fairdeal.server.tables.seats import Seats
from fairdeal.server.tables.terms import Daily, Terms
from fairdeal.table import fairness, signatures
from fairdeal.table.analysis import BEST, VERSION, Analysis, by_cost
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

LONGEST_ROW = 1000
"""Number of tries that are read to count those in a row."""

SLIGHT = "fine"
MARKS = {BEST: "●", SLIGHT: "○"}
WORST = "■"


DAILY = Client("", "the deal of the day")
"""The client to which the games of the strongest opponents are charged."""


class Best(NamedTuple):
    """The game of the strongest opponent, who plays a deal in the guest's seat."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    moves: tuple[str, ...]


class Played(NamedTuple):
    """A counted try. `over` is true if the game ended before the deal was closed, and `gone` if its table was
    deleted."""

    table: str
    deal: int
    guest: str
    name: str
    over: bool
    gone: bool
    scores: Sequence[int]
    ranks: Sequence[int]


def game_of(number: int) -> tuple[Table, tuple[str, ...]]:
    """Return the table of a deal, and the opponents at it. The first deal was dealt on a Thursday."""
    game, options, rivals = WEEK[(number + 2) % 7]
    return table_for(game, {"players": 1 + len(rivals), **options}), rivals


def change_of(room: Room) -> float:
    """Return when days begin, in seconds from midnight UTC. Raises NoTable if the room has no deal of the day."""
    if room.change is None:
        raise NoTable("this room has no deal of the day")
    return room.change


def end_of(room: Room, chain: int) -> str:
    """Return the end of a chain of links."""
    return d.hashed(last_link(room, chain), d.LINKS).hex()


def last_link(room: Room, chain: int) -> bytes:
    return room.keys.seed(f"daily chain {chain}")


def link_in(room: Room, number: int) -> bytes:
    return d.link_of(last_link(room, d.chain_of(number)[0]), number)


def seed_in(room: Room, day: Day) -> bytes:
    return d.seed_of(link_in(room, day.number), day)


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
    row = await day_in(room, number)
    chain, _ = d.chain_of(number)
    found = d.DayRecord(
        room=room.keys.public,
        deal=number,
        end=end_of(room, chain),
        next_end=end_of(room, chain + 1),
        numbers=dict.fromkeys(row.hashes, "") if row.numbers is None else row.numbers,
        signed_list=signatures.sign(room.keys.signing, d.LIST, d.list_digest(number, row.hashes)),
    )
    if row.numbers is None:
        return found
    is_closed = time.time() >= row.closes
    return msgspec.structs.replace(
        found,
        signed=signatures.sign(room.keys.signing, d.RECORD, found.digest),
        link=link_in(room, number).hex() if is_closed else "",
    )


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
    own = (await tries_of(room, [guest], wish.deal)).get(wish.deal)
    if wish.counted and own:
        return await room.find(own.table)
    if not wish.counted and not (own and own.over):
        raise FairdealError("play your counted try to its end first")
    await check_opening(room, guest)
    row, (table, rivals) = await day_in(room, wish.deal), game_of(wish.deal)
    if time.time() >= row.closes:  # the keeper has changed when days begin
        raise FairdealError(f"deal No. {wish.deal} is closed")
    day = d.day_of(wish.deal, row.numbers)
    terms = Terms(
        id=new_id(),
        game=table.game.name,
        rules_version=table.game.rules_version,
        options=changed(table.options),
        name=f"Deal of the day No. {wish.deal}",
        host=guest,
        seed=seed_in(room, day),
        listed=False,
        made=time.time(),
        daily=Daily(day.number, day.numbers, row.closes, wish.counted, wish.hash),
    )
    chairs = ["you", *(seated(rival, table.game) for rival in rivals)]
    name = await guests.name_of(room.store, guest)
    live = LiveTable(terms, Seats(places_for(chairs, guest, name, "", terms.seed)), room)

    def keep(connection: sa.Connection) -> None:
        alone(connection, "days")
        if d.number_at(time.time(), change_of(room)) != today or is_closed(connection, today):
            raise NotSaved("the day has just changed; look again")
        check_tables(connection, guest, room.limits.settings.tables)
        insert_table(connection, terms, live.seats, live.status, live.moved)
        values = {"deal": wish.deal, "guest": guest, "counted": wish.counted, "day": today, "hash": wish.hash}
        connection.execute(tries.insert().values(table=live.id, nonce="", **values))

    try:
        await room.add(live, keep)
    except sa.exc.IntegrityError:  # another request of the same guest was faster
        return await room.find((await tries_of(room, [guest], wish.deal))[wish.deal].table)
    async with live.lock:
        await go_on(live)
    await room.send_on(live)
    return live


def is_closed(connection: sa.Connection, day: int) -> bool:
    """Return whether the list of the numbers that are bound on a day is closed."""
    later = sa.select(days.c.number).where(days.c.number == day + d.OPEN_DAYS)
    return connection.execute(later).first() is not None


async def tries_of(room: Room, of: Sequence[str], *numbers: int) -> dict[int, Played]:
    """Return the counted tries of a guest at some deals, by the deal."""
    return {one.deal: one for one in await all_tries_of(room, of, numbers)}


async def all_tries_of(room: Room, of: Sequence[str], numbers: Iterable[int]) -> list[Played]:
    """Return the counted tries of guests at some deals, the first one first."""
    query = (
        sa.select(tries.c.table, tries.c.deal, tries.c.guest, seats.c.name)
        .add_columns(tables.c.status, tables.c.moved, tables.c.result, tables.c.places, days.c.closes)
        .select_from(tries.join(tables).join(days, days.c.number == tries.c.deal))
        .outerjoin(seats, sa.and_(seats.c.table == tables.c.id, seats.c.seat == 0))
        .where(tries.c.deal.in_(numbers), tries.c.counted, tries.c.guest.in_(of))
        .order_by(tables.c.made)
    )
    found = []
    for row in await room.store.read(lambda c: c.execute(query).all()):
        over, gone = row.status == "over" and row.moved < row.closes, row.status == CLEARED
        found.append(Played(row.table, row.deal, row.guest, row.name or "", over, gone, row.result, row.places))
    return found


# --- what came of it ----------------------------------------------------------------------------------------------


def told(scores: Sequence[int], ranks: Sequence[int]) -> str:
    """Return the result of the player at seat 0 in short.

    >>> told((4,), (1,)), told((19, 14), (1, 2)), told((7, 7), (1, 1))
    ('4', 'won 19 to 14', 'drew 7 to 7')
    """
    counts = " to ".join(map(minus, scores))
    if len(scores) == 1:
        return counts
    word = "lost" if ranks[0] > 1 else "drew" if list(ranks).count(1) > 1 else "won"
    return f"{word} {counts}"


def row_of(played: Iterable[int], today: int) -> int:
    """Return the number of deals played in a row. A deal that can still be played does not end the row.

    >>> row_of({5, 6, 8}, 9), row_of({5, 6, 9}, 9), row_of({5, 6}, 9)
    (1, 1, 0)
    """
    known, row, number = {*played}, 0, today
    while number in known or number > today - d.OPEN_DAYS:
        row += number in known
        number -= 1
    return row


def own_moves(log: Log) -> tuple[str, ...]:
    return tuple(move.text for move in log.moves if move.seat == 0)


def play_best(table: Table, rivals: Sequence[str], seed: bytes, day: Day) -> Best:
    """Play a deal with the strongest opponent in the guest's seat."""
    plays = [seated(one, table.game) for one in (bots_of(table.game)[-1], *rivals)]
    players = tuple(Player(name_of(one), one, fairness.seed_nonce(seed, seat)) for seat, one in enumerate(plays))
    facts = table.game.name, table.game.rules_version, changed(table.options), players, fairness.commitment(seed)
    sitting = Sitting(table, Log(*facts, day=day), seed)
    while (seat := sitting.bot_to_act()) is not None:
        sitting.play_bot(seat)
    return Best(tuple(sitting.state.scores), tuple(sitting.state.ranks), own_moves(sitting.log))


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
    best = await room.thinking.hints.do(DAILY, play_best, table, rivals, seed_in(room, day), day)
    await room.store.write(lambda c: c.execute(days.update().where(days.c.number == row.number).values(best=best)))


async def analysed(room: Room, own: Played, client: Client, spend: Callable[[], None]) -> Analysis | None:
    """Return the analysis of a try, or None while it is made."""
    content = await room.store.read(lambda c: kept_analysis(c, own.table))
    found = msgspec.json.decode(content, type=Analysis) if content else None
    if found and found.version == VERSION:
        return found
    making = room.analyses.making.get(own.table)
    if making is None or making.is_over:
        live, _ = await room.kept(own.table)
        if live.written:
            await room.analyses.of(own.table, live.written, client, spend, b.KnownAnalysis())
    return None


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
    pairs = zip(theirs, own, strict=False)
    alike = next((n for n, (one, other) in enumerate(pairs) if one != other), min(len(theirs), len(own)))
    return b.Beside(name, bot, result, alike, "".join(theirs[alike : alike + 1]), "".join(own[alike : alike + 1]))


async def friends_of(room: Room, guest: str) -> list[str]:
    """Return the guests with whom a guest has finished a game in this room."""
    other = seats.alias()
    query = (
        sa.select(other.c.guest)
        .select_from(seats.join(tables).join(other, other.c.table == seats.c.table))
        .where(seats.c.guest == guest, other.c.guest != guest, tables.c.status == "over")
        .group_by(other.c.guest)
        .order_by(sa.func.max(tables.c.moved).desc())
        .limit(MOST_FRIENDS)
    )
    return await room.store.read(lambda c: [*c.execute(query).scalars()])


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
    today, change = await today_in(room), change_of(room)
    number = number or today
    if number > today:
        raise NoTable(f"deal No. {number} is not dealt yet")
    row, (table, rivals) = await day_in(room, number), game_of(number)
    week = range(today - 6, today + 1)
    own = await tries_of(room, [guest], number, *week)
    counted = sa.select(tries.c.deal).where(tries.c.guest == guest, tries.c.counted)
    latest = counted.order_by(tries.c.deal.desc()).limit(LONGEST_ROW)
    played = await room.store.read(lambda c: {*c.execute(latest).scalars()})
    stamps = [
        b.Stamp(one, game_of(one)[0].game.title, d.begins(one, change), state_of(one, today, own.get(one)))
        for one in week
    ]
    mine = own.get(number)
    found = b.Today(
        deal=number,
        today=today,
        game=table.game.name,
        title=table.game.title,
        goal=table.game.goal,
        best=name_of(bots_of(table.game)[-1]),
        rivals=tuple(map(name_of, rivals)),
        begins=d.begins(number, change),
        closes=row.closes,
        next=d.begins(today + 1, change),
        state=state_of(number, today, mine),
        table=mine.table if mine else "",
        week=tuple(stamps),
        row=row_of(played, today),
        before=today - 1 if stamps[-2].state == "open" and number == today else 0,
        end=end_of(room, d.chain_of(number)[0]),
    )
    return await with_result(room, found, row, mine, client, spend) if mine and mine.over else found


def state_of(number: int, today: int, own: Played | None) -> str:
    """Return the state of a guest's try at a deal."""
    is_open = number > today - d.OPEN_DAYS
    if own is None:
        return "open" if is_open else "missed"
    if own.gone:
        return "gone"
    return "over" if own.over else "begun" if is_open else "unfinished"


async def with_result(
    room: Room, found: b.Today, row: Any, own: Played, client: Client, spend: Callable[[], None]
) -> b.Today:
    """Return a deal with what came of a guest's try, which is over."""
    others = [one for one in await all_tries_of(room, await friends_of(room, own.guest), [own.deal]) if one.over]
    moves = await moves_at(room, [own.table, *(one.table for one in others)])
    best, made = await best_of(room, row), await analysed(room, own, client, spend)
    mine, result = moves.get(own.table, []), told(own.scores, own.ranks)
    beside = [compared(found.best, True, told(best.scores, best.ranks), best.moves, mine)] if best else []
    for one in others:
        beside.append(compared(one.name, False, told(one.scores, one.ranks), moves.get(one.table, []), mine))
    marks = "".join(MARKS.get(one.label, WORST) for one in made.decisions if one.seat == 0) if made else ""
    against = f", {found.best} {beside[0].result}" if best else ""
    return found.replaced(
        result=result,
        beside=tuple(beside),
        waits=best is None or made is None,
        marks=marks,
        missed=missed_in(made) if made else "",
        text=" · ".join(filter(None, (f"fairdeal No. {found.deal}", found.title, result + against, marks))),
    )


async def in_short(room: Room, guest: str) -> b.TodayInShort | None:
    """Return the deal of the day for the lobby, or None if the room has none."""
    if room.change is None:
        return None
    today = d.number_at(time.time(), room.change)
    game, own = game_of(today)[0].game, await tries_of(room, [guest], today)
    return b.TodayInShort(today, game.name, game.title, state_of(today, today, own.get(today)))
