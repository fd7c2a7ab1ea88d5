"""Commands for the keeper of a room, `fairdeal room`."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
import typer

from fairdeal.cli.serve import located
from fairdeal.cli.shared import Commands, Json, finite, print_json
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import count_of, noun_for
from fairdeal.terminal.plain import say

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from fairdeal.server.storage.links import Kind

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
Base = Annotated[
    str,
    typer.Option(
        "--base",
        metavar="URL",
        help="The address of the room (default: that of the configuration). Without one, only a path is printed.",
    ),
]
Table = Annotated[str, typer.Argument(metavar="TABLE", help="The id of an unfinished table.")]
Guest = Annotated[str, typer.Argument(metavar="GUEST", help="The id of a guest, as listed by `guests`.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be done, or why it would fail, and do nothing.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before something is deleted.")]


@app.callback()
def common() -> None:
    """Look after a room and its database."""


@app.command()
def keeper(
    address: Base = "",
    database: Database = "",
    config: Config = None,
) -> None:
    """Print a link that opens the keeper's page in a browser, once and within an hour."""
    from fairdeal.server.storage.links import LINK_LASTS

    say(link_to("keeper", "keeper", LINK_LASTS, address, database, config))


@app.command()
def invite(
    days: Annotated[float, typer.Option("--days", metavar="N", help="For how long.", min=0, callback=finite)] = 30.0,
    address: Base = "",
    database: Database = "",
    config: Config = None,
) -> None:
    """Print a link that invites everybody who opens it to the room, also if it is for invited guests only."""
    say(link_to("invited", "invitation", days * 86_400, address, database, config))


def link_to(path: str, kind: Kind, lasts: float, address: str, database: str, config: Path | None) -> str:
    """Return a new link, or its path if the address of the room is unknown."""
    from fairdeal.server.settings import read_settings
    from fairdeal.server.storage.keeping import reading
    from fairdeal.server.storage.links import new_secret

    with reading(located(database), writes=True) as connection:
        secret = new_secret(connection, kind, lasts)
    base = address or (read_settings(config).base if config else "")
    return f"{base.rstrip('/')}/{path}/{secret}"


@app.command()
def tables(database: Database = "", config: Config = None, json: Json = False) -> None:
    """List all tables, the last used first. Works while the room is open."""
    from fairdeal.server.storage.acts import when
    from fairdeal.server.storage.keeping import all_tables

    for row in listed(all_tables, database, json):
        moves = noun_for(row.moves, "move")
        say(f"{row.id}  {when(row.at)}  {row.status:<7}  {row.moves:>4} {moves:<5}  {row.game}  {row.title}")


@app.command()
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
    from fairdeal.server.storage.acts import when

    query = keeping.all_guests if table is None else partial(keeping.guests_of, table=table)
    for row in listed(query, database, json):
        tables = noun_for(row.tables, "table")
        say(f"{row.id}  {when(row.at)}  {row.tables:>3} {tables:<6}  {'banned  ' * row.banned}{row.name}")


@app.command()
def lines(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The id of a table.")],
    database: Database = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """List the lines that were written at a table, with the number of each. Works while the room is open."""
    from fairdeal.server.storage.acts import when
    from fairdeal.server.storage.keeping import lines_of

    for row in listed(partial(lines_of, table=table), database, json):
        say(f"{row.id:>6}  {when(row.at)}  {row.name}: {row.text}")


@app.command()
def acts(database: Database = "", config: Config = None, json: Json = False) -> None:
    """List the acts of the keeper, the newest first. Works while the room is open."""
    from fairdeal.server.storage.acts import log_of_acts, when

    for asked in listed(log_of_acts, database, json):
        say(f"{asked.id:>6}  {when(asked.at)}  {asked.by:<7}  {asked.act.text}: {asked.outcome}")


def listed(query: Callable[[Connection], Sequence[Any]], database: str, json: bool) -> Sequence[Any]:
    """Return the rows of a query to be said, or print them as JSON and return none."""
    from fairdeal.server.storage.keeping import reading

    with reading(located(database)) as connection:
        found = query(connection)
    if json:
        print_json([row._asdict() for row in found])
    return () if json else found


@app.command()
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new SQLite file.")],
    database: Database = "",
    config: Config = None,
) -> None:
    """Copy the whole database to a new SQLite file, its portable form, which only you can read (on Windows, those who
    can read its folder). `fairdeal serve --database FILE` opens it, and `fairdeal room import FILE` copies it to
    another database. Works while the room is open."""
    from fairdeal.server.storage.database import file_named
    from fairdeal.server.storage.keeping import back_up

    say(f"copied {back_up(located(database), file_named(file))} rows to {file}")


