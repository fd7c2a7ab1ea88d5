"""The deal of the day in a room: the same cards for everybody, one counted try, and numbers for later deals."""

import asyncio
import json
import random
import re
import time
from functools import partial

import pytest
import sqlalchemy as sa
from playwright.sync_api import expect

from fairdeal.engine.errors import FairdealError
from fairdeal.protocol import bodies as b
from fairdeal.protocol import daily as d
from fairdeal.protocol import messages as m
from fairdeal.server.api import daily, http
from fairdeal.server.api.clearing import forget
from fairdeal.server.api.merging import merge
from fairdeal.server.extras.analyses import Analyses
from fairdeal.server.long_work import Client
from fairdeal.server.room import NoTable
from fairdeal.server.storage.own_data import data_of
from fairdeal.server.storage.store import tries
from fairdeal.server.tables.guests import rename
from fairdeal.table import fairness
from fairdeal.table.signatures import is_signed
from fairdeal.table.verification import verify
from fairdeal.terminal.online import keeper, remote_table
from fairdeal.terminal.online import today as terminal
from tests.server.conftest import PORT, ForkedRoom, Guest
from tests.server.in_process import BOTH_DATABASES, Ticker, Viewer, move, seated, until
from tests.server.inside import opened as opened_inside
from tests.server.test_analysis import few_playouts
from tests.server.test_browser import look_at
from tests.server.test_leases import Worker
from tests.server.test_play import play_out as play_out_as
from tests.server.visiting import BROWSER, DESK, PHONE, STILL, press
from tests.table.test_deals_of_the_day import CHANGES as RECORDS

HOUR, CHANGE = 3600.0, 6 * 3600.0
SUNDAY = 340
"""The number of the deal of a Sunday, on which one player plays JACKPOT."""

ADA, BEN = "a" * 32, "b" * 32
NONCES = {ADA: "1" * 32, BEN: "2" * 32}
HASHES = {guest: fairness.nonce_hash(nonce) for guest, nonce in NONCES.items()}


class Wall(Ticker):
    """The time of day, which the test sets."""

    def go(self, number, hours=1.0):
        """Go to the day of a deal, so many hours after its beginning."""
        self.seconds = d.begins(number, CHANGE) + hours * HOUR


@pytest.fixture
def wall(monkeypatch):
    made = Wall()
    made.go(SUNDAY)
    monkeypatch.setattr(time, "time", made)
    return made


@pytest.fixture(autouse=True)
def unanalysed(monkeypatch):
    """Let rooms inside a test begin no analyses, which run in other processes."""

    async def begin(*_):
        return b.AnalysisTold()

    monkeypatch.setattr(Analyses, "of", begin)


@pytest.fixture
async def room(restart, wall):
    made = await restart()
    made.change = CHANGE
    for guest, name in ((ADA, "Ada"), (BEN, "Ben")):
        await rename(made.store, guest, name, 100)
    return made


def wish(number=SUNDAY, guest="", **facts):
    return b.Try(**{"deal": number, "hash": HASHES.get(guest, "")} | facts)


async def view(room, guest, number=0):
    return await daily.view(room, guest, number, Client(guest, "here"), lambda: None)


async def play_out(live, decisions=1000):
    """Play the suggestions of the greedy rule until the game is over, or this number of decisions; the room plays the
    bots, because the guest is here."""
    viewer = Viewer(live.home, live, live.terms.host)
    while not live.is_over and decisions:
        async with live.lock:
            sitting = live.running
            if sitting and 0 in sitting.state.to_act:
                await live.enter(0, sitting.hint(0).actions)
                decisions -= 1
        await asyncio.sleep(0)
    viewer.go()


async def finished_try(room, guest, number=SUNDAY):
    live = await daily.play(room, guest, wish(number, guest))
    await play_out(live)
    return live


