"""Chromium, and the windows of it in which guests visit a room.

A page that was there before is loaded again for a third of the processor time: its process still has the files of the
client, read and compiled. So one Chromium serves all tests of a worker that follow each other, their rooms have the
same address, and a window goes from guest to guest, with nothing of those who had it before.
"""

import contextlib
import inspect
import json
import os
import re
from functools import partial
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Error, expect, sync_playwright

import fairdeal
from fairdeal.protocol import messages as m
from fairdeal.protocol.patches import Scenes
from fairdeal.testing.screens import CHROMIUM, FLAGS, NO_CHROMIUM, SIZES

SCREENS = {label: {"width": width, "height": height} for label, (width, height) in SIZES.items()}
DESK, PHONE = SCREENS["desk"], SCREENS["phone"]
BOTH_SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
STILL = {"reduced_motion": "reduce"}
"""A wish for pages on which nothing travels, so that a whole game is soon clicked through."""

INSTANT = "localStorage.setItem('fairdeal speed', 'instant')"
"""For a page that is about something else than how moves are shown: nobody is held up by them."""

USUAL = {"color_scheme": "light", "reduced_motion": "no-preference", "forced_colors": "none"}
"""What every guest has who wishes for nothing else; any window can be changed to what is wished for here."""

DRAWN = """(tab) => {
    const kept = /^http/.test(location.href) ? localStorage : {};
    crypto.getRandomValues = (bytes) => {
        let drawn = Number(kept.drawn ?? tab);
        for (let at = 0; at < bytes.length; at += 1) {
            drawn = (drawn * 1103515245 + 12345) % 2147483648;
            bytes[at] = drawn >> 16;
        }
        kept.drawn = drawn;
        return bytes;
    };
}"""
"""A guest's own numbers, the same at every run."""

WITHOUT_NOTES = f"""localStorage.getItem('fairdeal notes')
    ?? localStorage.setItem('fairdeal notes', '{json.dumps({"off": fairdeal.game_names()})}')"""
"""No notes rise on pages that are about something else."""

PICTURES = os.environ.get("FAIRDEAL_SCREENSHOTS")
"""The folder for pictures, if somebody wants them: of each state of the crawl, and of each page after a test."""

UNPAINTED = """{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':root { opacity: 0 }');
    document.adoptedStyleSheets.push(sheet);
}"""
"""Everything of a page has its place, its colours and its letters, but Chromium paints nothing of it: that would
be much work, and nobody looks."""

PAINTED = "() => { document.adoptedStyleSheets = []; }"
"""For axe, which asks what can be seen."""

EXPECTED = ("net::ERR_", "WebSocket")
"""What pages may log, as rooms are stopped before them."""

LEAVE = "location.replace('about:blank')"
"""To an empty page in the same process: one that Playwright goes to would have a process of its own."""

FORGET = """async (address) => {
    const done = (request) => new Promise((go) => (request.onsuccess = request.onerror = request.onblocked = go));
    if (origin === address) {
        [localStorage, sessionStorage].forEach((kept) => kept.clear());
        for (const { name } of await indexedDB.databases()) await done(indexedDB.deleteDatabase(name));
    }
    return origin === address || history.length === 1;
}"""
"""What that page does: it may still look into what the room's pages have kept, unless its guest was elsewhere last."""


def functions_alone(wait):
    """A page's way to wait, for functions: an expression would be read anew at every look, which the room forbids."""

    def waited(function, **how):
        assert "=>" in function, f"wait for a function, `() => {function}`"
        return wait(function, **how)

    return waited


expect.set_options(timeout=60_000)  # as patient as every window


