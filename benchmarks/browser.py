"""How long the browser client holds up its page: `uv run --group bench python -m benchmarks.browser`.

The real client is opened in Chromium, without a graphics card. Two tables are made up, with 120 cards and updates that
move a few of them or many. The third is a table of Match-2 in a room of its own, at which bots play: no other game
shows more cards. All updates are patches. `--against COMMIT` measures the client of another commit too, in turns.
"""

from __future__ import annotations

import argparse
import mimetypes
import os
import random
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from playwright.sync_api import Browser, Page, Route, sync_playwright

from benchmarks.load import a_room, checked_out
from fairdeal.engine.scene import Scene
from fairdeal.protocol import messages as m
from fairdeal.protocol.patches import Scenes

CARDS, ZONES, UPDATES = 120, 10, 60
MOVED = {"120 cards, few move": 3, "120 cards, many move": 30}
"""The made-up tables, and how many cards change zones in each update."""

REAL, PLAYERS = "chimax-match-2", 4
ROOM = "http://room.test"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

PLACES = ("hand", "own", "centre", "centre", "centre", "centre", "seat:1", "seat:1", "seat:2", "seat:3")
LAYOUTS = ("fan", "row", "row", "grid", "lap", "row", "lap", "row", "lap", "lap")

IN_THE_PAGE = """
const Real = WebSocket;
const wait = (data) => /^{"type":"(patch|scene)"/.test(data);
window.arrived = [];
window.WebSocket = MADE_UP
    ? class {
        static OPEN = 1;
        readyState = 1;
        constructor() { setTimeout(() => this.onopen?.()); }
        set onmessage(hear) { window.hear = hear; }
        send() {}
        close() {}
    }
    : class extends Real {
        constructor(...where) { super(...where); window.wire = this; }
        set onmessage(hear) {
            window.hear = hear;
            super.onmessage = ({ data }) => (wait(data) ? arrived.push(data) : hear({ data }));
        }
    };
window.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries())).observe({ type: 'longtask' });
window.update = async (text) => {
    const started = performance.now();
    hear({ data: text ?? arrived.shift() });
    await null; await null; await null;
    document.body.getBoundingClientRect();
    const block = performance.now() - started;
    const moving = document.getAnimations().filter((one) => one.id === 'travel').length;
    const frames = [];
    await new Promise((done) => {
        const frame = (now) => {
            frames.push(now);
            if (performance.now() - started - block < 320) requestAnimationFrame(frame); else done();
        };
        requestAnimationFrame(frame);
    });
    return { block, moving, rate: (frames.length - 1) / (frames.at(-1) - frames[0]) * 1000 };
};
"""
"""Holds back the room's scenes, each of which `update` lets through."""


def scene(places: list[list[str]], number: int) -> dict[str, Any]:
    """Return the cards in their zones; those of the hand can be chosen."""
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


def updates(seed: int, moved: int) -> list[str]:
    """Return the first message of a room and its patches; in each, some cards go to other zones."""
    chance = random.Random(seed)
    cards = [f"face{card % 24}.{card}" for card in range(CARDS)]
    places = [cards[zone::ZONES] for zone in range(ZONES)]
    sent = Scenes()
    sent.count(m.Shown(scene=msgspec.convert(scene(places, 0), Scene)))
    welcome = {"type": "welcome", "facts": facts(), "scene": scene(places, 0), "now": 1}
    made = [msgspec.json.encode(welcome).decode()]
    for number in range(1, UPDATES + 1):
        for card in chance.sample(cards, moved):
            old = next(zone for zone in places if card in zone)
            new = min(chance.sample([zone for zone in places if zone is not old], 2), key=len)
            old.remove(card)
            new.append(card)
        shown = m.Shown(scene=msgspec.convert(scene(places, number), Scene))
        made.append(m.encoded(sent.shortened(shown)))
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


def answer(route: Route, web: Path) -> None:
    """Serve the client's own files, and answer its requests for a made-up table."""
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
        file = web / path.removeprefix("/web/")
        route.fulfill(body=file.read_bytes(), content_type=mimetypes.guess_type(path)[0] or "font/woff2")
    elif path.startswith("/t/"):
        route.fulfill(body=(web / "index.html").read_bytes(), content_type="text/html")
    else:
        route.fulfill(body="", content_type="text/css" if path.endswith(".css") else "image/svg+xml")


