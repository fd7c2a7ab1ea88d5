"""Following a game in the browser: clocks, reactions, a lost connection, a replay, the proof so far."""

import random
import re

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.conftest import SHORT, opening
from tests.server.hearing import HEAR, Listener
from tests.server.measuring import LEAST_LETTER, LEAST_TARGET, SEEN, Still, resize
from tests.server.test_browser import violations
from tests.server.visiting import (
    BOTH_SIZES,
    INSTANT,
    PHONE,
    SCREENS,
    STILL,
    let_bot_play,
    open_with,
    press,
    sit_at,
    traffic_of,
    wait_until,
    wait_until_over,
    watch,
)

FIRST = {"players": 2, "first_player": 0}

GROUPED = """async () => {
    const { Groups, lineOf } = await import('/web/table/staging.js');
    const { sceneIn } = await import('/web/kit/decoded.js');
    const bot = (seat) => ({ seat, plays: 'greedy' });
    const chairs = [{ seat: 0, plays: 'person' }, ...[1, 2, 3, 4].map(bot)];
    const seats = ['You', 'Bo', 'Cy', 'Di', 'Ed'].map((name, seat) => ({ seat, name }));
    const scene = (seat, text, more = {}) =>
        sceneIn({ skin: '', title: '', viewer: 0, seats, events: [{ seat, text, ...more }] });
    const drawn = [], groups = new Groups((next) => drawn.push(next));
    const hear = (next) => groups.holds(next, { chairs }) || drawn.push(groups.take(next));
    hear(scene(1, 'Bo flips.', { moves: [{ card: 'a.1', was: 'army1-top', origin: 'army1', goal: 'table1' }] }));
    hear(scene(2, 'Cy flips.', { moves: [{ card: 'b.1', was: 'army2-top', origin: 'army2', goal: 'table2' }] }));
    hear(scene(3, 'Di flips.'));
    hear(scene(2, 'Cy flees.', { moves: [{ card: 'b.2', was: 'b.1', origin: 'table2', goal: 'camp2' }] }));
    const kept = groups.kept.length;
    hear({ ...scene(4, 'Ed flips.'), choices: [{ id: 1 }] });
    hear(scene(0, 'You flip.'));
    return { kept, lines: drawn.map(lineOf), moves: drawn[1].events[0].moves, left: groups.kept.length };
}"""
"""Moves of several bots, as the page draws and tells them."""


HEARD = """async () => {
    const { interrupt, tell } = await import('/web/kit/notification.js');
    const live = document.getElementById('live');
    const seats = ['You', 'Bo', 'Cy'].map((name, seat) => ({ seat, name }));
    let now = 0, due = null, said = [];
    performance.now = () => now;
    window.setTimeout = (say, wait) => (due = { say, at: now + wait }, 1);
    window.clearTimeout = () => (due = null);
    const pass = (until) => {
        while (due && due.at <= until) {
            const { say, at } = due;
            [now, due] = [at, null];
            say();
            said.push(live.textContent);
        }
        now = until;
    };
    const move = (seat, text, asks = '') => tell({ moves: { seats, events: [{ seat, text }] }, asks });
    const heard = (rest = 99000) => (pass(now + rest), said.splice(0));
    const games = {};
    for (let at = 1; at <= 9; at += 1) (move(1, `Bo flips ${at}.`), pass(now + 14));
    games['without a pause'] = heard();
    for (const seat of [2, 1, 2, 1]) (move(seat, `${seats[seat].name} takes a yellow Yang.`), pass(now + 700));
    games['with pauses'] = heard();
    move(1, 'Bo passes!', 'Take a card?');
    games['a question'] = heard(100);
    move(0, 'You take a card.', 'Take another one?');
    tell({ words: 'Eve: hello' });
    move(0, 'You take a card.');
    games['not yet'] = heard(500);
    interrupt();
    games['after a press'] = heard(100);
    return games;
}"""
"""What is said of moves and questions that follow each other."""


