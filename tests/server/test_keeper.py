"""The acts of the keeper, carried out by the open room on both databases."""

import time
from typing import get_args

import pytest
from websockets.exceptions import ConnectionClosed

from fairdeal.cli import room as commands
from fairdeal.server.api.keeper import WAYS
from fairdeal.server.storage import acts as a
from tests.conftest import refusal
from tests.server.test_room_commands import command, until_status

pytestmark = pytest.mark.databases("sqlite", "postgresql")

RUDE = "a rude line"


@pytest.fixture
def keep(room):
    """Let the room carry out an act by a command, and return what that said."""
    return lambda *words, **wishes: command(*words, "--database", room.database, **wishes)


@pytest.fixture
def evening(room, guests):
    """A game of two guests, Ada and Ben, who are connected; the table and the guests' ids."""
    ada, ben = guests("Ada"), guests("Ben")
    table = ada.open("chi", chairs=["you", "person"])["id"]
    ben.post(f"/api/tables/{table}/join", 200)
    for guest in (ada, ben):
        guest.connect(table)
        guest.id = guest.http.cookies["fairdeal_guest"].partition(".")[0]
    return table, ada, ben


def chairs(guest, table):
    return guest.http.get(f"/api/tables/{table}").json()["chairs"]


def test_a_table_is_closed_while_guests_play(keep, evening):
    table, ada, _ben = evening
    assert keep("close", table, "--yes") == f"done: close table {table}\n"
    assert ada.http.get(f"/api/tables/{table}").status_code == 404
    with refusal("there is no table"):
        keep("close", table, "--yes")


def test_a_stuck_seat_is_freed_and_a_bot_plays_on(keep, evening):
    table, ada, ben = evening
    keep("free", table, 1)
    until(lambda: chairs(ada, table)[1]["stand_in"])
    assert ada.facts(table)["status"] == "running"
    assert ben.http.get(f"/api/tables/{table}").json()["seat"] == -1
    with refusal("nobody has seat 1"):
        keep("free", table, 1)
    with refusal("has the seats 0 to 1, not 2"):
        keep("free", table, 2)


def test_a_guest_is_excluded_from_a_table_and_only_from_it(keep, evening):
    table, ada, ben = evening
    keep("exclude", ben.id, table)
    with pytest.raises(ConnectionClosed):
        ben.until("nothing")
    with pytest.raises(ConnectionClosed, match="4403"):
        ben.connect(table)
    assert ben.heard[-1]["reason"] == "the keeper of this room has excluded you from this table"
    assert ben.post(f"/api/tables/{table}/join", 403)["reason"] == ben.heard[-1]["reason"]
    assert ben.open("chi")["status"] == "running"
    assert ada.facts(table)["status"] == "running"


def test_a_line_goes_from_all_screens_and_the_database(keep, room, evening):
    table, ada, ben = evening
    ben.ask("say", text=RUDE)
    ben.ask("say", text="a kind line")
    (line, *_), _ = (row.split() for row in keep("lines", table).splitlines())
    keep("erase", line, "--yes")
    with pytest.raises(ConnectionClosed):
        ada.until("nothing")
    assert [said["text"] for said in ada.connect(table)["chat"]] == ["a kind line"]
    assert room.rows("SELECT text FROM chat") == [("a kind line",)]
    with refusal(f"there is no line {line}"):
        keep("erase", line, "--yes")


def test_a_name_goes_where_no_signature_needs_it(keep, room, guests):
    ada, ben = guests("Ada"), guests("Rudolf")
    table = ben.open("chi", chairs=["you", "person"])["id"]
    ben.connect(table)
    ben.ask("say", text="hello")
    ben.id = ben.http.cookies["fairdeal_guest"].partition(".")[0]
    keep("unname", ben.id, "--yes")
    facts = ada.http.get(f"/api/tables/{table}").json()
    assert (facts["chairs"][0]["name"], facts["name"]) == ("Guest", "Guest’s Chi")
    assert ben.http.get("/api/me").json() == {"name": "Guest"}
    assert [said["name"] for said in ben.connect(table)["chat"]] == ["Guest"]
    assert "Rudolf" not in str(room.rows("SELECT name FROM seats") + room.rows("SELECT title FROM tables"))


def test_an_address_is_barred_for_a_time(keep, guests, evening):
    table, ada, ben = evening
    keep("bar", "127.0.0.1", "--hours", 1)
    with pytest.raises(ConnectionClosed):
        ada.until("nothing")
    assert ben.http.get(f"/api/tables/{table}").status_code == 403
    keep("bar", "127.0.0.1", "--hours", 0)
    until_status(ada, 200)
    with refusal("'somewhere' is not an address"):
        keep("bar", "somewhere")


def test_an_announcement_is_seen_at_tables_and_in_the_lobby(keep, evening):
    table, ada, _ben = evening
    keep("announce", "Update at 21:00")
    until(lambda: ada.facts(table).get("trouble") == "Update at 21:00")
    while ada.until("table")["facts"].get("trouble") != "Update at 21:00":
        pass
    assert ada.http.get("/api/lobby").json()["notice"] == "Update at 21:00"
    keep("announce")
    until(lambda: ada.http.get("/api/lobby").json()["notice"] == "")
    with refusal("a line of at most 200 characters"):
        keep("announce", "two\nlines")


def test_no_table_is_opened_before_an_update(keep, evening):
    table, ada, _ben = evening
    keep("hold")
    until(lambda: ada.http.get("/api/lobby").json()["holds"])
    assert "no new tables" in ada.post("/api/tables", 400, game="chi")["reason"]
    assert ada.facts(table)["status"] == "running"
    keep("hold", "--lift")
    until(lambda: not ada.http.get("/api/lobby").json()["holds"])
    assert ada.open("chi")["status"] == "running"


def test_acts_are_logged_with_what_came_of_them(keep, evening):
    table, _ada, _ben = evening
    keep("free", table, 1)
    with refusal("nobody has seat 1"):
        keep("free", table, 1)
    newest, oldest = keep("acts").splitlines()
    assert oldest.endswith(f"command  free seat 1 of table {table}: done")
    assert newest.endswith(f"command  free seat 1 of table {table}: nobody has seat 1 of table {table}")


def test_nothing_is_deleted_without_a_question_or_in_a_dry_run(keep, evening):
    table, ada, _ben = evening
    assert keep("close", table, "--dry-run") == f"would close table {table}\n"
    assert "for good?" in keep("close", table, status=1)
    assert keep("acts") == ""
    assert ada.facts(table)["status"] == "running"


def test_an_act_waits_for_a_room_that_is_closed(keep, room, evening, monkeypatch):
    table, ada, _ben = evening
    monkeypatch.setattr(commands, "PATIENCE", 0.5)
    room.end()
    assert "will be carried out when one opens" in keep("close", table, "--yes")
    room.start()
    until(lambda: ada.http.get(f"/api/tables/{table}").status_code == 404)


def test_every_act_has_a_way_and_says_what_it_does():
    kinds = get_args(a.Acts)
    assert set(WAYS) == set(kinds)
    assert len(kinds) == 10
    for kind in kinds:
        assert kind.words
        assert kind.__doc__


def until(holds):
    """Wait until the room has read the rules of the house again."""
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)
