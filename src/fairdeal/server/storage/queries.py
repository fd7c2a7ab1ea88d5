"""The room's database queries."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from fairdeal.engine.kit.seats import members
from fairdeal.engine.scene import count_of
from fairdeal.server.limits import TooMany
from fairdeal.server.storage.store import analyses, chat, entries, is_damage, leases, seats, tables, workers
from fairdeal.table.clocks import DAY
from fairdeal.table.log import HIDDEN, Move
from fairdeal.table.sitting import PERSON

MOST_UNFINISHED, MOST_FINISHED, MOST_OPEN = 100, 30, 40
"""Maximum number of tables in a lobby: of the guest's own unfinished and finished tables, and of open tables."""

MOST_OF_ONE = 3
"""Maximum number of open tables of one host that are listed in a lobby."""

MOST_COUNTED = 500
"""Maximum number of finished games counted in a guest's record, or in the score between guests."""

MOST_IN_HISTORY = 2000
"""Maximum number of finished games in a guest's history: the latest ones."""

CLEARED = "cleared"
"""The status of a deleted table. Such a table is neither listed nor found, but its commitment cannot be used again."""

MOST_TOLD = 200
"""Maximum number of chat lines that are read with a table."""

UNFINISHED = "open", "running"
unfinished = tables.c.status.in_(UNFINISHED)

earlier, last = entries.alias("earlier"), entries.alias("last")
newest = sa.select(sa.func.max(earlier.c.number)).where(earlier.c.table == tables.c.id).scalar_subquery()
with_last_entry = tables.outerjoin(last, sa.and_(last.c.table == tables.c.id, last.c.number == newest))
known = entries.alias("known")
known_at = (
    sa.select(known.c.at)
    .where(known.c.table == tables.c.id, sa.or_(known.c.hidden.is_(None), ~known.c.hidden.endswith(HIDDEN)))
    .order_by(known.c.number.desc())
    .limit(1)
    .scalar_subquery()
    .label("at")
)
"""The time of the last entry that is not hidden."""
acts_now = sa.case((last.c.number.is_(None), tables.c.acts), else_=last.c.acts).label("acts_now")
"""The seats to act after the last entry, or after the deal if there are no entries; null if they are unknown."""


def joined_numbers(numbers: Iterable[int]) -> str:
    """Return numbers as one string, such as `12,7`."""
    return ",".join(map(str, numbers))


def numbers(text: str | None) -> tuple[int, ...]:
    """Return the numbers in such a string, such as `12,7`. Return none for an empty string or None."""
    return tuple(map(int, text.rstrip(HIDDEN).split(","))) if text else ()


class Entry(NamedTuple):
    """A row of a table's log. `at` is a Unix time, and `acts` the bit set of the seats that may act after the entry.
    `actions` are the ids of the move's actions, such as `12,7`, if they are known. `hidden` are the numbers of hidden
    entries so far by seat, such as `0,2`, in a log with salts, followed by + if the entry itself is hidden."""

    number: int
    seat: int
    text: str
    client: str
    by: str
    at: float
    acts: int | None = None
    actions: str | None = None
    hidden: str | None = None

    @classmethod
    def of(
        cls,
        number: int,
        move: Move,
        at: float,
        client: str = "",
        acts: int | None = None,
        hidden: Sequence[int] = (),
    ) -> Entry:
        """Return the row of a move, or of an undo. `hidden` are the numbers of hidden entries by seat."""
        unseen = joined_numbers(hidden) + HIDDEN * move.hidden if move.salt else None
        return cls(
            number, move.seat, move.text, client, move.by, at, acts, joined_numbers(move.actions) or None, unseen
        )

    @property
    def move(self) -> Move:
        """The move, or the undo, in this row, without its salt."""
        return Move(self.seat, self.text, self.by, actions=numbers(self.actions))


class StoredTable(NamedTuple):
    """All stored rows of a table, the bit set of the seats to act, and the time of the last entry that is not hidden.
    `damaged` is true if the moves cannot be read."""

    table: Any
    seats: Sequence[Any]
    entries: Sequence[Entry]
    chat: Sequence[Any]
    acts: int | None = None
    at: float | None = None
    damaged: bool = False


