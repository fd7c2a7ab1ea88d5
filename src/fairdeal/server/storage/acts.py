"""The acts of the keeper of a room: what they are, their log, and the rules of the house that follow from it.

An act is a row in the database. A command or the keeper's page adds it, and a process of the open room carries it out,
so that both work alike with SQLite and PostgreSQL. The rows stay as the log of acts.
"""

import ipaddress
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec
import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.scene import count_of
from fairdeal.server.limits import OWN_MACHINE, origin_of
from fairdeal.server.storage.queries import CLEARED, UNFINISHED
from fairdeal.server.storage.store import acts, bans, chat, entries, guests, kept, player_name, seats, tables, vacations
from fairdeal.table.clocks import DAY

GUEST = re.compile("[0-9a-f]{32}")

GIVEN_UP = 60.0
"""Time, in seconds, after which another process carries out an act that was begun and not ended."""

YEAR, MOST_AWAY = 365 * DAY, 30 * DAY
"""The seconds of a year, and for how many of them the clocks of a guest may stand still."""

LONGEST_NOTICE = 200
"""Maximum length of an announcement, in characters."""


def when(at: float) -> str:
    """Return a Unix time as the local date and time."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


class Act(Frozen, tag_field="kind", tag=str.lower, forbid_unknown_fields=True):
    """Something that the keeper asks for. `words` describe it in the log, with its fields in braces; `deletes` is what
    it deletes for good. `ends` are the words for an act whose only field is empty or false."""

    words: ClassVar[str]
    deletes: ClassVar[str] = ""
    ends: ClassVar[str] = ""

    @property
    def text(self) -> str:
        about = msgspec.structs.asdict(self)
        words = self.words if any(about.values()) else self.ends or self.words
        return words.format(**about)


class Close(Act):
    """Delete an unfinished table. Its commitment is kept, so that its cards cannot be dealt again."""

    table: str
    words: ClassVar[str] = "close table {table}"
    deletes: ClassVar[str] = "table {table} with its moves and chat"


class Free(Act):
    """Take a guest from a seat. Before the deal the seat is free, afterwards a bot plays on until another guest takes
    it."""

    table: str
    seat: int
    words: ClassVar[str] = "free seat {seat} of table {table}"


class Exclude(Act):
    """Take a guest from a table, who cannot come back to it."""

    table: str
    guest: str
    words: ClassVar[str] = "exclude guest {guest} from table {table}"


class Ban(Act):
    """Exclude a guest from the room."""

    guest: str
    words: ClassVar[str] = "ban guest {guest}"


class Readmit(Act):
    """Lift the ban of a guest."""

    guest: str
    words: ClassVar[str] = "readmit guest {guest}"


class Bar(Act):
    """Refuse an address until a Unix time; 0 admits it again. An address of IPv6 stands for its network of 64 bits."""

    address: str
    until: float
    words: ClassVar[str] = "bar address {address}"

    @property
    def text(self) -> str:
        return (
            f"bar address {self.address} until {when(self.until)}"
            if self.until
            else f"admit address {self.address} again"
        )


class Erase(Act):
    """Delete a line of chat."""

    line: int
    words: ClassVar[str] = "erase line {line}"
    deletes: ClassVar[str] = "line {line}"


class Unname(Act):
    """Delete the name of a guest, who is called Guest then, also in the chat and at tables before the deal. The log of
    a dealt game is signed with its names, so they stay there."""

    guest: str
    words: ClassVar[str] = "delete the name of guest {guest}"
    deletes: ClassVar[str] = "the name of guest {guest}"


class Announce(Act):
    """Show a line in the lobby and at all tables, or none if it is empty."""

    notice: str
    words: ClassVar[str] = "announce “{notice}”"
    ends: ClassVar[str] = "end the announcement"


class Hold(Act):
    """Open no new tables, or open them again."""

    on: bool
    words: ClassVar[str] = "open no new tables"
    ends: ClassVar[str] = "open new tables again"


class Doors(Act):
    """Let only invited guests open tables and see those of others, or all guests again. A guest with the link of a
    table can take a seat there, and is invited by that."""

    invited_only: bool
    words: ClassVar[str] = "open the room to invited guests only"
    ends: ClassVar[str] = "open the room to all guests"


Acts = Close | Free | Exclude | Ban | Readmit | Bar | Erase | Unname | Announce | Hold | Doors


class Asked(NamedTuple):
    """An act in the log: by whom and when it was asked for, when it was done, and why it failed."""

    id: int
    act: Acts
    by: str
    at: float
    done: float | None
    problem: str

    @property
    def outcome(self) -> str:
        """The result of the act so far."""
        return self.problem or ("done" if self.done else "waits for the room")


class House(NamedTuple):
    """The rules of the house now: who is excluded from the room, from tables, and by address, the line that all are
    shown, whether no new tables are opened, or only by invited guests, and the numbers that the cookies of guests must
    have who were signed out. `vacations` are the beginnings and ends of those of the last year, by guest."""

    banned: frozenset[str] = frozenset()
    excluded: frozenset[tuple[str, str]] = frozenset()
    barred: Mapping[str, float] = {}
    notice: str = ""
    holds: bool = False
    invited_only: bool = False
    epochs: Mapping[str, int] = {}
    vacations: Mapping[str, Sequence[tuple[float, float]]] = {}

    def away(self, guest: str | None) -> tuple[float, float]:
        """Return the Unix time at which a guest's vacation ends, or 0, and the seconds that they can still be away."""
        now, times = time.time(), self.vacations.get(guest or "", ())
        spent = sum(min(until, now) - max(since, now - YEAR) for since, until in times)
        return max((until for _, until in times if until > now), default=0.0), MOST_AWAY - spent

    def bars(self, address: str) -> bool:
        """Return whether requests from an address are refused now."""
        return bool(self.barred) and self.barred.get(origin_of(address).network, 0.0) > time.time()


