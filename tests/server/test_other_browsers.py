"""The pages in Firefox, by WebDriver BiDi, and in WebKit, by WebDriver: the lobby, tables, and hints played by keys.
Playwright can drive neither as Debian packages it."""

import base64
import contextlib
import itertools
import json
import re
import shutil
import subprocess
from pathlib import Path

import httpx2
import pytest
from websockets.sync.client import connect

from tests.conftest import opening
from tests.ports import free_port
from tests.server.measuring import LEAST, MEASURE
from tests.server.visiting import BOTH_SIZES, PHONE, PICTURES

MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), None)

HAS_FIREFOX = shutil.which("firefox-esr") is not None
HAS_WEBKIT = MINI_BROWSER is not None and shutil.which("WebKitWebDriver") and shutil.which("Xvfb")

LINE = 60.0
"""Maximum time, in seconds, of a browser to start, and of a page to become what is expected."""

WAIT = """(async (holds) => {
    for (let left = 600; left; left--) {
        const found = await holds();
        if (found) return found;
        await new Promise((done) => setTimeout(done, 100));
    }
    return null;
})"""

IN_SIGHT = "(one) => one.getBoundingClientRect().top < innerHeight"

OPEN = """fetch('/api/me').then(() => fetch('/api/tables', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(%s),
})).then((answer) => answer.json()).then((table) => table.id)"""


def said(process, pattern):
    """Return what a program's first matching line of errors says."""
    for line in process.stderr:
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError(f"{process.args[0]} has ended")


@contextlib.contextmanager
def program(*words, **wishes):
    """A program that runs until the end of the block."""
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, **wishes)
    with process:
        try:
            yield process
        finally:
            process.kill()


class Firefox:
    """A headless Firefox with one page (WebDriver BiDi)."""

    def __init__(self, stack, folder):
        words = ("firefox-esr", "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0")
        address = said(stack.enter_context(program(*words)), r"WebDriver BiDi listening on (\S+)")
        self.numbers = itertools.count(1)
        self.socket = stack.enter_context(connect(f"{address}/session", max_size=2**24))
        self.ask("session.new", capabilities={})
        self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self.socket.recv(2 * LINE))).get("id") != number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def resize(self, width, height):
        self.ask("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def goto(self, address):
        self.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, script):
        """Return the value of an expression, of which JSON can tell."""
        wanted = f"Promise.resolve({script}).then(JSON.stringify)"
        target = {"context": self.context}
        found = self.ask("script.evaluate", expression=wanted, target=target, awaitPromise=True)
        assert found["type"] == "success", found
        return json.loads(found["result"].get("value", "null"))

    def act(self, actions):
        self.ask("input.performActions", context=self.context, actions=actions)

    def picture(self):
        return self.ask("browsingContext.captureScreenshot", context=self.context)["data"]


class WebKit:
    """GTK's browser of WebKit, with one page on a screen of its own (WebDriver)."""

    def __init__(self, stack, folder):
        screen = stack.enter_context(program("Xvfb", "-displayfd", "2", "-screen", "0", "1400x1000x24"))
        told = {"DISPLAY": f":{said(screen, '^([0-9]+)$')}", "HOME": str(folder), "PATH": "/usr/bin:/bin"}
        port = free_port()
        stack.enter_context(program("WebKitWebDriver", f"--port={port}", env=told))
        retries = httpx2.HTTPTransport(retries=10)
        self.http = stack.enter_context(
            httpx2.Client(base_url=f"http://127.0.0.1:{port}", transport=retries, timeout=2 * LINE)
        )
        options = {"binary": str(MINI_BROWSER), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options, "timeouts": {"script": 2000 * LINE}}}
        self.session = f"/session/{self.post('/session', capabilities=wanted)['sessionId']}"
        stack.callback(self.http.delete, self.session)

    def post(self, path, **parameters):
        answer = self.http.post(path, json=parameters)
        assert answer.is_success, answer.text
        return answer.json()["value"]

    def resize(self, width, height):
        """Set the size of the page, around which the window has a frame. It has a least width, of about 450 pixels."""
        for _ in range(2):
            wide, high = self.evaluate("[innerWidth, innerHeight]")
            now = self.http.get(f"{self.session}/window/rect").json()["value"]
            sizes = {"width": now["width"] + width - wide, "height": now["height"] + height - high}
            self.post(f"{self.session}/window/rect", **sizes)

    def goto(self, address):
        self.post(f"{self.session}/url", url=address)

    def evaluate(self, script):
        """Return the value of an expression, of which JSON can tell."""
        wanted = f"const done = arguments[0]; Promise.resolve({script}).then((found) => done(JSON.stringify(found)))"
        return json.loads(self.post(f"{self.session}/execute/async", script=wanted, args=[]) or "null")

    def act(self, actions):
        self.post(f"{self.session}/actions", actions=actions)

    def picture(self):
        return self.http.get(f"{self.session}/screenshot").json()["value"]


KINDS = [
    pytest.param(kind, marks=pytest.mark.skipif(not there, reason=f"without {kind.__name__} (apt-get install {names})"))
    for kind, there, names in (
        (Firefox, HAS_FIREFOX, "firefox-esr"),
        (WebKit, HAS_WEBKIT, "webkit2gtk-driver xvfb"),
    )
]


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.__name__)
def browser(request, tmp_path_factory):
    with contextlib.ExitStack() as stack:
        yield request.param(stack, tmp_path_factory.mktemp("profile"))


def wait(browser, holds):
    """Return the value of an expression as soon as it is true."""
    found = browser.evaluate(f"{WAIT}(() => {holds})")
    assert found, f"not true within a minute: {holds}"
    return found


def press(browser, key):
    keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
    browser.act([{"type": "key", "id": "keys", "actions": keys}])


def keep(browser, name):
    if PICTURES:
        Path(PICTURES, f"{name}.png").write_bytes(base64.b64decode(browser.picture()))


def test_the_lobby_shows_its_games(browser, room):
    browser.goto(f"{room.address}/")
    wait(browser, "document.querySelectorAll('.box svg.cover:not(.blank)').length >= 5")
    wait(browser, f"![...document.querySelectorAll('.blank')].some({IN_SIGHT})")
    keep(browser, f"lobby-{type(browser).__name__}")


@BOTH_SIZES
@pytest.mark.parametrize("game", ["chi", "chip-it", "war-xtreme", "chimax-books"])
def test_a_hint_is_played_by_keys(game, size, browser, room):
    browser.resize(**size)
    browser.goto(f"{room.address}/")
    wishes = {"game": game, "chairs": ["you", "greedy"], "options": opening(game) | {"players": 2}}
    table = browser.evaluate(OPEN % json.dumps(wishes))
    browser.goto(f"{room.address}/t/{table}")
    wait(browser, "document.querySelector('.prompt[data-yours]') && document.fonts.status === 'loaded'")
    assert browser.evaluate("innerWidth < 640") is (size is PHONE)
    assert browser.evaluate(f"({MEASURE})({json.dumps(LEAST)})")["wrong"] == []
    press(browser, "h")
    wait(browser, "document.querySelector('.status-line kbd')?.textContent === 'X'")
    keep(browser, f"{game}-{size['width']}-{type(browser).__name__}")
    press(browser, "x")
    wait(browser, f"fetch('/api/tables/{table}').then((one) => one.json()).then((one) => one.seq > 0)")
