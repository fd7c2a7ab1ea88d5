"""Lessons in the room: over a connection as a program takes them, and in Chromium with keys alone."""

import contextlib
import re

import msgspec
import pytest
from playwright.sync_api import TimeoutError, expect
from websockets.exceptions import ConnectionClosed

import fairdeal
from fairdeal.engine.registry import find_game
from fairdeal.protocol import messages as m
from fairdeal.table.lessons import BACK, NEXT, SKIP, find_script, lesson_files, offers_of
from tests.server.measuring import resize
from tests.server.test_browser import violations
from tests.server.visiting import BOTH_SIZES, DESK, PHONE, STILL, press

WITH_LESSONS = [name for name in fairdeal.game_names() if lesson_files(find_game(name))]


OWN_INK = "(one) => getComputedStyle(one).forcedColorAdjust === 'none'"
"""What is only a filled shape keeps its ink where the system gives out its own, or nobody sees it."""


def learn(guest, game="chi", step=""):
    return guest.connect_to(f"/api/lessons/{game}/first/play{step and f'?step={step}'}")


def next_step(guest):
    """Do what the step asks for, pick by pick, until the next one."""
    step, scene, draft = guest.scene["lesson"]["step"], guest.scene, []
    while True:
        choice = scene["choices"][0]["id"]
        answer = guest.ask("pick", seq=scene["seq"], choice=choice, draft=draft)
        if answer["type"] != "scene":
            break
        scene, draft = answer["scene"], answer["scene"]["draft"]["picks"]
    assert answer["type"] == "done", answer
    while guest.scene.get("lesson", {}).get("step") == step:
        guest.hear()


@pytest.mark.parametrize("game", ["chi", "chip-it", "chimax-books", "war-xtreme"])
def test_a_lesson_is_taken_to_its_end_and_goes_on(guests, game):
    ada = guests()
    welcome = learn(ada, game)
    assert welcome["facts"]["lesson"] == "first"
    assert welcome["protocol"] == m.PROTOCOL
    following = [*offers_of(find_game(game)), None][1]
    assert welcome["facts"]["next_lesson"] == (following and msgspec.to_builtins(following))
    steps = find_script(game).steps
    for number, step in enumerate(steps, start=1):
        assert ada.scene["lesson"] == {**ada.scene["lesson"], "step": number, "of": len(steps)}
        assert (ada.scene["prompt"]["mode"], ada.scene["prompt"]["text"]) == ("yours", step.text)
        next_step(ada)
    assert "lesson" not in ada.scene
    assert ada.scene["choices"]
    told = [line["number"] for message in ada.heard for line in message.get("log", ())]
    assert told == sorted(told)


def test_a_lesson_refuses_what_it_does_not_ask_for_and_is_not_among_the_tables(guests):
    ada = guests()
    learn(ada)
    next_step(ada)
    lobby = ada.get("/api/lobby")
    assert lobby["mine"] == lobby["open"] == []
    assert ada.http.get("/api/tables/chi-first").status_code == 404
    seq, words = ada.scene["seq"], find_script("chi").steps[1].text
    for choice in (0, NEXT, 10**9, -99):
        answer = ada.ask("pick", seq=seq, choice=choice, draft=[])
        assert (answer["type"], answer["reason"]) == ("refused", words)
    assert ada.ask("pick", seq=seq, choice=3, draft=[5, 5])["type"] == "refused"
    assert ada.ask("pick", seq=seq + 1, choice=3)["reason"] == "the table has moved on; look again"
    for kind, facts in {"undo": {"seq": seq}, "say": {"text": "hello"}, "play": {"seq": seq, "move": "draw 3"}}.items():
        assert ada.ask(kind, **facts)["type"] == "refused"
    assert ada.ask("why", card="hand0/yin-red.1")["text"] == words
    assert ada.ask("hint")["choices"] == [3]
    assert ada.ask("ping")["seq"] == seq


