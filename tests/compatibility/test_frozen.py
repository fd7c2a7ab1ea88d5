"""What a version has written is opened, verified and played on with by later versions.

A test that fails here says that the files of people would fail too: mend the code, and leave the files alone
(tests/compatibility/freeze.py). All games are of CHI under rules version 1.
"""

import contextlib
import gzip
import json
import shutil
import sqlite3
from pathlib import Path

import httpx2
import pytest

from fairdeal.protocol.record import read_record
from fairdeal.table.analysis import VERSION, analyse
from fairdeal.table.log import read_log
from fairdeal.table.sitting import Sitting
from fairdeal.table.verification import verdict, verify
from tests.server.conftest import ForkedRoom, Guest
from tests.server.forking import draw_from
from tests.server.test_old_rules import differences

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/room.json"))
"""The folders that `freeze` has written, one for a version."""

OVER = "finished", "joined", "browser"
"""Logs of finished games: saved by the terminal, and of a room."""


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda folder: folder.name)
def frozen(request):
    return request.param


def test_files_are_frozen():
    assert "before-1.0" in [folder.name for folder in FOLDERS]


@pytest.mark.parametrize("log_file", OVER)
def test_a_log_is_read_and_verified(frozen, log_file):
    text = (frozen / f"{log_file}.log").read_text("utf-8")
    log, found = verify(text)
    assert log.text() == text
    assert len(log.moves) > 5
    ok = {one.check: one.ok for one in found}
    assert all(ok[check] for check in ("seed", "log", "moves", "bots"))
    assert bool(ok["signed"]) == bool(log.room) == (log_file != "finished")


def test_a_saved_game_goes_on(frozen, tmp_path):
    for name in ("unfinished.log", "unfinished.log.seed"):
        shutil.copy(frozen / name, tmp_path / name)
    before = (tmp_path / "unfinished.log").read_text("utf-8")
    sitting = Sitting.resume(tmp_path / "unfinished.log")
    while not sitting.over:
        seat = sitting.state.to_act[0]
        chosen = sitting.bot_move(seat) if seat in sitting.bots else sitting.stand_in(seat)
        sitting.play(seat, chosen.actions)
    text = sitting.log.text()
    assert text.startswith(before)
    verify(text)


@pytest.mark.parametrize("program", ["joined", "browser"])
def test_the_record_of_a_program_agrees_with_the_log(frozen, program):
    log, record = read_log((frozen / f"{program}.log").read_text("utf-8")), read_record(frozen / f"{program}.jsonl")
    found = {one.check: one.ok for one in verdict(log, record)}
    assert False not in found.values()
    assert all(found[check] for check in ("promise", "number", "outline", "acknowledged"))
    assert sum(len(visit.acknowledged) for visit in record.visits.values()) > 5


def test_an_analysis_opens(frozen):
    place = frozen / "finished.log"
    log = read_log(place.read_text("utf-8"))
    saved = json.loads(analyse.analysis_file(place).read_text("utf-8"))
    found = analyse.kept(place, log.chain(), saved["playouts"])
    assert (found is None) == (saved["version"] < VERSION), "one of an older version is made again"
    if found:
        assert len(found.chances) == len(log.moves) + 1
        assert found.decisions


# --- the database of a room -----------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def deal(monkeypatch, request):
    draw_from(request.node.name, monkeypatch.setattr)


@pytest.fixture
def facts(frozen):
    """What the freezing program has noted of the room."""
    return json.loads((frozen / "room.json").read_text("utf-8"))


@pytest.fixture
def room(frozen, tmp_path):
    """A room over the frozen database."""
    (tmp_path / "room.db").write_bytes(gzip.decompress((frozen / "room.db.gz").read_bytes()))
    made = ForkedRoom(tmp_path / "room.db", chance=frozen.name)
    yield made
    made.stop()


@pytest.fixture
def ada(room, facts):
    """The guest who played in the frozen room, with the cookie of that time."""
    with contextlib.closing(Guest(room)) as guest:
        guest.http.close()
        guest.http = httpx2.Client(base_url=room.address, timeout=60, cookies={"fairdeal_guest": facts["guest"]})
        yield guest


def test_a_database_opens_with_the_schema_of_today_and_all_that_is_in_it(frozen, room, ada, facts):
    assert differences(f"sqlite:///{room.database}") == []
    with contextlib.closing(sqlite3.connect(room.database)) as database:
        assert database.execute("pragma foreign_key_check").fetchall() == []
    assert ada.get("/api/me")["name"] == "Ada"
    assert ada.get("/api/key")["key"] == facts["key"]
    for name in ("joined", "browser"):
        assert ada.log(facts[name]) == (frozen / f"{name}.log").read_text("utf-8")
        assert ada.facts(facts[name])["readable_only"] == ""
    listed = {one["id"] for one in ada.get("/api/lobby")["mine"]}
    assert listed >= {facts["open"], facts["running"]}


def test_a_running_table_goes_on(ada, facts):
    welcome = ada.connect(facts["running"])
    assert [line["text"] for line in welcome["chat"]] == ["Glück gehabt, не так ли? ♣"]
    assert ada.ask("position", recall=100)["position"] == facts["position"]
    verify(ada.finish(facts["running"]))


def test_a_deal_that_was_not_made_is_made(room, ada, facts):
    with contextlib.closing(Guest(room, "Ben")) as ben:
        ben.join(facts["open"])
        ben.show(facts["open"])
    ada.nonce = facts["nonce"]
    assert ada.show(facts["open"])["status"] == "running"
