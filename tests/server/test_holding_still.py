"""The table never moves under your hand: in games of every title, at every size of screen, the middle, the line, the
question, the tray and the seats stay where they are, nothing of a seat lies on anything else of it, no word is too
small to read, and nothing leaves the screen."""

import random

import pytest

from fairdeal.engine.registry import find_game, game_names
from tests.conftest import SHORT, at_most_two
from tests.server.measuring import DRAWN_ANEW, LIGHTS, Still
from tests.server.test_browser import BIG_TABLES, go_on
from tests.server.visiting import SCREENS, STILL, keep, open_with, sit_at

PLAYED = ("phone", "desk")
"""Sizes in which whole games are looked at where they are played (test_browser), at tables that are played there: every
third step is enough here."""

WITHOUT_ZONES = ("chimax-jackpot", 1)
"""A game of reels alone, in which no zone can be lit."""

STEPS = 6
"""Steps of a game, each looked at in every other size."""

ENDLESS = """() => document.getAnimations().map(({ effect }) => effect)
    .filter((effect) => effect.getTiming().iterations === Infinity).map((effect) => effect.target.className)"""


def tables():
    """Every game with its fewest and its most players."""
    for name in game_names():
        fewest, most = find_game(name).players
        for players in sorted({min(max(2, fewest), most), most}):
            yield name, players


@pytest.mark.parametrize(("game", "players"), list(tables()), ids=str)
def test_the_table_holds_still(game, players, visit, room, tmp_path):
    chance, page, stills = random.Random(players), visit(**STILL), {}
    options = {"players": players} | SHORT.get(game, {})
    sit_at(page, game, ["you", *["greedy"] * (players - 1)], options=options, wanted=".prompt")
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    page.wait_for_selector(".stage:not(:empty), .field:not(:has(.stage))")
    seldom = PLAYED if players == at_most_two(game) or (game, players) in BIG_TABLES else ()
    for step in range(STEPS):
        labels = [label for label in SCREENS if label not in seldom or step % 3 == 0]
        for label in labels if step % 2 else reversed(labels):  # it begins in the size in which the step before ended
            page.set_viewport_size(SCREENS[label])
            page.evaluate(DRAWN_ANEW)
            if label not in stills:
                stills[label] = Still(page, f"{game} for {players}, {label}")
            stills[label].look()
            if step == 1:
                lights = page.evaluate(LIGHTS)
                assert (lights["zones"] > 0) is ((game, players) != WITHOUT_ZONES)
                assert not lights["found"], f"{game} for {players}, {label}: {lights['found']}"
            if step == STEPS // 3 * 2:
                keep(page, f"still-{game}-{players}-{label}", tmp_path)
        if not go_on(page, chance):
            break
    assert min(still.looks for still in stills.values()) > 1, step
    assert sum(still.looks for still in stills.values()) > 3 * len(SCREENS), step


@pytest.mark.parametrize("game", ["war-xtreme", "chip-it", "chi", "chaos-ninjas", "chimax-books"])
def test_who_looks_on_reads_every_name_and_every_number(game, visit, room, tmp_path):
    player, page = visit(), visit(**STILL)
    players = find_game(game).players[1]
    options = {"players": players, "ask_extreme": False} if game == "war-xtreme" else {"players": players}
    table = open_with(player, game, ["you", *["greedy"] * (players - 1)], options=options)
    player.goto(f"/t/{table}")  # or the game would be paused
    page.goto(f"/t/{table}?watch")
    page.wait_for_selector(".prompt")
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    page.wait_for_selector(".dots")
    assert page.evaluate(ENDLESS) == [], "nothing moves for whoever wishes for less motion, not even while they wait"
    for label, size in SCREENS.items():
        page.set_viewport_size(size)
        page.evaluate(DRAWN_ANEW)
        Still(page, f"{game} looked at, {label}").look()
        assert page.locator(".seat .who b").count() == players
        assert page.locator(".seat .count b").count() >= players
        keep(page, f"watched-{game}-{label}", tmp_path)