def test_a_lesson_goes_on_where_it_was_cut_off_and_goes_back(guests):
    ada = guests()
    learn(ada, step="4")
    assert ada.scene["lesson"]["step"] == 4
    assert ada.ask("pick", seq=ada.scene["seq"], choice=BACK)["type"] == "done"
    ada.until("welcome")
    assert ada.scene["lesson"]["step"] == 3
    assert ada.ask("pick", seq=ada.scene["seq"], choice=SKIP)["type"] == "done"
    while ada.scene["lesson"]["step"] == 3:
        ada.hear()
    assert ada.scene["lesson"]["step"] == 4


def test_there_are_only_the_lessons_that_the_shelf_names(guests):
    ada = guests()
    offered = {game["name"]: [lesson["name"] for lesson in game["lessons"]] for game in ada.get("/api/games")}
    assert len(WITH_LESSONS) >= 11
    assert [name for name, lessons in offered.items() if lessons] == WITH_LESSONS
    assert all("first" in offered[name] for name in WITH_LESSONS)
    for path in ("chi/second", "chess/first", "chi/%2e%2e"):
        with pytest.raises((ConnectionClosed, AssertionError, Exception), match=r"4404|no |HTTP"):
            ada.connect_to(f"/api/lessons/{path}/play")
        assert ada.http.get(f"/api/lessons/{path}/faces").status_code in (400, 404)


@BOTH_SIZES
def test_a_lesson_is_taken_with_keys_alone_and_the_game_goes_on(visit, size):
    page = visit("/learn/chi/first", size=size, **STILL)
    steps, looked_at = find_script("chi").steps, set()
    for number, step in enumerate(steps, start=1):
        page.wait_for_selector(f'.coach[aria-label^="Lesson, step {number} of {len(steps)}:"]:not([data-wait])')
        assert page.locator(".coach .ask b").inner_text() == step.text
        assert page.locator(".ticks [data-now]").count() == 1
        assert page.locator(".status-line .why").count() == 0, "something is refused that nobody asked for"
        onward = page.locator(".coach a", has_text="Next lesson")
        assert onward.count() == (number == len(steps))
        lit = page.locator(".card[data-can]").count()
        assert lit <= 1, "more is lit than the step asks for"
        if step.at or lit:
            page.wait_for_selector(".coach-wedge")
            page.emulate_media(forced_colors="active")
            assert page.locator(".coach-wedge i").count() >= lit, "a zone has a frame alone, a card is pointed at"
            for wedge in page.locator(".coach-wedge i").all():
                assert wedge.evaluate(OWN_INK), "nothing points in forced colours"
            page.emulate_media(forced_colors="none")
        parts = bool(step.at), lit, onward.count()
        if parts not in looked_at:  # the others differ in words and cards alone
            assert violations(page) == []
        looked_at.add(parts)
        ask, answers = (page.locator(f".coach {part}").bounding_box() for part in (".ask", ".acts"))
        assert size is DESK or ask["y"] + ask["height"] <= answers["y"] + 1, "the words run into the buttons"
        page.keyboard.press("Enter")
        if lit:
            page.wait_for_selector(".card[data-sel]")
            page.keyboard.press("Enter")
    page.wait_for_selector(".prompt[data-yours]:not(.coach)")
    assert page.locator(".card[data-can]").count() > 1
    assert page.locator(".coach-wedge").count() == 0
    page.locator(".leave").click()
    page.wait_for_selector(".box .cover")
    assert page.evaluate("Object.keys(JSON.parse(localStorage.getItem('fairdeal learnt')))") == ["chi"]


COVERED = """() => {
    const wedge = document.querySelector('.coach-wedge i');
    const ring = document.querySelector('.zone:has(> [data-layout=ring])');
    const recruits = ring && getComputedStyle(ring).position === 'absolute' ? ring : null;
    const texts = document.createTreeWalker(document.querySelector('.table'), NodeFilter.SHOW_TEXT), found = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const holder = node.parentElement, range = document.createRange();
        if (!node.data.trim() || holder.closest('.card, .sr') || !holder.checkVisibility()) continue;
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            const hidden = (above) => {
                const { left, right, top, bottom } = above?.getBoundingClientRect() ?? box;
                const width = Math.min(box.right, right) - Math.max(box.left, left);
                const height = Math.min(box.bottom, bottom) - Math.max(box.top, top);
                return above && width > 1 && height > 1 ? width * height : 0;
            };
            const part = recruits?.contains(holder) ? 0 : hidden(recruits) / (box.width * box.height);
            if (hidden(wedge) || (part && part < 0.9)) found.push(node.data);
        }
    }
    return found;
}"""
"""Words under the wedge, other than those on cards, and words that are half hidden by recruits over the middle."""


