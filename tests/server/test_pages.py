"""The pages in real Chromium: cards dragged, half-made moves kept, notices, forced colours, four-fold zoom."""

import contextlib
import json
import random
import re
import sqlite3
from functools import partial

import pytest
from playwright.sync_api import expect

from fairdeal.table.redrawing import CANNOT_SAVE
from tests.conftest import WITH_DRAFTS, chairs, opening
from tests.server.measuring import DRAWN_ANEW
from tests.server.test_browser import NOW, choose_by_clicks, settled, violations
from tests.server.visiting import (
    BOTH_SIZES,
    DESK,
    PHONE,
    STILL,
    Wire,
    middle,
    open_with,
    press,
    sit_at,
    traffic_of,
    wait_until,
    waits_forever,
)

SPREAD = (0.15, 0.2)
"""Where a card is taken hold of: near its upper left corner, which no neighbour covers."""


@pytest.fixture
def sit(visit, room):
    """Opens a table against bots, with the first turn, and waits for it; nothing travels unless it is wished for."""

    def sit_down(name, size=DESK, players=0, **wishes):
        page = visit(size=size, **STILL | wishes)
        page.drafts = drafts_of(page)
        options = {"players": players} if players else opening(name)
        sit_at(page, name, ["you", *["greedy"] * (options["players"] - 1)], options=options)
        page.wait_for_function("() => document.getAnimations().every((one) => one.id !== 'travel')")
        return page

    return sit_down


def drafts_of(page):
    """The drafts that this page has asked for and has no answer to, by their ids."""
    asked = set()

    def sent(text):
        message = json.loads(text)
        if message["type"] == "draft":
            asked.add(message["id"])

    def listen(socket):
        socket.on("framesent", sent)
        socket.on("framereceived", lambda text: asked.discard(json.loads(text).get("id")))

    page.on("websocket", listen)
    return asked


def all_answered(page):
    """Has the page taken the answers to all its drafts, and asked for no other upon them?"""
    page.evaluate(DRAWN_ANEW)
    return not page.drafts


def grip(card):
    box = card.bounding_box()
    return box["x"] + box["width"] * SPREAD[0], box["y"] + box["height"] * SPREAD[1]


def lift(page, card):
    """Take hold of a card and lift it; the server has answered what it leads to when this returns."""
    x, y = grip(card)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 4, y - 30, steps=3)
    page.wait_for_selector(".lifted")
    wait_until(page, partial(all_answered, page))


def drop(page, x, y):
    page.mouse.move(x, y, steps=4)
    page.mouse.up()


def drop_on_the_table(page):
    box = page.locator(".field").bounding_box()
    drop(page, box["x"] + 24, box["y"] + box["height"] - 24)


def wait_for_turn(page):
    page.wait_for_selector(".prompt[data-yours], .verdict")
    page.wait_for_function("() => document.getAnimations().every((one) => one.id !== 'travel')")
    return page.locator(".verdict").count() == 0


def seq(page):
    return page.locator(".log li").count()


def last_line(page):
    return page.evaluate(
        "() => [...document.querySelectorAll('.log li:not(.end)')].at(-1)?.lastChild.textContent ?? ''"
    )


def take_a_turn(page, chance):
    """Click until it is our turn again after something of the bot's, or the game is over."""
    before = seq(page)
    for _ in range(20):
        if not wait_for_turn(page):
            return
        if seq(page) > before and last_line(page).startswith("Bo ") and page.locator(".centre .card[data-can]").count():
            return
        now = page.evaluate(NOW)
        choose_by_clicks(page, now, chance)
        settled(page, now)
    raise AssertionError(f"no turn is over: {now}")


def test_moves_are_made_by_dragging_alone(name_with_drafts, sit):
    page = sit(name_with_drafts)
    is_home = drop_elsewhere(page)
    assert page.locator(".lifted").count() == 0, "with reduced motion it is back at once"
    goes_back(page, is_home)
    done = 0
    for _ in range(30):
        if not wait_for_turn(page):
            break
        before, now = seq(page), page.evaluate(NOW)
        chosen = page.locator(".card[data-sel]")
        cards = page.locator(".card[data-can]:not([data-sel])")
        if now["main"] and chosen.count():
            lift(page, chosen.first)
            drop_on_the_table(page)
            wait_for_a_line(page, before)
            done += 1
        elif cards.count():
            lift(page, cards.last)
            drop_on_the_table(page)
            page.wait_for_selector(".card[data-sel]")
        else:
            choose_by_clicks(page, now, random.Random(1))
            settled(page, now)
        if done == 3:
            return
    raise AssertionError(f"only {done} moves were made by dragging")


