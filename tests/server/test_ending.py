"""A game ends in sight: the card that decided it, one sentence, then the sheet, over a table that stays as it was. So
does a round: its last card, what it brought everybody and why, then the next one."""

import random
import re

import msgspec
import pytest
from playwright.sync_api import expect

from fairdeal.engine.registry import find_game, game_names
from fairdeal.protocol.staging import SPEEDS
from fairdeal.table.sitting import replay
from fairdeal.terminal.pictures import staging
from fairdeal.terminal.pictures.speed import Tempo
from tests.conftest import SHORT, opening
from tests.server.measuring import CUT, RISEN, resize
from tests.server.test_browser import NOW, choose_by_clicks, go_on, settled, violations
from tests.server.test_stage import sit
from tests.server.visiting import DESK, INSTANT, PHONE, STILL, open_with, press, sit_at, waits_forever, watch
from tests.table.sittings import finished

STAGES = """() => {
    window.stages = [];
    const look = () => {
        const stage = document.querySelector('.ending')?.dataset.stage;
        if (!stage) return;
        const lit = [...document.querySelectorAll('.spotlight .edge')].map((one) => one.getBoundingClientRect());
        const card = [...document.querySelectorAll('.table .card')].map((one) => one.getBoundingClientRect())
            .some((box) => lit.some((edge) => box.x > edge.x && box.right < edge.right && box.y > edge.y
                && box.bottom < edge.bottom));
        const { x, y, width, height } = document.querySelector('.field').getBoundingClientRect();
        if (stages.at(-1)?.stage === stage) {
            stages.at(-1).card ||= card;
            return;
        }
        stages.push({ stage, at: performance.now(), card, field: [x, y, width, height],
            said: document.querySelector('.ending .ribbon, .verdict h2')?.textContent ?? '' });
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    const inEachFrame = () => { look(); requestAnimationFrame(inEachFrame); };  // a card may still fly when it is lit
    inEachFrame();
}"""
"""Keeps what the end of a game shows, and since when, by the page's own clock."""


PAPER_OF = "(part) => getComputedStyle(document.querySelector(part)).backgroundColor"


def play_to_the_end(page, chance):
    """Click until the game is over, and no further."""
    for _ in range(300):
        if page.locator(".ending").count():
            return
        go_on(page, chance)
    raise AssertionError("the game does not end")


@pytest.fixture
def ended(visit, room):
    """A page on which a game has just ended."""

    def play(script="", bot="greedy", **wishes):
        page = visit(**wishes)
        page.add_init_script(script)
        sit_at(page, "chi", ("you", bot), options=opening("chi") | SHORT["chi"])
        page.evaluate(STAGES)
        play_to_the_end(page, random.Random(3))
        return page

    return play


IN_STEPS = """{
    const wait = setTimeout, stages = [1500, 900, 1700];
    let held = [];
    window.setTimeout = (does, time, ...more) =>
        stages.includes(time) ? held.push(does) && 0 : wait(does, time, ...more);
    window.goOn = () => { const now = held; held = []; now.forEach((does) => does()); };
}"""
"""For a page that goes from what is looked at to the word, and from there to the sheet, when it is told to."""

LIT = """() => {
    const box = (one) => one?.getBoundingClientRect();
    const inside = (part, x, y) => part && x > part.left && x < part.right && y > part.top && y < part.bottom;
    const ribbon = box(document.querySelector('.ribbon'));
    const seen = [...document.querySelectorAll('.spotlight .edge')].filter((edge) => {
        const { left, top, width, height } = box(edge);
        return [0.15, 0.5, 0.85].some((across) => [0.15, 0.5, 0.85].some((down) => {
            const [x, y] = [left + across * width, top + down * height];
            const there = document.elementFromPoint(x, y);
            return there?.closest('.table .card[data-id], .seat .plate, .own .me')
                && !there.closest('.verdict') && !inside(ribbon, x, y);
        }));
    });
    const rematch = [...document.querySelectorAll('.verdict .btn.lit')].map((button) => {
        const { left, top, width, height } = box(button);
        return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    return {
        stage: document.querySelector('.ending').dataset.stage,
        dimmed: Boolean(document.querySelector('.spotlight .dark')),
        seen: seen.length,
        rematch: rematch.length === 1 && rematch[0],
    };
}"""
"""Is the table dimmed, and on how much of what decided the game can one see the light fall?"""


