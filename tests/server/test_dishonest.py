"""Rooms that do not keep their word are found out by the browser, in real Chromium."""

import hashlib
import re

import pytest
from playwright.sync_api import expect

from fairdeal.engine.compile.modules import wasm_of
from fairdeal.engine.registry import find_game
from fairdeal.table.verdict import CHECKS
from tests.server.dishonest import BOTS, BROKEN, HONEST, NEVER_DEALT, UNKNOWN, dishonest_room
from tests.server.visiting import INSTANT, STILL, let_bot_play, open_by_page

FOUND = """async (table) => {
    const { beforeTheEnd, whole } = await import('/web/fair/verdict.js');
    const { check } = await import('/web/fair/check.js');
    const { keeperOf } = await import('/web/record/keeper.js');
    const { replayed } = await import('/web/fair/replayed.js');
    const keeper = keeperOf(table);
    await keeper.ready;
    const facts = await (await fetch(`/api/tables/${table}`)).json();
    const log = facts.deal.seed && (await fetch(`/api/tables/${table}/log`));
    const text = log?.ok ? await log.text() : '';
    const found = text ? (await check(keeper.record, text)).findings : beforeTheEnd(keeper.record);
    const more = text ? (await replayed(table, text, keeper.record, () => 0)).findings : [];
    return whole(found, more).filter((one) => !one.ok).map(({ check, ok, text }) => [check, ok, text]);
}"""
"""The findings of a page about checks that do not hold, once the game was replayed."""


def play_on(page, table):
    """Leave the game to a bot, which plays it to its end, and look on."""
    let_bot_play(page, table)


@pytest.fixture(scope="module", autouse=True)
def module():
    """The rules in WebAssembly, which rooms that compile nothing give out only if they are in the cache."""
    return wasm_of(find_game("chi"))


@pytest.fixture
def room(tmp_path, way):
    with dishonest_room(tmp_path, way) as room:
        yield room


OVER_PLAIN_HTTP = "Object.defineProperty(crypto, 'subtle', { value: undefined })"
"""What a browser does to a page that comes from another machine so; this one is trusted."""

NOBLE_CAME = "() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/noble-ed25519/'))"


@pytest.mark.parametrize("way", [*HONEST, *BROKEN, *UNKNOWN])
def test_the_browser_says_loudly_what_the_room_did_not_keep(way, visit):
    page = visit(**STILL, may_log="status of 400" if way == "no_log" else "")
    play_and_look(page, way)
    assert not page.evaluate(NOBLE_CAME)


@pytest.mark.parametrize("way", ["honest", "another_key_at_the_end"])
def test_signatures_are_checked_over_plain_http(way, visit):
    page = visit(**STILL)
    page.add_init_script(OVER_PLAIN_HTTP)
    play_and_look(page, way)
    assert page.evaluate(NOBLE_CAME)


UNPROVEN = {
    "the room has no rules": ("no_rules", "", "the disk is full"),
    "the room gives out other rules": ("other_rules", "", "the room sends other rules than it names"),
    "the browser has no workers": ("honest", "delete window.Worker", "Worker is not defined"),
    "the browser does not start the worker": (
        "honest",
        "window.Worker = class { constructor() { setTimeout(() => this.onerror()); } postMessage() {} terminate() {} }",
        "the rules could not be started here",
    ),
    "the replay takes too long": (
        "honest",
        """{
            const wait = setTimeout;
            window.setTimeout = (does, time, ...more) => wait(does, time === 10000 ? 0 : time, ...more);
            window.Worker = class {
                constructor() { wait(() => this.onmessage()); }
                postMessage() {}
                terminate() {}
            };
        }""",
        "the replay took more than ten seconds",
    ),
}
"""Rooms and scripts of the page with which the game is not played again, and the reason that the page gives."""


