"""Whether anybody waits for bots that think: people's moves while other tables of the room are played by the strongest
bots alone, and the answers of these bots.

    uv run --group bench python -m benchmarks.thinking

The bots take no pause here, so they think all the time. Measured as in `benchmarks.load`, without them and with them.
Answers come at steps of a grid. Each has a step that is planned, by the processor time of its thoughts, and comes later
where others have the processors: then it should not take twice as long as planned.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import uvloop

from benchmarks.load import GAMES, Load, Visitors, a_room, visiting
from fairdeal.engine.compile import compiled
from fairdeal.engine.registry import find_game

MOVED = "chi"
"""The game of the people."""

PEOPLES, THINK = 20, 1.0
"""Their tables, and the seconds that they think."""

PREPARED = 90.0
"""Seconds in which a first search has been compiled, at most."""


class Thinkers:
    """Tables at which only bots sit; when a game is over, another is opened. `moves` counts what they have played."""

    def __init__(self, visitors: Visitors, game: str, level: str) -> None:
        self.visitors, self.game, self.level = visitors, game, level
        self.moves: dict[str, int] = {}

    async def keep_playing(self) -> None:
        cookie = await self.visitors.come()
        while True:
            wishes = {"game": self.game, "chairs": [self.level] * GAMES[self.game], "listed": False}
            found = (await self.visitors.post("/api/tables", wishes, cookie))["id"]
            over = False
            while not over:
                await asyncio.sleep(0.5)
                async with self.visitors.http.get(f"{self.visitors.address}/api/tables/{found}") as answer:
                    facts = await answer.json()
                self.moves[found], over = facts["seq"], facts["status"] == "over"

    async def begin(self, tables: int) -> list[asyncio.Task[None]]:
        """Open `tables` tables, and wait until the search is compiled."""
        playing = [asyncio.create_task(self.keep_playing()) for _ in range(tables)]
        started = time.perf_counter()
        while sum(made > 0 for made in self.moves.values()) < tables:
            if time.perf_counter() - started > PREPARED:
                raise SystemExit("the bots do not move: is the machine busy?")
            await asyncio.sleep(0.1)
        return playing


def told(times: Sequence[float]) -> list[str]:
    """Return the median, 99th percentile and the longest, in ms."""
    ordered = sorted(times)
    found = statistics.median(ordered), ordered[int(len(ordered) * 0.99)], ordered[-1]
    return [f"{seconds * 1000:.2f}" for seconds in found]


async def measure(
    server: psutil.Process, address: str, database: str, game: str, level: str, tables: int, seconds: float
) -> list[str]:
    """Return a row: the times of the people's moves, the moves a second of the bots, and the server's processors in
    use."""
    compiled.compiled(find_game(MOVED))
    async with visiting(address, database) as visitors:
        thinkers = Thinkers(visitors, game, level)
        playing = await thinkers.begin(tables)
        load = Load([await visitors.table(MOVED, GAMES[MOVED]) for _ in range(PEOPLES * 3)], THINK)
        before, spent = sum(thinkers.moves.values()), sum(server.cpu_times()[:2])
        took = await load.run(PEOPLES, seconds)
        spent, moved = sum(server.cpu_times()[:2]) - spent, sum(thinkers.moves.values()) - before
        for task in playing:
            task.cancel()
        return [*told(load.times), f"{moved / took:.0f}", f"{spent / took:.2f}", str(len(load.times))]


def answers(file: Path) -> list[str]:
    """Return when bots answered, in s: the median that was planned, then of what came the median and the 99th
    percentile; the share that came after more than twice the time that was planned for it."""
    rows = [tuple(map(float, line.split())) for line in file.read_text("utf-8").splitlines()]
    if not rows:
        return ["", "", "", ""]
    came = sorted(came for _, came in rows)
    late = sum(came > 2 * planned + 1e-6 for planned, came in rows)
    found = statistics.median(planned for planned, _ in rows), statistics.median(came), came[int(len(came) * 0.99)]
    return [*(f"{seconds:.2f}" for seconds in found), f"{late / len(rows):.1%}"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thinking", description=__doc__)
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--game", default="chi", choices=GAMES)
    parser.add_argument("--level", default="nox")
    chosen = parser.parse_args()
    heads = "tables of bots", "p50 ms", "p99 ms", "longest ms", "bots' moves/s", "processors", "moves"
    answered = "planned answer p50 s", "answer p50 s", "answer p99 s", "after over twice the plan"
    print(f"| {' | '.join((*heads, *answered))} |")
    print("|---" * len((*heads, *answered)) + "|")
    for tables in (0, chosen.tables):
        with tempfile.TemporaryDirectory() as folder:
            rows = Path(folder) / "answers"
            with a_room("benchmarks.answers", str(rows)) as (server, address, database):
                process = psutil.Process(server.pid)
                row = uvloop.run(measure(process, address, database, chosen.game, chosen.level, tables, chosen.seconds))
            print(f"| {tables} | {' | '.join([*row, *answers(rows)])} |", flush=True)


if __name__ == "__main__":
    main()