async def test_a_row_of_two_weeks_goes_on_over_a_change_of_time_zone(room, wall):
    """Ada plays at eight in the evening, first ten minutes before the change of the day, then, from an island to the
    west of it, some hours after it: on the eighth day, she plays the deal of the day before, too. Ben does not."""
    times = [SUNDAY + 1 + day - (10 / 60) / 24 for day in range(7)] + [SUNDAY + 8 + day + 3 / 24 for day in range(7)]
    rows = {ADA: [], BEN: []}
    for at in times:
        wall.go(0, 24 * at)
        for guest in (ADA, BEN):
            today = await view(room, guest)
            for stamp in today.week[-2 if guest == ADA else -1 :]:
                if stamp.state == "open":
                    await daily.play(room, guest, wish(stamp.deal))
            rows[guest].append((await view(room, guest)).row)
    assert rows[ADA] == [*range(2, 9), *range(10, 17)]
    assert rows[BEN] == [*range(1, 8), 8, 2, 3, 4, 5, 6, 7]
    states = [stamp.state for stamp in (await view(room, BEN)).week]
    assert states == ["unfinished"] * 5 + ["begun"] * 2


@pytest.mark.parametrize("weekday", range(7), ids=[game for game, *_ in daily.WEEK])
async def test_everybody_has_the_same_cards_and_the_same_chance(room, wall, weekday):
    number = SUNDAY - 6 + weekday
    wall.go(number)
    games = [await daily.play(room, guest, wish(number, guest)) for guest in (ADA, BEN)]
    for live in games:
        await play_out(live, 5)
    logs = [live.written for live in games]
    entries = [[entry.as_line() for entry in log.entries if entry.seat == 0] for log in logs]
    assert (len(entries[0]), entries[0]) == (5, entries[1])
    lines = [*zip(*(log.header_lines() for log in logs), strict=True)]
    different = [one.partition(" ")[0] for one, other in lines if one != other]
    assert different == ["table", "seat"], "only the table and the name"


@BOTH_DATABASES
async def test_numbers_are_bound_closed_shown_and_mixed_in(room, wall, restart):
    for guest in (ADA, BEN):
        await daily.play(room, guest, wish(guest=guest))
    with pytest.raises(FairdealError, match=r"the closed list of deal No. 341 has no hash of this number"):
        await daily.show(room, NONCES[ADA])
    with pytest.raises(NoTable):
        await daily.record(room, SUNDAY + 2)

    wall.go(SUNDAY + 1)
    closed = await daily.record(room, SUNDAY + 2)
    assert closed.numbers == dict.fromkeys(sorted(HASHES.values()), "")
    assert (closed.signed, closed.link) == ("", "")
    assert is_signed(room.keys.public, d.LIST, closed.list_digest, closed.signed_list)
    assert (await daily.show(room, NONCES[ADA])).numbers == closed.numbers, "not before the deal is fixed"
    with pytest.raises(FairdealError, match="show a number on the day after"):
        await daily.show(room, "3" * 32)

    room = await restart()
    room.change = CHANGE
    wall.go(SUNDAY + 2)
    fixed = await daily.record(room, SUNDAY + 2)
    assert fixed.numbers == {HASHES[ADA]: NONCES[ADA], HASHES[BEN]: ""}
    assert (fixed.signed_list, fixed.link) == (closed.signed_list, "")
    with pytest.raises(FairdealError, match=r"the closed list of deal No. 343"):
        await daily.show(room, NONCES[BEN])
    live = await finished_try(room, ADA, SUNDAY + 2)
    assert live.written.day == fixed.day

    wall.go(SUNDAY + 4)
    assert f"missing {HASHES[BEN][:8]}" in d.check_record(await daily.record(room, SUNDAY + 2), live.written)
    assert verify(http.log_of(live).text())