def checked(act: Acts) -> Acts:
    """Return an act. Raises FairdealError if it cannot be carried out anywhere."""
    guest = getattr(act, "guest", None)
    if guest is not None and not GUEST.fullmatch(guest):
        raise FairdealError(f"{guest!r} is not the id of a guest; `fairdeal room guests` lists guests with their ids")
    if isinstance(act, Announce) and (len(act.notice) > LONGEST_NOTICE or not act.notice.isprintable()):
        raise FairdealError(f"an announcement is a line of at most {LONGEST_NOTICE} characters")
    if isinstance(act, Bar) and not is_address(act.address):
        raise FairdealError(f"{act.address!r} is not an address, such as 192.0.2.7 or 2001:db8::7")
    return act


def is_address(text: str) -> bool:
    """Return whether a text is an address, or the network that stands for one in the rules of the house."""
    alone = text.partition("/")[0]
    try:
        ipaddress.ip_address(alone)
    except ValueError:
        return text == OWN_MACHINE
    return text in (alone, origin_of(alone).network)


DELETED = "the table is deleted, because it concerns nobody else"
"""The statement of a dry run about a table from which the last guest would be taken."""


def foreseen(connection: sa.Connection, act: Acts) -> str:
    """Return what the database knows now about what an act would change. Raises FairdealError with the reason why the
    act would fail. The room checks this before it carries out an act, and a dry run says it."""
    match checked(act):
        case Close(table):
            status = status_of(connection, table)
            moves = sa.select(sa.func.count()).where(entries.c.table == table)
            return f"it is {status}, with {count_of(connection.execute(moves).scalar_one(), 'move')}"
        case Free(table, seat):
            then = "it is free then" if status_of(connection, table) == "open" else "it is played by a bot then"
            at = seats_of(connection, seats.c.table == table)
            if not 0 <= seat < len(at):
                raise FairdealError(f"table {table} has the seats 0 to {len(at) - 1}, not {seat}")
            if at[seat].guest is None:
                raise FairdealError(f"nobody has seat {seat} of table {table}")
            return f"{at[seat].name} has it, and {then if is_shared(connection, table, at[seat].guest) else DELETED}"
        case Exclude(table, guest):
            status_of(connection, table)
            here = seats_of(connection, seats.c.table == table, seats.c.guest == guest)
            found = f"{here[0].name} has seat {here[0].seat}" if here else "the guest has no seat there"
            return found if is_shared(connection, table, guest) else f"{found}, and {DELETED}"
        case Readmit(guest):
            since = connection.execute(sa.select(bans.c.at).where(bans.c.guest == guest)).scalar()
            if since is None:
                raise FairdealError(f"guest {guest!r} is not banned; `fairdeal room guests` lists bans")
            return f"banned since {when(since)}"
        case Ban(guest):
            is_banned = connection.execute(sa.select(bans.c.guest).where(bans.c.guest == guest)).first()
            return f"{known_as(connection, guest)}{', who is banned already' if is_banned else ''}"
        case Unname(guest):
            return known_as(connection, guest)
        case Bar(address, _):
            until = house_of(connection).barred.get(origin_of(address).network, 0.0)
            return f"it is barred until {when(until)} now" if until > time.time() else "it is not barred now"
        case Erase(line):
            said = connection.execute(sa.select(chat).where(chat.c.id == line)).first()
            if said is None:
                raise FairdealError(f"there is no line {line}; `fairdeal room lines TABLE` lists the lines of a table")
            return f"“{said.text}” by {said.name} at table {said.table}"
        case Announce():
            notice = house_of(connection).notice
            return f"it is “{notice}” now" if notice else "there is none now"
        case Hold(wanted) | Doors(wanted):
            house = house_of(connection)
            now = house.holds if isinstance(act, Hold) else house.invited_only
            return "this is so already" if now == wanted else "this is not so now"