def test_what_happens_meanwhile_is_said_in_one_sentence_and_nothing_is_lost(visit):
    assert visit("/rules/chi").evaluate(HEARD) == {
        "without a pause": [
            "Bo flips 1; Bo flips 2; Bo flips 3; Bo flips 4; Bo flips 5; Bo flips 6.",
            "Bo flips 7; Bo flips 8; Bo flips 9.",
        ],
        "with pauses": ["Cy takes a yellow Yang.", "Bo takes a yellow Yang; Cy too.", "Bo takes a yellow Yang."],
        "a question": ["Bo passes! Take a card?"],
        "not yet": [],
        "after a press": ["You take a card; You take a card. Eve: hello"],
    }


def move_of(page):
    return int(page.locator(".scrub input").input_value())


def wait_for_move(page, number):
    page.wait_for_function(f"() => document.querySelector('.scrub input')?.value === '{number}'")


def seconds_in(note):
    minutes, seconds = note.rpartition(" ")[2].split(":")
    return 60 * int(minutes) + int(seconds)


REACTION = """(face) => {
    const shown = document.querySelector('.speech');
    const [at, where] = [shown, document.querySelector(face)].map((one) => one?.getBoundingClientRect());
    return shown && [shown.innerText, at.x + at.width / 2 - where.x - where.width / 2];
}"""
"""A reaction, and how far it is from the middle of this face."""

WORDS = """(begin) => {
    const shown = document.querySelector('.speech');
    if (!shown?.innerText.startsWith(begin) || !document.querySelector('.status-line[data-kind=said]')) return null;
    const box = (one) => one.getBoundingClientRect();
    const apart = (a, b) => Math.max(a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom);
    const bubble = box(shown), screen = document.documentElement.getBoundingClientRect();
    return {
        far: apart(bubble, box(document.querySelector("[data-seat='0']"))),
        over: [...document.querySelectorAll('.table :is([data-can], .aim), .prompt button, .status-line button')]
            .filter((one) => apart(bubble, box(one)) < 0).map((one) => one.dataset.id ?? one.className),
        seen: shown.checkVisibility({ visibilityProperty: true }) && bubble.left >= 0 && bubble.top >= 0
            && bubble.right <= screen.right,
    };
}"""
"""Words that begin like this: how far from the first seat, over which choices, and whether they are seen."""

LONG = "well played, I did not see that coming at all, and neither did the others at this table, I think " * 2


def say(page, text):
    page.get_by_placeholder("Say something kind").fill(text)
    page.keyboard.press("Enter")


def test_two_people_see_each_others_clock_and_reactions(visit):
    ada, ben = seated(visit, "chi", clock=600)
    ben.wait_for_selector(".prompt[data-wait]")
    clock = ben.locator("[data-seat='0'] .who small")
    expect(clock).to_contain_text(":")
    first = clock.inner_text()
    ben.wait_for_function("was => document.querySelector(\"[data-seat='0'] .who small\").innerText !== was", arg=first)
    assert seconds_in(clock.inner_text()) < seconds_in(first) <= 600
    ada.get_by_role("tab", name="Chat").click()
    reactions = [watch(ada, REACTION, ".own .face"), watch(ben, REACTION, "[data-seat='0'] .face")]
    press(ada, "React 👏")
    for reaction in reactions:
        sign, aside = reaction()
        assert sign == "👏"
        assert abs(aside) < 12
    ben.wait_for_selector(".speech", state="detached")


