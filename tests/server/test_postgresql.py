"""Faults of a database server: it cannot be reached, stops, restarts, or rejects a user or a password."""

import asyncio
import sys
import time

import pytest
import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.server.api.lobby import listing
from fairdeal.server.api.requests import NOT_MADE
from fairdeal.server.api.websocket import read
from fairdeal.server.room import DAMAGED, NoTable, Unreadable
from fairdeal.server.storage import database as storage
from fairdeal.server.storage.store import NotSaved, NumberTaken, Store, entries
from tests.conftest import refusal
from tests.server.conftest import serve_in_vain
from tests.server.in_process import Viewer, apart, done, rows, seat_two, until

pytestmark = [pytest.mark.databases("postgresql"), pytest.mark.usefixtures("quick")]

FIRST = {"first_player": 0}
SHORT = FIRST | {"stacks_to_end": 4}


@pytest.fixture
async def room(restart):
    return await restart()


def kept(store, live):
    return [text for (text,) in rows(store, 'select text from entries where "table" = ? order by number', live.id)]


def shown(store, setting):
    """Return a setting of the connection that writes."""
    return store.connection.exec_driver_sql(f"SHOW {setting}").scalar()


def end_connections(url):
    """End the connections of a room, as an administrator does."""
    with apart(url) as connection:
        ours = "datname = current_database() and pid <> pg_backend_pid()"
        connection.exec_driver_sql(f"select pg_terminate_backend(pid) from pg_stat_activity where {ours}")


# --- what is wrong is said in one line --------------------------------------------------------------------------


def without_server(server, url):
    return url.replace("host=", "host=/nowhere")


def without_port(server, url):
    return "postgresql://fairdeal:secret@127.0.0.1:1/room?password=secret"


def without_database(server, url):
    return server.url("recipes")


def with_wrong_password(server, url):
    return url.replace("fairdeal@", "locked:secret@")


def without_number(server, url):
    return "postgresql://fairdeal:secret@host:port/room"


def with_two_ats(server, url):
    return "postgresql://fairdeal:not@secret@127.0.0.1:1/room"


def with_unknown_option(server, url):
    return f"{url}&colour=red"


def with_another_encoding(server, url):
    server.execute("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    return server.url("latin")


def of_another_program(server, url):
    server.execute("CREATE DATABASE recipes_of_ada")
    with apart(server.url("recipes_of_ada")) as connection:
        connection.exec_driver_sql("create table recipes (name text)")
    return server.url("recipes_of_ada")


def of_a_newer_fairdeal(server, url):
    with apart(url) as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    return url


def of_somebody_else(server, url):
    return url.replace("fairdeal@", "stranger@")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (
            without_server,
            "cannot use the database .*: No such file or directory; start its server, correct",
        ),
        (without_port, r"cannot use the database postgresql://fairdeal:\*\*\*@127.0.0.1:1/room: .*Connection refused;"),
        (without_database, 'database "recipes" does not exist; start its server'),
        (with_wrong_password, 'password authentication failed for user "locked"; start its server'),
        (without_number, "this is not a database URL; in a password, write : / .*; one looks like postgresql://"),
        (with_two_ats, "this is not a database URL; in a password, write : / .* as %3A %2F"),
        (with_unknown_option, "PostgreSQL does not know option 2 behind the \\? of the database URL; write an & in"),
        (with_another_encoding, "cannot store all letters: its encoding is LATIN1, not UTF8; name another"),
        (of_another_program, "is a database, but not a room's: it contains recipes; name another"),
        (of_a_newer_fairdeal, "was written by a newer fairdeal; install that, or name another"),
        (of_somebody_else, "permission denied for table alembic_version; start its server"),
    ],
)
def test_what_is_wrong_with_a_database_is_said_in_one_line(server, database, spoil, words):
    with refusal(words) as caught:
        Store(spoil(server(fsync=False), database))
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_start_on_a_slow_machine_may_pause_within_its_transaction(database, monkeypatch):
    tables_of = storage.tables_of

    def slow(connection):
        time.sleep(0.5)
        return tables_of(connection)

    monkeypatch.setattr(storage, "tables_of", slow)
    monkeypatch.setattr(storage, "LONGEST_IDLE", 0.1)
    Store(database).close()


def test_a_command_ends_with_that_line(database):
    code, complaint = serve_in_vain("--database", without_port(None, database))
    assert (code, len(complaint.splitlines())) == (1, 1), complaint


