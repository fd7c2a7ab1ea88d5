"""The room under load, over loopback: a server in one process, players in another, every write on the disk.

    uv run --group bench python -m benchmarks.load

Two players a table, both receive every move. A move is answered when it is kept: the time from sending it to the answer
is what counts. `--think 1` has every table wait a second between moves, `--think 0` does not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
from websockets.asyncio.client import connect


class Player:
    """A guest at a table, as fast as messages can be read."""

    def __init__(self, address: str) -> None:
        self.address, self.scene, self.count = address, {}, 0
        self.cookie = ""

    async def come(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/api/me")
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        http.cookies.clear()

    async def post(self, http: httpx.AsyncClient, path: str, body: dict[str, Any]) -> Any:
        answer = await http.post(path, json=body, headers={"cookie": self.cookie})
        http.cookies.clear()
        return answer.json()

    async def sit(self, table: str) -> None:
        link = f"{self.address.replace('http', 'ws')}/api/tables/{table}/play"
        self.socket = await connect(link, additional_headers={"Cookie": self.cookie}, max_size=2**22, compression=None)

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.socket.recv())
        if "scene" in message and "draft" not in message["scene"]:
            self.scene = message["scene"]
        return message

    async def ask(self, kind: str, **facts: Any) -> dict[str, Any]:
        self.count += 1
        name = f"r{self.count}"
        await self.socket.send(json.dumps({"type": kind, "id": name, **facts}))
        while True:
            message = await self.hear()
            if message.get("id") == name:
                return message

    @property
    def may_move(self) -> bool:
        return bool(self.scene.get("prompt", {}).get("mode") == "yours")


async def move(player: Player, chance: random.Random, times: list[float]) -> int:
    """A whole move by picks; the time of the last, which is kept before it is answered. Its number."""
    scene, draft = player.scene, []
    while True:
        choices = scene.get("choices", [])
        main = [choice for choice in choices if choice.get("main")]
        offered = main or [choice for choice in choices if choice["kind"] in ("card", "button", "zone")]
        choice = chance.choice([one for one in offered if one["id"] not in draft] or offered)
        started = time.perf_counter()
        answer = await player.ask("pick", seq=scene["seq"], choice=choice["id"], draft=draft)
        if answer["type"] == "done":
            times.append(time.perf_counter() - started)
            return int(answer["seq"])
        if answer["type"] == "refused":
            raise AssertionError(answer)
        scene = answer["scene"]
        draft = scene.get("draft", {}).get("picks", [])


async def seat(http: httpx.AsyncClient, players: list[Player], game: str, seats: int) -> None:
    """A new table for two players and as many bots as it needs."""
    bots = ["greedy"] * (seats - 2)
    wishes = {"game": game, "chairs": ["you", "person", *bots], "options": {"players": seats}}
    found = await players[0].post(http, "/api/tables", wishes)
    await players[1].post(http, f"/api/tables/{found['id']}/join", {})
    for player in players:
        await player.sit(found["id"])
        await player.hear()


async def play(players: list[Player], think: float, until: float, times: list[float], chance: random.Random) -> None:
    """Play until the time is over or the game is."""
    while time.time() < until and players[0].scene.get("mode") != "over":
        mover = next((player for player in players if player.may_move), None)
        if mover is None:
            await min(players, key=lambda player: player.scene.get("seq", 0)).hear()
            continue
        seq = await move(mover, chance, times)
        for player in players:
            while player.scene.get("seq", 0) < seq:
                await player.hear()
        if think:
            await asyncio.sleep(think * (0.5 + chance.random()))


async def load(address: str, game: str, tables: int, think: float, seconds: float, seats: int) -> list[float]:
    """The times of all moves at so many tables, whose players are seated before the clock starts."""
    times: list[float] = []
    limits = httpx.Limits(max_connections=8)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as http:
        pairs = [[Player(address), Player(address)] for _ in range(tables)]
        for players in pairs:
            for player in players:
                await player.come(http)
            await seat(http, players, game, seats)
        until = time.time() + seconds

        async def go_on(number: int) -> None:
            chance = random.Random(number)
            await asyncio.sleep(chance.random() * think)
            while time.time() < until:
                await play(pairs[number], think, until, times, chance)
                if time.time() < until:
                    for player in pairs[number]:
                        await player.socket.close()
                    await seat(http, pairs[number], game, seats)

        await asyncio.gather(*(go_on(number) for number in range(tables)))
    return times


def memory_a_table(process: psutil.Process, address: str, game: str, tables: int = 300) -> float:
    """kB of the server's memory for each table that lies there after a dozen moves."""
    before = process.memory_info().rss
    with httpx.Client(base_url=address, timeout=60) as http:
        for number in range(tables):
            if number % 15 == 0:
                http.cookies.clear()
            answer = http.post(
                "/api/tables", json={"game": game, "chairs": ["you", *["greedy"]], "options": {"players": 2}}
            )
            answer.raise_for_status()
    time.sleep(3)
    return (process.memory_info().rss - before) / tables / 1000


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "fairdeal.cli", "serve", "--port", "0", "--pause", "0"]
        command += ["--database", str(Path(folder) / "room.db")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            address = server.stdout.readline().split()[-1]
            print("waiting for the compiled rules", file=sys.stderr)
            time.sleep(8)
            print("| load | moves/s | p50 ms | p99 ms |\n|---|---|---|---|")
            for game, seats in (("chi", 2), ("chip-it", 4)):
                for name, tables, think in (("200 tables, 1 s think", 200, 1.0), ("50 tables, saturated", 50, 0.0)):
                    times = asyncio.run(load(address, game, tables, think, chosen.seconds, seats))
                    rate = len(times) / chosen.seconds
                    p50, p99 = statistics.median(times) * 1000, percentile(times, 0.99)
                    print(f"| {game} for {seats}, {name} | {rate:,.0f} | {p50:.2f} | {p99:.2f} |", flush=True)
            process = psutil.Process(server.pid)
            for game in ("chi", "chip-it"):
                print(f"memory a table of {game}: {memory_a_table(process, address, game):.0f} kB")
            server.terminate()


if __name__ == "__main__":
    main()
