"""`fairdeal serve --backup`: complete copies while people play, the newest of which are kept."""

import asyncio
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from fairdeal.cli.serve import located, serve
from fairdeal.server import metrics, serving
from fairdeal.server.storage import backups, keeping
from fairdeal.server.storage.backups import Backups
from fairdeal.server.storage.store import Store, guests, put, secrets
from fairdeal.table.signatures import public_key
from tests.conftest import refusal
from tests.server.in_process import until
from tests.server.machine import small_disk
from tests.server.test_old_rules import begun
from tests.server.test_postgresql import end_connections
from tests.server.test_room_commands import command, contents

KEY = "a1b2c3d4" * 8
NOW = 1_800_000_000.0
"""The time of the room: 15 January 2027, 08:00 UTC."""

HOUR = 3600.0

SLOW = "import sys, time; open(sys.argv[1].replace('room-', '.room-') + '.1', 'w'); time.sleep(60)"
"""A copying process that does not end by itself."""


@pytest.fixture
def clock(monkeypatch):
    """The time of the room, which the test sets."""
    now = [NOW]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return now


@pytest.fixture
def made_here(monkeypatch):
    """Copy within the test instead of in a program, which takes a second to start."""

    async def copied(database, file):
        await asyncio.to_thread(keeping.back_up, database, file)

    monkeypatch.setattr(backups, "copied", copied)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "backups"
    made.mkdir()
    return made


def backups_of(store, folder, keep=3, every=HOUR, database=None):
    return Backups(store, located(database or store.where), folder, KEY, every, keep)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# --- an open room -----------------------------------------------------------------------------------------------


@pytest.mark.databases("sqlite", "postgresql")
def test_a_room_backs_itself_up_while_people_play_and_opens_its_backup_without_another(room, guests, tmp_path):
    folder, ada = tmp_path / "new" / "backups", guests()
    table = begun(ada)
    room.end()
    room.wishes["backup"] = str(folder)
    room.start()
    ada.connect(table)
    for number in range(300):
        assert ada.ask("say", text=f"{number}")["type"] in ("done", "refused")  # too fast, in the end
        if "the database was backed up file=" in room.errors.read_text():
            break
        time.sleep(0.1)
    (file,) = folder.iterdir()
    ((key,),) = room.rows("SELECT value FROM secrets WHERE name = 'ed25519'")
    assert file.name.startswith(f"room-{public_key(bytes(key))[:8]}-")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "replayed 1 of 1 table" in command("check", "--database", file)
    assert contents(room.database)["entries"][: len(contents(file)["entries"])] == contents(file)["entries"] != []
    room.end()
    room.database = shutil.copy(file, tmp_path / "restored.db")
    room.start()
    time.sleep(0.5)
    assert names(folder) == [file.name]
    assert ada.facts(table)["status"] == "running"
    assert room.errors.read_text().count(f"the database was backed up file={file} bytes={file.stat().st_size} ") == 1


# --- when, and by whom ------------------------------------------------------------------------------------------


async def test_a_backup_is_due_when_the_newest_is_too_old(store, folder, clock, made_here):
    mine = backups_of(store, folder)
    assert await mine.look()
    assert names(folder) == ["room-a1b2c3d4-20270115T080000Z.db"]
    clock[0] += HOUR - 1
    again = backups_of(store, folder)
    assert await again.look()
    assert again.last == {"success": NOW}, "it is found after a restart"
    clock[0] += 1
    assert await mine.look()
    assert names(folder)[1:] == ["room-a1b2c3d4-20270115T090000Z.db"]
    assert await again.look()
    assert again.last == mine.last == {"success": NOW + HOUR}
    clock[0] = NOW - HOUR
    assert await mine.look()
    assert len(names(folder)) == 3, "backups of a clock that was wrong do not count"


