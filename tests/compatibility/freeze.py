"""Freeze what this version writes, for later versions to open.

    uv run --group test python -m tests.compatibility.freeze NAME

It writes the folder NAME beside this file, and refuses if that is there. Run it once per release, from the released
version, and commit the folder. Never run it to make a failing test pass: the files stand for those that people have,
and a test that fails on them says that theirs would fail too. It needs Chromium, and writes other files at every run,
since the seeds are new.
"""

import contextlib
import gzip
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fairdeal.engine.state import table_for
from fairdeal.table.log import Player
from fairdeal.table.sitting import PERSON, Sitting
from tests.conftest import run_module
from tests.server.conftest import ForkedRoom, Guest
from tests.server.test_browser import choose_by_clicks
from tests.server.test_browser import play_out as play_pages_out
from tests.server.visiting import BROWSER, STILL

SHORT = {"stacks_to_end": 4}
"""Options of CHI for a short game."""

PATIENCE = 60
"""Maximum time to wait, in seconds."""


def wait_for(ready):
    """Wait until `ready` returns something true."""
    end = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < end, "this did not happen"
        time.sleep(0.05)


def freeze_saved_games(folder: Path) -> None:
    """Save an unfinished game, as `fairdeal play` does, and a finished one with its analysis."""
    for name, moves in (("unfinished", 5), ("finished", None)):
        sitting = Sitting.open(table_for("chi", SHORT), [Player("Ada", PERSON), Player("Bo", "greedy")])
        while not sitting.over and sitting.moves_made != moves:
            seat = sitting.state.to_act[0]
            if seat in sitting.bots:
                sitting.play_bot(seat)
            else:
                sitting.play(seat, sitting.stand_in(seat).actions)
        sitting.save(folder / f"{name}.log")
    run_module(f"fairdeal analyse {folder / 'finished.log'} --playouts 20")


def freeze_room(folder: Path, temporary: Path) -> None:
    """Save the database of a room with an open table, a running one and finished ones, and what programs keep."""
    room = ForkedRoom(temporary / "room.db")
    ada = Guest(room, "Ada")
    opened = ada.open("chi", numbers=True, chairs=["you", "person"], options=SHORT)["id"]
    facts = {"open": opened, "nonce": ada.nonce, "guest": ada.http.cookies["fairdeal_guest"]}
    facts["running"] = ada.open("chi", chairs=["you", "greedy"], options=SHORT | {"first_player": 0})["id"]
    ada.connect(facts["running"])
    assert ada.ask("play", seq=0, move="draw 0")["type"] == "done"
    while ada.scene["seq"] < 2:
        ada.hear()
    ada.ask("say", text="Glück gehabt, не так ли? ♣")
    facts["position"] = ada.ask("position", recall=100)["position"]
    facts["joined"] = freeze_terminal(folder, temporary, ada)
    facts["browser"] = freeze_browser(folder, ada)
    facts["key"] = ada.get("/api/key")["key"]
    ada.close()
    room.stop()
    with contextlib.closing(sqlite3.connect(room.database)) as database:
        database.execute("VACUUM INTO ?", (f"{temporary / 'small.db'}",))
    (folder / "room.db.gz").write_bytes(gzip.compress((temporary / "small.db").read_bytes(), mtime=0))
    (folder / "room.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", "utf-8")


def freeze_terminal(folder: Path, temporary: Path, ada: Guest) -> str:
    """Let `fairdeal join` play against a bot that stands in for Ada, and save its record and the log."""
    table = ada.open("chi", numbers=True, chairs=["you", "person"], options=SHORT)["id"]
    join = [sys.executable, "-m", "fairdeal", "join", "--bot", "greedy", "--name", "Tess"]
    told = os.environ | {"XDG_DATA_HOME": str(temporary)}
    program = subprocess.Popen([*join, f"{ada.room.address}/t/{table}"], env=told, stdout=subprocess.DEVNULL)
    wait_for(lambda: ada.facts(table)["deal"]["stage"] == "numbers")
    ada.show(table)
    (folder / "joined.log").write_text(ada.finish(table), "utf-8")
    assert program.wait(PATIENCE) == 0
    (record,) = (temporary / "fairdeal" / "records").glob(f"*/{table}.jsonl")
    (folder / "joined.jsonl").write_bytes(record.read_bytes())
    return table


def freeze_browser(folder: Path, ada: Guest) -> str:
    """Play against a bot in a page, and save the page's record and the log."""
    table = ada.open("chi", numbers=False, chairs=["person", "greedy"], options=SHORT)["id"]
    with BROWSER.visits(ada.room.address) as visit:
        page = visit(f"/t/{table}", **STILL)
        page.get_by_role("button", name="Sit down").click()
        page.wait_for_selector(".prompt")
        play_pages_out([page], random.Random(6), choose_by_clicks)
        page.get_by_role("button", name="Show how").click()
        with page.expect_download() as downloading:
            page.get_by_role("button", name="this browser’s record").click()
        (folder / "browser.jsonl").write_bytes(downloading.value.path().read_bytes())
    BROWSER.close()
    (folder / "browser.log").write_text(ada.log(table), "utf-8")
    return table


if __name__ == "__main__":
    place = Path(__file__).parent / sys.argv[1]
    if place.exists():
        sys.exit(f"{place} is there: what was frozen stays as it is")
    place.mkdir()
    freeze_saved_games(place)
    with tempfile.TemporaryDirectory() as folder:
        freeze_room(place, Path(folder))
