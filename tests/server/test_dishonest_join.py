"""Rooms that do not keep their word are found out by the terminal's program."""

import asyncio
import contextlib
import re

import pytest

from fairdeal.engine.errors import BadLog
from fairdeal.protocol.messages import Facts, StandIn
from fairdeal.protocol.record import read_record
from fairdeal.table.verdict import CHECKS, before_the_end
from fairdeal.table.verification import verify
from fairdeal.terminal.online import keeper
from fairdeal.terminal.online.client import Visit
from fairdeal.terminal.online.remote_table import RemoteApp
from tests.conftest import ROOT
from tests.server.conftest import Guest
from tests.server.dishonest import BOTS, BROKEN, NEVER_DEALT, UNKNOWN, dishonest_room
from tests.server.test_join import at_table, at_the_end, until

UNPROVEN = {
    "no_seed": "The room has not shown its seed.",
    "no_log": "The room does not send the log",
    "no_hash": "The deal has no number that this program made.",
    "no_signature_at_the_end": "The room’s signature of the end is missing.",
}
"""Ways in which a room keeps something back, or says nothing that contradicts itself."""

ELSEWHERE = ("another_seed", "number_asked_for_twice", "no_seat")
"""Ways of a room with who opens a table, or with its bot Bo; at the table of this test nothing comes of them, or no
bot can play there."""

OTHERWISE = {"another_header_at_the_end": "outline", "another_deal": "bots", "illegal_move": "bots"}
"""Ways that break another check than the page names."""


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


@contextlib.asynccontextmanager
async def seated(visit):
    """Yield a terminal at the table of a visit, and its screen."""
    async with RemoteApp(visit, pause=0).run_test(size=(100, 30)) as pilot:
        yield pilot, await at_table(pilot)


async def told_at_the_end(visit):
    """What the terminal says at the end of a game that a bot has played to its end."""
    async with seated(visit) as (pilot, screen):
        await until(pilot, lambda: screen.line.welcomed)
        screen.ask(StandIn(seat=screen.facts.seat))
        said = " ".join(str((await at_the_end(pilot)).query_one("#checked").content).split())
        proof = str(screen.side.query_one("#proof").content)
        assert ("Verified" in proof) == ("Nobody picked these cards" in proof) == said.startswith("✓")
        return said


@pytest.mark.parametrize("way", [way for way in BROKEN if way not in (*NEVER_DEALT, *UNPROVEN, *ELSEWHERE)])
async def test_the_terminal_says_what_the_room_did_not_keep(terminal, way):
    visit = terminal(way)
    said = await told_at_the_end(visit)
    with contextlib.closing(Visit(visit.link)) as again:
        text = again.log_text()
    with pytest.raises(BadLog) as found:
        verify(text, read_record(visit.keeper.path))
    assert found.value.check in {BROKEN[way], OTHERWISE.get(way)}
    assert said.startswith(f"✗ This deal was not kept. {found.value.reason}")


@pytest.mark.parametrize("way", [way for way in NEVER_DEALT if way not in ELSEWHERE])
async def test_the_terminal_warns_of_a_room_before_the_end(terminal, way):
    visit = terminal(way)
    assert visit.fetch(f"/api/tables/{visit.table}", Facts).status == "open"
    assert {one.check for one in before_the_end(visit.keeper.record) if one.ok is False} == {BROKEN[way]}
    async with seated(visit) as (pilot, screen):
        await until(pilot, lambda: "Do not trust this room" in screen.view.note)


async def test_a_player_whose_seat_the_room_denies_is_warned(terminal):
    visit = terminal("no_seat")
    assert visit.keeper.left_open == "Not proven: The room says that you do not sit where your number is."
    async with seated(visit) as (pilot, screen):
        note = f"✗ {CHECKS['shown'].broken['seat']} Do not trust this room."
        await until(pilot, lambda: screen.view.note == note)


@pytest.mark.parametrize("way", UNPROVEN)
async def test_what_the_room_keeps_back_is_not_proven(terminal, way):
    said = await told_at_the_end(terminal(way))
    assert said.startswith("? Not proven.")
    assert UNPROVEN[way] in said
    assert "fair" not in said


async def test_a_deal_whose_table_is_gone_is_not_proven(terminal, tmp_path):
    async with seated(terminal("honest")) as (pilot, screen):
        await asyncio.to_thread(terminal.room.stop)
        terminal.room.database = tmp_path / "another.db"
        await asyncio.to_thread(terminal.room.start)
        gone = "This table no longer exists. Its deal is not proven: the room has not shown its seed."
        await until(pilot, lambda: screen.view.note == gone)


def test_each_check_is_in_the_docs_and_is_broken_by_a_room():
    """The table of docs/security.md is the table of checks, and some room breaks each of them, as the page lists."""
    page = (ROOT / "docs" / "security.md").read_text("utf-8")
    table = page[page.index("## Checks") : page.index("## Reliability")]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|$", table, re.MULTILINE)
    assert rows == [
        (check, sentences.needs, re.sub(r"\{\w+\}", "…", sentences.holds)) for check, sentences in CHECKS.items()
    ]
    assert {*BROKEN.values(), *UNKNOWN.values()} <= CHECKS.keys()