@pytest.mark.parametrize("game", WITH_LESSONS)
def test_the_pointer_of_a_lesson_covers_no_words(game, visit):
    page, steps, pointed = visit(f"/learn/{game}/first", **STILL), len(find_script(game).steps), 0
    for number in range(1, steps + 1):
        page.wait_for_selector(f'.coach[aria-label^="Lesson, step {number} of {steps}:"]:not([data-wait])')
        for label, size in {"desk": DESK, "phone": PHONE}.items():
            resize(page, size)
            with contextlib.suppress(TimeoutError):  # it looks again when cards have travelled
                page.wait_for_function(f"() => !({COVERED})().length", timeout=2000)
            assert page.evaluate(COVERED) == [], f"step {number}, {label}"
            pointed += page.locator(".coach-wedge").count()
        if number < steps:
            page.locator(".coach .acts").get_by_role("button", name=re.compile("^(I know this|Next)")).click()
    assert pointed > 2


def test_backspace_shows_the_step_before_and_what_is_not_asked_for_is_said(visit):
    page = visit("/learn/chip-it", **STILL)
    page.wait_for_selector(".learn .lesson")
    titles = [offer.title for offer in offers_of(find_game("chip-it"))]
    assert page.locator(".learn .lesson b").all_inner_texts() == titles
    assert violations(page) == []
    page.locator(".learn .lesson").first.click()
    for number in (1, 2):
        page.wait_for_selector(f'.coach[aria-label^="Lesson, step {number} "]:not([data-wait])')
        page.keyboard.press("Enter")
    page.wait_for_selector('.coach[aria-label^="Lesson, step 3 "]:not([data-wait])')
    page.locator('.hand .card[data-id*="/12g"]').click(force=True)
    page.wait_for_selector('.why:has-text("Your purple 4 and your green 6")')
    page.keyboard.press("Backspace")
    page.wait_for_selector('.coach[aria-label^="Lesson, step 2 "]')
    page.keyboard.press("Escape")
    page.wait_for_selector(".leave:focus")


def test_a_lesson_that_is_won_offers_a_whole_game(visit):
    page = visit("/learn/chimax-order", **STILL)
    for number in range(1, len(find_script("chimax-order").steps) + 1):
        page.wait_for_selector(f'.coach[aria-label^="Lesson, step {number} "]:not([data-wait])')
        page.locator(".coach .btn", has_text="I know this").or_(page.locator(".coach .btn.main")).first.click()
    page.wait_for_selector(".prompt:not(.coach)")
    for place in (5, 8):
        card = page.locator(f'.card[data-can][aria-label^="place {place},"]')
        card.click()
        card.wait_for(state="detached")
    page.wait_for_selector('.coach[aria-label="The lesson is over"]')
    expect(page.locator(".coach[data-won] .help")).to_have_text(
        "You know the game now, and have won one. Play a full game?"
    )
    expect(page.locator(".status-line")).not_to_contain_text("Keep playing")
    assert violations(page) == []
    press(page, "New game")
    page.wait_for_url("**/t/*")
    page.wait_for_selector(".prompt:not(.coach)")
    chairs = page.request.get(page.url.replace("/t/", "/api/tables/")).json()["chairs"]
    assert [chair["plays"] for chair in chairs[1:]] == ["pip"], "the kindest one first"


def test_a_lesson_that_is_not_there_leads_to_the_shelf(visit):
    page = visit("/learn/nothing")
    page.get_by_role("heading", name="No such lesson").wait_for()
    page.get_by_role("link", name="To the lobby").click()
    page.wait_for_selector(".box .cover")
