"""Checks in Chromium that the parts of a scene do not overlap, on screens of five sizes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from fairdeal.engine.scene import Scene
from fairdeal.engine.state import Table
from fairdeal.testing.play import must_have, random_states

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, WebSocketRoute

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""Programs to try, in this order. The shell draws the same pages in half the processor time."""

CHROMIUM = os.environ.get("FAIRDEAL_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)

NO_CHROMIUM = "without Chromium (apt-get install chromium-headless-shell)"
NO_PLAYWRIGHT = "without Playwright (python -m pip install playwright)"

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

SIZES = {
    "phone": (390, 844),
    "tablet": (768, 1024),
    "desk": (1280, 800),
    "wide": (1920, 1080),
    "lying": (844, 390),
}
"""Widths and heights of screens. A phone is also tested in landscape orientation."""

LONGEST = 120_000.0
"""Maximum time, in milliseconds, until a page shows a scene on a busy machine."""

NAMES = ("Ada", "Bo", "Cleo", "Dai", "Eve", "Finn", "Gil", "Hana", "Ida", "Jo", "Kit", "Leo", "Mira", "Ned", "Otto")

BOXES = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const whole = (one) => { const { left, top, right, bottom } = one.getBoundingClientRect();
        return [left, top, right, bottom]; };
    const seen = (one) => {  // as far as what scrolls shows it
        let [left, top, right, bottom] = whole(one);
        for (let holder = one.parentElement; holder; holder = holder.parentElement) {
            if (getComputedStyle(holder).overflowX === 'visible') continue;
            const [x, y, far, low] = whole(holder);
            [left, top, right, bottom] = [Math.max(left, x), Math.max(top, y), Math.min(right, far),
                Math.min(bottom, low)];
        }
        return [left, top, right, bottom];
    };
    const over = (one, other) => Math.min(one[2], other[2]) - Math.max(one[0], other[0]) > 1
        && Math.min(one[3], other[3]) - Math.max(one[1], other[1]) > 1;
    const partOf = (one) => one.closest('.zone, .headline, .stage') ?? one;
    const isLaid = (part) => !part.closest('.left, .right') || getComputedStyle(part).position !== 'absolute';
    const nameOf = (one) => one.ariaLabel || one.textContent.trim() || one.className;
    const things = all('.field :is(.zone .card, .zone .gap, .zone > h3, .headline, .stage)')
        .map((one) => ({ one, part: partOf(one), box: seen(one) })).filter(({ part }) => isLaid(part));
    const frame = all('.seat, .status-line, .prompt, .own');
    const [left, top, right, bottom] = whole(document.querySelector('.field'));
    const wrong = [];
    for (const [number, { one, part, box }] of things.entries()) {
        const [x, y, far, low] = whole(one);
        const scrolls = one.closest('[data-scrolls]');
        if (!scrolls && (x < left - 1 || y < top - 1 || far > right + 1 || low > bottom + 1))
            wrong.push(`${nameOf(one)} leaves the middle`);
        for (const other of frame) {
            if (over(box, whole(other))) wrong.push(`${nameOf(one)} lies on ${other.ariaLabel ?? other.className}`);
        }
        for (const other of things.slice(0, number)) {
            const within = part.contains(other.part) || other.part.contains(part);
            if (!within && over(box, other.box)) wrong.push(`${nameOf(one)} lies on ${nameOf(other.one)}`);
        }
    }
    if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
    return [things.length, [...new Set(wrong)]];
}"""
"""Script that returns the number of parts in the middle of a table, and a list of their errors."""

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SHOWN = """(look) => document.querySelector('.top .sub')?.textContent.includes(look)
    && document.querySelector('.stage:not(:empty), .field:not(:has(.stage))')"""


def check_boxes(tables: Sequence[Table], name: str, looks: int = 6) -> Counter[str]:
    """Check the pages of scenes of random games. Cards, names and instruments must lie in the middle of the table, or
    scroll within it, and must not overlap a seat, the prompt, the hand or another zone. Return counts of parts by size.
    The check is skipped if Playwright or Chromium is not installed."""
    pytest.importorskip("playwright", reason=NO_PLAYWRIGHT)
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    drawn = [(table, list(scenes_of(table, f"{name} {table}", looks))) for table in tables]
    with ThreadPoolExecutor(1) as thread:  # whose event loop is its own
        tally, wrong = thread.submit(asyncio.run, look_at(drawn)).result()
    assert not wrong, "\n".join(wrong)
    for label in SIZES:
        must_have(tally[label], looks, f"{name}: parts in the middle of a screen, {label}")
    return tally


def scenes_of(table: Table, name: str, looks: int) -> Iterator[tuple[Scene, str]]:
    """Yield scenes of random games for seats that may act, each with a description."""
    dice = random.Random(name)
    for state, _, where in random_states(table, name, looks, 20):
        seat = dice.choice(state.to_act)
        scene = state.seen_by(seat, NAMES[: state.players]).scene()
        yield scene, f"{table}, {where}, seat {seat}"


async def look_at(drawn: Sequence[tuple[Table, list[tuple[Scene, str]]]]) -> tuple[Counter[str], list[str]]:
    """Draw scenes of tables on pages of a separate room. Return the counts of the parts, and the errors found."""
    import uvicorn
    from playwright.async_api import async_playwright

    from fairdeal.server.app import create_app
    from fairdeal.server.network.listening import listen
    from fairdeal.server.serving import configured
    from fairdeal.server.settings import Settings
    from fairdeal.server.storage.store import Store

    tally, wrong = Counter[str](), list[str]()
    with (
        tempfile.TemporaryDirectory() as folder,
        listen("127.0.0.1", 0) as listening,
        contextlib.closing(Store(f"sqlite:///{folder}/room.db")) as store,
    ):
        server = uvicorn.Server(configured(await create_app(store, Settings(pause=3600, compile=False))))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            try:
                for table, scenes in drawn:
                    await look_at_table(browser, address, table, scenes, tally, wrong)
            finally:
                await browser.close()
                server.should_exit = True
                await serving
    return tally, wrong


async def look_at_table(
    browser: Browser,
    address: str,
    table: Table,
    scenes: list[tuple[Scene, str]],
    tally: Counter[str],
    wrong: list[str],
) -> None:
    """Draw scenes one after another on the page of a table, and check each at every size."""
    game, players = table.game, table.options.players
    context = await browser.new_context(base_url=address, reduced_motion="reduce", service_workers="block")
    page = await context.new_page()
    page.set_default_timeout(LONGEST)
    await page.add_init_script(f"localStorage.setItem('fairdeal notes', '{json.dumps({'off': [game.name]})}')")
    told = Told(scenes[0][0])
    await page.route_web_socket("**/play*", told.listen)
    options = msgspec.to_builtins(table.options)
    await page.request.get("/api/me")
    asked = {"game": game.name, "chairs": ["you", *["random"] * (players - 1)], "options": options}
    answer = await page.request.post("/api/tables", data=asked)
    assert answer.ok, f"{table}: {await answer.text()}"
    await page.goto(f"/t/{(await answer.json())['id']}")
    for number, (scene, where) in enumerate(scenes):
        look = f"look {number}"
        told.tell(scene, look)
        await page.wait_for_function(SHOWN, arg=look)
        for label, (width, height) in SIZES.items():
            await look_once(page, width, height, label, where, tally, wrong)
    await context.close()


async def look_once(
    page: Page, width: int, height: int, label: str, where: str, tally: Counter[str], wrong: list[str]
) -> None:
    await page.set_viewport_size({"width": width, "height": height})
    await page.evaluate(DRAWN)
    number, found = await page.evaluate(BOXES)
    tally[label] += number
    wrong += [f"{where}, on a screen of {width} x {height}: {one}" for one in found]


class Told:
    """The messages to a page. They always contain the scene of the last call of `tell`, regardless of the scenes that
    the room sends."""

    def __init__(self, scene: Scene) -> None:
        self.sockets: list[WebSocketRoute] = []
        self.scene = self.plain(scene, "")

    def plain(self, scene: Scene, look: str) -> Any:
        """Return a scene as the room sends it, without the parts that screens show before it, such as its moves."""
        still = scene.replaced(sub=look, events=(), recap=(), round=None, resolved=None, bites=())
        return msgspec.to_builtins(still)

    def listen(self, socket: WebSocketRoute) -> None:
        """Intercept the messages between a page and the room."""
        room = socket.connect_to_server()
        self.sockets.append(socket)

        def from_room(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "patch":
                message["type"] = "scene"
            if message.get("scene") or message.get("changes"):
                message["scene"] = self.scene
            socket.send(json.dumps(message))

        room.on_message(from_room)

    def tell(self, scene: Scene, look: str) -> None:
        self.scene = self.plain(scene, look)
        for socket in self.sockets[-1:]:
            socket.send(json.dumps({"type": "scene", "scene": self.scene}))
