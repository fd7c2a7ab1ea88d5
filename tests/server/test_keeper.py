"""The acts of the keeper, carried out by the open room on both databases."""

import asyncio
import html
import random
import re
import time
from functools import partial
from typing import get_args

import msgspec
import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from fairdeal.cli import room as commands
from fairdeal.cli.serve import located
from fairdeal.engine.errors import FairdealError
from fairdeal.protocol import messages as m
from fairdeal.server.api.keeper import WAYS, look, outcome_of
from fairdeal.server.api.opening import HELD, NOT_INVITED, branch, open_table
from fairdeal.server.documents.keeper import LINES, MOST, keeper_page, seen
from fairdeal.server.limits import OWN_MACHINE
from fairdeal.server.storage import acts as a
from fairdeal.server.storage import keeping, reporting
from fairdeal.server.storage.acts import House
from fairdeal.server.storage.links import begin_session, is_valid
from fairdeal.server.storage.store import chat, reports, seats, tables
from fairdeal.server.storage.store import guests as known
from fairdeal.table.redrawing import PLAYS_ON
from fairdeal.table.verification import verify
from tests.conftest import SHORT, refusal
from tests.server.in_process import done, move, refused, rows, seat_two
from tests.server.test_play import play_out
from tests.server.test_room_commands import command, until_status

pytestmark = pytest.mark.databases("sqlite", "postgresql")

RUDE = "a rude line"


@pytest.fixture
def keep(room):
    """Let the room carry out an act by a command, and return what that said."""
    return lambda *words, **wishes: command(*words, "--database", room.database, **wishes)


@pytest.fixture
def evening(room, guests):
    """A game of two guests, Ada and Ben, who are connected; the table and the guests' ids."""
    ada, ben = guests("Ada"), guests("Ben")
    table = ada.open("chi", chairs=["you", "person"])["id"]
    ben.post(f"/api/tables/{table}/join", 200)
    for guest in (ada, ben):
        guest.connect(table)
        guest.id = guest.http.cookies["fairdeal_guest"].partition(".")[0]
    return table, ada, ben


def chairs(guest, table):
    return guest.http.get(f"/api/tables/{table}").json()["chairs"]


def test_a_table_is_closed_while_guests_play(keep, evening):
    table, ada, _ben = evening
    assert keep("close", table, "--yes") == f"done: close table {table}\n"
    assert ada.http.get(f"/api/tables/{table}").status_code == 404
    with refusal("there is no table"):
        keep("close", table, "--yes")


def test_a_finished_game_stays_as_it_is(keep, guests):
    ada = guests("Ada")
    table = ada.open("chi")["id"]
    log = ada.finish(table)
    for words in (("close", table, "--yes"), ("free", table, 0), ("exclude", "0" * 32, table)):
        with refusal(f"there is no unfinished table '{table}'"):
            keep(*words)
    assert ada.log(table) == log


def test_a_stuck_seat_is_freed_and_a_bot_plays_on(keep, evening):
    table, ada, ben = evening
    keep("free", table, 1)
    until(lambda: chairs(ada, table)[1]["stand_in"])
    assert ada.facts(table)["status"] == "running"
    assert ben.http.get(f"/api/tables/{table}").json()["seat"] == -1
    with refusal("nobody has seat 1"):
        keep("free", table, 1)
    with refusal("has the seats 0 to 1, not 2"):
        keep("free", table, 2)


