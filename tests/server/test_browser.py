"""The browser client in real Chromium: by ear and keys alone, with two people and a spectator, and looked at by axe."""

import random
import re
from operator import itemgetter
from pathlib import Path

import pytest
from playwright.sync_api import expect

import fairdeal
from fairdeal.engine.compile.modules import wasm_of
from fairdeal.table.verification import verify
from tests.conftest import SHORT, WITH_DRAFTS, at_most_two, chairs, opening
from tests.server.hearing import Listener
from tests.server.measuring import CUT_VALUES, Still, resize
from tests.server.visiting import (
    DESK,
    INSTANT,
    PAINTED,
    PHONE,
    STILL,
    open_by_page,
    open_with,
    press,
    sit_at,
    wait_until_over,
)

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
MOST_STEPS = 1500
BY_TWO = ("chi", "chimax-books", "war-xtreme")
"""Games that two browsers play together, one of them on a phone: turns with attacks, tricks, and simultaneous moves."""

BY_TAPS = {
    **{(game, 0): PHONE for game in ("chaos-ninjas", "chimax-cut", "chimax-fate", "chimax-match-3", "chimax-order")},
    **{("war-xtreme", 4): DESK, ("war-xtreme", 8): PHONE, ("chaos-ninjas", 4): PHONE},
}
"""Games with their numbers of players, 0 for the usual one, and the screen on which a whole game is played."""


NOW = """() => {
    const prompt = document.querySelector('.prompt');
    return {
        over: Boolean(document.querySelector('.verdict')),
        yours: Boolean(prompt?.matches('[data-yours]')),
        main: Boolean(prompt?.querySelector('.btn.main kbd') && prompt.querySelector('.back')),
        values: prompt?.querySelectorAll('.opt').length ?? 0,
        numbered: prompt?.querySelectorAll('.acts .btn.main').length ?? 0,
        aims: document.querySelectorAll('.seat .aim').length,
        closer: innerWidth < 640 && !document.querySelector('.popover')
            ? document.querySelectorAll('.seat[data-inside] .plate').length : 0,
        cards: [...document.querySelectorAll(".card[data-can]")].filter((card) => card.checkVisibility()).length,
        text: prompt?.textContent ?? '',
        note: document.querySelector('.status-line')?.textContent ?? '',
        chosen: document.querySelectorAll('.card[data-sel]').length,
        told: document.querySelectorAll('.log li').length,
        laid: [...document.querySelectorAll('.card')].map(({ dataset }) => dataset.id + dataset.kind).join(),
    };
}"""

CHANGED = f"""([before, patience]) => new Promise((done) => {{
    const now = {NOW};
    const end = (found) => (observer.disconnect(), clearTimeout(timer), done(found));
    const look = () => {{
        const found = now();
        if (Object.keys(found).some((fact) => found[fact] !== before[fact])) end(found);
    }};
    const observer = new MutationObserver(look);
    observer.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
    const timer = setTimeout(() => end(now()), patience);
    look();
}})"""


def settled(page, before):
    """Wait until the page says something else, and what it says then; not for long, as some keys change nothing."""
    return page.evaluate(CHANGED, [before, 300])


POINTS = """(selector) => {
    const shown = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const points = () => shown.flatMap((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const held = one.matches('.card') ? [left + 12, top + 20] : [left + width / 2, top + height / 2];
        return one.contains(document.elementFromPoint(...held)) ? [held] : [];
    });
    const found = points();
    if (found.length || !shown.length) return found;
    shown[0].scrollIntoView({ block: 'nearest', inline: 'nearest' });
    return points();
}"""


