"""Whole games over a line that drops, delays, doubles and swaps messages and cuts connections."""

import random
from collections import Counter
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

import pytest
from playwright.sync_api import sync_playwright

from fairdeal.engine.records import SPECTATOR
from fairdeal.table.verification import verify
from tests.conftest import SHORT
from tests.server.histories import check_stored
from tests.server.lossy import LONGEST_GAME, FlakyWire, LossyLine, PatientGuest, cookie_of, without_presence
from tests.server.test_browser import choose_by_clicks, play_out
from tests.server.test_play import seat_two
from tests.server.visiting import CHROMIUM, FLAGS, NO_CHROMIUM, WITHOUT_NOTES, open_with


def test_whole_games_survive_a_bad_line(name_with_drafts, room, guests):
    ada, ben, table = seat_two(guests, name_with_drafts, options=SHORT[name_with_drafts] | {"players": 2})
    people = [ada, ben, guests("Eve")]
    with LossyLine(room.port, seed=7) as line, ThreadPoolExecutor(3) as threads:
        patient = [
            PatientGuest(name, line.address, cookie_of(person), table, name, seat)
            for name, person, seat in zip(("ada", "ben", "eve"), people, (0, 1, SPECTATOR), strict=True)
        ]
        playing = [threads.submit(guest.play_out) for guest in patient]
        wait(playing, LONGEST_GAME + 20, FIRST_EXCEPTION)
        for guest in patient:
            guest.give_up()  # where one has failed, the others wait in vain
        for game in playing:
            game.result(20)
    assert all(line.happened[trouble] > 1 for trouble in ("dropped", "doubled", "delayed", "overtaken", "cut"))
    assert sum(guest.stale for guest in patient) > 0, "nothing was ever overtaken: the line is too good"
    assert line.connections > 3

    check_endings(people, patient, table)
    text = ada.log(table)
    verify(text)
    room.kill()
    final = check_stored(room.database, table, [guest.history for guest in patient])
    assert final.log.text() == text
    assert all(final.requests), "a move that nobody asked for"


def check_endings(people, patient, table):
    """All have seen the end that a fresh connection shows, and every line of chat was said once."""
    said = Counter(line for guest in patient for line in guest.said)
    for guest, seen in zip(people, patient, strict=True):
        welcome = guest.connect(table)
        assert without_presence(seen.scene) == without_presence(welcome["scene"])
        heard = Counter(line["text"] for line in welcome.get("chat", []))
        assert heard == said


# --- in a browser -----------------------------------------------------------------------------------------------

CUTS = 6
WATCH_FOR_LOSS = """
    addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
        window.wasLost ||= document.body.textContent.includes('Connection lost');
    }).observe(document.body, { childList: true, subtree: true }));
"""


@pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)
def test_a_page_comes_back_again_and_again_and_plays_to_the_end(name_with_drafts, room, guests):
    with FlakyWire(room.port, seed=3, cuts=CUTS, longest=0.8) as wire, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_context(base_url=wire.address).new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(WATCH_FOR_LOSS)
        page.add_init_script(WITHOUT_NOTES)
        table = open_with(page, name_with_drafts, ["you", "greedy"], options=SHORT[name_with_drafts] | {"players": 2})
        page.goto(f"/t/{table}")
        page.wait_for_selector(".prompt")
        play_out([page], random.Random(8), choose_by_clicks)
        assert wire.happened["cut"] >= 3
        assert page.evaluate("window.wasLost")
        verify(page.request.get(f"/api/tables/{table}/log").text())
        browser.close()
    requests = [client for (client,) in room.rows("select client from entries where client != ''")]
    assert len(requests) == len(set(requests))
