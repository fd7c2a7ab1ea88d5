"""What a program keeps of a table, which nothing that a room says deletes or changes, and the deals that fail there."""

import itertools
import os
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import expect

from fairdeal.engine.observe.layout import layout_of_scenes
from fairdeal.engine.registry import find_game
from fairdeal.protocol.bodies import Number
from fairdeal.protocol.messages import Chair, Chat, Deal, Done, Facts, Failed, Said, Table, Welcome
from fairdeal.protocol.record import Missed, read_record
from fairdeal.table.verdict import before_the_end
from fairdeal.terminal.online import keeper
from fairdeal.terminal.online.client import Visit, parts_of
from fairdeal.terminal.online.keeper import Keeper
from fairdeal.terminal.online.remote_table import RemoteApp
from tests.conftest import refusal
from tests.server.in_process import Viewer
from tests.server.test_join import at_table, until
from tests.server.visiting import open_by_page

ADDRESS = "http://127.0.0.1:8017"
KEY, OTHER = "a1" * 32, "b2" * 32
PROMISE = "cd" * 32


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(keeper, "guests_file", lambda: tmp_path / "data" / "guests.json")
    return tmp_path / "data" / "records"


def facts(stage="seats", key=KEY, digest="", attempt=1, failed=(), **more):
    chairs = (Chair(seat=0, taken=True, you=True, hash=digest), Chair(seat=1, taken=True))
    outline = "\n".join(
        (
            "game chi",
            f"room ed25519 {more.pop('told', key)}",
            f"table abc attempt {attempt} waits",
            f"commitment sha256 {PROMISE}",
            f'seat 0 ["Ada","person"] bound {digest}',
        )
    )
    deal = Deal(commitment=PROMISE, stage=stage, attempt=attempt, key=key, outline=outline, failed=failed)
    told = Facts(
        id="abc", game="chi", title="CHI", name="A", status="open", options={}, chairs=chairs, deal=deal, seat=0
    )
    return msgspec.structs.replace(told, **more)


def bound(address=ADDRESS):
    """A program that has given a hash, and the hash."""
    made = Keeper(address, "abc")
    digest = made.sit(facts())
    made.answered(Number(hash=digest), facts(digest=digest))
    return made, digest


def asked_for(made, digest, **more):
    """Let a program hear that the room asks for its number. Return its reply."""
    told = facts("numbers", digest=digest, **more)
    made.heard(Table(facts=told), 1)
    return made.reply(told)


def broken(made):
    return {one.check for one in before_the_end(made.record) if one.ok is False}


def test_a_record_has_all_that_was_sent_and_heard_but_no_chat(folder):
    made, digest = bound()
    assert asked_for(made, digest).nonce
    said = Said(-1, "Eve", "a secret word", 0.0)
    made.heard(Welcome(facts=facts(), chat=(said,), layout="ab", chain="cd" * 32), 1)
    made.heard(Chat(said=said), 1)
    assert b"secret" not in made.path.read_bytes()
    assert made.path.stat().st_mode & 0o077 == 0
    assert read_record(made.path) == made.record
    (number,) = made.record.numbers.values()
    assert (number.promise, number.attempt, number.outline) == (
        PROMISE,
        1,
        facts("numbers", digest=digest).deal.outline,
    )
    assert made.now.acknowledged == {(0, 0): "cd" * 16}
    assert not broken(made)


def test_equal_facts_are_recorded_once(folder):
    made, digest = bound()
    made.heard(Table(facts=facts(digest=digest)), 1)
    before = made.path.stat().st_size
    for _ in range(50):
        made.heard(Table(facts=facts(digest=digest)), 1)
        made.fetched(facts(digest=digest))
    assert made.path.stat().st_size == before
    made.heard(Table(facts=facts("numbers", digest=digest)), 1)
    assert made.path.stat().st_size > before


def test_a_record_grows_by_what_is_heard(monkeypatch):
    made, _ = bound()
    sizes = []
    for number in range(200):
        made.heard(Done(id="1", seq=number, chain="ab" * 32), 1)
        sizes.append(made.path.stat().st_size)
    grown = [after - before for before, after in itertools.pairwise(sizes)]
    assert max(grown) <= grown[0] + 2
    monkeypatch.setattr(keeper, "LARGEST_RECORD", sizes[-1] + 200)
    for number in range(200):
        made.heard(Done(id="1", seq=number, chain="cd" * 32), 1)
    assert made.path.stat().st_size < sizes[-1] + 300
    assert read_record(made.path).missed == keeper.TOO_LARGE
    assert broken(made) == {"acknowledged"}, "the record goes on in memory"


