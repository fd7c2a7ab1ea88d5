"""The table never moves under your hand: over games of every title, at every size of screen, the middle, the line, the
question, the tray and the seats stay where they are, nothing of a seat lies on anything else of it, no word is too
small to read, and nothing leaves the screen."""

import random

import pytest

from fairdeal.engine.registry import find_game, game_names
from tests.conftest import SHORT
from tests.server.test_browser import (
    CHROMIUM,
    DESK,
    NOW,
    PHONE,
    STILL,
    choose_by_clicks,
    chromium,
    keep,
    open_with,
    settled,
    visit,
)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
__all__ = ["chromium", "visit"]

SIZES = {
    "phone": PHONE,
    "tablet": {"width": 768, "height": 1024},
    "desk": DESK,
    "wide": {"width": 1920, "height": 1080},
    "lying": {"width": 844, "height": 390},
}
STEPS = 40
"""Steps of a game at each size: the rest of it is played at the next."""

LEAST_LETTER = 11
"""Pixels that any word on the screen has at least; on a card they are drawn, and the card can be looked at closely."""

MEASURE = """(least) => {
    const box = (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; };
    const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const name = (one) => one.dataset?.seat ? `seat ${one.dataset.seat}` : one.className;
    const frame = Object.fromEntries(
        all('.field, .sill, .prompt, .own, .seat').map((one) => [name(one).split(' data')[0], box(one)]));
    const over = (a, b) => Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]) > 1
        && Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]) > 1;
    const wrong = [];
    for (const seat of all('.seat')) {
        const parts = [...seat.querySelectorAll('.who, .counts, .zones')].filter((one) => one.checkVisibility());
        parts.forEach((one, n) => parts.slice(n + 1).forEach((other) => {
            if (over(box(one), box(other))) wrong.push(`${name(seat)}: ${one.className} lies on ${other.className}`);
        }));
        const [x, y, width, height] = box(seat);
        for (const one of parts) {
            const [left, top, wide, high] = box(one);
            if (left < x - 1 || top < y - 1 || left + wide > x + width + 1 || top + high > y + height + 1)
                wrong.push(`${name(seat)}: ${one.className} leaves it`);
        }
    }
    const texts = document.createTreeWalker(document.querySelector('.app'), NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const holder = node.parentElement;
        if (!node.data.trim() || !holder.checkVisibility() || holder.closest('.card, .chip, .gap, .sr, svg')) continue;
        if (parseFloat(getComputedStyle(holder).fontSize) < least - 0.1)
            wrong.push(`"${node.data.trim()}" has ${getComputedStyle(holder).fontSize}`);
    }
    for (const card of all('.table .card, .prompt .btn, .sill, .prompt, .own')) {
        const [left, top, wide, high] = box(card);
        if (left < -1 || left + wide > innerWidth + 1 || top + high > innerHeight + 1)
            wrong.push(`${card.dataset?.id ?? card.className} leaves the screen: ${box(card).map(Math.round)}`);
    }
    if (document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight)
        wrong.push('the page scrolls');
    return { frame, wrong: [...new Set(wrong)] };
}"""


def tables():
    """Every game with its fewest and its most players."""
    for name in game_names():
        fewest, most = find_game(name).players
        for players in sorted({min(max(2, fewest), most), most}):
            yield name, players


def moved(before, after):
    """The parts of the frame that are not where they were."""
    return {
        part: (before[part], box)
        for part, box in after.items()
        if part in before and max(abs(a - b) for a, b in zip(before[part], box, strict=True)) > 1
    }


@pytest.mark.parametrize(("game", "players"), list(tables()), ids=str)
def test_the_table_holds_still(game, players, visit, room, tmp_path):
    chance, looks = random.Random(players), 0
    for label, size in SIZES.items():
        page = visit(size=size, **STILL)
        options = {"players": players} | SHORT.get(game, {})
        table = open_with(page, game, ["you", *["greedy"] * (players - 1)], options=options)
        page.goto(f"/t/{table}")
        page.wait_for_selector(".prompt")
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        first = page.evaluate(MEASURE, LEAST_LETTER)["frame"]
        for _ in range(STEPS):
            found = page.evaluate(MEASURE, LEAST_LETTER)
            where = f"{game} for {players}, {label}"
            assert moved(first, found["frame"]) == {}, where
            if found["wrong"]:
                keep(page, f"wrong-{game}-{players}-{label}", tmp_path)
            assert found["wrong"] == [], where
            looks += 1
            now = page.evaluate(NOW)
            if now["over"]:
                break
            if now["yours"]:
                choose_by_clicks(page, now, chance)
            settled(page, now)
        keep(page, f"still-{game}-{players}-{label}", tmp_path)
        page.context.close()
    assert looks > 40, looks