@app.command("import")
def take_in(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file that `backup` wrote.")],
    database: Database = "",
    config: Config = None,
) -> None:
    """Copy a file to a database, which must be empty. No room may have that database open."""
    from fairdeal.server.storage.database import file_named
    from fairdeal.server.storage.keeping import check_exists, copy

    source = str(file_named(file))
    check_exists(source)
    say(f"copied {copy(source, located(database, creates=True))} rows from {file}")


@app.command()
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


@app.command()
def rebuild(dry_run: DryRun = False, database: Database = "", config: Config = None) -> None:
    """Compute the results of all finished games, and all ratings, from the logs again. Nothing changes unless something
    stored is wrong. Stop the room first."""
    from fairdeal.server.checking import rebuild as computed
    from fairdeal.server.storage.keeping import writing

    with writing(existing(database)) as connection, connection.begin_nested() as attempt:
        done, kept, rated = computed(connection)
        if dry_run:
            attempt.rollback()
    kept_words = f"; kept {count_of(kept, 'result')} that cannot be computed" if kept else ""
    would = "would compute" if dry_run else "computed"
    say(f"{would} {count_of(done, 'result')} and the ratings of {count_of(rated, 'game')}{kept_words}")


def existing(database: str) -> str:
    """Return a database as `located` does. Raises FairdealError if it is a file that does not exist."""
    from fairdeal.server.storage.keeping import check_exists

    found = located(database)
    check_exists(found)
    return found


PATIENCE = 8.0
"""Time, in seconds, for which a command waits for the room to carry out an act."""


def carry_out(
    fields: dict[str, Any], dry_run: DryRun = False, yes: Yes = False, database: Database = "", config: Config = None
) -> None:
    """Let the open room carry out an act, and wait until it has. An act that deletes something is confirmed first. A
    dry run only says what is known about it. Raises FairdealError if it is invalid, or with the reason why it fails."""
    from fairdeal.server.storage import acts as a
    from fairdeal.server.storage.keeping import reading

    act = a.checked(msgspec.convert(fields, a.Acts))
    address = located(database)
    with reading(address) as connection:  # so that nothing is asked without a database
        if dry_run:
            say(f"would {act.text}: {a.foreseen(connection, act)}")
            return
    if act.deletes and not yes:
        typer.confirm(f"Delete {act.deletes.format(**fields)} for good?", abort=True)
    with reading(address, writes=True) as connection:
        number = a.ask(connection, act, "command")
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with reading(address) as connection:
            (asked,) = a.log_of_acts(connection, number)
        if asked.done:
            if asked.problem:
                raise FairdealError(asked.problem)
            say(f"done: {act.text}")
            return
        time.sleep(0.2)
    say(f"no room with this database has answered; act {number} waits for one: {act.text}")


def act(command: Callable[..., dict[str, Any] | None], deletes: bool = False) -> None:
    """Add a command that asks for the act of its name. The fields of the act are the command's own arguments, or what
    it returns. The options of `carry_out` are added to them, `--yes` only if the act deletes something."""
    own, shared = (inspect.signature(one, eval_str=True).parameters for one in (command, carry_out))

    @wraps(command)
    def run(**given: Any) -> None:
        fields = {name: given.pop(name) for name in own}
        carry_out({"kind": command.__name__} | (command(**fields) or fields), **given)

    further = [shared[name] for name in ("dry_run", *["yes"] * deletes, "database", "config")]
    run.__signature__ = inspect.Signature([*own.values(), *further])  # type: ignore[attr-defined]
    app.command()(run)