def status_of(connection: sa.Connection, table: str) -> str:
    """Return the status of an unfinished table. Raises FairdealError if there is no such table."""
    status = connection.execute(sa.select(tables.c.status).where(tables.c.id == table)).scalar()
    if status in UNFINISHED:
        return str(status)
    kind = "table" if status in (None, CLEARED) else "unfinished table"
    raise FairdealError(f"there is no {kind} {table!r}; `fairdeal room tables` lists all tables")


def is_shared(connection: sa.Connection, table: str, guest: str) -> bool:
    """Return whether a table also concerns other guests, as its host or at its seats."""
    host = sa.select(tables.c.host).where(tables.c.id == table)
    seated = sa.select(seats.c.guest).where(seats.c.table == table, seats.c.guest.is_not(None))
    return bool({*connection.execute(host.union(seated)).scalars()} - {guest})


def seats_of(connection: sa.Connection, *those: sa.ColumnElement[bool]) -> Sequence[Any]:
    return connection.execute(
        sa.select(seats.c.seat, seats.c.guest, player_name.label("name")).where(*those).order_by(seats.c.seat)
    ).all()


def known_as(connection: sa.Connection, guest: str) -> str:
    """Return what the room knows of a guest."""
    name = connection.execute(sa.select(guests.c.name).where(guests.c.id == guest)).scalar()
    places = len(seats_of(connection, seats.c.guest == guest))
    if not name and not places:
        return "a guest with this id has given no name and has no seat"
    return f"{name or 'a guest without a name'}, with {count_of(places, 'seat')}"


def ask(connection: sa.Connection, act: Acts, by: str) -> int:
    """Add an act to the log, to be carried out, and return its id. Raises FairdealError if it is invalid."""
    about = msgspec.structs.asdict(checked(act))
    added = (
        acts.insert().values(kind=act.__struct_config__.tag, about=about, by=by, at=time.time()).returning(acts.c.id)
    )
    return int(connection.execute(added).scalar_one())


