"""The saturated room beside one of boardgame.io, in turns, over loopback.

    uv run --group bench python -m benchmarks.boardgame
    uv run --group bench python -m benchmarks.boardgame --database postgresql://...

Fifty tables for two play CHI in the room, and draw and discard with two hidden hands in boardgame.io, which keeps them
in flat files. The next move at a table begins when both players have received the last. With `--database`, an empty one
in PostgreSQL, the room is measured with two workers too. boardgame.io needs Node.js and npm, cannot share flat files
between processes, and answers a move before it is on the disk. This room answers afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import psutil
import uvloop

from benchmarks.load import LOADS, a_turn, prepare, settled, spent_by, wait_for

PACKAGES = {
    "dependencies": {"boardgame.io": "0.50.2", "node-persist": "3.1.3"},
    "overrides": {"koa-compose": "4.1.0"},  # with 4.2.0, the lobby answers 404
}

TABLES = LOADS["saturated"][1]
PLAYERS = 2
HAND = 4


class Row(NamedTuple):
    """Moves a second, times from sending a move to its answer in ms, and the server's processor time in microseconds a
    move."""

    moves: float
    p50: float
    p99: float
    server: float

    def __str__(self) -> str:
        return f"{self.moves:,.0f} | {self.p50:.1f} | {self.p99:.1f} | {self.server:,.0f}"


class Seat:
    """A boardgame.io player, who speaks the Socket.IO protocol."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, match: str, number: str, secret: str) -> None:
        self.socket = socket
        self.match = match
        self.number = number
        self.secret = secret
        self.state = -1
        self.heard = asyncio.Event()
        self.listening = asyncio.create_task(self.listen())

    async def emit(self, *event: Any) -> None:
        await self.socket.send_str(f"42/cards,{json.dumps(event)}")

    async def listen(self) -> None:
        """Answer pings, and remember the number of the newest state."""
        while True:
            text = await self.socket.receive_str()
            if text == "2":
                await self.socket.send_str("3")
            elif text.startswith("42/cards,"):
                name, _, found, *_ = json.loads(text.partition(",")[2])
                if name in ("sync", "update"):
                    self.state = (found["state"] if name == "sync" else found)["_stateID"]
                    self.heard.set()

    async def reach(self, state: int) -> None:
        """Wait until the player has received a state. Raises what went wrong while listening."""
        while self.state < state:
            self.heard.clear()
            waiting = asyncio.create_task(self.heard.wait())
            await asyncio.wait([waiting, self.listening], return_when=asyncio.FIRST_COMPLETED)
            if self.listening.done():
                self.listening.result()

    async def discard(self, place: int) -> None:
        payload = {"type": "discard", "args": [place], "playerID": self.number, "credentials": self.secret}
        await self.emit("update", {"type": "MAKE_MOVE", "payload": payload}, self.state, self.match, self.number)


async def open_table(http: aiohttp.ClientSession, address: str) -> list[Seat]:
    """Open a match in boardgame.io's lobby, and connect its players."""

    async def post(path: str, body: dict[str, Any]) -> Any:
        async with http.post(f"{address}/games/cards/{path}", json=body) as answer:
            assert answer.ok, await answer.text()
            return await answer.json()

    match = (await post("create", {"numPlayers": PLAYERS}))["matchID"]
    seats = []
    for number in map(str, range(PLAYERS)):
        joined = await post(f"{match}/join", {"playerID": number, "playerName": number})
        socket = await http.ws_connect(f"{address}/socket.io/?EIO=4&transport=websocket", max_msg_size=2**22)
        assert (await socket.receive_str()).startswith("0")
        await socket.send_str("40/cards,")
        assert (await socket.receive_str()).startswith("40/cards,")
        seats.append(Seat(socket, match, number, joined["playerCredentials"]))
        await seats[-1].emit("sync", match, number, joined["playerCredentials"], PLAYERS)
        await seats[-1].reach(0)
    return seats


async def keep_playing(seats: Sequence[Seat], until: float, times: list[float], chance: random.Random) -> None:
    number = 0
    while time.perf_counter() < until:
        seat = seats[number % PLAYERS]
        begun = time.perf_counter()
        before = seat.state
        await seat.discard(chance.randrange(HAND))
        await seat.reach(before + 1)
        times.append(time.perf_counter() - begun)
        await asyncio.gather(*(other.reach(seat.state) for other in seats))
        number += 1


async def measure(server: psutil.Process, address: str, seconds: float) -> Row:
    chance, times = random.Random(1), list[float]()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        tables = [await open_table(http, address) for _ in range(TABLES)]
        await settled(server)
        spent, begun = spent_by(server), time.perf_counter()
        await asyncio.gather(*(keep_playing(seats, begun + seconds, times, chance) for seats in tables))
        took, spent = time.perf_counter() - begun, spent_by(server) - spent
        for seats in tables:
            for seat in seats:
                seat.listening.cancel()
    times.sort()
    p50, p99 = statistics.median(times) * 1000, times[int(len(times) * 0.99)] * 1000
    return Row(len(times) / took, p50, p99, spent / len(times) * 1e6)


@contextmanager
def installed() -> Iterator[Path]:
    """Install boardgame.io in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "package.json").write_text(json.dumps({"private": True} | PACKAGES))
        command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        script = Path(__file__).with_suffix(".js")
        (Path(folder) / script.name).write_bytes(script.read_bytes())
        yield Path(folder)


def turn_of_boardgame(folder: Path, seconds: float) -> Row:
    """Measure a new room of boardgame.io."""
    with tempfile.TemporaryDirectory() as kept:
        command = ["node", "boardgame.js", kept]
        environment = os.environ | {"NODE_ENV": "production"}
        with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout
                address = server.stdout.readline().strip()
                wait_for(server, address)
                return uvloop.run(measure(psutil.Process(server.pid), address, seconds))
            finally:
                server.terminate()
                server.wait()


def turn_of_room(seconds: float, **wishes: Any) -> Row:
    """Measure a new room of this checkout."""
    found = a_turn(sys.executable, "chi", "saturated", seconds, **wishes)
    return Row(found.moves_a_second, found.p50, found.p99, found.server)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.boardgame", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=15, help="of play in each turn (15)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each room (3)")
    parser.add_argument("--database", metavar="URL", default="", help="an empty database in PostgreSQL")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the rooms end as after Ctrl-C
    prepare(sys.executable, "chi")
    with installed() as folder:
        rooms: dict[str, Callable[[], Row]] = {
            "boardgame.io": lambda: turn_of_boardgame(folder, chosen.seconds),
            "one process": lambda: turn_of_room(chosen.seconds),
        }
        if chosen.database:
            rooms["two workers"] = lambda: turn_of_room(chosen.seconds, database=chosen.database, workers=2)
        rounds = [{name: turn() for name, turn in rooms.items()} for _ in range(chosen.rounds)]
    heads = "room | moves/s | p50 ms | p99 ms | server µs a move | moves/s beside boardgame.io"
    print(f"| {heads} |\n|---{'|---' * 5}|")
    for name in rooms:
        row = Row(*map(statistics.median, zip(*(found[name] for found in rounds), strict=True)))
        ratios = [found[name].moves / found["boardgame.io"].moves for found in rounds]
        print(f"| {name} | {row} | {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |")


if __name__ == "__main__":
    main()