def test_another_guest_plays_on_at_a_freed_seat_under_a_name_of_their_own(keep, room, guests):
    ada, ben, eve = (guests(name) for name in ("Ada", "Ben", "Eve"))
    table = ada.open("chi", chairs=["you", "person"], options=SHORT["chi"])["id"]
    ben.post(f"/api/tables/{table}/join", 200)
    eve.connect(table)
    eve.post(f"/api/tables/{table}/join", 400)
    keep("free", table, 1)
    assert eve.post(f"/api/tables/{table}/join", 200)["seat"] == 1
    room.kill()
    room.start()
    assert ben.post(f"/api/tables/{table}/join", 400)["reason"] == "this game has begun; you can watch it"
    for guest in (ada, eve):
        guest.connect(table)
    assert eve.scene["viewer"] == 1
    eve.ask("say", text="hello")
    assert ada.until("chat")["said"]["name"] == "Eve"
    (chair,) = (chair for chair in chairs(ada, table) if chair["seat"] == 1)
    assert (chair["name"], chair["stand_in"]) == ("Eve", False)
    assert [guest.scene["seats"][1].get("note") == PLAYS_ON for guest in (ada, eve)] == [True, False]
    play_out([ada, eve], random.Random(1))
    log = ada.log(table)
    verify(log)
    assert 'seat 1 ["Ben","person"]' in log
    assert re.search(r"^\d+ seat 1 by another \[", log, re.MULTILINE)
    assert not re.search(r"^\d+ seat (1|0 by another) \[", log, re.MULTILINE)
    told = [line["text"] for message in ada.heard for line in message.get("log", ())]
    assert any(text.startswith("Another guest played for Ben. ") for text in told)
    for guest in (ada, eve):
        guest.ask("rematch")
    again = ada.until("table")["facts"]["rematch"]
    assert [chair["name"] for chair in chairs(ada, again)] == ["Ada", "Eve"]


def test_a_guest_is_excluded_from_a_table_and_only_from_it(keep, evening):
    table, ada, ben = evening
    keep("exclude", ben.id, table)
    with pytest.raises(ConnectionClosed):
        ben.until("nothing")
    with pytest.raises(ConnectionClosed, match="4403"):
        ben.connect(table)
    assert ben.heard[-1]["reason"] == "the keeper of this room has excluded you from this table"
    assert ben.post(f"/api/tables/{table}/join", 403)["reason"] == ben.heard[-1]["reason"]
    assert ben.open("chi")["status"] == "running"
    assert ada.facts(table)["status"] == "running"


def test_a_line_goes_from_all_screens_and_the_database(keep, room, evening):
    table, ada, ben = evening
    ben.ask("say", text=RUDE)
    ben.ask("say", text="a kind line")
    (line, *_), _ = (row.split() for row in keep("lines", table).splitlines())
    keep("erase", line, "--yes")
    with pytest.raises(ConnectionClosed):
        ada.until("nothing")
    assert [said["text"] for said in ada.connect(table)["chat"]] == ["a kind line"]
    assert room.rows("SELECT text FROM chat") == [("a kind line",)]
    with refusal(f"there is no line {line}"):
        keep("erase", line, "--yes")


def test_a_name_goes_where_no_signature_needs_it(keep, room, guests):
    ada, ben = guests("Ada"), guests("Rudolf")
    table = ben.open("chi", chairs=["you", "person"])["id"]
    ben.connect(table)
    ben.ask("say", text="hello")
    ben.id = ben.http.cookies["fairdeal_guest"].partition(".")[0]
    keep("unname", ben.id, "--yes")
    facts = ada.http.get(f"/api/tables/{table}").json()
    assert (facts["chairs"][0]["name"], facts["name"]) == ("Guest", "Guest’s Chi")
    assert ben.http.get("/api/me").json() == {"name": "Guest"}
    assert [said["name"] for said in ben.connect(table)["chat"]] == ["Guest"]
    assert "Rudolf" not in str(room.rows("SELECT name FROM seats") + room.rows("SELECT title FROM tables"))


def test_a_dealt_game_keeps_the_names_that_it_is_signed_with(keep, evening):
    table, ada, ben = evening
    keep("unname", ben.id, "--yes")
    assert ben.http.get("/api/me").json() == {"name": "Guest"}
    assert [chair["name"] for chair in chairs(ada, table)] == ["Ada", "Ben"]


