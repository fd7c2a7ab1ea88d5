"""The room as an app: what browsers install, and what they keep for when the room cannot be reached."""

import functools
import shutil
import struct

import pytest
from playwright.sync_api import expect

from fairdeal.server import static_files
from fairdeal.server.api import app_files
from tests.server.conftest import PORT, ForkedRoom
from tests.server.visiting import INSTANT, open_by_page, press, wait_until

KEPT = "Rules, lessons and your last games still open."

NAMES = """async () => {
    const found = {};
    for (const name of await caches.keys()) {
        const held = await caches.open(name);
        found[name] = (await held.keys()).map(({ url }) => url.replace(origin, ''));
    }
    return found;
}"""
"""The addresses of all that is kept, by cache."""

CONTROLLED = "() => navigator.serviceWorker.controller"

SHEETS = "() => performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /web.v-/.test(name))"

PLAY = """(table) => new Promise((over) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/tables/${table}/play`);
    socket.onmessage = ({ data }) => {
        const { type, scene } = JSON.parse(data);
        if (scene?.mode === 'over') over();
        if (type === 'done' || !scene?.choices?.length) return;
        const { id: choice } = scene.choices.find((one) => one.main) ?? scene.choices[0];
        const draft = scene.draft?.picks ?? [];
        socket.send(JSON.stringify({ type: 'pick', id: `${scene.seq} ${draft}`, seq: scene.seq, choice, draft }));
    };
})"""
"""Plays a game alone to its end, while the page looks on."""


@pytest.fixture
def room(database, tmp_path, deal):
    process = ForkedRoom(database, port=PORT, errors=tmp_path / "room.db.errors", chance=deal)
    yield process
    process.stop()


def serve_from(folder):
    """Serve the files of another version of the client, and keep no lessons, which take seconds."""
    app_files.offers_of = lambda game: ()
    static_files.WEB = folder
    for known in (static_files.kept, static_files.names, static_files.version, static_files.page):
        known.cache_clear()


def changed(folder, words):
    """Return the change to a room whose lobby has other words in it."""
    shutil.copytree(static_files.WEB, folder)
    lobby = folder / "lobby" / "lobby.js"
    text = lobby.read_text("utf-8")
    assert "No account." in text
    lobby.write_text(text.replace("No account.", words), "utf-8")
    return functools.partial(serve_from, folder)


def start_again(room, change=None):
    room.end()
    room.change = change
    room.start()


def test_the_manifest_names_icons_that_are_there(guests):
    ada = guests("Ada")
    found = ada.get("/app/manifest.json")
    assert (found["start_url"], found["display"], found["shortcuts"][0]["url"]) == ("/", "standalone", "/today")
    for one in found["icons"]:
        content = ada.http.get(one["src"]).content
        assert content[:8] == b"\x89PNG\r\n\x1a\n"
        assert one["sizes"] == "{}x{}".format(*struct.unpack(">II", content[16:24]))
    assert {one.get("purpose", "any") for one in found["icons"]} == {"any", "maskable"}
    assert {"192x192", "512x512"} == {one["sizes"] for one in found["icons"]}
    for path in ("/app/manifest.json", "/worker.js"):
        answer = ada.http.get(path, headers={"cookie": ""})
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
    assert ada.http.get("/app/0123456789ab.json").status_code == 404


OFFER = """() => dispatchEvent(Object.assign(new Event('beforeinstallprompt'), {
    prompt: () => (document.title = 'asked'),
}))"""
"""The browser offers to install the page."""


def test_the_offer_to_install_is_shown_whenever_it_comes_and_can_be_taken_once(visit):
    page = visit("/")
    install = page.get_by_role("button", name="Install as an app")
    expect(page.get_by_role("link", name="For programs")).to_be_visible()
    expect(install).to_have_count(0)
    page.evaluate(OFFER)
    install.click()
    expect(page).to_have_title("asked")
    expect(install).to_have_count(0)
    page.evaluate(OFFER)
    page.get_by_role("link", name="Your data").click()
    expect(install).to_have_count(0)
    page.go_back()
    expect(install).to_be_visible()


def test_rules_lessons_and_finished_games_are_shown_without_the_room(room, visit, guests):
    page = visit(service_workers="allow")
    page.add_init_script(INSTANT)
    table = open_by_page(page, "chimax-jackpot", ["you"])
    page.goto(f"/t/{table}")
    page.evaluate(PLAY, table)
    page.goto("/")
    expect(page.get_by_text("Finished:")).to_be_visible()
    page.wait_for_function(CONTROLLED)
    (kept,) = page.evaluate(NAMES).values()
    for path in kept:
        answer = guests("Bo").http.get(path)
        lesson = path.startswith("/api/tables/")  # the room has no such address
        assert lesson or answer.headers["cache-control"] != "no-store", path
        assert (answer.status_code == 404) == lesson, path
    room.kill()
    page.reload()
    expect(page.locator(".missing")).to_contain_text(f"The room does not answer. {KEPT}")
    page.context.set_offline(True)
    page.goto("/")
    expect(page.locator(".missing")).to_contain_text(f"You are offline. {KEPT}")
    page.get_by_text("Finished:").click()
    page.get_by_role("link", name="Result").click()
    expect(page.locator(".prompt")).to_contain_text("You are looking at move 0 of")
    page.keyboard.press("End")
    expect(page.locator(".prompt")).not_to_contain_text("move 0 of")
    page.goto("/rules/chi")
    expect(page.locator(".rulebook .card").first).to_be_visible()
    page.goto("/learn/chi")
    page.get_by_role("link", name="Your first game").click()
    expect(page.locator(".prompt")).to_contain_text("These are your Yang.")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".prompt")).to_contain_text("You do one thing a turn.")
    expect(page.locator(".missing")).to_contain_text("You are offline.")
    for path in ("/today", "/you", "/privacy", f"/g/{table}/analysis"):
        page.goto(path)
        expect(page.get_by_role("heading", name="Waiting for the room")).to_be_visible()
    page.context.set_offline(False)
    room.start()
    expect(page.locator(".missing")).to_have_count(0)
    page.goto("/privacy")
    press(page, "Delete my data")
    press(page, "Delete for good")
    expect(page.get_by_role("status")).to_contain_text("1 table deleted")
    wait_until(page, lambda: page.evaluate(NAMES) == {})
    assert page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0


def test_a_page_is_of_the_room_that_answers(room, visit, tmp_path):
    """The room is updated twice; the next load has the new page, from the room, and nothing of the old one."""
    page, seen = visit("/", service_workers="allow"), []
    page.wait_for_function(CONTROLLED)
    for words in ("Second edition.", "Third edition."):
        old = page.evaluate(NAMES)
        start_again(room, changed(tmp_path / words, words))
        page.goto("/")
        expect(page.get_by_text(words)).to_be_visible()
        versions = {name.split("/")[4] for name in page.evaluate(SHEETS)}
        assert len(versions) == 1
        seen += versions
        wait_until(page, lambda: page.evaluate(NAMES).keys() - old.keys())  # noqa: B023
        wait_until(page, lambda: len(page.evaluate(NAMES)) == 2)
    assert len({*seen}) == 2
    room.kill()
    page.goto("/")
    expect(page.get_by_text("Third edition.")).to_be_visible()
    expect(page.locator(".missing")).to_contain_text(KEPT)
    room.change = changed(tmp_path / "last", "Fourth edition.")
    room.start()
    expect(page.get_by_text("Fourth edition.")).to_be_visible()
