"""`fairdeal room`: what the keeper of a room can see and do from another process."""

import asyncio
import contextlib
import json
import stat
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed

from fairdeal.cli import app
from fairdeal.cli.serve import located
from fairdeal.engine.errors import FairdealError
from fairdeal.server import restarting
from fairdeal.server.api.websocket import Answering, receive
from fairdeal.server.checking import check_database
from fairdeal.server.storage import keeping
from fairdeal.server.storage.acts import House
from fairdeal.server.storage.store import chat, entries, secrets, tables
from fairdeal.server.tables.audience import Connection
from fairdeal.table.verification import verify
from fairdeal.terminal.online.connection import NO_SUCH_TABLE
from tests.conftest import refusal
from tests.server.test_old_rules import begun

pytestmark = pytest.mark.databases("sqlite", "postgresql")


def command(*words, status=0):
    """Return the output of `fairdeal room`, which must exit with this status. Raises its FairdealError."""
    done = CliRunner().invoke(app, ["room", *map(str, words)])
    if isinstance(done.exception, FairdealError):
        raise done.exception
    assert done.exit_code == status, done.output
    return done.output


@contextlib.contextmanager
def stopped(room):
    """Stop a room for a while."""
    room.end()
    yield
    room.start()


@pytest.fixture
def ada(guests):
    return guests("Ada Lovelace")


def contents(database):
    with keeping.reading(located(database)) as connection:
        return {table.name: sorted(map(repr, connection.execute(sa.select(table)).all())) for table in keeping.COPIED}


