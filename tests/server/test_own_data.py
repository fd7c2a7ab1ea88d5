"""Guests export and delete what the room has linked to them, and the room deletes old games."""

import asyncio
import time

import pytest
import sqlalchemy as sa

from fairdeal.protocol import messages as m
from fairdeal.server.api import clearing
from fairdeal.server.api.clearing import delete_old_tables, forget
from fairdeal.server.api.lobby import listing
from fairdeal.server.api.opening import branch, open_table
from fairdeal.server.api.requests import handle
from fairdeal.server.room import NoTable
from fairdeal.server.storage import acts as a
from fairdeal.server.storage.acts import House
from fairdeal.server.storage.keeping import old_tables
from fairdeal.server.storage.own_data import data_of
from fairdeal.server.storage.queries import CLEARED
from fairdeal.server.storage.store import (
    NotSaved,
    bans,
    chat,
    devices,
    entries,
    invited,
    metadata,
    put,
    seats,
    tables,
    told,
    vacations,
)
from fairdeal.server.tables.guests import rename
from fairdeal.server.tables.seating import join, leave, start
from fairdeal.table.verification import verify
from tests.conftest import SHORT
from tests.server.in_process import BOTH_DATABASES, Viewer, done, move, rows, seated, until

pytestmark = BOTH_DATABASES

ADA, BEN = "a" * 32, "b" * 32
NAME = "Ada Lovelace"
ADDRESS = {"id": "", "endpoint": "https://h.example/", "room": "here", "at": 0.0}


@pytest.fixture
async def ada(inside):
    """A room in which Ada has a name and a webhook, and Ben has a name."""
    await rename(inside.store, ADA, NAME, 100)
    await rename(inside.store, BEN, "Ben", 100)
    await inside.store.write(lambda c: put(c, devices, guest=ADA, **ADDRESS))
    await inside.store.write(lambda c: put(c, vacations, guest=ADA, since=1.0, until=2.0))
    return inside


async def seat_both(room, host=ADA, other=BEN, **wishes):
    live = await seated(room, host, other, **wishes)
    return live, Viewer(room, live, host), Viewer(room, live, other)


async def against_a_bot(room, guest=ADA, **wishes):
    live = await open_table(room, guest, game="chi", **({"options": {"first_player": 0}} | wishes))
    return live, Viewer(room, live, guest)


async def end(live):
    """Let everybody play on until the game is over."""
    while live.status == "running":
        await move(live)
    await until(lambda: live.is_over)


def ban(connection, guest):
    """Exclude a guest, as the room does it for its keeper."""
    put(connection, bans, guest=guest, at=1.0)
    a.ask(connection, a.Ban(guest), "command")
    a.ask(connection, a.Exclude("elsewhere", guest), "page")
    for asked in a.log_of_acts(connection):
        a.finish(connection, asked)


def notify(connection, table):
    """Store a device of Ada, and a notice about a table."""
    device = {"id": "one", "endpoint": "https://push.example/one", "key": "", "auth": "", "at": 1.0}
    connection.execute(devices.insert().values(guest=ADA, **device))
    put(connection, told, table=table, guest=ADA, kind="turn", moves=1, at=2.0, due=None, device="one")


def places_of(store, *words):
    """Return the columns of the database that contain one of the words."""
    found = set()
    for table in metadata.sorted_tables:
        for row in store.query_again(lambda c, table=table: c.execute(sa.select(table)).mappings().all()):
            found |= {f"{table.name}.{name}" for name, value in row.items() if any(one in repr(value) for one in words)}
    return found


async def forgotten(room, guest=ADA):
    """Delete the data of a guest. Return the numbers of tables that were deleted, and that were kept."""
    found = await forget(room, guest)
    return found.deleted, found.kept


async def export(room, guest=ADA):
    return await room.store.read(lambda c: data_of(c, guest))


# --- the export ---------------------------------------------------------------------------------------------------


