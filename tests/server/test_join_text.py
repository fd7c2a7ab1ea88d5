"""Text of a room that wants to command the terminals of its guests."""

import asyncio

import msgspec
import pytest
from textual.widgets import TabbedContent

from fairdeal.protocol import messages as m
from fairdeal.protocol.bodies import GameFacts
from fairdeal.terminal.online import bot as bot_visit
from fairdeal.terminal.online import chat, connection, remote_panel
from fairdeal.terminal.online.client import Visit
from fairdeal.terminal.plain import say
from fairdeal.terminal.screens import side_panel
from fairdeal.terminal.screens.dialogs import CardDialog
from tests.server.test_join import ME_FIRST, at_the_end, come, known, sit, until, yours  # noqa: F401
from tests.terminal.test_plain import HOSTILE, check_plain, drawn

WORDS = {
    "name",
    "title",
    "text",
    "label",
    "note",
    "sub",
    "say",
    "reason",
    "where",
    "now",
    "seen",
    "foot",
    "head",
    "why",
}
"""Fields with words that a room may choose freely."""


def hostile(value, field=""):
    """Return a message in which every word of the room commands a terminal."""
    if isinstance(value, dict):
        return {key: hostile(one, key) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [hostile(one, field) for one in value]
    return HOSTILE if field in WORDS and isinstance(value, str) and value else value


@pytest.fixture(autouse=True)
def hostile_room(monkeypatch):
    """Rooms say nothing but commands to terminals."""
    decoded, read = m.decoded, Visit.read

    def decoded_hostile(text):
        return msgspec.convert(hostile(msgspec.to_builtins(decoded(text))), m.Messages)

    def read_hostile(self, answer, kind):
        found = read(self, answer, kind)
        if kind == list[GameFacts]:  # the name of a game is looked up
            return found
        return msgspec.convert(hostile(msgspec.to_builtins(found)), kind)

    monkeypatch.setattr(connection, "decoded", decoded_hostile)
    monkeypatch.setattr(Visit, "read", read_hostile)


async def test_no_screen_of_a_rooms_table_draws_text_that_controls_the_terminal(sit, monkeypatch):  # noqa: F811
    for module in (chat, remote_panel, side_panel):
        monkeypatch.setattr(module, "MOST_LINES", 20)
    async with sit(options=ME_FIRST | {"stacks_to_end": 4}) as (ada, table, pilot, screen):
        app = pilot.app
        await until(pilot, lambda: yours(screen))
        check_plain(drawn(app))
        screen.hear_said(m.Said(0, HOSTILE, HOSTILE, 0.0))
        screen.hear(m.encoder.encode(m.Refused(id="", reason="no")))
        await pilot.pause()
        check_plain(drawn(app))
        for tab in ("log", "how", "rules", "score", "fair", "chat"):
            screen.side.query_one(TabbedContent).active = tab
            await pilot.pause()
            check_plain(drawn(app))
        screen.panel.tell_moves([m.Told(number, 0, HOSTILE) for number in range(1, 100)], [HOSTILE])
        screen.panel.hear([m.Said(0, HOSTILE, HOSTILE, 1e300)] * 100, fresh=True)
        await pilot.pause()
        assert len(screen.panel.lines) == len(screen.panel.chat.said.lines) == 20
        screen.ask_about(next(choice.on for choice in screen.drawn.choices if choice.kind == "card"))
        await until(pilot, lambda: isinstance(app.screen, CardDialog) and "Zoë" in drawn(app))
        check_plain(drawn(app))
        await pilot.press("escape")
        ada.post(f"/api/tables/{table}/leave")
        screen.visit.ask("POST", f"/api/tables/{table}/leave")
        await until(pilot, lambda: screen.over)
        await at_the_end(pilot)
        await until(pilot, lambda: "Zoë" in drawn(app))
        check_plain(drawn(app))


async def test_a_bot_prints_no_text_that_controls_the_terminal(room, guests, capsys):
    table = guests("Ada").open("chi", chairs=["person", "greedy"], options={"players": 2, "stacks_to_end": 4})["id"]
    await asyncio.to_thread(bot_visit.run, f"{room.address}/t/{table}", "Tess", "greedy", say)
    out = capsys.readouterr().out
    check_plain(out)