@pytest.mark.parametrize(("way", "script", "reason"), UNPROVEN.values(), ids=UNPROVEN)
def test_what_is_not_played_again_is_not_called_verified(way, script, reason, visit):
    page = visit(**STILL)
    if script:
        page.add_init_script(script)
    step = end_of_a_game(page, way)
    expect(step).to_have_text(re.compile("^Not proven"), use_inner_text=True)
    assert reason in step.inner_text()
    assert not page.locator(".was-it-fair[data-ok]").count()
    line = page.locator(".was-it-fair > p > span").inner_text()
    assert line.startswith("Not proven. The game was not played again: ")
    assert reason in line
    assert not page.locator(".fair .why").count()
    assert not page.locator(".alarm").count()


ENDS_AT_ONCE = """{
    const wait = setTimeout, Thread = Worker;
    let end;
    window.setTimeout = (does, time, ...more) => (time === 10000 ? ((end = does), 0) : wait(does, time, ...more));
    window.Worker = class extends Thread {
        set onmessage(does) {
            this.addEventListener('message', (event) => {
                does(event);
                end?.();
            }, { once: true });
        }
    };
}"""
"""Lets the ten seconds of a replay end after the first answer of the worker."""


@pytest.mark.parametrize("way", ["honest_search"])
def test_moves_that_there_is_no_time_to_recompute_are_named(way, visit):
    page = visit(**STILL)
    page.add_init_script(ENDS_AT_ONCE)
    step = end_of_a_game(page, way)
    expect(step).to_have_text(re.compile("^Checked in part"), use_inner_text=True)
    late = CHECKS["bots"].unknown["late"].partition("{")[0]
    assert late in step.inner_text()
    (left,) = page.locator(".findings li:not([data-ok])").all_inner_texts()
    assert re.fullmatch(late + r": (\d+ of \d+ by the stand-in of Guest and )?\d+ of \d+ by Nox\.", left)
    line = page.locator(".was-it-fair > p > span").inner_text()
    assert line == f"Your browser has checked the deal and every move. In part: {left}"
    assert not page.locator(".alarm").count()


@pytest.mark.parametrize("way", ["honest"])
def test_only_a_player_who_gave_a_number_reads_that_nobody_chose_the_cards(way, visit):
    page = visit(**STILL)
    end_of_a_game(page, way)
    assert "nobody chose the cards" in page.locator(".steps li:nth-child(2)").inner_text()
    other = visit(f"/t/{page.url.split('/')[-1]}?watch", **STILL)
    other.get_by_role("button", name="Show how").click()
    expect(other.locator(".steps li:nth-child(4)")).to_have_text(re.compile("^Not proven"), use_inner_text=True)
    assert other.locator(".fair .why").inner_text().startswith("Nobody can change these cards.")
    assert "nobody chose" not in other.locator(".fair").inner_text()


@pytest.mark.parametrize("way", ["honest"])
@pytest.mark.parametrize("again", [False, True], ids=["at the table", "who comes again"])
def test_a_deal_whose_table_is_gone_is_not_proven(way, room, again, visit, tmp_path):
    page = visit(**STILL, may_log="ERR_CONNECTION_REFUSED")
    come_to_a_table(page, way)
    page.wait_for_selector("[data-zone=row] .card")
    room.stop()
    room.database = tmp_path / "another.db"
    room.start()
    if again:
        page.reload()
    gone = page.locator("main.nothing")
    expect(gone).to_contain_text("Its deal is not proven: the room has not shown its secret.")


EVALUATED = """() => new Promise((seen) => {
    const refused = (does) => {
        try { does(); return false; } catch (problem) { return problem instanceof EvalError; }
    };
    setTimeout(() => seen([() => eval('1'), () => new Function('1')].map(refused)));
})"""
"""What a page's own script would meet; a tester's is let through while it runs."""


