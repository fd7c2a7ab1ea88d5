"""The room under load, over loopback: a server in one process, players in another, every write on the disk.

    uv run --group bench python -m benchmarks.load

Everybody at a table is connected and receives every move with his own scene. The players know the rules and the deal
(the seeds are read from the database of this benchmark's own room), so that a move costs them next to nothing: they
send it in notation. The time from sending to the answer, which comes when the move is kept, is what counts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import psutil
import uvloop

from fairdeal.engine import compiled
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State, load
from fairdeal.table import fairness

LOADS = (("200 tables, 1 s think", 200, 1.0), ("50 tables, saturated", 50, 0.0))
GAMES = {"chi": 2, "chip-it": 4}
"""Games and how many play, all of them people."""

SPARE = 12
"""Tables in waiting for each that is played, to take its place when its game ends."""


class Numbered(msgspec.Struct):
    seq: int = 0


class Heard(msgspec.Struct):
    """What a player needs of a message."""

    type: str
    id: str = ""
    scene: Numbered | None = None
    reason: str = ""


decoder = msgspec.json.Decoder(Heard)


@dataclass
class Player:
    """A guest at a table."""

    socket: aiohttp.ClientWebSocketResponse
    seq: int = 0

    async def hear(self) -> Heard:
        heard = decoder.decode(await self.socket.receive_str())
        if heard.scene:
            self.seq = max(self.seq, heard.scene.seq)
        if heard.type == "refused":
            raise AssertionError(heard.reason)
        return heard

    async def play(self, seq: int, text: str) -> None:
        """Play a whole move, and wait until it is kept."""
        await self.socket.send_str(f'{{"type":"play","id":"{seq}","seq":{seq},"move":{json.dumps(text)}}}')
        while (await self.hear()).id != str(seq):
            pass


@dataclass
class LoadedTable:
    """A table whose state the players know."""

    state: State
    players: list[Player]
    chance: random.Random
    number: int = 0

    async def move(self, times: list[float]) -> None:
        """One move of somebody who is to act, received by all."""
        seat = self.chance.choice(self.state.to_act)
        text = self.random_move(seat)
        started = time.perf_counter()
        await self.players[seat].play(self.number, text)
        times.append(time.perf_counter() - started)
        self.number += 1
        for player in self.players:
            while player.seq < self.number:
                await player.hear()

    def random_move(self, seat: int) -> str:
        before = self.state.copy()
        rules = compiled.rules_of(self.state.game)
        actions: list[int] = []
        while not actions or self.state.composing:
            actions.append(self.chance.choice(self.state.legal_actions(seat)))
            rules.apply(self.state.record, seat, actions[-1])
        return self.state.game.write_move(before.record, seat, actions)


@dataclass
class Visitors:
    """Opens tables in a room and seats guests at them."""

    address: str
    database: Path
    http: aiohttp.ClientSession
    chance: random.Random = field(default_factory=lambda: random.Random(1))

    async def table(self, game: str, seats: int) -> LoadedTable:
        cookies = [await self.come() for _ in range(seats)]
        wishes = {"game": game, "chairs": ["you", *["person"] * (seats - 1)], "options": {"players": seats}}
        found = (await self.post("/api/tables", wishes, cookies[0]))["id"]
        for cookie in cookies[1:]:
            await self.post(f"/api/tables/{found}/join", {}, cookie)
        players = [Player(await self.connect(found, cookie)) for cookie in cookies]  # who sit in order
        welcome = json.loads(await players[0].socket.receive_str())
        return LoadedTable(self.dealt(game, seats, found, welcome["facts"]["deal"]["header"]), players, self.chance)

    def dealt(self, game: str, seats: int, found: str, header: str) -> State:
        """The deal, from the seed in the room's database."""
        with sqlite3.connect(self.database) as database:
            (seed,) = database.execute("SELECT seed FROM tables WHERE id = ?", (found,)).fetchone()
        return load(game, players=seats).deal_from(fairness.chance_key(seed, header.encode()))

    async def come(self) -> str:
        async with self.http.get(f"{self.address}/api/me") as answer:
            return str(answer.headers["Set-Cookie"].partition(";")[0])

    async def post(self, path: str, body: dict[str, Any], cookie: str) -> Any:
        async with self.http.post(self.address + path, json=body, headers={"Cookie": cookie}) as answer:
            assert answer.ok, await answer.text()
            return await answer.json()

    async def connect(self, table: str, cookie: str) -> aiohttp.ClientWebSocketResponse:
        return await self.http.ws_connect(
            f"{self.address}/api/tables/{table}/play", headers={"Cookie": cookie}, max_msg_size=2**22, autoping=False
        )


