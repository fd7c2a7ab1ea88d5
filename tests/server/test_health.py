"""The addresses for programs that watch a room."""

import asyncio
import contextlib
import shutil
import time

import pytest

from fairdeal.server.storage import readiness
from fairdeal.server.storage import store as storing
from fairdeal.server.storage.promises import kept_keys
from fairdeal.server.storage.readiness import NotReady
from fairdeal.server.storage.store import LONGEST_CHECK, Store
from tests.server.in_process import InsideRoom, until
from tests.server.inside import opened

BOTH = ("/api/live", "/api/ready")


async def ready(room):
    """Wait until the room is ready, which it notices by itself. On a busy machine, a database may answer late."""
    await until(lambda: not room.store.failing)
    for _ in range(20):
        with contextlib.suppress(NotReady):
            await room.readiness.check()
            return
    await room.readiness.check()


async def test_a_room_that_works_is_alive_and_ready_and_gives_no_cookie(tmp_path):
    async with opened(tmp_path) as guest:
        watcher = guest.another()
        answers = [await watcher.get(path) for path in BOTH]
        assert [(one.status, one.json()) for one in answers] == [(200, {"status": "alive"}), (200, {"status": "ready"})]
        assert not any("set-cookie" in one.headers for one in answers)


async def test_the_own_machine_may_ask_as_often_as_it_likes_and_others_are_limited(tmp_path, monkeypatch):
    for module in (readiness, storing):
        monkeypatch.setattr(module, "LONGEST_CHECK", 60.0)  # of a busy machine
    async with opened(tmp_path) as guest:
        watcher, stranger = guest.another("::1"), guest.another("192.0.2.1")
        for one in (watcher, stranger):
            await one.get("/api/games")
            for allowance in guest.room.limits.addresses.values():
                allowance.left = -1e6
        assert [(await watcher.get(path)).status for path in (*BOTH, "/api/games")] == [200, 200, 429]
        assert [(await stranger.get(path)).status for path in BOTH] == [429, 429]


async def test_a_room_that_closes_is_alive_but_not_ready(tmp_path):
    async with opened(tmp_path) as guest:
        guest.room.readiness.closing = True
        answers = [await guest.get(path) for path in BOTH]
        assert [one.status for one in answers] == [200, 503]
        assert answers[1].json() == {"reason": "the room is closing"}


@pytest.mark.parametrize("restores", [True, False])
async def test_a_room_whose_file_was_replaced_or_removed_saves_nothing_until_it_is_back(restores, tmp_path, caplog):
    file, aside = tmp_path / "room.db", tmp_path / "aside.db"
    store = Store(f"sqlite:///{file}")
    await kept_keys(store)
    room = InsideRoom(store)
    file.rename(aside)
    if restores:
        shutil.copy(aside, file)
    with pytest.raises(NotReady, match="cannot save at the moment"):
        await room.readiness.check()
    assert f"the file {file} was replaced or removed; restart the room" in caplog.text
    aside.replace(file)
    await ready(room)
    store.close()


async def test_a_check_ends_within_a_second_and_checks_share_one_write(inside):
    await kept_keys(inside.store)
    held, count = asyncio.Event(), 0

    async def write(work):
        nonlocal count
        count += 1
        await held.wait()

    inside.store.write, write_before = write, inside.store.write
    started = time.monotonic()
    found = await asyncio.gather(*(inside.readiness.check() for _ in range(9)), return_exceptions=True)
    assert LONGEST_CHECK <= time.monotonic() - started < LONGEST_CHECK + 0.9
    assert {str(one) for one in found} == {"the database does not respond"}
    assert count == 1
    held.set()
    inside.store.write = write_before
    await inside.readiness.trial
    await inside.readiness.check()
