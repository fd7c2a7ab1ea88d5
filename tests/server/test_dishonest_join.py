"""Rooms that do not keep their word are found out by the terminal's program."""

import contextlib

import pytest

from fairdeal.engine.errors import BadLog
from fairdeal.table.receipts import read_kept
from fairdeal.table.verification import verify
from fairdeal.terminal.online import client as visits
from fairdeal.terminal.online.client import Visit
from fairdeal.terminal.online.remote_table import RemoteApp
from fairdeal.terminal.screens.dialogs import Ending
from tests.server.conftest import Guest
from tests.server.dishonest import dishonest_room
from tests.server.test_join import at_table, until

TERMINAL_WORDS = {
    "another_number": "is not in the deal",
    "another_seat_after": "changed after you showed your number",
    "another_attempt": "changed after you showed your number",
    "false_branch": "is not in the deal",
    "another_header_at_the_end": "changed after you showed your number",
    "another_move_in_the_log": "not what the room acknowledged",
    "another_key_at_the_end": "signature of the end was not made",
}


@pytest.mark.parametrize("way", TERMINAL_WORDS)
async def test_the_terminal_says_what_the_room_did_not_keep(tmp_path, monkeypatch, way):
    monkeypatch.setattr(visits, "guests_file", lambda: tmp_path / "data" / "guests.json")
    with contextlib.ExitStack() as stack:
        room = stack.enter_context(dishonest_room(tmp_path, way))
        ada = stack.enter_context(contextlib.closing(Guest(room, "Ada")))
        options = {"players": 2, "stacks_to_end": 4}
        table = ada.open("chi", chairs=["person", "greedy"], options=options)["id"]
        visit = stack.enter_context(contextlib.closing(Visit(f"{room.address}/t/{table}")))
        visit.come_in("Tess")
        app = RemoteApp(visit, pause=0)
        async with app.run_test(size=(100, 30)) as pilot:
            await at_table(pilot, app)
            visit.ask("POST", f"/api/tables/{table}/leave")  # a bot plays on, and we look on
            await until(pilot, lambda: isinstance(app.screen, Ending) and app.screen.query("Button"))
            words = str(app.screen.query_one("#checked").content)
        assert "This deal was not kept" in words
        assert TERMINAL_WORDS[way] in " ".join(words.split())
        text = visit.ask("GET", f"/api/tables/{table}/log").text
        with pytest.raises(BadLog, match=TERMINAL_WORDS[way]):
            verify(text, read_kept(visits.kept_file(table)))
