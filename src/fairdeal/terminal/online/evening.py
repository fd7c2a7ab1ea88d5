"""An evening of a room in the terminal: enter it, and play at one table after the other."""

import contextlib
import time
from collections.abc import Callable

from fairdeal.protocol.bodies import Evening, EveningAct
from fairdeal.terminal.app import require_terminal
from fairdeal.terminal.online import remote_table
from fairdeal.terminal.online.client import RoomVisit, parts_of

PAUSE = 3.0
"""Seconds after which the evening is looked at again."""


def run(link: str, name: str | None, calm: bool, words: str, say: Callable[[str], None]) -> None:
    """Enter an evening, and play until it is over or a table is left."""
    address, evening = parts_of(link, "evening")
    path, said = f"/api/evenings/{evening}", ""
    with contextlib.closing(RoomVisit(address)) as visit:
        visit.greet(name, words)
        found = visit.fetch(path, Evening)
        if found.state != "over":
            require_terminal()  # or a player would be entered who cannot play
            found = visit.read(visit.ask("POST", path, EveningAct(do="enter")), Evening)
        while found.state != "over":
            if (now := f"{found.name}: {found.title}, round {found.round} of {found.rounds}, {found.state}.") != said:
                say(said := now)
            table = found.table
            if table:
                remote_table.run(f"{address}/t/{table}", None, calm)
            else:
                time.sleep(PAUSE)
            found = visit.fetch(path, Evening)
            if table and found.table == table and found.state != "over":
                say(f"Your game goes on. Come back with: fairdeal join {link}")
                return
    say(f"{found.name} is over.")
    for one in found.players:
        say(f"{one.place:>3}. {one.name}: {one.points:g} points, opponents {one.opponents:g}, beaten {one.beaten:g}")
