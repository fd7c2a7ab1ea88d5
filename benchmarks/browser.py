"""How long the browser client holds up its page: `uv run --group bench python -m benchmarks.browser`.

The real client is opened in Chromium, without a graphics card. The room is made up: a table of 120 cards, and updates
of which each moves many of them. No game is involved and nothing is sent over a network.
"""

from __future__ import annotations

import argparse
import json
import mimetypes
import os
import random
import shutil
import statistics
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route, sync_playwright

CARDS, ZONES, UPDATES, MOVED = 120, 10, 60, 30
WEB = files("fairdeal.server") / "web"
ROOM = "http://room.test"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

PLACES = ("hand", "own", "centre", "centre", "centre", "centre", "seat:1", "seat:1", "seat:2", "seat:3")
LAYOUTS = ("fan", "row", "row", "grid", "lap", "row", "lap", "row", "lap", "lap")

IN_THE_PAGE = """
window.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    constructor() { window.wire = this; setTimeout(() => this.onopen?.()); }
    send() {}
    close() {}
};
window.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries())).observe({ type: 'longtask' });
window.update = async (text, watch) => {
    const started = performance.now();
    wire.onmessage({ data: text });
    await null; await null; await null;
    document.body.getBoundingClientRect();
    const block = performance.now() - started;
    if (!watch) return { block, moving: 0, frames: [] };
    const moving = document.getAnimations().filter((one) => one.id === 'travel').length;
    const frames = [];
    await new Promise((done) => {
        const begun = performance.now();
        const frame = (now) => {
            frames.push(now);
            if (performance.now() - begun < 320) requestAnimationFrame(frame); else done();
        };
        requestAnimationFrame(frame);
    });
    return { block, moving, frames };
};
"""


def scene(places: list[list[str]], number: int) -> dict[str, Any]:
    """The cards in their zones; those of the hand can be chosen."""
    seats = [{"seat": seat, "name": name, "counters": []} for seat, name in enumerate(("You", "Bo", "Cleo", "Dai"))]
    zones = [
        {
            "id": f"z{zone}",
            "place": PLACES[zone],
            "layout": LAYOUTS[zone],
            "label": f"Zone {zone}",
            "size": "small" if zone else "hand",
            "count": len(cards),
            "cols": 6,
            "rows": 3,
            "cards": [{"id": card, "face": card.rpartition(".")[0]} for card in cards],
        }
        for zone, cards in enumerate(places)
    ]
    return {
        "skin": "made-up",
        "title": "Made up",
        "viewer": 0,
        "seq": number,
        "seats": seats,
        "zones": zones,
        "prompt": {"mode": "yours", "text": f"Update {number}"},
        "choices": [{"id": at, "kind": "card", "on": card, "label": card} for at, card in enumerate(places[0])],
        "events": [{"text": f"Update {number}.", "seat": 1}],
    }


def scenes(seed: int) -> list[dict[str, Any]]:
    """The first scene and the updates; in each, some cards go to other zones."""
    chance = random.Random(seed)
    cards = [f"face{card % 24}.{card}" for card in range(CARDS)]
    places = [cards[zone::ZONES] for zone in range(ZONES)]
    made = [scene(places, 0)]
    for number in range(1, UPDATES + 1):
        for card in chance.sample(cards, MOVED):
            old = next(zone for zone in places if card in zone)
            new = min(chance.sample([zone for zone in places if zone is not old], 2), key=len)
            old.remove(card)
            new.append(card)
        made.append(scene(places, number))
    return made


def facts() -> dict[str, Any]:
    chairs = [{"seat": seat, "name": name, "plays": "greedy", "taken": True} for seat, name in enumerate("YBCD")]
    deal = {"commitment": "0" * 64, "header": "", "seed": ""}
    return {
        "id": "x",
        "game": "made-up",
        "title": "Made up",
        "status": "running",
        "seat": 0,
        "chairs": chairs,
        "deal": deal,
        "options": {},
    }


def answer(route: Route) -> None:
    """The room: the client's own files, and what it asks of a table."""
    path = urlsplit(route.request.url).path
    inks = {"kinds": {}, "cloth": ["#e5e3dd", "#19181c"], "cloth_2": ["#d6d3ca", "#29272d"], "back_sign": "="}
    faces = {f"face{n}": {"kind": "plain", "name": f"face {n}", "big": str(n), "corner": str(n)} for n in range(24)}
    answers: dict[str, object] = {
        "/api/games": [{"name": "made-up", "skin": {"name": "made-up", **inks}, "levels": []}],
        "/api/tables/x/faces": faces,
    }
    if path in answers:
        route.fulfill(json=answers[path])
    elif path.startswith("/web/"):
        file = WEB / path.removeprefix("/web/")
        route.fulfill(body=file.read_bytes(), content_type=mimetypes.guess_type(path)[0] or "font/woff2")
    elif path.startswith("/t/"):
        route.fulfill(body=(WEB / "index.html").read_bytes(), content_type="text/html")
    else:
        route.fulfill(body="", content_type="text/css" if path.endswith(".css") else "image/svg+xml")


def measure(page: Page, seed: int) -> dict[str, float]:
    """Blocks in ms, and frames a second, over the updates of one made-up table."""
    page.add_init_script(IN_THE_PAGE)
    page.route("**/*", answer)
    page.goto(f"{ROOM}/t/x")
    page.wait_for_function("() => window.wire?.onmessage")
    first, *rest = scenes(seed)
    page.evaluate("(text) => update(text)", json.dumps({"type": "welcome", "facts": facts(), "scene": first, "now": 1}))
    page.wait_for_selector(".hand .card")
    page.wait_for_timeout(1500)
    page.evaluate("longTasks.length = 0")
    blocks, rates, moving = [], [], []
    for next_scene in rest:
        found = page.evaluate(
            "(text) => update(text, true)", json.dumps({"type": "scene", "scene": next_scene, "log": []})
        )
        blocks.append(found["block"])
        moving.append(found["moving"])
        frames = found["frames"]
        rates.append((len(frames) - 1) / (frames[-1] - frames[0]) * 1000)
        page.wait_for_timeout(120)
    assert page.locator("[data-id]").count() >= CARDS, "the cards are not all drawn"
    return {
        "cards that travel": statistics.median(moving),
        "block, median ms": statistics.median(blocks),
        "block, p95 ms": statistics.quantiles(blocks, n=20)[-1],
        "frames/s, median": statistics.median(rates),
        "frames/s, least": min(rates),
        "tasks over 50 ms": page.evaluate("longTasks.length"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.browser", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="rounds in pages of their own (default 3)")
    chosen = parser.parse_args()
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    chromium = os.environ.get("FAIRDEAL_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        found = []
        for number in range(chosen.rounds):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            found.append(measure(page, number))
            page.close()
        browser.close()
    print(f"{CARDS} cards, {UPDATES} updates, each with {MOVED} cards in new zones; {chosen.rounds} rounds\n")
    print("|  | " + " | ".join(found[0]) + " |\n|---|" + "---|" * len(found[0]))
    for number, row in enumerate(found):
        print(f"| round {number + 1} | " + " | ".join(f"{value:.1f}" for value in row.values()) + " |")


if __name__ == "__main__":
    main()
