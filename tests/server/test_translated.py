"""Pages in a browser that translates them: it replaces their texts, and the page goes on."""

import os
import random

import pytest

from tests.conftest import SHORT, chairs, opening
from tests.server.test_browser import go_on
from tests.server.visiting import INSTANT, STILL, open_with, sit_at, wait_until_over

MOVES = int(os.environ.get("FAIRDEAL_MOVES", "8"))
"""Number of steps in each game. A larger number plays longer."""

TRANSLATES = """([honours, moves]) => {
    const isText = (node) => node.nodeType === 3 && node.data.trim() && !node.parentNode?.closest('font, script, style')
        && !(honours && node.parentNode?.closest('[translate=no]'));
    window.wrapped = 0;
    const wrap = (text) => {
        const [outer, inner] = ['font', 'font'].map((name) => document.createElement(name));
        outer.append(inner);
        if (moves) {
            text.before(outer);
            inner.append(text);
        } else {
            inner.textContent = text.data;
            text.replaceWith(outer);
        }
        wrapped += 1;
    };
    const all = () => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
        while (walker.nextNode()) if (isText(walker.currentNode)) found.push(walker.currentNode);
        found.forEach(wrap);
    };
    all();
    new MutationObserver(all).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
"""A translator: it replaces all texts and those that come, by elements that hold them or a copy."""

SHOWN = """(part) => [...document.querySelectorAll(part)].map((one) => {
    const copy = one.cloneNode(true);
    copy.querySelectorAll('.clamp, .fanned').forEach((own) => own.remove());
    return copy.textContent.replace(/\\s+/g, ' ').trim();
})"""
"""The texts of parts of a page, but for held reels and the deck in hand, of which another page knows nothing."""

LOOK_DOWN = "() => document.querySelector('.cover.blank')?.scrollIntoView()"
"""Covers are drawn when they come into sight, and how many are in sight at first depends on what is drawn first."""

WAYS = {"a copy": [False, False], "the text itself": [False, True], "what it may": [True, False]}
"""Whether the translator honours `translate="no"`, and whether its elements hold the text itself."""


MARKED = (
    ".card[data-id], .face, .who > b, .count > b, .clock, .seconds, .opt > b, .zone > h3 > b, .chip, .podium .col > b, "
    ".podium .named > b"
)
"""What no translator needs to touch: faces, names, numbers and clocks."""


def unmarked(page):
    """Return what a translator would touch without need, where something is marked."""
    assert page.locator(MARKED).count()
    return page.locator(MARKED).evaluate_all(
        "all => all.filter((one) => !one.closest('[translate=no]')).map((one) => one.outerHTML)"
    )


def same_text(page, plain, part):
    """Wait until both pages show the same text, and return it."""
    for _ in range(1200):
        texts = [one.evaluate(SHOWN, part) for one in (page, plain)]
        if texts[0] == texts[1] and len("".join(texts[0])) > len("Dealing …") * 5:
            return texts[0]
        for one in (page, plain):
            one.evaluate(LOOK_DOWN)
        page.wait_for_timeout(50)
    assert texts[0] == texts[1]
    raise AssertionError(f"too little to compare: {texts[0]}")


def test_a_translated_table_shows_what_the_scene_says(name, visit):
    """In the course of a game, the page shows what another page shows that is not translated."""
    page, chance = visit(**STILL), random.Random(name)
    page.add_init_script(INSTANT)
    way = [*WAYS.values()][sum(map(ord, name)) % len(WAYS)]
    table = sit_at(page, name, chairs(name, "you"), options=opening(name) | SHORT.get(name, {}), clock=3600)
    page.evaluate(TRANSLATES, way)
    wrapped = page.evaluate("wrapped")
    for _ in range(MOVES):
        if not go_on(page, chance):
            break
    for _ in range(3):  # another page knows nothing of an unfinished move
        page.keyboard.press("Escape")
    plain = page.context.new_page()
    plain.goto(f"/t/{table}")
    plain.wait_for_selector(".prompt")
    assert any(same_text(page, plain, ".prompt .question, .rivals, .field, .tray, .log"))
    assert page.evaluate("wrapped") > wrapped
    assert unmarked(page) == []
    assert page.locator("#live").evaluate("one => one.closest('[aria-live]') !== null")
    assert (page.locator(".card font").count() == 0) == way[0]
    plain.close()


PAGES = ("/", "/?game=chi", "/privacy", "/rules/chip-it", "/t/{}?move=3", "/g/{}/analysis", "/t/{}", "/learn/chi/first")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_that_is_translated_all_the_time_shows_its_texts(path, visit):
    page = visit(**STILL)
    table = ""
    if "{}" in path:
        table = open_with(page, "chi", chairs("chi"), options=SHORT["chi"])
        wait_until_over(page, table)
    plain = page.context.new_page()
    page.add_init_script(f"document.addEventListener('DOMContentLoaded', () => ({TRANSLATES})([false, false]))")
    for one in (page, plain):
        one.goto(path.format(table))
    assert any(same_text(page, plain, "main"))
    assert page.evaluate("wrapped") > 5
    if "/t/" in path:
        assert unmarked(page) == []
    if "move" in path:
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
            page.keyboard.press(key)
            plain.keyboard.press(key)
            same_text(page, plain, "main")
    plain.close()


def test_what_is_inserted_and_removed_beside_translated_texts_keeps_its_place(visit):
    page = visit("/privacy")
    page.wait_for_selector("main")
    assert page.evaluate(DRAWN) == ["a 1 c", "a 1 2 c", "b 2 c", "2 c", "b <i>x</i> 2 d", "d", "<i>x</i>y"]


DRAWN = """async () => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const { html, render, useState } = await import(loaded.find((name) => name.endsWith('/htm-preact.js')));
    const room = document.createElement('div'), found = [];
    document.body.append(room);
    const translated = () => {
        for (const text of [...room.querySelectorAll('p')].flatMap((p) => [...p.childNodes])) {
            if (text.nodeType !== 3) continue;
            const font = document.createElement('font');
            font.textContent = text.data;
            text.replaceWith(font);
        }
    };
    const steps = [['a ', '1', '', ' c'], ['a ', '1 ', '2', ' c'], ['b ', null, '2', ' c'], [null, null, '2', ' c'],
        ['b ', html`<i>x</i>`, ' 2', ' d'], [null, null, null, 'd']];
    for (const parts of steps) {
        render(html`<p>${parts}</p>`, room);
        found.push(room.firstChild.innerHTML.replaceAll(/<.?font>/g, ''));
        translated();
    }
    let show;
    const Alone = () => {
        const [shown, set] = useState(false);
        show = set;
        return shown && html`<i>x</i>`;
    };
    render(html`<p><${Alone} />y</p>`, room);
    translated();
    show(true);
    await new Promise((done) => setTimeout(done, 50));
    found.push(room.firstChild.innerHTML.replaceAll(/<.?font>/g, ''));
    room.remove();
    return found;
}"""
