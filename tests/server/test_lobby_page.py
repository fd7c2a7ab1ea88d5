"""The lobby in real Chromium: tickets, the sheet of a game, joining by code and by link, clearing tables away."""

import contextlib
import json
import re

import msgspec
import pytest
from playwright.sync_api import expect

import fairdeal
from fairdeal.engine.errors import BadOption
from fairdeal.engine.options import option_fields, part_of, read_options
from fairdeal.engine.registry import find_game, game_names
from fairdeal.server.limits import DEFAULT_LIMITS
from fairdeal.server.static_files import version
from fairdeal.testing.play import must_have
from tests.server.in_node import needs_node, run_in_node
from tests.server.measuring import CUT, CUT_VALUES
from tests.server.test_browser import violations, wait_until_over
from tests.server.visiting import BOTH_SIZES, DESK, PHONE, STILL, let_bot_play, open_with, press, running

TABLET, LYING = {"width": 768, "height": 1024}, {"width": 844, "height": 390}
WIDE = {"width": 1920, "height": 1080}
LOBBIES = [DESK, TABLET, PHONE, LYING, WIDE]
DAY = 86_400

SMALL = """() => [...document.querySelectorAll('button, a.btn, select, .find label, .seg label, .preset, summary')]
    .filter((one) => one.checkVisibility() && !one.matches('.link'))
    .map((one) => [one.className || one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.height < 43 || box.width < 43))
    .map(([name, box]) => `${name} ${box.width} x ${box.height}`)"""

CODE = re.compile(r"\b(true|false|null|undefined|none)\b|[{}\[\]_]|\w+: (seeded|enforced)")
"""What no person says."""


SHORTENED = """() => [...document.querySelectorAll('.goal, .chair :is(b, small)')]
    .filter((one) => one.checkVisibility())
    .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2)
    .map((one) => one.textContent)"""


LEAVES = """() => [...document.querySelectorAll(':is(.ticket, .open) > :not(.clear), .ticket .face, .tickettext b')]
    .filter((one) => one.checkVisibility()).filter((one) => {
        const [part, whole] = [one, one.closest('.ticket, .open')].map((it) => it.getBoundingClientRect());
        const when = one.closest('.ticket')?.querySelector('.when');
        const until = when?.checkVisibility() && one.matches('b') ? when.getBoundingClientRect().left : whole.right;
        return part.right > until || part.left < whole.left || part.bottom > whole.bottom;
    }).map((one) => one.className || one.textContent)"""
"""What leaves the ticket or the row of its table, or lies under the time."""


def test_goals_chairs_and_tables_are_read_to_their_end_at_every_size(visit):
    page = visit(**STILL)
    full, free = ["you", *["greedy"] * 7], ["you", *["person"] * 7]
    for chairs in (free, full, ["greedy"] * 8, free, full):
        open_with(page, "war-xtreme", chairs, options={"players": 8, "ask_extreme": chairs[1] == "greedy"})
    for width, height in ((390, 844), (768, 1024), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/?game=chip-it")
        page.wait_for_selector(".chair:nth-child(1)")
        page.wait_for_selector(".goal")
        assert page.locator(".goal").count() >= len({game.partition("-")[0] for game in game_names()}) - 1
        assert page.evaluate(SHORTENED) == [], width
        page.goto("/")
        page.wait_for_selector(".ticket")
        for line in page.locator("summary").all():
            line.click()
        assert (page.locator(".ticket").count(), page.locator(".open").count()) == (3, 2)
        assert page.evaluate(LEAVES) == [], width
        assert page.evaluate(f"({CUT})(document.body)") == [], width


def named(page, name):
    page.request.post("/api/me", data={"name": name})


def facts_of(page, table=""):
    """Return the facts of a table, by default of the one on the page."""
    return page.request.get(f"/api/tables/{table or page.url.rpartition('/')[2]}").json()


def table_links(page, within):
    return page.locator(within).evaluate_all("(all) => all.map((one) => one.pathname.slice(3))")


def presets_of(name, options):
    """Return the presets that have the rules of a table."""
    game, found = find_game(name), []
    rules = read_options(game.options, options)
    for preset, given in game.presets.items():
        with contextlib.suppress(BadOption):  # it is not for this number of players
            if read_options(game.options, given | {"players": rules.players}) == rules:
                found.append(preset)
    return found


def sit_down(page, table):
    assert page.request.post(f"/api/tables/{table}/join", data={}).ok


def open_sheet(page, title="Chip It"):
    page.get_by_role("link", name=re.compile(f"^{title} ")).click()
    sheet = page.locator(".game-sheet")
    expect(sheet.get_by_role("heading", level=2)).to_have_text(title, ignore_case=True)
    return sheet


def free_a_chair(sheet):
    press(sheet, "Seat 2:")
    press(sheet, "Free, by link")
    sheet.get_by_label("What shall we call you?").fill("Ada")


def clear_away(page, what):
    press(page, f"Clear away {what}")
    press(page, "Clear away", exact=True)
    page.locator(".ticket").first.wait_for(state="detached")


def fill_with_tables(page):
    """Open the maximum number of tables."""
    for _ in range(DEFAULT_LIMITS.tables):
        running(page, listed=False)


@pytest.fixture
def friends(visit):
    """Ada on her desk, and Ben elsewhere; both have told their names."""
    ada, ben = visit("/", **STILL), visit("/", **STILL)
    named(ada, "Ada")
    named(ben, "Ben")
    return ada, ben


# --- the shelf and the sheet ------------------------------------------------------------------------------------


@BOTH_SIZES
def test_tapping_a_box_opens_its_sheet_in_sight(size, visit):
    """The page before takes it away again, with the question for friends."""
    page = visit("/", size=size, **STILL)
    sheet, friends = open_sheet(page), page.locator(".friends")
    sheet.get_by_role("button", name="Open the table").wait_for()
    box = sheet.bounding_box()
    assert box["x"] + box["width"] == size["width"]
    assert sheet.evaluate("(sheet) => sheet.scrollWidth <= sheet.clientWidth")
    assert box["y"] + box["height"] == size["height"]
    assert box["width"] == (736 if size is DESK else size["width"])
    assert size is DESK or page.locator("main").evaluate("(main) => main.inert")
    if size is DESK:
        open_sheet(page, "Chi")  # the shelf can be used beside it
        page.go_back()
        sheet.locator(".at-once").get_by_role("button", name="With friends").click()
        friends.wait_for()
    page.go_back()
    (friends if size is DESK else sheet).wait_for(state="detached")


def test_the_sheet_is_opened_left_and_found_again_with_keys(visit):
    page = visit("/", **STILL)
    link = page.get_by_role("link", name=re.compile("^Chip It "))
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".game-sheet")
    page.wait_for_function("() => document.activeElement.matches('.game-sheet')")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text().strip() == "Play Juno"
    page.keyboard.press("Escape")
    page.locator(".game-sheet").wait_for(state="detached")
    expect(link).to_be_focused()
    page.wait_for_url("/")