def test_an_address_is_barred_for_a_time(keep, room, evening):
    table, ada, ben = evening
    keep("bar", "127.0.0.1", "--hours", 1)
    assert barred(room) == {OWN_MACHINE: pytest.approx(time.time() + 3600, abs=60)}
    with pytest.raises(ConnectionClosed):
        ada.until("nothing")
    assert ben.http.get(f"/api/tables/{table}").status_code == 403
    with pytest.raises(ConnectionClosed, match="4403"):
        ben.connect(table)
    keep("bar", "127.0.0.1", "--hours", 0)
    until_status(ada, 200)
    for words in ("somewhere", "192.0.2", "192.0.2.0/24", "2001:db8::/32", "a.b"):
        with refusal(f"'{words}' is not an address"):
            keep("bar", words)
    assert keep("bar", OWN_MACHINE, "--dry-run"), "as the page names it"


def barred(room):
    with keeping.reading(located(room.database)) as connection:
        return a.house_of(connection).barred


def test_an_announcement_is_seen_at_tables_and_in_the_lobby(keep, evening):
    table, ada, _ben = evening
    keep("announce", "Update at 21:00")
    until(lambda: ada.facts(table).get("trouble") == "Update at 21:00")
    while ada.until("table")["facts"].get("trouble") != "Update at 21:00":
        pass
    assert ada.http.get("/api/lobby").json()["notice"] == "Update at 21:00"
    keep("announce")
    until(lambda: ada.http.get("/api/lobby").json()["notice"] == "")
    with refusal("a line of at most 200 characters"):
        keep("announce", "two\nlines")


def test_no_table_is_opened_before_an_update(keep, evening):
    table, ada, _ben = evening
    keep("hold")
    until(lambda: ada.http.get("/api/lobby").json()["holds"])
    assert "no new tables" in ada.post("/api/tables", 400, game="chi")["reason"]
    assert ada.facts(table)["status"] == "running"
    keep("hold", "--lift")
    until(lambda: not ada.http.get("/api/lobby").json()["holds"])
    assert ada.open("chi")["status"] == "running"


async def test_a_finished_game_leads_to_no_new_table_where_none_may_be_opened(inside):
    live, ada, _ben = await seat_two(inside, options=SHORT["chi"])
    await move(live, 999)
    for house, reason in ((House(holds=True), HELD), (House(invited_only=True), NOT_INVITED)):
        inside.house = house
        for game in (branch(inside, live, "eve", 1, 0), open_table(inside, "eve", game="chi")):
            with refusal(reason):
                await game
    inside.house = House(holds=True)
    assert (await refused(ada.ask(m.Rematch(id="again", hash=""))))["reason"] == HELD
    inside.house = House()
    assert (await branch(inside, live, "eve", 1, 0)).status == "running"
    await done(ada.ask(m.Rematch(id="again", hash="")))


def test_a_room_for_invited_guests_lets_others_only_play_where_they_have_a_link(keep, room, guests, evening):
    _table, ada, _ben = evening
    listed = ada.open("chi", chairs=["you", "person"])["id"]
    keep("doors", "--invited-only")
    eve, zoe = guests("Eve"), guests("Zoe")
    for guest in (eve, zoe):
        assert guest.http.get("/api/lobby").json()["open"] == []
        assert "only invited guests" in guest.post("/api/tables", 400, game="chi")["reason"]
    assert ada.open("chi")["status"] == "running"
    eve.post(f"/api/tables/{listed}/join", 200)
    assert eve.open("chi")["status"] == "running"
    link = keep("invite", "--base", room.address).strip()
    assert zoe.http.get(f"{link[:-1]}x").status_code == 403
    assert zoe.http.head(link).status_code == 403, "a preview of a link is no visit"
    assert zoe.http.get(link).status_code == 303
    assert zoe.open("chi")["status"] == "running"
    keep("doors", "--open")
    until(lambda: "reason" not in guests("Max").post("/api/tables", game="chi"))


def test_acts_are_logged_with_what_came_of_them(keep, evening):
    table, _ada, _ben = evening
    keep("free", table, 1)
    with refusal("nobody has seat 1"):
        keep("free", table, 1)
    newest, oldest = keep("acts").splitlines()
    assert oldest.endswith(f"command  free seat 1 of table {table}: done")
    assert newest.endswith(f"command  free seat 1 of table {table}: nobody has seat 1 of table {table}")


