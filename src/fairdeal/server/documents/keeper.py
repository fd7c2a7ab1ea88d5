"""The keeper's page as a document without a script: tables with their guests and lines, guests, and the log of acts.
Each act is a form."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from markupsafe import Markup

from fairdeal.engine.scene import count_of, noun_for
from fairdeal.server.documents import EMPTY, PAGE, SURE
from fairdeal.server.storage import acts as a
from fairdeal.server.storage.acts import when
from fairdeal.server.storage.keeping import all_guests, all_tables, known_guests, last_lines
from fairdeal.server.storage.queries import CLEARED
from fairdeal.server.storage.reporting import all_reports
from fairdeal.server.storage.store import acts, seats, tables
from fairdeal.table.names import isolated

MOST = 50
"""Maximum number of tables, guests, reports and acts on the page."""

LINES = 20
"""Maximum number of lines of a table on the page."""

NO_SESSION = Markup(
    "<h1>Keeper</h1><p>This page opens with a link that works once. <code>fairdeal room keeper</code> prints one.</p>"
)

BODY = Markup("""<header><h1>Keeper</h1><form method='post' action='/keeper/end'>
<button class='btn slim'>Sign out</button></form></header>{problem}
<section><h2>The room</h2>
<form method='post' action='/keeper'><input type='hidden' name='kind' value='announce'><label>Announcement
<input name='notice' value='{notice}' maxlength='{longest}' placeholder='Update at 21:00, back in a minute'></label>
<button class='btn slim'>Show</button></form>{hold}{doors}
<form method='post' action='/keeper'><input type='hidden' name='kind' value='bar'><label>Refuse an address
<input name='address' required placeholder='192.0.2.7'></label><label>for hours
<input name='hours' type='number' min='0' value='24' required></label>
<button class='btn slim'>Refuse</button></form>{barred}</section>
<section><h2>Reports</h2><ul>{reports}</ul>{more_reports}</section>
<section><h2>Tables</h2>{tables}{more_tables}</section>
<section><h2>Guests</h2><ul>{guests}</ul>{more_guests}</section>
<section><h2>Acts</h2><ol>{acts}</ol>{more_acts}</section>""")

TABLE = Markup(
    "<details id='{id}'><summary><b>{title}</b> <span>{status}, {moves}, {at}</span></summary>"
    "<ul>{seats}</ul>{earlier}<ul>{lines}</ul>{close}</details>"
)
FORM = Markup("<form method='post' action='/keeper'>{fields}<button class='btn slim'>{label}</button></form>")
FIELD = Markup("<input type='hidden' name='{}' value='{}'>")
ITEM = Markup("<li><span>{}</span>{}</li>")


class Seen(NamedTuple):
    """The content of the page, from one state of the database. `all_tables`, `all_guests` and
    `all_acts` are the numbers of all there are."""

    tables: Sequence[Any]
    seats: Mapping[str, Sequence[Any]]
    lines: Mapping[str, Sequence[Any]]
    guests: Sequence[Any]
    reports: Sequence[Any]
    acts: Sequence[a.Asked]
    house: a.House
    all_tables: int
    all_guests: int
    all_acts: int


def seen(connection: sa.Connection) -> Seen:
    """Read what the page shows, with the same number of queries regardless of how much there is."""
    found = all_tables(connection, MOST)
    ids = [row.id for row in found]
    seated: dict[str, list[Any]] = {}
    for row in connection.execute(sa.select(seats).where(seats.c.table.in_(ids)).order_by(seats.c.seat)):
        seated.setdefault(row.table, []).append(row)
    number = sa.select(sa.func.count())
    there = number.select_from(tables).where(tables.c.status != CLEARED)
    counts = there, number.select_from(known_guests), number.select_from(acts)
    totals = connection.execute(sa.select(*(count.scalar_subquery() for count in counts))).one()
    return Seen(
        found,
        seated,
        last_lines(connection, ids, LINES),
        all_guests(connection, MOST),
        all_reports(connection, MOST),
        a.log_of_acts(connection, most=MOST),
        a.house_of(connection),
        *totals,
    )


def keeper_page(version: str, found: Seen | None, problem: str = "") -> Markup:
    """Return the page, or without `found` the one for browsers without a session. `problem` is why the last act
    failed."""
    if found is None:
        return PAGE.format(version=version, title="Keeper", kind="keeper", body=NO_SESSION)
    house = found.house
    note = Markup("<p class='note' data-tone='bad' role='alert'>{}</p>").format(problem) if problem else EMPTY
    barred = [
        ITEM.format(f"{address} is refused until {when(until)}", form(a.Bar(address, 0.0), "Admit again"))
        for address, until in house.barred.items()
        if until > time.time()
    ]
    body = BODY.format(
        problem=note,
        notice=house.notice,
        longest=a.LONGEST_NOTICE,
        hold=form(a.Hold(not house.holds), "Open new tables again" if house.holds else "Open no new tables"),
        doors=form(
            a.Doors(not house.invited_only), "Open to all" if house.invited_only else "Open to invited guests only"
        ),
        barred=Markup("<ul>{}</ul>").format(EMPTY.join(barred)),
        reports=EMPTY.join(report(row) for row in found.reports) or ITEM.format("Nothing is reported.", EMPTY),
        tables=EMPTY.join(table(found, row) for row in found.tables) or Markup("<p>There are no tables.</p>"),
        guests=EMPTY.join(guest(row) for row in found.guests),
        acts=EMPTY.join(ITEM.format(told(asked), EMPTY) for asked in found.acts),
        more_reports=more(found.reports[0].of - MOST if found.reports else 0, "report"),
        more_tables=more(found.all_tables - MOST, "table", "tables"),
        more_guests=more(found.all_guests - MOST, "guest", "guests"),
        more_acts=more(found.all_acts - MOST, "act", "acts"),
    )
    return PAGE.format(version=version, title="Keeper", kind="keeper", body=body)


def more(number: int, noun: str, command: str = "") -> Markup:
    """Return a sentence about the number of things that are not shown, with the command that lists them, if there are
    any."""
    if number <= 0:
        return EMPTY
    listing = Markup("; <code>fairdeal room {}</code> lists all").format(command) if command else EMPTY
    return Markup("<p class='quiet small'>{} more {}{}.</p>").format(number, noun_for(number, noun), listing)


def report(row: Any) -> Markup:
    """Return a report with what the keeper can do about it."""
    name = isolated(row.name)
    forms = [form(a.Erase(row.line), "Erase", sure=True)] if row.line else []
    if row.guest:
        forms.append(form(a.Ban(row.guest), "Ban"))
        forms += [] if row.line else [form(a.Unname(row.guest), "Delete the name", sure=True)]
    what = f"{name}: {row.text}" if row.line else f"the name {name}"
    return ITEM.format(f"{when(row.at)}, {row.title}: {what}", EMPTY.join(forms))


def table(found: Seen, row: Any) -> Markup:
    said = found.lines.get(row.id, ())
    lines = [
        ITEM.format(f"{isolated(line.name)}: {line.text}", form(a.Erase(line.id), "Erase", sure=True)) for line in said
    ]
    return TABLE.format(
        id=row.id,
        title=row.title,
        status=row.status,
        moves=count_of(row.moves, "move"),
        at=when(row.at),
        seats=EMPTY.join(seat(row.id, one, row.status) for one in found.seats.get(row.id, ())),
        earlier=more(said[0].before if said else 0, "line", f"lines {row.id}"),
        lines=EMPTY.join(lines),
        close=form(a.Close(row.id), "Close this table", sure=True) if row.status != "over" else EMPTY,
    )


def seat(table: str, row: Any, status: str) -> Markup:
    """Return a seat with what the keeper can do about its guest."""
    name = f"{row.seat}: {isolated(row.name) or 'free'}{'' if row.plays == 'person' else ' (bot)'}"
    if row.guest is None:
        return ITEM.format(name, EMPTY)
    here = [form(a.Free(table, row.seat), "Free"), form(a.Exclude(table, row.guest), "Exclude here")]
    return ITEM.format(name, EMPTY.join([*(here if status != "over" else ()), form(a.Ban(row.guest), "Ban")]))


def guest(row: Any) -> Markup:
    """Return a guest with what the keeper can do about them."""
    forms = [form(a.Readmit(row.id), "Readmit") if row.banned else form(a.Ban(row.id), "Ban")]
    if row.name:
        forms.append(form(a.Unname(row.id), "Delete the name", sure=True))
    name = f"{isolated(row.name) or 'Guest'}, {count_of(row.tables, 'table')}{', banned' if row.banned else ''}"
    return ITEM.format(name, EMPTY.join(forms))


def form(act: a.Acts, label: str, sure: bool = False) -> Markup:
    """Return the form of an act, behind a question if it cannot be undone."""
    fields = EMPTY.join(FIELD.format(name, str(value)) for name, value in msgspec.to_builtins(act).items())
    found = FORM.format(fields=fields, label="Delete for good" if sure else label)
    return SURE.format(label, found) if sure else found


def told(asked: a.Asked) -> str:
    return f"{when(asked.at)}, {asked.by}: {asked.act.text}: {asked.outcome}"