def test_without_psycopg_the_extra_is_named(database, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with refusal(r"PostgreSQL needs psycopg: .*, run uv sync --inexact --extra postgres,"):
        Store(database)


# --- what is kept -----------------------------------------------------------------------------------------------


def test_every_commit_is_synced_regardless_of_database_and_url(database, server, caplog):
    name = sa.make_url(database).database
    server(fsync=False).execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    store = Store(f"{database}&options=-c%20synchronous_commit%3Doff%20-c%20work_mem%3D8MB")
    assert (shown(store, "synchronous_commit"), shown(store, "work_mem")) == ("on", "8MB")
    store.close()
    assert "has fsync=off: acknowledged moves are lost" in caplog.text


@pytest.mark.durable
def test_a_server_that_syncs_is_not_complained_of(database, caplog):
    store = Store(database)
    assert shown(store, "fsync") == "on"
    store.close()
    assert not caplog.text


async def test_an_entry_has_its_number_once(store, room):
    live, _, _ = await seat_two(room, options=FIRST)
    row = dict.fromkeys(entries.c.keys()) | {"table": live.id, "number": 1, "seat": 0, "text": "", "client": ""}
    row |= {"by": "", "at": 1.0}
    found = await asyncio.gather(*(store.append(**row) for _ in range(3)), return_exceptions=True)
    assert sorted(map(repr, found)) == sorted(["None", *2 * [repr(NumberTaken("the table has moved on; look again"))]])
    assert len(kept(store, live)) == 1


async def test_a_letter_that_postgresql_lacks_is_refused(room):
    with pytest.raises(FairdealError, match="an id cannot contain NUL"):
        read('{"type":"hint","id":"a\\u0000"}')
    with pytest.raises(NoTable):
        await room.find("no\0table")


# --- a server that is gone ----------------------------------------------------------------------------------------


async def test_a_room_reconnects_without_a_word_when_its_connections_were_ended(room, store, database):
    live, ada, _ = await seat_two(room, options=FIRST)
    await listing(room, "ada")
    end_connections(database)
    assert [facts.id for facts in (await listing(room, "ada"))[0]] == [live.id]
    await done(ada.play())
    assert ada.told_of_trouble() == []


@pytest.mark.parametrize("saves", [True, False])
async def test_a_connection_that_breaks_during_the_commit_loses_and_doubles_no_move(room, store, database, saves):
    live, ada, _ = await seat_two(room, options=FIRST)

    def lose_the_answer(connection):
        driver = connection.connection.driver_connection
        if saves:
            driver.commit()
            driver.execute("select 1")  # so that the commit after it has something to do
        end_connections(database)

    sa.event.listen(store.engine, "commit", lose_the_answer, once=True)
    assert await ada.play("draw 0", id="same") is None, "the room cannot know whether it was saved"
    assert kept(store, live) == ["draw 0"] * saves
    await until(lambda: not live.audience.trouble)
    assert (await done(Viewer(room, live, "ada").play("draw 0", id="same", seq=0)))["seq"] == 1
    assert kept(store, live) == ["draw 0"]


async def test_a_new_connection_that_fails_at_once_is_tried_again(room, store, database):
    live, *_ = await seat_two(room, options=FIRST)
    end_connections(database)

    def fail(_):
        raise sa.exc.OperationalError("COMMIT", {}, OSError("No space left on device"))

    sa.event.listen(store.engine, "commit", fail)
    with pytest.raises(NotSaved):
        await live.enter(0, "draw 0")
    sa.event.remove(store.engine, "commit", fail)
    await live.enter(0, "draw 0")
    assert kept(store, live) == ["draw 0"]


async def test_a_database_that_may_only_be_read_refuses_moves(room, store, database, server):
    _, ada, _ = await seat_two(room, options=FIRST)
    name = sa.make_url(database).database
    server(fsync=False).execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    end_connections(database)
    assert (await ada.play())["reason"] == NOT_MADE
    assert len((await listing(room, "ada"))[0]) == 1
    server(fsync=False).execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    end_connections(database)
    await done(ada.play())


def damage(store, server, table):
    """Spoil the first page of a table of the database while the server is stopped."""
    ((file,),) = rows(store, "select pg_relation_filepath(?)", table)
    server(fsync=False).execute("CHECKPOINT")
    server(fsync=False).stop()
    with open(server(fsync=False).folder / "data" / file, "r+b") as page:
        page.write(b"\xff" * 8192)
    server(fsync=False).start()


async def test_a_table_whose_moves_are_damaged_is_shown_without_them(room, store, server, restart):
    live, ada, _ = await seat_two(room, options=FIRST)
    await done(ada.play())
    damage(store, server, "entries")
    again = await restart()
    assert (await again.find(live.id)).unreadable == DAMAGED
    mine, _ = await listing(again, "ada")
    assert [facts.readable_only for facts in mine] == [DAMAGED]
    damage(store, server, "tables")
    with pytest.raises(Unreadable, match=DAMAGED):
        await (await restart()).find(live.id)