def test_nothing_is_deleted_without_a_question_or_in_a_dry_run(keep, evening):
    table, ada, _ben = evening
    assert keep("close", table, "--dry-run") == f"would close table {table}: it is running, with 0 moves\n"
    for words in (("close", table), ("erase", 1), ("unname", ada.id)):
        assert "for good?" in keep(*words, status=1)
    assert keep("acts") == ""
    assert ada.facts(table)["status"] == "running"


def foretold(table, alone, over, ada, ben, line):
    """Return acts with the words of their command, and what a dry run says, or why they fail, by kind."""
    nobody = "0" * 32
    no_table, finished = "there is no table 'nowhere'", f"there is no unfinished table '{over}'"
    return {
        a.Close: [
            (a.Close(table), ("close", table), "it is running, with 0 moves"),
            (a.Close("nowhere"), ("close", "nowhere"), (no_table,)),
            (a.Close(over), ("close", over), (finished,)),
        ],
        a.Free: [
            (a.Free(table, 1), ("free", table, 1), "Ben has it, and it is played by a bot then"),
            (a.Free(alone, 0), ("free", alone, 0), f"Ada has it, and {a.DELETED}"),
            (a.Free("nowhere", 1), ("free", "nowhere", 1), (no_table,)),
            (a.Free(table, 2), ("free", table, 2), (f"table {table} has the seats 0 to 1, not 2",)),
            (a.Free(over, 0), ("free", over, 0), (finished,)),
        ],
        a.Exclude: [
            (a.Exclude(table, ben), ("exclude", ben, table), "Ben has seat 1"),
            (a.Exclude(table, nobody), ("exclude", nobody, table), "the guest has no seat there"),
            (a.Exclude(alone, ada), ("exclude", ada, alone), f"Ada has seat 0, and {a.DELETED}"),
            (a.Exclude(alone, ben), ("exclude", ben, alone), "the guest has no seat there"),
            (a.Exclude(over, ada), ("exclude", ada, over), (finished,)),
        ],
        a.Ban: [
            (a.Ban(ben), ("ban", ben), "Ben, with 1 seat"),
            (a.Ban(nobody), ("ban", nobody), "a guest with this id has given no name and has no seat"),
        ],
        a.Readmit: [(a.Readmit(ben), ("ban", ben, "--lift"), (f"guest '{ben}' is not banned",))],
        a.Bar: [
            (a.Bar("192.0.2.7", 0.0), ("bar", "192.0.2.7", "--hours", 0), "it is not barred now"),
            (a.Bar("somewhere", 0.0), ("bar", "somewhere", "--hours", 0), ("'somewhere' is not an address",)),
        ],
        a.Erase: [
            (a.Erase(line), ("erase", line), f"“{RUDE}” by Ben at table {table}"),
            (a.Erase(line + 1), ("erase", line + 1), (f"there is no line {line + 1}",)),
        ],
        a.Unname: [(a.Unname(ben), ("unname", ben), "Ben, with 1 seat")],
        a.Announce: [(a.Announce("late"), ("announce", "late"), "there is none now")],
        a.Hold: [
            (a.Hold(True), ("hold",), "this is not so now"),
            (a.Hold(False), ("hold", "--lift"), "this is so already"),
        ],
        a.Doors: [(a.Doors(True), ("doors", "--invited-only"), "this is not so now")],
    }


