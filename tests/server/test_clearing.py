"""Unfinished tables that concern one guest alone are cleared away: by that guest, or when they were left for long."""

import time

import pytest

from fairdeal.engine.errors import FairdealError
from fairdeal.server.api.clearing import clear
from fairdeal.server.api.lobby import listing
from fairdeal.server.api.opening import open_table
from fairdeal.server.limits import DEFAULT_LIMITS
from fairdeal.server.room import NoTable
from fairdeal.server.storage import queries
from fairdeal.server.tables.seating import join
from tests.conftest import refusal
from tests.server.in_process import BOTH_DATABASES, Viewer, refused, rows, seat_two

pytestmark = BOTH_DATABASES


async def against_bots(inside, guest="ada", **wishes):
    return await open_table(inside, guest, game="chi", options={"first_player": 0}, **wishes)


def of_table(inside, live):
    """Return the number of rows that are stored for a table, by part."""
    counts = {}
    for part in ("seats", "entries", "chat"):
        ((counts[part],),) = rows(inside.store, f'SELECT count(*) FROM {part} WHERE "table" = ?', live.id)
    return counts


async def test_a_cleared_table_is_gone_with_all_that_was_kept_of_it(inside):
    live = await against_bots(inside)
    ada = Viewer(inside, live, "ada")
    await ada.play()
    await ada.say("hello")
    assert min(of_table(inside, live).values()) > 0
    await clear(inside, live, "ada")
    assert of_table(inside, live) == {"seats": 0, "entries": 0, "chat": 0}
    assert await listing(inside, "ada") == ([], [])
    with pytest.raises(NoTable):
        await inside.find(live.id)
    assert ada.heard[-1]["facts"]["status"] == "cleared"
    await refused(ada.play("draw 0"))
    assert of_table(inside, live) == {"seats": 0, "entries": 0, "chat": 0}


async def test_a_table_that_waits_for_its_first_guest_can_be_cleared_too(inside):
    live = await against_bots(inside, chairs=("you", "person"))
    await clear(inside, live, "ada")
    with pytest.raises(NoTable):
        await inside.find(live.id)
    with pytest.raises(FairdealError):
        await join(live, "ben", None, "")


async def test_nobody_clears_what_concerns_others(inside):
    live, _, _ = await seat_two(inside)
    alone = await against_bots(inside)
    for table, guest in ((live, "ada"), (live, "ben"), (alone, "ben"), (alone, "")):
        with refusal("nobody else"):
            await clear(inside, table, guest)
        assert await inside.find(table.id) is table


async def test_a_finished_game_is_kept(inside):
    live = await open_table(inside, "ada", game="chi", chairs=("greedy", "greedy"), options={"stacks_to_end": 4})
    await live.driver.task
    with refusal("finished game cannot"):
        await clear(inside, live, "ada")


async def test_what_is_cleared_makes_room_for_another_table(inside):
    opened = [await against_bots(inside) for _ in range(DEFAULT_LIMITS.tables)]
    with refusal("clear away"):
        await against_bots(inside)
    await clear(inside, opened[3], "ada")
    await against_bots(inside)


async def test_a_guest_clears_a_table_away_over_http_and_its_promise_stays_used(guest):
    ticket = (await guest.post("/api/promise")).json()["ticket"]
    table = f"/api/tables/{(await guest.open(ticket=ticket)).id}"
    answer = await (await guest.newcomer()).ask("DELETE", table)
    assert (answer.status, "nobody else" in answer.json()["reason"]) == (400, True)
    assert (await guest.ask("DELETE", table)).json()["status"] == "cleared"
    assert (await guest.get(table)).status == 404
    again = await guest.post("/api/tables", game="chi", ticket=ticket)
    assert (again.status, "commitment" in again.json()["reason"]) == (400, True)


async def test_a_lobby_tells_each_seat_its_own_last_line_awake_and_asleep(inside):
    live, ada, ben = await seat_two(inside, options={"first_player": 0})
    await ada.play("draw 0")
    await ben.play()
    told = {}
    for guest, seat in (("ada", 0), ("ben", 1)):
        ((facts,), _) = await listing(inside, guest)
        told[guest] = facts.last
        assert facts.last.text == live.sitting.lines(live.sitting.moves_made, seat)[-1].text
    (_, (seen_by_all, *_)) = await listing(inside, "cleo")
    assert seen_by_all.last is None
    del inside.live[live.id]
    ((facts,), _) = await listing(inside, "ada")
    assert facts.last == told["ada"]
    inside.last_lines.known.clear()
    ((facts,), _) = await listing(inside, "ada")
    assert facts.last is None
    await inside.last_lines.reading
    ((facts,), _) = await listing(inside, "ada")
    assert facts.last.text == told["ada"].text
    assert live.id not in inside.live


async def test_finished_tables_never_push_an_unfinished_one_out_of_the_list(inside, monkeypatch):
    monkeypatch.setattr(queries, "MOST_FINISHED", 1)
    waiting = [(await against_bots(inside, chairs=("you", "person"))).id for _ in range(2)]
    finished = []
    for _ in range(2):
        live = await open_table(inside, "ada", game="chi", chairs=("greedy", "greedy"), options={"stacks_to_end": 4})
        await live.driver.task
        finished.append(live.id)
    own, _ = await listing(inside, "ada")
    assert [facts.id for facts in own] == [*reversed(waiting), finished[1]]


async def test_a_guest_with_a_clock_sees_the_deadline(inside):
    live, _, _ = await seat_two(inside, clock=60, options={"first_player": 0})
    acting, waiting = live.facts("ada"), live.facts("ben")
    assert 50 < acting.until - time.time() <= 60
    assert waiting.until == 0
    assert (acting.host_seat, waiting.host_seat) == (0, 0)