def test_a_full_disk_ends_no_game_and_is_said(monkeypatch):
    made, digest = bound()

    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keeper, "append_own", full)
    assert asked_for(made, digest).nonce
    assert "No space left" in made.record.missed
    assert made.record.numbers[digest].outline, "it is still known for which deal the number was sent"


def test_two_programs_write_one_record_line_by_line():
    first, digest = bound()
    second = Keeper(ADDRESS, "abc")
    assert asked_for(first, digest).nonce
    second.heard(Done(id="1", seq=3, chain="ab" * 32), 1)
    first.heard(Done(id="1", seq=4, chain="cd" * 32), 1)
    second.heard(Done(id="1", seq=5, chain="ef" * 32), 1)
    assert second.record.numbers[digest].outline == facts("numbers", digest=digest).deal.outline
    assert second.record == read_record(first.path)
    assert [*second.record.visits] == [first.visit, second.visit]


@pytest.mark.parametrize("torn", [b'{"entry":"heard","visit":"1","mess', b"\xff{"])
def test_a_line_that_was_not_finished_is_a_gap(torn):
    made, digest = bound()
    with made.path.open("ab") as file:
        file.write(torn)
    again = Keeper(ADDRESS, "abc")
    assert again.record.numbers.keys() == {digest}
    assert not again.record.missed
    again.heard(Done(id="1", seq=3, chain="ab" * 32), 1)
    assert again.now.acknowledged == {(-1, 3): "ab" * 16}
    assert read_record(made.path) == again.record
    assert "cannot be read" in again.record.missed


def test_the_oldest_records_of_finished_games_make_room(monkeypatch, folder):
    for number, status in enumerate(("over", "open", "over", "over")):
        made = Keeper(ADDRESS, f"table{number}")
        made.heard(Table(facts=msgspec.structs.replace(facts(), id=f"table{number}", status=status)), 1)
        made.add(Missed(reason="a" * 1000))
        os.utime(made.path, (number, number))
    monkeypatch.setattr(keeper, "LARGEST_FOLDER", 2 * made.path.stat().st_size + 100)
    Keeper(ADDRESS, "new")
    assert sorted(path.stem for path in made.path.parent.iterdir()) == ["new", "table1", "table3"]


def test_another_room_with_a_table_of_the_same_id_touches_nothing(folder):
    made, digest = bound()
    assert asked_for(made, digest).nonce
    before = made.path.read_bytes()
    for address in ("http://127.0.0.1:8018", "https://127.0.0.1:8017", f"{ADDRESS}/path", "http://127.0.0.1_8017"):
        other = Keeper(address, "abc")
        assert not other.record.numbers
        assert asked_for(other, digest) is None, "a number is for one room only"
        assert other.path.parent != made.path.parent
    assert made.path.read_bytes() == before
    assert Keeper(ADDRESS, "abc").record == made.record


def test_a_number_is_not_shown_for_a_deal_of_another_room():
    made, digest = bound()
    assert asked_for(made, digest, told=OTHER) is None
    assert broken(made) == {"room"}


@pytest.mark.parametrize("promise", [PROMISE, OTHER])
def test_a_number_is_not_shown_at_another_table(promise):
    elsewhere = facts(deal=msgspec.structs.replace(facts().deal, commitment=promise))
    digest = Keeper(ADDRESS, "xyz").sit(elsewhere)
    assert asked_for(Keeper(ADDRESS, "abc"), digest) is None
    assert asked_for(bound()[0], digest) is None


def test_a_number_for_a_rematch_is_for_the_first_table_that_has_it():
    digest = keeper.fresh_number(ADDRESS, PROMISE)
    assert asked_for(Keeper(ADDRESS, "abc"), digest).nonce
    other = Keeper(ADDRESS, "xyz")
    other.heard(Table(facts=msgspec.structs.replace(facts("numbers", digest=digest), id="xyz")), 1)
    assert not other.record.numbers


@pytest.mark.parametrize("table", ["../abc", "/abc", "a/b", "a\\b", "a.b", "é", "a" * 65, "abc\n", "\0"])
def test_a_room_names_no_file_elsewhere_by_a_table(table):
    with refusal("id of a table"):
        keeper.record_file(ADDRESS, table)


@pytest.mark.parametrize("table", ["é", "a" * 65, "a.b", "..", "%2e%2e"])
def test_a_link_names_no_file_elsewhere(table):
    with refusal("not a link to a table"):
        parts_of(f"http://127.0.0.1:1/t/{table}")