@pytest.mark.databases("postgresql")
async def test_one_of_several_workers_makes_the_backups_until_it_ends(database, folder, clock, made_here):
    first, second = Store(database), Store(database)
    try:
        one, other = (backups_of(store, folder, database=database) for store in (first, second))
        assert await one.look()
        clock[0] += HOUR
        assert await other.look()
        assert len(names(folder)) == 1, "the first worker makes the next one, too"
        end_connections(database)
        assert await one.look()
        assert len(names(folder)) == 2, "over a new connection"
        running = asyncio.create_task(one.run())
        await asyncio.sleep(0.05)
        running.cancel()
        await asyncio.wait([running])
        clock[0] += HOUR
        assert await other.look()
        assert len(names(folder)) == 3
        backups.discard(other.holding)
    finally:
        first.close()
        second.close()


# --- what is kept -----------------------------------------------------------------------------------------------


async def test_only_the_oldest_backups_of_this_room_are_deleted(store, folder, clock, made_here):
    form = "room-a1b2c3d4-202701{:02}T000000Z.db".format
    strangers = [
        "room-ffffffff-20270101T000000Z.db",
        "room-a1b2c3d4-20270101T000000Z.db.gz",
        "room-a1b2c3d4-20271301T000000Z.db",
        "my-room-a1b2c3d4-20270101T000000Z.db",
        "room-a1b2c3d4-20270101.db",
        "before the update.db",
        ".room-a1b2c3d4-notes",
    ]
    for name in (*map(form, range(2, 8)), *strangers):
        (folder / name).write_text(name)
    (folder / form(8)).mkdir()
    (folder / form(9)).symlink_to(folder / "before the update.db")
    kept = {*strangers, form(8), form(9)}
    for keep, left in ((9, range(2, 8)), (4, range(5, 8)), (1, ())):
        assert await backups_of(store, folder, keep).look()
        (new,) = {*names(folder)} - kept - {*map(form, range(2, 8))}
        assert {*names(folder)} == {*kept, *map(form, left), new}
        (folder / new).unlink()


async def test_a_new_backup_is_not_deleted_for_one_from_the_future(store, folder, clock, made_here):
    future = folder / "room-a1b2c3d4-20370101T000000Z.db"
    future.write_text("of a clock that was wrong")
    assert await backups_of(store, folder, keep=1).look()
    assert names(folder) == ["room-a1b2c3d4-20270115T080000Z.db"]


# --- failures ---------------------------------------------------------------------------------------------------


async def test_a_backup_that_fails_leaves_the_last_one_and_is_logged(
    inside, folder, clock, made_here, monkeypatch, caplog
):
    mine = inside.backups = backups_of(inside.store, folder, keep=1)
    assert await mine.look()
    await inside.store.write(lambda c: put(c, guests, id="a" * 32, name="Ada Lovelace"))
    real = keeping.make_single

    def spoiled(old, new):
        def spoil(file):
            real(file)
            content = file.read_bytes()
            assert old in content
            file.write_bytes(content.replace(old, new, 1))

        return spoil

    def forgetful(old, new, table):
        return keeping.Content().plus(old.execute(sa.select(table)).all())

    for name, wrong, reason in (
        ("make_single", spoiled(b"Ada Lovelace", b"Ada Lovelaca"), "the table guests differs, with 1 of 1 rows; check"),
        ("make_single", spoiled(b"a" * 32, b"b" * 32), "database file: row 1 missing from index"),
        ("make_single", spoiled(b"SQLite", b"SQLate"), "file is not a database"),
        ("copy_table", forgetful, "the table guests differs, with 0 of 1 rows"),
        ("copy_all", lambda *_: 1 / 0, "division by zero"),
    ):
        clock[0] += 2 * HOUR
        caplog.clear()
        with monkeypatch.context() as patched:
            patched.setattr(keeping, name, wrong)
            assert not await mine.look()
        assert reason in caplog.text
        assert "the backup failed, and older ones are kept" in caplog.text
        assert names(folder) == ["room-a1b2c3d4-20270115T080000Z.db"]
        assert mine.last == {"success": NOW, "failure": clock[0]}
    with metrics.served(inside, 0):
        told = inside.store.meter.registry.get_sample_value
        assert told("fairdeal_backup_timestamp_seconds", {"result": "success"}) == NOW
        assert told("fairdeal_backup_timestamp_seconds", {"result": "failure"}) == clock[0]
        assert told("fairdeal_saves") == 1, "guests can play on"
    assert await mine.look()
    assert names(folder) == ["room-a1b2c3d4-20270115T180000Z.db"]


