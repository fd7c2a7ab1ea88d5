"""Notes on rules in the browser: over whole games, none lies over what can be chosen, comes in the first turn, or says
anything else than the question below it."""

import os
import random

import pytest
from playwright.sync_api import expect

import fairdeal
from fairdeal.engine.registry import find_game, game_names
from fairdeal.engine.scene import Bitten, Prompt
from tests.conftest import SHORT, chairs, opening
from tests.server.measuring import CUT, resize
from tests.server.test_browser import MOST_STEPS, NOW, choose_by_clicks, settled, violations
from tests.server.visiting import DESK, INSTANT, PHONE, STILL, Wire, press, sit_at

SIZES = {"desk": DESK, "phone": PHONE}
EVERY = [(game, label) for game in game_names() for label in SIZES]
SAMPLE = random.Random(os.environ.get("FAIRDEAL_CHANCE", "")).sample(EVERY, 4)
"""What is played in the gate; `python -m tests.server.test_notes_page` plays every title in every size."""

SELDOM = ("chimax-jackpot", "war-xtreme")
"""Titles whose short games may end before a note."""

NEW = "localStorage.setItem('fairdeal notes', '{}')"
"""All notes are to be told."""

NOTED = """() => {
    window.noted = { shown: 0, least: Infinity, over: [] };
    let risen = null;
    const choices = () => [
        ...document.querySelectorAll(
            '.table :is([data-can], .aim), .prompt :is(.btn, .opt), .stage button:enabled, .popover:not(.note) button',
        ),
    ].filter((one) => one.checkVisibility());
    const covered = (one, other) => {
        const [a, b] = [one, other].map((it) => it.getBoundingClientRect());
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        return Math.round(Math.max(0, width) * Math.max(0, height));
    };
    const look = () => {
        const note = document.querySelector('.popover.note');
        if (note && note !== risen) {
            noted.shown += 1;
            const lines = [...document.querySelectorAll('.log li')].map((line) => line.textContent);
            noted.least = Math.min(noted.least, lines.filter((line) => /^\\W*\\d*\\W*You\\b/.test(line)).length);
        }
        risen = note;
        if (!note) return;
        for (const one of choices()) {
            const area = covered(note, one);
            if (area) noted.over.push(`${area} px of ${one.className} ${one.dataset.id ?? one.textContent}`);
        }
        const text = note.textContent + document.querySelector('.prompt').textContent;
        if (/is choosing/.test(text) && /your turn/.test(text)) noted.over.push(text);
    };
    new MutationObserver(look).observe(document, {
        subtree: true, childList: true, attributes: true, characterData: true,
    });
}"""
"""Looks at every change of the page at what a note covers, in square pixels."""


TRUE_TITLE = """() => document.title.includes('Your turn') === Boolean(
    document.querySelector('.prompt[data-yours]')
        || document.querySelector('.ask b')?.textContent.startsWith('It is your turn'))"""
"""The title says what the question says."""


def sit(visit, size, game, seats, **options):
    """Sit down at a table at which all notes are to be told."""
    page = visit("/", size=size, **STILL)
    page.evaluate(INSTANT)
    page.evaluate(NEW)
    sit_at(page, game, seats, options=options, wanted=".prompt")
    page.evaluate(NOTED)
    return page


def play_with_notes(page, chance):
    """Play a game to its end by clicks, and read every note."""
    for _ in range(MOST_STEPS):
        now, note = page.evaluate(NOW), page.locator(".popover.note")
        if now["over"]:
            return
        if note.count():
            press(note, "Got it")
        elif now["yours"]:
            choose_by_clicks(page, now, chance)
        settled(page, now)
        page.wait_for_function(TRUE_TITLE)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("game", "label"), EVERY if os.environ.get("FAIRDEAL_ALL_NOTES") else SAMPLE, ids=str)
def test_no_note_lies_over_a_choice(game, label, visit):
    page = sit(visit, SIZES[label], game, chairs(game, "you"), **opening(game) | SHORT.get(game, {}))
    play_with_notes(page, random.Random(f"{game} {label}"))
    found = page.evaluate("noted")
    assert found["over"] == []
    assert found["shown"] or game in SELDOM
    assert not found["shown"] or found["least"] > 1, found


@pytest.mark.parametrize("label", SIZES)
def test_notes_for_a_lone_player_are_beside_what_can_be_chosen(label, visit):
    """With every move something can be chosen again: a note finds room, or it is in the status line."""
    page, chance = sit(visit, SIZES[label], "chimax-match-2", ["you"], players=1), random.Random(label)
    page.wait_for_selector(".prompt[data-yours]")
    line = page.locator(".status-line").get_by_role("button", name="Read")
    for _ in range(20):
        if page.evaluate("noted.shown") or line.count():
            break
        choose_by_clicks(page, page.evaluate(NOW), chance)
        page.wait_for_timeout(500)  # so long a note waits for its cards
    assert page.evaluate("noted.shown") or line.count()
    assert page.evaluate("noted.over") == []


BUTTONS_CUT = """(note) => [...note.querySelectorAll('.acts .btn, .told .drawn')]
    .filter((one) => one.getBoundingClientRect().bottom > note.getBoundingClientRect().bottom)
    .map((one) => one.textContent)"""
"""The examples and buttons of a note below its lower edge."""