class Summary(NamedTuple):
    """A table as listed in a lobby: its row, with the number and hidden entries of the last entry and the time of the
    last one that is not hidden, and its seats. `damaged` is true if the last entry cannot be read."""

    table: Any
    seats: Sequence[Any]
    damaged: bool = False


def kept_table(connection: sa.Connection, table: str) -> StoredTable | None:
    """Return a table with its seats, moves and chat, or None if no table has this id."""
    there = sa.and_(tables.c.id == table, tables.c.status != CLEARED)
    row = connection.execute(sa.select(tables).where(there)).mappings().first()
    if row is None:
        return None
    ordered = connection.execute(sa.select(seats).where(seats.c.table == table).order_by(seats.c.seat))
    seated = ordered.mappings().all()
    played = sa.select(*(entries.c[name] for name in Entry._fields)).where(entries.c.table == table)
    said = sa.select(chat).where(chat.c.table == table).order_by(chat.c.id.desc()).limit(MOST_TOLD)
    try:
        moves = connection.execute(played.order_by(entries.c.number)).all()
        now = sa.select(acts_now, known_at).select_from(with_last_entry).where(tables.c.id == table)
        acts, at = connection.execute(now).one()
    except sa.exc.DatabaseError as problem:
        if not is_damage(problem):
            raise
        return StoredTable(row, seated, [], [], damaged=True)
    try:
        lines = connection.execute(said).mappings().all()[::-1]
    except sa.exc.DatabaseError as problem:
        if not is_damage(problem):
            raise
        lines = []  # a game goes on without its chat
    return StoredTable(row, seated, [Entry(*move) for move in moves], lines, acts, at)


def kept_analysis(connection: sa.Connection, table: str) -> bytes | None:
    """Return the analysis stored for a table, regardless of its version, or None."""
    return connection.execute(sa.select(analyses.c.analysis).where(analyses.c.table == table)).scalar()


def is_used(connection: sa.Connection, seed: bytes, table: str) -> bool:
    """Return whether another table has been opened with this seed."""
    others = tables.c.seed == seed, tables.c.id != table
    return connection.execute(sa.select(tables.c.id).where(*others).limit(1)).first() is not None


playing = sa.select(sa.func.count(seats.c.guest)).where(seats.c.table == tables.c.id).scalar_subquery()
"""The number of people who play at a table."""


def going_on(connection: sa.Connection) -> list[str]:
    """Return the running tables that continue without a guest, because a bot is to act, a clock is running, no seat is
    to act, or the seats to act are unknown. A table with a clock in days continues when it is due, if that is known. A
    game of one person against bots is paused until they are back."""
    bots: dict[str, set[int]] = {}
    plays_itself = sa.or_(seats.c.plays != PERSON, seats.c.stand_in)
    found = sa.select(seats.c.table, seats.c.seat).join(tables).where(tables.c.status == "running", plays_itself)
    for table, seat in connection.execute(found):
        bots.setdefault(table, set()).add(seat)
    runs = sa.and_(tables.c.clock > 0, sa.or_(tables.c.clock < DAY, tables.c.due.is_(None))).label("runs")
    running = sa.select(tables.c.id, runs, acts_now, playing).select_from(with_last_entry)
    return [
        table
        for table, runs, acts, guests in connection.execute(running.where(tables.c.status == "running"))
        if not acts or (guests != 1 and (runs or not bots.get(table, set()).isdisjoint(members(acts))))
    ]


def due_until(connection: sa.Connection, when: float) -> Sequence[Any]:
    """Return the tables that must be in memory at a Unix time, and since when, the first ones first."""
    return connection.execute(sa.select(tables.c.id, tables.c.due).where(tables.c.due <= when).order_by("due")).all()