MOVING = """() => document.getAnimations().map(({ effect }) => effect.target)
    .filter((target) => target?.closest('.ending')).map((target) => target.className || target.tagName)"""


def endings_of(game, players):
    """Return the last two scenes of games of bots for their first player, without what else they have ended: of one
    that the player has won alone, and of one that others have won, if there are such."""
    options, found = {"players": players} | SHORT.get(game, {}), {}
    for seed in range(16):
        sitting = finished(game, seed=f"{game} {seed}", **options)
        end = msgspec.structs.replace(sitting.scene(0), round=None, resolved=None)
        won = end.result.won and end.result.places[0] == 1 and (players == 1 or len(set(end.result.places)) > 1)
        if won not in found:
            before = replay(sitting.log, sitting.seed, upto=sitting.moves_made - 1)
            found[won] = before.scene(0), end, won
        if len(found) == 2:
            break
    return options, list(found.values())


SHORT_LISTS = """() => [...document.querySelectorAll('.verdict .panel')]
    .filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent)"""
"""Tables of points whose last rows are not seen, however far the sheet is scrolled."""

SIZES = {"desk": DESK, "phone": PHONE, "lying": {"width": 844, "height": 390}, "tablet": {"width": 768, "height": 1024}}


@pytest.mark.parametrize(("number", "game"), list(enumerate(game_names())), ids=str)
def test_the_light_falls_on_something_that_decided_the_game_and_can_be_seen(number, game, visit):
    """Or nothing is dimmed, as under the sheet; where Rematch can always be pressed."""
    fewest, most = find_game(game).players
    options, endings = endings_of(game, most if number % 2 else max(fewest, min(2, most)))
    page = visit(overheard=True, **STILL)
    page.add_init_script(IN_STEPS)
    wire = sit(page, game, options["players"] - 1, ".prompt", endings[0][0], **options)
    for before, end, won in endings:
        turn = "won" if won else "lost"
        wire.show(before)
        page.wait_for_selector(".ending", state="detached")
        wire.show(end)
        for stage in ("look", "word", "sheet"):
            page.wait_for_selector(f".ending[data-stage={stage}]")
            for label, size in SIZES.items():
                resize(page, size)
                found = page.evaluate(LIT)
                where = f"{turn}, {stage}, {label}: {end.result.light}"
                assert found["stage"] == stage, where
                assert found["dimmed"] == bool(found["seen"]), f"{where}: {found}"
                assert found["dimmed"] or (stage == "sheet" and label in ("desk", "tablet")), f"{where}: nothing is lit"
                assert found["rematch"] == (stage == "sheet"), f"{where}: no Rematch"
                assert page.evaluate(SHORT_LISTS) == [], where
                assert page.evaluate(f"({CUT})(document.querySelector('.ending'))") == [], where
            if stage == "word":
                assert page.locator(".ribbon").evaluate("(one) => one.matches('.won')") == won, turn
                assert page.locator(".joy").count() == won, turn
                assert page.evaluate(MOVING) == [], "the gesture stands still with reduced motion"
            if stage == "sheet":
                assert page.locator(".comfort").all_inner_texts() == [end.result.comfort] * (end.result.comfort != "")
            page.evaluate("goOn()")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_deciding_card_is_looked_at_before_anything_is_said(motion, ended):
    page = ended(reduced_motion=motion)
    page.wait_for_selector(".verdict")
    look, word, sheet = page.evaluate("stages")
    assert [look["stage"], word["stage"], sheet["stage"]] == ["look", "word", "sheet"]
    assert look["card"], "no card is lit"
    assert not look["said"]
    assert word["said"]
    assert word["said"] == sheet["said"]
    assert word["at"] - look["at"] > 1000  # milliseconds
    assert sheet["at"] - word["at"] > 500
    assert look["field"] == word["field"] == sheet["field"]
    page.wait_for_selector("h2:focus")


