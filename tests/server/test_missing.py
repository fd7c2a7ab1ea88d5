"""Every request of every page fails once in every way: the page goes on without it, or says so with a button, and is
whole when that is pressed and nothing fails any more. And every page works where the browser stores nothing."""

import base64
import contextlib
import os
import random
import re
from itertools import product

import pytest
from playwright.sync_api import Error, expect

from fairdeal.engine.compile.modules import wasm_of
from fairdeal.engine.registry import find_game
from fairdeal.server.app import PAGES
from fairdeal.table.verdict import CHECKS
from tests.server.test_silent_line import SOCKETS
from tests.server.visiting import STILL, let_bot_play, open_with, press, running, wait_until, wait_until_over

WAYS = ("aborted", "answered 500", "never answered")

NUMBER = int(os.environ.get("FAIRDEAL_REQUESTS", "3"))
"""Number of failures of each page, if it has as many requests, three for each."""

QUICK = """{
    const wait = setTimeout, limits = [8000, 16000, 32000, 60000];
    const isNever = (time) => time === 2500 || (time > 7000 && !limits.includes(time));
    window.setTimeout = (does, time = 0, ...more) => (isNever(time) ? 0 : wait(does, time / 20, ...more));
}"""
"""The page waits a twentieth of its times. It loads no other page ahead, and does not try again by itself once it has
said what is missing."""

SAYS = """() => {
    document.getAnimations().forEach((one) => one.animationName === 'late' && one.finish());
    const buttons = document.querySelectorAll('.missing button, .nothing[data-waits] button, .btn.late');
    return [...buttons].some((one) => one.checkVisibility({ visibilityProperty: true }));
}"""
"""Does the page say what is missing, with a button?"""

PRESSED = """() => {
    const buttons = [...document.querySelectorAll('.missing button, .nothing[data-waits] button, .btn.late')];
    buttons.find((one) => one.checkVisibility() && !one.disabled)?.click();
}"""


def finished(page):
    table = running(page)
    page.goto("/privacy")  # the room's own address, from where a connection may be opened
    let_bot_play(page, table)
    wait_until_over(page, table)
    return table


def waiting(page):
    return open_with(page, "chi", ["you", "person"])


def invited(page):
    table = waiting(page)
    page.context.clear_cookies()
    return table


def evening(page):
    return page.request.post("/api/evenings", data={"game": "chi"}).json()["id"]


STATES = {
    "lobby": ("/", None, ".shelf .box"),
    "lobby with tables": ("/", running, ".ticket"),
    "sheet": ("/?game=chip-it", None, ".chair"),
    "invitation": ("/t/{table}", invited, ".join .join-form, .join .join-ways"),
    "waiting": ("/t/{table}", waiting, ".make"),
    "running": ("/t/{table}", running, ".prompt[data-yours]"),
    "finished": ("/t/{table}", finished, ".verdict"),
    "replay": ("/t/{table}?move=3", finished, ".scrub"),
    "analysis": ("/g/{table}/analysis", finished, ".analysis .result"),
    "rules": ("/rules/chi", None, ".rulebook .told"),
    "lessons": ("/learn/chi", None, ".learn .lesson"),
    "lesson": ("/learn/war-xtreme/first", None, ".coach .question"),
    "privacy": ("/privacy", None, ".privacy .stored"),
    "own games": ("/you", finished, ".you .result"),
    "ratings": ("/ratings/chi", None, ".you .ratings"),
    "deal of the day": ("/today", None, ".today .said p"),
    "evening": ("/evening/{table}", evening, ".evening button"),
}
"""Pages: their address, what makes their table, and what is there when they can be used."""


def test_every_page_is_visited():
    def is_at(pattern, address):
        form = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(pattern))
        return re.fullmatch(form, address.partition("?")[0].format(table="x")) is not None

    addresses = [address for address, *_ in STATES.values()]
    assert [page for page in PAGES if not any(is_at(page, address) for address in addresses)] == []


