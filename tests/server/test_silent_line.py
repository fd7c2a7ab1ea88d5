"""A line that falls silent without an end: pages notice it in time, keep what was chosen, and are back at once."""

import contextlib
from typing import get_args

import msgspec
import pytest
from playwright.sync_api import expect

from fairdeal.protocol import messages as m
from tests.server.silent import SilentWire
from tests.server.visiting import BROWSER, WITHOUT_NOTES, running, wait_until

SOON = 6.0
"""Seconds within which a page finds out that the line is silent."""

SOCKETS = """{
    window.sockets = [];
    window.asked = [];
    window.picks = new Set();
    window.WebSocket = class extends WebSocket {
        constructor(...given) {
            super(...given);
            window.sockets.push(this);
        }
        send(text) {
            const { type, id } = JSON.parse(text);
            window.asked.push(type);
            if (type === 'pick') window.picks.add(id);
            super.send(text);
        }
    };
}"""
"""Notes the connections of a page, and what it asks over them."""

HIDE = """(hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


class Silent:
    """A page whose time the test lets pass, at a table behind a line that the test can hush."""

    def __init__(self, room, stack, **wishes):
        self.wire = stack.enter_context(SilentWire(room.port))
        context = BROWSER.open().new_context(base_url=self.wire.address, service_workers="block")
        stack.callback(context.close)
        self.page = page = context.new_page()
        page.set_default_timeout(60_000)
        page.clock.install()
        page.add_init_script(WITHOUT_NOTES)
        page.add_init_script(SOCKETS)
        self.table = running(page, **wishes)
        page.goto(f"/t/{self.table}")
        page.wait_for_selector(".prompt[data-yours]")
        page.clock.pause_at(page.evaluate("Date.now() + 2000"))
        self.answered()

    def answered(self):
        """Wait until the page has asked whether the room is there, and the room has answered."""
        before = self.pings
        while self.pings == before:
            self.pass_by(0.5)
        self.page.wait_for_timeout(100)

    @property
    def pings(self):
        return self.page.evaluate("asked.filter((type) => type === 'ping').length")

    def pass_by(self, seconds):
        self.page.clock.run_for(1000 * seconds)

    def says(self, kind, words):
        expect(self.page.locator(f".status-line[data-kind={kind}]")).to_contain_text(words)

    def stays_on(self):
        expect(self.page.locator(".status-line:is([data-kind=waits], [data-kind=lost])")).to_have_count(0)

    def is_back(self):
        """Wait, while time passes, until the room answers over a new connection: the one that was opened in silence is
        given up first."""
        self.pass_by(4)

        def answers():
            self.pass_by(0.05)
            return self.page.locator(".status-line:is([data-kind=waits], [data-kind=lost])").count() == 0

        wait_until(self.page, answers)

    def number(self):
        return self.page.request.get(f"/api/tables/{self.table}").json()["seq"]


@pytest.fixture
def silent(room):
    with contextlib.ExitStack() as stack:
        yield Silent(room, stack)


def test_what_is_chosen_while_a_line_is_silent_is_kept_and_is_done_once(silent):
    page = silent.page
    silent.wire.hush()
    page.locator(".card[data-can]").first.focus()
    chosen = page.evaluate("document.activeElement.dataset.id")
    page.keyboard.press("Enter")
    silent.pass_by(m.WAITS - 0.1)
    silent.stays_on()
    for _ in range(3):
        page.keyboard.press("Enter")  # which asks for the same, and is not asked twice
    silent.pass_by(0.2)
    silent.says("waits", "Waiting for the room. Your choice is kept.")
    expect(page.locator(".question")).to_contain_text("Your choice is kept")
    expect(page.locator(f".card[data-id='{chosen}'][data-sel]")).to_have_count(1)
    expect(page.locator(":is(.card, .seat, .zone)[data-can], .prompt .btn")).to_have_count(0)
    silent.pass_by(SOON - m.WAITS - 0.1)
    silent.says("lost", "Connection lost, trying again. Your choice is kept.")
    assert page.evaluate("sockets.length") == 2, "the new connection does not wait for the end of the old one"
    for key in "hx":
        page.keyboard.press(key)
    expect(page.locator(".status-line[data-refused]")).to_have_count(1)
    silent.wire.speak()
    page.evaluate("dispatchEvent(new Event('online'))")
    silent.is_back()
    page.wait_for_selector(f".prompt[data-yours], .card[data-id='{chosen}'][data-sel]")
    picks = page.evaluate("[asked.filter((type) => type === 'pick').length, picks.size]")
    assert picks == [2, 1], "once over each connection, under the same id"


def test_what_is_chosen_without_a_connection_is_kept_and_late_events_of_the_old_one_are_not_heard(silent):
    page = silent.page
    silent.wire.hush()
    silent.pass_by(SOON)
    silent.says("lost", "Connection lost, trying again")
    able = page.get_by_role("button", name="can be chosen")
    expect(able).to_have_count(0)
    assert not page.evaluate("asked.includes('pick')")
    page.locator(".card[data-can]").first.focus()
    page.keyboard.press("Enter")
    silent.says("lost", "Connection lost, trying again. Your choice is kept.")
    silent.wire.speak()
    silent.is_back()
    expect(able).not_to_have_count(0)
    page.wait_for_selector(".card[data-sel]")
    event = "new MessageEvent('message', { data: JSON.stringify({ type: 'refused', id: '', reason: 'late' }) })"
    page.evaluate(f"sockets[0].dispatchEvent({event}); sockets[0].dispatchEvent(new CloseEvent('close'))")
    silent.stays_on()
    assert "Late" not in page.locator(".status-line").inner_text()


def test_the_browser_tells_of_its_network_and_a_hidden_page_asks_seldom(silent):
    page = silent.page
    for event in ("offline", "online", "pageshow"):
        before = silent.pings
        page.evaluate("(name) => dispatchEvent(new Event(name))", event)
        assert silent.pings == before + 1
        page.wait_for_timeout(100)
        silent.pass_by(1.1)
        silent.stays_on()
    page.evaluate(HIDE, True)
    silent.answered()
    before = silent.pings
    silent.pass_by(29)
    assert silent.pings == before
    silent.wire.hush()
    page.evaluate(HIDE, False)
    assert silent.pings == before + 1
    page.evaluate("dispatchEvent(new Event('offline'))")
    silent.pass_by(1.1)
    silent.says("lost", "Connection lost, trying again")


REQUESTS = {
    "kept": {m.Pick, m.Play, m.Undo, m.Say, m.StandIn, m.Rematch},
    "refused": {m.Draft, m.Why, m.Hint, m.Recall},
    "dropped": {m.Inspect, m.Position, m.Speed, m.Calm, m.Ping},
}
"""What becomes of requests without a connection. The page itself asks for what is dropped when the connection is back,
or when the pointer rests on a card; a position is asked for by programs only."""


def test_every_request_is_kept_or_refused_visibly_without_a_connection(visit):
    page = visit("/rules/chi", may_log="WebSocket connection to")
    assert set.union(*REQUESTS.values()) == {*get_args(m.Requests)}
    becomes = page.evaluate(
        """async (types) => {
            const { TableSocket } = await import('/web/kit/socket.js');
            let said = [];
            const socket = new TableSocket(() => '/nowhere', () => 0, (...told) => (said = told));
            socket.lose(60000);
            return types.map((type) => {
                const [, before, refusals] = said;
                const id = socket.ask({ type });
                const [line, owed, now] = said;
                return [line, now > refusals ? 'refused' : owed.length > before.length ? 'kept' : 'dropped', !id];
            });
        }""",
        [msgspec.inspect.type_info(kind).tag for kind in get_args(m.Requests)],
    )
    for kind, (line, what, no_answer) in zip(get_args(m.Requests), becomes, strict=True):
        assert (line, kind in REQUESTS[what], no_answer) == ("lost", True, what != "kept"), (kind, what)
