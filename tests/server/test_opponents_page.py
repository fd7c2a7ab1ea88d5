"""The opponents in real Chromium: chosen on the sheet of a game, remembered, and seen at the table."""

import pytest
from playwright.sync_api import expect

from fairdeal.bots.company import NAMES
from fairdeal.bots.levels import FACES
from fairdeal.server.static_files import WEB
from fairdeal.testing.play import must_have
from tests.server.test_browser import violations
from tests.server.visiting import PHONE, STILL, open_with, press

CHECKED = ".level input:checked"
DRAWN = "() => [...document.querySelectorAll('.portrait')].every((one) => one.naturalWidth)"


def checked(page):
    return page.locator(CHECKED).get_attribute("value")


def test_an_opponent_is_chosen_with_keys_remembered_and_played(visit):
    page = visit("/?game=chip-it", **STILL)
    met = {"pip": {"you": 6, "they": 0}, "vix": {"you": 3, "they": 8}}
    page.route("**/api/games/chip-it/record", lambda route: route.fulfill(json=met))
    sheet = page.locator(".game-sheet")
    lit = sheet.locator(".at-once .lit")
    lit.wait_for()
    assert lit.inner_text().strip() == "Play Juno"
    sheet.locator(".seg label", has_text="4").first.click()
    sheet.get_by_role("button", name="Seat 2: Juno level 2").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => document.activeElement.matches('{CHECKED}')")
    assert checked(page) == "juno"
    page.keyboard.press("ArrowRight")
    assert checked(page) == "bram"
    page.keyboard.press("5")
    page.wait_for_function("() => document.activeElement.value === 'vix'")
    assert checked(page) == "vix"
    vix = page.locator(".level", has_text="Vix")
    expect(vix).to_contain_text("Knows what you hold, nearly.")
    expect(vix).to_contain_text("you 3, she 8")
    expect(page.locator(".level", has_text="Otto")).to_contain_text("not met yet")
    page.wait_for_function(DRAWN)
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.matches('li:nth-child(2) > .chair')")
    assert page.locator(".levels").count() == 0
    names = sheet.locator(".chair b").all_inner_texts()
    assert names[1:] == ["Vix", "Bram", "Juno"], "who sat there before stays"
    page.keyboard.press("Enter")
    sheet.get_by_role("button", name="Fill seats around Vix").press("Enter")
    assert sheet.locator(".chair b").all_inner_texts()[1:] == ["Vix", "Otto", "Bo"]
    expect(sheet.get_by_role("button", name="Seat 4: Bo like Vix")).to_have_count(1)
    assert lit.inner_text().strip() == "Play Vix"
    page.reload()
    expect(lit, "it is remembered").to_have_text("Play Vix")
    expect(page.get_by_role("button", name="Play Vix: Chip It")).to_have_count(1)
    press(sheet, "Seat 2: Vix level 5")
    page.get_by_role("radio", name="Bram").check()
    lit.click()
    page.wait_for_selector(".prompt")
    expect(page.locator(".seat .who b")).to_have_text(["Bram", "Otto", "Juno"])
    page.wait_for_function(DRAWN)
    seen = page.locator(".seat .portrait").evaluate_all("(all) => all.map((one) => one.src)")
    assert [src.rpartition("/")[2] for src in seen] == ["bram.svg", "otto.svg", "juno.svg"]


def test_an_opponent_s_whole_name_is_bold_in_the_log(visit):
    page = visit(**STILL)
    table = open_with(page, "chip-it", ["you", "bram", "bram"], options={"players": 3, "first_player": 2})
    page.goto(f"/t/{table}")
    page.locator(".log b", has_text="Bo").first.wait_for()


def test_the_row_of_opponents_fits_a_phone_by_day_and_by_night(visit):
    page = visit("/?game=chi", size=PHONE, **STILL)
    press(page, "Seat 2:")
    page.locator(".level", has_text="Otto").click()
    assert page.locator(".level").evaluate_all("(all) => new Set(all.map((one) => one.offsetTop)).size") == 2
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.wait_for_function(DRAWN)
    assert violations(page) == []