@pytest.mark.parametrize(("game", "players"), [("chi", 2), ("chip-it", 4), ("war-xtreme", 8)])
def test_words_stand_at_the_seat_and_in_the_line_and_cover_no_choice(game, players, visit, guests):
    ada, ben, eve = visit(), visit(**STILL), guests("Eve")
    options = {"players": players} | ({"first_player": 1} if game != "war-xtreme" else {})
    table = open_with(ada, game, ["you", "person", *["greedy"] * (players - 2)], options=options)
    for page in (ada, ben):
        page.goto(f"/t/{table}")
    press(ben, "Sit down")
    eve.connect(table)
    ben.wait_for_selector(".prompt[data-yours]")
    ada.get_by_role("tab", name="Chat").click()
    for label, size in reversed(SCREENS.items()):  # a phone is the last one
        resize(ben, size)
        still = Still(ben, f"{game} for {players}, {label}")
        said = watch(ben, WORDS, label)
        say(ada, f"{label}: {LONG}")
        found = said()
        still.look()
        assert found == {"far": found["far"], "over": [], "seen": True}, label
        assert found["far"] <= 16
    ben.locator(".status-line[data-kind=said]").click(position={"x": 9, "y": 9})
    expect(ben.locator(".panel.chat")).to_contain_text(f"{label}: {LONG.strip()}")
    assert ben.locator(".unread, .status-line[data-kind=said]").count() == 0
    ben.get_by_role("button", name=re.compile("^Mute")).first.click()
    ben.get_by_role("tab", name="Log").click()
    press(ben, "Close the panel")
    say(ada, "not heard")
    eve.ask("say", text="good evening")
    expect(ben.locator(".status-line[data-kind=said]")).to_contain_text("Eve: good evening")
    assert "not heard" not in ben.locator("body").inner_text()
    press(ben, "Log and more, 1 new message")
    expect(ben.locator(".panel.chat")).to_contain_text("good evening")


FOCUS = "() => document.activeElement.textContent.trim()"


@BOTH_SIZES
def test_the_name_of_another_guest_is_reported_with_keys_and_so_is_a_line(size, visit, guests, room):
    """Before the deal and at the table; no own name and no name of a bot is."""
    page, ben, cleo = visit(size=size, **STILL), guests("Ben"), guests("Cleo")
    table = open_with(page, "war-xtreme", ["you", "person", "person", "greedy"], options={"players": 4})

    def come(guest):
        guest.post(f"/api/tables/{table}/join", 200)
        guest.connect(table)

    def report(name):
        flag = page.get_by_role("button", name=name)
        flag.wait_for()
        assert page.evaluate(SEEN, [LEAST_LETTER, LEAST_TARGET]) == []
        assert violations(page, ()) == []
        flag.focus()
        page.keyboard.press("Enter")
        page.locator("[role=status]", has_text="Reported").wait_for()
        assert page.evaluate(FOCUS) == "Reported", "who hears the page hears the answer"

    come(ben)
    page.goto(f"/t/{table}")
    report("Report this name of Ben")
    come(cleo)
    expect(page.locator("article", has_text="Bo")).to_contain_text("has answered")
    for name in ("Cleo", "Bo"):
        page.locator("button.plate", has_text=name).click()
        page.get_by_role("dialog", name=f"In front of {name}").wait_for()
        if name == "Bo":
            move = ben.ask("hint")["move"]
            assert ben.ask("play", seq=ben.scene["seq"], move=move)["type"] == "done"
            expect(page.locator("article", has_text="Ben")).to_contain_text("has answered")
            page.get_by_role("dialog", name="In front of Bo").wait_for()
            assert page.get_by_role("button", name="Report the name").count() == 0
        else:
            report("Report the name Cleo")
        page.keyboard.press("Escape")
        page.locator(".popover").wait_for(state="detached")
    ben.ask("say", text="a rude line")
    page.locator(".status-line[data-kind=said]").click(position={"x": 9, "y": 9})
    report("Report this line of Ben")
    lines = [(1, room.rows("SELECT id FROM chat")[0][0])]
    assert room.rows("SELECT seat, line FROM reports ORDER BY id") == [(1, None), (2, None), *lines]