@contextmanager
def made_up(page: Page, python: str, moved: int) -> Iterator[Callable[[], Any]]:
    """Open a made-up table, and yield a function that sends the next update."""
    code = "from importlib.resources import files; print(files('fairdeal.server') / 'web')"
    web = Path(subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip())
    page.route("**/*", lambda route: answer(route, web))
    page.goto(f"{ROOM}/t/x")
    page.wait_for_function("() => window.hear")
    first, *rest = updates(1, moved)
    page.evaluate("(text) => update(text)", first)
    waiting = iter(rest)
    yield lambda: page.evaluate("(text) => update(text)", next(waiting))


@contextmanager
def real(page: Page, python: str) -> Iterator[Callable[[], Any]]:
    """Open a table of bots, one of which plays for the guest of this page."""
    with a_room(python=python) as (_, address, _):
        page.request.get(f"{address}/api/me")
        wishes = {"game": REAL, "chairs": ["you", *["random"] * (PLAYERS - 1)], "options": {"players": PLAYERS}}
        table = page.request.post(f"{address}/api/tables", data=wishes).json()["id"]
        page.goto(f"{address}/t/{table}")
        page.wait_for_selector(".card")
        page.evaluate("wire.send(JSON.stringify({ type: 'stand_in', id: 'bot', seat: 0, on: true }))")

        def update() -> Any:
            page.wait_for_function("() => arrived.length")
            return page.evaluate("update()")

        yield update


def measure(browser: Browser, table: str, python: str, throttle: float) -> dict[str, float]:
    """Return the blocks in ms and the frames a second; for each update, the layouts and the processor time of the main
    thread."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(IN_THE_PAGE.replace("MADE_UP", "true" if table in MOVED else "false"))
    opened = made_up(page, python, MOVED[table]) if table in MOVED else real(page, python)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def metrics() -> dict[str, float]:
        """Return Chromium's counts, and the processor time of the main thread in seconds."""
        return {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}

    with opened as update:
        page.wait_for_timeout(1500)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": throttle})
        page.evaluate("longTasks.length = 0")
        found, began = [], metrics()
        for _ in range(UPDATES):
            found.append(update())
            page.wait_for_timeout(120)
        spent = {name: (value - began[name]) / UPDATES for name, value in metrics().items()}
        blocks, rates = ([one[name] for one in found] for name in ("block", "rate"))
        rows = {
            "cards": page.locator("main [data-id]").count(),
            "cards that travel": statistics.median(one["moving"] for one in found),
            "block, median ms": statistics.median(blocks),
            "block, p95 ms": statistics.quantiles(blocks, n=20)[-1],
            "frames/s, median": statistics.median(rates),
            "layouts": spent["LayoutCount"],
            "layout, ms": spent["LayoutDuration"] * 1000,
            "main thread, ms": spent["TaskDuration"] * 1000,
            "tasks over 50 ms": page.evaluate("longTasks.length"),
        }
    page.close()
    return rows


def chromium() -> str | None:
    """Return the path of the browser."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return os.environ.get("FAIRDEAL_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def main() -> None:
    tables = [*MOVED, f"{REAL} for {PLAYERS}"]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.browser", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="rounds in pages of their own (default 3)")
    parser.add_argument("--throttle", type=float, default=1, help="how many times slower the processor is (default 1)")
    parser.add_argument("--against", metavar="COMMIT", help="compare with the client of this commit, in turns")
    chosen = parser.parse_args()
    with checked_out(chosen.against) if chosen.against else nullcontext() as theirs, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        clients = ({chosen.against: theirs} if theirs else {}) | {"here": sys.executable}
        heads = ""
        for table in tables:
            rounds: dict[str, list[dict[str, float]]] = {name: [] for name in clients}
            for _ in range(chosen.rounds):
                for name, python in clients.items():
                    rounds[name].append(measure(browser, table, python, chosen.throttle))
            for name, rows in rounds.items():
                row = {head: statistics.median(one[head] for one in rows) for head in rows[0]}
                if not heads:
                    heads = " | ".join(row)
                    print(f"| table | client | {heads} |\n|---|---|{'---|' * len(row)}")
                told = " | ".join(f"{value:.1f}" for value in row.values())
                print(f"| {table} | {name} | {told} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