def test_a_table_is_set_up_on_the_sheet_and_its_races_can_be_calm(visit):
    page = visit("/?game=war-xtreme", **STILL)
    sheet = page.locator(".game-sheet")
    sheet.get_by_label("Calm races").check()
    assert "20 seconds" in sheet.locator(".option", has_text="Calm races").inner_text()
    assert violations(page) == []
    sheet.locator(".seg label", has_text="3").first.click()
    free_a_chair(sheet)
    assert sheet.get_by_text("A day", exact=True).count() == 0, "players must be here at the same time for a race"
    sheet.get_by_text("A minute", exact=True).click()
    sheet.get_by_text("All options").click()
    sheet.get_by_label("Rated").check()
    names = sheet.locator(".chair b").all_inner_texts()
    press(sheet, "Open the table")
    page.wait_for_selector(".sitting")
    facts = facts_of(page)
    assert [chair["name"] for chair in facts["chairs"]] == ["Ada", "", names[2]]
    assert (facts["clock"], facts["calm"], facts["rated"]) == (60, True, True)
    expect(page.get_by_text("This game is rated.")).to_be_visible()
    guest = visit(page.url)
    expect(guest.locator(".join-terms")).to_have_text(re.compile("calm racesRated.*counts as last.$"))
    press(guest, "Sit down")
    expect(guest.get_by_text("rated", exact=True)).to_be_visible()
    assert guest.get_by_role("button", name="Hint").count() == 0
    page.goto("/?game=chip-it")
    sheet.get_by_role("button", name="Open the table").wait_for()
    assert sheet.get_by_label("Calm races").count() == 0, "Chip It has no races"
    assert sheet.get_by_text("A day", exact=True).count() == 1


def test_what_a_game_says_of_itself_in_words_is_read(visit):
    def say(route):
        games = route.fetch().json()
        chi, chip_it = (next(game for game in games if game["name"] == name) for name in ("chi", "chip-it"))
        chip_it["lessons"] = []
        lessons = [{"name": name, "title": f"A {name} game", "about": ""} for name in ("first", "second")]
        chi |= {"goal": "Have the most points.", "lessons": lessons}
        chi["presets"][1] |= {"title": "Mixed stacks", "text": "Stacks may be of two colours."}
        fields = chi["options"]["$defs"]["ChiOptions"]["properties"]
        fields["first_player"] |= {"title": "Who begins", "words": {"random": "drawn by lot"}, "seat": True}
        route.fulfill(json=games)

    page = visit(**STILL)
    page.route("**/api/games", say)
    page.goto("/?game=chi&preset=mixed")
    sheet = page.locator(".game-sheet")
    sheet.locator("summary").click()
    said = sheet.inner_text()
    for words in ("Have the most points.", "Mixed stacks", "Stacks may be of two colours.", "Who begins"):
        assert words in said, words
    offered = sheet.locator(".option", has_text="Who begins").locator("option").all_inner_texts()
    assert offered == ["drawn by lot", "seat 1", "seat 2"]
    assert sheet.get_by_role("link", name="Learn it: 90 seconds").get_attribute("href") == "/learn/chi/first"
    assert sheet.get_by_role("link", name="A second game").get_attribute("href") == "/learn/chi/second"
    assert "Have the most points." in page.locator("[data-game=chi]").inner_text()
    page.goto("/?game=chip-it")
    sheet.locator("summary").wait_for()
    assert sheet.get_by_role("link", name="Learn it").count() == 0


