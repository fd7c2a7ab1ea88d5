"""A cache of the log lines of each table as shown to each viewer. Long logs are put into words in a thread."""

from collections import OrderedDict

from fairdeal.protocol import messages as m
from fairdeal.server.long_work import Client, LongWork
from fairdeal.server.tables.audience import lines, lines_for
from fairdeal.server.tables.live import LiveTable
from fairdeal.table.log import Move
from fairdeal.table.sitting import Sitting

FEW = 12
"""Maximum number of moves put into words at once; more are put into words in a thread."""

MOST_PAGES = 64
"""Maximum number of cached pages, one for each table and viewer. The least recently used are dropped first."""

ATTEMPTS = 3
"""Maximum number of runs in a thread. Each further run covers the moves made during the previous one."""

Page = list[tuple[Move, tuple[m.Told, ...]]]
"""Moves from the first one, each with its log lines. An undone move is recognized by its absence from the current
log."""


def tell(sitting: Sitting, viewer: int, after: int) -> Page:
    """Return the moves after move `after`, with their log lines for a viewer."""
    return [
        (
            sitting.log.moves[number - 1],
            lines_for(sitting, viewer, number, lines(sitting.events_of(number, viewer))),
        )
        for number in range(after + 1, sitting.moves_made + 1)
    ]


class Stories:
    """The log lines of all tables, cached by table and viewer."""

    def __init__(self, work: LongWork) -> None:
        self.work = work
        self.pages: OrderedDict[tuple[str, int], Page] = OrderedDict()

    async def prepare(self, live: LiveTable, viewer: int, client: Client) -> None:
        """Put all moves of a table except the last few into words, in a thread. Raises TooFast if too many tasks
        wait."""
        for _ in range(ATTEMPTS):
            if live.sitting is None or live.sitting.moves_made - len(self.page(live, viewer)) <= FEW:
                return
            after, still = len(self.page(live, viewer)), live.sitting.still()
            told = await self.work.do(client, tell, still, viewer, after)
            if len(self.page(live, viewer)) == after:  # otherwise another request was quicker, or a move was undone
                self.keep(live, viewer, told)

    def lines(self, live: LiveTable, viewer: int) -> tuple[m.Told, ...]:
        """Return the whole log in words, adding the lines that are not cached yet."""
        if live.sitting is None:
            return ()
        missing = tell(live.sitting, viewer, len(self.page(live, viewer)))
        page = self.keep(live, viewer, missing)
        return tuple(line for _, lines in page for line in lines)

    def page(self, live: LiveTable, viewer: int) -> Page:
        """Return the cached moves that have not been undone."""
        page = self.pages.get((live.id, viewer), [])
        moves = live.sitting.log.moves if live.sitting else []
        while page and (len(page) > len(moves) or page[-1][0] is not moves[len(page) - 1]):
            page.pop()
        return page

    def keep(self, live: LiveTable, viewer: int, more: Page) -> Page:
        page = self.pages.setdefault((live.id, viewer), [])
        self.pages.move_to_end((live.id, viewer))
        page += more
        while len(self.pages) > MOST_PAGES:
            self.pages.popitem(last=False)
        return page
