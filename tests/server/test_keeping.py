"""What a program keeps of a table, which nothing that a room says deletes or changes, and the deals that fail there."""

import msgspec
import pytest
from playwright.sync_api import expect

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.observe.layout import layout_of_scenes
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import Scene
from fairdeal.protocol.messages import Chair, Deal, Done, Facts, Failed, Shown, Welcome
from fairdeal.table import fairness
from fairdeal.table.receipts import CHANGED, Kept, read_kept
from fairdeal.terminal.online import keeper
from fairdeal.terminal.online.client import Visit, parts_of
from fairdeal.terminal.online.keeper import Keeper
from fairdeal.terminal.online.remote_table import RemoteApp
from tests.server.in_process import Viewer
from tests.server.test_join import at_table, until

KEY, OTHER = "a1" * 32, "b2" * 32
PROMISE = "cd" * 32


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(keeper, "guests_file", lambda: tmp_path / "data" / "guests.json")
    return tmp_path / "data" / "kept"


def facts(stage="seats", key=KEY, digest="", attempt=1, **more):
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
    deal = Deal(commitment=PROMISE, stage=stage, attempt=attempt, key=key, outline=outline, failed=())
    told = Facts(
        id="abc", game="chi", title="CHI", name="A", status="open", options={}, chairs=chairs, deal=deal, seat=0
    )
    return msgspec.structs.replace(told, **more)


def bound(key=KEY):
    """A program that has given a hash, and the hash."""
    made = Keeper(key, "abc")
    digest = made.sit(facts(key=key))
    made.answered(keeper.Number(hash=digest), facts(key=key), facts(key=key, digest=digest))
    return made, digest


def test_another_room_with_a_table_of_the_same_id_touches_nothing(folder):
    made, digest = bound()
    assert made.reply(facts("numbers", digest=digest)).nonce
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    other = Keeper(OTHER, "abc")
    assert other.kept is None
    assert other.reply(facts("numbers", OTHER, digest)) is None, "a number is for one room only"
    other, _ = bound(OTHER)
    assert other.path != made.path
    assert {name: (folder / name).read_bytes() for name in before} == before
    assert Keeper(KEY, "abc").kept == made.kept


def test_a_number_is_not_shown_for_a_deal_of_another_room(folder):
    made, digest = bound()
    told = facts("numbers", digest=digest, told=OTHER)
    assert made.reply(told) is None
    assert {one.check for one in made.findings(told)} == {"room"}


@pytest.mark.parametrize("promise", [PROMISE, OTHER])
def test_a_number_is_not_shown_at_another_table(promise):
    elsewhere = facts(deal=msgspec.structs.replace(facts().deal, commitment=promise))
    digest = Keeper(KEY, "xyz").sit(elsewhere)
    told = facts("numbers", digest=digest)
    made = Keeper(KEY, "abc")
    assert made.reply(told) is None
    assert made.kept is None
    made, _ = bound()
    assert made.reply(told) is None
    assert {(one.check, one.ok) for one in made.findings(told)} == {("number", False)}
    assert keeper.known_number(digest).outline == ""


def test_a_number_for_a_rematch_is_for_the_first_table_that_has_it():
    digest = keeper.fresh_number(PROMISE, KEY)
    told = facts("numbers", digest=digest)
    assert Keeper(KEY, "abc").reply(told).nonce
    other = Keeper(KEY, "xyz")
    assert other.reply(told) is None
    assert other.kept is None


def test_a_number_for_another_key_ends_no_program():
    digest = Keeper(OTHER, "abc").sit(facts(key=OTHER))
    made, _ = bound()
    told = facts("numbers", digest=digest)
    assert next(made.replies(told), None) is None
    assert {one.check for one in made.findings(told)} == {"number"}


def test_two_programs_of_a_player_both_know_that_the_number_was_sent():
    first, digest = bound()
    second, told = Keeper(KEY, "abc"), facts("numbers", digest=digest)
    assert first.reply(told).nonce
    second.learn(told)
    assert second.kept.numbers[0].outline == told.deal.outline


@pytest.mark.parametrize("key", ["/etc/cron.d/abcd", "../../bin/", "\0" * 64, "A1" * 32, KEY + "\n"])
def test_a_room_names_no_file_elsewhere_by_its_key(key):
    with pytest.raises(FairdealError, match="not its key"):
        keeper.kept_file(key, "abc")


@pytest.mark.parametrize("table", ["../abc", "/abc", "a/b", "a\\b", "a.b", "é", "a" * 65, "abc\n", "\0"])
def test_a_room_names_no_file_elsewhere_by_a_table(table):
    with pytest.raises(FairdealError, match="id of a table"):
        keeper.kept_file(KEY, table)


@pytest.mark.parametrize("table", ["é", "a" * 65, "a.b", "..", "%2e%2e"])
def test_a_link_names_no_file_elsewhere(table):
    with pytest.raises(FairdealError, match="not a link to a table"):
        parts_of(f"http://127.0.0.1:1/t/{table}")


