"""The room's database: one room has it, nobody else reads it, and what is wrong with it is said in words."""

import contextlib
import errno
import os
import shutil
import sqlite3
import stat
import sys
import tempfile
from pathlib import Path

import pytest
import sqlalchemy as sa

from fairdeal.cli.serve import located
from fairdeal.engine.registry import find_game
from fairdeal.server.api.lobby import listing
from fairdeal.server.room import DAMAGED, Room
from fairdeal.server.storage import database
from fairdeal.server.storage.store import Store, entries, tables
from tests.conftest import refusal
from tests.server.conftest import ForkedRoom, Guest, serve_in_vain
from tests.server.test_old_rules import begun, finished

# --- one owner --------------------------------------------------------------------------------------------------


def test_a_second_room_on_the_same_database_is_refused_and_a_killed_one_leaves_no_lock(room, guests, tmp_path):
    ada = guests()
    table = begun(ada)
    code, complaint = serve_in_vain("--database", room.database)
    assert code == 1
    assert f"another fairdeal (process {room.process.pid}) has this room open: {room.database}; " in complaint
    assert "name another database" in complaint
    assert len(complaint.splitlines()) == 1, complaint
    (tmp_path / "same.db").symlink_to(room.database)
    with refusal(f"process {room.process.pid}"):
        Store(str(tmp_path / "same.db"))
    assert ada.ask("hint")["type"] == "answer"
    room.kill()
    assert Path(f"{room.database}.lock").exists(), "a room that was killed tidies nothing up"
    room.start()
    assert int(Path(f"{room.database}.lock").read_text()) == room.process.pid
    assert ada.get(f"/api/tables/{table}")["status"] == "running"


def test_a_closed_or_refused_store_lets_go_of_its_database(tmp_path):
    path = tmp_path / "room.db"
    store = Store(str(path))
    with refusal(f"process {os.getpid()}"):
        Store(str(path))
    store.close()
    path.write_bytes(b"not a database at all" * 500)
    for _ in range(2):
        with refusal("is not an SQLite database"):
            Store(str(path))
    path.unlink()
    Store(str(path)).close()


def test_a_full_disk_leaves_the_lock_to_others(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with refusal(r"cannot write the database .*: No space left on device"):
            Store(str(tmp_path / "room.db"))
    Store(str(tmp_path / "room.db")).close()


# --- nobody else's eyes -----------------------------------------------------------------------------------------


def rights(path):
    return {one.name: stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_only_the_owner_can_read_the_database_and_what_lies_beside_it(tmp_path):
    path = tmp_path / "room.db"
    before = os.umask(0o022)
    try:
        store = Store(str(path))
        names = {"room.db", "room.db-wal", "room.db-shm", "room.db.lock"}
        assert rights(path) == dict.fromkeys(names, 0o600)
        held = sqlite3.connect(path)  # keeps the write-ahead log when the room closes
        held.execute("select * from secrets").fetchall()
        store.close()
        for one in tmp_path.iterdir():
            one.chmod(0o644)
        again = Store(str(path))
        found = rights(path)
        again.close()
        held.close()
        assert {name for name in names if found[name] != 0o600} <= {"room.db.lock"}
    finally:
        os.umask(before)


# --- what is no database, or cannot be written ------------------------------------------------------------------


def text_file(path):
    path.write_text("Dear diary\n" * 2000)


def folder(path):
    path.mkdir()


def no_folder(path):
    path.parent.rmdir()


def of_another_program(path):
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("create table recipes (name text)")
        other.commit()


def of_a_newer_fairdeal(path):
    Store(str(path)).close()
    with contextlib.closing(sqlite3.connect(path)) as newer:
        newer.execute("update alembic_version set version_num = '9999'")
        newer.commit()


def without_its_first_page(path):
    Store(str(path)).close()
    with open(path, "r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 3000)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (text_file, "is not an SQLite database; name another database, or move this file away"),
        (folder, "it is a folder; name a file in it, such as"),
        (no_folder, "there is no folder .*; create it or name another database"),
        (of_another_program, "is a database, but not a room's: it contains recipes; name another database"),
        (of_a_newer_fairdeal, "was written by a newer fairdeal; install that, or name another database"),
        (without_its_first_page, "is damaged and cannot be opened: .*; restore a copy of it, or recover what is left"),
    ],
)
def test_what_is_wrong_with_a_database_and_what_to_do_is_said(tmp_path, opened, spoil, words):
    path = tmp_path / "of_the_room" / "room.db"
    path.parent.mkdir()
    spoil(path)
    opened.clear()
    with refusal(words) as caught:
        Store(str(path))
    assert str(path) in str(caught.value)
    assert bool(opened) == path.is_file(), "there is a connection to close"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysterydb://x/y", "mysterydb://x/y is a URL of neither SQLite nor PostgreSQL; one looks like postgresql://"),
        ("mysterydb://me:secret@x/y?password=secret", r"mysterydb://me:\*\*\*@x/y is a URL of neither"),
        ("postgresql://me@here:port/room", "not a database URL; .*; one looks like postgresql://"),
        ("sqlite://me:secret@x/y", r"sqlite://me:\*\*\*@x/y is a URL of neither SQLite nor PostgreSQL"),
    ],
)
def test_a_url_of_no_known_database_is_refused_in_words(url, words):
    with refusal(words):
        Store(url)