class Window:
    """A browser context with one page, and all that a guest can leave in them."""

    def __init__(self, browser, address, number, overheard, size, **wishes):
        self.address, self.overheard, self.problems, self.added, self.listen = address, overheard, [], [], None
        self.context = browser.new_context(
            **{"viewport": size, "base_url": address, "service_workers": "block"} | wishes
        )
        self.context.add_init_script(f"({DRAWN})({number})")
        self.context.add_init_script(WITHOUT_NOTES)
        if PICTURES is None:
            self.context.add_init_script(UNPAINTED)
        self.page = page = self.context.new_page()
        page.on("pageerror", lambda problem: self.problems.append(str(problem)))
        page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" else None)
        if overheard:
            page.route_web_socket("**/play*", lambda socket: (self.listen or type(socket).connect_to_server)(socket))
        page.add_init_script, page.route = self.taken_away(page.add_init_script), self.taken_away(page.route)
        page.on, page.route_web_socket = self.with_ears(page.on), self.listen_with
        page.wait_for_function = functions_alone(page.wait_for_function)
        # the room before may have left a connection behind, which is found to be dead when somebody asks
        page.request.get, page.request.post = (
            partial(ask, max_retries=3) for ask in (page.request.get, page.request.post)
        )

    def taken_away(self, add):
        """The page's own way to add something, which is taken away again when the guest leaves."""

        def added(*what, **how):
            self.added.append(add(*what, **how).close)

        return added

    def with_ears(self, on):
        def listened(event, hear):
            on(event, hear)
            self.added.append(lambda: self.page.remove_listener(event, hear))

        return listened

    def listen_with(self, pattern, listen):
        """What the page's own `route_web_socket` does, which cannot be taken away."""
        assert self.overheard, "ask for a window that is overheard"
        assert (pattern, self.listen) == ("**/play*", None), "a window is overheard at one place"
        self.listen = listen

    def change(self, size, wishes):
        """To this size and these wishes."""
        self.page.set_default_timeout(60_000)
        self.page.set_viewport_size(size)
        self.page.emulate_media(**{name: wishes.get(name, usual) for name, usual in USUAL.items()})

    def clear(self):
        """Leave nothing for the next guest; False if that cannot be."""
        if self.page.is_closed():
            return False
        for page in self.context.pages:
            if page != self.page:
                page.close()
        try:
            for take_away in self.added:
                take_away()
            if self.page.url != "about:blank":
                self.page.evaluate(LEAVE)
                self.page.wait_for_url("about:blank")
            is_forgotten = self.page.evaluate(FORGET, self.address)
            self.page.mouse.up()
            self.page.mouse.move(0, 0)  # or a card of the next page may lie under it, and be read
            self.context.clear_cookies()
        except Error:
            return False
        self.added, self.listen = [], None
        return is_forgotten


class Browser:
    """One Chromium, and its windows that nobody is at, by their number and whether they are overheard."""

    def __init__(self):
        self.stack, self.running, self.free, self.address = contextlib.ExitStack(), None, {}, ""

    def open(self):
        """Chromium, started if it is not running. The test is skipped if there is none."""
        if CHROMIUM is None:
            pytest.skip(NO_CHROMIUM)
        if self.running and not self.running.is_connected():
            self.close()
        if not self.running:
            playwright = self.stack.enter_context(sync_playwright())
            self.running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            self.stack.callback(self.running.close)
        return self.running

    def close(self):
        self.stack.close()
        self.running, self.free = None, {}

    @contextlib.contextmanager
    def visits(self, address):
        """Gives out windows to guests of the room at this address; a page that logs an error fails the test."""
        chromium, taken = self.open(), []
        if address != self.address:
            for window in self.free.values():
                window.context.close()
            self.free, self.address = {}, address

        def visit(path="", size=DESK, overheard=False, may_log="", **wishes):
            place, alike = (len(taken) + 1, overheard), wishes.keys() <= USUAL.keys()
            window = self.free.pop(place, None) if alike else None
            window = window or Window(chromium, address, *place, size, **wishes)
            taken.append((window, place, alike, may_log))
            window.change(size, wishes)
            if path:
                window.page.goto(path)
            return window.page

        yield visit
        problems, test = [], re.sub(r"\W+", "-", os.environ["PYTEST_CURRENT_TEST"].removesuffix(" (teardown)"))
        for window, place, alike, may_log in taken:
            if not window.page.is_closed():
                keep(window.page, f"{test}-{place[0]}", "")
            if alike and window.clear():
                self.free[place] = window
            else:
                window.context.close()
            expected = [*EXPECTED, may_log] if may_log else EXPECTED
            problems += [one for one in window.problems if not any(words in one for words in expected)]
            window.problems.clear()
        assert not problems, problems


BROWSER = Browser()
"""The one of this process."""


def keep(page, name, tmp_path, whole=False):
    """A picture to be looked at, where somebody wishes for them: they take their time, and no test compares them."""
    if PICTURES is not None:
        place = Path(PICTURES or tmp_path)
        place.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=place / f"{name}.png", full_page=whole)


def waits_forever(time):
    """A block of script for a page whose timers of so many milliseconds never end."""
    return f"""{{
        const wait = setTimeout;
        window.setTimeout = (does, time, ...more) => (time === {time} ? 0 : wait(does, time, ...more));
    }}"""


WATCH = """(found, given) => {
    window.watched = new Promise((seen, fail) => {
        setTimeout(fail, 60000, 'it was never there');
        const look = () => {
            const it = found(given);
            if (it) seen(it);
            return it;
        };
        const watching = new MutationObserver(() => look() && watching.disconnect());
        if (!look()) watching.observe(document, {
            subtree: true, childList: true, attributes: true, characterData: true
        });
    });
}"""


def watch(page, function, given=None):
    """Watch a page for what may soon be gone; call what is returned to wait for it."""
    page.evaluate(f"(given) => ({WATCH})({function}, given)", given)
    return lambda: page.evaluate("watched")