def wait_for_a_line(page, before):
    page.wait_for_function("(before) => document.querySelectorAll('.log li').length > before", arg=before)


def test_a_card_dropped_where_its_next_choice_would_put_it_goes_there(sit):
    assert any(attacks_by_dropping(sit("chi"), random.Random(game)) for game in range(5))


def attacks_by_dropping(page, chance):
    """Play until a card of the hand can be dropped on what it attacks; False if the game ends before."""
    while wait_for_turn(page):
        before = seq(page)
        for number in range(page.locator(".hand .card[data-can]").count()):
            lift(page, page.locator(".hand .card[data-can]").nth(number))
            aimed = page.locator(".card[data-drop=part]")
            if aimed.count():
                drop(page, *middle(aimed.first.bounding_box()))
                wait_for_a_line(page, before)
                assert "attack" in page.locator(".log").inner_text()
                return True
            page.keyboard.press("Escape")
            page.mouse.up()
            page.wait_for_selector(".lifted", state="detached")
        take_a_turn(page, chance)
    return False


def drop_elsewhere(page):
    """Drop the first card where nothing takes it. Return a function that says whether it lies where it was."""
    card = page.locator(".card[data-can]").first
    home = card.bounding_box()
    lift(page, card)
    assert page.locator("[data-drop=area]").count() > 0
    prompt = page.locator(".prompt").bounding_box()
    drop(page, prompt["x"] + 300, prompt["y"] + 8)
    return lambda: card.bounding_box() == home


def goes_back(page, is_home):
    page.wait_for_selector(".lifted", state="detached")
    assert page.locator("[data-drop], [data-gone], .card[data-sel]").count() == 0
    page.mouse.move(2, 2)
    wait_until(page, is_home)


def test_a_card_dropped_elsewhere_goes_back(name_with_drafts, sit):
    page = sit(name_with_drafts, reduced_motion="no-preference")
    goes_back(page, drop_elsewhere(page))


RESTS = waits_forever(350)
"""A finger that rests so long looks at the card; on a slow machine, one that moves would, too."""


def touch(page, kind, *points, lifts=False):
    """Move a finger from point to point. How many cards it has lifted."""
    page.evaluate(f"() => {RESTS}")
    session = page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(points):
        started = "touchStart" if number == 0 else "touchMove"
        session.send("Input.dispatchTouchEvent", {"type": started, "touchPoints": [{"x": x, "y": y}]})
        if number:
            page.wait_for_timeout(20)
    if lifts:
        page.wait_for_selector(".lifted")
    held = page.locator(".lifted").count()
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": []})
    return held


def test_a_finger_lifts_upwards_and_scrolls_or_arranges_sideways(name_with_drafts, sit):
    page = sit(name_with_drafts, size=PHONE, has_touch=True, is_mobile=True)
    card = page.locator(".card[data-can]").first
    x, y = grip(card)
    loose = card.evaluate("card => card.matches('[data-loose] *')")
    assert touch(page, "touchEnd", (x, y), (x + 20, y + 2), (x + 60, y + 4), (x + 90, y + 4), lifts=loose) == loose
    expect(page.locator(".card[data-sel], .lifted")).to_have_count(0)
    field = page.locator(".field").bounding_box()
    middle = field["y"] + field["height"] - 6
    up = [(x, y), (x, y - 12 if middle < y else y + 12), (x, (y + middle) / 2), (x, middle)]
    assert touch(page, "touchEnd", *up, lifts=True) == 1
    page.wait_for_selector(".card[data-sel]")


def choose_a_card(page, which="first"):
    getattr(page.locator(".card[data-can]"), which).click(position={"x": 12, "y": 20}, force=True)
    page.wait_for_selector(".card[data-sel]")
    return page.locator(".card[data-sel]").get_attribute("data-id")