@pytest.mark.parametrize("way", ["honest"])
def test_a_page_runs_modules_of_rules_but_no_text_as_a_program(way, visit):
    page = visit("/")
    page.wait_for_selector(".box .cover")
    assert page.evaluate(EVALUATED) == [True, True]
    empty = "() => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => true)"
    assert page.evaluate(empty)


def play_and_look(page, way):
    """A game at a room that is not honest in this way, and what the page says at its end."""
    step = end_of_a_game(page, way)
    if step is None:
        return
    found = page.evaluate(FOUND, page.url.split("/")[-1])
    line = page.locator(".was-it-fair > p > span")
    if way in HONEST:
        assert found == []
        expect(step).to_have_text(re.compile("^Verified"), use_inner_text=True)
        assert line.inner_text() == "Your browser has checked the deal and every move."
        module = hashlib.sha256(wasm_of(find_game("chi")).code).hexdigest()
        shown = page.locator(".hash", has_text="Rules that your browser ran").locator("code")
        assert shown.inner_text() == module
        assert "For an independent check" in page.locator(".fair").inner_text()
        assert page.locator(".fair .why").inner_text().startswith("Nobody picked these cards")
        assert page.locator(".findings li").count() == page.locator(".findings li[data-ok]").count() == len(CHECKS)
        assert not page.locator(".alarm").count()
    elif way in UNKNOWN:
        words = [text for check, ok, text in found if ok is None and check == UNKNOWN[way]]
        if way in ("no_seed", "no_log"):  # there is nothing to check
            words = [CHECKS[UNKNOWN[way]].unknown["hidden" if way == "no_seed" else "missing"]]
        assert len(words) == 1
        assert not [check for check, ok, _ in found if ok is False]
        expect(step).to_have_text(re.compile("^(Not proven|Checked in part)"), use_inner_text=True)
        assert words[0] in page.locator(".findings, .steps").all_inner_texts()[-1]
        assert not page.locator(".alarm").count()
        assert way != "no_seed" or not page.locator(".fair .why").count()
    else:
        words = {check: text for check, ok, text in found if ok is False}
        assert BROKEN[way] in words
        expect(step).to_have_text(re.compile("^Deal not kept"), use_inner_text=True)
        expect(page.get_by_role("button", name="Deal not kept")).to_be_visible()
        alarm = page.locator(".alarm").inner_text()
        assert words[BROKEN[way]] in alarm or (way == "another_choice" and "differs from the bot’s choice" in alarm)
        assert not page.locator(".fair .why").count()


def come_to_a_table(page, way):
    """Open a table, whose number the page keeps, and return its id."""
    table = open_by_page(page, "chi", ["you", BOTS.get(way, "greedy")], options={"stacks_to_end": 4})
    page.evaluate(INSTANT)
    page.goto(f"/t/{table}")  # a page that knows what the one before has kept
    return table


def end_of_a_game(page, way):
    """Play a game at such a room, and return the last step of the proof, or None if the game is not dealt."""
    table = come_to_a_table(page, way)
    if way in HONEST:
        page.reload()  # which may be loaded again, and still has all that is looked at
    if way in NEVER_DEALT:
        page.wait_for_selector(".alarm")
        status = page.evaluate("async (table) => (await (await fetch(`/api/tables/${table}`)).json()).status", table)
        assert status == "open"
        words = {check: text for check, ok, text in page.evaluate(FOUND, table) if ok is False}
        assert [*words] == [BROKEN[way]]
        assert words[BROKEN[way]] in page.locator(".alarm").inner_text()
        return None
    page.wait_for_selector("[data-zone=row] .card")  # it is dealt: whoever leaves before is waited for
    play_on(page, table)
    page.wait_for_selector(".verdict")
    page.get_by_role("button", name="Show how").click()
    page.wait_for_selector(".was-it-fair .steps" if way == "no_seed" else ".findings li")
    step = page.locator(".steps li:nth-child(4)")
    expect(step).not_to_have_text(re.compile("^Checked( to come)?\n"), use_inner_text=True)
    return step
