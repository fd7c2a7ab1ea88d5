"""Rooms that do not keep their word are found out by the browser, in real Chromium."""

import re

import pytest
from playwright.sync_api import expect

from tests.server.dishonest import CHECKS, NEVER_DEALT, SILENT, WAYS, dishonest_room
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
    "another_promise": "promised one seed and deals from another",
    "no_hash": "Your own number is not in the deal",
    "no_seat": "says that you do not sit in this game",
    "another_table": "not one of this table of this room",
    "hidden_failure": "failed after you showed your number",
    "missing_number": "number is missing at a table that waits",
    "unbound_number": "not the one its seat was bound to",
    "another_seed_at_the_end": "seed is not the one that was promised",
}
UNPROVEN = {
    "no_seed": "The room has not shown its secret",
    "no_chains": "The room has acknowledged no move to this browser",
    "no_log": "does not give out what this game is checked by",
}

FOUND = """async (table) => {
    const { broken, check } = await import('/web/fair/proof.js');
    const { kept } = await import('/web/fair/storage.js');
    const facts = await (await fetch(`/api/tables/${table}`)).json();
    const log = facts.deal.seed && (await fetch(`/api/tables/${table}/log`));
    const found = log?.ok ? await check(facts, kept(facts), await log.text()) : broken(facts, kept(facts));
    return found.filter((one) => one.ok === false).map((one) => one.check);
}"""
"""The checks that a room does not pass, in a page."""


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


@pytest.mark.parametrize("way", ["honest", *WAYS, *SILENT])
def test_the_browser_says_loudly_what_the_room_did_not_keep(way, visit, tmp_path):
    page = visit(**STILL, may_log="status of 400" if way == "no_log" else "")
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
    if way in (*NEVER_DEALT, "no_seat"):
        page.wait_for_selector(".alarm")
        assert re.search(WORDS[way], page.locator(".alarm").inner_text())
        status = page.evaluate("async (table) => (await (await fetch(`/api/tables/${table}`)).json()).status", table)
        assert (status == "open") == (way in NEVER_DEALT)
        assert {*page.evaluate(FOUND, table)} == {CHECKS[way]}
        keep(page, f"deal-{way}", tmp_path)
        return
    page.wait_for_selector("[data-zone=row] .card")  # it is dealt: whoever leaves before is waited for
    play_on(page, table)
    page.wait_for_selector(".verdict")
    page.get_by_role("button", name="Show how").click()
    page.wait_for_selector(".was-it-fair .steps" if way == "no_seed" else ".findings li")
    keep(page, f"deal-{way}", tmp_path)
    step = page.locator(".steps li:nth-child(4)")
    if way == "honest":
        expect(step).to_have_text(re.compile("^Verified"), use_inner_text=True)
        assert page.locator(".fair .why").inner_text().startswith("Nobody picked these cards")
        assert page.locator(".findings li").count() == page.locator(".findings li[data-ok]").count() >= 6
        assert not page.locator(".alarm").count()
    elif way in UNPROVEN:
        expect(step).to_have_text(re.compile(f"^Not proven.*{UNPROVEN[way]}", re.DOTALL), use_inner_text=True)
        expect(page.locator(".was-it-fair p").first).to_contain_text("Not proven.")
        assert not page.locator(".was-it-fair[data-ok]").count()
        assert not page.locator(".alarm").count()
        assert page.evaluate(FOUND, table) == []
    else:
        expect(step).to_have_text(re.compile("^Deal not kept"), use_inner_text=True)
        expect(page.get_by_role("button", name="Deal not kept")).to_be_visible()
        assert re.search(WORDS[way], page.locator(".alarm").inner_text())
        assert {*page.evaluate(FOUND, table)} == {CHECKS[way]}