def test_every_opponent_has_a_portrait():
    others = [name.lower() for name in NAMES]
    assert {path.stem for path in (WEB / "faces").glob("*.svg")} == {*FACES, *others}
    drawings = {path.read_text("utf-8") for path in (WEB / "faces").glob("*.svg")}
    assert len(drawings) == len(FACES) + len(NAMES)
    for name, face in FACES.items():
        assert face.colour in (WEB / "faces" / f"{name}.svg").read_text("utf-8")


def test_a_chair_is_left_free_or_a_net_that_learned_the_game_is_seated_and_plays(visit):
    page = visit("/?game=chi", size=PHONE, **STILL)
    press(page, "Seat 2:")
    free, trained = (page.get_by_role("button", name=name) for name in ("Free, by link", "A trained net"))
    free.click()
    assert free.get_attribute("aria-pressed") == "true"
    assert page.locator(CHECKED).count() == 0
    assert page.locator(".chair b").all_inner_texts()[1] == "Free"
    press(page, "Surprise me")
    assert checked(page) in {"pip", "juno", "bram"}, "one of the first for whoever has met nobody"
    trained.click()
    assert trained.get_attribute("aria-pressed") == "true"
    assert page.get_by_role("button", name="Seat 2: A net trained").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    press(page, "Open the table")
    page.wait_for_selector(".prompt")
    expect(page.locator(".seat .who b")).to_have_text(["Learned"])
    page.goto("/?game=chip-it")
    press(page, "Seat 2:")
    assert page.get_by_role("button", name="Surprise me").count() == 1
    assert trained.count() == 0


@pytest.mark.parametrize("you", ["Ada", "Juno", "Bo"])
def test_the_form_of_a_table_names_those_who_will_sit_there_and_shows_their_faces(you, visit):
    page = visit(**STILL)
    name = page.request.post("/api/me", data={"name": you}).json()["name"]  # "Juno (guest)", as Juno is a bot
    page.goto("/?game=war-xtreme")
    sheet = page.locator(".game-sheet")
    sheet.locator(".seg label", has_text="8").first.click()
    expect(sheet.locator(".chair b").first).to_have_text(name)
    names = sheet.locator(".chair b").all_inner_texts()
    sorts = sheet.locator(".chair small").all_inner_texts()
    faces = "(all) => all.map((one) => one.src.split('/').pop())"
    shown = sheet.locator(".chair .portrait").evaluate_all(faces)
    assert len({*names}) == 8
    assert len({*shown}) == 7
    press(sheet, "Open the table")
    expect(page.locator(".seat .who b")).to_have_text(names[1:])
    page.wait_for_function(DRAWN)
    assert page.locator(".seat .portrait").evaluate_all(faces) == shown
    titles = page.locator(".seat").evaluate_all("(all) => all.map((one) => one.title.split(' · ')[1] ?? '')")
    assert titles == [sort if sort.startswith("like ") else "" for sort in sorts[1:]]
    must_have(len(set(titles)), 2, "bots that play like another")


def test_play_at_once_brings_different_opponents(visit):
    page = visit("/?game=chip-it", size=PHONE, **STILL)
    page.locator(".game-sheet .at-once .lit").click()
    page.wait_for_selector(".prompt")
    table = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()
    assert [chair["plays"] for chair in table["chairs"]][1:3] == ["juno", "bram"]
    names = [chair["name"] for chair in table["chairs"]]
    assert len({*names}) == len(names)
    page.wait_for_function(DRAWN)


def test_the_rivals_of_a_lesson_have_portraits(visit):
    page = visit("/learn/war-xtreme/wars", **STILL)
    page.wait_for_selector(".seat .portrait")
    page.wait_for_function(DRAWN)
    seen = page.locator(".seat .portrait").evaluate_all("(all) => all.map((one) => one.src.split('/').pop())")
    assert seen == [f"{name.lower()}.svg" for name in page.locator(".seat .who b").all_inner_texts()]
    assert seen[:2] == ["pip.svg", "juno.svg"]