def test_after_two_failed_attempts_a_person_is_asked():
    made, digest = bound()
    for attempt, is_asked in ((2, False), (3, True)):
        told = facts(attempt=attempt)
        asked = msgspec.structs.replace(told.chairs[0], asked=True)
        told = msgspec.structs.replace(told, chairs=(asked, told.chairs[1]))
        made.heard(Table(facts=told), 1)
        assert (made.reply(told) is None) == made.is_asked == is_asked
    made.agree()
    assert made.reply(told).hash not in ("", digest)


def test_a_number_that_the_room_has_acknowledged_must_be_reported_if_its_deal_fails():
    for failed in ((), (Failed(1, ((1, "Eve"),), (0,)),)):
        made, digest = bound()
        made.answered(asked_for(made, digest), facts("numbers", digest=digest))
        again = made.bind(facts(attempt=2))
        made.answered(Number(hash=again), facts(attempt=2, digest=again, failed=failed))
        assert broken(made) == (set() if failed else {"failed"})
        body = asked_for(made, again, attempt=2, failed=failed)
        assert bool(body) == bool(failed)
        Path(made.path).unlink()


def fail(guest, table):
    """Take a seat beside somebody and leave it when they have shown their number."""
    guest.join(table)
    for _ in range(2000):
        facts = guest.get(f"/api/tables/{table}")
        if any(chair["shown"] for chair in facts["chairs"]):
            break
    guest.post(f"/api/tables/{table}/leave")


def test_the_page_says_which_deals_failed_and_asks_before_the_third_number(guests, visit):
    ben, page = guests("Ben"), visit()
    table = open_by_page(page, "chi", ["you", "person"], options={"stacks_to_end": 4})
    page.goto(f"/t/{table}")
    expect(page.get_by_text("Waiting for 1 more")).to_be_visible()
    for count in ("A deal", "2 deals"):
        fail(ben, table)
        expect(page.locator(".make .bad")).to_contain_text(f"{count} before this one failed: Ben left")
    give = page.get_by_role("button", name="Give another number")
    expect(give).to_be_visible()
    ben.join(table)
    assert ben.get(f"/api/tables/{table}")["deal"]["stage"] == "hashes"
    give.click()
    expect(give).to_have_count(0)
    page.wait_for_function(
        "async (table) => (await (await fetch(`/api/tables/${table}`)).json()).deal.stage === 'numbers'", arg=table
    )
    ben.show(table)
    page.wait_for_selector("[data-zone=row] .card")
    assert ben.get(f"/api/tables/{table}")["deal"]["header"].count("\nfailed ") == 2
    page.evaluate("(table) => fetch(`/api/tables/${table}/leave`, { method: 'POST' })", table)
    ben.post(f"/api/tables/{table}/leave")
    page.wait_for_selector(".verdict")
    expect(page.locator(".was-it-fair p").first).to_contain_text("Not proven. 2 deals before this one failed: Ben left")


async def test_the_terminal_says_which_deals_failed_and_asks_before_the_third_number(room, guests):
    ben = guests("Ben")
    table = ben.open("chi", chairs=["person", "person"], options={"stacks_to_end": 4})["id"]
    visit = Visit(f"{room.address}/t/{table}")

    def is_shown():
        return any(chair["shown"] for chair in ben.get(f"/api/tables/{table}")["chairs"])

    try:
        visit.come_in("Tess")
        app = RemoteApp(visit, pause=0)
        async with app.run_test(size=(120, 40)) as pilot:
            screen = await at_table(pilot)
            for count in ("1 deal has", "2 deals have"):
                ben.join(table)
                await until(
                    pilot, lambda: any(chair.shown for chair in visit.fetch(f"/api/tables/{table}", Facts).chairs)
                )
                ben.post(f"/api/tables/{table}/leave")
                await until(pilot, lambda count=count: f"{count} failed: Ben left" in screen.drawn.prompt.text)
            await until(pilot, lambda: "press g to give another number" in screen.view.note)
            ben.join(table)
            assert ben.get(f"/api/tables/{table}")["deal"]["stage"] == "hashes"
            await pilot.press("g")
            await until(pilot, is_shown)
            ben.show(table)
            await until(pilot, lambda: screen.drawn.zones)
            assert visit.keeper.record.numbers
    finally:
        visit.close()


async def test_a_guest_who_waits_for_others_learns_the_layout(guest):
    ada = Viewer(guest.room, await guest.open("chi", "you", "person"), guest.guest)
    await ada.arrive()
    assert ada.heard[0]["layout"] == layout_of_scenes(find_game("chi"))