def test_a_half_made_move_survives_a_lost_connection(name_with_drafts, sit, room):
    """What cannot be kept while the room is away is refused, and seen to be refused."""
    page = sit(name_with_drafts)
    lost = page.get_by_text("Connection lost")
    chosen = choose_a_card(page)
    assert page.locator(".app").get_attribute("data-lost") is None
    room.kill()
    lost.wait_for()
    page.wait_for_selector(".app[data-lost]")
    page.keyboard.press("Escape")
    page.wait_for_selector(".status-line[data-refused]")
    room.start()
    lost.wait_for(state="detached")
    page.wait_for_selector(f".app:not([data-lost]) .card[data-sel][data-id='{chosen}']")
    assert page.locator(".card[data-sel]").count() == 1
    page.keyboard.press("Escape")
    page.wait_for_selector(".app:not(:has(.card[data-sel]))")
    choose_a_card(page)


def overhear(page):
    """Return the wire of a page, which keeps the last scene, counts the drafts that are answered, and refuses drafts if
    `refuses` is true."""

    def from_room(message):
        if message.get("scene"):
            is_draft = bool(message["scene"].get("draft"))
            wire.drafts += is_draft
            wire.last = wire.last if is_draft else message["scene"]
        return message

    def from_page(message):
        if not wire.refuses or message["type"] != "draft":
            return message
        wire.tell({"type": "refused", "id": message["id"], "reason": "not possible now"})
        return None

    wire = Wire(page, from_room, from_page)
    wire.refuses, wire.drafts, wire.last = False, 0, None
    page.reload()
    page.wait_for_selector(".prompt[data-yours]")
    return wire


def test_a_half_made_move_is_kept_when_a_scene_comes_from_elsewhere_if_it_still_fits(name_with_drafts, sit):
    page = sit(name_with_drafts, overheard=True)
    wire = overhear(page)
    chosen = choose_a_card(page)
    known = wire.drafts
    wire.show(wire.last)
    wait_until(page, lambda: wire.drafts > known)
    page.evaluate(DRAWN_ANEW)
    assert page.locator(".card[data-sel]").get_attribute("data-id") == chosen
    wire.refuses = True
    wire.show(wire.last)
    page.get_by_text("Your unfinished move is no longer possible").wait_for()
    expect(page.locator(".card[data-sel]")).to_have_count(0)


CLAUSES_SEEN = """(lines) => lines === [...document.querySelectorAll('.log .clauses')]
    .filter((one) => getComputedStyle(one).opacity > 0).length"""


def test_the_log_is_one_tab_stop_and_its_clauses_are_shown_where_one_points_or_has_the_focus(sit):
    """The arrows move within it."""
    page, chance = sit("chi"), random.Random(5)
    while page.locator(".log .clause").count() < 3:
        take_a_turn(page, chance)
    clauses = page.locator(".log .clause")
    expect(page.locator(".log .clause[tabindex='0']")).to_have_count(1)
    page.mouse.move(2, 2)
    page.wait_for_function(CLAUSES_SEEN, arg=0)
    page.locator(".log li:has(.clause)").last.hover()
    page.wait_for_function(CLAUSES_SEEN, arg=1)
    page.mouse.move(2, 2)
    clauses.last.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    assert clauses.nth(-2).evaluate("(clause) => clause === document.activeElement && clause.tabIndex === 0")
    page.wait_for_function(CLAUSES_SEEN, arg=1)
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.matches('.log *')")
    take_a_turn(page, chance)
    expect(page.locator(".log [tabindex='0']")).to_have_count(1)


NOTICES = """
window.told = [];
window.Notification = class { constructor(title, more) { told.push([title, more.body]); } close() {} };
window.Notification.permission = 'default';
window.Notification.requestPermission = async () => (window.Notification.permission = 'granted');
Object.defineProperty(document, 'hidden', { get: () => window.away ?? false });
"""


def test_a_notice_tells_a_hidden_page_that_it_is_your_turn_if_it_was_asked_for(visit):
    page, chance = visit(), random.Random(3)
    page.add_init_script(NOTICES)
    sit_at(page, "chi", options={"first_player": 0})
    page.evaluate("window.away = true")
    take_a_turn(page, chance)
    assert page.evaluate("told") == []
    press(page, "Tell me when it is my turn")
    page.get_by_role("button", name="Stop telling me").wait_for()
    take_a_turn(page, chance)
    page.wait_for_function("() => told.length > 0")
    told = len(page.evaluate("told"))
    assert "Your turn" in page.evaluate("told")[0][0]
    page.evaluate("window.away = false")
    take_a_turn(page, chance)
    assert len(page.evaluate("told")) == told