RAGGED = """() => [...document.querySelectorAll('main :is(.btn, b, small, .tag)')]
    .filter((one) => one.checkVisibility())
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
    .map((one) => one.textContent)"""

IN_SIGHT = """(all) => all.map((one) => one.checkVisibility() && getComputedStyle(one).opacity)"""

COVERED = """() => {
    const all = [...document.querySelectorAll('main :is(.btn, .boxlink b, .boxlink small, .start-text > *)')];
    const boxes = all.map((one) => [one, one.getBoundingClientRect()]);
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return boxes.flatMap(([one, a], at) =>
        boxes.slice(at + 1)
            .filter(([, b]) => meet(a, b))
            .map(([other]) => `${one.textContent} / ${other.textContent}`));
}"""


@pytest.mark.parametrize("size", LOBBIES, ids=lambda size: f"{size['width']}x{size['height']}")
def test_every_game_of_the_shelf_offers_play_learn_and_friends_in_sight(size, visit):
    page = visit("/", size=size, **STILL)
    page.wait_for_selector(".start-here .cover")
    assert page.locator(".shelf").bounding_box()["width"] >= size["width"] * (0.7 if size is WIDE else 0.9)
    games = {game["name"]: game for game in page.request.get("/api/games").json()}
    shown = page.locator(".box[data-game]").all()
    assert {box.get_attribute("data-game") for box in shown} == set(games)
    for box in shown:
        game = games[box.get_attribute("data-game")]
        ways = box.locator(".gameways").get_by_text(re.compile("^(Play|Learn|With friends)$"))
        offered = ["Play", "Learn"] + ["With friends"] * (game["players"][1] > 1)
        assert [words.strip() for words in ways.all_inner_texts()] == offered
        assert ways.evaluate_all(IN_SIGHT) == ["1"] * len(offered)
        assert re.search(r"\d players? · [\d–]+ min", box.locator("small").inner_text())
    assert all(len(goal) > 10 for goal in page.locator(".boxes > .box[data-game] .goal").all_inner_texts())
    assert not CODE.search(page.locator(".shelf").inner_text())
    for found in (SMALL, RAGGED, COVERED):
        assert page.evaluate(found) == []
    asked = page.evaluate("performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)")
    files = [path for path in asked if path.startswith("/web/")]
    assert len(files) > 10
    assert {path.split("/")[2] for path in files} == {version()}, "every file is asked for under its version"
    if size is PHONE:
        open_sheet(page)
        assert page.evaluate(SMALL) == []


def test_the_games_of_a_row_stand_by_ease_and_the_easiest_is_where_a_newcomer_starts(visit):
    page = visit("/", **STILL)
    page.wait_for_selector(".start-here .cover")
    games = {game["name"]: game for game in page.request.get("/api/games").json()}
    weights = ["light", "medium", "heavy"]
    rows = [".boxes > .box[data-game]", ".inside .box"]

    def ease(name):
        return weights.index(games[name]["weight"]), games[name]["minutes"][::-1]

    for row in rows:
        names = page.locator(row).evaluate_all("(all) => all.map((one) => one.dataset.game)")
        assert len(names) > 3
        assert [ease(name) for name in names] == sorted(map(ease, names))
    apt = [name for name, game in games.items() if game["lessons"] and game["usual_players"] > 1]
    first = games[min(apt, key=ease)]
    invitation = page.locator(".start-here")
    assert page.locator("main .btn.lit").count() == 1
    low, high = first["minutes"]
    for words in ("Start here", first["title"], "90 seconds to learn", f"{low}–{high} min"):
        expect(invitation).to_contain_text(words)
    invitation.get_by_role("link", name="Learn it now").click()
    page.wait_for_url(f"/learn/{first['name']}/first")
    page.wait_for_selector(".coach")


def test_a_guest_who_has_learnt_the_first_game_is_invited_to_play_it(visit):
    page = visit("/", **STILL)
    page.wait_for_selector(".start-here .cover")
    page.evaluate("localStorage.setItem('fairdeal opponents', JSON.stringify({ 'chimax-order': 'pip' }))")
    page.reload()
    expect(page.locator(".start-here .tag")).to_have_text("Start here")  # to choose an opponent is not to learn
    page.evaluate("localStorage.setItem('fairdeal learnt', JSON.stringify({ 'chimax-order': 'learnt' }))")
    page.reload()
    lit = page.locator(".start-here .btn.lit")
    expect(lit).to_have_text("Play Pip")
    expect(page.locator(".start-here .tag")).to_have_text("Now play it")
    lit.click()
    page.wait_for_selector(".prompt")