@pytest.mark.databases("sqlite")  # the room asks the same before every act, with PostgreSQL, too
def test_a_dry_run_of_every_act_says_what_is_known_or_why_the_act_fails(keep, keeper, room, guests, evening):
    """It says what an act finds, changes nothing, and fails where the act fails, for the same reason."""
    table, ada, ben = evening
    ben.ask("say", text=RUDE)
    over = ada.open("chi", options=SHORT["chi"])["id"]
    ada.finish(over)
    alone = ada.open("chi")["id"]
    acts = foretold(table, alone, over, ada.id, ben.id, room.rows("SELECT id FROM chat")[0][0])
    assert {*acts} == {*get_args(a.Acts)}
    failing = []
    for act, words, told in (case for cases in acts.values() for case in cases):
        if isinstance(told, str):
            assert keep(*words, "--dry-run") == f"would {act.text}: {told}\n"
        else:
            with pytest.raises(FairdealError) as foreseen:
                keep(*words, "--dry-run")
            assert str(foreseen.value).startswith(told)
            failing.append((act, str(foreseen.value)))
    assert room.rows("SELECT * FROM acts") == []
    assert len(failing) > 7
    for act, reason in failing:
        fields = {name: str(value) for name, value in msgspec.to_builtins(act).items()}
        answer = keeper.http.post("/keeper", data=fields)
        assert [html.unescape(found) for found in re.findall("role='alert'>([^<]*)", answer.text)] == [reason]
    keep("free", alone, 0)
    assert ada.http.get(f"/api/tables/{alone}").status_code == 404, "it is deleted, as the dry run has said"


def test_an_act_waits_for_a_room_that_is_closed(keep, room, evening, monkeypatch):
    table, ada, _ben = evening
    monkeypatch.setattr(commands, "PATIENCE", 0.5)
    room.end()
    assert "no room with this database has answered" in keep("close", table, "--yes")
    room.start()
    until(lambda: ada.http.get(f"/api/tables/{table}").status_code == 404)


def test_an_act_is_carried_out_once_and_again_if_its_process_is_gone(room, monkeypatch):
    room.end()
    with keeping.reading(located(room.database), writes=True) as connection:
        a.ask(connection, a.Hold(True), "command")
        (asked,) = a.waiting(connection)
        assert a.take(connection, asked)
        assert not a.take(connection, asked), "another process has begun"
        assert "open no new tables: waits for the room" in keeper_page("", seen(connection))
        assert a.waiting(connection) == []
        later = time.time() + a.GIVEN_UP + 1
        monkeypatch.setattr(a.time, "time", lambda: later)
        assert a.waiting(connection) == [asked]
        assert a.take(connection, asked)
        a.finish(connection, asked, "it failed")
        assert a.waiting(connection) == []
        assert not a.house_of(connection).holds, "an act that failed changes no rule"
        a.finish(connection, asked)
        assert a.house_of(connection).holds
        assert "open no new tables: done" in keeper_page("", seen(connection))


async def test_who_looks_for_acts_waits_for_those_that_are_being_carried_out(inside, monkeypatch):
    """Or the page would show what was before."""
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def slow(_room, _act):
        begun.set()
        await may_end.wait()

    monkeypatch.setitem(WAYS, a.Hold, slow)
    await inside.store.write(lambda c: a.ask(c, a.Hold(True), "page"))
    first = asyncio.create_task(look(inside))
    await begun.wait()
    second = asyncio.create_task(look(inside))
    await asyncio.wait([second], timeout=0.1)
    may_end.set()
    await second
    assert inside.house.holds
    await first


async def test_the_page_waits_for_an_act_that_another_worker_carries_out(inside):
    store = inside.store
    number = await store.write(lambda c: a.ask(c, a.Hold(True), "page"))
    (asked,) = await store.read(a.waiting)
    assert await store.write(lambda c: a.take(c, asked))
    waiting = asyncio.create_task(outcome_of(inside, number))
    await asyncio.sleep(0.05)
    await store.write(lambda c: a.finish(c, asked, "it failed"))
    assert (await waiting).problem == "it failed"


def test_an_address_is_admitted_when_its_time_has_come(monkeypatch):
    house = a.House(barred={"192.0.2.7/32": 1000.0})
    for now, barred in ((999.0, True), (1001.0, False)):
        monkeypatch.setattr(a.time, "time", lambda now=now: now)
        assert house.bars("192.0.2.7") is barred
        assert not house.bars("192.0.2.8")


