"""Whole games over a line that drops, delays, doubles and swaps messages and cuts connections."""

import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

import pytest
from playwright.sync_api import sync_playwright

from fairdeal.table.log import UNDO, read_log
from fairdeal.table.verification import verify
from tests.conftest import SHORT
from tests.server.lossy import LONGEST_GAME, FlakyWire, LossyLine, PatientGuest, without_presence
from tests.server.test_browser import choose_by_clicks, play_out
from tests.server.test_play import seat_two
from tests.server.visiting import CHROMIUM, FLAGS, NO_CHROMIUM, WITHOUT_NOTES, open_with


def kept_entries(room, table):
    """Return the stored entries of a table: (number, seat, text, client)."""
    return room.rows('select number, seat, text, client from entries where "table" = ? order by number', table)


def moves_of(entries):
    """The moves that stand after every undo."""
    moves = []
    for _, seat, text, _ in entries:
        if text == UNDO:
            moves.pop()
        else:
            moves.append((seat, text))
    return moves


def cookie_of(guest):
    return "; ".join(f"{name}={value}" for name, value in guest.http.cookies.items())


def test_whole_games_survive_a_bad_line(name_with_drafts, room, guests, tmp_path):
    ada, ben, table = seat_two(guests, name_with_drafts, options=SHORT[name_with_drafts] | {"players": 2})
    people = [ada, ben, guests("Eve")]
    with LossyLine(room.port, seed=7) as line, ThreadPoolExecutor(3) as threads:
        patient = [
            PatientGuest(person, line.address, cookie_of(guest), table, random.Random(seed))
            for seed, (person, guest) in enumerate(zip(("ada", "ben", "eve"), people, strict=True))
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

    path = tmp_path / "game.log"
    path.write_bytes(ada.http.get(f"/api/tables/{table}/log?format=3").content)
    verified = subprocess.run(
        [sys.executable, "-m", "fairdeal.cli", "verify", str(path)], capture_output=True, text=True, timeout=60
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr

    entries = kept_entries(room, table)
    assert [number for number, *_ in entries] == list(range(1, len(entries) + 1))
    assert [(move.seat, move.text) for move in read_log(path.read_text("utf-8")).moves] == moves_of(entries)
    check_requests(entries, patient)
    check_endings(people, patient, table)


def check_requests(entries, patient):
    """What was acknowledged is in its place, once; what was refused is nowhere."""
    places = {}
    for number, seat, _, client in entries:
        identity = client.partition(":")[2]
        assert identity not in places, f"{identity} was carried out twice"
        places[identity] = (number, seat)
    moves = 0
    for seat, guest in enumerate(patient):
        assert not guest.refused & set(places)
        for identity, number in guest.done.items():
            if number:  # lines of chat have none
                assert places[identity] == (number, seat)
                moves += 1
    assert moves == len(entries), "a move that nobody was told of"


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
        verify(page.request.get(f"/api/tables/{table}/log?format=3").text())
        browser.close()
    entries = kept_entries(room, table)
    requests = [client for *_, client in entries if client]
    assert len(requests) == len(set(requests))