def test_a_guest_who_returns_goes_on_first_and_then_plays_again(friends):
    ada, ben = friends
    over = open_with(ada, "chaos-ninjas", ["you", "greedy"])
    let_bot_play(ada, over)
    wait_until_over(ada, over)
    ada.goto("/")
    expect(ada.locator(".start-here .tag")).to_have_text("Play again")
    expect(ada.locator(".start-here")).to_contain_text("Chaos Ninjas")
    assert ada.locator("main .btn.lit").all_inner_texts() == ["Play Juno"]
    alone = running(ada)
    shared = open_with(ada, "chi", ["you", "person"], options={"first_player": 0})
    sit_down(ben, shared)
    ada.goto("/")
    tickets = ada.locator(".ticket a")
    expect(tickets).to_have_count(2)
    assert tickets.evaluate_all("(all) => all.map((one) => one.pathname.slice(3))") == [shared, alone]
    assert tickets.all_inner_texts() == ["Your turn", "Continue"]
    assert ada.locator(".start-here .btn.lit").count() == 0
    assert ada.locator(".own-tables").bounding_box()["y"] < ada.locator(".start-here").bounding_box()["y"]


def test_tables_are_offered_to_join_and_to_watch_but_not_what_a_stranger_left(friends, visit):
    ada, ben = friends
    free = open_with(ada, "chi", ["you", "person"])
    left = running(ada)
    two = open_with(ben, "chi", ["you", "person"], options={"first_player": 0})
    sit_down(ada, two)
    page = visit("/", **STILL)
    expect(page.locator(".listed h2")).to_have_text(["Tables to join", "Tables to watch"])
    assert table_links(page, ".listed a") == [free, two]
    ada.goto(f"/t/{left}")
    ada.wait_for_selector(".prompt[data-yours]")
    page.reload()
    page.locator(f"a[href^='/t/{left}']").wait_for()
    assert {*table_links(page, ".listed a")} == {free, two, left}
    ada.goto("/")
    ada.wait_for_selector(".start-here")
    page.reload()
    expect(page.locator(".listed a")).to_have_count(2)
    assert violations(page) == []


# --- with friends -----------------------------------------------------------------------------------------------


NEAR = "127.0.0.2"
"""The address of the room in its network."""

SHARING = "navigator.share = async (what) => { window.shared = what; }"


