"""One press makes one move: what begins before its player can have seen the question is ignored, and seen to be."""

import math
import os
import random
import re

import pytest
from playwright.sync_api import expect

import fairdeal
from fairdeal.testing.play import play_at_random
from tests.conftest import SHORT, chairs, opening
from tests.server.conftest import PORT, ForkedRoom
from tests.server.test_browser import NOW, POINTS
from tests.server.visiting import (
    DESK,
    INSTANT,
    PHONE,
    STILL,
    Wire,
    middle,
    open_with,
    sit_at,
    wait_until,
    wait_until_over,
)

GESTURES = int(os.environ.get("FAIRDEAL_PRESSES", "3"))
"""Number of gestures, and of quick moves, in each game. A larger number plays longer, through questions of more kinds:
`FAIRDEAL_PRESSES=20 uv run pytest tests/server/test_presses.py`."""

PAUSE = 0.03
"""Pause of the bots, in seconds: short, but not 0, at which the page ignores nothing."""

SOON = 300
"""Time, in milliseconds, in which nobody can have seen a question."""

NOTED = """{
    window.begun = [];
    const note = ({ timeStamp, repeat, isTrusted }) => isTrusted && begun.push([timeStamp, Boolean(repeat)]);
    for (const name of ['pointerdown', 'keydown']) addEventListener(name, note, true);
}"""
"""Notes when presses begin."""

OFFERED = (
    ".prompt .acts .btn:not(.more), .prompt .opt, .seat .aim, .card[data-can], .answer:not(:disabled), .wheel[data-can]"
)


@pytest.fixture
def room(database, tmp_path, deal):
    process = ForkedRoom(database, pause=PAUSE, port=PORT, errors=tmp_path / "room.db.errors", chance=deal)
    yield process
    process.stop()


class Moves(Wire):
    """The moves that a page has made, which the room has carried out."""

    def __init__(self, page):
        self.asked, self.made = set(), 0
        super().__init__(page, self.hear, self.ask)

    def ask(self, message):
        if message["type"] == "pick":
            self.asked.add(message["id"])
        return message

    def hear(self, message):
        self.made += message["type"] == "done" and message.get("id") in self.asked
        return message


def click_twice(page, place, gap):
    for wait in (gap, 0):
        page.mouse.click(*place)
        page.wait_for_timeout(wait)


def tap_twice(page, place):
    for wait in (120, 0):
        page.touchscreen.tap(*place)
        page.wait_for_timeout(wait)


def hold(page, key):
    for _ in range(12):
        page.keyboard.down(key)
        page.wait_for_timeout(30)
    page.keyboard.up(key)


def gestures(page, has_touch):
    """Gestures that a player means as one press, each on a control at a place that has the focus."""
    yield "150 ms", lambda place: click_twice(page, place, 120)
    yield "Enter", lambda _: hold(page, "Enter")
    yield "250 ms", lambda place: click_twice(page, place, 200)
    yield "1", lambda _: hold(page, "1")
    if has_touch:
        yield "two taps", lambda place: tap_twice(page, place)
    yield "space", lambda _: hold(page, " ")
    yield "two keys", lambda _: [page.keyboard.press("Enter", delay=60), page.keyboard.press("Enter")]


def at_once(begun):
    """Whether a gesture came as fast as it was meant: a busy machine may need longer."""
    first, *others = [at for at, repeat in begun if not repeat]
    return all(at - first < SOON for at in others)


def choose_place(page, chance):
    """Return where something is offered that is not behind anything else, and give the focus to it."""
    places = page.evaluate(POINTS, OFFERED)
    if places:
        place = chance.choice(places)
        page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).closest('button, [tabindex]')?.focus({ preventScroll: true })",
            place,
        )
        return place
    return None


ON_A_PHONE = ("chi", "chimax-books", "chimax-fate", "chimax-match-3", "chimax-order")
"""Games that are tried with taps on a phone; all others with a mouse on a desk."""


def test_one_press_makes_at_most_one_move(name, visit):
    """The seeds of the deals follow from the test's name, so all games together ask questions of all kinds."""
    size = PHONE if name in ON_A_PHONE else DESK
    page, chance = visit(size=size, overheard=True, has_touch=size == PHONE), random.Random(name)
    page.add_init_script(NOTED)
    moves = Moves(page)
    sit_at(page, name, chairs(name, "you"), options=opening(name) | SHORT.get(name, {}), wanted=".prompt")
    meant, done, judged = list(gestures(page, size == PHONE)), 0, 0
    for _ in range(40 * GESTURES):
        now = page.evaluate(NOW)
        if now["over"] or (done >= GESTURES and judged):
            break
        place = choose_place(page, chance) if now["yours"] else None
        if place is None:
            page.wait_for_timeout(50)
            continue
        label, gesture = meant[done % len(meant)]
        before, _ = moves.made, page.evaluate("begun.length = 0")
        gesture(place)
        page.wait_for_timeout(150)
        done += 1
        if at_once(page.evaluate("begun")):
            judged += moves.made > before
            assert moves.made - before <= 1, f"{label} at {place} made {moves.made - before} moves: {now['text']}"
    assert judged, "no gesture made a move"


