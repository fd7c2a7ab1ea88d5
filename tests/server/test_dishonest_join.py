"""Rooms that do not keep their word are found out by the terminal's program."""

import asyncio
import contextlib
import re
from pathlib import Path
from typing import get_args

import pytest

from fairdeal.engine.errors import BadLog
from fairdeal.protocol.messages import Facts, StandIn
from fairdeal.server.static_files import WEB
from fairdeal.table.receipts import Check, read_kept
from fairdeal.table.verification import verify
from fairdeal.terminal.online import keeper
from fairdeal.terminal.online.client import Visit
from fairdeal.terminal.online.remote_table import RemoteApp
from tests.server.conftest import Guest
from tests.server.dishonest import BOTS, CHECKS, NEVER_DEALT, dishonest_room
from tests.server.test_join import at_table, at_the_end, until

UNPROVEN = {
    "no_seed": "the room has not shown its seed",
    "no_chains": "your program has no running hash of it",
    "no_log": "the room does not send the log",
    "unnamed_scene": "scenes that could not be compared",
}

ELSEWHERE = ("another_seed", "number_asked_for_twice")
"""Ways of a room with who opens a table, or with its bot Bo; at the table of this test nothing comes of them."""

FROM_THE_ROOM = ("another_promise", "no_seat")
"""Ways that its log says nothing of: the room contradicts only itself."""


@pytest.fixture
def terminal(tmp_path, monkeypatch):
    """Comes to a table of a room that is dishonest in a way."""
    monkeypatch.setattr(keeper, "guests_file", lambda: tmp_path / "data" / "guests.json")
    with contextlib.ExitStack() as stack:

        def come(way):
            room = come.room = stack.enter_context(dishonest_room(tmp_path, way))
            ada = stack.enter_context(contextlib.closing(Guest(room, "Ada")))
            options = {"players": 2, "stacks_to_end": 4}
            table = ada.open("chi", chairs=["person", BOTS.get(way, "greedy")], options=options)["id"]
            visit = stack.enter_context(contextlib.closing(Visit(f"{room.address}/t/{table}")))
            visit.come_in("Tess")
            return visit

        yield come


async def told_at_the_end(visit):
    """What the terminal says at the end of a game that a bot has played to its end."""
    app = RemoteApp(visit, pause=0)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await at_table(pilot)
        await until(pilot, lambda: screen.line.welcomed)
        screen.ask(StandIn(seat=screen.facts.seat))
        said = " ".join(str((await at_the_end(pilot)).query_one("#checked").content).split())
        proof = str(screen.side.query_one("#proof").content)
        assert ("Verified" in proof) == ("Nobody picked these cards" in proof) == said.startswith("✓")
        return said


@pytest.mark.parametrize("way", [way for way in CHECKS if way not in (*NEVER_DEALT, *FROM_THE_ROOM, *ELSEWHERE)])
async def test_the_terminal_says_what_the_room_did_not_keep(terminal, way):
    visit = terminal(way)
    said = await told_at_the_end(visit)
    with contextlib.closing(Visit(visit.link)) as again:
        text = again.log_text()
    with pytest.raises(BadLog) as found:
        verify(text, read_kept(visit.keeper.path))
    assert found.value.check == CHECKS[way]
    assert said.startswith(f"✗ This deal was not kept. {found.value.reason}.")


@pytest.mark.parametrize("way", [*(way for way in NEVER_DEALT if way not in ELSEWHERE), "no_seat"])
async def test_the_terminal_warns_of_a_room_before_the_end(terminal, way):
    visit = terminal(way)
    facts = visit.fetch(f"/api/tables/{visit.table}", Facts)
    assert (facts.status == "open") == (way in NEVER_DEALT)
    assert {one.check for one in visit.keeper.findings(facts) if one.ok is False} == {CHECKS[way]}
    app = RemoteApp(visit, pause=0)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await at_table(pilot)
        await until(pilot, lambda: "Do not trust this room" in screen.view.note)


@pytest.mark.parametrize("way", UNPROVEN)
async def test_what_the_room_keeps_back_is_not_proven(terminal, way):
    said = await told_at_the_end(terminal(way))
    assert said.startswith("? Not proven.")
    assert UNPROVEN[way] in said.replace("The room", "the room")
    assert "fair" not in said


async def test_a_deal_whose_table_is_gone_is_not_proven(terminal, tmp_path):
    app = RemoteApp(terminal("honest"), pause=0)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await at_table(pilot)
        await asyncio.to_thread(terminal.room.stop)
        terminal.room.database = tmp_path / "another.db"
        await asyncio.to_thread(terminal.room.start)
        gone = "This table no longer exists. Its deal is not proven: the room has not shown its seed."
        await until(pilot, lambda: screen.view.note == gone)


def test_each_check_is_in_the_docs_and_is_broken_by_a_room():
    """The table of docs/security.md, the checks of both programs, and the dishonest rooms have the same names."""
    page = (Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8")
    table = page[page.index("## Checks") : page.index("## Reliability")]
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", table, re.MULTILINE))
    assert set(rows) == set(get_args(Check))
    script = (WEB / "fair" / "proof.js").read_text("utf-8")
    union = re.search(r"@typedef \{('promise'.*?)\} Check", script, re.DOTALL)[1]
    assert set(re.findall(r"'(\w+)'", union)) == set(rows)
    told = {way: check for check, ways in rows.items() for way in re.findall(r"`(\w+)`", ways)}
    assert told == CHECKS
    assert set(CHECKS.values()) == set(rows)