@BOTH_DATABASES
async def test_a_try_survives_a_restart_of_the_room(room, restart):
    live = await daily.play(room, ADA, wish(guest=ADA))
    header, state = live.written.header(), live.sitting.state.record.tobytes()
    room = await restart()
    room.change = CHANGE
    again = await daily.play(room, ADA, wish(guest=ADA))
    assert (again.id, again.written.header(), again.sitting.state.record.tobytes()) == (live.id, header, state)
    await play_out(again)
    (score,) = again.sitting.state.scores
    (own,) = await daily.tries_of(room, tries.c.guest == ADA)
    assert own.result == f"score {score}"


async def test_there_is_one_counted_try_and_more_for_fun_after_it(room, wall):
    with pytest.raises(FairdealError, match="play your counted try to its end first"):
        await daily.play(room, ADA, wish(counted=False))
    first, second = await asyncio.gather(*(daily.play(room, ADA, wish(guest=ADA)) for _ in range(2)))
    assert first.id == second.id
    await play_out(first)
    with pytest.raises(FairdealError, match="only a counted try binds a number"):
        await daily.play(room, ADA, wish(guest=ADA, counted=False))
    fun = await daily.play(room, ADA, wish(counted=False))
    assert (fun.id != first.id, fun.terms.daily.counted, fun.terms.seed) == (True, False, first.terms.seed)
    assert (await view(room, ADA)).table == first.id
    for number in (SUNDAY - 2, SUNDAY + 1):
        with pytest.raises(FairdealError, match=r"only deals No. 339 and 340 can be played now"):
            await daily.play(room, ADA, wish(number))
    wall.go(SUNDAY + 2)
    with pytest.raises(FairdealError, match=r"only deals No. 341 and 342"):
        await daily.play(room, BEN, wish())


@pytest.mark.databases("postgresql")
async def test_there_is_one_counted_try_at_two_workers_at_the_same_moment(database, wall):
    workers = [Worker(database, address) for address in ("one", "two")]
    for worker in workers:
        worker.change = CHANGE
    try:
        tables = await asyncio.gather(
            *(daily.play(worker, ADA, wish(guest=ADA)) for worker in workers), return_exceptions=True
        )
        query = sa.select(tries.c.table).where(tries.c.guest == ADA)
        kept = await workers[0].store.read(lambda c: c.execute(query).scalars().all())
        assert len(kept) == 1
        assert {getattr(live, "id", kept[0]) for live in tables} == {*kept}
    finally:
        for worker in workers:
            await worker.end()


async def test_a_counted_try_has_no_help(room):
    live = await daily.play(room, ADA, wish())
    viewer = Viewer(room, live, ADA)
    for request in (m.Hint(id="a"), m.Undo(id="b", seq=0), m.StandIn(id="c", seat=0, on=True)):
        assert "In the counted try at a deal of the day" in re.sub(r"\s+", " ", request.__doc__)
        answer = await viewer.ask(request)
        assert (answer["type"], "is played without" in answer["reason"]) == ("refused", True)


async def test_the_link_is_secret_until_the_deal_is_closed(tmp_path, wall):
    """In every response to the player and to somebody else, and in every message of the table."""
    async with opened_inside(tmp_path) as ada:
        room, heard = ada.room, []
        assert room.change == CHANGE
        ben = await ada.newcomer("Ben")
        made = await ada.post("/api/today", deal=SUNDAY, hash=HASHES[ADA])
        table = made.json()["id"]
        live = room.live[table]
        viewer = Viewer(room, live, ada.guest)
        await play_out(live)
        await viewer.arrive()
        evening = await ada.post("/api/evenings", game="chi")
        paths = {
            "table": table,
            "evening": evening.json()["id"],
            "game": "chimax-jackpot",
            "move": "0",
            "lesson": "first",
            "file": "skin.css",
            "hash": "0",
        }
        gets = [one.path.format(**paths) for one in http.ROUTES if one.method == "GET" and "{hash}" not in one.path]
        for path in [*gets, f"/api/tables/{table}/moments/0?hands=true", f"/api/today/record?deal={SUNDAY + 1}"]:
            for guest in (ada, ben):
                answer = await guest.get(f"{path}?move=0" if path.endswith("/held") else path)
                assert not (guest is ben and table in path) or answer.status == 404, path
                heard.append(answer.body.decode("latin-1"))
        heard += map(json.dumps, viewer.heard)
        seed, link = live.terms.seed.hex(), daily.link_in(room, SUNDAY).hex()
        assert len(heard) > 60
        assert not [text for text in heard if seed in text or link in text]
        assert (await ada.get(f"/api/tables/{table}/log")).status == 409
        wall.go(SUNDAY + 2)
        record = (await ben.get(f"/api/today/record?deal={SUNDAY}")).json()
        assert record["link"] == link
        log = await ben.get(f"/api/tables/{table}/log")
        assert f"seed {seed} " in log.body.decode()