async def test_the_export_has_all_that_is_linked_to_a_guest(ada):
    live, mine, his = await seat_both(ada, options=SHORT["chi"])
    await done(mine.say("good luck"))
    await done(his.say("same to you"))
    await done(mine.play("draw 0") if live.sitting.state.to_act == (0,) else his.play("draw 0"))
    watched = await open_table(ada, BEN, game="chi")
    await done(Viewer(ada, watched, ADA).say("hello from outside"))
    alone, player = await against_a_bot(ada)
    await done(player.play())
    await ada.store.write(lambda c: ban(c, ADA))
    await ada.store.write(lambda c: notify(c, live.id))
    found = await export(ada)
    assert [device.endpoint for device in found.devices] == ["https://h.example/", "https://push.example/one"]
    assert [(notice.table, notice.kind) for notice in found.notices] == [(live.id, "turn")]
    assert (found.guest, found.name) == (ADA, NAME)
    assert found.vacations == ((1.0, 2.0),)
    assert found.banned
    assert [act.text.partition(" ")[0] for act in found.acts] == ["ban", "exclude"]
    assert found.named
    assert [(one.id, one.opened, one.seat.seat, one.status) for one in found.tables] == [
        (live.id, True, 0, "running"),
        (alone.id, True, 0, "running"),
    ]
    assert [line.text for line in found.lines] == ["good luck", "hello from outside"]
    assert [one.text for one in found.tables[1].moves] == [alone.sitting.log.moves[0].text]
    assert found.tables[1].options["first_player"] == 0
    for column in ("guests.id", "bans.guest", "devices.guest", "tables.host", "seats.guest", "chat.client"):
        assert column in places_of(ada.store, ADA)
    await end(live)
    assert (await export(ada)).tables[0].log == f"/api/tables/{live.id}/log"


async def test_the_export_does_not_depend_on_what_is_hidden_or_belongs_to_others(ada):
    live, mine, his = await seat_both(ada, options={"first_player": 0})
    await done(mine.play())
    await done(his.play())
    await done(his.say("nothing of Ada's"))
    before = await export(ada)
    assert len(before.tables[0].moves) == 1
    own, others = seats.c.guest == ADA, sa.or_(seats.c.guest.is_(None), seats.c.guest != ADA)
    passed = {"number": 9, "seat": 0, "text": "pass", "client": "", "at": 1.0, "acts": None}  # ahead, in a window
    hidden = (
        tables.update().values(seed=b"another", acts=3, moved=1e9, failed=[[1, [], []]], waits=False),
        seats.update().where(others).values(name="Eve", nonce="0" * 32, hash="1" * 64, ready="", stand_in=True),
        entries.update().where(entries.c.seat != 0).values(text="something else", at=2.0, number=entries.c.number + 50),
        entries.update().values(acts=1, hidden="3,4"),
        entries.insert().values(table=live.id, **passed),
        chat.update().where(chat.c.client.not_like(f"{ADA}%")).values(name="Eve", text="else", at=3.0),
    )
    for statement in hidden:
        assert (await ada.store.write(lambda c, statement=statement: c.execute(statement).rowcount)) != 0
        assert await export(ada) == before, statement
    await ada.store.write(lambda c: c.execute(seats.update().where(own).values(nonce="2" * 32)))
    assert await export(ada) != before


# --- the deletion -------------------------------------------------------------------------------------------------