def check_tables(connection: sa.Connection, guest: str, most: int) -> None:
    """Check that a guest may open or join one more table. Raises TooMany if `most` of the guest's tables are
    unfinished."""
    query = (
        sa.select(sa.func.count(sa.distinct(tables.c.id)))
        .select_from(tables.outerjoin(seats))
        .where(unfinished, sa.or_(tables.c.host == guest, seats.c.guest == guest))
    )
    if (connection.execute(query).scalar() or 0) >= most:
        own = count_of(most, "unfinished table")
        raise TooMany(f"you have {own}; finish some of them, or clear away those against bots")


alive = leases.c.worker.in_(sa.select(workers.c.id))
here = sa.select(leases.c.here).where(leases.c.table == tables.c.id, alive).scalar_subquery()
"""The seats with a guest who is connected, where several workers share the database."""

people = sa.select(sa.func.count()).where(seats.c.table == tables.c.id, seats.c.plays == PERSON).scalar_subquery()


def mine_and_open(connection: sa.Connection, guest: str, attended: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the guest's own tables, unfinished ones first, and the open tables, at most `MOST_OF_ONE` for each host.
    Otherwise, both lists are sorted newest first. A running game of one person against bots is listed only if it is one
    of `attended`, the tables with a person present."""
    order = tables.c.moved.desc()
    own = (
        sa.select(tables.c.id, tables.c.moved)
        .distinct()
        .select_from(tables.outerjoin(seats))
        .where(sa.or_(tables.c.host == guest, seats.c.guest == guest))
        .order_by(order)
    )
    mine = own.where(unfinished).limit(MOST_UNFINISHED), own.where(tables.c.status == "over").limit(MOST_FINISHED)
    place = sa.func.row_number().over(partition_by=tables.c.host, order_by=order).label("place")
    offered = sa.or_(tables.c.status == "open", people != 1, tables.c.id.in_(attended), here > 0)
    listed = sa.select(tables.c.id, tables.c.moved, place).where(tables.c.listed, unfinished, offered).subquery()
    free = sa.select(listed.c.id).where(listed.c.place <= MOST_OF_ONE).order_by(listed.c.moved.desc()).limit(MOST_OPEN)
    read = [[row.id for row in connection.execute(query)] for query in (*mine, free)]
    return [*read[0], *read[1]], read[2]


def lobby(
    connection: sa.Connection, guest: str, live: Container[str], attended: Sequence[str]
) -> tuple[list[str], list[str], dict[str, Summary]]:
    """Return the guest's own tables, the open tables, and summaries of those that are not in `live`. `attended` are the
    newest tables with a person present."""
    mine, free = mine_and_open(connection, guest, attended)
    asleep = [table for table in dict.fromkeys([*mine, *free]) if table not in live]
    return mine, free, summaries(connection, asleep)


all_games = (
    sa.select(*(tables.c[name] for name in ("id", "game", "moved", "options", "places", "result", "origin")))
    .join(seats)
    .where(tables.c.status == "over", seats.c.guest == sa.bindparam("guest"))
    .order_by(tables.c.moved.desc(), tables.c.id.desc())
    .limit(sa.bindparam("most"))
)
"""The latest finished games of a guest."""

own_games = all_games.where(tables.c.game == sa.bindparam("game"))
"""The latest finished games of a guest of one kind."""


def finished_games(
    connection: sa.Connection, query: sa.Select[Any], values: Mapping[str, Any]
) -> Iterator[tuple[list[Any], Any, Any]]:
    """Yield the seats of each of these games that was played from the deal, the seat that won, or None if the first
    place is shared, and the row of the game."""
    finished = connection.execute(query, {"most": MOST_COUNTED, **values})
    rows = {row.id: row for row in finished if row.result and row.places and not row.origin}
    there: dict[str, list[Any]] = {table: [] for table in rows}
    for place in seats_of(connection, rows) if rows else ():
        there[place["table"]].append(place)
    for table, seated in there.items():
        first = [place for place in seated if rows[table].places[place["seat"]] == 1]
        yield seated, first[0] if len(first) == 1 else None, rows[table]


def record_of(connection: sa.Connection, guest: str, game: str) -> dict[str, tuple[int, int]]:
    """Return the wins of a guest, and of each opponent in the same games, by the id of the opponent: see
    `finished_games`."""
    met: dict[str, tuple[int, int]] = {}
    for places, winner, _ in finished_games(connection, own_games, {"game": game, "guest": guest}):
        for opponent in {opponent_at(place) for place in places} - {""}:
            you, they = met.get(opponent, (0, 0))
            won, lost = winner and winner["guest"] == guest, winner and opponent_at(winner) == opponent
            met[opponent] = you + bool(won), they + bool(lost)
    return met


@functools.lru_cache
def games_between(people: int) -> sa.Select[Any]:
    """Return the query for the latest finished games of a number of people, and of nobody else but bots. It has their
    ids and names as parameters, such as `guest0` and `name0`."""
    played = [
        tables.c.id.in_(
            sa.select(seats.c.table).where(
                seats.c.guest == sa.bindparam(f"guest{n}"), seats.c.name == sa.bindparam(f"name{n}")
            )
        )
        for n in range(people)
    ]  # lists, because SQLite would search all seats of a guest for each table
    other = seats.alias()
    elsewhere = other.c.guest.not_in(sa.bindparam("guests", expanding=True))
    is_other = other.c.plays == PERSON, sa.or_(other.c.guest.is_(None), elsewhere)
    return own_games.where(~sa.exists().where(other.c.table == tables.c.id, *is_other), *played)


def score_of(connection: sa.Connection, game: str, people: Mapping[str, str]) -> dict[str, int]:
    """Return the number of games that each of these people has won, by guest, or nothing if they have not finished a
    game: see `finished_games`. `people` are the names of the guests. A game counts if exactly these guests played it,
    under the same names, so that a new name does not reveal an old one. Bots may have played, too."""
    values = {"game": game, "guest": min(people), "guests": list(people)}
    for n, (guest, name) in enumerate(people.items()):
        values |= {f"guest{n}": guest, f"name{n}": name}
    winners = [winner for _, winner, _ in finished_games(connection, games_between(len(people)), values)]
    wins = Counter(winner["guest"] for winner in winners if winner)
    return {guest: wins[guest] for guest in people} if winners else {}


def opponent_at(place: Any) -> str:
    """Return the id of the bot at a seat, or an empty string for a person."""
    return "" if place["plays"] == PERSON else str(place["plays"]).partition(":")[0]


def summaries(connection: sa.Connection, ids: Sequence[str]) -> dict[str, Summary]:
    """Return summaries of tables. If a page of the database cannot be read, the tables stored on other pages are still
    returned."""
    try:
        seated: dict[str, list[Any]] = {}
        for seat in seats_of(connection, ids):
            seated.setdefault(seat["table"], []).append(seat)
        seq = last.c.number.label("seq")
        query = sa.select(tables, seq, known_at, last.c.hidden, acts_now, here.label("here"))
        query = query.select_from(with_last_entry)
        rows = connection.execute(query.where(tables.c.id.in_(ids))).mappings()
        return {row["id"]: Summary(row, seated.get(row["id"], [])) for row in rows}
    except sa.exc.DatabaseError as problem:
        if not is_damage(problem):
            raise
        if len(ids) > 1:
            return {table: found for one in ids for table, found in summaries(connection, [one]).items()}
    try:
        row = connection.execute(sa.select(tables).where(tables.c.id.in_(ids))).mappings().one()
        unknown = dict.fromkeys(("seq", "at", "hidden", "acts_now", "here"))
        return {row["id"]: Summary({**row, **unknown}, seats_of(connection, ids), damaged=True)}
    except sa.exc.SQLAlchemyError:  # not even its row can be read
        return {}


def seats_of(connection: sa.Connection, ids: Iterable[str]) -> Sequence[Any]:
    query = sa.select(seats).where(seats.c.table.in_(ids)).order_by(seats.c.table, seats.c.seat)
    return connection.execute(query).mappings().all()