class Fault:
    """What happens to one request of a page."""

    def __init__(self, page):
        self.page, self.way, self.met = page, "", 0
        self.session = page.context.new_cdp_session(page)
        self.session.on("Fetch.requestPaused", self.meet)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session.detach()

    def begin(self, path, way):
        self.way, self.met = way, 0
        self.session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        self.session.send("Fetch.enable", {"patterns": [{"urlPattern": f"*{path}*"}]})

    def end(self):
        self.way = ""
        self.session.send("Fetch.disable")

    def meet(self, event):
        told = {"requestId": event["requestId"]}
        with contextlib.suppress(Error):  # it has ended meanwhile
            if self.way == "aborted":
                self.session.send("Fetch.failRequest", told | {"errorReason": "ConnectionReset"})
            elif self.way == "answered 500":
                body = base64.b64encode(b"Internal Server Error").decode()
                self.session.send("Fetch.fulfillRequest", told | {"responseCode": 500, "body": body})
            elif not self.way:
                self.session.send("Fetch.continueRequest", told)
        self.met += 1


def requests_of(page, address, wanted, origin):
    """Visit a page, and return the paths of its requests, first those that it makes before it can be used."""
    seen = []

    def note(request):
        path = request.url.removeprefix(origin)
        if not request.is_navigation_request() and path.startswith("/") and path not in seen:
            seen.append(path)

    page.on("request", note)
    page.goto(address)
    page.wait_for_selector(wanted)
    first = len(seen)
    if len(WAYS) * first < NUMBER:
        page.wait_for_timeout(1000)
    page.remove_listener("request", note)
    return seen[:first], seen[first:]


@pytest.mark.parametrize("state", STATES)
def test_a_request_that_fails_is_made_again_or_has_a_button(state, visit, room, request):
    address, make, wanted = STATES[state]
    page = visit(may_log="Failed to load", **STILL)
    page.add_init_script(QUICK)
    address = address.format(table=make and make(page))
    first, later = requests_of(page, address, wanted, room.address)
    assert len(first) > 3
    chance = random.Random(f"{state} {request.config.option.part} {os.environ.get('FAIRDEAL_CHANCE', '')}")
    failures = chance.sample([*product(first, WAYS)], min(NUMBER, len(WAYS) * len(first)))
    if len(failures) < NUMBER:
        failures += product(later, WAYS)
    met = 0
    with Fault(page) as fault:
        for path, way in failures:
            fault.begin(path, way)
            page.goto(address, wait_until="commit")
            met += fails(page, fault, wanted, path, way)
    assert 2 * met >= min(NUMBER, len(WAYS) * len(first)), "few of these requests were made"


def fails(page, fault, wanted, path, way):
    """Look at a page one of whose requests fails, until it can be used again. Return whether the request was made."""
    try:
        wait_until(page, lambda: page.locator(wanted).count() > 0 or page.evaluate(SAYS))
    except AssertionError:
        pytest.fail(f"{path} {way}: {page.locator('body').inner_text()!r}")
    for _ in range(40):
        if fault.met:
            break
        page.wait_for_timeout(50)  # a page is ready before its drawings are requested
    met = fault.met
    fault.end()
    for _ in range(400):
        if page.locator(wanted).count() and not page.locator(".missing, .nothing[data-waits]").count():
            return met > 0
        with contextlib.suppress(Error):  # it loads itself anew
            page.evaluate(PRESSED)
        page.wait_for_timeout(50)
    raise AssertionError(f"{path} {way}, and never whole again: {page.locator('body').inner_text()!r}")


AGAIN = {
    "at a press": lambda page: press(page, "Try again"),
    "by itself": None,
    "when the table is connected again": lambda page: page.evaluate("sockets.at(-1).close()"),
}


@pytest.mark.parametrize(
    ("state", "path", "way"),
    [
        *product(["running"], ["/faces"], AGAIN),
        *product(["rules"], ["/chi/rules.html?options=%7B%7D"], [*AGAIN][:2]),
        *product(["privacy"], ["/api/privacy.html"], [*AGAIN][:2]),
    ],
)
def test_what_is_missing_is_asked_for_again(state, path, way, visit):
    address, make, wanted = STATES[state]
    page = visit(may_log="Failed to load", **STILL)
    page.add_init_script(QUICK if AGAIN[way] else QUICK.replace("isNever(time) ? 0 : ", ""))
    page.add_init_script(SOCKETS)
    with Fault(page) as fault:
        fault.begin(path, "answered 500")
        page.goto(address.format(table=make and make(page)))
        expect(page.get_by_role("status")).to_contain_text("The room answers with error 500.")
    if again := AGAIN[way]:
        page.wait_for_timeout(200)
        assert page.locator(wanted).count() == 0
        again(page)
    page.wait_for_selector(wanted)
    assert page.locator(".nothing[data-waits], .missing").count() == 0