@partial(act, deletes=True)
def close(table: Table) -> None:
    """Delete an unfinished table with its moves and chat. Its commitment is kept, so that its cards cannot be dealt
    again."""


@act
def free(
    table: Table, seat: Annotated[int, typer.Argument(metavar="SEAT", help="The number of a seat, from 0.")]
) -> None:
    """Take a guest from a seat. Before the deal, the seat is free. Afterwards, a bot plays on until another guest
    takes it."""


@act
def exclude(guest: Guest, table: Table) -> None:
    """Take a guest from a table, who can neither play there nor watch again."""


@act
def ban(
    guest: Guest, lift: Annotated[bool, typer.Option("--lift", help="Readmit the guest.")] = False
) -> dict[str, Any]:
    """Exclude a guest from the room, or readmit them. The room refuses the guest and closes their connections."""
    return {"kind": "readmit" if lift else "ban", "guest": guest}


@act
def bar(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="An address, as in the log of the room.")],
    hours: Annotated[
        float,
        typer.Option("--hours", metavar="N", help="For how long (24); 0 admits it again.", min=0, callback=finite),
    ] = 24.0,
) -> dict[str, Any]:
    """Refuse all guests at an address for a time. Everybody behind a shared address is refused."""
    return {"address": address, "until": time.time() + hours * 3600 if hours else 0.0}


@partial(act, deletes=True)
def erase(
    line: Annotated[int, typer.Argument(metavar="LINE", help="The number of a line, as listed by `lines`.")],
) -> None:
    """Delete a line of chat, also from open pages."""


@partial(act, deletes=True)
def unname(guest: Guest) -> None:
    """Delete the name of a guest, also in the chat and at tables before the deal. A dealt game is signed with its
    names, so they stay there: close the table instead."""


@act
def announce(
    notice: Annotated[str, typer.Argument(metavar="[LINE]", help="The line; without one, the announcement ends.")] = "",
) -> None:
    """Show a line in the lobby and at all tables, such as `Update at 21:00, back in a minute`."""


@act
def hold(
    lift: Annotated[bool, typer.Option("--lift", help="Let new tables be opened again.")] = False,
) -> dict[str, Any]:
    """Let no new tables be opened, so that those in play can end before an update."""
    return {"on": not lift}


@act
def doors(
    invited_only: Annotated[
        bool, typer.Option("--invited-only/--open", help="Whether only invited guests may open tables.")
    ],
) -> None:
    """Let only invited guests open tables and see those of others, or let all guests. A guest with the link of a
    table can take a seat there, and is invited by that."""


@app.command("prune")
def prune_old(
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
    dry_run: DryRun = False,
    yes: Yes = False,
    database: Database = "",
    config: Config = None,
) -> None:
    """Delete old tables, finished or not, with their moves and chat, and old guests without other tables. Commitments
    are kept, so that no cards are dealt again. Stop the room first."""
    from fairdeal.server.storage.keeping import older_than as found_older
    from fairdeal.server.storage.keeping import writing
    from fairdeal.server.storage.queries import UNFINISHED
    from fairdeal.server.tables.saving import prune

    statuses = {None: ("over", *UNFINISHED), "finished": ("over",), "unfinished": UNFINISHED}[only]
    with writing(existing(database)) as connection:
        tables, guests = found_older(connection, older_than, *statuses)
        what = f"{count_of(len(tables), 'table')} and {count_of(len(guests), 'guest')}"
        if not dry_run:
            if (tables or guests) and not yes:
                typer.confirm(f"Delete {what} for good?", abort=True)
            prune(connection, tables, guests)
    say(f"{'would delete' if dry_run else 'deleted'} {what}")


@app.command()
def config() -> None:
    """Print a file with the default of every setting and limit, for `fairdeal serve --config FILE`."""
    from fairdeal.server.settings import Settings, file_text

    sys.stdout.write(file_text(Settings()))


@app.command()
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


@app.command()
def page() -> None:
    """Print the page that a proxy shows while the room restarts."""
    from fairdeal.server import restarting

    sys.stdout.write(restarting.page())
