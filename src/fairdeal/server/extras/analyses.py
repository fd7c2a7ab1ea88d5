"""The analyses of a room's finished games. They are computed one at a time, each in a separate low-priority process,
and stored with the log. An analysis that was interrupted when the room stopped starts again at the next request."""

import asyncio
import contextlib
import logging
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.protocol import bodies as b
from fairdeal.server.extras.analyst import Line
from fairdeal.server.long_work import Client, LongWork, program
from fairdeal.server.storage.queries import kept_analysis
from fairdeal.server.storage.store import Store
from fairdeal.server.tables.saving import keep_analysis
from fairdeal.table.analysis import Analysis, Decision, Step, Sums
from fairdeal.table.analysis.analyse import in_words
from fairdeal.table.analysis.view import decision_view, view_of
from fairdeal.table.log import Log
from fairdeal.table.sitting import Sitting

ANALYST = "fairdeal.server.extras.analyst"

PLAYOUTS = 0
"""Number of games in which every move is played out, or 0 for as many as the target duration allows."""

NICENESS = 19
"""Niceness of the analysing process; 19 is the lowest priority."""

LONGEST = 600.0
"""Maximum duration of an analysis, in seconds."""

LONGEST_LINE = 1 << 26
"""Maximum size of an analysis, in bytes."""

log = logging.getLogger(__name__)


class Unanalysed(FairdealError):
    """Raised when the analysing process fails or takes too long."""


@dataclass
class Making:
    """An analysis in progress.

    move       number of moves examined
    moves      total number of moves to examine; 0 while the analysis waits
    begun      the course of the game, once it is known
    decisions  the decisions found so far
    """

    move: int = 0
    moves: int = 0
    begun: Analysis | None = None
    decisions: list[Decision] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether the analysis has ended or failed."""
        return self.task is not None and self.task.done()

    def take(self, step: Step) -> None:
        """Record a step of the analysing program."""
        self.move, self.moves = step.done, step.of
        self.begun = step.begun or self.begun
        if step.decision:
            self.decisions.append(step.decision)

    def progress_for(self, known: int, viewer: int) -> b.AnalysisTold:
        """Return the progress for a viewer who already has `known` decisions: all later decisions, and the course if
        `known` is 0."""
        if self.begun is None:
            return b.AnalysisTold(self.move, self.moves)
        begun = None if known else view_of(self.begun, viewer)
        decisions = tuple(decision_view(self.begun, one) for one in self.decisions[known:])
        return b.AnalysisTold(self.move, self.moves, begun=begun, decisions=decisions)


class Analyses:
    """All analyses of a room. One game is analysed at a time, and guests take turns. `making` holds the analyses in
    progress, and finished ones until the next request for their progress."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.line = LongWork(at_once=1)
        self.making: dict[str, Making] = {}

    async def of(
        self,
        table: str,
        played: Log,
        client: Client,
        spend: Callable[[], None],
        known: b.KnownAnalysis,
        viewer: int = SPECTATOR,
    ) -> b.AnalysisTold:
        """Return the analysis of a finished game for a viewer, or its progress with the decisions that are not `known`.
        Unless the client computes one, start the analysis if there is none, after calling `spend`. Raises TooFast,
        NotSaved, any exception that `spend` raises, and, once after a failure, Unanalysed."""
        making = self.making.get(table)
        if making is None:
            kept = await self.kept(table, played)
            if kept:
                return b.AnalysisTold(analysis=view_of(kept, viewer))
            making = self.making.get(table)
            if making is None:
                if known.computes:
                    return b.AnalysisTold()
                making = self.begin(table, played, client, spend)
        assert making.task is not None
        if making.is_over:
            del self.making[table]
            making.task.result()
            kept = await self.kept(table, played)
            return b.AnalysisTold(analysis=view_of(kept, viewer) if kept else None)
        return making.progress_for(known.decisions, viewer)

    async def kept(self, table: str, played: Log) -> Analysis | None:
        """Return the stored analysis of a table if this version made it from this log."""
        found = await self.store.read(lambda c: kept_analysis(c, table))
        with contextlib.suppress(msgspec.ValidationError):
            kept = msgspec.json.decode(found, type=Analysis) if found else None
            return kept if kept and kept.fits(played.chain(), None) else None
        return None

    def begin(self, table: str, played: Log, client: Client, spend: Callable[[], None]) -> Making:
        spend()
        making = self.making[table] = Making()
        making.task = asyncio.create_task(self.make(table, played.text(), client, making))
        making.task.add_done_callback(lambda task: task.cancelled() or task.exception())  # mark as retrieved
        return making

    async def make(self, table: str, text: str, client: Client, making: Making) -> None:
        async with self.line.turn(client):
            try:
                async with asyncio.timeout(LONGEST):
                    found = await looked_at(text, making)
            except TimeoutError:
                raise Unanalysed("analysing this game took too long") from None
        await self.store.write(lambda c: keep_analysis(c, table, found))

    async def close(self) -> None:
        """Stop all analyses."""
        tasks = [making.task for making in self.making.values() if making.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def told_by(sitting: Sitting, sums: Sums, viewer: int, rest: Callable[[], None]) -> b.AnalysisTold:
    """Return an analysis that a client has computed: the whole one, its course, or some of its decisions. `rest` is
    called before each decision. Raises FairdealError if it does not fit the game."""
    found = in_words(sitting, sums, rest)
    if sums.whole:
        return b.AnalysisTold(analysis=view_of(found, viewer))
    if sums.decisions:
        return b.AnalysisTold(decisions=tuple(decision_view(found, one) for one in found.decisions))
    return b.AnalysisTold(begun=view_of(found, viewer))


async def looked_at(text: str, making: Making) -> bytes:
    """Run the analysing program, and return the analysis as JSON. Raises Unanalysed if the program fails."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "limit": LONGEST_LINE}
    found = b""
    lines = msgspec.json.Decoder(Line)
    async with program(ANALYST, str(PLAYOUTS), str(NICENESS), **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(text.encode())
        process.stdin.close()
        async for line in process.stdout:
            told = lines.decode(line)
            if told.step:
                making.take(told.step)
            else:
                found = bytes(told.found)
        if await process.wait() or not found:
            log.error("the analysing process has exited with %s", process.returncode)
            raise Unanalysed("this game could not be analysed; try again later")
    return found