def test_a_record_of_an_older_version_goes_on_under_its_new_name(folder):
    folder.mkdir(parents=True)
    older = Kept(promise=PROMISE, nonce="12" * 16, chains={1: "ab" * 16})
    (folder / "abc.json").write_bytes(msgspec.json.encode(older))
    made = Keeper(KEY, "abc")
    made.heard(Done(id="1", seq=2, chain="cd" * 32))
    assert read_kept(folder / "abc.json") == older
    assert read_kept(made.path).chains == {1: "ab" * 16, 2: "cd" * 16}


def test_after_two_failed_attempts_a_person_is_asked():
    made, digest = bound()
    for attempt, is_asked in ((2, False), (3, True)):
        told = facts(attempt=attempt)
        asked = msgspec.structs.replace(told.chairs[0], asked=True)
        told = msgspec.structs.replace(told, chairs=(asked, told.chairs[1]))
        assert (made.reply(told) is None) == made.is_asked == is_asked
    made.agree()
    assert made.reply(told).hash not in ("", digest)


def test_a_number_that_the_room_has_acknowledged_must_be_reported_if_its_deal_fails():
    made, digest = bound()
    body = made.reply(facts("numbers", digest=digest))
    made.answered(body, facts("numbers", digest=digest), facts("numbers", digest=digest))
    again = made.bind(facts(attempt=2).deal)
    made.answered(keeper.Number(hash=again), facts(attempt=2), facts(attempt=2, digest=again))
    told = facts("numbers", digest=again, attempt=2)
    assert {one.check for one in made.findings(told)} == {"failed"}
    assert made.reply(told) is None
    failed = (Failed(1, ((1, "Eve"),), (0,)),)
    told = msgspec.structs.replace(told, deal=msgspec.structs.replace(told.deal, failed=failed))
    assert not [*made.findings(told)]
    assert made.reply(told).nonce


def fail(guest, table):
    """Take a seat beside somebody and leave it when they have shown their number."""
    guest.join(table)
    for _ in range(2000):
        facts = guest.get(f"/api/tables/{table}")
        if any(chair["shown"] for chair in facts["chairs"]):
            break
    guest.post(f"/api/tables/{table}/leave")


def test_the_page_says_which_deals_failed_and_asks_before_the_third_number(room, guests, visit):
    ben, page = guests("Ben"), visit()
    page.goto("/api/me")
    table = page.evaluate(
        """async () => {
            const { openTable } = await import('/web/fair/storage.js');
            const options = { stacks_to_end: 4 };
            return (await openTable({ game: 'chi', chairs: ['you', 'person'], options })).id;
        }"""
    )
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
            assert fairness.NONCE.fullmatch(visit.keeper.kept.nonce)
    finally:
        visit.close()


def test_a_welcome_tells_the_layout_and_acknowledges_the_entries(folder):
    """A guest who waits is welcomed before there is a record of the game, and the scenes come later."""
    made = Keeper(KEY, "abc")
    made.heard(Welcome(facts=facts(), layout="ab"))
    made.keep(Kept(promise=PROMISE, seat=0, key=KEY, table="abc"))
    scene = Scene("chi", "Chi", 0, seq=0, state="12" * 16)
    made.heard(Shown(scene=scene, chain="cd" * 32))
    assert (made.kept.layout, set(made.kept.shown), set(made.kept.chains)) == ("ab", {0}, {0})
    made.heard(Welcome(facts=facts(seq=0), scene=scene))
    made.heard(Shown(scene=scene))
    assert (made.kept.layout, made.kept.denied, made.kept.unnamed) == ("ab", False, 0)
    made.heard(Welcome(facts=facts(seq=0), scene=scene, chain="ef" * 32, layout="other"))
    assert (made.kept.layout, made.kept.denied) == (CHANGED, True)


async def test_a_guest_who_waits_for_others_is_told_the_layout(guest):
    ada = Viewer(guest.room, await guest.open("chi", "you", "person"), guest.guest)
    await ada.arrive()
    assert ada.heard[0]["layout"] == layout_of_scenes(find_game("chi"))


def test_a_scene_that_comes_before_the_welcome_is_not_kept_without_its_layout():
    """Otherwise an honest room that deals at once seems to use two versions of the game."""
    made, _ = bound()
    made.keep(Kept(promise=PROMISE, seat=0, key=KEY, table="abc"))
    scene = Scene("chi", "Chi", 0, seq=0, state="12" * 16)
    made.heard(Shown(scene=scene, chain="cd" * 32))
    assert not made.kept.shown
    made.heard(Welcome(facts=facts(seq=0), scene=scene, chain="cd" * 32, layout="ab"))
    assert (made.kept.layout, set(made.kept.shown), made.kept.unnamed) == ("ab", {0}, 0)