IGNORED = """{
    window.ignored = [];
    window.asked = 0;
    let text = '', yours = false, left = 0, replaced = false;
    const look = () => {
        const prompt = document.querySelector('.prompt');
        if ((prompt?.textContent ?? '') !== text) {
            left += yours;
            [window.asked, text] = [performance.now(), prompt?.textContent ?? ''];
            yours = prompt?.hasAttribute('data-yours') ?? false;
        }
        if (replaced) return;
        for (const one of document.querySelectorAll('[data-ignored]')) ignored.push(one.className);
    };
    addEventListener('pointerdown', () => [replaced, left] = [left > 1, 0], true);
    new MutationObserver(look).observe(document, {
        subtree: true, childList: true, attributes: true, characterData: true
    });
}"""
"""Notes which controls show that a press was ignored, and when the prompt has changed. A press may be ignored if its
question took the place of another that nobody had answered, as somebody else was faster."""


@pytest.fixture
def table(visit):
    """Return a function that sits down at a table against bots; it gives the page and its moves."""

    def sit(game, *scripts, size=DESK, **wishes):
        page = visit(size=size, overheard=True, **wishes)
        for script in (NOTED, IGNORED, *scripts):
            page.add_init_script(script)
        moves = Moves(page)
        wanted = ".prompt[data-yours]"
        sit_at(page, game, chairs(game, "you"), options=opening(game) | SHORT.get(game, {}), wanted=wanted)
        return page, moves

    return sit


def test_quick_play_is_not_ignored(name, table):
    """A player who knows what comes next presses elsewhere before they can have read the question."""
    page, moves = table(name)
    chance, last, quick = random.Random(name), None, 0
    for _ in range(400):
        now = page.evaluate(NOW)
        if now["over"] or moves.made >= GESTURES:
            break
        places = page.evaluate(POINTS, OFFERED) if now["yours"] else []
        away = [place for place in places if last is None or math.dist(place, last) > 200]
        if not away:
            page.wait_for_timeout(SOON if places else 20)
            last = None if places else last
            continue
        page.evaluate("begun.length = 0")
        before, last = page.evaluate("asked"), chance.choice(away)
        page.mouse.click(*last)
        quick += page.evaluate("before => begun[0][0] - before", before) < SOON
        page.wait_for_timeout(HASTE)
    assert moves.made
    assert page.evaluate("ignored") == []
    assert quick or name in SLOW, "no press was quick"


HASTE = 80
"""Time, in milliseconds, between the presses of a quick player."""

SLOW = ("chi", "chip-it")


def test_a_card_is_chosen_and_dropped_by_two_quick_clicks(name_with_drafts, table):
    page, _ = table(name_with_drafts)
    card = page.locator(".hand .card[data-can]").first
    for chosen in (1, 0, 1, 0):
        card.click(position={"x": 12, "y": 20})
        expect(page.locator(".card[data-sel]")).to_have_count(chosen)
    assert page.evaluate("ignored") == []


FLIP = ".prompt .btn:has-text('Flip')"


def flip(page, moves, again=lambda page: page.locator(FLIP).click()):
    """Flip a card at the machine, and do `again` as soon as the next question is there. Return how many were flipped,
    once the second press has flipped one or was ignored."""
    before, asked = moves.made, page.evaluate("[asked, ignored.length = 0]")[0]
    page.locator(FLIP).click()
    page.wait_for_function("before => asked > before", arg=asked)
    again(page)
    wait_until(page, lambda: moves.made - before == 2 or page.evaluate("ignored.length"))
    return moves.made - before


def click_without_force(page):
    """Click as a program does that has no finger: its press has no force."""
    x, y = middle(page.locator(FLIP).bounding_box())
    session = page.context.new_cdp_session(page)
    for kind in ("mousePressed", "mouseReleased"):
        session.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
    session.detach()


ASSISTIVE = {
    "click": lambda page: page.locator(FLIP).evaluate("one => one.click()"),
    "no force": click_without_force,
}


@pytest.mark.parametrize("way", ASSISTIVE)
def test_an_assistive_program_is_not_ignored(way, table):
    page, moves = table("chimax-jackpot")
    assert flip(page, moves, ASSISTIVE[way]) == 2


def test_nothing_is_ignored_where_nothing_pauses(table, monkeypatch):
    page, moves = table("chimax-jackpot", INSTANT)
    assert flip(page, moves) == 2
    monkeypatch.setattr(Moves, "hear", lambda moves, message: HEAR(moves, without_pauses(message)))
    page, moves = table("chimax-jackpot")
    assert flip(page, moves) == 2
    assert page.evaluate("ignored") == []


HEAR = Moves.hear


