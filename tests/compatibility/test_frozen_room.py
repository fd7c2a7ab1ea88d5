"""A database of a released version is opened by today's room: its tables are as they were, and are played on with."""

import gzip
import hashlib
import json
import os
import random
import subprocess
import sys

import httpx2
import pytest

from fairdeal.protocol.record import read_record
from fairdeal.server.storage import store as stores
from fairdeal.table.analysis import VERSION as ANALYSIS
from fairdeal.table.log import read_log
from fairdeal.table.verification import verdict, verify
from tests.compatibility.freeze_room import HOOKS, go_on, is_over
from tests.compatibility.frozen import IDS, VERSIONS, is_replayed
from tests.server.conftest import ForkedRoom, Guest
from tests.server.forking import draw_from
from tests.server.test_old_rules import differences
from tests.server.visiting import BROWSER

COOKIE = "fairdeal_guest"
JOINED = "joined from a terminal, running"


class Returning(Guest):
    """A guest of the frozen room, with the cookie of that time."""

    def __init__(self, room, cookie):
        super().__init__(room)
        self.http.close()
        self.http = httpx2.Client(base_url=room.address, timeout=60, verify=False, cookies={COOKIE: cookie})


class Frozen:
    """A room over a frozen database, its guests, and the noted facts of its tables."""

    def __init__(self, version, folder):
        self.version = version
        self.told = json.loads(gzip.decompress((version / "room.json.gz").read_bytes()))
        self.tables = self.told["tables"]
        self.database = folder / "room.db"
        self.database.write_bytes(gzip.decompress((version / "room.db.gz").read_bytes()))
        self.room = ForkedRoom(self.database, chance=version.name, webhooks=HOOKS)
        self.guests = {name: Returning(self.room, cookie) for name, cookie in self.told["guests"].items()}

    def close(self):
        for guest in self.guests.values():
            guest.close()
        self.room.stop()

    def replayed(self, what):
        """Return whether the rules are still those of the deal, so that the game goes on."""
        table = self.tables[what]
        facts = self.guests["Ada"].get(f"/api/tables/{table['id']}")
        goes_on = is_replayed(table["game"], table["rules"])
        assert bool(facts["readable_only"]) != goes_on, facts["readable_only"]
        return goes_on

    def with_status(self, status):
        """Return the tables that had a status, by their descriptions."""
        return {what: table for what, table in self.tables.items() if table["status"] == status}

    def seated(self, table):
        """Return the guests who play at a table."""
        return [self.guests[name] for name in table["known"]]


@pytest.fixture(scope="module", params=VERSIONS, ids=IDS)
def frozen(request, tmp_path_factory):
    made = Frozen(request.param, tmp_path_factory.mktemp("frozen"))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def deal(monkeypatch, request):
    draw_from(request.node.name, monkeypatch.setattr)


def test_the_database_has_the_schema_of_today(frozen):
    assert differences(f"sqlite:///{frozen.database}") == []
    assert stores.metadata.tables


def test_tables_are_as_they_were(frozen):
    seen = positions = 0
    for what, before in frozen.tables.items():
        ada = frozen.guests["Ada"]
        answer = ada.http.get(f"/api/tables/{before['id']}")
        if before["status"] == "cleared":
            assert answer.status_code == 404
            continue
        now = answer.json()
        goes_on_by_itself = now["clock"] or what in frozen.told["timed"]
        assert now["seq"] == before["seq"] or (goes_on_by_itself and now["seq"] > before["seq"]), what
        assert {name: now[name] for name in before["facts"]} == before["facts"], what
        chairs = [[chair["name"], chair["plays"], chair["stand_in"]] for chair in now["chairs"]]
        assert chairs == before["chairs"], what
        seen += 1
        if not frozen.replayed(what):
            continue
        assert [now["deal"]["stage"], now["deal"]["attempt"]] == before["deal"], what
        for name, (seq, position) in before["known"].items():
            guest = frozen.guests[name]
            guest.connect(before["id"])
            found = guest.ask("position", recall=100)
            if found["seq"] == seq:
                assert {part: found["position"].get(part) for part in position} == position, what
                positions += 1
    assert seen == len(frozen.tables) - 1
    assert positions > 20 or not is_replayed("chi", frozen.tables["open, chi"]["rules"])


def test_guests_the_room_and_its_chat_are_as_before(frozen):
    ada = frozen.guests["Ada"]
    assert [guest.get("/api/me")["name"] for guest in frozen.guests.values()] == ["Ada", "Ben", "Cleo"]
    assert ada.get("/api/key")["key"] == frozen.told["key"]
    assert ada.get("/api/games/chi/record") == frozen.told["record"]
    assert ada.get("/api/webhook")["address"] == f"https://{HOOKS}/ada"
    listed = {facts["id"] for facts in ada.get("/api/lobby")["mine"]}
    assert frozen.tables["running, people"]["id"] in listed
    welcome = ada.connect(frozen.tables["running, people"]["id"])
    assert [[said["name"], said["text"]] for said in welcome["chat"]] == frozen.told["chat"]
    assert len(frozen.told["chat"]) == 2


