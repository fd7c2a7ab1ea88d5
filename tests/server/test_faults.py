"""A disk that is full, a database that somebody else holds, a bot that fails: nobody is told of a move that is not
kept, and every table goes on by itself when it can."""

import asyncio
import contextlib
import logging
import random
import sqlite3
import time

import pytest
import sqlalchemy as sa

from fairdeal.server.api.opening import branch, open_table, rematch
from fairdeal.server.api.requests import NOT_MADE
from fairdeal.server.storage import store as store_module
from fairdeal.server.storage.store import InDoubt, NotSaved, Store
from fairdeal.server.tables import driver
from fairdeal.server.tables.guests import rename
from fairdeal.server.tables.seating import join, leave, start
from fairdeal.table.redrawing import CANNOT_SAVE, STUCK
from fairdeal.table.verification import verify
from tests.server.in_process import (
    InsideRoom,
    Viewer,
    done,
    filling,
    locked,
    refused,
    rest,
    rows,
    seat_two,
    store_of,
    until,
)

pytestmark = pytest.mark.databases("sqlite", "postgresql")

FIRST = {"first_player": 0}
SHORT = FIRST | {"stacks_to_end": 4}
PASSES = FIRST | {"players": 2}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(driver, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(driver, "LONGEST_PAUSE", 0.1)
    monkeypatch.setattr(store_module, "BETWEEN_PROOFS", 0.1)


class Faulty(Store):
    """Fails to write statements that begin with `forbidden`, as a full disk does. With `forgets`, it saves one entry
    and says that it could not, as a database does if its connection breaks at the wrong moment."""

    forbidden, forgets = "", False

    def __init__(self, *facts, **more):
        super().__init__(*facts, **more)
        sa.event.listen(self.engine, "before_cursor_execute", self.look_at)

    def look_at(self, connection, cursor, statement, *_):
        if self.forbidden and statement.startswith(self.forbidden):
            raise sa.exc.OperationalError(statement, {}, sqlite3.OperationalError("database or disk is full"))

    async def append(self, *of, **entry):
        await super().append(*of, **entry)
        if self.forgets:
            self.forgets = False
            raise InDoubt("the line is broken")


@pytest.fixture
def store(database):
    made = store_of(database, Faulty)
    yield made
    made.close()


@pytest.fixture
async def room(restart):
    return await restart()


async def finish(live):
    """Let bots play the game to its end, and verify the log."""
    async with live.lock:
        for place in live.seats:
            if place.guest:
                Viewer(live.home, live, place.guest)  # or a game of one person is paused
                await live.set_stand_in(place, on=True)
    await until(lambda: live.status == "over" and not live.driver.owed and not live.audience.trouble)
    verify(live.sitting.log.text())


def kept_moves(store, live):
    return rows(store, 'select text from entries where "table" = ? order by number', live.id)


def standing(room, live, *viewers):
    """Return all that a failed write must not change."""
    return (
        live.status,
        live.number,
        [(place.name, place.guest, place.plays, place.nonce, place.stand_in) for place in live.seats],
        dict(live.seats.ready),
        list(live.audience.chat),
        [connection.seat for connection in live.audience.connections],
        live.sitting is None,
        set(room.live),
        [message for viewer in viewers for message in viewer.heard if message["type"] == "chat"],
    )


# --- every kind of write ----------------------------------------------------------------------------------------


WRITES = {
    "move": lambda room, live, ada: ada.play(),
    "undo": lambda room, live, ada: ada.undo(),
    "line": lambda room, live, ada: ada.say("hello"),
    "stand-in": lambda room, live, ada: ada.stand_in(0),
    "leave": lambda room, live, ada: leave(live, "ada"),
    "join": lambda room, live, ada: join(live, "cleo", None, ""),
    "start": lambda room, live, ada: start(live, "ada"),
    "open": lambda room, live, ada: open_table(room, "ada", game="chi"),
    "rename": lambda room, live, ada: rename(room.store, "ada", "Ada", 10),
}
"""Every kind of write."""


async def refusal(room, live, ada, write):
    """Return the reason why a write is refused, in a response or an exception."""
    try:
        answer = await WRITES[write](room, live, ada)
    except NotSaved as problem:
        return str(problem)
    assert answer["type"] == "refused"
    return answer["reason"]


@pytest.mark.parametrize("write", ["move", "undo", "line", "stand-in", "leave", "open", "rename"])
async def test_what_cannot_be_saved_at_a_running_table_is_refused_and_changes_nothing(write, room, store):
    game, options = ("chip-it", PASSES) if write == "undo" else ("chi", SHORT)
    live, ada, ben = await seat_two(room, game, options=options)
    if write == "undo":
        await done(ada.play("pass 1"))
    before, scene = standing(room, live, ada, ben), live.scene(1)
    with locked(store):
        reason = await refusal(room, live, ada, write)
        assert reason == NOT_MADE if write in ("move", "undo") else "cannot save" in reason
        assert standing(room, live, ada, ben) == before
        assert live.sitting.moves_made == len(kept_moves(store, live))
    await until(lambda: not live.audience.trouble)
    assert live.scene(1) == scene
    await finish(live)


@pytest.mark.parametrize("write", ["join", "start", "leave"])
async def test_what_cannot_be_saved_at_an_open_table_is_refused_and_changes_nothing(write, room, store):
    live = await open_table(room, "ada", game="chi", chairs=("you", "person"), options=SHORT)
    ada, cleo = Viewer(room, live, "ada"), Viewer(room, live, "cleo")
    before = standing(room, live)
    with locked(store):
        assert "cannot save" in await refusal(room, live, ada, write)
        assert standing(room, live) == before
        assert [chair["taken"] for chair in cleo.heard[-1]["facts"]["chairs"]] == [True, False]
    await until(lambda: not live.audience.trouble)
    await start(live, "ada")
    await finish(live)


async def test_a_rematch_or_a_branch_that_cannot_be_saved_is_refused_and_can_be_asked_for_again(room, store):
    live, _, _ = await seat_two(room, options=SHORT)
    await finish(live)
    tables_before = dict(room.live)
    with locked(store):
        with pytest.raises(NotSaved):
            await branch(room, live, "ada", 1, 0)
        with contextlib.suppress(NotSaved):
            await ask_for_rematch(room, live)
        assert room.live == tables_before
        assert not live.rematch
    assert len(live.seats.ready) < 2
    again = await ask_for_rematch(room, live)
    assert again.status == "running"
    await finish(again)
    await finish(await branch(room, live, "ada", 1, 0))


async def ask_for_rematch(room, live):
    """Let all who are connected ask for a rematch, and return its table."""
    for connection in live.audience.connections:
        async with live.changing():
            await rematch(room, live, connection, "")
    return room.live[live.rematch]


async def test_a_move_that_was_refused_is_made_when_it_is_sent_again(room, store):
    live, ada, _ = await seat_two(room, options=FIRST)
    with locked(store):
        await refused(ada.play("draw 0", id="same"))
    await done(ada.play("draw 0", id="same"))
    assert kept_moves(store, live) == [("draw 0",)]


async def test_a_move_whose_commit_fails_is_not_saved_with_the_next_write(room, store):
    live, ada, _ = await seat_two(room, options=FIRST)
    failures = ["database is locked"]

    def fail(_):
        if failures:
            raise sa.exc.OperationalError("COMMIT", {}, sqlite3.OperationalError(failures.pop()))

    sa.event.listen(store.engine, "commit", fail)
    await refused(ada.play("draw 0"))
    await done(ada.say("hello"))
    assert (failures, kept_moves(store, live)) == ([], [])
    await finish(live)


async def test_who_comes_back_has_the_seat_though_that_cannot_be_saved(room, store):
    live, _, ben = await seat_two(room, options=FIRST)
    ben.go()
    await leave(live, "ben")
    query = 'select stand_in from seats where "table" = ? and seat = 1', live.id
    assert rows(store, *query) == [(1,)]
    with locked(store):
        back = Viewer(room, live, "ben")
        await back.arrive()
        assert back.heard[0]["type"] == "welcome"
        assert not live.seats[1].stand_in
    await until(lambda: rows(store, *query) == [(0,)])


# --- what the table does by itself ----------------------------------------------------------------------------------


async def test_bots_go_on_by_themselves_when_saving_works_again_and_all_are_told(room, store):
    live = await open_table(room, "ada", game="chi", chairs=("you", "greedy"), options={"first_player": 1})
    ada = Viewer(room, live, "ada")
    with locked(store):
        await until(lambda: live.audience.trouble)
        await asyncio.sleep(0.2)
        assert live.number == len(kept_moves(store, live))
        assert ada.scene["prompt"]["sub"] == CANNOT_SAVE
    await until(lambda: live.sitting.state.to_act == (0,))
    await until(lambda: not live.audience.trouble)
    assert ada.told_of_trouble() == [CANNOT_SAVE, ""]
    assert live.scene(0).prompt.sub != CANNOT_SAVE
    await finish(live)


async def test_the_clock_of_a_table_with_people_only_does_not_keep_the_trouble_up(room, store):
    live, ada, _ = await seat_two(room, clock=600, options=FIRST)
    with locked(store):
        assert (await ada.play())["reason"] == NOT_MADE
        assert ada.told_of_trouble() == [CANNOT_SAVE]
    await until(lambda: ada.told_of_trouble() == [CANNOT_SAVE, ""], seconds=3)
    await finish(live)


async def test_a_game_whose_end_cannot_be_noted_is_over_for_all_and_noted_later(room, store):
    live, *viewers = await seat_two(room, options=SHORT)
    ada = viewers[0]
    store.forbidden = "UPDATE tables"
    while live.status != "over":
        mover = viewers[live.sitting.state.to_act[0]]
        await done(mover.play())
    status = "select status, result from tables where id = ?", live.id
    await until(lambda: ada.heard[-1].get("facts", {}).get("status") == "over")
    assert rows(store, *status) == [("running", None)]
    store.forbidden = ""
    await until(lambda: not live.audience.trouble)
    ((noted, result),) = rows(store, *status)
    assert noted == "over"
    assert result
    assert ada.told_of_trouble() == [CANNOT_SAVE, ""]


@pytest.mark.parametrize("way", ["open", "join", "rematch", "load"])
async def test_a_full_table_whose_deal_cannot_be_saved_is_dealt_as_soon_as_it_can(way, room, store, restart):
    forbidden = "UPDATE tables SET status"
    if way == "open":
        store.forbidden = forbidden
        live = await open_table(room, "ada", game="chi", options=SHORT)
    elif way == "rematch":
        before, _, _ = await seat_two(room, options=SHORT)
        await finish(before)
        store.forbidden = forbidden
        live = await ask_for_rematch(room, before)
    else:
        live = await open_table(room, "ada", game="chi", chairs=("you", "person"), options=SHORT)
        store.forbidden = forbidden
        await join(live, "ben", None, "")
    if way == "load":
        live = await (await restart()).find(live.id)
    await asyncio.sleep(0.1)
    assert (live.status, live.sitting) == ("open", None)
    store.forbidden = ""
    await until(lambda: live.status == "running")
    await until(lambda: rows(store, "select status from tables where id = ?", live.id) == [("running",)])
    await finish(live)


async def test_a_bot_that_fails_is_logged_and_told_and_tried_again(room, caplog):
    live = await open_table(room, "ada", game="chi", chairs=("you", "greedy"), options=SHORT)
    ada = Viewer(room, live, "ada")
    bot, tries = live.pace.bots[1], []

    class Dizzy:
        def __getattr__(self, name):
            tries.append(name)
            raise ZeroDivisionError("the bot is dizzy")

    live.pace.bots[1] = Dizzy()
    with caplog.at_level(logging.ERROR):
        while 0 in live.sitting.state.to_act:
            await done(ada.play())
        await until(lambda: len(tries) >= 3)
    assert "ZeroDivisionError: the bot is dizzy" in caplog.text
    assert ada.told_of_trouble() == [STUCK]
    live.pace.bots[1] = bot
    await until(lambda: live.sitting.state.to_act == (0,))
    assert ada.told_of_trouble() == [STUCK, ""]
    await finish(live)


async def test_tables_come_back_to_life_though_the_database_cannot_be_read_at_first(room, store, restart):
    for _ in range(2):
        await open_table(room, "ada", game="chi", chairs=("greedy", "greedy"), options=SHORT)
    again = await restart()
    store.forbidden = "SELECT seats"
    reviving = asyncio.create_task(again.revive())
    await asyncio.sleep(0.1)
    assert not again.live
    store.forbidden = ""
    await reviving
    assert set(again.live) == set(room.live)
    for live in again.live.values():
        await finish(live)


# --- who has moved meanwhile ----------------------------------------------------------------------------------------


async def test_a_move_that_may_have_been_saved_is_not_refused_and_all_see_it_when_the_room_knows(room, store):
    live, ada, ben = await seat_two(room, options=FIRST)
    store.forgets, store.forbidden = True, "SELECT tables"
    assert await ada.play("draw 0", id="same") is None
    assert live.audience.connections == [ben.connection]
    ada = Viewer(room, live, "ada")
    assert await ada.play("draw 0", id="same", seq=0) is None, "the room cannot read the table yet"
    store.forbidden = ""
    await until(lambda: ben.scene["seq"] == 1)
    await until(lambda: not live.audience.trouble)
    answer = await Viewer(room, live, "ada").play("draw 0", id="same", seq=0)
    assert (answer["type"], answer["seq"]) == ("done", 1)
    assert kept_moves(store, live) == [("draw 0",)]
    await finish(live)


@pytest.mark.parametrize("move", ["pass 1", None])
async def test_what_may_have_been_saved_is_acknowledged_when_it_is_sent_again_at_once(room, store, move):
    """An undo, or a move."""
    live, ada, ben = await seat_two(room, "chip-it", options=PASSES)
    if not move:
        await done(ada.play("pass 1"))

    async def send():
        viewer, seq = Viewer(room, live, "ada"), 0 if move else 1
        return await (viewer.play(move, id="same", seq=seq) if move else viewer.undo(id="same", seq=seq))

    store.forgets = True
    assert await send() is None
    answer = await send()
    assert (answer["type"], answer["seq"]) == ("done", 1 if move else 2)
    assert ben.scene["seq"] == answer["seq"] == live.number == len(kept_moves(store, live))


async def test_a_move_that_another_room_has_made_is_acknowledged_with_its_own_number(room, store):
    live, ada, _ = await seat_two(room, options=FIRST)
    other = InsideRoom(store)
    elsewhere = await other.find(live.id)
    await done(Viewer(other, elsewhere, "ada").play("draw 0", id="same"))
    await done(Viewer(other, elsewhere, "ben").play())
    answer = await ada.play("draw 0", id="same")
    assert (answer["type"], answer["seq"], live.number) == ("done", 1, 2)


async def test_a_bot_goes_on_where_somebody_else_has_written_its_move(room, store):
    live = await open_table(room, "ada", game="chi", chairs=("you", "greedy"), options=SHORT)
    ada = Viewer(room, live, "ada")
    other = InsideRoom(store)
    elsewhere = await other.find(live.id)
    there = Viewer(room, elsewhere, "ada")
    await done(there.play("draw 0"))
    answer = await ada.play("draw 1", id="another")
    assert "moved on" in answer["reason"]
    assert live.sitting.log.moves[0].text == "draw 0"
    await rest(other)
    await finish(live)
    assert live.number == len(kept_moves(store, live))


# --- a disk that fills up -------------------------------------------------------------------------------------------


@pytest.fixture(name="disk")
def small(database, server, tmp_path):
    with filling(database, server, tmp_path) as found:
        yield found


async def test_on_a_full_disk_no_acknowledged_move_is_lost_and_all_tables_play_on_when_there_is_room(disk):
    store, fill, empty = disk
    room = InsideRoom(store)
    lives = [await seat_two(room, options=FIRST) for _ in range(3)]
    bots = [await open_table(room, "ada", game="chi", chairs=("you", "greedy"), options=FIRST) for _ in range(3)]
    people = [(live, viewers) for live, *viewers in lives] + [(live, [Viewer(room, live, "ada")]) for live in bots]
    acknowledged, not_made, chance = {live.id: 0 for live, _ in people}, 0, random.Random(5)

    async def play(moves):
        nonlocal not_made
        for _ in range(moves):
            live, viewers = chance.choice(people)
            mover = next((one for one in viewers if one.connection.seat in live.sitting.state.to_act), None)
            if mover is None:
                await asyncio.sleep(0)
                continue
            answer = await mover.play()
            if answer["type"] == "done":
                acknowledged[live.id] = answer["seq"]
            else:
                not_made += answer["reason"] == NOT_MADE

    await play(40)
    assert not_made == 0
    fill()
    for _ in range(200):  # until no page that is there takes another move
        await play(10)
        if not_made > 20:
            break
    assert not_made > 20, "the disk did not fill"
    for live, _ in people:
        assert acknowledged[live.id] <= live.number == len(kept_moves(store, live))
    empty()
    await until(lambda: not any(live.audience.trouble for live, _ in people))
    before = sum(acknowledged.values())
    await play(60)
    assert sum(acknowledged.values()) > before
    await rest(room)
    again = InsideRoom(store)
    for live, _ in people:
        assert (await again.find(live.id)).number >= acknowledged[live.id]
        await finish(again.live[live.id])
    await rest(again)


# --- a room that is stopped, and a clock that jumps -----------------------------------------------------------------


@pytest.mark.parametrize("jump", [86400.0, -86400.0])
async def test_a_wall_clock_that_jumps_moves_for_nobody_and_stops_nobody(jump, room, monkeypatch):
    live = await open_table(room, "ada", game="chi", chairs=("you", "greedy"), clock=60, options=SHORT)
    ada = Viewer(room, live, "ada")
    wall = time.time
    monkeypatch.setattr(time, "time", lambda: wall() + jump)
    await live.driver.call_time(live)
    assert live.number == 0
    assert 50 < live.pace.clocks.deadlines[0] - live.pace.now() <= 60
    while 0 in live.sitting.state.to_act:
        await done(ada.play())
    await until(lambda: live.sitting.state.to_act == (0,))
    assert 50 < live.pace.clocks.deadlines[0] - live.pace.now() <= 60
    until_when = live.scene(0).prompt.until
    assert 50 < until_when - (wall() + jump) <= 60
    await finish(live)
