"""A name that is kept under six words: several devices are one guest, and two guests become one."""

import re

import pytest
import typer
from playwright.sync_api import expect
from starlette.requests import Request
from websockets.exceptions import ConnectionClosed

from fairdeal import cli
from fairdeal.engine.errors import FairdealError
from fairdeal.protocol.bodies import NewEvening
from fairdeal.server.api.evening import enter, open_evening
from fairdeal.server.api.merging import become
from fairdeal.server.api.opening import open_table
from fairdeal.server.network.gate import Gate
from fairdeal.server.storage import leases
from fairdeal.server.storage.own_data import COLUMNS, data_of
from fairdeal.server.storage.store import bans, devices, invited, metadata, put, told, tries, vacations
from fairdeal.server.storage.words import NUMBER, all_words, keep, kept_by, read_words, stop
from fairdeal.server.tables.guests import ONE_YEAR, Guests, name_of, rename
from fairdeal.table.verification import verify
from fairdeal.terminal.online import keeper, remote_table
from fairdeal.terminal.online.client import Visit
from tests.conftest import SHORT
from tests.server.conftest import ForkedRoom, Guest
from tests.server.in_process import BOTH_DATABASES, Viewer, done, move, rows, seated, until
from tests.server.inside import HOST
from tests.server.test_browser import look_at
from tests.server.test_network import wait_until
from tests.server.test_own_data import ADDRESS, ban, places_of
from tests.server.visiting import DESK, PHONE, STILL, press, sit_at

ADA, BEN, CLEO = "a" * 32, "b" * 32, "c" * 32
DEVICE = {"id": "one", "endpoint": "https://push.example/one", "key": "", "auth": "", "at": 1.0}
PAGE = ("origin", "http://localhost:8000")
UNKNOWN = "abacus abdomen abdominal abide abiding ability"

HOLDERS = {
    *("tables.host", "seats.guest", "entries.client", "chat.client", "acts.about", "kept.guest"),
    *("guests.id", "bans.guest", "invited.guest", "tries.guest", "vacations.guest"),
    *("devices.guest", "told.guest"),
    *("evenings.host", "entrants.guest"),
}
"""The columns with ids of guests."""

OTHERS = {
    "tables": "id game rules_version options title listed clock seed status result places rematch origin format "
    "attempt failed waits calm made moved acts rest due rated daily evening",
    "vacations": "since until",
    "evenings": "id game options rounds clock state played made",
    "entrants": "evening number name plays left",
    "days": "number closes best",
    "tries": "table deal counted day hash nonce",
    "ratings": "table seat place games old_mu old_sigma mu sigma",
    "seats": "table seat name plays nonce hash withheld stand_in calm ready successor",
    "entries": "table number seat text by at acts actions hidden",
    "chat": "id table seat name text at",
    "analyses": "table analysis",
    "guests": "name named",
    "bans": "at",
    "acts": "id kind by at taken done problem",
    "reports": "id table seat line at",
    "links": "hash kind until",
    "kept": "hash skeleton other_skeleton epoch",
    "devices": "id endpoint room key auth silent at",
    "told": "table kind device moves at due",
    "secrets": "name value",
    "workers": "id address expires guests",
    "leases": "table epoch worker wanted here",
    "invitations": "code table until",
}
"""The columns without ids of guests."""


def words_on(page):
    """Return the words that a page shows."""
    return "-".join(re.findall(r"<li>(\w+)</li>", page))


async def kept(room, guest=ADA, name="Ada"):
    """Give a guest a name, and return the words under which it is kept."""
    await rename(room.store, guest, name, 100)
    return await room.store.write(lambda c: keep(c, guest, 100))


# --- words and names ----------------------------------------------------------------------------------------------


def test_six_words_cannot_be_guessed():
    assert len({*all_words()}) == len(all_words()) >= 7775
    assert all(re.fullmatch("[a-z]{3,9}", word) for word in all_words())
    assert len(all_words()) ** NUMBER > 2**77