async def test_friends_and_the_strongest_opponent_are_shown_after_the_own_try(room, wall):
    shared = await seated(room, ADA, BEN, options={"stacks_to_end": 4})
    await move(shared, 500)
    stranger = "c" * 32
    for guest in (BEN, stranger):
        await finished_try(room, guest)
    assert (await view(room, ADA)).beside == ()
    await finished_try(room, ADA)
    await view(room, ADA)
    await until(lambda: not room.playing_best)
    found = await view(room, ADA)
    assert [(one.name, one.bot) for one in found.beside] == [("Otto", True), ("Ben", False)]
    ben = found.beside[1]
    assert (ben.alike > 5, ben.theirs, ben.yours) == (True, "", ""), "they have made the same decisions"
    assert found.text.startswith(
        f"fairdeal No. {SUNDAY} · Chimax Jackpot · {found.result}, Otto {found.beside[0].result}"
    )
    assert (await view(room, stranger)).beside[1:] == ()
    wall.go(SUNDAY + 1)
    live = await daily.play(room, ADA, wish(SUNDAY + 1))
    wall.go(SUNDAY + 3)
    await play_out(live)
    assert (await view(room, ADA, SUNDAY + 1)).state == "unfinished", "it was over after the deal was closed"


@BOTH_DATABASES
async def test_a_guest_who_goes_leaves_a_record_that_can_be_verified(room, wall):
    await finished_try(room, ADA)
    own = await room.store.read(lambda c: data_of(c, ADA))
    assert [(one.deal, one.hash) for one in own.tries] == [(SUNDAY, HASHES[ADA])]
    await forget(room, ADA)
    assert (await room.store.read(lambda c: data_of(c, ADA))).tries == ()
    wall.go(SUNDAY + 2)
    live = await finished_try(room, BEN, SUNDAY + 2)
    wall.go(SUNDAY + 4)
    assert f"missing {HASHES[ADA][:8]}" in d.check_record(await daily.record(room, SUNDAY + 2), live.written)


@BOTH_DATABASES
async def test_two_guests_who_become_one_have_one_counted_try_and_both_numbers(room, wall):
    mine, _other = await finished_try(room, ADA), await finished_try(room, BEN)
    for guest in (ADA, BEN):
        await daily.play(room, guest, wish(counted=False))
    await merge(room, BEN, ADA)
    own = (await room.store.read(lambda c: data_of(c, ADA))).tries
    assert sorted((one.table == mine.id, one.counted) for one in own) == [(False, False)] * 3 + [(True, True)]
    assert {one.hash for one in own} == {*HASHES.values(), ""}
    wall.go(SUNDAY + 1)
    for nonce in NONCES.values():
        await daily.show(room, nonce)


async def test_a_room_without_a_deal_of_the_day_shows_nothing_of_it(tmp_path):
    async with opened_inside(tmp_path) as ada:
        ada.room.change = None
        for path in [one.path for one in http.ROUTES if "/today" in one.path and one.method == "GET"]:
            assert (await ada.get(path)).status == 404
        assert (await ada.get("/api/lobby")).json()["today"] is None