@pytest.mark.networks(NEAR)
@BOTH_SIZES
def test_friends_are_invited_with_a_name_and_one_button_and_the_table_is_changed_behind_one_line(size, visit):
    """The name is asked for before the room has said that there is none. One seat must be left to a friend, and what
    is chosen stays when that is said."""
    page, late = visit(size=size, **STILL), []
    page.add_init_script(SHARING)
    page.route("**/api/me", lambda route: late.append(route), times=1)
    page.goto("/")
    press(page, "With friends: Chip It")
    dialog = page.get_by_role("dialog", name="Chip It with friends")
    press(dialog, "Get the link")
    late[0].continue_()
    page.locator(".who-you", has_text="Guest").wait_for()
    press(dialog, "Get the link")
    assert dialog.is_visible(), "nobody invites without a name"
    assert violations(page) == []
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    press(page, "With friends: Chip It")
    dialog.get_by_label("What shall we call you?").fill("Ada")
    line = dialog.locator(".friends-line span")
    expect(line).to_have_text("4 players, no clock, usual rules")
    press(dialog, "Change")
    expect(dialog.get_by_role("radio", name="4", exact=True)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(line).to_have_text("3 players, no clock, usual rules")
    for seat in (2, 3):
        press(dialog, f"Seat {seat}: Free by link")
        dialog.locator(".level", has_text="Bram").click()
        page.keyboard.press("Escape")  # closes nothing but the row of opponents
    dialog.get_by_text("For places", exact=True).click()
    dialog.get_by_text("A minute", exact=True).click()
    dialog.get_by_text("All options").click()
    must_have(dialog.locator(".option select").count(), 4, "values to choose")
    assert dialog.locator(".option select").evaluate_all(CUT_VALUES) == []
    dialog.get_by_label("Play on for places").uncheck()
    expect(line).to_contain_text("rules “For places” with 1 change")
    dialog.get_by_label("Play on for places").check()
    press(dialog, "Get the link")
    refusal = dialog.get_by_role("alert")
    expect(refusal).to_have_text("Leave at least one seat free for a friend.")
    for shown in (refusal, *(dialog.get_by_role("button", name=name) for name in ("Get the link", "Cancel"))):
        expect(shown).to_be_in_viewport(ratio=1)
    assert dialog.evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth")
    assert violations(page) == []
    press(dialog, "Seat 3:")
    press(dialog, "Free, by link")
    expect(refusal).to_have_count(0)
    expect(line).to_have_text("3 players, one of them a bot, a minute a turn, rules “For places”")
    press(dialog, "Get the link")
    page.wait_for_selector(".qr img")
    facts = facts_of(page)
    seats = [(chair["name"], chair["plays"], chair["taken"]) for chair in facts["chairs"]]
    assert seats == [("Ada", "person", True), ("Bram", "bram", True), ("", "person", False)]
    assert (facts["clock"], facts["listed"]) == (60, False)
    assert presets_of("chip-it", facts["options"]) == ["places"]
    assert page.locator(".qr").bounding_box()["y"] < size["height"] / 2
    press(page, "Send the link")
    sent = {"title": "Chip It", "text": "Ada invites you to Chip It", "url": page.url.replace("127.0.0.1", NEAR)}
    assert page.evaluate("window.shared") == sent


@pytest.mark.networks(NEAR)
def test_a_table_for_friends_is_opened_once_however_often_its_button_is_pressed(visit):
    page = visit("/?game=chip-it", **STILL)
    dialog = page.get_by_role("dialog", name="Chip It with friends")

    def ask():
        page.locator(".at-once").get_by_role("button", name="With friends").click()
        dialog.wait_for()

    ask()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert page.locator(".game-sheet").is_visible(), "Escape closes only what is on top"
    page.evaluate("history.pushState(null, '', location.href)")
    ask()
    dialog.get_by_label("What shall we call you?").fill("   ")
    press(dialog, "Get the link")
    assert dialog.is_visible(), "blanks are no name"
    dialog.get_by_label("What shall we call you?").fill("Ada")
    page.evaluate("const form = document.querySelector('.friends form'); form.requestSubmit(); form.requestSubmit()")
    page.wait_for_selector(".qr img")
    assert [facts["title"] for facts in page.request.get("/api/lobby").json()["mine"]] == ["Chip It"]


@pytest.mark.networks(NEAR)
def test_a_guest_with_a_name_gets_the_link_with_one_button(friends):
    """Where the link cannot be copied, it is selected."""
    ada, _ = friends
    ada.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    ada.goto("/")
    ada.locator(".who-you", has_text="Ada").wait_for()
    press(ada, "With friends: Chi", exact=True)
    expect(ada.get_by_role("button", name="Get the link")).to_be_focused()
    ada.keyboard.press("Enter")
    ada.wait_for_selector(".qr img")
    expect(ada.get_by_role("button", name="Send the link")).to_have_count(0)
    copy = ada.get_by_role("button", name="Copy link")
    expect(copy).to_have_class("btn lit")
    copy.click()
    expect(ada.get_by_label("Link to copy")).to_have_value(ada.url.replace("127.0.0.1", NEAR))


TABLES = """
import { readFileSync } from 'node:fs';

globalThis.localStorage = { getItem: () => null };
const { amongFriends, friendly, lineOf, presetFor, tableOf } = await import('./web/lobby/wishes.js');
const games = JSON.parse(readFileSync('games.json')).filter(({ players }) => players[1] > 1);
const found = games.map(amongFriends).flatMap((game) => game.presets.flatMap(({ name }) => {
  const first = friendly(game, name);
  const crowds = Array.from({ length: game.players[1] + 1 }, (_, players) => players).slice(game.players[0]);
  const others = crowds.map((players) => ({ ...first, players, preset: presetFor(game, name, players) }));
  return [first, ...others].map((wishes) => [lineOf(game, wishes), tableOf(game, wishes)]);
}));
console.log(JSON.stringify(found));
"""
"""The tables that the page opens for friends, each with its line: for every preset, and for every number of players
after it."""


@needs_node
async def test_every_line_of_a_table_for_friends_says_what_is_opened(guest, tmp_path, monkeypatch):
    monkeypatch.setattr(guest.room.limits, "spend", lambda *asked: None)
    given = (await guest.get("/api/games")).json()
    tables = {json.dumps(wished): (line, wished) for line, wished in run_in_node(tmp_path, TABLES, games=given)}
    assert len(tables) > 100
    for line, wished in tables.values():
        game, players = find_game(wished["game"]), wished["options"]["players"]
        names = presets_of(game.name, game.presets[wished["preset"]] | wished["options"])
        usual, (title, _) = next(iter(game.presets)), game.words_of_preset(wished["preset"])
        rules = "usual rules" if usual in names else f"rules “{title}”"
        assert line.replace("\xa0", " ") == f"{players} players, no clock, {rules}"
        if wished["preset"] == usual:
            facts = (await guest.post("/api/tables", **wished)).json()
            assert [chair["taken"] for chair in facts["chairs"]] == [True, *[False] * (players - 1)]
            assert (usual in presets_of(game.name, facts["options"]), facts["clock"]) == (True, 0)
            assert not facts["listed"]
            await guest.ask("DELETE", f"/api/tables/{facts['id']}")


def test_a_code_is_typed_on_the_phone(visit):
    """Nobody is invited by "Guest"."""
    page, host = visit("/", size=PHONE, **STILL), visit(**STILL)
    page.wait_for_selector(".box .cover")
    page.locator(".find label").click()
    field = page.get_by_label("Join with a code or link")
    assert field.bounding_box()["width"] > 200
    assert violations(page) == []
    table = open_with(host, "chi", ["you", "person"])
    field.fill(f"https://elsewhere.example.org/t/{table}")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: table in url)
    expect(page.locator(".join .asks")).to_have_text(re.compile("You are invited to$"))


# --- your tables ------------------------------------------------------------------------------------------------


