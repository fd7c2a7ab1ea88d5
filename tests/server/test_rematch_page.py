"""A rematch as each viewer of the old result sees it: who asked, who has not, who watches, and who comes late."""

import re

import pytest
from playwright.sync_api import expect

from tests.server.in_node import needs_node, run_in_node
from tests.server.visiting import STILL, let_bot_play, open_with, press, wait_until_over

SHORT = {"stacks_to_end": 4}
OFFERED, OPENED = "Ada wants a rematch.", "The players have begun a rematch."


def named(visit, name):
    page = visit(**STILL)
    page.request.post("/api/me", data={"name": name})
    return page


@pytest.fixture
def result(visit):
    """A finished game of Ada and Ben, each at the result, with Eve, who watches, and the function that opens pages."""
    ada, ben, eve = (named(visit, name) for name in ("Ada", "Ben", "Eve"))
    table = open_with(ada, "chi", ["you", "person"], options=SHORT)
    assert ben.request.post(f"/api/tables/{table}/join", data={}).ok
    for seat, page in enumerate((ada, ben)):
        page.goto("/")
        let_bot_play(page, table, seat)
    wait_until_over(ada, table)
    for page in (ada, ben, eve):
        page.goto(f"/t/{table}?watch")
        page.wait_for_selector(".verdict")
    return table, ada, ben, eve


def test_spectators_and_latecomers_hear_of_a_rematch_and_can_follow_live_and_after_a_reload(result, visit):
    table, ada, ben, eve = result
    (_, won), (_, lost) = ada.request.get(f"/api/tables/{table}").json()["score"]
    assert {won, lost} == {0, 1}
    for page in (ada, ben, eve):
        expect(page.locator(".verdict .wins")).to_have_text(f"Games won: Ada {won} : {lost} Ben")
        assert page.locator(".verdict .wins b").get_attribute("translate") == "no"
    press(ada, "Rematch")
    for page in (ben, eve):
        expect(page.locator(".verdict .acts [role=status]")).to_have_text(OFFERED)
        expect(page.locator(".verdict .acts a.btn")).to_have_count(0)
    eve.reload()  # a player who does so is away for a moment, and the others begin
    expect(eve.locator(".verdict .acts [role=status]")).to_have_text(OFFERED)
    expect(ada.locator(".verdict .acts [role=status]")).to_have_text("Waiting for Ben.")
    assert eve.get_by_role("button", name="Rematch").count() == 0, "she does not play"
    press(ben, "Rematch")
    for page in (ada, ben):
        page.wait_for_url(lambda url: table not in url)
    follow = eve.get_by_role("link", name="Watch the rematch")
    for _ in range(2):
        expect(follow).to_be_visible()
        expect(eve.locator(".verdict .acts [role=status]")).to_have_text(OPENED)
        eve.reload()
    again = ada.url.rpartition("/")[2]
    follow.click()
    eve.wait_for_url(re.compile(rf"/t/{again}\?watch"))
    eve.wait_for_selector(".prompt")
    late = named(visit, "Zoe")
    late.goto(f"/t/{table}")
    expect(late.locator(".join-why")).to_have_text(re.compile(f"This game is over. {OPENED}"))
    late.get_by_role("link", name="To the rematch").click()
    late.wait_for_url(re.compile(rf"/t/{again}$"))
    press(late, "Watch")
    late.wait_for_selector(".prompt")


def test_a_player_who_was_away_finds_the_rematch(result):
    """Also one who had not asked for it: the seat is kept."""
    table, ada, ben, _ = result
    ben.goto("/")
    press(ada, "Rematch")
    ada.wait_for_url(lambda url: table not in url)
    again = ada.url.rpartition("/")[2]
    expect(ben.locator(f".own-tables a[href='/t/{again}']")).to_be_visible()
    ben.goto(f"/t/{table}")
    ben.get_by_role("link", name="To the rematch").click()
    ben.wait_for_url(re.compile(rf"/t/{again}$"))
    ben.wait_for_selector(".prompt")


SCORES = """
import { scoreOf } from './web/kit/words.js';

const chairs = ['Ada', 'Ben', 'Zoe'].map((name) => ({ name }));
const scores = [[], [[2, 1], [0, 3]], [[0, 1], [1, 0], [2, 4]]];
console.log(JSON.stringify(scores.map((score) => scoreOf({ chairs, score }))));
"""


@needs_node
def test_the_games_that_people_have_won_are_in_a_line(tmp_path):
    assert run_in_node(tmp_path, SCORES) == ["", "Zoe 1 : 3 Ada", "Zoe 4, Ada 1, Ben 0"]