async def test_after_the_deletion_the_database_has_neither_the_id_nor_the_name(ada):
    """Everything that a guest alone can be linked to, and a ban, which remains."""
    for length in (None, 4):
        live, mine = await against_a_bot(ada, **({"options": SHORT["chi"]} if length else {}))
        await done(mine.say(f"I am {NAME}"))
        await end(live) if length else await done(mine.play())
    await open_table(ada, ADA, game="chi", chairs=("you", "person"))
    await open_table(ada, ADA, game="chi", chairs=("greedy", "greedy"))
    cleared, _ = await against_a_bot(ada)
    await ada.store.write(lambda c: notify(c, cleared.id))
    await clearing.clear(ada, cleared, ADA)
    assert rows(ada.store, "SELECT * FROM told") == []
    await ada.store.write(lambda c: c.execute(devices.delete().where(devices.c.id != "")))
    assert (cleared.id,) not in rows(ada.store, "SELECT id FROM tables WHERE host = ?", ADA)
    older = tables.update().where(tables.c.id == cleared.id).values(host=ADA, title=NAME)  # as older rooms left it
    await ada.store.write(lambda c: c.execute(older))
    watched = await open_table(ada, BEN, game="chi")
    await done(Viewer(ada, watched, ADA).say(f"{NAME} was here"))
    await ada.store.write(lambda c: ban(c, ADA))
    await ada.store.write(lambda c: c.execute(invited.insert().values(guest=ADA)))
    await ada.store.write(lambda c: notify(c, watched.id))
    assert len(places_of(ada.store, ADA, NAME)) > 8
    assert (await ada.store.read(a.house_of)).excluded == {("elsewhere", ADA)}
    assert await forgotten(ada) == (4, 1)
    assert places_of(ada.store, ADA, NAME) == {"bans.guest"}
    assert (await ada.store.read(a.house_of)).excluded == set(), "nobody is excluded by an empty id"
    assert watched.audience.chat == []
    assert await listing(ada, ADA) == ([], [])


async def test_a_game_with_others_goes_on_without_the_guest_and_keeps_only_the_name(ada):
    live, mine, his = await seat_both(ada, options=SHORT["chi"])
    await done(mine.say("hello"))
    await done(his.say("hello, you"))
    await move(live, 3, client=f"{ADA}:")
    hung_up = []
    mine.connection.hang_up = lambda: hung_up.append(True)
    ada.connections.add(mine.connection)
    assert await forgotten(ada) == (0, 1)
    assert places_of(ada.store, ADA) == set()
    assert places_of(ada.store, NAME) == {"seats.name"}
    assert [said.text for said in live.audience.chat] == ["hello, you"]
    assert (live.terms.host, live.terms.name) == (BEN, "Ben’s Chi")
    assert hung_up
    assert (live.seats.of(ADA), mine.connection.seat) == (-1, -1)
    facts = live.facts(BEN)
    assert [(chair.name, chair.stand_in) for chair in facts.chairs] == [(NAME, True), ("Ben", False)]
    await until(lambda: live.sitting.state.to_act == (1,))
    await done(his.play())
    await done(his.stand_in(1))
    await until(lambda: live.is_over)
    ada.forget(live)
    again = await ada.find(live.id)
    assert again.sitting.log.text() == live.sitting.log.text()
    verify(again.sitting.log.text())


async def test_a_finished_game_with_others_is_unlinked_asleep_and_awake(ada, restart):
    """It is not loaded for that, and a rematch has a free seat in place of the guest."""
    live, *_ = await seat_both(ada, options=SHORT["chi"])
    await end(live)
    room = await restart()
    assert await forgotten(room) == (0, 1)
    assert (room.live, places_of(room.store, ADA)) == ({}, set())
    assert await forgotten(room, BEN) == (1, 0)
    assert places_of(room.store, NAME, "Ben", BEN) == set()
    with pytest.raises(NoTable):
        await room.find(live.id)


async def test_a_guest_is_removed_from_a_few_tables_at_once_and_from_all_in_the_end(ada, monkeypatch):
    monkeypatch.setattr(clearing, "AT_ONCE", 3)
    for _ in range(4):
        await seat_both(ada)
    part, at_once, running = clearing.part, [], set()

    async def counted(room, live, guest):
        running.add(live.id)
        at_once.append(len(running))
        try:
            await asyncio.sleep(0.01)
            return await part(room, live, guest)
        finally:
            running.remove(live.id)

    monkeypatch.setattr(clearing, "part", counted)
    assert await forgotten(ada) == (0, 4)
    assert max(at_once) == 3
    assert places_of(ada.store, ADA) == set()


async def test_the_rematch_of_a_game_has_a_free_seat_for_a_deleted_guest(ada):
    live, _mine, his = await seat_both(ada, options=SHORT["chi"])
    await end(live)
    await done(his.ask(m.Rematch(id="again", hash="")))
    assert not live.rematch, "Ada is here"
    await forget(ada, ADA)
    again = await ada.find(live.rematch)
    assert [(place.name, place.guest) for place in again.seats] == [("", None), ("Ben", BEN)]
    assert (again.status, again.terms.host) == ("open", BEN)
    await start(again, BEN)
    assert again.status == "running"