def choose_by_clicks(page, now, chance):
    """Click on something that is offered; where others act at the same time, it may be gone by then."""
    choose = chance.choice
    if now["main"] and chance.random() < 0.9:
        wanted, choose = ".prompt .btn.main", itemgetter(-1)
    elif now["chosen"] and not now["main"] and chance.random() < 0.4:
        wanted = ".prompt .back"
    elif now["closer"] and chance.random() < 0.7:
        wanted = ".seat[data-inside] .plate"
    elif now["aims"]:
        wanted = ".seat .aim"
    elif now["numbered"] and (not now["cards"] or chance.random() < 0.5):
        wanted = ".prompt .acts .btn.main"
    elif now["values"] and not now["cards"]:
        wanted = ".prompt .opt"
    else:
        wanted = ".card[data-can]"
    points = page.evaluate(POINTS, wanted)
    if points:
        page.mouse.click(*choose(points))


def go_on(page, chance):
    """Choose something, if it is your turn, and wait until the page says something else. Return False if the game is
    over."""
    now = page.evaluate(NOW)
    if now["over"]:
        return False
    if now["yours"]:
        choose_by_clicks(page, now, chance)
    settled(page, now)
    return True


def play_out(pages, chance, choose):
    """Play to the end, on tables that hold still meanwhile."""
    stills, after = [Still(page, page.url) for page in pages], {}
    for step in range(MOST_STEPS):
        for still in stills[: len(stills) * (step % 3 == 0)]:
            still.look()
        now = {page: after.pop(page, None) or page.evaluate(NOW) for page in pages}
        if all(state["over"] for state in now.values()):
            return
        page = next((page for page in pages if now[page]["yours"]), None)
        if page:
            choose(page, now[page], chance)
        else:
            page = next(page for page in pages if not now[page]["over"])
        after[page] = settled(page, now[page])
    raise AssertionError(f"the game does not end: {now}")


LOOKED_AT = """async (wanted) => {
    document.documentElement.getBoundingClientRect();
    const changing = document.getAnimations().filter((one) => one instanceof CSSTransition);
    changing.forEach((one) => one.finish());
    const words = (text) => ` ${text.normalize('NFKD').toLowerCase().match(/[\\p{L}\\p{N}]+/gu)?.join(' ') ?? ''} `;
    const isSaid = ({ target }) => {
        const element = document.querySelector(target[0]), name = words(element.ariaLabel ?? '');
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const { data, parentElement } = texts.currentNode, said = words(data);
            const isSign = parentElement.closest('svg') || (element.matches('.card') && !/\\p{L}{2}/u.test(data));
            const isRead = said.trim() && parentElement.checkVisibility() && !isSign;
            if (isRead && !name.includes(said)) return false;
        }
        return true;
    };
    const { violations } = await axe.run(document, { ...wanted, resultTypes: ['violations'] });
    return violations.map((one) => one.id === 'label-content-name-mismatch'
        ? { ...one, nodes: one.nodes.filter((node) => !isSaid(node)) } : one).filter(({ nodes }) => nodes.length);
}"""
"""What axe finds. It takes the texts of an element for one, "88" for a card with an 8 in two corners, and signs for
words. Here each text is a part of the name, but not the letters of a drawing, nor the signs of a card, which its name
says in words: "Zero" for 0, "Queen" for Q."""

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
BY_NIGHT = {"color_scheme": "dark", "forced_colors": "none"}
IN_FORCED_COLOURS = {"color_scheme": "light", "forced_colors": "active"}
"""By day: by night axe takes the fill of letters, which is their colour, for what it was before colours were forced."""

AS_IT_WAS = """() => ({
    color_scheme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    forced_colors: matchMedia('(forced-colors: active)').matches ? 'active' : 'none',
})"""


def violations(page, more=(BY_NIGHT, IN_FORCED_COLOURS)):
    """Return what axe finds on a page, its text with too little contrast by night and in forced colours, and its words
    without a space between them."""
    page.evaluate(PAINTED)
    page.evaluate(AXE)
    before = page.evaluate(AS_IT_WAS)
    found = [("", one) for one in page.evaluate(LOOKED_AT, RULES)]
    for colours in (one for one in more if one != before):
        page.emulate_media(**colours)
        found += [(str(colours), one) for one in page.evaluate(LOOKED_AT, {"runOnly": ["color-contrast"]})]
        page.emulate_media(**before)
    said = [(where, one["id"], [node["target"] for node in one["nodes"]][:3]) for where, one in found]
    return said + [("", "glued", words) for words in page.evaluate(GLUED)]