IN_VIEW = """() => ['.onward > p', '.onward > .link', '.acts > .btn.lit'].map((part) => {
    const one = document.querySelector(`.verdict ${part}`), { left, top, width, height } = one.getBoundingClientRect();
    return [0.1, 0.9].every((share) =>
        one.contains(document.elementFromPoint(left + share * width, top + share * height)));
})"""
"""Can one see whom to play next, and touch the button for that and for a rematch?"""


def test_who_has_played_against_a_bot_is_led_to_the_next_one(ended):
    """After a win it is stronger, after a defeat weaker; the new table has the same rules."""
    page = ended(INSTANT, bot="juno")
    onward = page.locator(".verdict .onward")
    onward.wait_for()
    for size in ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800)):
        resize(page, dict(zip(("width", "height"), size, strict=True)))
        page.wait_for_function(RISEN)
        assert page.evaluate(IN_VIEW) == [True] * 3, f"{size}: what comes next is seen without scrolling"
    facts = page.request.get(page.url.replace("/t/", "/api/tables/")).json()
    games = page.request.get("/api/games").json()
    levels = next(game["levels"] for game in games if game["name"] == "chi")
    won, bot = page.locator(".verdict h2.won").count(), facts["chairs"][1]
    place = next(number for number, level in enumerate(levels) if level["id"] == bot["plays"])
    after = levels[place + (1 if won else -1)]
    said = f"You beat {bot['name']}; {after['name']} is next." if won else f"{after['name']} is easier to beat."
    expect(onward.locator("p")).to_contain_text(said)
    press(onward, f"Play {after['name']}")
    page.wait_for_url(lambda url: facts["id"] not in url)
    page.wait_for_selector(".prompt[data-yours], .prompt[data-wait]")
    table = page.request.get(page.url.replace("/t/", "/api/tables/")).json()
    assert [chair["plays"] for chair in table["chairs"]] == ["person", after["id"]]
    assert table["options"] == facts["options"]


def test_a_key_leads_to_the_sheet_at_once_and_t_pushes_it_down(ended):
    page = ended(waits_forever(1500), size=PHONE)  # the card is looked at until a key is pressed
    page.wait_for_selector(".spotlight .edge")
    page.evaluate("document.querySelectorAll('.table .card').forEach((card) => card.removeAttribute('data-id'))")
    page.evaluate(
        "document.querySelectorAll('.table .plate, .table .me').forEach((plate) => { plate.className = ''; })"
    )
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    page.wait_for_selector(".spotlight", state="detached")  # what is gone leaves no light behind
    assert [one["stage"] for one in page.evaluate("stages")] == ["look", "sheet"]
    assert violations(page) == []
    page.keyboard.press("t")
    page.wait_for_selector(".verdict[data-down]")
    page.keyboard.press("t")
    page.wait_for_selector(".verdict:not([data-down])")


SHARES = "() => { navigator.share = (shared) => { window.shared = shared; return Promise.resolve(); }; }"
SHARES_PICTURES = "() => { navigator.canShare = ({ files }) => files.every(({ type }) => type === 'image/png'); }"
REFUSES = "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not here')); }"