async def test_an_open_table_is_handed_to_another_guest_or_deleted(ada):
    live = await open_table(ada, ADA, game="chip-it", chairs=("you", "person", "person"))
    await join(live, BEN, None, "")
    assert await forgotten(ada) == (0, 1)
    assert places_of(ada.store, ADA, NAME) == set()
    assert (live.terms.host, [place.guest for place in live.seats]) == (BEN, [None, BEN, None])
    assert live.facts(BEN).name == "Ben’s Chip It"
    assert await forgotten(ada, BEN) == (1, 0)


async def test_a_branch_that_another_guest_plays_keeps_the_name_and_its_own_host(ada):
    live, _mine, _his = await seat_both(ada, options=SHORT["chi"])
    await end(live)
    again = await branch(ada, live, BEN, 1, 0)
    await forget(ada, ADA)
    assert places_of(ada.store, ADA) == set()
    assert places_of(ada.store, NAME) == {"seats.name", "tables.title"}
    assert again.terms.host == BEN


async def test_lines_without_an_id_are_found_by_seat_and_name(ada):
    """Ada gets the seat of Ben, who has spoken there and left."""
    live = await open_table(ada, "cleo", game="chip-it", chairs=("you", "person", "person"))
    for guest, text in ((BEN, "Ben's"), (ADA, "Ada's")):
        await join(live, guest, None, "")
        await handle(ada, live, Viewer(ada, live, guest).connection, m.Say(text=text))
        if guest == BEN:
            await leave(live, guest)
    assert [line.text for line in (await export(ada)).lines] == ["Ada's"]
    await forget(ada, ADA)
    assert [text for (text,) in rows(ada.store, "SELECT text FROM chat")] == ["Ben's"]


@pytest.mark.parametrize("loads", ["before", "meanwhile"])
async def test_a_table_that_is_loaded_while_it_is_unlinked_does_not_keep_the_guest(loads, ada, restart, monkeypatch):
    live, *_ = await seat_both(ada, options=SHORT["chi"])
    await end(live)
    room = await restart()
    if loads == "before":
        room.begin_to_load(live.id)
    else:
        part = clearing.part

        async def load_and_part(room, asleep, guest):
            assert (await room.find(live.id)).seats.of(ADA) == 0 or asleep is room.live[live.id]
            return await part(room, asleep, guest)

        monkeypatch.setattr(clearing, "part", load_and_part)
    await forget(room, ADA)
    assert room.live[live.id].seats.of(ADA) == -1
    assert room.live[live.id].terms.host == BEN
    assert places_of(room.store, ADA) == set()


async def test_a_page_that_is_still_open_cannot_add_to_the_deleted_data_for_ever(ada, monkeypatch):
    monkeypatch.setattr(clearing, "tables_of", lambda connection, guest: [(live.id, "running")])
    live, *_ = await seat_both(ada)
    with pytest.raises(NotSaved, match="close all pages"):
        await forget(ada, ADA)


# --- old tables ---------------------------------------------------------------------------------------------------

EARLIER = time.time() - 10 * 86_400


async def grow_old(room, *lives):
    ids = [live.id for live in lives]
    for statement in (
        tables.update().where(tables.c.id.in_(ids)).values(moved=EARLIER),
        entries.update().where(entries.c.table.in_(ids)).values(at=EARLIER),
    ):
        await room.store.write(lambda c, statement=statement: c.execute(statement))


async def left_by_deletion(room, gone, **days):
    """Run the deletion until `gone` is deleted, and return the ids of the tables that are left shortly afterwards."""
    deleting = asyncio.create_task(delete_old_tables(room, **{"finished_days": 0, "unfinished_days": 0} | days))

    def left():
        return {table for (table,) in rows(room.store, "SELECT id FROM tables WHERE status != 'cleared'")}

    await until(lambda: gone.id not in left())
    await asyncio.sleep(0.1)
    deleting.cancel()
    with pytest.raises(NoTable):
        await room.find(gone.id)
    return left()