def test_a_ticket_says_what_happened_last(friends):
    """Though its module could not be fetched at first."""
    ada, ben = friends
    ada.route("**/lobby/tickets.js", lambda route: route.abort(), times=1)
    table = open_with(ben, "chip-it", ["you", "greedy", "person"], options={"players": 3, "first_player": 1})
    sit_down(ada, table)
    ada.goto("/")
    ada.locator(".ticket small").get_by_text(re.compile("^Bo ")).wait_for()
    ada.locator(".ticket").click(position={"x": 30, "y": 30})  # anywhere on it
    ada.wait_for_url(lambda url: table in url)


OWN = (
    # whose turn it is and who plays, as it is told; the guests, first who opens the table; its game; its clock
    ("Your turn", "with Ben", "ben ada", "chi", ["you", "person"], {"first_player": 1}, 3600),
    ("Your turn", "with Ben", "ben ada", "chi", ["you", "person"], {"first_player": 1}, DAY),
    ("Your turn", "with Ben", "ben ada", "chi", ["you", "person"], {"first_player": 1}, 0),
    ("Paused, your turn", "with Bo", "ada", "chi", ["you", "greedy"], {"first_player": 0}, 0),
    ("Zoe’s turn", "with Ben and Zoe", "ben zoe ada", "chip-it", ["you", "person", "person"], {"first_player": 1}, 0),
    ("Ben’s turn", "with Ben", "ada ben", "chi", ["you", "person"], {"first_player": 1}, 0),
    ("Turn of Ben and Zoe", "with", "ada ben zoe", "chimax-books", ["person"] * 2, {"reveal": "simultaneous"}, 0),
    ("Paused, Bo’s turn", "with Bo", "ada", "chi", ["you", "greedy"], {"first_player": 1}, 0),
    ("2 of 3 seats free", "", "ada", "war-xtreme", ["you", "person", "person"], {}, 0),
)
"""Unfinished tables of Ada, in the order in which her home lists them: those with the least time left first, and people
before bots."""


def test_every_unfinished_table_stands_first_with_whose_turn_it_is_at_every_size(friends, visit):
    """Above everything that invites to another game, and the first ones without scrolling."""
    pages = dict(zip(("ada", "ben", "zoe"), (*friends, visit(**STILL)), strict=True))
    named(pages["zoe"], "Zoe")
    opened = []
    for _, _, guests, game, chairs, options, clock in reversed(OWN):
        opener, *others = guests.split()
        wishes = {"options": options | {"players": len(chairs)}, "listed": False, "clock": clock}
        opened.insert(0, open_with(pages[opener], game, chairs, **wishes))
        for other in others:
            sit_down(pages[other], opened[0])
    ada = pages["ada"]
    for size in LOBBIES:
        ada.set_viewport_size(size)
        ada.goto("/")
        ada.wait_for_selector(".own-tables .ticket")
        ada.wait_for_selector(".start-here")
        assert table_links(ada, ".own-tables li a") == opened
        said = ada.locator(".own-tables li").all_inner_texts()
        for (turn, company, *_), words in zip(OWN, said, strict=True):
            assert turn in words
            assert company in " ".join(words.split()), "who plays there is read"
        top = ada.locator(".own-tables li").nth(0).bounding_box()
        assert top["y"] + top["height"] < size["height"], "the first one is seen without scrolling"
        own, invitation = (ada.locator(part).bounding_box() for part in (".own-tables", ".start-here"))
        assert own["y"] + own["height"] <= invitation["y"]
        assert ada.evaluate(LEAVES) == [], size
    assert re.match("(60 min|1 h) left, 24 h left", ", ".join(ada.locator(".ticket .when").all_inner_texts()))
    assert ada.locator(".own-tables .clear").count() == 3, "two against bots, and one that nobody has joined"
    expect(ada).to_have_title(re.compile("^● 4 to move"))


def test_a_table_is_cleared_away_from_its_page_or_ticket_and_finished_ones_lie_behind_a_line(friends, visit):
    """Spectators are told."""
    ada, _ = friends
    alone = running(ada)
    page = visit(f"/t/{alone}?watch", **STILL)
    page.wait_for_selector(".prompt")
    over = open_with(ada, "chi", ["greedy", "greedy"], options={"stacks_to_end": 4})
    waiting = open_with(ada, "chi", ["you", "person"])
    ada.goto("/")
    ada.locator("summary", has_text="Finished: 1 table").wait_for()
    link = ada.locator(f".fold a[href^='/t/{over}']")
    assert not link.is_visible()
    ada.locator("summary", has_text="Finished: 1 table").click()
    assert link.inner_text().strip() == "Result"
    assert violations(ada) == []
    ada.locator(f".own-tables a[href^='/t/{waiting}']").click()
    press(ada, "Clear the table away")
    ada.wait_for_selector(".shelf")
    press(ada, "Clear away Chi with Bo")
    press(ada, "Keep")
    assert ada.locator(".ticket").count() == 1
    clear_away(ada, "Chi with Bo")
    assert [ada.request.get(f"/api/tables/{table}").status for table in (waiting, alone)] == [404, 404]
    page.get_by_text("It has been cleared away.").wait_for()


