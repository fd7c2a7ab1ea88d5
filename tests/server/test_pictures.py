"""Every page fits its screen, on desk and phone. Of each there is a picture to be looked at, by day and by night, where
FAIRDEAL_SCREENSHOTS names a folder for them.
"""

import pytest

from tests.server.visiting import DESK, INSTANT, PHONE, PICTURES, keep, open_with

SCHEMES = ["light"] if PICTURES is None else ["light", "dark"]
"""By night nothing but colours is different (test_sources), so all fits that fits by day."""

TABLES = {"chi": 2, "chip-it": 4}


def draft(page):
    page.locator(".card[data-can]").last.click(position={"x": 12, "y": 20}, force=True)
    page.wait_for_selector(".card[data-sel]")


@pytest.mark.networks("127.0.0.9")
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_every_page_fits_its_screen(size, scheme, visit, room, tmp_path):
    page = visit("/", size=size, color_scheme=scheme, reduced_motion="reduce")

    def picture(name, whole=False):
        if PICTURES:
            page.wait_for_timeout(150)
        keep(page, f"{name}-{size['width']}-{scheme}", tmp_path, whole=whole)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name

    page.evaluate(INSTANT)
    page.wait_for_selector(".box .cover")
    picture("lobby")
    page.locator(".boxlink").first.click()
    page.wait_for_selector(".game-sheet")
    picture("sheet")
    page.locator(".game-sheet summary").click()
    page.locator(".game-sheet .options").scroll_into_view_if_needed()
    picture("sheet-options")
    waiting = open_with(page, "chip-it", ["you", "person", "greedy", "person"], options={"players": 4})
    page.goto(f"/t/{waiting}")
    page.wait_for_selector(".qr img")
    picture("waiting", whole=True)
    for name, players in TABLES.items():
        options = {"players": players} | ({"first_player": 0} if players == 2 else {})
        table = open_with(page, name, ["you", *["greedy"] * (players - 1)], options=options)
        page.goto(f"/t/{table}")
        page.wait_for_selector(".prompt[data-yours]")
        picture(f"table-{name}")
        draft(page)
        picture(f"draft-{name}")
        page.evaluate("document.activeElement?.blur()")
        page.keyboard.press("r")
        page.wait_for_selector(".rule")
        picture(f"rules-{name}")
        watched = open_with(page, name, ["greedy"] * players, options={"players": players})
        page.goto(f"/t/{watched}")
        page.wait_for_selector(".verdict")
        page.get_by_role("button", name="Show how").click()
        page.wait_for_selector(".fair li:nth-child(4):is([data-ok], [data-open])")
        picture(f"over-{name}", whole=True)
        page.goto(f"/t/{watched}?move=9")
        page.wait_for_selector(".scrub")
        picture(f"replay-{name}")
    if size is PHONE:
        page.get_by_role("button", name="Log and more").click()
    page.get_by_role("tab", name="Fair").click()
    picture("fair")