def change(room, *statements):
    with keeping.writing(located(room.database)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_tables_and_guests_are_listed_while_the_room_is_open(room, ada):
    table = begun(ada)
    assert f"{table}  " in command("tables", "--database", room.database)
    assert "running" in command("tables", "--database", room.database)
    assert "1 table   Ada Lovelace" in command("guests", "--database", room.database)


def test_the_players_of_a_table_are_distinguished_from_others_of_the_same_name(room, ada, guests):
    mine, ids = begun(ada), set()
    tables = mine, begun(guests("Ada Lovelace"))
    for table in tables:
        (row,) = json.loads(command("guests", "--table", table, "--json", "--database", room.database))
        assert (row["name"], row["tables"], row["banned"]) == ("Ada Lovelace", 1, False)
        ids.add(row["id"])
    assert len(ids) == len(json.loads(command("guests", "--json", "--database", room.database))) == 2
    ada.post("/api/me", name="Countess")
    assert "Ada Lovelace" in command("guests", "--table", mine, "--database", room.database)
    with refusal("there is no table 'x'; `fairdeal room tables` lists all tables"):
        command("guests", "--table", "x", "--database", room.database)


def test_a_backup_of_an_open_room_is_private_complete_and_portable(room, ada, tmp_path, server):
    finished, running = begun(ada), begun(ada)
    for text in ("one", "two", "three"):  # a failed insert is repeated once, with the next number
        assert ada.ask("say", text=text)["type"] == "done"
    ada.finish(finished)
    file = tmp_path / "copy.db"
    command("backup", file, "--database", room.database)
    with stopped(room):
        before = contents(room.database)
    assert min(len(before[name]) for name in ("tables", "seats", "entries", "chat", "guests", "secrets")) > 0
    assert contents(file) == before
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {one.name for one in tmp_path.iterdir() if "copy" in one.name} <= {"copy.db", "copy.db-wal", "copy.db-shm"}
    with refusal("exists already"):
        command("backup", file, "--database", room.database)
    with refusal(r"cannot write \S+/missing/copy\.db: No such file or directory$"):
        command("backup", tmp_path / "missing/copy.db", "--database", room.database)
    target = f"sqlite:///{tmp_path / 'there.db'}"
    with contextlib.ExitStack() as there:
        if "postgresql" in str(room.database):
            target = there.enter_context(server(fsync=False).database())
        command("import", file, "--database", target)
        assert contents(target) == before
        with refusal(r"is not empty.*; name one that no room has opened"):
            command("import", file, "--database", target)
        room.end()
        room.database = target
        room.start()
        assert ada.facts(running)["status"] == "running"
        ada.connect(running)
        assert ada.ask("say", text="still here")["type"] == "done"
        assert room.rows("SELECT text FROM chat ORDER BY id") == [("one",), ("two",), ("three",), ("still here",)]
        verify(ada.log(finished))
        room.end()


def test_a_copy_reads_one_state_while_the_room_writes(room, ada):
    begun(ada)
    lines = sa.select(sa.func.count()).select_from(chat)
    with keeping.reading(located(room.database)) as connection:
        assert connection.execute(lines).scalar() == 0
        assert ada.ask("say", text="hello")["type"] == "done"
        assert connection.execute(lines).scalar() == 0
    with keeping.reading(located(room.database)) as connection:
        assert connection.execute(lines).scalar() == 1


def test_what_writes_is_refused_while_the_room_is_open(room, ada, tmp_path):
    table = begun(ada)
    file = tmp_path / "copy.db"
    command("backup", file, "--database", room.database)
    for one in (("prune", "--older-than", 0), ("import", file)):
        with refusal("has this room open"):
            command(*one, "--database", room.database)
    assert ada.facts(table)["status"] == "running"


def test_commands_read_the_name_of_the_database_from_the_settings(room, ada, tmp_path):
    table, file = begun(ada), tmp_path / "room.toml"
    file.write_text(f"database = {json.dumps(str(room.database))}\n")
    assert table in command("tables", "--config", file)
    with refusal("there is no database"):
        command("tables", "--config", file, "--database", tmp_path / "missing.db")
    file.write_text("port = 8017\ndatabases = ''\n")
    with refusal(r"room\.toml.*databases"):
        command("tables", "--config", file)


def test_a_banned_guest_is_refused_and_disconnected_until_the_ban_is_lifted(room, ada, guests):
    table, ben = begun(ada), guests("Ben")
    ada.connect(table)
    ben.connect(table)
    (banned,) = (row["id"] for row in json.loads(command("guests", "--database", room.database, "--json"))[1:])
    command("ban", banned, "--database", room.database)
    with pytest.raises(ConnectionClosed):
        ada.until("nothing")
    answer = ada.http.get(f"/api/tables/{table}")
    assert (answer.status_code, answer.json()) == (403, {"reason": "the keeper of this room has excluded you"})
    assert ada.http.get("/").headers["location"] == "/privacy"
    with pytest.raises(ConnectionClosed, match="4403"):
        ada.connect(table)
    assert ada.heard[-1]["reason"] == "the keeper of this room has excluded you"
    assert ben.ask("say", text="hello")["type"] == "done"
    assert f"{banned}  " in command("guests", "--database", room.database)
    assert "banned  Ada Lovelace" in command("guests", "--database", room.database)
    with stopped(room):
        command("prune", "--older-than", 0, "--yes", "--database", room.database)
        assert "0 tables  banned" in command("guests", "--database", room.database)
    assert ada.http.get("/api/me").status_code == 403, "bans are read before the room opens"
    assert command("ban", banned, "--lift", "--database", room.database) == f"done: readmit guest {banned}\n"
    until_status(ada, 200)


def until_status(guest, status):
    for _ in range(100):
        if guest.http.get("/api/me").status_code == status:
            return
        time.sleep(0.1)
    raise AssertionError(f"the status does not become {status}")


async def test_a_banned_guest_who_does_not_read_is_not_answered():
    """Such a connection takes longer to close."""
    heard = []

    class Unread:
        async def receive(self):
            return {"type": "websocket.receive", "text": "nothing"}

    room, connection = SimpleNamespace(house=House(frozenset({"ada"}))), Connection("ada", 0, heard.append)
    async with asyncio.timeout(10):
        await receive(Unread(), Answering(room, None, connection))
    assert heard == []


def test_only_a_guest_can_be_banned_and_only_a_ban_lifted(room, ada):
    with refusal("'Ada' is not the id of a guest"):
        command("ban", "Ada", "--database", room.database)
    with refusal("is not banned"):
        command("ban", "0" * 32, "--lift", "--database", room.database)


def test_a_closed_table_is_gone_and_keeps_its_commitment(room, ada):
    table, other = begun(ada), begun(ada)
    ada.connect(table)
    command("close", table, "--yes", "--database", room.database)
    with pytest.raises(ConnectionClosed) as caught:
        ada.connect(table)
    assert caught.value.rcvd.code == NO_SUCH_TABLE
    assert ada.http.get(f"/api/tables/{table}").status_code == 404
    assert ada.facts(other)["status"] == "running"
    assert room.rows("SELECT status FROM tables ORDER BY status") == [("cleared",), ("running",)]
    assert room.rows("SELECT count(*) FROM tables WHERE seed IS NOT NULL") == [(2,)]


def test_prune_deletes_old_tables_and_guests_without_others(room, ada, guests):
    old, moved = begun(ada), begun(ada)
    begun(guests("Ben"))
    early, words = time.time() - 20 * 86_400, ("prune", "--older-than", 10, "--database", room.database)
    ada.connect(moved)
    with stopped(room):
        of_ada = sa.or_(tables.c.id == old, tables.c.id == moved)
        change(room, tables.update().where(of_ada).values(moved=early), keeping.guests.update().values(named=early))
        change(room, entries.update().where(entries.c.table == old).values(at=early))
        assert (
            command("prune", "--older-than", 30, "--yes", "--database", room.database)
            == "deleted 0 tables and 0 guests\n"
        )
        assert command(*words, "--dry-run") == "would delete 1 table and 0 guests\n"
        assert "Delete 1 table and 0 guests for good?" in command(*words, status=1)
        assert command(*words, "--yes") == "deleted 1 table and 0 guests\n"
        change(room, entries.update().where(entries.c.table == moved).values(at=early))
        assert (
            command("prune", "--older-than", 10, "--yes", "--database", room.database)
            == "deleted 1 table and 1 guest\n"
        )
    assert room.rows("SELECT name FROM guests") == [("Ben",)]
    assert room.rows("SELECT status, title, host FROM tables WHERE status = 'cleared'") == [("cleared", "", "")] * 2
    assert room.rows("SELECT count(*) FROM entries") != [(0,)]


@pytest.mark.parametrize("days", ["nan", "inf", "-1"])
def test_prune_needs_a_number_of_days(room, ada, days):
    """PostgreSQL sorts nan after all numbers, so that every table would be old."""
    begun(ada)
    with stopped(room):
        assert "Invalid value" in command("prune", "--older-than", days, "--database", room.database, status=2)
    assert room.rows("SELECT status FROM tables") == [("running",)]


def test_prune_can_delete_only_finished_games_or_only_other_tables(room, ada):
    finished, running = begun(ada), begun(ada)
    waiting = ada.open("chi", chairs=["you", "person"])["id"]
    ada.finish(finished)
    with stopped(room):
        words = "prune", "--older-than", 0, "--yes", "--database", room.database
        for only, left in (("unfinished", [(finished,)]), ("finished", [])):
            command(*words, "--only", only)
            assert room.rows("SELECT id FROM tables WHERE status <> 'cleared'") == left
    assert {ada.http.get(f"/api/tables/{table}").status_code for table in (running, waiting)} == {404}


def test_check_counts_what_it_checked_and_names_what_is_wrong(room, ada):
    assert "nothing was checked" in command("check", "--database", room.database, status=1)
    running, finished = begun(ada), begun(ada)
    ada.finish(finished)
    found = command("check", "--database", room.database)
    assert "replayed 2 of 2 tables" in found
    assert "verified 1 finished game\n" in found
    with stopped(room):
        first = sa.and_(entries.c.table == running, entries.c.number == 1)
        for statement, problem in (
            (entries.update().where(first).values(text="dance", actions=None), f"table {running}: 'dance'"),
            (entries.update().where(first).values(number=99), f"table {running}: the numbers of its moves have gaps"),
            (tables.update().where(tables.c.id == finished).values(result=[9999, 0]), f"table {finished}: the result"),
            (tables.update().where(tables.c.id == running).values(status="over"), "its game is not over"),
            (secrets.update().where(secrets.c.name == "ed25519").values(value=b""), "the key 'ed25519'"),
        ):
            with keeping.writing(located(room.database)) as connection:
                saved = connection.begin_nested()
                connection.execute(statement)
                problems = "\n".join(check_database(connection).problems)
                saved.rollback()
            assert problem in problems


def test_a_proxy_can_be_configured_for_workers_on_several_machines():
    printed = command("proxy", "127.0.0.1:8017", "10.0.0.2:8017", "[2001:db8::3]:8017")
    assert "bind 127.0.0.1:8017\n" in printed
    assert printed.count("10.0.0.2:8017") == printed.count("[2001:db8::3]:8017") == 5
    assert command("page") == restarting.page()
    with refusal(r"10\.0\.0\.3: give an address with a port"):
        command("proxy", "127.0.0.1:8017", "10.0.0.2:8017", "10.0.0.3")


def test_a_missing_database_is_not_created_by_commands(tmp_path, database):
    missing = tmp_path / "missing.db"
    for words in (["tables"], ["guests"], ["check"], ["close", "x"], ["prune", "--older-than", 1], ["backup", "y"]):
        with refusal("there is no database"):
            command(*words, "--database", missing)
    with refusal("there is no database"):
        command("ban", "0" * 32, "--database", missing)
    assert not missing.exists()
    assert not Path("y").exists()