async def test_a_full_disk_leaves_the_old_backup_and_no_half_file(store, tmp_path, made_here, monkeypatch, caplog):
    """SQLite writes a copy twice, first to a log, and does not say if there is space only for that."""
    await store.write(lambda c: put(c, secrets, name="space", value=os.urandom(3 * 2**20)))
    for megabytes, is_checked, reason in (
        (2, True, "disk is full"),
        (5, True, "disk is full"),
        (5, False, "malformed"),
    ):
        with small_disk(tmp_path / "disk", megabytes) as disk, monkeypatch.context() as patched:
            if not disk:
                pytest.skip("cannot mount a small disk")
            if not is_checked:
                patched.setattr(keeping, "make_single", lambda file: None)
            old = disk.folder / "room-a1b2c3d4-20200101T000000Z.db"
            old.write_text("the last one")
            assert not await backups_of(store, disk.folder, keep=1).look()
            assert reason in caplog.records[-1].getMessage()
            with refusal(reason):
                keeping.back_up(located(store.where), disk.folder / "by hand.db")
            assert names(disk.folder) == [old.name]


async def test_a_folder_that_is_gone_is_logged_and_found_again(store, folder, clock, made_here, caplog):
    mine = backups_of(store, folder)
    folder.rmdir()
    assert not await mine.look()
    assert str(folder) in caplog.text
    folder.mkdir()
    assert await mine.look()
    assert len(names(folder)) == 1


async def test_a_room_that_ends_meanwhile_leaves_no_half_file(store, folder, tmp_path, monkeypatch):
    (folder / ".room-a1b2c3d4-20270115T080000Z.db.4711-wal").write_text("of a process that was killed")
    (tmp_path / "slow_copier.py").write_text(SLOW)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(backups, "COPIER", "slow_copier")
    running = asyncio.create_task(backups_of(store, folder).run())
    await until(lambda: any(not name.endswith(".4711-wal") for name in names(folder)))
    running.cancel()
    await asyncio.wait([running])
    assert names(folder) == []


async def test_what_a_copying_process_says_at_the_end_is_the_reason(tmp_path):
    with refusal(f"^there is no database {tmp_path / 'missing.db'}; name another database$"):
        await backups.copied(str(tmp_path / "missing.db"), tmp_path / "copy.db")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says which signals a process ignores")
async def test_a_signal_to_all_processes_of_the_room_does_not_end_a_copy_before_the_room(store, tmp_path):
    command = [sys.executable, "-m", backups.COPIER, str(tmp_path / "copy.db"), "0"]
    process = await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE)
    state, both = Path(f"/proc/{process.pid}/status"), 1 << signal.SIGTERM - 1 | 1 << signal.SIGINT - 1
    await until(lambda: int(state.read_text().partition("SigIgn:")[2].split()[0], 16) & both == both)
    for number in (signal.SIGTERM, signal.SIGINT):
        process.send_signal(number)
    await process.communicate(str(store.where).encode())
    assert process.returncode == 0
    assert (tmp_path / "copy.db").exists()


# --- settings ---------------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written_is_said_before_the_room_opens(tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "run", lambda settings: None)
    (tmp_path / "file").touch()
    for name in ("file", "file/backups", "a\0b"):
        with refusal(f"^--backup {tmp_path / name}: the room cannot write there: .*; name another folder$"):
            serve(backup=str(tmp_path / name), database=str(tmp_path / "room.db"))


def test_times_and_numbers_of_backups_need_a_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "run", lambda settings: None)
    for options in ({"every": "1h"}, {"keep": 3}, {"every": "1h", "keep": 3}):
        with refusal(f"^--{min(options)} has no effect without --backup FOLDER$"):
            serve(database=str(tmp_path / "room.db"), **options)
