"""The log of a table in words, as each viewer is told it: told once, and a long one in a thread."""

from __future__ import annotations

from collections import OrderedDict

from fairdeal.protocol import messages as m
from fairdeal.server.limits import LongWork
from fairdeal.server.tables.audience import lines, lines_of
from fairdeal.server.tables.live import LiveTable
from fairdeal.table.log import Move
from fairdeal.table.sitting import Sitting

FEW = 12
"""Moves that are told at once; more are told in a thread."""

MOST_PAGES = 64
"""Tables, as one viewer each is told of them, whose lines are kept; those unasked for longest go first."""

ATTEMPTS = 3
"""How often moves that were made while others were told are told in a thread, too."""

Page = list[tuple[Move, tuple[m.Told, ...]]]
"""Moves from the first on, each with what was told of it. A move that was taken back is known by not being the one that
is in the log now."""


def tell(sitting: Sitting, viewer: int, after: int) -> Page:
    """The moves after so many, in words for a viewer."""
    return [
        (
            sitting.log.moves[number - 1],
            lines_of(number, lines(sitting.told(number, viewer))),
        )
        for number in range(after + 1, sitting.moves_made + 1)
    ]


class Stories:
    """What has been told of all tables."""

    def __init__(self, work: LongWork) -> None:
        self.work = work
        self.pages: OrderedDict[tuple[str, int], Page] = OrderedDict()

    async def prepare(self, live: LiveTable, viewer: int, whom: str) -> None:
        """Have all but the last few moves of a table told. Raises TooFast."""
        for _ in range(ATTEMPTS):
            if live.sitting is None or live.sitting.moves_made - len(self.page(live, viewer)) <= FEW:
                return
            after, still = len(self.page(live, viewer)), live.sitting.still()
            told = await self.work.do(whom, tell, still, viewer, after)
            if len(self.page(live, viewer)) == after:  # or another has been quicker, or a move was taken back
                self.keep(live, viewer, told)

    def lines(self, live: LiveTable, viewer: int) -> tuple[m.Told, ...]:
        """The whole log in words; those not told before are told now."""
        if live.sitting is None:
            return ()
        missing = tell(live.sitting, viewer, len(self.page(live, viewer)))
        page = self.keep(live, viewer, missing)
        return tuple(line for _, lines in page for line in lines)

    def page(self, live: LiveTable, viewer: int) -> Page:
        """What has been told and still stands."""
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
