"""Measure whether other guests' hints cause delays: a guest's hints and the moves of a guest's bot, while other guests
ask for hints that search, without a pause.

    uv run --group bench python -m benchmarks.hints

Measured in a quiet room and with others, within the published limits. The guest thinks for a while before each move.
The first look of a hint does not search, the second does. The bot is the greedy one, whose answer takes no time. It is
counted from sending the guest's move until the guest may move again.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import statistics
import time
from collections.abc import Sequence
from typing import Any

import aiohttp
import msgspec
import uvloop

from benchmarks.load import GAMES, Visitors, a_room, visiting

DEEPEST = 3
"""The look at which a hint takes the most time."""

THINK = 2.0
"""Seconds before each move."""

PATIENCE = 60.0
"""Seconds until an answer is taken to be lost."""


class Prompt(msgspec.Struct):
    mode: str = ""


class Scene(msgspec.Struct):
    seq: int = 0
    mode: str = ""
    prompt: Prompt | None = None


class Heard(msgspec.Struct):
    """The fields of a message that a guest needs."""

    type: str
    id: str = ""
    move: str = ""
    scene: Scene | None = None


class Guest:
    """A guest at a table of their own, against the greedy bot."""

    def __init__(self, visitors: Visitors, game: str) -> None:
        self.visitors, self.game = visitors, game
        self.scene = Scene()
        self.ids = map(str, itertools.count(1))
        self.socket: aiohttp.ClientWebSocketResponse

    async def sit_down(self) -> None:
        """Open a table, and wait until it is the guest's turn."""
        cookie = await self.visitors.come()
        wishes = {"game": self.game, "chairs": ["you", *["greedy"] * (GAMES[self.game] - 1)], "listed": False}
        found = (await self.visitors.post("/api/tables", wishes, cookie))["id"]
        self.scene, self.socket = Scene(), await self.visitors.connect(found, cookie)
        await self.until_asked()

    async def hear(self) -> Heard:
        heard = msgspec.json.decode(await asyncio.wait_for(self.socket.receive_str(), PATIENCE), type=Heard)
        if heard.scene:
            self.scene = heard.scene
        return heard

    async def until_asked(self) -> None:
        while self.scene.mode != "over" and not (self.scene.prompt and self.scene.prompt.mode in ("yours", "together")):
            await self.hear()

    async def ask(self, type: str, **fields: Any) -> Heard:
        """Send a request and return the answer, after waiting as long as a limit wants."""
        while True:
            id = next(self.ids)
            await self.socket.send_json({"type": type, "id": id, **fields})
            while (heard := await self.hear()).id != id:
                pass
            if heard.type != "refused":
                return heard
            await asyncio.sleep(1)

    async def play(self, looks: dict[int, list[float]], answers: list[float]) -> None:
        """Play a move of a hint; note how long each look took, and the bots."""
        await asyncio.sleep(THINK)
        for look, times in looks.items():
            began = time.perf_counter()
            hint = await self.ask("hint", look=look)
            times.append(time.perf_counter() - began)
        number, began = self.scene.seq, time.perf_counter()
        await self.ask("play", seq=number, move=hint.move)
        while self.scene.seq == number:
            await self.hear()
        await self.until_asked()
        answers.append(time.perf_counter() - began)
        if self.scene.mode == "over":
            await self.sit_down()

    async def ask_without_pause(self) -> None:
        await self.sit_down()
        while True:
            await self.ask("hint", look=DEEPEST)


def told(times: Sequence[float]) -> str:
    """Return the median and 99th percentile in ms, and their number."""
    ordered = sorted(times)
    found = statistics.median(ordered), ordered[int(len(ordered) * 0.99)]
    return " | ".join([*(f"{seconds * 1000:,.0f}" for seconds in found), str(len(times))])


async def measure(address: str, database: str, game: str, others: int, seconds: float) -> None:
    async with visiting(address, database) as visitors:
        guest = Guest(visitors, game)
        await guest.sit_down()
        await guest.ask("hint", look=1)  # the search is compiled
        for crowd in (0, others):
            asking = [asyncio.create_task(Guest(visitors, game).ask_without_pause()) for _ in range(crowd)]
            await asyncio.sleep(5 if crowd else 0)
            looks: dict[int, list[float]] = {0: [], 1: []}
            answers: list[float] = []
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                await guest.play(looks, answers)
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
            print(f"| {crowd} | {' | '.join(map(told, (looks[0], looks[1], answers)))} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hints", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--others", type=int, default=8)
    parser.add_argument("--game", default="chi", choices=GAMES)
    chosen = parser.parse_args()
    kinds = "first look", "second look", "bot"
    heads = ["others", *(f"{kind} {one}" for kind in kinds for one in ("p50 ms", "p99 ms", "times"))]
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    with a_room() as (_, address, database):
        uvloop.run(measure(address, database, chosen.game, chosen.others, chosen.seconds))


if __name__ == "__main__":
    main()