@contextlib.contextmanager
def as_somebody_else():
    """Root may write everything; nobody may not."""
    if os.geteuid() == 0:
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)
    else:
        yield


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_a_database_that_may_not_be_written_is_refused_in_words():
    folder = Path(tempfile.mkdtemp())
    path = folder / "room.db"
    try:
        Store(str(path)).close()
        for one in (*folder.iterdir(), folder):
            one.chmod(0o555)
        with as_somebody_else():
            with refusal(f"cannot write the database {path}: Permission denied; the"):
                Store(str(path))
            with refusal(f"cannot make the folder {folder}/new for the database: P"):
                located(folder / "new" / "room.db", creates=True)
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


# --- damage -----------------------------------------------------------------------------------------------------


def pages_of(path, table):
    """The numbers of the pages that hold a table's rows, in order."""
    with contextlib.closing(sqlite3.connect(path)) as found:
        query = "select pageno from dbstat where name = ? and pagetype = 'leaf' order by path"
        return [number for (number,) in found.execute(query, (table,))]


def spoil_page(path, number):
    with open(path, "r+b") as file:
        file.seek((number - 1) * 4096)
        file.write(b"\xff" * 4096)


def tables_on(path, page):
    """The tables that have an entry on a page."""
    with open(path, "rb") as file:
        file.seek((page - 1) * 4096)
        content = file.read(4096)
    with contextlib.closing(sqlite3.connect(path)) as found:
        return {table for (table,) in found.execute("select id from tables") if table.encode() in content}


def test_a_damaged_page_leaves_the_other_tables_playable(tmp_path):
    room = ForkedRoom(tmp_path / "room.db")
    ada, ben = Guest(room, "Ada"), Guest(room, "Ben")
    try:
        games = [finished(ada) for _ in range(6)]
        lost = ada.open("chi", chairs=["you", "person"], options={"first_player": 0})["id"]
        ben.post(f"/api/tables/{lost}/join")
        running = begun(ada)
        room.stop()
        pages = pages_of(room.database, "entries")
        bad = next(page for page in pages[1:-1] if tables_on(room.database, page) <= set(games))
        unreadable = tables_on(room.database, bad)
        assert unreadable
        spoil_page(room.database, bad)
        engine = sa.create_engine(database.address_of(str(room.database)))
        assert database.look_over(engine) != []
        engine.dispose()
        room.start()
        complaints = Path(f"{room.database}.errors").read_text()
        assert f"the database {room.database} is damaged" in complaints
        assert ".recover" in complaints
        for table in games:
            facts = ada.get(f"/api/tables/{table}")
            assert (facts["readable_only"] == DAMAGED) == (table in unreadable)
            log = ada.http.get(f"/api/tables/{table}/log")
            assert log.status_code == (503 if table in unreadable else 200)
        one = next(iter(unreadable))
        assert "scene" not in ben.connect(one)
        assert ben.ask("hint")["type"] == "refused"
        listed = {facts["id"]: facts for facts in ada.get("/api/lobby")["mine"]}
        assert {table for table in listed if listed[table]["readable_only"]} == unreadable
        ada.connect(running)
        answer = ada.ask("play", seq=ada.scene["seq"], move=ada.ask("hint")["move"])
        assert answer["type"] == "done"
        assert finished(ben)
    finally:
        ada.close()
        ben.close()
        room.stop()


async def test_a_lobby_says_which_tables_cannot_be_read_before_anybody_asks_for_them(tmp_path):
    path = tmp_path / "room.db"
    store = Store(str(path))
    names = [f"table{number:05d}" for number in range(4)]
    with store.engine.begin() as connection:
        for name in names:
            row = {"id": name, "game": "chi", "rules_version": find_game("chi").rules_version, "options": {}}
            row |= {"title": name, "host": "ada", "listed": True, "clock": 0, "seed": bytes(32), "status": "running"}
            connection.execute(tables.insert().values(**row, made=1.0, moved=1.0))
            played = [
                {"table": name, "number": n, "seat": n % 2, "text": "x" * 40, "client": "", "at": 2.0, "acts": 1}
                for n in range(1, 101)
            ]
            connection.execute(entries.insert(), played)
    store.close()
    last = pages_of(path, "entries")[-1]
    hit = tables_on(path, last)
    assert hit == {names[-1]}
    spoil_page(path, last)
    store = Store(str(path))
    mine, _ = await listing(Room(store), "ada")
    store.close()
    assert {facts.id: facts.readable_only for facts in mine} == dict.fromkeys(names, "") | {names[-1]: DAMAGED}


def test_looking_for_damage_ends_when_its_time_is_over(tmp_path, monkeypatch):
    path = tmp_path / "big.db"
    with contextlib.closing(sqlite3.connect(path)) as big:
        big.execute("pragma journal_mode = off")
        big.execute("create table numbers (n)")
        big.execute(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) "
            "insert into numbers select i from n"
        )
        big.commit()
    spoil_page(path, pages_of(path, "numbers")[-1])
    engine = sa.create_engine(database.address_of(str(path)))
    monkeypatch.setattr(database, "LONGEST_LOOK", 60.0)
    assert database.look_over(engine) != []
    monkeypatch.setattr(database, "LONGEST_LOOK", 0.005)
    assert database.look_over(engine) == []
    engine.dispose()
