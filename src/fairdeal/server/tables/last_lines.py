"""What happened last at a table, in one line as each of its seats was told it, for the lobby."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import as_text
from fairdeal.protocol import messages as m
from fairdeal.server.storage.queries import Kept
from fairdeal.server.tables.live import LiveTable

MOST_KNOWN = 4096
"""Lines that are known, a seat each; those unasked for longest go first."""

FAR_BACK = 4
"""Moves that are looked through for one that tells something."""


class LastLines:
    """The last lines of tables that have been awake. Those of sleeping tables are read from the disk, one table at a
    time by `kept` and without waking it, while whoever asked does not wait."""

    def __init__(self, kept: Callable[[str], Awaitable[tuple[LiveTable, Kept]]]) -> None:
        self.kept = kept
        self.known: OrderedDict[tuple[str, int], tuple[int, m.Last]] = OrderedDict()
        self.reading: asyncio.Task[None] | None = None

    def of(self, live: LiveTable, seat: int) -> m.Last:
        """What a seat was told last; nothing where no move has told it anything."""
        known = self.asleep(live.id, seat, live.number)
        return known or self.keep(live, seat)

    def asleep(self, table: str, seat: int, number: int) -> m.Last | None:
        """The same of a table that may be asleep after so many entries; None if it is not known."""
        at, line = self.known.get((table, seat), (-1, None))
        return line if at == number else None

    def keep(self, live: LiveTable, seat: int) -> m.Last:
        line = m.Last(told_last(live, seat), live.moved)
        if live.covered(seat):
            return line
        self.known[live.id, seat] = live.number, line
        self.known.move_to_end((live.id, seat))
        while len(self.known) > MOST_KNOWN:
            self.known.popitem(last=False)
        return line

    def read(self, table: str) -> None:
        """Look a sleeping table up, if no other is being looked up."""
        if self.reading is None or self.reading.done():
            self.reading = asyncio.create_task(self.look_up(table))

    async def look_up(self, table: str) -> None:
        try:
            live, _ = await self.kept(table)
        except FairdealError:
            return  # told to whoever opens it
        for place in live.seats:
            if place.guest:
                self.keep(live, place.seat)


def told_last(live: LiveTable, seat: int) -> str:
    """The last line that any of the last few moves told a seat."""
    sitting = live.sitting
    if sitting is None:
        return ""
    covered = live.covered(seat)
    made = covered.move - 1 if covered else sitting.moves_made  # what a window covers is told when it closes
    for number in range(made, max(0, made - FAR_BACK), -1):
        lines = [as_text(line.text) for _, line in sitting.told(number, seat) if line.text]
        if lines:
            return lines[-1]
    return ""