def wait_until(page, holds):
    """Wait, while a page goes on, until something holds that is not on the page."""
    for _ in range(1200):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"not true within a minute:\n{inspect.getsource(holds)}")


def wait_until_over(page, table):
    """Wait until bots have played a game to its end, without looking on."""
    wait_until(page, lambda: page.request.get(f"/api/tables/{table}").json()["status"] == "over")


def open_with(page, game, chairs, **wishes):
    """Open a table as the guest whose page this is."""
    page.request.get("/api/me")
    answer = page.request.post("/api/tables", data={"game": game, "chairs": chairs} | wishes)
    assert answer.ok, answer.text()
    return answer.json()["id"]


def running(page, **wishes):
    """Open a game of CHI against a bot, in which the guest whose page this is moves first."""
    return open_with(page, "chi", ["you", "greedy"], options={"first_player": 0}, **wishes)


def open_by_page(page, game, chairs, **wishes):
    """Open a table through the page's own modules, which make and keep a number for the deal."""
    page.goto("/api/me")  # any answer of the room will do to import its modules
    return page.evaluate(
        "async (wishes) => (await (await import('/web/record/keeper.js')).openTable(wishes)).id",
        {"game": game, "chairs": [*chairs]} | wishes,
    )


LET_BOT_PLAY = """({ table, seat }) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/tables/${table}/play`);
    return new Promise((stands) => {
        let tries = 0;
        const ask = () => socket.send(JSON.stringify({ type: 'stand_in', id: `bot ${(tries += 1)}`, seat }));
        socket.onopen = ask;
        socket.onmessage = ({ data }) => {
            const { type, id } = JSON.parse(data);
            if (!String(id).startsWith('bot ')) return;
            if (type === 'done') stands();
            else setTimeout(ask, 20);  // the guest is about to sit down
        };
    });
}"""


def let_bot_play(page, table, seat=0):
    """Let a bot play for the guest whose page this is, as soon as they have the seat, as long as the page is there."""
    page.evaluate(LET_BOT_PLAY, {"table": table, "seat": seat})


def sit_at(page, game, chairs=("you", "greedy"), wanted=".prompt[data-yours]", **wishes):
    """Open a table as the guest whose page this is, and wait there for what is wanted. Return the table's id."""
    table = open_with(page, game, [*chairs], **wishes)
    page.goto(f"/t/{table}")
    page.wait_for_selector(wanted)
    return table


def traffic_of(page):
    """Return two lists of messages: all that a page will send to its table, and all that it will receive."""
    said, heard = [], []

    def listen(socket):
        socket.on("framesent", lambda text: said.append(json.loads(text)))
        socket.on("framereceived", lambda text: heard.append(json.loads(text)))

    page.on("websocket", listen)
    return said, heard


def middle(box):
    """Return the middle of a box."""
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def press(page, name, **how):
    """Click on a button of a page, or of a part of it."""
    page.get_by_role("button", name=name, **how).click()


class Wire:
    """The messages between an overheard page and its table. `from_room` and `from_page` are called with each message,
    and return the message to send instead, or None."""

    def __init__(self, page, from_room=lambda message: message, from_page=lambda message: message):
        self.from_room, self.from_page, self.shown, self.facts = from_room, from_page, None, {}
        page.route_web_socket("**/play*", self.listen)

    def listen(self, socket):
        server, self.tell = socket.connect_to_server(), partial(self.pass_on, socket.send)
        socket.on_message(lambda text: self.pass_on(server.send, self.from_page(json.loads(text))))
        scenes = Scenes()
        server.on_message(lambda text: self.pass_down(json.loads(m.encoded(scenes.whole(m.decoded(text))))))

    def pass_down(self, message):
        """Pass on a message of the room. One that is altered acknowledges nothing, and gives the seat to the viewer of
        its scene, or the page would say that the room acknowledges another game, or shows what another seat sees."""
        self.facts = message.get("facts", self.facts)
        if self.shown and message["type"] == "scene" and not message.get("id"):
            return
        told = self.from_room(message)
        if told and told is not message:
            told |= {"chain": ""}
            if told.get("facts") and told.get("scene"):
                told |= {"facts": told["facts"] | {"seat": told["scene"]["viewer"]}}
        self.tell(told)

    def pass_on(self, send, message):
        if message is not None:
            send(json.dumps(message))

    def show(self, scene):
        """Send the page a scene, and say that its viewer has the seat. From then on the room's own scenes are not
        passed on, as its bots may move at any time."""
        self.shown = scene
        viewer = plain(scene)["viewer"]
        if self.facts and self.facts["seat"] != viewer:
            self.facts = self.facts | {"seat": viewer}
            self.tell({"type": "table", "facts": self.facts})
        self.tell({"type": "scene", "scene": plain(scene), "log": []})


def plain(scene):
    return json.loads(msgspec.json.encode(scene))