def without_pauses(message):
    return message | {"pause": 0} if message["type"] == "welcome" else message


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_press_that_is_ignored_is_seen_to_be_and_moves_nothing(motion, table):
    page, moves = table("chimax-jackpot", reduced_motion=motion)
    page.wait_for_selector(".lever")
    page.wait_for_function("() => document.getAnimations().length === 0")
    where = page.locator(".prompt, .machine, .lever").evaluate_all(PLACES)
    assert len(where) == 3
    assert flip(page, moves) == 1
    assert page.evaluate("ignored")[0].startswith("btn main")
    assert page.locator(".prompt, .machine, .lever").evaluate_all(PLACES) == where
    shown = page.locator("[data-ignored]")
    assert shown.evaluate("one => getComputedStyle(one).opacity < 1")
    assert shown.evaluate("one => one.getAnimations().length") == (motion != "reduce")
    expect(shown).to_have_count(0)


def test_a_press_that_follows_one_of_the_same_question_is_not_ignored(table):
    page, _ = table("chimax-jackpot")
    assert page.evaluate(TWICE, FLIP.split(":")[0]) < SOON
    assert page.evaluate("ignored") == []


TWICE = """async (button) => {
    const before = asked;
    document.querySelector(button).click();
    while (asked === before) await new Promise(requestAnimationFrame);
    for (const _ of [1, 2]) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'g', bubbles: true }));
    return performance.now() - asked;
}"""
"""Flips a card, opens the goal as soon as the next question is there, and closes it again."""


PLACES = "all => all.map((one) => Object.values(one.getBoundingClientRect().toJSON()))"


def test_a_press_that_began_before_the_question_is_ignored(table):
    page, moves = table("chimax-jackpot")
    button = page.locator(FLIP)
    button.hover()
    page.mouse.down()
    button.evaluate("one => one.click()")
    wait_until(page, lambda: moves.made == 1)
    page.wait_for_timeout(SOON)
    page.mouse.up()
    page.wait_for_timeout(100)
    assert moves.made == 1


RESULT = ".verdict .btn.lit"


def test_a_tap_that_ends_an_animation_does_nothing_else(visit):
    """Two taps where the button for a rematch will be: the first brings the result at once, the second is ignored."""
    page, dice = visit(overheard=True, **STILL), random.Random(1)
    state = fairdeal.load("chimax-jackpot").deal("over")
    while not state.over:
        play_at_random(state, dice)
    over = state.scene(0)
    for script in (NOTED, IGNORED):
        page.add_init_script(script)
    asked = []
    wire = Wire(page, from_page=lambda message: asked.append(message["type"]) or message)
    sit_at(page, "chimax-jackpot", ["you"])
    wire.show(over)
    page.wait_for_selector(".ending[data-stage=look]")
    page.keyboard.press("Escape")
    page.get_by_text("Only this computer can open this link.").wait_for()
    box = page.locator(RESULT).bounding_box()
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] - 8  # it is also there before that line is
    page.reload()
    page.wait_for_selector(".prompt[data-yours]")
    wire.show(over)
    page.wait_for_selector(".ending[data-stage=look]")
    page.wait_for_timeout(SOON)  # or the first tap would be ignored
    asked.clear()
    page.evaluate("begun.length = ignored.length = 0")
    page.mouse.click(*place)
    page.wait_for_selector(RESULT)
    page.mouse.click(*place)
    if at_once(page.evaluate("begun")):
        page.wait_for_function("() => ignored.some((one) => one.startsWith('btn'))")
        assert "rematch" not in asked

    def asks():
        if "rematch" not in asked:
            page.wait_for_timeout(SOON)
            page.locator(RESULT).click()
        return "rematch" in asked

    wait_until(page, asks)


def test_what_ends_the_turning_of_the_wheel_chooses_no_card(table):
    page, moves = table("chimax-fate")
    page.evaluate("document.documentElement.style.setProperty('--spin', '60s')")
    page.locator(".wheel[data-can]").click()
    page.wait_for_selector(".wheel[data-runs]")
    card = page.locator(".card[data-can]").first
    card.focus()
    page.wait_for_timeout(SOON)  # the question is older than the end of the turning
    page.evaluate("begun.length = 0")
    page.keyboard.press("Enter")
    page.wait_for_selector(".wheel:not([data-runs])")
    assert moves.made == 1
    page.keyboard.press("Enter")
    if at_once(page.evaluate("begun")):
        page.wait_for_function("() => ignored.length > 0")
        assert moves.made == 1
        page.wait_for_timeout(SOON)
        card.click()
    wait_until(page, lambda: moves.made == 2)


POSTED = ("/api/tables", "/branch")


@pytest.mark.parametrize("start", ["Play", "Play on from here"])
def test_a_double_click_opens_one_table(start, visit):
    page, posted = visit("/"), []
    if start != "Play":
        table = open_with(page, "chimax-cut", chairs("chimax-cut"))
        wait_until_over(page, table)
        page.goto(f"/t/{table}?move=2")
    page.on("request", lambda one: one.method == "POST" and one.url.endswith(POSTED) and posted.append(one.url))
    button = page.get_by_role("button", name=re.compile(f"^{start}")).first
    button.hover()
    click_twice(page, middle(button.bounding_box()), 120)
    page.wait_for_selector(".prompt")
    page.wait_for_timeout(SOON)
    assert len(posted) == 1