@pytest.mark.networks("127.0.0.2")
def test_a_game_is_shared_by_its_replay_in_a_line_that_does_not_say_how_it_ended(ended):
    """A page that comes later shows the sheet at once."""
    page = ended()
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    table, share = page.url.split("/")[-1], page.get_by_role("button", name="Share")
    page.evaluate(REFUSES)
    share.click()
    assert page.get_by_label("Link to copy").input_value().endswith(f"/t/{table}?move=0")
    page.add_init_script(f"({SHARES})()")
    page.reload()
    page.wait_for_selector(".verdict")
    assert page.locator(".ending").get_attribute("data-stage") == "sheet"
    page.wait_for_selector(".decided .card")
    told = page.locator(".decided p").inner_text()
    assert re.match("(What decided it|The turning point)\\s+(The last move: |From move )", told), told
    share.click()
    page.wait_for_function("() => window.shared")
    shared = page.evaluate("shared")
    assert shared["url"] == page.url.replace("127.0.0.1", "127.0.0.2") + "?move=0"
    assert re.fullmatch("Guest and .+ played Chi[.] See how it went[.]", shared["text"])
    page.evaluate(SHARES_PICTURES)
    assert page.request.get(f"/api/tables/{table}/picture.png").ok, "it is there in time for the click"
    share.click()
    page.wait_for_function("() => shared.files")
    assert page.evaluate("createImageBitmap(shared.files[0]).then(({ width, height }) => `${width} x ${height}`)") == (
        "1200 x 630"
    )
    assert page.evaluate("shared.text") == f"{shared['text']}\n{shared['url']}"
    press(page, "Show how")
    page.wait_for_selector(".fair li:nth-child(4):is([data-ok], [data-open])")
    page.get_by_role("button", name="Seal opened").wait_for()
    page.evaluate("() => { window.fetch = () => Promise.reject(new Error('not here')); }")
    share.click()
    page.wait_for_function("() => !shared.files")
    assert page.evaluate("shared") == shared
    page.goto(shared["url"])
    page.get_by_text("You are looking at move 0 of").wait_for()


COUNTED = """() => {
    window.counted = [];
    const look = () => {
        const line = document.querySelector('.status-line[data-kind=round]');
        const stage = line && `${line.dataset.stage} ${getComputedStyle(line, '::after').animationDuration}`;
        if (stage && window.counted.at(-1) !== stage) window.counted.push(stage);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    const inEachFrame = () => { look(); requestAnimationFrame(inEachFrame); };  // a card may still fly when it is lit
    inEachFrame();
}"""
"""Notes what the line over the question says of a round, and how long that line takes to empty."""


def play_until_it_is_counted(page, chance):
    for _ in range(30):
        now = page.evaluate(NOW)
        if page.locator(".status-line[data-kind=round]").count() or page.evaluate("window.counted?.length"):
            return
        if now["yours"]:
            choose_by_clicks(page, now, chance)
        settled(page, now)
    raise AssertionError("no round ends")


def test_a_round_is_counted_in_sight_and_the_next_one_waits_for_it(visit):
    page = visit(size=PHONE)
    page.add_init_script(waits_forever(8000))  # the next round waits for a key
    table = open_with(page, "chimax-cut", ["you", "greedy"], options={"mode": "one_cut", "recuts": 0, "players": 2})
    page.goto(f"/t/{table}")
    chance = random.Random(1)
    page.wait_for_selector(".prompt")
    counted = watch(page, "() => document.querySelector('.counting[data-stage=count]') !== null")
    play_until_it_is_counted(page, chance)
    counted()
    said = page.locator(".prompt").inner_text()
    assert said.startswith("Round 1 done: ")
    assert "Next round" in said
    assert page.locator(".counting .pill").first.inner_text().split() in (
        ["1", "highest", "card"],
        ["−1", "lowest", "card"],
    )
    page.locator(".counting").click()
    page.wait_for_selector(".status-line[data-stage=done]")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(PAPER_OF, ".prompt") == page.evaluate(PAPER_OF, ".top"), "a question that asks nothing glares"
    page.emulate_media(color_scheme="light")
    page.keyboard.press("Enter")
    page.wait_for_selector(".counting", state="detached")
    page.wait_for_selector(".prompt[data-yours]")
    page.wait_for_function("() => document.querySelector('.top').textContent.includes('round 2')")
    page.wait_for_timeout(400)  # a press that comes too soon after a question is ignored
    page.keyboard.press("?")
    page.wait_for_selector(".popover .keys")
    page.keyboard.press("Escape")
    page.evaluate(f"() => {waits_forever(900)}")  # the film ends by a key alone
    page.keyboard.press("b")
    page.wait_for_selector(".status-line[data-kind=film]")
    assert page.locator(".prompt[data-yours]").count() == 0
    page.keyboard.press("x")
    page.wait_for_selector(".status-line[data-kind=film]", state="detached")
    page.wait_for_selector(".prompt[data-yours]")
    page.evaluate(INSTANT)
    page.reload()
    page.wait_for_selector(".prompt")
    page.evaluate(COUNTED)
    play_until_it_is_counted(page, chance)
    page.wait_for_selector(".counting", state="detached")
    assert page.evaluate("window.counted") == ["done 0.6s"], "all points at once, and the line is as short as the while"


