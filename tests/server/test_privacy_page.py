"""The page on which guests see, download and delete their own data."""

import json
import re

import pytest
from playwright.sync_api import expect

from fairdeal.cli.serve import located
from fairdeal.server.documents.privacy import STORED
from fairdeal.server.static_files import WEB
from tests.server.conftest import PORT, ForkedRoom
from tests.server.in_process import apart
from tests.server.test_browser import SMALL, violations
from tests.server.visiting import DESK, PHONE, STILL, press, sit_at

NAME = "Ada Lovelace"


@pytest.fixture
def room(database, tmp_path, deal):
    errors = tmp_path / "room.db.errors"
    process = ForkedRoom(database, port=PORT, errors=errors, chance=deal)
    yield process
    process.stop()


def test_the_page_says_what_is_kept_exports_it_and_deletes_it(room, visit, guests):
    page = visit("/", **STILL)
    page.request.get("/api/me")
    page.request.post("/api/me", data={"name": NAME})
    sit_at(page, "chi", options={"first_player": 0})
    shared = guests("Ben").open("chi", chairs=["you", "person"])["id"]
    page.request.post(f"/api/tables/{shared}/join", data={})
    page.goto("/")
    page.get_by_role("link", name="Your data").click()
    expect(page.get_by_role("heading", name="Your data", exact=True)).to_be_visible()
    for size, scheme in ((DESK, "light"), (PHONE, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []
        assert page.evaluate(SMALL) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "fairdeal-data.json"
    found = json.loads(download.value.path().read_text())
    assert (found["name"], len(found["tables"])) == (NAME, 2)
    press(page, "Delete my data")
    press(page, "Keep", exact=True)
    assert page.request.get("/api/me").json() == {"name": NAME}
    press(page, "Delete my data")
    press(page, "Delete for good")
    expect(page.get_by_role("status")).to_have_text("1 table deleted. Your name stays in 1 game with other people.")
    assert page.evaluate("Object.keys({ ...localStorage, ...sessionStorage }).filter((key) => key !== 'drawn')") == []
    assert page.context.cookies() == []
    assert room.rows("SELECT count(*) FROM seats WHERE guest = ?", found["guest"]) == [(0,)]
    page.get_by_role("link", name="To the lobby, as a new guest").click()
    expect(page.get_by_role("button", name="Guest: change your name")).to_be_visible()


@pytest.mark.parametrize("path", ["lobby", "table"])
def test_the_page_of_a_banned_guest_says_so_and_does_not_try_again(path, room, visit):
    page, connections = visit(**STILL, may_log="403"), []
    page.on("websocket", lambda socket: connections.append(socket.url))
    sit_at(page, "chi")
    if path == "lobby":
        page.goto("/")
    guest = page.request.get("/api/me/data").json()["guest"]
    with apart(located(room.database)) as connection:
        connection.exec_driver_sql(f"INSERT INTO bans VALUES ('{guest}', 1.0)")
    page.wait_for_url("/privacy")
    expect(page.get_by_role("alert")).to_contain_text("The keeper of this room has excluded you.")
    made = len(connections)
    page.wait_for_timeout(1500)
    assert len(connections) == made <= 2
    page.goto("/")
    expect(page.get_by_role("alert")).to_be_visible()
    press(page, "Delete my data")
    press(page, "Delete for good")
    expect(page.get_by_role("status")).to_contain_text("1 table deleted")
    assert room.rows("SELECT guest FROM bans") == [(guest,)]


def test_the_page_names_everything_that_a_browser_stores():
    """Every key begins with `fairdeal` and a word that the page explains."""
    sources = [path.read_text("utf-8") for path in WEB.rglob("*.js") if "vendor" not in path.parts]
    stored = {key for text in sources for key in re.findall(r"= [`']fairdeal (\w+)", text)}
    assert stored - {"log"} == {*STORED}, "a log begins so, too"
    elsewhere = [text for text in sources if re.search(r"\b(localStorage|sessionStorage|indexedDB|caches)\b", text)]
    assert len(elsewhere) == 3, "everything goes through privacy/stored.js, record/database.js and worker.js"