OF_ALL = """['localStorage', 'sessionStorage', 'indexedDB'].forEach((name) =>
    Object.defineProperty(window, name, { %s }))"""
REFUSALS = {
    "denied": OF_ALL % "get() { throw new DOMException('denied', 'SecurityError'); }",
    "null": OF_ALL % "value: null",
    "full": """Storage.prototype.setItem = IDBObjectStore.prototype.add = () => {
        throw new DOMException('full', 'QuotaExceededError');
    };""",
    "silent": "IDBFactory.prototype.open = () => ({});",
}
"""What a browser does that stores nothing, or whose database never answers."""

FORGETS = ".forgets"


@pytest.mark.parametrize("refusal", REFUSALS)
@pytest.mark.parametrize("state", STATES)
def test_every_page_works_where_nothing_is_stored_and_says_what_is_forgotten(state, refusal, visit):
    address, make, wanted = STATES[state]
    page = visit(**STILL)
    page.add_init_script(REFUSALS[refusal])
    page.goto(address.format(table=make and make(page)))
    page.wait_for_selector(wanted)
    if state in ("lobby", "lobby with tables", "privacy"):
        assert page.locator(FORGETS).all_inner_texts() == ([] if refusal == "silent" else [FORGOTTEN])
    if state == "running":
        for speed in ("normal", "instant", "slow"):
            page.locator(f"[data-speed={speed}]").click()
            assert page.locator(".app").count()


FORGOTTEN = (
    "This browser does not store anything more for this page. When the page is closed or loaded again, your settings "
    "and the records that check your deals are lost."
)


LONG_AT_ONCE = """{
    const wait = setTimeout;
    window.setTimeout = (does, time, ...more) => wait(does, time === 3000 ? 0 : time, ...more);
}"""
"""Lets the time after which a check says what it waits for pass at once."""

WAITS_CALMLY = """() => {
    const said = document.querySelector('.was-it-fair > p');
    if (!said?.textContent.includes('It waits until the room has compiled the rules of this game.')) return false;
    return getComputedStyle(said.querySelector('svg')).color === getComputedStyle(said).color;
}"""
"""A check that takes long says what it waits for, in the colour of text."""


@pytest.mark.parametrize("refusal", ["denied"])
def test_a_deal_is_verified_until_its_record_is_lost_with_the_page(refusal, visit):
    wasm_of(find_game("chi"))
    page = visit("/privacy", **STILL)
    page.add_init_script(REFUSALS[refusal])
    page.add_init_script(LONG_AT_ONCE)
    waits = {"waits": True}
    page.route("**/rules", lambda route: route.fulfill(json=waits) if waits else route.fallback())
    page.goto("/?game=chi")
    page.locator(".game-sheet .at-once .btn.lit").click()
    page.wait_for_selector(".prompt")
    table = page.url.rpartition("/")[2]
    let_bot_play(page, table)
    wait_until_over(page, table)
    page.wait_for_selector(".was-it-fair, .popover.note")
    if page.locator(
        ".popover.note"
    ).count():  # it rises on a slow machine, as the page cannot store that none is wanted
        press(page, "Got it")
    page.wait_for_function(WAITS_CALMLY)
    waits.clear()
    steps = page.locator(".fair .steps li:nth-child(4)")
    page.wait_for_selector(".was-it-fair[data-ok]")
    press(page, "Show how")
    expect(steps).to_have_text(re.compile("^Verified"), use_inner_text=True)
    page.reload()
    page.wait_for_selector(".was-it-fair")
    press(page, "Show how")
    expect(steps).to_have_text(re.compile("^Not proven"), use_inner_text=True)
    number = next(iter(CHECKS["number"].unknown.values()))
    expect(page.locator(".was-it-fair > p")).to_contain_text(f"Not proven. {number}")
    assert page.locator(".was-it-fair[data-ok], .fair .steps li:nth-child(4)[data-ok]").count() == 0


def test_a_guest_without_a_cookie_reads_so_and_takes_no_seat(visit):
    host, page = visit(**STILL), visit(may_log="status of 403", **STILL)
    table = waiting(host)
    page.goto(f"/t/{table}")
    page.get_by_label("What shall we call you?").fill("Zoe")
    page.context.clear_cookies()
    press(page, "Sit down")
    expect(page.get_by_role("alert")).to_contain_text("Allow cookies for this address", ignore_case=True)
    assert host.request.get(f"/api/tables/{table}").json()["chairs"][1]["taken"] is False