def test_a_game_that_nobody_has_won_ends_without_a_podium(visit):
    """WAR-03: two who do not feel extreme are no two winners."""
    page = visit(**STILL)
    table = open_with(page, "war-xtreme", ["you", "greedy"], options={"players": 2, "ask_extreme": True})
    page.goto(f"/t/{table}")
    press(page, re.compile("^No"))
    expect(page.locator(".verdict h2")).to_have_text("No game: too few felt extreme.")
    expect(page.locator(".verdict .why")).to_have_text("It takes two.")
    assert page.locator(".verdict").locator(".podium, table").count() == 0
    assert "1st" not in page.locator(".verdict").inner_text()
    for size in (DESK, PHONE):
        page.set_viewport_size(size)


SHOWN = """async ([speed, last, next, scenes]) => {
    localStorage.setItem('fairdeal speed', speed);
    const { Staging } = await import('/web/table/staging.js');
    const shown = [];
    let pass = null;
    window.setTimeout = (does) => { pass = does; };
    const play = {
        state: { scene: next, facts: null }, root: () => null, remember() {}, send() {}, recall: async () => scenes,
        set({ staged }) { if (staged) shown.push([staged.kind, staged.stage ?? '', staged.time / 1000]); },
    };
    const through = () => { while (play.staging.now) pass(); return shown.splice(0); };
    play.staging = new Staging(play);
    play.staging.show(last, next);
    const ended = through();
    await play.staging.film();
    return [ended, through()];
}"""
"""What a page shows after a move that ends a round and the game, and of a film, each with its time in seconds."""


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("players", [2, 4])
def test_the_terminal_and_the_page_show_the_same_for_as_long(players, speed, visit):
    sitting = finished("chimax-books", seed="course 1", players=players)
    moments = range(sitting.moves_made - 5, sitting.moves_made - 1)
    scenes = [replay(sitting.log, sitting.seed, upto=upto).scene(0) for upto in moments]
    end = sitting.scene(0)
    assert end.round
    assert end.result.places[0] > 1, "the page has a gesture for a winner"
    tempo = Tempo()
    tempo.speed = speed
    counted, over = staging.counting(end, tempo), staging.ending(end, tempo)
    stages = ["done" if one.waits else "count" if one.scene.round else "look" for one in counted]
    page = visit("/rules/chi")
    found = page.evaluate(SHOWN, msgspec.to_builtins([speed, scenes[-1], end, scenes]))
    shown = [*zip(["round"] * len(counted), stages, counted, strict=True)]
    shown += [("end", "look", over[0]), ("end", "word", over[1])]
    assert found[0] == [[kind, stage, pytest.approx(one.seconds)] for kind, stage, one in shown]
    assert found[1] == [["film", "", pytest.approx(one.seconds)] for one in staging.film(scenes, tempo)]
