"""Names and lines that are written from right to left do not move the text around them, on any page."""

import re

import pytest
from playwright.sync_api import expect

from fairdeal.engine.registry import find_game, game_names
from fairdeal.server.app import PAGES
from tests.conftest import SHORT
from tests.server.visiting import STILL, press, wait_until_over

NAME, VIEWER, LINE = "محمد علي", "דנה לוי", "مرحبا 12:30 (أهلا"

GAMES = [game for game in game_names() if find_game(game).players[1] > 1]

MISPLACED = """(texts) => {
    const [before, after] = ['\\u2068', '\\u2069'];
    const bare = (text) => text.replaceAll(/[\\u2068\\u2069]/g, '').trim();
    const isAlone = (node, text) => {
        for (let one = node.parentElement; one; one = one.parentElement) {
            const style = getComputedStyle(one);
            const isolates = ['isolate', 'isolate-override', 'plaintext'].includes(style.unicodeBidi);
            if (isolates || !['inline', 'contents'].includes(style.display)) return bare(one.textContent) === text;
        }
        return false;
    };
    const wrong = [];
    let found = 0;
    const look = (content, text, alone, where) => {
        for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
            found += 1;
            const isolated = content[at - 1] === before && content[at + text.length] === after;
            if (!isolated && !alone()) wrong.push(`${where}: ${content.trim()}`);
        }
    };
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (['SCRIPT', 'STYLE', 'TITLE'].includes(node.parentElement.tagName)) continue;
        for (const text of texts) {
            look(node.data, text, () => isAlone(node, text), node.parentElement.outerHTML.slice(0, 120));
        }
    }
    for (const element of document.querySelectorAll('*')) {
        for (const name of ['title', 'aria-label', 'aria-description', 'alt', 'placeholder', 'content', 'label']) {
            const value = element.getAttribute(name) ?? '';
            for (const text of texts) look(value, text, () => bare(value) === text, name);
        }
    }
    for (const text of texts) look(document.title, text, () => bare(document.title) === text, 'title');
    return [found, wrong];
}"""
"""Find texts on a page: how often they are there, and where they are neither enclosed in isolates nor in an element of
their own."""


SHOWN = "text => document.body.innerText.includes(text)"


def look(page, met, place):
    """Check the page as it is now, and note how many names and lines were there."""
    found, wrong = page.evaluate(MISPLACED, [NAME, VIEWER, LINE])
    assert not wrong, "\n".join(wrong)
    met[place] = met.get(place, 0) + found


def test_the_check_sees_a_name_that_moves_the_text_around_it(visit):
    page = visit("/", **STILL)
    page.wait_for_selector(".who-you")
    put = "html => document.body.insertAdjacentHTML('beforeend', html)"
    for html, is_wrong in (
        (f"<p>{NAME} 12:30</p>", True),
        (f"<p><b>{NAME}</b> 12:30</p>", True),
        (f"<p><b dir=rtl>{NAME} 12:30</b></p>", True),
        (f"<i title='{NAME} 1'></i>", True),
        (f"<p><bdi>{NAME}</bdi> 12:30</p>", False),
        (f"<p>\u2068{NAME}\u2069 12:30</p>", False),
        (f"<p><button>{NAME}</button> 12:30</p>", False),
        (f"<i title='{NAME}'></i>", False),
    ):
        page.evaluate(put, f"<div id=trial>{html}</div>")
        found, wrong = page.evaluate(MISPLACED, [NAME])
        page.evaluate("() => document.querySelector('#trial').remove()")
        assert (found, bool(wrong)) == (1, is_wrong), html


@pytest.mark.parametrize("game", GAMES)
def test_no_name_or_line_moves_the_text_around_it_on_any_page(game, visit, guests):
    (low, high), met = find_game(game).players, {}
    host = guests(NAME)
    players = max(2, low)
    options = SHORT.get(game, {}) | ({"players": players} if low < high else {})
    chairs = ["you", "person", *["greedy"] * (players - 2)]
    table = host.open(game, chairs=chairs, options=options, listed=True)["id"]
    page = visit("/", **STILL)
    page.request.post("/api/me", data={"name": VIEWER})
    page.goto("/")
    page.locator(".who-you", has_text=VIEWER).wait_for()
    page.wait_for_function(SHOWN, arg=NAME)
    look(page, met, "/")
    if high > 2:  # a seat stays free
        waiting = host.open(game, chairs=["you", "person", "person"], options={"players": 3})["id"]
        page.request.post(f"/api/tables/{waiting}/join", data={})
        page.goto(f"/t/{waiting}")
        page.wait_for_function(SHOWN, arg=NAME)
        look(page, met, "/t/{table}")
        page.request.post(f"/api/tables/{waiting}/leave")
    page.goto(f"/t/{table}")
    page.get_by_role("button", name="Sit down").wait_for()
    look(page, met, "/t/{table}")
    press(page, "Sit down")
    page.wait_for_selector(".prompt")
    host.connect(table)
    host.ask("say", text=LINE)
    page.wait_for_function(SHOWN, arg=LINE)
    look(page, met, "/t/{table}")
    page.get_by_role("tab", name="Chat").click()
    page.locator(".panel.chat").get_by_text(LINE).wait_for()
    expect(page.locator(".panel.chat bdi.quiet")).to_have_text(re.compile("^[0-2][0-9]:[0-5][0-9]$"))
    look(page, met, "/t/{table}")
    host.stack.close()
    for one in (host.post, page.request.post):
        one(f"/api/tables/{table}/leave")
    wait_until_over(page, table)
    page.reload()
    page.locator(".verdict").wait_for()
    look(page, met, "/t/{table}")
    page.get_by_role("tab", name="Log").click()
    page.locator(".log").get_by_text(NAME).first.wait_for()
    look(page, met, "/t/{table}")
    page.goto(f"/t/{table}?move=3")
    page.wait_for_function(SHOWN, arg=NAME)
    look(page, met, "/t/{table}")
    page.goto(f"/g/{table}/analysis")
    page.wait_for_function(SHOWN, arg=NAME)
    look(page, met, "/g/{table}/analysis")
    page.goto("/you")
    page.wait_for_function(SHOWN, arg=NAME)
    look(page, met, "/you")
    evening = host.post("/api/evenings", game="chi")["id"]
    host.post(f"/api/evenings/{evening}", do="enter")
    page.goto(f"/evening/{evening}")
    page.wait_for_function(SHOWN, arg=NAME)
    look(page, met, "/evening/{evening}")
    for path in ("/", "/privacy", "/today", "/rules/{game}", "/ratings/{game}"):
        page.goto(path.format(game=game))
        page.wait_for_selector("h1, h2")
        look(page, met, path)
    assert {path for path, count in met.items() if count} >= {"/", "/t/{table}", "/g/{table}/analysis", "/you"}
    assert met.keys() | LEARNING >= PAGES.keys()


LEARNING = {"/learn/{game}", "/learn/{game}/{lesson}"}
"""Pages with nobody else at the table."""