@pytest.mark.parametrize(
    "typed",
    [
        UNKNOWN.upper(),
        UNKNOWN.replace(" ", "-"),
        UNKNOWN.replace(" ", ",\n"),
        f"http://room/keep#{UNKNOWN}",
        "1. " + UNKNOWN,
    ],
)
def test_words_are_read_however_they_are_written(typed):
    assert read_words(typed) == UNKNOWN.replace(" ", "-")


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (UNKNOWN.replace("abide", "abbide"), "“abbide” is none of the room’s words; compare it"),
        (UNKNOWN + " abacus", "a name is kept under 6 words, and these are 7"),
        ("", "these are 0"),
        (UNKNOWN, "no name is kept under these words"),
    ],
)
async def test_wrong_words_are_refused_with_what_is_wrong(typed, reason, guest):
    answer = await guest.post("/api/me/words", words=typed)
    assert answer.status == 400
    assert reason in answer.json()["reason"]


async def test_words_are_asked_for_at_a_limited_rate(guest):
    statuses = [(await guest.post("/api/me/words", words=UNKNOWN)).status for _ in range(22)]
    assert {*statuses[:20]} == {400}
    assert statuses[-1] == 429


@pytest.mark.parametrize("alike", ["Ada", "ADA", "Adá", "А da", "Αda"])
async def test_a_kept_name_and_those_that_look_like_it_are_nobody_elses(alike, guest):
    await guest.post("/api/me", name="Ada")
    early = await guest.newcomer("Ada")
    store, own = guest.room.store, guest.guest
    await store.write(lambda c: keep(c, own, 100))
    other = await guest.newcomer("Ben")

    async def by_page(who, name):
        return await who.ask("POST", "/api/me", f'{{"name": "{name}"}}'.encode(), headers=(HOST, PAGE))

    refused = await by_page(other, alike)
    assert refused.status == 400
    assert "could be taken for a guest who keeps this name" in refused.json()["reason"]
    assert (await other.post("/api/me", name=alike)).json()["name"].endswith(" (guest)")
    assert (await by_page(guest, alike)).status == 200
    assert (await early.get("/api/me")).json() == {"name": "Ada"}
    with pytest.raises(FairdealError, match="a guest who keeps this name"):
        await store.write(lambda c: keep(c, early.guest, 100))
    await by_page(guest, "Zoe")
    assert (await by_page(other, alike)).status == 200
    await by_page(guest, "Eve")
    await store.write(lambda c: stop(c, own))
    assert (await by_page(other, "Eve")).status == 200


async def test_nobody_keeps_the_name_of_those_without_one(guest):
    own = guest.guest
    for name in ("", "Guest", "gue st"):
        await guest.post("/api/me", name=name)
        with pytest.raises(FairdealError, match="give yourself a name first"):
            await guest.room.store.write(lambda c: keep(c, own, 100))


async def test_kept_names_outlast_newer_ones_and_are_limited(guest):
    store, own = guest.room.store, guest.guest
    await rename(store, own, "Ada", 2)
    await store.write(lambda c: keep(c, own, 1))
    for number in range(4):
        await rename(store, f"{number}" * 32, f"Guest {number} x", 2)
    assert await name_of(store, own) == "Ada"
    assert await name_of(store, "0" * 32) == "Guest"
    with pytest.raises(FairdealError, match="cannot keep any more names"):
        await store.write(lambda c: keep(c, "3" * 32, 1))


# --- cookies ------------------------------------------------------------------------------------------------------


async def test_the_cookie_lasts_for_another_year_after_each_visit(guest):
    cookie, live = guest.cookie, await guest.open()
    for path in ("/", f"/t/{live.id}", "/privacy", "/keep", "/api/me"):
        given = (await guest.get(path)).headers["set-cookie"]
        assert given.startswith(f"{cookie}; "), path
        assert f"Max-Age={ONE_YEAR}" in given, path
    for path in ("/api/lobby", f"/api/tables/{live.id}", "/web/main.js", "/api/ready"):
        assert "set-cookie" not in (await guest.get(path)).headers, path


async def form(guest, **fields):
    body = "&".join(f"{name}={value}" for name, value in fields.items()).encode()
    kind = ("content-type", "application/x-www-form-urlencoded")
    return await guest.ask("POST", "/keep", body, headers=(HOST, PAGE, kind))