# --- the page and the terminal ----------------------------------------------------------------------------------


def live_on(number):
    """Let a process live on the day of a deal."""
    real = time.time
    shift = d.begins(number, CHANGE) + HOUR - real()
    time.time = lambda: real() + shift
    few_playouts()


@pytest.fixture
def outside(database, tmp_path, deal):
    process = ForkedRoom(
        database, port=PORT, errors=tmp_path / "room.db.errors", chance=deal, change=partial(live_on, SUNDAY)
    )
    yield process
    process.stop()


def go_to(process, number):
    process.end()
    process.change = partial(live_on, number)
    process.start()


def come_as(room, cookies):
    """Return a program with the cookies of a guest."""
    guest = Guest(room)
    guest.http.cookies.clear()
    for name, value in cookies.items():
        guest.http.cookies.set(name, value)
    return guest


def play_with(room, cookies, table):
    """Play a game of one player to its end as the guest with these cookies."""
    guest = come_as(room, cookies)
    guest.connect(table)
    play_out_as([guest], random.Random(3))
    guest.close()


BOUND = "✓ Your number of today is bound. Open this page tomorrow to show it."

SHARES = """() => {
    navigator.canShare = () => true;
    navigator.share = async ({ text, files }) => { document.title = `${files[0].name} ${files[0].size} ${text}`; };
}"""

CHANGES = """async ([path, changes]) => {
    const { checked } = await import(path);
    const deal = new URLSearchParams(location.search).get('deal');
    const record = await (await fetch(`/api/today/record?deal=${deal}`)).json();
    const table = document.querySelector('.days').dataset.table;
    const { deal: { header, seed } } = await (await fetch(`/api/tables/${table}`)).json();
    const found = {};
    for (const [field, value] of Object.entries({ none: 0, ...changes })) {
        const lines = await checked({ ...record, [field]: value }, header, seed);
        found[field] = lines.filter((line) => line.startsWith('✗')).length;
    }
    return found;
}"""
"""How many findings of the page fail for a record with one change."""


def test_the_page_plays_the_deal_shows_the_number_the_next_day_and_proves_the_deal_when_it_is_closed(outside, visit):
    page = visit("/", **STILL)
    line = page.locator(".today-line")
    expect(line).to_contain_text(f"No. {SUNDAY}: Chimax Jackpot, the same cards for everybody.")
    line.get_by_role("link", name="Play the deal of the day").press("Enter")
    expect(page.get_by_role("heading", name="Chimax Jackpot")).to_be_visible()
    said = page.locator(".said")
    expect(said).to_contain_text("No guest’s number is mixed into this deal")
    look_at(page, DESK)
    page.route("**/api/today", lose, times=1)
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    play_with(outside, {one["name"]: one["value"] for one in page.context.cookies()}, table)
    page.get_by_role("link", name="Deal of the day").click()
    expect(page.locator(".days")).to_have_attribute("data-more", "False")
    expect(said).to_contain_text(BOUND)
    expect(page.locator(".bill .done")).to_be_visible()
    expect(page.locator(".marks")).to_be_visible()
    expect(page.locator(".print img")).to_have_js_property("naturalWidth", 1080)
    look_at(page, PHONE)
    assert page.locator("time").all_text_contents() == page.evaluate(LOCAL)
    text = page.locator(".days").get_attribute("data-text")
    page.evaluate(SHARES)
    press(page, "Share")
    page.wait_for_function("() => document.title.startsWith('fairdeal.png ')")
    assert page.title().endswith(f" {text}")
    press(page, "Play again for fun")
    page.wait_for_url(lambda url: "/t/" in url and table not in url)
    fun = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()
    assert fun["daily"]["counted"] is False

    go_to(outside, SUNDAY + 1)
    page.goto("/today")
    expect(said).to_contain_text(f"✓ Your number for tomorrow’s deal, No. {SUNDAY + 2}, is shown.")
    expect(page.locator(".week li").nth(5)).to_contain_text("played")

    go_to(outside, SUNDAY + 2)
    page.evaluate(UNKNOWN, [SUNDAY + 1, SUNDAY])
    page.goto(f"/today?deal={SUNDAY}")
    expect(said.locator("p")).to_have_text(
        [
            "No guest’s number is mixed into this deal: it follows from the room’s link alone.",
            f"✓ The room has signed the closed list of deal No. {SUNDAY}, and its numbers fit.",
            f"✓ Hashed {SUNDAY} times, the link of the day is the end of the room’s chain.",
            "✓ The cards of your game follow from this link and these numbers alone.",
            f"The room has not taken your number for deal No. {SUNDAY}.",
            f"✗ The room has left your number out of deal No. {SUNDAY + 1}.",
            f"✓ Your number is in deal No. {SUNDAY + 2}.",
        ]
    )
    expect(page.get_by_text("fairdeal verify LOG --daily RECORD")).to_be_visible()
    changes = {field.partition(":")[0]: value for field, value in reversed(RECORDS.items())}
    found = page.evaluate(CHANGES, [page.evaluate(PROOF), changes])
    assert found.pop("none") == 0
    assert [field for field, wrong in found.items() if not wrong] == []
    page.evaluate("() => Object.assign(localStorage, { 'fairdeal numbers': JSON.stringify({ ends: { 0: '1' } }) })")
    page.goto("/today")
    expect(said).to_contain_text("Mixed into this deal: 1 of 1 numbers that were bound for it.")
    expect(said).to_contain_text("✗ The room has changed the end of its chain of links.")


