"""The rules for people and the card inspector in real Chromium."""

import contextlib
import re

from playwright.sync_api import TimeoutError, expect

import fairdeal
from tests.server.test_browser import AXE
from tests.server.visiting import DESK, PHONE, STILL, open_with, press, sit_at

PRESSES, PRESSED = 6, 5000
"""Number of long presses that are tried, and the milliseconds in which one is answered."""

RULES = """(page) => axe.run(page, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })"""


def axe_clean(page, part):
    page.evaluate(AXE)
    found = page.evaluate(RULES, part)
    assert found["passes"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]] == []


def test_every_page_prints_on_two_pages(visit):
    page = visit("/")
    for name in fairdeal.game_names():
        page.goto(f"/rules/{name}")
        page.wait_for_selector(".told")
        drawn = page.locator(".drawn .card").count()
        assert drawn > 15 or not fairdeal.find_game(name).page, name
        printed = page.pdf(format="A4", prefer_css_page_size=True)
        assert 1 <= len(re.findall(rb"/Type */Page\b(?!s)", printed)) <= 2, name


def test_rules_open_their_clauses_alone_and_beside_a_table(visit):
    page = visit("/rules/chi")
    page.wait_for_selector(".told .card")
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        axe_clean(page, "main")
    assert page.locator(".told.goal").evaluate("(goal) => getComputedStyle(goal).webkitLineClamp") == "none"
    expect(page).to_have_title("Chi, the rules · fairdeal")
    page.get_by_role("button", name="CHI-31").first.click()
    expect(page.locator(".rule[data-here] b")).to_have_text("CHI-31")
    axe_clean(page, "main")
    press(page, "The rules in short")
    page.wait_for_selector(".told")
    page.goto("/rules/chi#CHI-12")
    page.reload()
    page.wait_for_selector("#clause-CHI-12[data-here]")
    page.set_viewport_size(DESK)
    play(page, "chi", hand_limit=7)
    page.get_by_role("tab", name="Rules").click()
    expect(page.locator(".told .here").last).to_have_text("You may keep 7 cards at this table.")
    axe_clean(page, ".tabpanel")
    press(page, "Show rule notes again")
    expect(page.get_by_role("button", name="Notes are back on")).to_be_disabled()
    press(page, "Every rule, by number")
    page.wait_for_selector(".rule")
    page.get_by_label("Find in the rules").fill("shuffle")
    assert 0 < page.locator(".rule:visible").count() < 20
    assert page.locator(".panel h3:visible").count() <= page.locator(".rule:visible").count()


def play(page, game, **options):
    """Open a table against a bot, with the first turn."""
    sit_at(page, game, options={"first_player": 0} | options)


def answered(touch, panel, cancel=lambda: None):
    """Touch until the panel opens: Chromium ignores touches before it has drawn a new page, and the page before it has
    loaded what reads cards."""
    for _ in range(PRESSES):
        touch()
        with contextlib.suppress(TimeoutError):
            panel.wait_for(timeout=PRESSED)
            return
        cancel()  # a press that a busy machine saw late would end as a tap
    raise AssertionError("no card is read")


def test_a_card_is_read_by_hover_and_kept_by_i(visit):
    page = visit(**STILL)
    play(page, "chaos-ninjas")
    card, panel = page.locator("[data-zone=row] .card").first, page.locator(".inspector")
    box = card.bounding_box()
    answered(lambda: (page.mouse.move(2, 300), page.mouse.move(box["x"] + 8, box["y"] + 8)), panel)
    words = panel.inner_text()
    assert "You can take" in words
    assert "NINJA-" in words
    drawn, prompt = panel.bounding_box(), page.locator(".prompt").bounding_box()
    assert drawn["y"] + drawn["height"] <= prompt["y"]
    assert drawn["x"] >= box["x"] + box["width"] or drawn["y"] >= box["y"] + box["height"]
    page.mouse.move(2, 300)
    panel.wait_for(state="detached")
    card.focus()
    page.keyboard.press("i")
    panel.wait_for()
    expect(panel).to_be_focused()
    axe_clean(page, ".inspector")
    page.keyboard.press("Escape")
    panel.wait_for(state="detached")
    expect(card).to_be_focused()
    assert page.locator(".prompt[data-yours]").count() == 1  # nothing was played
    for event in ("pointerdown", "pointerover"):  # what a move brings under a mouse that rests is not read
        card.dispatch_event(event, {"clientX": 5, "clientY": 5})
    page.wait_for_timeout(700)
    assert panel.count() == 0