WINDOW = """(told) => {
    const prompt = document.querySelector('.prompt'), asked = 'Does anybody play equipment?';
    const heard = window.told.find((text) => text.endsWith(asked));
    if (heard && prompt.textContent.includes(asked)) return {
        heard,
        can: document.querySelectorAll('.card[data-can]').length,
        fight: [...document.querySelectorAll('.fight .who')].map((one) => one.innerText),
        come: document.querySelectorAll('.fight .lies .card[data-new]').length,
        twice: document.querySelectorAll('.seat .card[data-new]').length,
    };
    return prompt.matches('[data-yours]') && document.querySelectorAll('.log li').length > told && { heard: '' };
}"""
"""What a window shows, or that the viewer's turn has come without one."""


def seen_window(page, other):
    """Play tables until a window covers who is asked; return what the page shows then."""
    for _ in range(8):
        table = open_with(page, "war-xtreme", ["you", "person"], options={"auto_sweep": True})
        for one in (page, other):
            one.goto(f"/t/{table}")
        press(other, "Sit down")
        let_bot_play(other, table, 1)
        page.evaluate(HEAR)
        for _ in range(6):
            page.wait_for_selector(".prompt[data-yours]")
            told = page.locator(".log li").count()
            page.evaluate("() => window.told.splice(0)")
            page.locator(".prompt .btn").first.click()
            try:
                shown = page.wait_for_function(WINDOW, arg=told, timeout=10_000).json_value()
            except TimeoutError:  # cards are asked for
                break
            if shown["heard"]:
                return shown
    raise AssertionError("no window")


def test_in_a_window_one_may_pass_and_then_the_page_goes_on_by_itself_and_says_what_came_of_it(visit, room):
    room.kill()
    room.pause = 0.05
    room.start()
    page, other = visit(), visit()
    shown = seen_window(page, other)
    assert "All turn: " in shown["heard"]
    assert shown["can"] == 0
    assert len(shown["fight"]) == 2
    assert shown["come"] == 2, "both cards have come from their armies"
    assert shown["twice"] == 0, "no card is drawn twice"
    expect(page.locator(".prompt .btn")).to_have_text(["Pass"])
    page.evaluate("() => window.told.splice(0)")
    page.keyboard.press("1")
    expect(page.locator(".prompt .ask")).to_contain_text("You have passed.")
    expect(page.locator(".prompt .btn")).to_have_count(0)
    page.wait_for_function("() => window.told.slice(0, -1).includes('You have passed.')")
    told = page.evaluate("() => window.told")
    assert told.count("You have passed.") == 1
    assert "All turn" not in " ".join(told)


def speeds(said):
    return [one["speed"] for one in said if one["type"] == "speed"]


def seated(visit, game, **wishes):
    """Ada, who is to move, and Ben, at a table of two."""
    ada, ben = visit(), visit()
    table = open_with(ada, game, ["you", "person"], options=FIRST, **wishes)
    for page in (ada, ben):
        page.goto(f"/t/{table}")
    press(ben, "Sit down")
    ada.wait_for_selector(".prompt[data-yours]")
    return ada, ben


def test_bots_go_at_the_speed_that_this_browser_keeps(visit):
    """Moves of several are told in one line until it is one's turn."""
    page = visit("/")
    found = page.evaluate(GROUPED)
    assert found["lines"] == ["Bo flips.", "Cy flips. Di and Ed too. Cy flees.", "You flip."]
    assert found["moves"] == [{"card": "b.2", "was": "army2-top", "origin": "army2", "goal": "camp2"}]
    assert (found["kept"], found["left"]) == (3, 0)
    page.evaluate("localStorage.setItem('fairdeal speed', 'slow')")
    said, _ = traffic_of(page)
    table = sit_at(page, "chip-it", options=FIRST)
    wait_until(page, lambda: speeds(said))
    assert speeds(said) == ["slow"]
    other = visit()
    table = open_with(other, "chip-it", ["you", "person"], options=FIRST)
    also_said, _ = traffic_of(other)
    other.goto(f"/t/{table}")
    page.goto(f"/t/{table}")
    press(page, "Sit down")
    page.wait_for_selector(".prompt")
    page.wait_for_timeout(200)
    assert speeds(said + also_said) == ["slow"]