PROOF = "() => performance.getEntriesByType('resource').find(({ name }) => /today.proof/.test(name)).name"

UNKNOWN = """(deals) => {
    const own = JSON.parse(localStorage['fairdeal numbers']);
    deals.forEach((deal, number) => { own.numbers[deal] = { nonce: '0'.repeat(32), taken: !number }; });
    localStorage['fairdeal numbers'] = JSON.stringify(own);
}"""
"""Two numbers that are in no list: one that the room has confirmed, and one that it has not."""

LOCAL = """() => [...document.querySelectorAll('time')].map(({ dateTime }) =>
    new Date(dateTime).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'short' }))"""


def lose(route):
    """Let a request reach the room, and lose the answer."""
    route.fetch()
    route.abort()


@pytest.fixture
def visit(outside):
    with BROWSER.visits(outside.address) as visit:
        yield visit


def test_the_terminal_plays_the_deal_and_shows_the_number_the_next_day(outside, tmp_path, monkeypatch):
    monkeypatch.setattr(keeper, "guests_file", lambda: tmp_path / "data" / "guests.json")
    monkeypatch.setattr(terminal, "require_terminal", lambda: None)
    said, played = [], []

    def play(link, name, calm):
        played.append(link)
        address, _, table = link.rpartition("/t/")
        play_with(outside, terminal.known_guests()[address], table)

    monkeypatch.setattr(remote_table, "run", play)
    terminal.run(outside.address, "Tess", said.append)
    assert said[0] == f"Deal of the day No. {SUNDAY}: Chimax Jackpot"
    assert re.fullmatch(r"You: score \d+", said[1])
    terminal.run(None, None, said.append)
    assert len(played) == 1, "a counted try is played once"
    said.clear()
    go_to(outside, SUNDAY + 1)
    monkeypatch.setattr(remote_table, "run", lambda *_, **__: None)
    terminal.run(outside.address, None, said.append)
    assert said[0] == f"✓ Your number for tomorrow’s deal, No. {SUNDAY + 2}, is shown."
    assert said[-1] == "Your try is not over. Go on with: fairdeal today"
    for link in ("ftp://x", ""):
        with pytest.raises(FairdealError, match="is not a link to a room"):
            terminal.address_of(link)