def test_every_act_has_a_way_and_says_what_it_does():
    kinds = get_args(a.Acts)
    assert set(WAYS) == set(kinds)
    assert len(kinds) == 11
    for kind in kinds:
        assert kind.words
        assert kind.__doc__


def until(holds):
    """Wait until the room has read the rules of the house again."""
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


# --- the page -----------------------------------------------------------------------------------------------------


@pytest.fixture
def keeper(room, guests):
    """The browser of the keeper, who has opened the page with a link."""
    browser = guests("Keeper")
    link = command("keeper", "--database", room.database, "--base", room.address).split()[0]
    entered = browser.http.get(link, follow_redirects=True)
    assert (entered.status_code, entered.url.path) == (200, "/keeper")
    return browser


FORM = re.compile(r"<form method='post' action='/keeper'>(.*?)</form>", re.DOTALL)
HIDDEN = re.compile(r"<input type='hidden' name='(\w+)' value='([^']*)'>")


def forms(keeper):
    """Return the acts that the page offers, by kind and fields."""
    return [dict(HIDDEN.findall(form)) for form in FORM.findall(keeper.http.get("/keeper").text)]


def do(keeper, kind, status=303, **fields):
    """Send a form of the page, with what the keeper writes into it."""
    (form, *_) = [one for one in forms(keeper) if one["kind"] == kind and one.items() >= fields.items()] or [{}]
    assert form or kind == "announce" or "hours" in fields, f"the page offers no {kind} with {fields}"
    answer = keeper.http.post("/keeper", data=form | {"kind": kind} | fields)
    assert answer.status_code == status, re.findall("role='alert'>[^<]*", answer.text)
    return answer


def test_every_act_is_offered_by_the_page_and_carried_out(keeper, room, evening):
    table, ada, ben = evening
    ben.ask("say", text=RUDE)
    (line,) = room.rows("SELECT id FROM chat")[0]
    do(keeper, "erase", line=str(line))
    assert room.rows("SELECT * FROM chat") == []
    do(keeper, "announce", notice="<b>late</b>")
    assert ada.http.get("/api/lobby").json()["notice"] == "<b>late</b>"
    assert "&lt;b&gt;late&lt;/b&gt;" in keeper.http.get("/keeper").text
    do(keeper, "hold")
    assert ada.post("/api/tables", 400, game="chi")["reason"]
    do(keeper, "hold", on="False")
    do(keeper, "doors")
    do(keeper, "doors", invited_only="False")
    do(keeper, "free", table=table, seat="1")
    until(lambda: chairs(ada, table)[1]["stand_in"])
    do(keeper, "ban", guest=ben.id)
    until_status(ben, 403)
    do(keeper, "readmit", guest=ben.id)
    until_status(ben, 200)
    do(keeper, "unname", guest=ben.id)
    assert ben.http.get("/api/me").json() == {"name": "Guest"}
    for address, network in (("192.0.2.7", "192.0.2.7/32"), ("2001:db8::7", "2001:db8::/64")):
        do(keeper, "bar", address=address, hours="1")
        assert barred(room)[network] == pytest.approx(time.time() + 3600, abs=60)
        do(keeper, "bar", address=network, until="0.0")
        assert barred(room)[network] == 0
    do(keeper, "close", table=ada.open("chi")["id"])
    do(keeper, "exclude", guest=ada.id)
    kinds = {kind.__name__.lower() for kind in get_args(a.Acts)}
    assert {*room.rows("SELECT kind, by FROM acts")} == {(kind, "page") for kind in kinds}


def fill(connection, table, number):
    """Add copies of a table with two guests, each with more lines than the page shows, a report and an act."""
    (kept,) = connection.execute(tables.select().where(tables.c.id == table)).mappings()
    places = connection.execute(seats.select().where(seats.c.table == table)).mappings().all()
    for made in range(number):
        other = f"copy{made}"
        connection.execute(tables.insert().values({**kept, "id": other}))
        connection.execute(seats.insert(), [{**place, "table": other} for place in places])
        said = {"table": other, "seat": 0, "name": "Ada", "text": RUDE, "at": 1.0}
        connection.execute(chat.insert(), [said] * (LINES + 3))
        connection.execute(reports.insert().values(table=other, seat=1, at=1.0))
        connection.execute(known.insert().values(id=f"{made:032x}", name="Zoe", named=1.0))
        a.ask(connection, a.Close(other), "page")


