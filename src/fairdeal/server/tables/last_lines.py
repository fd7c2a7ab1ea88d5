"""The last log line of each table as shown to each of its seats, for the lobby."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import as_text
from fairdeal.protocol import messages as m
from fairdeal.server.storage.queries import StoredTable
from fairdeal.server.tables.live import LiveTable

MOST_KNOWN = 4096
"""Maximum number of cached lines, one for each seat. The least recently used are dropped first."""

FAR_BACK = 4
"""Maximum number of recent moves that are searched for a log line."""


class LastLines:
    """A cache of last lines. The lines of unloaded tables are read from the database in the background by `kept`, one
    table at a time and without loading the table."""

    def __init__(self, kept: Callable[[str], Awaitable[tuple[LiveTable, StoredTable]]]) -> None:
        self.kept = kept
        self.known: OrderedDict[tuple[str, int], tuple[int, m.Last]] = OrderedDict()
        self.reading: asyncio.Task[None] | None = None

    def of(self, live: LiveTable, seat: int) -> m.Last:
        """Return the last line that a seat was shown. It is empty if no recent move has a line."""
        known = self.asleep(live.id, seat, live.number)
        return known or self.keep(live, seat)

    def asleep(self, table: str, seat: int, number: int) -> m.Last | None:
        """Return the last line of a seat, after `number` entries, at a table that may not be loaded. Return None if the
        line is not cached."""
        at, line = self.known.get((table, seat), (-1, None))
        return line if at == number else None

    def keep(self, live: LiveTable, seat: int) -> m.Last:
        covered = live.covered(seat)
        line = m.Last(told_last(live, seat), covered.shown if covered else live.moved)
        if covered:
            return line
        self.known[live.id, seat] = live.number, line
        self.known.move_to_end((live.id, seat))
        while len(self.known) > MOST_KNOWN:
            self.known.popitem(last=False)
        return line

    def read(self, table: str) -> None:
        """Read the lines of an unloaded table in the background, unless another table is being read."""
        if self.reading is None or self.reading.done():
            self.reading = asyncio.create_task(self.look_up(table))

    async def look_up(self, table: str) -> None:
        try:
            live, _ = await self.kept(table)
        except FairdealError:
            return  # the error is raised to whoever opens the table
        for place in live.seats:
            if place.guest:
                self.keep(live, place.seat)


def told_last(live: LiveTable, seat: int) -> str:
    """Return the newest log line shown to a seat for the last few moves."""
    sitting = live.sitting
    if sitting is None:
        return ""
    covered = live.covered(seat)
    made = sitting.moves_made
    if covered:  # moves during a window are shown when it closes
        made = sitting.log.last_known(seat, covered.move) - 1
    for number in range(made, 0, -1):
        if sitting.log.move_for(seat, made) - sitting.log.move_for(seat, number) >= FAR_BACK:
            break
        lines = [as_text(line.text) for _, line in sitting.events_of(number, seat) if line.text]
        if lines:
            return lines[-1]
    return ""