TAPPED = {"detail": 1}
"""The click of a browser after a tap; one without a count is made by an assistive program."""


def point(card, *kinds):
    for kind in kinds:
        card.dispatch_event(kind, {"pointerType": "touch", "isPrimary": True, "bubbles": True})


def test_a_long_press_reads_cards_and_piles_on_a_phone(visit):
    """The click after it counts for nothing, however late it comes: a busy phone sent it after the 60 ms that it was
    waited for, and a card was chosen."""
    page = visit(size=PHONE, has_touch=True, **STILL)  # or a card would not be where the finger comes down
    play(page, "chi")
    finger = page.context.new_cdp_session(page)

    def touch(kind, *cards):
        boxes = [card.bounding_box() for card in cards]
        at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + 10} for box in boxes]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    panel, chosen = page.locator(".inspector"), page.locator(".prompt .btn.main kbd")
    row = page.locator("[data-zone=row] .card").first
    answered(lambda: touch("touchStart", row), panel, lambda: touch("touchCancel"))
    first = panel.inner_text()
    touch("touchMove", page.locator(".hand .card").last)
    page.wait_for_function("(was) => document.querySelector('.inspector')?.innerText !== was", arg=first)
    touch("touchEnd")
    assert panel.is_visible()
    assert chosen.count() == 0  # the press chose nothing
    assert panel.locator(".large .card").is_visible()
    axe_clean(page, ".inspector")
    press(panel, "Close")
    panel.wait_for(state="detached")
    card = page.locator("button.card[data-can]").first
    answered(lambda: point(card, "pointerdown"), panel, lambda: point(card, "pointercancel"))
    point(card, "pointerup")
    page.wait_for_timeout(500)
    card.dispatch_event("click", TAPPED)
    page.wait_for_timeout(200)
    assert chosen.count() == 0
    point(card, "pointerdown", "pointerup")
    card.dispatch_event("click", TAPPED)
    chosen.wait_for(state="attached")


def test_a_tap_that_chooses_nothing_reads_the_card(visit):
    """On the small cards of CHAOS NINJAS drawings stand for the names of abilities."""
    player, page = visit(), visit(size=PHONE, has_touch=True, **STILL)
    table = open_with(player, "chaos-ninjas", ["you", "greedy"], options={"players": 2, "first_player": 0})
    page.goto(f"/t/{table}?watch")
    card = page.locator("[data-zone=row] .card[data-kind=defender]").first
    card.wait_for()
    assert card.locator(".art use").get_attribute("href").startswith("#ninja-")
    assert not card.locator(".foot").is_visible()
    name = card.get_attribute("aria-label")
    panel = page.get_by_role("dialog", name=name)
    answered(lambda: point(card, "pointerdown", "pointerup"), panel.locator(".large .foot"))
    assert name.endswith(panel.locator(".foot").inner_text().title())


def test_the_room_tells_of_cards_only_what_a_guest_may_see(guests):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "greedy"], options={"first_player": 0})["id"]
    ada.connect(table)
    zones = {zone["id"]: zone for zone in ada.scene["zones"]}
    own = zones["hand0"]["cards"][0]
    told = ada.ask("inspect", card=own["id"])
    assert told["type"] == "inspected"
    assert told["told"]["face"] == own["face"]
    hidden = ada.ask("inspect", card=zones["hand1"]["cards"][0]["id"])["told"]
    assert "face" not in hidden
    assert hidden["seen"] == "One of 43 that you cannot see."
    assert ada.ask("inspect", card="deck-top")["told"]["name"].startswith("Deck: 40 cards")
    assert ada.ask("inspect", card="nothing")["type"] == "refused"
    watcher = guests("Wim")
    watcher.connect(table)
    assert "face" not in watcher.ask("inspect", card=own["id"]).get("told", {})
