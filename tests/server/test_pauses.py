"""Leaving and coming back: a game against bots only is paused, and among people a bot plays on, which is told."""

import asyncio
import re
import time

import pytest
from playwright.sync_api import expect

import fairdeal
from fairdeal.bots.registry import BOTS
from fairdeal.engine.scene import as_text
from fairdeal.server.api.clearing import part
from fairdeal.server.api.lobby import listing
from fairdeal.server.api.opening import open_table
from fairdeal.server.tables.seating import leave
from fairdeal.table.redrawing import CANNOT_SAVE
from tests.server.in_process import BOTH_DATABASES, Ticker, Viewer, done, move, seat_two, until
from tests.server.visiting import STILL, open_with, press, sit_at, wait_until_over

CLOCK = 60
INTERNAL = re.compile(rf"\b({'|'.join(BOTS)})", re.IGNORECASE)
"""Names of bots that no page introduces."""

GAMES = [name for name in fairdeal.game_names() if fairdeal.find_game(name).players[1] > 1]
games = pytest.mark.parametrize("game", GAMES)


async def against_bots(room, name="chi", **wishes):
    """Open a table at which Ada plays against bots, and return it when she is to act, and her connection."""
    live = await open_table(room, "ada", game=name, clock=CLOCK, **wishes)
    ada = Viewer(room, live, "ada")
    await ada.arrive()
    await until(lambda: 0 in live.sitting.state.to_act and not live.covered(0))
    return live, ada


async def at_rest(live):
    """Wait until the table does nothing by itself, also after it was woken."""
    live.wake()
    await until(lambda: not live.driver.is_busy)


async def leave_by_button(live, ada):
    await leave(live, "ada")
    ada.go()


async def close_the_page(live, ada):
    ada.go()


async def close_the_page_after_a_bot_was_asked_for(live, ada):
    await done(ada.stand_in(0))
    ada.go()


WAYS = [leave_by_button, close_the_page, close_the_page_after_a_bot_was_asked_for]


@games
@pytest.mark.parametrize("way", WAYS)
async def test_nobody_moves_against_an_absent_player_however_they_left(game, way, restart, ticker):
    """Not while she is to act, not while bots are, not when the time would be over, and not after a restart."""
    room = await restart(ticker=ticker)
    live, ada = await against_bots(room, game)
    live.pace.pause = 100.0  # no bot answers yet
    for mover in ("bots", "ada"):
        if mover == "bots" and not await played(ada):
            continue
        await way(live, ada)
        number = live.number
        live.pace.pause = 0.0
        ticker.seconds += 10 * CLOCK
        await at_rest(live)
        assert (live.number, live.is_paused) == (number, True)
        facts = live.facts("ada")
        assert (facts.status, facts.paused, facts.until) == ("running", True, 0)
        assert not any(seat.clock for seat in live.scene(-1).seats)
        assert "away, the game is paused" in [seat.note for seat in live.scene(-1).seats]
        assert live.scene(-1).prompt.sub == "The game is paused until Guest is back."
        ada = Viewer(room, live, "ada")
        await ada.arrive()
        assert not live.facts("ada").paused
        assert not live.seats[0].stand_in
        await until(lambda: live.status == "over" or (0 in live.sitting.state.to_act and not live.covered(0)))
        if live.status == "over":
            return
        live.pace.pause = 100.0
    ada.go()
    room = await restart(ticker=ticker)
    minding = asyncio.create_task(room.mind())
    await minding
    ((facts,), _) = await listing(room, "ada")
    assert (facts.paused, facts.until, live.id in room.live) == (True, 0, False)
    again = await room.find(live.id)
    await at_rest(again)
    assert (again.number, again.is_paused) == (live.number, True)


async def played(ada):
    """Let a player move; whether the game goes on."""
    await done(ada.play())
    return ada.live.status == "running"


async def test_the_clock_of_a_paused_game_stands_still_also_across_a_restart(restart, ticker, monkeypatch):
    wall = Ticker()
    wall.seconds = time.time()
    monkeypatch.setattr(time, "time", wall)

    def passes(seconds):
        wall.seconds += seconds
        ticker.seconds += seconds

    live, ada = await against_bots(await restart(ticker=ticker), options={"first_player": 0})
    for used in (20, 5):
        passes(used)
        await close_the_page(live, ada)
        await live.keep_rest()
        passes(1000)
        if used == 5:
            live = await (await restart(ticker=ticker)).find(live.id)
            passes(1000)
        ada = Viewer(live.home, live, "ada")
        await ada.arrive()
        left = live.facts("ada").until - time.time()
        assert left == pytest.approx({20: 40, 5: 35}[used])
    passes(35)
    await live.driver.call_time(live)
    assert (live.number, ada.scene["stood_in"]) == (1, 1)


@BOTH_DATABASES
def test_a_room_keeps_the_time_that_is_left_when_a_page_is_closed(room, guests):
    ada = guests()
    table = ada.post("/api/tables", game="chi", chairs=["you", "greedy"], options={"first_player": 0}, clock=3600)["id"]
    ada.connect(table)
    ada.close()
    for _ in range(400):
        ((rest,),) = room.rows("select rest from tables")
        if rest:
            break
        time.sleep(0.02)
    assert str(rest).startswith(("[0, 3", "[0,3"))