def test_a_move_is_offered_for_taking_back_while_it_can_be_and_otherwise_has_a_reason(visit):
    ada, _ = seated(visit, "chip-it")
    ada.keyboard.press("z")
    expect(ada.locator(".status-line")).to_contain_text("You have not made a move yet.")
    press(ada, "Pass and give back 1")
    ada.wait_for_selector(".status-line[data-kind='back']")
    press(ada, "Take back")
    ada.wait_for_selector(".prompt[data-yours]")
    refused = watch(
        ada, "() => document.querySelector('.status-line')?.innerText.includes('others have seen your card')"
    )
    ada.locator(".card[data-can]").first.click(position={"x": 12, "y": 20}, force=True)
    ada.wait_for_selector(".prompt .back")  # before the room has answered, the button passes
    ada.locator(".prompt .btn.main").first.click()
    ada.wait_for_selector(".prompt[data-wait]")
    assert ada.locator(".status-line[data-kind='back']").count() == 0
    ada.keyboard.press("z")
    assert refused()


def test_steps_of_the_proof_that_are_to_come_are_not_ticked(visit):
    page = visit()
    table = open_with(page, "chi", ["you", "greedy"], options=FIRST)
    page.goto(f"/t/{table}")
    seal = page.get_by_role("button", name="Deal sealed")
    assert "nobody can change them" in seal.get_attribute("title")
    seal.click()
    expect(page.locator(".fair .why")).to_have_text(re.compile("^Nobody can change these cards."))
    steps = page.locator(".fair .steps li")
    expect(steps).to_have_count(4)
    assert [step.get_attribute("data-pending") for step in steps.all()] == [None, None, "true", "true"]
    assert [step.get_attribute("data-ok") for step in steps.all()] == ["true", "true", None, None]
    assert page.locator(".fair .steps li[data-pending]").all_inner_texts()[0].startswith("3\nOpened to come")
    inks = page.eval_on_selector_all(".fair .n", "all => all.map((n) => getComputedStyle(n).backgroundColor)")
    assert inks[0] == inks[1] != inks[2] == inks[3]


FOLLOWED = """(move) => {
    const now = document.querySelector('.log [aria-current]');
    const [line, list] = [now, now?.closest('.panel')].map((one) => one?.getBoundingClientRect());
    const later = [...document.querySelectorAll('.log li:not(.end)')].filter((one) => one.matches('[data-later]'));
    return now?.textContent.trim().startsWith(move) && line.top >= list.top - 1 && line.bottom <= list.bottom + 1
        && later.every((one) => now.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
}"""
"""The log of a replay has marked this move, which can be seen, and what comes later stands below."""


def test_a_replay_goes_on_with_space_after_a_click_at_any_speed_and_marks_the_rounds(visit):
    page = visit(**STILL)
    table = open_with(page, "chimax-books", ["greedy", "greedy"])
    wait_until_over(page, table)
    page.goto(f"/t/{table}?move=3")
    wait_for_move(page, 3)
    marks = page.locator(".scrub .along i")
    marks.first.wait_for()
    page.wait_for_function(FOLLOWED, arg=3)
    press(page, "Forward one move")
    wait_for_move(page, 4)
    page.keyboard.press("End")
    page.wait_for_function(FOLLOWED, arg=int(page.locator(".scrub input").get_attribute("max")))
    page.goto(f"/t/{table}?move=4")
    wait_for_move(page, 4)
    page.wait_for_function(FOLLOWED, arg=4)
    press(page, "Speed: normal")
    assert page.evaluate("localStorage.getItem('fairdeal speed')") == "instant"
    page.keyboard.press("Space")
    page.wait_for_function("() => Number(document.querySelector('.scrub input').value) > 5")
    page.keyboard.press("Space")
    page.wait_for_selector("[aria-label=Play]")
    at = move_of(page)
    assert page.get_by_role("button", name="Speed: instant").count() == 1
    assert at < int(page.locator(".scrub input").get_attribute("max")), "it was stopped too late"
    page.keyboard.press("PageDown")
    page.wait_for_function(f"() => Number(document.querySelector('.scrub input').value) > {at}")
    mark = move_of(page)
    places = marks.evaluate_all("all => all.map((i) => Number(i.style.getPropertyValue('--at')))")
    last = int(page.locator(".scrub input").get_attribute("max"))
    assert any(abs(place * last - mark) < 0.01 for place in places)
    page.locator(".field .card[data-id]").first.hover()
    page.wait_for_selector(".inspector")
    page.mouse.move(2, 2)
    page.wait_for_selector(".inspector", state="detached")
    page.keyboard.press("Home")
    wait_for_move(page, 0)
    page.locator(".scrub input").click(position={"x": 90, "y": 20})
    page.keyboard.press("ArrowRight")
    at = move_of(page)
    page.keyboard.press("Space")
    page.wait_for_function(f"() => Number(document.querySelector('.scrub input').value) > {at}")
    page.set_viewport_size(PHONE)