async def test_a_device_is_signed_out_and_the_old_words_are_worth_nothing(guest):
    await guest.post("/api/me", name="Ada")
    old, own = words_on((await form(guest, act="keep")).body.decode()), guest.guest
    device, stranger = guest.another(), await guest.newcomer()
    assert (await device.post("/api/me/words", words=old)).json() == {"name": "Ada"}
    assert device.cookie == guest.cookie
    store = guest.room.store
    await store.write(lambda c: c.execute(devices.insert().values(guest=own, **DEVICE)))
    await store.write(lambda c: put(c, devices, guest=own, **ADDRESS))
    new = words_on((await form(guest, act="renew")).body.decode())
    assert guest.guest == f"{own}.1"
    assert rows(store, "SELECT endpoint FROM devices") == [("https://h.example/",)]
    assert (await guest.get("/api/me")).json() == {"name": "Ada"}
    assert (await device.get("/api/me")).json() == {"name": "Guest"}
    assert (await form(stranger, act="read", words=old)).status == 400
    question = await form(stranger, act="read", words=new)
    assert "Be Ada on this device?" in question.body.decode()
    assert (await form(stranger, act="bring", words=new)).status == 303
    assert stranger.cookie == guest.cookie
    assert (await form(guest, act="read", words=new)).status == 303, "they are the guest's own"
    assert (await form(guest, act="stop")).status == 303
    assert (await form(device, act="read", words=new)).status == 400
    assert (await device.post("/api/me", name="Ada")).json() == {"name": "Ada"}, "the name is free"
    device.cookie = f"fairdeal_guest={own}"
    assert (await device.get("/api/me")).json() == {"name": "Guest"}, "what was signed out remains so"


def test_tokens_are_valid_from_the_number_on_that_a_guest_must_have():
    made = Guests(bytes(32), secure=False)

    def request(guest):
        cookie = f"{made.name}={made.signer.sign(guest).decode()}"
        return Request({"type": "http", "headers": [(b"cookie", cookie.encode())]})

    found = {
        (token, least): made.of(request(token), {ADA: least}) for token in (ADA, f"{ADA}.2") for least in (0, 2, 3)
    }
    assert [pair for pair, guest in found.items() if guest != ADA] == [(ADA, 2), (ADA, 3), (f"{ADA}.2", 3)]


# --- two guests become one ----------------------------------------------------------------------------------------


def test_every_column_is_known_to_have_ids_of_guests_or_none():
    others = {f"{table}.{name}" for table, names in OTHERS.items() for name in names.split()}
    assert {f"{table.name}.{column.name}" for table in metadata.sorted_tables for column in table.c} == HOLDERS | others
    linked = {f"{column.table.name}.{column.name}" for column in COLUMNS}
    assert HOLDERS - linked == {"entries.client", "chat.client", "acts.about"}
    assert linked <= HOLDERS


@BOTH_DATABASES
async def test_everything_of_a_guest_is_the_others_after_they_become_one(inside):
    words = await kept(inside)
    await rename(inside.store, BEN, "Ben", 100)
    live = await seated(inside, BEN, CLEO, options={"first_player": 0})
    ben = Viewer(inside, live, BEN)
    first = await done(ben.play())
    await done(ben.say("hello"))
    both = await seated(inside, BEN, ADA, options=SHORT["chi"])
    while both.status == "running":
        await move(both)
    await until(lambda: both.is_over)
    log = both.sitting.log.text()
    watched = await open_table(inside, CLEO, game="chi")
    await done(Viewer(inside, watched, BEN).say("hello from outside"))
    await inside.store.write(lambda c: put(c, devices, guest=BEN, **ADDRESS))
    await inside.store.write(lambda c: c.execute(invited.insert().values(guest=BEN)))
    await inside.store.write(lambda c: put(c, vacations, guest=BEN, since=1.0, until=2.0))
    await inside.store.write(lambda c: ban(c, BEN))
    own_try = {"deal": 1, "counted": True, "day": 1, "hash": "", "nonce": ""}
    await inside.store.write(lambda c: c.execute(tries.insert().values(table=live.id, guest=BEN, **own_try)))
    await inside.store.write(lambda c: c.execute(devices.insert().values(guest=BEN, **DEVICE)))
    for guest in (ADA, BEN):
        told_of = told.insert().values(table=live.id, guest=guest, kind="turn", moves=1, at=1.0, device="one")
        await inside.store.write(lambda c, told_of=told_of: c.execute(told_of))
    evening = await open_evening(inside, BEN, NewEvening(game="chi"))
    await enter(inside, BEN, evening)
    hung_up = []
    ben.connection.hang_up = lambda: hung_up.append(True)
    await become(inside, BEN, words, brings=True)
    assert places_of(inside.store, BEN) == {"kept.guest"}, "which only makes the cookie invalid"
    assert places_of(inside.store, ADA) == HOLDERS
    assert inside.house.epochs == {BEN: 1}
    assert ADA in inside.house.banned
    assert inside.house.excluded == {("elsewhere", ADA)}
    assert hung_up
    assert live.seats.of(ADA) == 0
    assert live.terms.host == ADA
    ada = Viewer(inside, live, ADA)
    assert (await done(ada.play()))["seq"] == first["seq"], "the request was carried out before"
    assert [place.guest for place in both.seats] == [None, ADA]
    inside.forget(both)
    assert (await inside.find(both.id)).sitting.log.text() == log
    verify(log)
    found = await inside.store.read(lambda c: data_of(c, ADA))
    assert (found.name, found.kept) == ("Ada", True)
    assert [device.endpoint for device in found.devices] == ["https://h.example/", "https://push.example/one"]
    assert [line.text for line in found.lines] == ["hello", "hello from outside"]