def test_the_page_reads_what_it_shows_and_says_how_much_more_there_is(room, evening, monkeypatch):
    """The number of queries stays the same, and each reads a limited number of rows."""
    table, _ada, _ben = evening
    room.end()
    queries, executed = [], sa.Connection.execute

    def counted(*given, **more):
        frozen = executed(*given, **more).freeze()
        queries.append(len(frozen.data))
        return frozen()

    def read(connection):
        queries.clear()
        with monkeypatch.context() as patch:
            patch.setattr(sa.Connection, "execute", counted)
            found = seen(connection)
        return len(queries), sum(queries), re.sub(r"<[^>]*>", "", keeper_page("", found))

    with keeping.reading(located(room.database), writes=True) as connection:
        few, _, page = read(connection)
        assert " more " not in page
        fill(connection, table, MOST + 10)
        many, rows, page = read(connection)
    assert many == few
    assert rows == 4 * MOST + 2 * MOST + LINES * MOST + 1, "tables, guests, reports, acts; seats; lines; and totals"
    told = ["10 more reports.", "3 more lines; fairdeal room lines copy0 lists all.", "11 more tables; fairdeal room"]
    for words in (*told, "12 more guests; fairdeal room guests lists all.", "10 more acts; fairdeal room acts"):
        assert words in page


def test_a_link_opens_the_page_once_and_the_session_is_of_its_own(keeper, room, guests):
    link = command("keeper", "--database", room.database, "--base", room.address).split()[0]
    first, second = guests("Eve"), guests("Mallory")
    assert first.http.get("/keeper").status_code == 403
    assert first.http.head(link).status_code in (403, 405)
    answer = first.http.get(link)
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Path=/keeper;", "Max-Age=43200"))
    assert second.http.get(link).status_code == 403
    assert second.http.post("/keeper", data={"kind": "hold", "on": "True"}).status_code == 403
    assert second.http.get("/keeper").status_code == 403
    assert room.rows("SELECT count(*) FROM acts") == [(0,)]
    session = first.http.cookies["fairdeal_keeper"]
    assert session not in str(room.rows("SELECT hash FROM links"))
    first.http.post("/keeper/end")
    first.http.cookies.set("fairdeal_keeper", session, path="/keeper")
    assert first.http.get("/keeper").status_code == 403
    assert keeper.http.get("/keeper").status_code == 200


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"kind": "dance"}, "Invalid value &#39;dance&#39;"),
        ({"kind": "ban", "guest": "Ada"}, "is not the id of a guest"),
        ({"kind": "close"}, "missing required field `table`"),
        ({"kind": "bar", "address": "192.0.2.7", "hours": "soon"}, "Expected `float`"),
        ({"kind": "close", "table": "nowhere"}, "there is no table"),
    ],
)
def test_a_form_that_is_not_of_the_page_is_refused_with_a_reason(keeper, fields, reason):
    answer = keeper.http.post("/keeper", data=fields)
    assert answer.status_code == 400
    assert reason in answer.text


def test_a_page_of_another_site_can_send_no_form(keeper, room):
    headers = {"origin": "https://evil.example"}
    answer = keeper.http.post("/keeper", data={"kind": "hold", "on": "True"}, headers=headers)
    assert answer.status_code == 403
    assert room.rows("SELECT count(*) FROM acts") == [(0,)]


# --- links ---------------------------------------------------------------------------------------------------------


