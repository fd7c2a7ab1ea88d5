"""Tables over days in the page: clocks in words, the next table that waits, and days away."""

import datetime
import re
import time

from playwright.sync_api import expect

from fairdeal.table.clocks import DAY
from tests.server.test_browser import violations
from tests.server.visiting import PHONE, STILL, open_with, press


def test_a_guest_goes_from_table_to_table_and_is_away_for_some_days(visit):
    ada, ben = (visit(size=PHONE, may_log="400", **STILL) for _ in range(2))
    wishes = {"options": {"players": 2, "first_player": 0}, "chairs": ["you", "person"]}
    first, second = (open_with(ada, "chip-it", clock=days * DAY, **wishes) for days in (3, 1))
    other = open_with(ada, "chip-it", clock=DAY, **wishes | {"options": {"players": 2, "first_player": 1}})
    for table in (first, second, other):
        ben.goto(f"/t/{table}")
        expect(ben.locator(".join-terms")).to_contain_text("3 days a turn" if table == first else "a day a turn")
        press(ben, "Sit down")
        ben.wait_for_selector(".prompt")
    ben.goto("/you")
    ben.get_by_label("Away until").fill("2099-01-01")
    press(ben, "Be away")
    expect(ben.get_by_role("alert")).to_have_text(
        re.compile("30 days in a year, and have 30 days left; choose an earl")
    )
    day = datetime.date.fromtimestamp(time.time() + 3 * DAY)
    ben.get_by_label("Away until").fill(f"{day}")
    press(ben, "Be away")
    expect(ben.locator("main")).to_contain_text(f"You are away until {day:%A}, {day.day} {day:%B %Y} at 00:00.")
    assert violations(ben) == []
    ada.goto("/")
    expect(ada.locator(".ticket").first).to_contain_text("24 h left")
    expect(ada.locator(".ticket").nth(1)).to_contain_text("3 days left")
    expect(ada.locator(".own-tables > .next")).to_have_attribute("href", f"/t/{second}")
    ada.goto(f"/t/{other}")
    expect(ada.locator(".seat .notes")).to_contain_text(f"away until {day.day} {day:%B}")
    expect(ada.locator(".prompt .next")).to_have_text("Next table, 2 waiting")
    assert violations(ada) == []
    ada.keyboard.press("n")
    expect(ada.locator(".prompt[data-yours] .clock")).to_have_text("24 h")
    assert ada.url.endswith(second)
    press(ben, "I am back")
    expect(ben.locator("main")).not_to_contain_text("You are away until")
    ada.goto(f"/t/{other}")
    expect(ada.locator(".seat .notes")).not_to_contain_text("away until")