@BOTH_DATABASES
async def test_the_kept_guests_own_name_ban_and_webhook_stay(inside):
    words = await kept(inside)
    others = await kept(inside, BEN, "Ben")
    for guest in (ADA, BEN):
        await inside.store.write(lambda c, guest=guest: put(c, devices, guest=guest, **ADDRESS | {"endpoint": guest}))
        await inside.store.write(lambda c, guest=guest: put(c, bans, guest=guest, at=1.0))
    await become(inside, BEN, words, brings=True)
    assert [one.endpoint for one in (await inside.store.read(lambda c: data_of(c, ADA))).devices] == [ADA]
    assert places_of(inside.store, BEN) == {"kept.guest"}
    assert await inside.store.read(lambda c: kept_by(c, BEN)) is None
    with pytest.raises(FairdealError, match="no name is kept"):
        await become(inside, CLEO, others, brings=True)
    await kept(inside, CLEO, "Ben")


@BOTH_DATABASES
async def test_two_guests_at_one_unfinished_table_stay_two(inside):
    words = await kept(inside)
    alone = await open_table(inside, BEN, game="chi")
    live = await seated(inside, BEN, ADA)
    with pytest.raises(FairdealError, match=f"seats at “{live.terms.name}”; finish that game first"):
        await become(inside, BEN, words, brings=True)
    assert (alone.seats.of(BEN), live.seats.of(BEN)) == (0, 0)
    await become(inside, BEN, words, brings=False)
    assert alone.seats.of(BEN) == 0


async def test_a_guest_who_was_excluded_from_a_table_is_not_brought_back_there(inside):
    words = await kept(inside)
    live = await seated(inside, BEN, CLEO)
    inside.house = inside.house._replace(excluded=frozenset({(live.id, ADA)}))
    await become(inside, BEN, words, brings=True)
    assert [place.guest for place in live.seats] == [None, CLEO]
    assert live.facts(CLEO).chairs[0].stand_in


def keep_by_page(guest):
    """Keep the name of a guest, and return the words."""
    return words_on(guest.http.post("/keep", data={"act": "keep"}).text)


def test_two_devices_are_one_guest_with_the_games_of_both(room, guests):
    ada, ben, cleo = guests("Ada"), guests("Ben"), guests("Cleo")
    words = keep_by_page(ada)
    own = ada.open("chi", options=SHORT["chi"])["id"]
    shared = ben.open("chi", chairs=["you", "person"], options=SHORT["chi"])["id"]
    cleo.post(f"/api/tables/{shared}/join", 200)
    ben.connect(shared)
    assert ben.post("/api/me/words", 200, words=words) == {"name": "Ada"}
    with pytest.raises(ConnectionClosed):
        ben.until("nothing")
    assert ada.http.cookies["fairdeal_guest"] == ben.http.cookies["fairdeal_guest"]
    for device in (ada, ben):
        assert {table["id"] for table in device.get("/api/lobby")["mine"]} == {own, shared}
        assert device.facts(shared)["seat"] == 0
    cleo.connect(shared)
    cleo.ask("stand_in", seat=1)
    log = ada.finish(shared)
    verify(log)
    assert 'seat 0 ["Ben","person"]' in log


def give_up_at_once():
    """Let a worker hand a new table over as soon as another one asks for it."""
    leases.RENEWED, leases.HELD = 0.1, 0.0