def test_forced_colours_can_be_played(name_of_a_kind, sit):
    """Axe looks at forced colours in test_browser."""
    page = sit(name_of_a_kind, forced_colors="active")
    cards = page.locator(".card[data-can]")
    if cards.count():  # not buttons alone
        ring = "(card) => [getComputedStyle(card).outlineStyle, parseFloat(getComputedStyle(card).outlineWidth)]"
        style, width = cards.first.evaluate(ring)
        assert style != "none"
        assert width >= 2
        if name_of_a_kind in WITH_DRAFTS:
            choose_a_card(page)
            assert page.locator(".card[data-sel]").evaluate(ring) != [style, width]
    play_some(page)


def play_some(page, moves=3):
    chance = random.Random(4)
    start = seq(page)
    for _ in range(60):
        if not wait_for_turn(page) or seq(page) >= start + moves:
            return
        now = page.evaluate(NOW)
        choose_by_clicks(page, now, chance)
        settled(page, now)
    raise AssertionError(f"fewer than {moves} moves were made")


FOURFOLD = {"width": 320, "height": 256}


def test_fourfold_zoom_can_be_played_and_axe_finds_nothing(name_of_a_kind, sit):
    page = sit(name_of_a_kind, size=FOURFOLD)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    cards = [".card[data-can]"] if page.locator(".card[data-can]").count() else []
    for part in (".prompt .ask b", *cards, ".top button >> nth=-1"):
        page.locator(part).first.scroll_into_view_if_needed()
        box = page.locator(part).first.bounding_box()
        assert 0 <= box["x"] <= 320 - box["width"], part
    play_some(page)


STRIPS = """() => {
    const boxes = [...document.querySelectorAll('.card[data-can]')].map((card) => {
        const own = card.getBoundingClientRect(), zone = card.closest('.cards');
        const others = [...zone.querySelectorAll('.card')].map((one) => one.getBoundingClientRect());
        const right = others.filter((one) => Math.abs(one.top - own.top) < 20 && one.left > own.left + 1);
        const below = others.filter((one) => Math.abs(one.left - own.left) < 20 && one.top > own.top + 1);
        const width = Math.min(own.width, ...right.map((one) => one.left - own.left));
        return [card.dataset.id, width, Math.min(own.height, ...below.map((one) => one.top - own.top)), own.right];
    });
    return boxes.filter(([, width, height, right]) => width < 44 || height < 44 || right > innerWidth);
}"""


def test_every_card_to_tap_shows_a_strip_as_wide_as_a_finger(name_with_drafts, sit):
    page = sit(name_with_drafts, size=PHONE, players=2 if name_with_drafts == "chi" else 4)
    assert page.evaluate(STRIPS) == []
    choose_a_card(page, "last")
    assert page.evaluate(STRIPS) == []