FACES_SHOWN = """ids => ids.map((id) => document.querySelector(`.field [data-id='${id}']`)?.dataset.kind ?? '')"""


def of_each_kind(page, table):
    """The first move of a game of Match that took a pair, with the places of its cards, and the first that missed."""
    pair = miss = None
    for move in range(1, 200):
        scene = page.request.get(f"/api/tables/{table}/moments/{move}?seat=-1").json()["scene"]
        moves = [one for one in scene["events"][0].get("moves", ()) if one.get("was")]
        turned = [
            one for zone in scene["zones"] for one in zone.get("cards", ()) if one.get("down") and one.get("face")
        ]
        if not pair and len(moves) > 1:
            pair = move, [one["was"] for one in moves]
        if not miss and len(turned) > 1:
            miss = move, [one["id"] for one in turned]
        if pair and miss:
            return pair, miss
    raise AssertionError("no pair, or no miss")


def test_a_replay_shows_the_cards_of_a_pair_and_of_a_miss_at_their_step(visit):
    page = visit()
    table = open_with(page, "chimax-match-2", ["greedy", "greedy"], options=SHORT["chimax-match-2"])
    wait_until_over(page, table)
    (taken, pair), (missed, miss) = of_each_kind(page, table)
    page.add_init_script(INSTANT)
    page.goto(f"/t/{table}?move={taken - 1}")
    wait_for_move(page, taken - 1)
    page.wait_for_selector(".field .card")
    shown = watch(page, f"ids => ({FACES_SHOWN})(ids).every((kind) => kind)", pair)
    page.keyboard.press("ArrowRight")
    wait_for_move(page, taken)
    shown()
    page.wait_for_function(f"ids => ({FACES_SHOWN})(ids).every((kind) => !kind)", arg=pair)
    page.goto(f"/t/{table}?move={missed}")
    wait_for_move(page, missed)
    page.wait_for_function(f"ids => ({FACES_SHOWN})(ids).every((kind) => kind)", arg=miss)


def turn_a_card(page):
    """Turn up a card of CHIMAX ORDER that was not turned yet, when it is the viewer's turn."""
    page.wait_for_selector(".prompt[data-yours]")
    before = page.locator(".log li").count()
    page.locator(".card[data-can]").nth(before % 9).click()
    page.wait_for_function("was => document.querySelectorAll('.log li').length > was", arg=before)


READY_FOR_NOTES = """async () => {
    const module = (name) => import(document.querySelector('script').src.replace('main', name));
    await module('learn/tips');
    await (await module('kit/api')).once('/api/games/chimax-order/page');
}"""
"""A note rises as soon as its cards were looked at: nothing has to be fetched for it any more."""

TOLD = "() => document.querySelector('.ask b').textContent.startsWith('It is your turn')"
"""A note holds the next turn back, and the question says so."""