GLUED = """() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    const box = (node, from, to) => {
        const range = document.createRange();
        range.setStart(node, from);
        range.setEnd(node, to);
        return range.getBoundingClientRect();
    };
    for (let node = texts.nextNode(), last = null; node; [last, node] = [node, texts.nextNode()]) {
        if (!last || !/[\\p{L},.:]$/u.test(last.data) || !/^\\p{L}/u.test(node.data)) continue;
        if (![last, node].every((one) => one.parentElement.checkVisibility())) continue;
        const [left, right] = [box(last, last.length - 1, last.length), box(node, 0, 1)];
        const together = Math.abs(left.right - right.left) < 1 && left.top < right.bottom && right.top < left.bottom;
        if (together) found.push(`${last.data}|${node.data}`);
    }
    return found;
}"""
"""Words of two elements that lie side by side without a space, as a line break of a template leaves none."""


def look_at(page, size):
    """Check that a page fits a screen, that all of it can be read, and that all of it can be touched."""
    page.set_viewport_size(size)
    assert violations(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_from_the_shelf_to_a_game_in_one_click(name, visit):
    """Nothing to tap is smaller than a finger on the phone."""
    page = visit("/", size=PHONE)
    title = fairdeal.find_game(name).title
    page.wait_for_selector(".box .cover")
    page.get_by_role("button", name=re.compile(f"^Play (Juno|Pip|now): {title}$")).click()
    page.wait_for_selector(".prompt[data-yours]")
    assert page.locator(".me").count() == 1
    page.wait_for_function(STANDS)
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


SMALL = """() => [...document.querySelectorAll('button, a.btn, input, select')]
    .filter((one) => one.checkVisibility() && !one.closest('.card, .clause'))
    .map((one) => {
        const { width, height } = one.getBoundingClientRect();
        const margin = -parseFloat(getComputedStyle(one, '::after').top) || 0;  // what belongs to it unseen
        return [one.className, width + 2 * margin, height + 2 * margin];
    })
    .filter(([, width, height]) => width > 1 && (height < 43 || width < 43))
    .map(([name, width, height]) => `${name} ${width} x ${height}`)"""
"""Find everything to tap that is smaller than a finger."""

STANDS = """() => document.getAnimations().every(({ effect }) => effect.getTiming().iterations === Infinity)"""
"""Nothing moves any more but what never ends."""


@pytest.mark.parts(4)
@pytest.mark.parametrize("title", fairdeal.game_names())
def test_a_whole_game_is_played_by_ear_and_with_keys_alone(title, visit):
    wasm_of(fairdeal.find_game(title))  # which the room takes from the cache
    page = visit(**({} if title in WITH_DRAFTS else STILL))
    page.add_init_script(INSTANT)
    table = open_by_page(page, title, chairs(title, "you"), options=opening(title) | SHORT.get(title, {}))
    page.goto(f"/t/{table}")
    page.wait_for_selector(".prompt")
    player = Listener(page, random.Random(5))
    player.play_out(MOST_STEPS, Still(page, page.url).look)
    assert player.check_the_log() > 0
    assert player.turns > 0
    assert page.locator(".podium .col").count() == at_most_two(title)
    press(page, "Show how")
    page.wait_for_selector(".fair .findings li[data-ok]")
    expect(page.locator(".was-it-fair > p")).to_contain_text("Your browser has checked the deal and every move.")
    text = page.request.get(f"/api/tables/{table}/log").text()
    verify(text)


@pytest.mark.networks("127.0.0.9")
@pytest.mark.parametrize("title", BY_TWO)
def test_two_browsers_and_a_spectator_play_a_whole_game(title, visit):
    ada, ben, eve = visit(**STILL), visit(size=PHONE, **STILL), visit(**STILL)
    bots = max(0, fairdeal.load(title).players - 2)  # with two, some games play a whole match
    table = sit_at(ada, title, ["you", "person", *["greedy"] * bots], options=SHORT.get(title, {}), wanted=".qr img")
    ben.goto(f"/t/{table}")
    press(ben, "Sit down")
    eve.goto(f"/t/{table}")
    press(eve, "Watch")
    for page in (ada, ben, eve):
        page.wait_for_selector(".prompt")
    assert eve.locator(".hand .card").count() == 0
    play_out([ada, ben], random.Random(6), choose_by_clicks)
    eve.wait_for_selector(".verdict")
    verify(ada.request.get(f"/api/tables/{table}/log").text())
    press(ada, "Rematch")
    press(ben, "Rematch")
    ada.wait_for_url(lambda url: table not in url)
    ben.wait_for_url(lambda url: table not in url)


@pytest.mark.parametrize(("game", "players"), BY_TAPS, ids=str)
def test_a_whole_game_is_played_by_taps(game, players, visit):
    size = BY_TAPS[game, players]
    page = visit(size=size, **STILL)
    page.add_init_script(INSTANT)
    seats = ["you", *["greedy"] * (players - 1)] if players else chairs(game, "you")
    options = ({"players": players} if players else opening(game)) | SHORT.get(game, {})
    table = sit_at(page, game, seats, options=options, wanted=".prompt")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    play_out([page], random.Random(players), choose_by_clicks)
    assert page.locator(".podium .col").count() == len(seats)
    verify(page.request.get(f"/api/tables/{table}/log").text())


LINES = """() => {
    const told = document.querySelector('.status-line[data-kind=hint] p');
    return told.clientHeight / parseFloat(getComputedStyle(told).fontSize) / 1.25;
}"""


def test_a_hint_has_two_lines_where_the_screen_is_small(visit):
    page = visit(size=PHONE, **STILL)
    sit_at(page, "chip-it", ["you", "greedy", "greedy"], options={"players": 3, "first_player": 0})
    page.keyboard.press("h")
    page.wait_for_selector(".status-line[data-kind=hint]")
    for size in (PHONE, {"width": 844, "height": 390}):
        resize(page, size)
        assert round(page.evaluate(LINES)) == 2


@pytest.mark.parametrize("game", ["chi", "war-xtreme"])
def test_a_replay_is_seen_by_anybody_at_every_size(game, visit):
    page = visit(size=PHONE, **STILL)
    table = open_with(page, game, chairs(game), options=opening(game) | SHORT.get(game, {}))
    wait_until_over(page, table)
    page.goto(f"/t/{table}?move=5")
    page.wait_for_selector(".scrub")
    for label, size in {"phone": PHONE, "lying": {"width": 844, "height": 390}, "desk": DESK}.items():
        resize(page, size)
        still = Still(page, f"{game}, replay, {label}")
        still.look()
        assert page.locator(".seen-by select").evaluate_all(CUT_VALUES) == []
        page.locator(".seen-by select:visible").select_option(label="Cleo" if game == "war-xtreme" else "Bo")
        page.wait_for_selector(".own")
        assert page.get_by_role("link", name="Log").is_visible()
        page.locator(".seen-by select:visible").select_option(label="the public")
        page.wait_for_selector(".own", state="detached")


def test_a_replay_steps_and_is_played_on_from(visit):
    page = visit()
    table = open_with(page, "chi", ["greedy", "greedy"])
    page.goto(f"/t/{table}")
    press(page, "Replay", exact=True)
    page.wait_for_selector(".scrub")
    page.keyboard.press("ArrowRight")
    page.get_by_text("You are looking at move 1 of").wait_for()
    press(page, "Play on from here")
    page.wait_for_url(lambda url: table not in url)
    page.wait_for_selector(".prompt")