def asked_of(connection: sa.Connection, query: sa.Select[Any]) -> Sequence[Asked]:
    return [
        Asked(row.id, msgspec.convert(row.about | {"kind": row.kind}, Acts), row.by, row.at, row.done, row.problem)
        for row in connection.execute(query)
    ]


in_order = sa.select(acts).order_by(acts.c.id)


def log_of_acts(connection: sa.Connection, only: int | None = None, most: int | None = None) -> Sequence[Asked]:
    """Return all acts, the newest first, or the one with an id, or `most` of them."""
    query = sa.select(acts).order_by(acts.c.id.desc()).limit(most)
    return asked_of(connection, query if only is None else query.where(acts.c.id == only))


def acts_about(connection: sa.Connection, guest: str) -> Sequence[Asked]:
    """Return the acts about a guest, the oldest first."""
    of_guests = acts.c.kind.in_(("exclude", "ban", "readmit", "unname"))
    return [
        asked for asked in asked_of(connection, in_order.where(of_guests)) if getattr(asked.act, "guest", "") == guest
    ]


def unlink(connection: sa.Connection, guest: str, to: str = "") -> None:
    """Remove a guest from the log of acts, who has deleted their data, or is now the guest `to`."""
    for asked in acts_about(connection, guest):
        about = msgspec.structs.asdict(asked.act) | {"guest": to}
        connection.execute(acts.update().where(acts.c.id == asked.id).values(about=about))


def is_waiting() -> sa.ColumnElement[bool]:
    """Return the condition for acts that are to be carried out, and that no process is carrying out."""
    free = sa.or_(acts.c.taken.is_(None), acts.c.taken < time.time() - GIVEN_UP)
    return sa.and_(acts.c.done.is_(None), free)


def waiting(connection: sa.Connection) -> Sequence[Asked]:
    """Return the acts that wait, in order."""
    return asked_of(connection, in_order.where(is_waiting()))


def take(connection: sa.Connection, asked: Asked) -> bool:
    """Begin to carry out an act, and return whether no other process has."""
    mine = acts.update().where(acts.c.id == asked.id, is_waiting()).values(taken=time.time())
    return connection.execute(mine).rowcount == 1


def finish(connection: sa.Connection, asked: Asked, problem: str = "") -> None:
    """Note that an act was carried out, or why it failed."""
    connection.execute(acts.update().where(acts.c.id == asked.id).values(done=time.time(), problem=problem))


def house_of(connection: sa.Connection) -> House:
    """Return the rules of the house, which follow from the bans and from the acts that were carried out."""
    standing = "exclude", "bar", "announce", "hold", "doors"
    query = in_order.where(acts.c.kind.in_(standing), acts.c.done.is_not(None), acts.c.problem == "")
    excluded, barred, notice, holds, invited_only = set[tuple[str, str]](), dict[str, float](), "", False, False
    for asked in asked_of(connection, query):
        match asked.act:
            case Exclude(table, guest):
                if guest:  # or they have deleted their data
                    excluded.add((table, guest))
            case Bar(address, until):
                barred[origin_of(address).network] = until
            case Announce(notice):
                pass
            case Hold(holds):
                pass
            case Doors(invited_only):
                pass
    banned = frozenset(connection.execute(sa.select(bans.c.guest)).scalars())
    signed_out = connection.execute(sa.select(kept).where(kept.c.epoch > 0))
    epochs = {row.guest: row.epoch for row in signed_out}
    away: dict[str, list[tuple[float, float]]] = {}
    for row in connection.execute(sa.select(vacations).where(vacations.c.until > time.time() - YEAR)):
        away.setdefault(row.guest, []).append((row.since, row.until))
    return House(banned, frozenset(excluded), barred, notice, holds, invited_only, epochs, away)