def test_a_limit_is_said_beside_the_button_that_met_it(visit):
    page = visit(may_log="status of 429", **STILL)
    fill_with_tables(page)
    page.goto("/")
    page.locator("a[href^='/t/']").first.wait_for(state="attached")  # they move the shelf down
    press(page, "Play Juno: Chi", exact=True)
    said = page.locator("[data-game=chi] [role=alert]")
    said.wait_for()
    assert said.inner_text().startswith(
        f"You have {DEFAULT_LIMITS.tables} unfinished tables; finish some of them, or clear away"
    )
    sheet = open_sheet(page)
    press(sheet, "Play Juno")
    sheet.locator(".at-once + [role=alert]").wait_for()
    press(sheet, "Open the table")
    sheet.locator(".form [role=alert]").wait_for()
    assert violations(page) == []
    sheet.get_by_role("button", name="Show my tables").first.click()
    sheet.wait_for(state="detached")
    press(page, "With friends: Chip It")
    page.get_by_label("What shall we call you?").fill("Ada")
    press(page, "Change", exact=True)
    page.locator(".friends .seg label").get_by_text("3", exact=True).click()
    press(page, "Get the link")
    refused = page.locator(".friends [role=alert]").get_by_role("button", name="Show my tables")
    refused.wait_for()
    expect(page.locator(".friends-line")).to_contain_text("3 players")  # what was chosen stays
    refused.click()
    page.locator(".friends").wait_for(state="detached")
    expect(page.locator(".own-tables li .clear")).to_have_count(DEFAULT_LIMITS.tables)
    clear_away(page, f"all {DEFAULT_LIMITS.tables} games against bots")
    assert page.request.get("/api/lobby").json()["mine"] == []


# --- by link ----------------------------------------------------------------------------------------------------


@BOTH_SIZES
def test_a_friend_who_comes_by_link_sees_what_it_is_and_is_asked_for_a_name_once(size, friends, visit):
    ada, _ = friends
    game = fairdeal.find_game("chip-it")
    tables = [open_with(ada, "chip-it", ["you", "greedy", "person"], options={"players": 3}) for _ in range(2)]
    page = visit(f"/t/{tables[0]}", size=size, **STILL)
    page.wait_for_selector(".join .cover")
    said = ("Ada invites you to", "Ada", "Bo", "you?", game.words_of_preset("single")[0], "min", "no clock")
    for words in (*said, getattr(game, "goal", "") or game.blurb):
        expect(page.locator(".join")).to_contain_text(words, use_inner_text=True)
    assert page.locator(".btn.lit").count() == 1
    field = page.get_by_label("What shall we call you?")
    assert field.get_attribute("autocomplete") == "nickname"
    field.fill("Jo")
    press(page, "Sit down")
    page.wait_for_selector(".prompt")
    names = [chair["name"] for chair in page.request.get(f"/api/tables/{tables[0]}").json()["chairs"]]
    assert names == ["Ada", "Bo", "Jo"]
    page.goto(f"/t/{tables[1]}")
    page.get_by_role("button", name="Sit down").wait_for()
    expect(page.locator(".join input")).to_have_count(0)


@BOTH_SIZES
def test_until_the_deal_guests_talk_and_read_the_rules_of_their_table(size, friends, visit):
    """Also who comes later, and after a reload; the deal keeps what was said."""
    ada, ben = friends
    ada.set_viewport_size(size)
    table = open_with(ada, "chip-it", ["you", "person", "person"], preset="places")
    sit_down(ben, table)
    ada.goto(f"/t/{table}")
    ada.get_by_label("Message to the table").fill("Tea first?")
    press(ada, "Send")
    expect(ada.get_by_label("Message to the table")).to_have_value("")
    ben.goto(f"/t/{table}")
    for _ in range(2):
        expect(ben.locator(".meanwhile .chat")).to_contain_text("Tea first?")
        ben.reload()
    press(ben, "React 😄")
    expect(ada.locator(".meanwhile .chat")).to_contain_text("😄")
    assert ada.evaluate("scrollY") == 0 or size is PHONE, "the page stays where it is"
    ada.get_by_text("The rules of this table").click()
    expect(ada.locator(".meanwhile")).to_contain_text(re.compile("CHIP-|cards"))
    assert violations(ada) == []
    zoe = visit(**STILL)
    named(zoe, "Zoe")
    sit_down(zoe, table)
    ada.wait_for_selector(".prompt")
    ada.keyboard.press("Escape")
    assert "Tea first?" in ada.evaluate(
        "async (table) => new Promise((told) => {"
        "  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/tables/${table}/play`);"
        "  socket.onmessage = ({ data }) => told(JSON.stringify(JSON.parse(data).chat));"
        "})",
        table,
    )