async def test_a_link_is_for_one_purpose_and_for_a_time(store, database, monkeypatch):
    now = [1_800_000_000.0]
    monkeypatch.setattr(a.time, "time", lambda: now[0])

    def printed(*words):
        return command(*words, "--database", database).strip().rpartition("/")[2]

    used, unused, invitation = printed("keeper"), printed("keeper"), printed("invite", "--days", 2)
    assert await store.write(partial(begin_session, link=invitation)) == ""
    session = await store.write(partial(begin_session, link=used))
    lasts = {"keeper": (unused, 3600), "session": (session, 12 * 3600), "invitation": (invitation, 2 * 86_400)}
    for kind, (secret, seconds) in lasts.items():
        for later, kinds in ((seconds - 1, {kind}), (seconds + 1, set())):
            now[0] = 1_800_000_000.0 + later
            assert {one for one in lasts if await store.read(partial(is_valid, secret=secret, kind=one))} == kinds
        now[0] = 1_800_000_000.0
    now[0] += 3601
    assert await store.write(partial(begin_session, link=unused)) == ""
    now[0] += 30 * 86_400
    printed("keeper")
    assert rows(store, "SELECT kind FROM links") == [("keeper",)], "old ones are deleted"


# --- reports ------------------------------------------------------------------------------------------------------


def test_a_reported_line_is_on_the_keepers_page_until_it_is_erased(keeper, room, evening):
    table, ada, ben = evening
    ben.ask("say", text=RUDE)
    said = ada.connect(table)["chat"][0]
    for _ in range(2):
        ada.post(f"/api/tables/{table}/report", 200, seat=said["seat"], at=said["at"])
    for place, seat in ((table, 1 - said["seat"]), (ada.open("chi")["id"], said["seat"])):
        assert "no such line" in ada.post(f"/api/tables/{place}/report", 400, seat=seat, at=said["at"])["reason"]
    page = keeper.http.get("/keeper").text
    assert page.count(f"Ada’s Chi: Ben: {RUDE}") == 1
    assert ada.id not in str(room.rows("SELECT * FROM reports"))
    do(keeper, "erase", line=str(room.rows("SELECT id FROM chat")[0][0]))
    assert "Nothing is reported." in keeper.http.get("/keeper").text


def test_a_reported_name_can_be_deleted(keeper, evening):
    table, ada, ben = evening
    ada.post(f"/api/tables/{table}/report", 200, seat=1)
    assert "Ada’s Chi: the name Ben" in keeper.http.get("/keeper").text
    do(keeper, "unname", guest=ben.id)
    assert ben.http.get("/api/me").json() == {"name": "Guest"}
    do(keeper, "free", table=table, seat="1")
    assert "Nothing is reported." in keeper.http.get("/keeper").text, "nobody has that name now"


def test_the_report_of_a_name_ends_when_another_guest_has_the_seat(keeper, evening, guests):
    table, ada, ben = evening
    ben.ask("say", text=RUDE)
    at = ada.connect(table)["chat"][0]["at"]
    for field in ({}, {"at": at}):
        ada.post(f"/api/tables/{table}/report", 200, seat=1, **field)
    do(keeper, "free", table=table, seat="1")
    guests("Eve").post(f"/api/tables/{table}/join", 200)
    page = keeper.http.get("/keeper").text
    assert "the name Eve" not in page
    assert f"Ben: {RUDE}" in page, "the line is still there"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"seat": 1, "at": 1.5}, "there is no such line"),
        ({"seat": 7}, "no guest has seat 7"),
        ({"seat": -1}, "no guest has seat -1"),
    ],
)
def test_only_what_is_there_can_be_reported(evening, room, fields, reason):
    table, ada, _ben = evening
    assert ada.post(f"/api/tables/{table}/report", 400, **fields)["reason"] == reason
    assert room.rows("SELECT * FROM reports") == []


def test_a_table_has_only_so_much_to_report(evening):
    table, ada, _ben = evening
    with store_of(ada.room) as connection:
        for number in range(reporting.MOST_REPORTS):
            connection.execute(reports.insert().values(table=table, seat=0, line=number + 1000, at=0.0))
    assert ada.post(f"/api/tables/{table}/report", 400, seat=1)["reason"] == "this table has been reported already"


def store_of(room):
    return keeping.reading(located(room.database), writes=True)