def test_the_page_shows_who_may_come_back_and_that_the_room_cannot_save(visit, room, guests):
    page = visit(size=PHONE)
    table = open_with(page, "chi", ["you", "person"], options={"first_player": 0})
    ben = guests("Ben")
    ben.post(f"/api/tables/{table}/join")
    ben.connect(table)
    page.goto(f"/t/{table}")
    page.wait_for_selector(".prompt[data-yours]")
    ben.close()
    soon = page.get_by_role("button", name=re.compile(r"^Away, a bot in (10|[1-9]) s$"), disabled=True)
    soon.wait_for()
    bot = page.get_by_role("button", name="Let a bot play on")
    assert bot.count() == 0
    with contextlib.closing(sqlite3.connect(room.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        page.locator('.zone[data-zone="deck"] .card[data-can], .card[data-can]').first.click(
            position={"x": 12, "y": 20}
        )
        page.locator(".prompt .btn.main, .banner").first.wait_for()
        if page.locator(".prompt .btn.main").count():
            page.locator(".prompt .btn.main").last.click()
        page.wait_for_selector(".banner")
        banner = page.locator(".banner")
        assert banner.inner_text().strip() == CANNOT_SAVE
        box = banner.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        page.locator(".status-line").get_by_text("your move was not made, try again").wait_for()
        other.execute("ROLLBACK")
    page.wait_for_selector(".banner", state="detached")
    bot.wait_for()
    bot.click()
    page.locator(".seat .who small").get_by_text("away, a bot plays on").wait_for(state="attached")


ESCAPES_AGAIN = """() => new MutationObserver((changes, watching) => {
    if (document.querySelector('[role=dialog]')) return;
    watching.disconnect();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
}).observe(document.body, { childList: true, subtree: true })"""
"""Escape once more as soon as nothing lies over the table: a key means what is drawn when it is pressed."""


@BOTH_SIZES
def test_a_hint_tells_chances_that_get_better_while_it_is_read(sit, size):
    """The best moves are read with a key, keep what stands there, and go with the hint."""
    page = sit("chi", size=size)
    page.keyboard.press("h")
    chances = page.get_by_role("button", name="the next best moves")
    chances.wait_for()
    assert re.fullmatch(r"[<>]?\d{1,2}\s%|%", chances.inner_text().strip())
    page.keyboard.press("l")
    moves = page.get_by_role("dialog", name="The best moves")
    moves.wait_for()
    rows = moves.get_by_role("listitem")
    assert 2 <= rows.count() <= 3
    assert all(re.search(r"\d\s%\s*± \d", row.inner_text()) for row in rows.all())
    assert "Chances to win" in moves.inner_text()
    assert violations(page) == []
    page.evaluate(ESCAPES_AGAIN)
    page.keyboard.press("Escape")
    chances.wait_for(state="detached")


def test_a_hint_is_carried_out_with_one_click_or_one_key(name_of_a_kind, visit):
    page = visit(**STILL)
    said, heard = traffic_of(page)
    sit_at(page, name_of_a_kind, chairs(name_of_a_kind, "you"), options=opening(name_of_a_kind))
    page.keyboard.press("h")
    button = page.get_by_role("button", name="Do it")
    if name_of_a_kind in WITH_DRAFTS:
        button.wait_for()
        page.keyboard.press("x")
    else:
        button.click()
    wait_until(page, lambda: any(one["type"] == "pick" for one in said))
    page.wait_for_selector(".status-line:not([data-kind=hint])")
    (picked,) = [one for one in said if one["type"] == "pick"]
    wait_until(page, lambda: any(one.get("id") == picked["id"] for one in heard))
    advised = [one["choices"] for one in heard if one["type"] == "answer"]
    assert [*picked["draft"], picked["choice"]] in advised
    (done,) = [one for one in heard if one.get("id") == picked["id"]]
    assert done["type"] == "done"
    assert done["seq"] > picked["seq"]


# --- a hint -------------------------------------------------------------------------------------------------------


def hints_that_change(page):
    """Answer requests for hints: the first with one move, further thought with the next ones, one for each call of
    what is returned."""
    waits = []

    def from_page(message):
        if message["type"] != "hint":
            return message
        waits.append(message["id"])
        return None

    wire = Wire(page, from_page=from_page)
    page.reload()
    page.wait_for_selector(".prompt[data-yours]")

    def answer(choice, text, look):
        wait_until(page, lambda: waits)
        options = [{"notation": f"move {choice}", "text": text, "chance": choice / 4, "error": 0.1}]
        told = {"type": "answer", "id": waits.pop(), "text": text, "choices": [choice], "move": f"move {choice}"}
        wire.tell(told | {"options": options, "of": "to win"} | ({"look": look} if look else {}))

    return answer


@BOTH_SIZES
def test_a_hint_stays_and_a_better_one_is_offered_beside_it(size, sit):
    page = sit("chip-it", size=size, overheard=True)
    answer, line = hints_that_change(page), page.locator(".status-line[data-kind=hint]")
    page.keyboard.press("h")
    answer(1, "First this.", 1)
    expect(line.locator("p")).to_contain_text("First this.")
    place = line.get_by_role("button", name="Do it").bounding_box()
    answer(2, "Rather that.", 2)
    better = line.get_by_role("button", name="Better")
    expect(better).to_have_attribute("title", "Rather that.")
    expect(line.locator("p")).to_contain_text("First this.")
    assert line.locator(".chances").inner_text() == "%", "those of another move are not told as its own"
    assert line.get_by_role("button", name="Do it").bounding_box() == place
    page.keyboard.press("h")
    expect(line.locator("p")).to_contain_text("Rather that.")
    expect(better).to_have_count(0)
    expect(line.locator(".chances")).to_have_text("50\u00a0%")
    answer(1, "First this.", 3)
    expect(better).to_have_attribute("title", "First this.")
    answer(2, "Rather that.", 0)
    expect(better).to_have_count(0)
