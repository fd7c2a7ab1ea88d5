"""Whole games in a browser over a line that delays bytes and cuts connections."""

import random

import pytest
from playwright.sync_api import sync_playwright

from fairdeal.table.verification import verify
from tests.conftest import SHORT
from tests.server.lossy import FlakyWire
from tests.server.test_browser import choose_by_clicks, play_out
from tests.server.visiting import CHROMIUM, FLAGS, NO_CHROMIUM, WITHOUT_NOTES, open_with

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