@pytest.mark.deal("first")  # one that raises a note twice
def test_a_rule_tip_is_shown_once_while_the_table_waits(visit):
    page = visit("/", **STILL)
    page.evaluate(INSTANT)
    page.evaluate('localStorage.setItem(\'fairdeal notes\', \'{"read": {"chimax-order": ["found"]}}\')')
    table = open_with(page, "chimax-order", ["you", "greedy"], options=opening("chimax-order"))
    page.goto(f"/t/{table}")
    page.evaluate(READY_FOR_NOTES)
    note, quiet = page.locator(".popover.note"), 700
    while not note.count():
        turn_a_card(page)
        page.locator(".prompt[data-yours]").or_(note).first.wait_for()
        page.wait_for_timeout(quiet)
    assert "goes back" in note.inner_text()
    assert note.locator(".drawn .card").count() == 1
    page.locator(":focus", has_text="Got it").wait_for()
    page.wait_for_function(TOLD)  # the bot has gone on meanwhile
    assert page.locator(".prompt[data-yours]").count() == 0
    assert "your turn" not in note.inner_text()
    assert page.locator(".log b", has_text="You").count() > 1, "the first turn has no notes"
    assert violations(page) == []
    page.keyboard.press("Enter")
    note.wait_for(state="detached")
    turn_a_card(page)
    page.wait_for_selector(".prompt[data-yours]")
    page.wait_for_timeout(quiet)
    assert note.count() == 0
    page.get_by_role("tab", name="Rules").click()
    press(page, "Show rule notes again")
    page.get_by_role("tab", name="Log").click()
    turn_a_card(page)
    press(note, "No more notes in this game")
    page.evaluate("""localStorage.setItem('fairdeal notes', localStorage.getItem('fairdeal notes')
        .replace(/"read":.*?\\}/, '"read":{}'))""")
    turn_a_card(page)
    page.wait_for_selector(".prompt[data-yours]")
    page.wait_for_timeout(quiet)
    assert note.count() == 0


AWAY = """{
    const real = WebSocket, opened = [];
    window.WebSocket = class extends real {
        constructor(address) {
            super(window.isAway ? new URL('/nowhere', address) : address);
            opened.push(this);
        }
    };
    window.leave = () => {
        window.isAway = true;
        opened.at(-1).close();
    };
    window.comeBack = () => {
        window.isAway = false;
        dispatchEvent(new Event('online'));
    };
}"""
"""The line of a page can be cut, and is not opened again until it comes back."""


def test_what_happened_without_a_connection_is_heard_afterwards(visit):
    ada, ben, eve = visit(), visit(), visit(**STILL)
    for page, name in ((ada, "Ada"), (ben, "Ben")):
        page.request.post("/api/me", data={"name": name})
    table = open_with(ada, "chip-it", ["you", "person"], options=SHORT["chip-it"] | FIRST)
    ada.goto(f"/t/{table}")
    ben.goto(f"/t/{table}")
    press(ben, "Sit down")
    eve.add_init_script(AWAY)
    eve.goto(f"/t/{table}")
    press(eve, "Watch")
    eve.wait_for_selector(".prompt")
    listener = Listener(eve, random.Random(1))
    eve.evaluate("leave()")
    eve.wait_for_selector(".status-line[data-kind=lost]")
    for page, seat in ((ada, 0), (ben, 1)):
        let_bot_play(page, table, seat)
    wait_until(ada, lambda: ada.request.get(f"/api/tables/{table}").json()["seq"] > 15)
    told, before = len(listener.told), len(listener.lines())
    eve.evaluate("comeBack()")
    eve.wait_for_selector(".status-line[data-kind=lost]", state="detached")
    wait_until_over(eve, table)
    listener.until(lambda: listener.lines()[-1].rstrip(".") in " ".join(listener.told), "the end is not told")
    more = int(re.match(r"(\d+) more lines? in the log; ", listener.told[told])[1])
    listener.before = before + more
    assert listener.check_the_log() > 10
