"""What pages show follows from the room's times and the browser's monotonic clock, whatever the clock of the device
says, and whenever somebody sets it."""

import re

import pytest

from fairdeal.server.app import PAGES
from fairdeal.server.static_files import WEB
from tests.server.test_analysis import told_so_far
from tests.server.visiting import STILL, open_with, press, wait_until, wait_until_over

LOBBY, TABLE, REPLAY, ANALYSIS = "/", "/t/{table}", "/t/{table}?move=1", "/g/{table}/analysis"
LOOKS = {
    LOBBY: ("running", ".ticket:nth-child(2)"),
    TABLE: ("running", ".prompt[data-yours] .clock"),
    TABLE + "?": ("open", ".qr img"),
    TABLE + "?watch": ("over", ".verdict"),
    REPLAY: ("over", ".prompt"),
    ANALYSIS: ("over", ".progress"),
    "/rules/{game}": ("", "h1"),
    "/learn/{game}": ("", "h1"),
    "/learn/{game}/{lesson}": ("", ".prompt"),
    "/privacy": ("", "h1"),
    "/you": ("", "h1"),
    "/ratings/{game}": ("", "h1"),
    "/today": ("", ".said p"),
    "/evening/{evening}": ("evening", "time"),
}
"""The pages, with the state of their table and the part that they are looked at for."""

TIMES = {LOBBY: r"24 h left.*just now", TABLE: r"9:--"}
"""The times that must be among what is compared."""

DEVICE = """(hours) => {
    const now = Date.now, every = setInterval;
    window.device = { hours, readers: [], beats: 0 };
    const read = () => {
        window.device.readers.push(new Error().stack);
        return now() + window.device.hours * 3600000;
    };
    window.Date = class extends Date {
        constructor(...given) {
            super(...(given.length ? given : [read()]));
        }
        static now() {
            return read();
        }
    };
    const origin = { value: performance.timeOrigin + hours * 3600000, configurable: true };
    Object.defineProperty(performance, 'timeOrigin', origin);
    window.setInterval = (does, time, ...more) =>
        every(() => {
            does(...more);
            window.device.beats += 1;
        }, Math.min(time, 200));
}"""
"""A device whose clock is some hours fast, and whose timers are quick. It notes who reads the clock."""


def shown(page):
    """Return the words of a page, without the seconds of its clocks."""
    return re.sub(r"(\d):\d\d", r"\1:--", page.evaluate("() => document.body.innerText"))


def at_rest(page, requests):
    """Return the words of a page, once nothing is requested or checked and they stay as they are."""
    words = [shown(page)]

    def rests():
        words.append(shown(page))
        return len(words) > 6 and len({*words[-6:]}) == 1 and not requests and "checking" not in words[-1]

    wait_until(page, rests)
    return words[-1]


def test_the_pages_below_are_all_that_the_program_has():
    main = (WEB / "main.js").read_text("utf-8")
    firsts = set(re.findall(r"await import\('\./([\w/.-]+)'\)\)", main))
    assert firsts == {*PAGES.values(), "replay/replay.js"}
    assert {*PAGES} <= {*LOOKS}


def open_evening(page):
    """Return an evening at which others play."""
    evening = page.request.post("/api/evenings", data={"game": "chi"}).json()["id"]
    page.request.post(f"/api/evenings/{evening}", data={"do": "start"})
    return evening


@pytest.mark.networks("127.0.0.9")
@pytest.mark.parametrize("path", LOOKS)
def test_the_page_is_the_same_for_every_clock_of_the_device(path, visit):
    state, part = LOOKS[path]
    chairs = {"open": ["you", "person"], "over": ["greedy", "greedy"]}.get(state, ["you", "greedy"])
    wishes = {"options": {"players": 2, "first_player": 0}, "chairs": chairs}
    page, requests = visit(**STILL), set()
    page.on("request", lambda request: requests.add(request))
    for end in ("requestfinished", "requestfailed"):
        page.on(end, lambda request: requests.discard(request))
    if path == ANALYSIS:
        page.route("**/analysis?*", lambda route: route.fulfill(json=told_so_far(0, 9)))
    table = open_with(page, "chip-it", clock=599 if path == TABLE else 0, **wishes)
    evening = open_evening(page) if state == "evening" else ""
    if state == "over":
        wait_until_over(page, table)
    if path == LOBBY:
        other = open_with(page, "chip-it", clock=86_400, **wishes | {"chairs": ["you", "person"]})
        ben = visit(f"/t/{other}")  # or the game would be paused, and no clock would run
        press(ben, "Sit down")
        ben.wait_for_selector(".prompt")

    def look(hours):
        page.add_init_script(f"({DEVICE})({hours})")
        page.goto(path.format(table=table, game="chip-it", lesson="first", evening=evening))
        page.wait_for_selector(part)
        page.evaluate("() => [...document.querySelectorAll('summary, .all')].map((more) => more.click())")

    look(0)
    right = at_rest(page, requests)
    assert re.search(TIMES.get(path, ""), right, re.S), right
    look(1)
    wait_until(page, lambda: shown(page) == right)
    for hours in (-2, 3):
        page.evaluate("(hours) => Object.assign(window.device, { hours, beats: 0 })", hours)
        if path in TIMES:
            page.wait_for_function("() => window.device.beats > 4")
        assert shown(page) == right
    readers = page.evaluate("window.device.readers")
    assert not [reader for reader in readers if page.url.split("/")[2] in reader], readers