@games
async def test_a_bot_plays_on_among_people_and_its_moves_are_counted_for_the_returning_guest(game, restart):
    """The number follows from the log, so that another device and a room that was restarted tell it too."""
    room = await restart()
    live, ada, ben = await seat_two(room, game, options={"players": 2})
    await move(live, 4)
    before = live.number
    ada.go()
    await leave(live, "ada")
    for _ in range(6):
        await until(lambda: live.status == "over" or 1 in live.sitting.state.to_act or not live.driver.is_busy)
        if live.status == "over" or 1 not in live.sitting.state.to_act:
            break
        await ben.play()
    made = sum(entry.seat == 0 and entry.by == "greedy" for entry in live.sitting.log.moves[before:])
    last = max((n for n, one in enumerate(live.sitting.log.moves) if (one.seat, one.by) == (0, "")), default=-1)
    since = sum(entry.seat == 0 for entry in live.sitting.log.moves[last + 1 :])
    assert since == made > 0
    for told in (live, await (await restart()).find(live.id)):
        assert told.scene(0).stood_in == made
        assert told.scene(1).stood_in == told.scene(-1).stood_in == 0
        lines = [as_text(line.text) for n in range(before + 1, told.number + 1) for line in told.sitting.lines(n, 0)]
        assert sum("A bot played for you." in line for line in lines) == made
        for viewer in (-1, 0, 1):
            for n in range(1, told.number + 1):
                assert not [line for line in told.sitting.lines(n, viewer) if INTERNAL.search(as_text(line.text))]


async def test_a_player_who_has_moved_again_is_no_longer_told_of_a_bot(inside):
    live, ada, ben = await seat_two(inside, options={"first_player": 0})
    ada.go()
    await leave(live, "ada")
    await until(lambda: live.number == 1)
    again = Viewer(inside, live, "ada")
    await again.arrive()
    await done(ben.play())
    assert live.scene(0).stood_in == 1
    await done(again.play())
    assert live.scene(0).stood_in == 0


async def test_a_table_of_two_pauses_once_the_other_has_deleted_their_data(inside):
    live, ada, _ben = await seat_two(inside)
    ada.go()
    assert not live.is_paused, "a bot may play for her"
    assert await part(inside, live, "ben") is False
    assert live.is_paused


# --- the page -----------------------------------------------------------------------------------------------------


def ask_to_leave(page):
    press(page, "Leave", exact=True)
    return page.locator(".sure")


def test_the_page_says_what_leaving_does_and_what_a_bot_did(visit):
    ada, ben = visit(may_log="status of 503", **STILL), visit(**STILL)
    for page, name in ((ada, "Ada"), (ben, "Ben")):
        page.request.post("/api/me", data={"name": name})
    alone = sit_at(ada, "chi", options={"first_player": 0}, clock=3600)
    said = ask_to_leave(ada)
    expect(said).to_contain_text("The game pauses until you are back. No clock runs, and no bot plays for you.")
    press(said, "Leave")
    expect(ada.locator(".own-tables li")).to_contain_text("Paused, your turn")
    shared = open_with(ada, "chi", ["you", "person"], options={"first_player": 0})
    ben.request.post(f"/api/tables/{shared}/join", data={})
    ada.goto(f"/t/{shared}")
    ada.wait_for_selector(".prompt[data-yours]")
    said = ask_to_leave(ada)
    expect(said).to_contain_text("A bot plays for you until you are back.")
    expect(said).to_contain_text("If you only close the page, the others wait for you.")
    ada.route("**/leave", lambda route: route.fulfill(status=503, json={"reason": CANNOT_SAVE}), times=1)
    press(said, "Leave")
    expect(said.get_by_role("alert")).to_be_visible()
    ada.route("**/leave", lambda route: route.abort(), times=1)  # a lost request is made again
    press(said, "Leave")
    ada.wait_for_selector(".own-tables")
    ben.goto(f"/t/{shared}")
    ben.wait_for_selector(".prompt[data-yours]")
    expect(ben.locator(".seat .who small")).to_contain_text("away, a bot plays on")
    for _ in range(2):  # and after a reload
        ada.goto(f"/t/{shared}")
        expect(ada.locator(".status-line")).to_contain_text("A bot played 1 move for you.")
    expect(ada.locator(".status-line")).not_to_contain_text("Since your turn")
    assert ada.request.get(f"/api/tables/{alone}").json()["paused"]


WORDS = """() => [...document.querySelectorAll('main, header, aside, .app *, .page *')].flatMap((one) =>
    [...one.attributes].filter(({ name }) => ['aria-label', 'title', 'alt'].includes(name)).map(({ value }) => value)
).concat(document.body.innerText, document.title)"""


def test_no_page_names_a_bot_that_no_page_introduces(visit):
    """At a table, in the lobby, under the result, in a replay."""
    page = visit(**STILL)
    bots = [bot for bot in BOTS if bot != "learned"]
    pages = {"/": ".own-tables"}
    for number, bot in enumerate(bots):
        pages[f"/t/{open_with(page, 'chi', ['you', bot])}"] = ".prompt"
        over = open_with(page, "chi", [bot, bots[number - 1]], options={"stacks_to_end": 4})
        wait_until_over(page, over)
        pages |= {f"/t/{over}": ".verdict", f"/t/{over}?move=3": ".scrub"}
    for address, where in pages.items():
        page.goto(address)
        page.wait_for_selector(where)
        words = page.evaluate(WORDS)
        assert len(words) > 10
        assert [one for one in words if INTERNAL.search(one)] == [], address