def test_running_tables_go_on(frozen):
    moved = 0
    for what, table in frozen.with_status("running").items():
        if what == JOINED or not frozen.replayed(what):
            continue
        guests = frozen.seated(table)
        for guest in guests:
            guest.connect(table["id"])
        before = max(guest.scene["seq"] for guest in guests)
        to_its_end = table["options"].get("stacks_to_end")
        go_on(
            guests,
            random.Random(what),
            lambda scene, seq=1000 if to_its_end else before + 3: scene["seq"] >= seq or is_over(scene),
        )
        after = guests[0].get(f"/api/tables/{table['id']}")
        assert after["status"] == "over" if to_its_end else after["seq"] > before, what
        moved += 1
        if after["status"] == "over":
            verify(guests[0].http.get(f"/api/tables/{table['id']}/log?format=3").text)
    assert moved > 15 or not is_replayed("chi", frozen.tables["open, chi"]["rules"])


def test_a_program_that_joined_before_comes_back_and_keeps_on(frozen, tmp_path):
    if not frozen.replayed(JOINED):
        return
    table, ada = frozen.tables[JOINED]["id"], frozen.guests["Ada"]
    home = tmp_path / "fairdeal"
    (home / "kept").mkdir(parents=True)
    (home / "guests.json").write_text(json.dumps({frozen.room.address: frozen.told["tess"]}))
    own = home / "kept" / f"{table}.json"
    own.write_bytes((frozen.version / "kept" / "joined-running.json").read_bytes())
    before = own.read_bytes()
    told = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "fairdeal", "join", f"{frozen.room.address}/t/{table}", "--bot", "greedy"]
    program = subprocess.Popen(command, env=told, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        ada.connect(table)
        go_on([ada], random.Random(1), is_over)
        said, _ = program.communicate(timeout=120)
    finally:
        program.kill()
    assert program.returncode == 0, said
    assert own.read_bytes() == before, "the older record is not changed"
    (again,) = home.glob(f"records/*/{table}.jsonl")
    text = ada.http.get(f"/api/tables/{table}/log?format=3").text
    for path, last in ((own, False), (again, True)):
        found = {one.check: one.ok for one in verdict(read_log(text), read_record(path))}
        assert False not in found.values()
        heard = {number for visit in read_record(path).visits.values() for _, number in visit.acknowledged}
        assert (max(heard) == len(read_log(text).entries)) == last, "both are parts of one game"
    assert found["number"] is None, "the number is in the older record"


def test_deals_that_were_not_made_are_made(frozen):
    ada, ben, cleo = frozen.guests.values()
    if not frozen.replayed("open, chi"):
        return
    ben.join(frozen.tables["open, chi"]["id"])
    ben.show(frozen.tables["open, chi"]["id"])
    ada.nonce = frozen.told["nonces"]["open, chi"]
    assert ada.show(frozen.tables["open, chi"]["id"])["status"] == "running"
    table = frozen.tables["numbers are shown"]["id"]
    ben.nonce = frozen.told["nonces"]["numbers are shown"]
    assert ben.show(table)["status"] == "running"
    table = frozen.tables["numbers are asked for again"]["id"]
    cleo.nonce = frozen.told["nonces"]["numbers are asked for again"]
    ada.post(f"/api/tables/{table}/number", hash=ada.bind())
    ada.show(table)
    facts = cleo.show(table)
    assert facts["status"] == "running"
    assert facts["deal"]["attempt"] == 2


def test_finished_games_are_shown_and_their_logs_are_as_they_were(frozen):
    ada, verified = frozen.guests["Ada"], 0
    for what, table in frozen.with_status("over").items():
        text = ada.http.get(f"/api/tables/{table['id']}/log?format=3").content
        assert hashlib.sha256(text).hexdigest() == table["log"], what
        log = read_log(text.decode())
        if frozen.replayed(what):
            verify(text.decode())
            last = ada.get(f"/api/tables/{table['id']}/moments/{len(log.moves)}?seat=0&hands=1")
            assert last["scene"]["result"]["scores"] == list(log.result)
            assert ada.connect(table["id"])["scene"]["mode"] == "over"
            verified += 1
    assert verified > 5 or not is_replayed("chi", frozen.tables["open, chi"]["rules"])


def test_a_finished_game_has_its_analysis_its_rematch_and_its_branch(frozen):
    ada, analysed = frozen.guests["Ada"], frozen.tables["over, analysed"]["id"]
    if frozen.replayed("over, analysed"):
        found = ada.get(f"/api/tables/{analysed}/analysis")["analysis"]
        assert (found is None) == (frozen.told["analysis"] < ANALYSIS), "one of an older version is made again"
        assert found is None or found["decisions"]
    again = ada.get(f"/api/tables/{frozen.tables['over, played again']['id']}")["rematch"]
    assert again == frozen.tables["a rematch"]["id"]
    assert (
        ada.get(f"/api/tables/{frozen.tables['played on from another']['id']}")["origin"][0]
        == (frozen.tables["over"]["id"])
    )


def test_a_browser_checks_a_finished_game_with_its_saved_facts(frozen):
    table = frozen.tables["played in a browser"]
    if not frozen.replayed("played in a browser"):
        return
    kept = frozen.told["browser"]
    with BROWSER.visits(frozen.room.address) as visit:
        page = visit()
        page.context.add_cookies([{"name": COOKIE, "value": kept["cookie"], "url": frozen.room.address}])
        page.goto("/rules/chi")
        page.evaluate("(kept) => Object.assign(localStorage, kept)", kept["storage"])
        page.goto(f"/t/{table['id']}")
        page.get_by_role("button", name="Show how").click()
        page.wait_for_selector(".fair li:nth-child(4):is([data-ok], [data-open])")
        page.get_by_role("button", name="this browser’s record").wait_for()
