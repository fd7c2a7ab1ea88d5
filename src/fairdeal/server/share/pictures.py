"""The pictures of a room's finished games. The latest ones are kept in memory, because several programs request the
picture when a link is shared."""

import asyncio
import functools
import logging
import subprocess
from collections import OrderedDict

from fairdeal.engine.records import SPECTATOR
from fairdeal.server.long_work import Client, LongWork, program
from fairdeal.server.share.cards import Undrawn, cards_of
from fairdeal.server.share.lettering import words
from fairdeal.server.share.postcard import look_in_pictures, postcard
from fairdeal.table.sitting import Sitting

RENDERER = "fairdeal.server.share.renderer"

NICENESS = 10
"""Niceness of the drawing process. It is low, because somebody waits for the picture."""

LONGEST = 60.0
"""Maximum duration of drawing a picture, in seconds."""

MOST_KEPT = 64
"""Maximum number of pictures in memory, of about 100 kB each."""

log = logging.getLogger(__name__)


class Pictures:
    """The pictures of finished games, by table."""

    def __init__(self, work: LongWork) -> None:
        self.work = work
        self.kept: OrderedDict[str, bytes] = OrderedDict()

    async def of(self, table: str, sitting: Sitting, client: Client) -> bytes:
        """Return the picture of a finished game as PNG. Raises TooFast if too many tasks wait, or Undrawn if the
        picture cannot be drawn."""
        if table not in self.kept:
            async with self.work.turn(client) as place:
                svg = await self.work.threaded(place, functools.partial(pictured, sitting.still()))
                self.kept[table] = await drawn(svg)
        self.kept.move_to_end(table)
        if len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)
        return self.kept[table]


def pictured(sitting: Sitting) -> str:
    """Return the picture of a finished game as SVG, showing the end as spectators saw it. A name with letters that the
    fonts lack is replaced with the number of the seat."""
    seen, table = sitting.still(), sitting.table
    seen.names = tuple(name if words().has(name) else f"Player {seat + 1}" for seat, name in enumerate(sitting.names))
    look = look_in_pictures(table.game, cards_of(table.game, table.options))
    return postcard(seen.scene(SPECTATOR), look)


async def drawn(svg: str) -> bytes:
    """Run the drawing program, and return the picture as PNG. Raises Undrawn if the program fails."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    try:
        async with asyncio.timeout(LONGEST), program(RENDERER, str(NICENESS), **pipes) as process:
            found, errors = await process.communicate(svg.encode())
    except TimeoutError:
        raise Undrawn("drawing the picture took too long; try again later") from None
    if process.returncode:
        log.error("the drawing process has exited with %s: %s", process.returncode, errors.decode(errors="replace"))
        raise Undrawn("the picture of this game could not be drawn; try again later")
    return found
