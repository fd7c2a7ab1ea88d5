"""A room that starts over a database full of running tables, and what a finished game takes of its memory.

    uv run --group bench python -m benchmarks.restart

The games are made in this process: of all tables a twentieth waits for a bot, the others for people who are away. Then
`fairdeal serve` is started over them in a process of its own, as after a kill, and asked at once.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import httpx2
import psutil

from fairdeal.engine.compile import compiled
from fairdeal.engine.registry import find_game
from fairdeal.server.api.opening import open_table
from fairdeal.server.limits import DEFAULT_LIMITS
from fairdeal.server.room import Room
from fairdeal.server.storage.store import Store
from fairdeal.server.tables.guests import name_of
from fairdeal.server.tables.seating import join

BOT_AT_EVERY = 20
"""One table in this number waits for a bot."""


async def make_tables(room: Room, tables: int, moves: int) -> list[str]:
    """Open tables of CHI for two, make `moves` moves at each, and return the ids of the tables."""
    made = []
    for number in range(tables):
        live = await open_table(
            room, f"host {number}", game="chi", chairs=["you", "person"], options={"players": 2}, listed=number < 60
        )
        await join(live, "bo", None, "")
        while live.number < moves and live.status == "running":
            async with live.lock:
                seat = live.sitting.state.to_act[0]  # type: ignore[union-attr]
                await live.enter(seat, live.sitting.hint(seat).actions)  # type: ignore[union-attr]
        if number % BOT_AT_EVERY == 0:
            for place in live.seats:
                place.stand_in = True
            await live.keep_places()
        made.append(live.id)
        room.let_sleep(time.monotonic() + 2 * DEFAULT_LIMITS.idle)
    return made


def restart(database: Path, table: str) -> dict[str, float]:
    """Return the seconds until the room listens, and from then until the first answers, and its processor time and
    memory."""
    command = [sys.executable, "-m", "fairdeal.cli", "serve", "--port", "0", "--no-compile"]
    command += ["--database", str(database)]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        address = server.stdout.readline().split()[-1]
        found = {"start of the process, s": time.perf_counter() - started}
        started = time.perf_counter()
        with httpx2.Client(base_url=address, timeout=60) as guest:
            for what, path in (("lobby, s", "/api/lobby"), ("table, s", f"/api/tables/{table}")):
                while True:
                    try:
                        guest.get(path).raise_for_status()
                        break
                    except httpx2.TransportError:
                        time.sleep(0.005)
                found[what] = time.perf_counter() - started
            slowest = 0.0
            for _ in range(100):
                asked = time.perf_counter()
                guest.get("/api/lobby").raise_for_status()
                slowest = max(slowest, time.perf_counter() - asked)
                time.sleep(0.02)
        process = psutil.Process(server.pid)
        found["slowest lobby, ms"] = slowest * 1000
        found["processor seconds"] = sum(process.cpu_times()[:2])
        found["MB"] = process.memory_info().rss / 1e6
        server.terminate()
    return found


async def memory_of_finished_games(room: Room, games: int) -> tuple[float, float]:
    """Return the kB a finished game of CHI while it is in memory, and once it sleeps."""

    async def play() -> None:
        live = await open_table(room, "ada", game="chi", chairs=["greedy", "greedy"])
        await live.driver.task  # type: ignore[misc]

    await play()
    room.let_sleep(time.monotonic() + 2 * DEFAULT_LIMITS.idle)
    tracemalloc.start()
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(games):
        await play()
    gc.collect()
    awake, _ = tracemalloc.get_traced_memory()
    room.let_sleep(time.monotonic() + 2 * DEFAULT_LIMITS.idle)
    await name_of(room.store, "ada")
    gc.collect()
    asleep, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (awake - before) / games / 1000, (asleep - before) / games / 1000


async def prepare(database: Path, tables: int, moves: int, games: int) -> tuple[str, tuple[float, float]]:
    compiled.compiled(find_game("chi"))
    store = Store(f"sqlite:///{database}")
    try:
        memory = await memory_of_finished_games(Room(store, pause=0.0), games)
        return (await make_tables(Room(store), tables, moves))[-2], memory
    finally:
        store.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.restart", description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--games", type=int, default=50, help="finished games whose memory is measured")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "room.db"
        table, memory = asyncio.run(prepare(database, chosen.tables, chosen.moves, chosen.games))
        print(f"A finished game of CHI: {memory[0]:.1f} kB in memory, {memory[1]:.1f} kB asleep")
        print(f"{chosen.tables} running tables, {chosen.moves} moves each: {database.stat().st_size / 1e6:.1f} MB")
        for _ in range(3):
            found = restart(database, table)
            print("; ".join(f"{what}: {value:.2f}" for what, value in found.items()), flush=True)


if __name__ == "__main__":
    main()
