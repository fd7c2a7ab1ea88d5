"""The analyses of a room's finished games: made one at a time, each in a process of its own of the lowest priority, and
kept beside the log. What a room was at when it ended is begun anew when it is asked for again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.protocol import bodies as b
from fairdeal.server.extras.analyst import Line
from fairdeal.server.limits import LongWork
from fairdeal.server.storage.queries import kept_analysis
from fairdeal.server.storage.store import Store
from fairdeal.server.tables.saving import keep_analysis
from fairdeal.table.analysis import Analysis, Decision, Step
from fairdeal.table.analysis.view import decision_view, view_of
from fairdeal.table.log import Log

PLAYOUTS = 0
"""Games that every move is played out in; 0 for so many as there is time for."""

NICENESS = 19
"""How far the program that looks at games stands back where there is not time for all: 19 is most."""

LONGEST = 600.0
"""Seconds that looking at a game may take."""

LONGEST_LINE = 1 << 26
"""Bytes of an analysis."""

if sys.platform == "win32":
    QUIETLY = subprocess.IDLE_PRIORITY_CLASS
else:
    QUIETLY = 0  # the program sees to it by itself

log = logging.getLogger(__name__)


class Unanalysed(FairdealError):
    """The program that looks at games has not come to an end."""


@dataclass
class Making:
    """An analysis that is being made: how many moves were looked at, and of how many, none while it waits; and what was
    found so far, the course of the game and its decisions."""

    move: int = 0
    moves: int = 0
    begun: Analysis | None = None
    decisions: list[Decision] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    def take(self, step: Step) -> None:
        """The program has gone a step on."""
        self.move, self.moves = step.done, step.of
        self.begun = step.begun or self.begun
        if step.decision:
            self.decisions.append(step.decision)

    def told(self, known: int, viewer: int) -> b.AnalysisTold:
        """What there is for a viewer who knows so many decisions, and the course if they know any."""
        if self.begun is None:
            return b.AnalysisTold(self.move, self.moves)
        begun = None if known else view_of(self.begun, viewer)
        decisions = tuple(decision_view(self.begun, one) for one in self.decisions[known:])
        return b.AnalysisTold(self.move, self.moves, begun=begun, decisions=decisions)


class Analyses:
    """All of a room's; one game is looked at at a time, and whoever asks for several lets others go before. `making`
    has those that are under way, and those that have ended until somebody asks how far they are."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.line = LongWork(at_once=1)
        self.making: dict[str, Making] = {}

    async def of(
        self, table: str, played: Log, whom: str, spend: Callable[[], None], known: int = 0, viewer: int = SPECTATOR
    ) -> b.AnalysisTold:
        """The analysis of a finished game for a viewer, or how far it is, with what was found since its asker knew so
        many decisions; it is begun if nobody has asked for it. `spend` is called before that. Raises what `spend` does,
        TooFast, NotSaved, and Unanalysed once where it has failed."""
        making = self.making.get(table)
        if making is None:
            kept = await self.kept(table, played)
            if kept:
                return b.AnalysisTold(analysis=view_of(kept, viewer))
            making = self.making.get(table) or self.begin(table, played, whom, spend)
        assert making.task is not None
        if making.task.done():
            del self.making[table]
            making.task.result()
            kept = await self.kept(table, played)
            return b.AnalysisTold(analysis=view_of(kept, viewer) if kept else None)
        return making.told(known, viewer)

    async def kept(self, table: str, played: Log) -> Analysis | None:
        """What is kept of a table, if it is of this version."""
        found = await self.store.read(lambda c: kept_analysis(c, table))
        with contextlib.suppress(msgspec.ValidationError):
            kept = msgspec.json.decode(found, type=Analysis) if found else None
            return kept if kept and kept.fits(played.chain(), None) else None
        return None

    def begin(self, table: str, played: Log, whom: str, spend: Callable[[], None]) -> Making:
        spend()
        making = self.making[table] = Making()
        making.task = asyncio.create_task(self.make(table, played.text(), whom, making))
        making.task.add_done_callback(lambda task: task.cancelled() or task.exception())  # seen, if nobody asks again
        return making

    async def make(self, table: str, text: str, whom: str, making: Making) -> None:
        async with self.line.turn(whom):
            try:
                async with asyncio.timeout(LONGEST):
                    found = await looked_at(text, making)
            except TimeoutError:
                raise Unanalysed("looking at this game took too long") from None
        await self.store.write(lambda c: keep_analysis(c, table, found))

    async def close(self) -> None:
        """Stop looking."""
        tasks = [making.task for making in self.making.values() if making.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def looked_at(text: str, making: Making) -> bytes:
    """Run the program that looks at a game; the analysis as JSON. Raises Unanalysed."""
    command = (sys.executable, "-m", "fairdeal.server.extras.analyst", str(PLAYOUTS), str(NICENESS))
    process = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=LONGEST_LINE, creationflags=QUIETLY
    )
    assert process.stdin is not None
    assert process.stdout is not None
    found = b""
    lines = msgspec.json.Decoder(Line)
    try:
        process.stdin.write(text.encode())
        process.stdin.close()
        async for line in process.stdout:
            told = lines.decode(line)
            if told.step:
                making.take(told.step)
            else:
                found = bytes(told.found)
        if await process.wait() or not found:
            log.error("the program that looks at games has ended with %s", process.returncode)
            raise Unanalysed("this game could not be looked at; try again later")
        return found
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
