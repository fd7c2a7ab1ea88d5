"""Commands for the keeper of a room, `fairdeal room`."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from fairdeal.cli.serve import located
from fairdeal.cli.shared import Commands, Json, finite, print_json
from fairdeal.engine.scene import count_of, noun_for
from fairdeal.terminal.plain import say

if TYPE_CHECKING:
    from sqlalchemy import Connection

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Database = Annotated[
    str,
    typer.Option(
        metavar="FILE|URL",
        help="The database of the room: a file (default: in your data folder), or postgresql://USER@HOST/NAME.",
    ),
]


def name_database(context: typer.Context, file: Path | None) -> None:
    """Make the database of a file of settings the default."""
    if file:
        from fairdeal.server.settings import read_settings

        context.default_map = {"database": read_settings(file).database}


Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="The settings of the room, which name the database.", is_eager=True, callback=name_database
    ),
]


def when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


ORDER = ["tables", "guests", "backup", "export", "import", "check", "ban", "close", "prune", "config", "proxy", "page"]


@app.callback()
def common() -> None:
    """Look after a room and its database."""


@app.command("tables")
def tables(database: Database = "", config: Config = None, json: Json = False) -> None:
    """List all tables, the last used first. Works while the room is open."""
    from fairdeal.server.storage.keeping import all_tables

    for row in listed(all_tables, database, json):
        moves = noun_for(row.moves, "move")
        say(f"{row.id}  {when(row.at)}  {row.status:<7}  {row.moves:>4} {moves:<5}  {row.game}  {row.title}")


@app.command("guests")
def guests(
    table: Annotated[
        str | None, typer.Option(metavar="TABLE", help="List the host and the players of this table instead.")
    ] = None,
    database: Database = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """List all guests who gave a name or are banned, the newest first. Works while the room is open."""
    from fairdeal.server.storage import keeping

    query = keeping.all_guests if table is None else partial(keeping.guests_of, table=table)
    for row in listed(query, database, json):
        tables = noun_for(row.tables, "table")
        say(f"{row.id}  {when(row.at)}  {row.tables:>3} {tables:<6}  {'banned  ' * row.banned}{row.name}")


@app.command("ban")
def ban(
    guest: Annotated[str, typer.Argument(metavar="GUEST", help="The id of a guest, as listed by `guests`.")],
    lift: Annotated[bool, typer.Option("--lift", help="Readmit the guest.")] = False,
    database: Database = "",
    config: Config = None,
) -> None:
    """Exclude a guest from the room, or readmit them. An open room refuses the guest and closes their connections
    within two seconds. Works while the room is open."""
    from fairdeal.server.storage import keeping

    with keeping.reading(located(database), writes=True) as connection:
        (keeping.lift_ban if lift else keeping.ban)(connection, guest)
    say(f"{'readmitted' if lift else 'banned'} guest {guest}")


@app.command("close")
def close(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The id of an unfinished table.")],
    database: Database = "",
    config: Config = None,
) -> None:
    """Delete an unfinished table with its moves and chat. Its commitment is kept, so that its cards cannot be dealt
    again. Works with PostgreSQL while the room is open; stop a room with SQLite first."""
    from fairdeal.server.storage.keeping import reading
    from fairdeal.server.storage.store import Store
    from fairdeal.server.tables.saving import close_table

    address = located(database)
    with reading(address):
        pass  # so that the database of an open room is not migrated
    with contextlib.closing(Store(address)) as store:
        asyncio.run(close_table(store, table))
    say(f"closed table {table}")


@app.command("prune")
def prune(
    older_than: Annotated[
        float,
        typer.Option(
            "--older-than", metavar="DAYS", help="Age in days, counted from the last use.", min=0, callback=finite
        ),
    ],
    only: Annotated[
        Literal["finished", "unfinished"] | None,
        typer.Option(metavar="finished|unfinished", help="Delete only these tables."),
    ] = None,
    database: Database = "",
    config: Config = None,
) -> None:
    """Delete old tables, finished or not, with their moves and chat, and old guests without other tables. Commitments
    are kept, so that no cards are dealt again. Stop the room first."""
    from fairdeal.server.storage.keeping import writing
    from fairdeal.server.storage.queries import UNFINISHED
    from fairdeal.server.tables import saving

    statuses = {None: ("over", *UNFINISHED), "finished": ("over",), "unfinished": UNFINISHED}[only]
    with writing(existing(database)) as connection:
        tables, guests = saving.prune(connection, older_than, *statuses)
    say(f"deleted {count_of(tables, 'table')} and {count_of(guests, 'guest')}")


@app.command("backup")
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new SQLite file.")],
    database: Database = "",
    config: Config = None,
) -> None:
    """Copy the whole database to a new SQLite file, which only you can read (on Windows, those who can read its
    folder). `fairdeal serve --database FILE` opens it, and `fairdeal room import FILE` copies it to another database.
    Works while the room is open."""
    from fairdeal.server.storage.database import file_named
    from fairdeal.server.storage.keeping import back_up

    say(f"copied {back_up(located(database), file_named(file))} rows to {file}")


@app.command("export")
def export(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new SQLite file.")],
    database: Database = "",
    config: Config = None,
) -> None:
    """Do the same as `backup`, whose file is the portable form of a database. Works while the room is open."""
    backup(file, database)


@app.command("import")
def take_in(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file that `backup` or `export` wrote.")],
    database: Database = "",
    config: Config = None,
) -> None:
    """Copy a file to a database, which must be empty. No room may have that database open."""
    from fairdeal.server.storage.database import file_named
    from fairdeal.server.storage.keeping import check_exists, copy

    source = str(file_named(file))
    check_exists(source)
    say(f"copied {copy(source, located(database, creates=True))} rows from {file}")


@app.command("check")
def check(database: Database = "", config: Config = None, json: Json = False) -> None:
    """Check the database: the file, every log by the rules, and the commitment, numbers, result and signatures of every
    finished game. Exits with status 1 if anything is wrong, or if there is nothing to check. Works while the room is
    open."""
    from fairdeal.server.checking import check_database
    from fairdeal.server.storage.keeping import reading

    with reading(located(database)) as connection:
        found = check_database(connection)
    if json:
        print_json(found)
    else:
        moves = count_of(found.moves, "move")
        say(f"replayed {found.replayed} of {count_of(found.tables, 'table')}, with {moves}")
        say(f"verified {count_of(found.verified, 'finished game')}")
        if found.other_rules:
            say(f"not replayed, because other rules were used: {count_of(found.other_rules, 'table')}")
        for problem in found.problems:
            say(f"wrong: {problem}")
        if not found.tables:
            say("there are no tables, so nothing was checked")
    if found.problems or not found.tables:
        raise typer.Exit(1)


@app.command("config")
def config() -> None:
    """Print a file with the default of every setting and limit, for `fairdeal serve --config FILE`."""
    from fairdeal.server.settings import Settings, file_text

    sys.stdout.write(file_text(Settings()))


@app.command("proxy")
def proxy(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The address of HAProxy, such as 127.0.0.1:8017.")],
    workers: Annotated[
        list[str], typer.Argument(metavar="WORKER...", help="The addresses of the workers, such as 10.0.0.2:8017.")
    ],
) -> None:
    """Print the configuration of HAProxy for workers on several machines. `fairdeal room page` prints the page that it
    shows while no worker is there."""
    from fairdeal.server.workers import configuration

    sys.stdout.write(configuration(address, workers, "/etc/haproxy/restarting.html"))


@app.command("page")
def page() -> None:
    """Print the page that a proxy shows while the room restarts."""
    from fairdeal.server import restarting

    sys.stdout.write(restarting.page())


def listed(query: Callable[[Connection], Sequence[Any]], database: str, json: bool) -> Sequence[Any]:
    """Return the rows of a query to be said, or print them as JSON and return none."""
    from fairdeal.server.storage.keeping import reading

    with reading(located(database)) as connection:
        found = query(connection)
    if json:
        print_json([row._asdict() for row in found])
    return () if json else found


def existing(database: str) -> str:
    """Return a database as `located` does. Raises FairdealError if it is a file that does not exist."""
    from fairdeal.server.storage.keeping import check_exists

    found = located(database)
    check_exists(found)
    return found


app.registered_commands.sort(key=lambda command: ORDER.index(command.name or ""))