@pytest.mark.databases("postgresql")
def test_devices_at_two_workers_become_one_guest_and_are_signed_out(database, tmp_path):
    workers = [ForkedRoom(database, errors=tmp_path / f"errors{number}", change=give_up_at_once) for number in (1, 2)]
    one, two = (Guest(worker, name) for worker, name in zip(workers, ("Ada", "Ben"), strict=True))
    try:
        words = keep_by_page(one)
        table = two.open("chi", options={"first_player": 0})["id"]
        two.connect(table)
        two.ask("play", seq=0, move="draw 0")
        here = Guest(workers[0])
        here.http.cookies = two.http.cookies
        assert here.post("/api/me/words", 200, words=words) == {"name": "Ada"}
        with pytest.raises(ConnectionClosed):
            two.until("nothing")
        wait_until(lambda: two.get("/api/me") == {"name": "Guest"})
        two.http.cookies = one.http.cookies
        two.connect(table)
        assert (two.scene["viewer"], two.scene["seq"] > 0) == (0, True)
        assert one.http.post("/keep", data={"act": "renew"}).status_code == 200
        with pytest.raises(ConnectionClosed):
            two.until("nothing")
        two.http.cookies.clear()
        two.http.cookies.update(here.http.cookies)
        wait_until(lambda: two.get("/api/me") == {"name": "Guest"})
        assert one.get("/api/me") == {"name": "Ada"}
        here.close()
    finally:
        one.close()
        two.close()
        for worker in workers:
            worker.stop()


def test_a_terminal_is_the_guest_of_the_browser(room, guests, tmp_path, monkeypatch):
    monkeypatch.setattr(keeper, "guests_file", lambda: tmp_path / "guests.json")
    ada = guests("Ada")
    words, table = keep_by_page(ada), ada.open("chi")["id"]
    for given in (words.replace("-", " "), ""):  # the second visit needs none
        visit = Visit(f"{room.address}/t/{table}")
        visit.come_in(None, given)
        assert visit.facts.seat == 0
        visit.close()


def test_the_command_asks_for_the_words_which_no_history_of_commands_has(monkeypatch):
    given = []
    monkeypatch.setattr(typer, "prompt", lambda *_, hide_input: hide_input and UNKNOWN)
    monkeypatch.setattr(remote_table, "run", lambda *words: given.append(words))
    command = typer.main.get_command(cli.app)
    command(["join", "room/t/abc", "--words"], standalone_mode=False)
    assert given == [("room/t/abc", None, False, UNKNOWN)]
    with pytest.raises(FairdealError, match="--words has no effect with --bot"):
        command(["join", "room/t/abc", "--words", "--bot", "vix"], standalone_mode=False)


async def test_the_owner_of_a_room_stays_it_as_a_kept_guest(guest):
    state = guest.app.app.state
    state.gate = Gate(state.reach, print)
    ada = await guest.newcomer("Ada")
    words = await guest.room.store.write(lambda c: keep(c, ada.guest, 100))
    assert state.gate.claim(state.gate.link, guest.guest)
    await guest.post("/api/me/words", words=words)
    assert state.gate.owner == ada.guest == guest.guest


# --- the page -----------------------------------------------------------------------------------------------------


def test_a_name_is_kept_on_the_page_and_brought_to_another_device(room, visit):
    page = visit("/", **STILL)
    page.request.post("/api/me", data={"name": "Ada"})
    page.reload()
    press(page, "Ada: change your name")
    page.get_by_role("link", name="Use it on other devices").press("Enter")
    look_at(page, DESK)
    page.get_by_role("button", name="Keep this name").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Your six words")
    look_at(page, PHONE)
    link = page.get_by_role("link", name="/keep#").get_attribute("href")
    other = visit("/", **STILL, may_log="400")
    other.request.post("/api/me", data={"name": "Ben"})
    sit_at(other, "chi")
    other.goto(link)
    expect(other.get_by_role("heading", name="Be Ada on this device?")).to_be_visible()
    assert other.url.endswith("/keep"), "the words are not left in the address"
    expect(other.locator("main")).to_contain_text("Now this device is Ben.")
    look_at(other, DESK)
    other.keyboard.press("Tab")
    while other.evaluate("document.activeElement.value") != "bring":
        other.keyboard.press("Tab")
    other.keyboard.press("Enter")
    expect(other.locator("main")).to_contain_text("You keep the name Ada")
    look_at(other, PHONE)
    assert other.request.get("/api/me").json() == {"name": "Ada"}
    other.get_by_label("The words of your name").fill("no such words")
    press(other, "Be the same guest here")
    expect(other.get_by_role("alert")).to_contain_text("“no” is none of the room’s words")
    expect(other.get_by_label("The words of your name")).to_have_value("no such words")