async def test_old_finished_games_are_deleted_unless_somebody_looks_or_talks(ada):
    bots = {"chairs": ("greedy", "greedy"), "options": SHORT["chi"]}
    old, looked_at, talked_at, new = games = [await open_table(ada, ADA, game="chi", **bots) for _ in range(4)]
    unfinished = await open_table(ada, ADA, game="chi")
    await until(lambda: all(live.is_over for live in games))
    await grow_old(ada, old, looked_at, talked_at, unfinished)
    await done(Viewer(ada, talked_at, BEN).say("still here"))
    talked_at.audience.connections.clear()
    Viewer(ada, looked_at, BEN)
    left = await left_by_deletion(ada, old, finished_days=5)
    assert left == {looked_at.id, talked_at.id, new.id, unfinished.id}


async def test_old_unfinished_tables_are_deleted_unless_somebody_looks_or_plays(ada, restart):
    waiting = await open_table(ada, ADA, game="chi", chairs=("you", "person"))
    old, looked_at, played, new = [(await seat_both(ada))[0] for _ in range(4)]
    finished, *_ = await seat_both(ada, options=SHORT["chi"])
    await end(finished)
    await grow_old(ada, waiting, old, looked_at, played, finished)
    room = await restart()
    Viewer(room, await room.find(looked_at.id), BEN)
    await move(await room.find(played.id))
    left = await left_by_deletion(room, old, unfinished_days=5)
    assert left == {looked_at.id, played.id, new.id, finished.id}
    assert rows(room.store, "SELECT count(*) FROM tables WHERE seed IS NOT NULL") == [(6,)]


async def test_a_table_at_which_somebody_plays_meanwhile_is_not_deleted(ada):
    live, *_ = await seat_both(ada)
    live.audience.connections.clear()
    await grow_old(ada, live)
    old = old_tables(EARLIER + 1, "running")
    await move(live)
    await clearing.delete_unused(ada, live, old)
    assert live.status == "running"
    await grow_old(ada, live)
    await clearing.delete_unused(ada, live, old)
    assert live.status == CLEARED


# --- over HTTP ----------------------------------------------------------------------------------------------------


async def cookie_of_deleted(guest):
    """Delete a guest's data, and return the cookie that the guest had."""
    cookie = guest.cookie
    answer = await guest.ask("DELETE", "/api/me")
    assert (answer.status, "Max-Age=0" in answer.headers["set-cookie"]) == (200, True)
    return cookie


async def test_the_cookie_of_a_deleted_guest_is_that_of_a_stranger(guest):
    await guest.post("/api/me", name=NAME)
    live = await guest.open()
    old, guest.cookie = await cookie_of_deleted(guest), ""
    stranger = guest.another()
    stranger.cookie = old
    assert (await stranger.get("/api/me")).json() == {"name": "Guest"}
    assert (await stranger.get("/api/lobby")).json()["mine"] == []
    assert (await stranger.get(f"/api/tables/{live.id}")).status == 404
    assert places_of(guest.room.store, NAME) == set()


async def test_a_banned_guest_can_export_and_delete_their_data_and_do_nothing_else(guest):
    await guest.post("/api/me", name=NAME)
    banned = guest.guest
    await guest.room.store.write(lambda c: ban(c, banned))
    guest.room.house = House(frozenset({banned}))
    assert (await guest.post("/api/me", name="Eve")).status == 403
    assert (await guest.get("/t/abc")).headers["location"] == "/privacy"
    assert (await guest.get("/privacy")).status == 200
    assert b"has excluded you" in (await guest.get("/api/privacy.html")).body
    assert (await guest.get("/api/me/data")).json()["name"] == NAME
    await cookie_of_deleted(guest)
    assert places_of(guest.room.store, banned) == {"bans.guest"}


async def test_the_export_is_a_file_and_is_limited(guest):
    answer = await guest.get("/api/me/data")
    assert answer.headers["content-disposition"] == 'attachment; filename="fairdeal-data.json"'
    assert answer.json()["guest"] == guest.guest
    while (await guest.get("/api/me/data")).status == 200:
        pass
    assert "wait" in (await guest.get("/api/me/data")).json()["reason"]