def test_a_finished_or_a_full_table_says_so_and_can_be_watched(friends, visit):
    ada, ben = friends
    over = open_with(ada, "chi", ["greedy", "greedy"], options={"stacks_to_end": 4})
    ada.goto(f"/t/{over}")
    ada.wait_for_selector(".verdict")  # whoever opened it is no stranger
    table = open_with(ada, "chip-it", ["you", "person", "greedy"], preset="places")
    sit_down(ben, table)
    page = visit(f"/t/{over}", **STILL)
    page.get_by_text("This game is over.").wait_for()
    press(page, "See how it ended")
    page.wait_for_selector(".verdict")
    page.goto(f"/t/{table}")
    page.get_by_text("This table is full, and the game has begun.").wait_for()
    assert page.get_by_role("button", name="Sit down").count() == 0
    assert violations(page) == []
    press(page, "Watch")
    page.wait_for_selector(".prompt")
    page.reload()
    page.wait_for_selector(".prompt")
    page.goto(f"/t/{table}")
    page.locator(".join-terms", has_text=re.compile("places", re.IGNORECASE)).wait_for()
    page.get_by_role("link", name="Open a table like it").click()
    page.wait_for_url("/?game=chip-it&preset=places")
    expect(page.locator(".game-sheet .preset:nth-child(2) input")).to_be_checked()


SHOWN = """() => [...document.querySelectorAll('.options .option :is(select, input)')].map((one) =>
    one.type === 'checkbox' ? String(one.checked) : one.type === 'file' ? 'file' : one.value)"""


def as_shown(value):
    """An option's value as the form shows it."""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else json.dumps(msgspec.to_builtins(value), separators=(",", ":"))


NOT_NOW = """{
    const ask = fetch;
    window.sent = [];
    window.fetch = async (what, how) => {
        const path = new URL(what.url ?? what, location).pathname;
        if (path === '/api/promise') return Response.json({ promise: '0'.repeat(64), ticket: 'none' });
        if (path !== '/api/tables' || how?.method !== 'POST') return ask(what, how);
        sent.push(JSON.parse(how.body));
        return Response.json({ reason: 'not now' }, { status: 400 });
    };
}"""
"""Keep the tables that the page asks for, and open none."""


def test_the_form_of_a_new_table_shows_the_options_of_the_table(name, visit):
    """For each preset, and for each number of players after it, the form is sent, and what it shows is compared with
    the table that the room would open. It does not speak code."""
    game = find_game(name)
    page = visit(**STILL)
    page.add_init_script(NOT_NOW)
    page.goto(f"/?game={name}")
    page.wait_for_selector(".game-sheet .presets")
    said = page.locator(".game-sheet").inner_text()
    assert game.title.lower() in said.lower()
    assert not CODE.search(said), said
    page.get_by_text("All options").click()
    presets = page.locator(".preset").all()
    for preset in presets:
        preset.click()
        asked = compare_form(page, game)
        assert game.presets[asked["preset"]].title == preset.locator("b").inner_text()
        for players in page.get_by_role("group", name="Players", exact=True).locator("label").all():
            preset.click()
            players.click()
            asked, count = compare_form(page, game), int(players.inner_text())
            assert asked["options"]["players"] == count
            assert game.presets[asked["preset"]].get("players", count) == count
    assert len(presets) == len(game.presets)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_a_file_of_another_system_is_sent_as_its_text(visit, encoding):
    text = 'suit = ["Zoë", "部屋"]\n'
    page = visit(**STILL)
    page.add_init_script(NOT_NOW)
    page.goto("/?game=war-xtreme")
    page.get_by_text("All options").click()
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    content = f"{mark}{text}".encode(encoding)
    with page.expect_event("filechooser") as chosen:
        page.locator(".game-sheet input[type=file]").click()
    chosen.value.set_files({"name": "cards.toml", "mimeType": "text/plain", "buffer": content})
    asked = {}
    while "catalogue" not in asked.get("options", {}):  # until the browser has read the file
        press(page, "Open the table")
        asked = page.wait_for_function("() => sent.length && sent.pop()").json_value()
    assert asked["options"]["catalogue"] == text


def compare_form(page, game):
    """Send the form, and compare the options that it shows with those of its table, which is returned."""
    press(page, "Open the table")
    asked, shown = page.wait_for_function(f"() => sent.length && [sent.pop(), ({SHOWN})()]").json_value()
    options = read_options(game.options, game.presets[asked["preset"]] | asked["options"])
    named = [field for field in option_fields(game.options).items() if field[0] != "players"]
    assert len(asked["chairs"]) == options.players
    for (option, field), value in zip(named, shown[: len(named)], strict=True):
        expected = "file" if part_of(field.type) else as_shown(getattr(options, field.name))
        assert value == expected, f"{game.name}, {asked['preset']}, {options.players} players: {option}"
    return asked


@BOTH_SIZES
def test_a_name_that_is_refused_stays_in_its_field_with_the_reason(size, visit):
    page = visit("/", size=size, may_log="400 (Bad Request)", **STILL)
    page.locator(".who-you").click()
    field = page.get_by_label("Your name")
    for name, reason in {
        "Bartholomew of the mountains": "A name has at most 24 characters; choose a shorter one.",
        "Y0u!": "“Y0u!” could be taken for “you”, a word of the room; choose a different name.",
    }.items():
        field.fill("")
        field.press_sequentially(name)
        press(page, "Keep")
        told = page.get_by_role("alert").get_by_text(reason)
        for shown in (told, field):
            expect(shown).to_be_in_viewport(ratio=1)
        expect(field).to_have_accessible_description(reason)
        expect(field).to_have_value(name)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    field.fill("Zoe")
    press(page, "Keep")
    page.locator(".who-you", has_text="Zoe").wait_for()
