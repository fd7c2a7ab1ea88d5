"""Rooms that do not keep their word are found out by the browser, in real Chromium."""

import re

import pytest
from playwright.sync_api import expect

from tests.server.dishonest import WAYS, dishonest_room
from tests.server.visiting import INSTANT, STILL, keep, needs_chromium

pytestmark = needs_chromium

WORDS = {
    "another_seed": "promised one seed and deals from another",
    "another_number": "Your own number is not in the deal",
    "dropped_number": "dealt without your number",
    "another_seat_after": "changed after you showed your number",
    "another_header_at_the_end": "not the one you were shown",
    "another_move_in_the_log": "not what the room acknowledged",
    "another_key_at_the_end": "signature of the end is missing or wrong",
    "no_signature_at_the_end": "signature of the end is missing or wrong",
    "another_attempt": "changed after you showed your number",
    "number_asked_for_twice": "changed the deal after you showed your number",
    "false_branch": "Your own number is not in the deal",
    "older_format": "not in the form that this room deals under",
    "forgotten_moves": "two different games|not what the room acknowledged",
}


def play_on(page, table):
    """Leave the game to a bot, which plays it to its end, and look on."""
    page.evaluate("(table) => fetch(`/api/tables/${table}/leave`, { method: 'POST' })", table)


@pytest.fixture
def room(tmp_path, way):
    with dishonest_room(tmp_path, way) as room:
        yield room


OVER_PLAIN_HTTP = "Object.defineProperty(crypto, 'subtle', { value: undefined })"
"""What a browser does to a page that comes from another machine so; this one is trusted."""

NOBLE_CAME = "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/noble.js'))"


@pytest.mark.parametrize("way", ["honest", *WAYS])
def test_the_browser_says_loudly_what_the_room_did_not_keep(way, visit, tmp_path):
    page = visit(**STILL)
    play_and_look(page, way, tmp_path)
    assert not page.evaluate(NOBLE_CAME)


@pytest.mark.parametrize("way", ["honest", "another_key_at_the_end"])
def test_signatures_are_checked_over_plain_http(way, visit, tmp_path):
    page = visit(**STILL)
    page.add_init_script(OVER_PLAIN_HTTP)
    play_and_look(page, way, tmp_path)
    assert page.evaluate(NOBLE_CAME)


def play_and_look(page, way, tmp_path):
    """A game at a room that is not honest in this way, and what the page says at its end."""
    page.goto("/api/me")  # any answer of the room will do to import its modules
    page.evaluate(INSTANT)
    table = page.evaluate(
        """async () => {
            const { openTable } = await import('/web/fair/storage.js');
            return (await openTable({ game: 'chi', chairs: ['you', 'greedy'], options: { stacks_to_end: 4 } })).id;
        }"""
    )
    page.goto(f"/t/{table}")  # a page that knows what the one before has kept
    if way == "honest":
        page.reload()  # which may be loaded again, and still has all that is looked at
    if way == "another_seed":  # this browser shows no number to such a room, and the deal waits
        page.wait_for_selector(".alarm")
        assert re.search(WORDS[way], page.locator(".alarm").inner_text())
        assert (
            page.evaluate("async (table) => (await (await fetch(`/api/tables/${table}`)).json()).status", table)
            == "open"
        )
        keep(page, f"deal-{way}", tmp_path)
        return
    page.wait_for_selector("[data-zone=row] .card")  # it is dealt: whoever leaves before is waited for
    play_on(page, table)
    page.wait_for_selector(".verdict")
    page.get_by_role("button", name="Show how").click()
    page.wait_for_selector(".findings li")
    keep(page, f"deal-{way}", tmp_path)
    step = page.locator(".steps li:nth-child(4)")
    if way == "honest":
        expect(step).to_have_text(re.compile("^Verified"), use_inner_text=True)
        assert page.locator(".fair .why").inner_text().startswith("Nobody picked these cards")
        assert page.locator(".findings li").count() == page.locator(".findings li[data-ok]").count() >= 6
        assert not page.locator(".alarm").count()
    else:
        expect(step).to_have_text(re.compile("^Deal not kept"), use_inner_text=True)
        expect(page.get_by_role("button", name="Deal not kept")).to_be_visible()
        assert re.search(WORDS[way], page.locator(".alarm").inner_text())