@dataclass
class Load:
    """Tables that are played side by side; a table that is over is replaced by one in waiting."""

    waiting: list[LoadedTable]
    think: float
    until: float = 0.0
    times: list[float] = field(default_factory=list)

    async def run(self, tables: int, seconds: float) -> float:
        """Play for so long, or until a table is over and none is in waiting; the seconds it took."""
        started = time.perf_counter()
        self.until = started + seconds
        await asyncio.gather(*(self.keep_playing() for _ in range(tables)))
        return time.perf_counter() - started

    async def keep_playing(self) -> None:
        table = self.waiting.pop()
        await asyncio.sleep(table.chance.random() * self.think)
        while time.perf_counter() < self.until:
            if table.state.over:
                if not self.waiting:
                    self.until = 0.0
                    return
                table = self.waiting.pop()
            await table.move(self.times)
            if self.think:
                await asyncio.sleep(self.think * (0.5 + table.chance.random()))


@asynccontextmanager
async def visiting(address: str, database: Path) -> AsyncIterator[Visitors]:
    """Visitors of a room, as many at a time as there are."""
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar()
    ) as http:
        yield Visitors(address, database, http)


async def measure(
    server: psutil.Process, address: str, database: Path, game: str, tables: int, think: float, seconds: float
) -> list[str]:
    """A row: moves a second, median and 99th percentile of the times in ms, the server's processor time a move."""
    compiled.compiled(find_game(game))
    async with visiting(address, database) as visitors:
        spare = 0 if think else tables * SPARE
        load = Load([await visitors.table(game, GAMES[game]) for _ in range(tables + spare)], think)
        spent = sum(server.cpu_times()[:2])
        took = await load.run(tables, seconds)
        spent = sum(server.cpu_times()[:2]) - spent
        times = sorted(load.times)
        p50, p99 = statistics.median(times) * 1000, times[int(len(times) * 0.99)] * 1000
        return [
            f"{len(times) / took:,.0f}",
            f"{p50:.2f}",
            f"{p99:.2f}",
            f"{spent / len(times) * 1e6:.0f}",
            f"{len(times):,}",
        ]


async def memory_a_table(process: psutil.Process, address: str, database: Path, game: str, tables: int = 400) -> float:
    """kB of the server's memory for each table with its players connected, after forty moves."""
    async with visiting(address, database) as visitors:
        for _ in range(20):
            await play_some(await visitors.table(game, GAMES[game]))
        before = process.memory_info().rss
        for _ in range(tables):
            await play_some(await visitors.table(game, GAMES[game]))
        return (process.memory_info().rss - before) / tables / 1000


async def play_some(table: LoadedTable, moves: int = 40) -> None:
    while table.number < moves and not table.state.over:
        await table.move([])


@contextmanager
def a_room(*program: str) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """A room of its own in another process, its rules compiled; its address and its database. `program` is the module
    that opens it, with what it is told first."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "room.db"
        command = [sys.executable, "-m", *(program or ("fairdeal.cli",)), "serve", "--port", "0", "--pause", "0"]
        with subprocess.Popen(
            [*command, "--database", str(database)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            try:
                assert server.stdout
                address = server.stdout.readline().split()[-1]
                time.sleep(8)  # until the compiled rules are loaded, which the room does not wait for
                yield server, address, database
            finally:
                server.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--seconds", type=float, default=15)
    chosen = parser.parse_args()
    print("| load | moves/s | p50 ms | p99 ms | server µs a move | moves |\n|---|---|---|---|---|---|")
    for game, seats in GAMES.items():
        for name, tables, think in LOADS:
            with a_room() as (server, address, database):
                row = uvloop.run(
                    measure(psutil.Process(server.pid), address, database, game, tables, think, chosen.seconds)
                )
            print(f"| {game} for {seats}, {name} | {' | '.join(row)} |", flush=True)
    for game, seats in GAMES.items():
        with a_room() as (server, address, database):
            size = uvloop.run(memory_a_table(psutil.Process(server.pid), address, database, game))
        print(f"Memory of a table of {game} for {seats}, all connected: {size:.0f} kB", flush=True)


if __name__ == "__main__":
    main()
