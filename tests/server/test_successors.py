"""A guest who takes over the seat of a player who is gone, in the browser."""

import random

from playwright.sync_api import expect

from tests.conftest import SHORT
from tests.server.test_browser import choose_by_clicks, play_out
from tests.server.test_room_commands import command
from tests.server.visiting import INSTANT, PHONE, STILL, open_with, press


def test_a_guest_sits_down_at_a_freed_seat_and_the_page_checks_the_whole_game(visit, room, guests):
    ada, eve, ben = visit(**STILL), visit(size=PHONE, **STILL), guests("Ben")
    for page in (ada, eve):
        page.add_init_script(INSTANT)
    table = open_with(ada, "chi", ["you", "person"], options=SHORT["chi"])
    ben.post(f"/api/tables/{table}/join", 200)
    ada.goto(f"/t/{table}")
    eve.goto(f"/t/{table}")
    press(eve, "Watch")
    command("free", table, 1, "--database", room.database)
    press(eve, "Sit down there")
    eve.get_by_text("You play on with their cards").wait_for()
    press(eve, "Sit down")
    for page in (ada, eve):
        page.wait_for_selector(".prompt")
    expect(ada.locator("[data-seat='1'] .who")).to_contain_text("another guest plays on")
    assert "another guest" not in eve.locator(".own").inner_text()
    play_out([ada, eve], random.Random(3), choose_by_clicks)
    press(eve, "Show how")
    expect(eve.locator(".fair .findings")).to_contain_text("You were shown this game: ")
    found = eve.locator(".fair .findings li[data-ok=true]").all_inner_texts()
    assert {"Every move of a bot is the one that it chose.", "No move that revealed something was undone."} < {*found}
