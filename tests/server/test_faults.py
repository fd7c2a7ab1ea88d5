"""A disk that is full, a database that somebody else holds, a bot that fails: nobody is told of a move that is not
kept, and every table goes on by itself when it can."""

import contextlib
import logging
import time

import pytest

from fairdeal.server.api.opening import branch, open_table, rematch
from fairdeal.server.storage.store import NotSaved
from fairdeal.server.tables.guests import rename
from fairdeal.server.tables.seating import join, leave, start
from fairdeal.table.redrawing import STUCK
from fairdeal.table.verification import verify
from tests.server.in_process import (
    BOTH_DATABASES,
    Viewer,
    done,
    locked,
    rows,
    seat_two,
    store_of,
    until,
)

pytestmark = [BOTH_DATABASES, pytest.mark.usefixtures("quick")]

FIRST = {"first_player": 0}
SHORT = FIRST | {"stacks_to_end": 4}


@pytest.fixture
def store(database):
    made = store_of(database)
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
    "leave": lambda room, live: leave(live, "ada"),
    "join": lambda room, live: join(live, "cleo", None, ""),
    "start": lambda room, live: start(live, "ada"),
    "open": lambda room, live: open_table(room, "ada", game="chi"),
    "rename": lambda room, live: rename(room.store, "ada", "Ada", 10),
}
"""Changes of seats, and what is not about a table. The model of the room makes moves (test_model.py)."""


async def refusal(room, live, write):
    """Return the reason why a write is refused."""
    with pytest.raises(NotSaved) as caught:
        await WRITES[write](room, live)
    return str(caught.value)


@pytest.mark.parametrize("write", ["leave", "open", "rename"])
async def test_what_cannot_be_saved_at_a_running_table_is_refused_and_changes_nothing(write, room, store):
    live, ada, ben = await seat_two(room, options=SHORT)
    before, scene = standing(room, live, ada, ben), live.scene(1)
    with locked(store):
        assert "cannot save" in await refusal(room, live, write)
        assert standing(room, live, ada, ben) == before
        assert live.sitting.moves_made == len(kept_moves(store, live))
    await until(lambda: not live.audience.trouble)
    assert live.scene(1) == scene
    await finish(live)


@pytest.mark.parametrize("write", ["join", "start", "leave"])
async def test_what_cannot_be_saved_at_an_open_table_is_refused_and_changes_nothing(write, room, store):
    live = await open_table(room, "ada", game="chi", chairs=("you", "person"), options=SHORT)
    Viewer(room, live, "ada")
    cleo = Viewer(room, live, "cleo")
    before = standing(room, live)
    with locked(store):
        assert "cannot save" in await refusal(room, live, write)
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


# --- what a table does by itself ------------------------------------------------------------------------------------


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


# --- a disk that fills up -------------------------------------------------------------------------------------------


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