def bitten(visit, game, clock=0):
    """Yield a page and each rule tip of a game, after the second turn has ended with it."""
    players, waits = find_game(game).players[1], False

    def hurry(message):
        if clock and message.get("facts"):
            message["facts"]["clock"] = clock
        return None if waits and message.get("scene") else message

    page = visit("/", overheard=True, **STILL)
    page.evaluate(INSTANT)
    page.evaluate(NEW)
    wire = Wire(page, hurry)
    sit_at(page, game, chairs=["you", *["greedy"] * (players - 1)], options={"players": players}, wanted=".prompt")
    waits = True
    scene = fairdeal.load(game, players=players).deal(1).scene(0).replaced(choices=(), recap=())
    yours, theirs = (scene.replaced(prompt=Prompt(mode, "A card")) for mode in ("yours", "waiting"))
    bites = page.request.get(f"/api/games/{game}/page").json()["page"]["bites"]
    for number, bite in enumerate([bites[0], *bites]):  # none is told in the first turn
        wire.show(yours.replaced(seq=2 * number + 100))
        page.wait_for_selector(".prompt[data-yours]")
        wire.show(theirs.replaced(seq=2 * number + 101, bites=(Bitten(bite["id"]),)))
        page.wait_for_selector(".prompt[data-wait]")
        if number:
            yield page, bite["id"]


@pytest.mark.parametrize("game", game_names())
def test_every_note_shows_its_example_and_its_buttons(game, visit):
    told = 0
    for page, bite in bitten(visit, game):
        note = page.locator(".popover.note")
        note.wait_for()
        for label, size in SIZES.items():
            resize(page, size)
            assert note.evaluate(BUTTONS_CUT) == [], f"{bite}, {label}"
        assert bite != "choosing a card", "this is the id of the note on how a card is chosen"
        press(note, "Got it")
        told += 1
    assert told > 1


def test_a_line_that_tells_a_rule_in_a_hurry_is_not_cut(visit):
    page, _ = next(bitten(visit, "chimax-jackpot", clock=30))
    page.wait_for_selector(".status-line .clause")
    resize(page, PHONE)
    assert page.evaluate(f"({CUT})(document.querySelector('.status-line'))") == []


def play_until_noted(page):
    """Play CHIP IT until a note holds back the viewer's turn."""
    page.evaluate(INSTANT)
    page.evaluate(NEW)
    sit_at(page, "chip-it", ["you", "greedy"], options=opening("chip-it"), wanted=".prompt")
    chance, note = random.Random(1), page.locator(".popover.note")
    for _ in range(MOST_STEPS):
        now = page.evaluate(NOW)
        if note.count() and "It is your turn" in now["text"]:
            break
        if now["yours"]:
            choose_by_clicks(page, now, chance)
        settled(page, now)
    return note


def test_a_refused_move_ends_no_note(visit):
    page, heard = visit("/", overheard=True, **STILL), []
    wire = Wire(page, lambda message: heard.append(message) or message)
    note = play_until_noted(page)
    scene = next(message["scene"] for message in reversed(heard) if message.get("scene"))
    wire.tell({"type": "refused", "id": "", "reason": "moved on", "scene": scene | {"mode": "over"}})
    page.wait_for_selector(".status-line.why")
    assert page.locator(".ending").count() == 0
    expect(page.locator(".ask b")).to_have_text("The game is over")
    press(note, "Got it")
    page.wait_for_selector(".ending")


def test_a_hint_comes_while_a_note_is_read(visit):
    page = visit("/", **STILL)
    note = play_until_noted(page)
    assert page.title().startswith("● Your turn")
    assert violations(page) == []
    page.keyboard.press("h")
    page.wait_for_selector(".status-line[data-kind=hint]")
    page.wait_for_selector(".prompt[data-yours]")
    assert note.count() == 0


if __name__ == "__main__":
    os.environ["FAIRDEAL_ALL_NOTES"] = "1"
    raise SystemExit(pytest.main([__file__, "-q", "-k", "test_no_note_lies_over_a_choice"]))


@pytest.mark.parametrize(
    ("size", "wishes", "text"),
    [
        (DESK, {}, "Click a lit card to choose it, or go to it with the arrow keys and press Space."),
        (PHONE, {"has_touch": True, "is_mobile": True}, "Tap a lit card to choose it."),
    ],
    ids=("desk", "phone"),
)
def test_how_a_card_is_chosen_is_said_until_the_first_choice(size, wishes, text, visit):
    page = visit("/", size=size, **STILL | wishes)
    page.evaluate(INSTANT)
    page.evaluate(NEW)
    told = page.locator(".status-line[data-kind=tap] p")
    for number in range(2):
        sit_at(page, "chip-it")
        card = page.locator(".hand .card[data-can]").first
        for _ in range(2 * (1 - number)):
            expect(told).to_have_text(text)
            assert page.locator(".status-line").evaluate(CUT) == []
            page.reload()
        expect(told).to_have_count(1 - number)
        card.focus()
        page.keyboard.press(" ")
        page.wait_for_selector(".hand .card[data-sel]")
        expect(told).to_have_count(0)
        page.keyboard.press("Escape")
        page.wait_for_selector(".hand .card[data-sel]", state="detached")
        expect(told).to_have_count(0)
