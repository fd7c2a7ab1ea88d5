"""The room for an hour, and with ten thousand guests who only watch their tables, over loopback.

    uv run --group bench python -m benchmarks.soak --minutes 60
    uv run --group bench python -m benchmarks.soak --idle 10000

The first command plays CHI for two at 300 tables, at about 300 moves a second. A finished game is replaced by a new one
of new guests, as in a room that is open all day. So is a game whose player has lost the connection. A row for each
minute shows whether times or memory grow.

The second command connects this number of guests to tables of CHI for two, plays ten moves at each table, and prints
the memory and the processor time of the idle room, and its time for each `ping` when all guests ask whether it is
there, as visible pages do.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil
import uvloop

from benchmarks.load import (
    GAMES,
    LoadedTable,
    Player,
    Visitors,
    a_room,
    play_some,
    prepare,
    settled,
    spent_by,
    visiting,
)
from fairdeal.protocol.messages import QUIET

GAME, TABLES, THINK = "chi", 300, 1.0

AT_ONCE = 20
"""Tables that are opened at the same time."""

WATCHED = 60.0
"""Seconds for which an idle room is watched."""

LIMITS = """[limits]
address_connections = 20_000
[limits.guest]
guest = [1000, 100_000]
address = [1000, 100_000]
[limits.open]
guest = [1000, 100_000]
address = [1000, 100_000]
"""
"""Settings of a room for which all guests come from one address."""


@contextmanager
def a_large_room() -> Iterator[tuple[psutil.Process, str, str]]:
    """Start a room for many guests from one address, and return its process, its address and the URL of its
    database."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as settings:
        settings.write(LIMITS)
        settings.flush()
        with a_room(options=("--config", settings.name)) as (server, address, database):
            yield psutil.Process(server.pid), address, database


async def keep_playing(visitors: Visitors, times: list[float], lost: list[ConnectionError], until: float) -> None:
    """Play one game after another at a table."""
    while time.perf_counter() < until:
        table = await visitors.table(GAME, GAMES[GAME])
        try:
            await table.wake()
            while not table.state.over and time.perf_counter() < until:
                await asyncio.sleep(THINK * (0.5 + table.chance.random()))
                await table.move(times)
        except ConnectionError as problem:
            lost.append(problem)
        await leave(visitors, table)


async def leave(visitors: Visitors, table: LoadedTable) -> None:
    visitors.opened.remove(table)
    for player in table.players:
        await player.socket.close()


async def soak(server: psutil.Process, address: str, database: str, minutes: int) -> None:
    """Print a row for each minute of play."""
    print(
        "| minute | moves/s | p50 ms | p99 ms | server µs a move | MB | lost |", "|---" * 7 + "|", sep="\n", flush=True
    )
    async with visiting(address, database) as visitors:
        times: list[float] = []
        lost: list[ConnectionError] = []
        until = time.perf_counter() + minutes * 60
        playing = asyncio.gather(*(keep_playing(visitors, times, lost, until) for _ in range(TABLES)))
        for minute in range(1, minutes + 1):
            started, spent = time.perf_counter(), spent_by(server)
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(playing), 60)
            made, took = sorted(times), time.perf_counter() - started
            times.clear()
            p50, p99 = statistics.median(made) * 1000, made[int(len(made) * 0.99)] * 1000
            row = (
                f"{len(made) / took:.0f} | {p50:.2f} | {p99:.2f} | {(spent_by(server) - spent) / len(made) * 1e6:,.0f}"
            )
            print(f"| {minute} | {row} | {server.memory_info().rss / 1e6:.0f} | {len(lost)} |", flush=True)
        await playing
        print("\n".join(sorted({str(problem) for problem in lost})))


async def idle(server: psutil.Process, address: str, database: str, guests: int) -> None:
    """Print the memory of a room whose guests do nothing, and its processor time."""
    async with visiting(address, database) as visitors:
        waiting = itertools.repeat(None, guests // GAMES[GAME])

        async def open_some() -> None:
            for _ in waiting:
                await play_some(await visitors.table(GAME, GAMES[GAME]), 10)

        await asyncio.gather(*(open_some() for _ in range(AT_ONCE)))
        await settled(server)
        spent = spent_by(server)
        await asyncio.sleep(WATCHED)
        busy = (spent_by(server) - spent) / WATCHED
        players = [player for table in visitors.opened for player in table.players]
        closed = sum(player.socket.closed for player in players)
        size = server.memory_info().rss / 1e6
        print(f"{guests:,} guests at {len(visitors.opened):,} tables ({closed} disconnected): {size:,.0f} MB")
        print(f"The idle room works for {busy:.1%} of the time.")
        spent, until = spent_by(server), time.perf_counter() + WATCHED
        pings = sum(await asyncio.gather(*(keep_asking(player, until) for player in players)))
        asked = (spent_by(server) - spent) / WATCHED
        took = (asked - busy) * WATCHED / pings * 1e6
        print(f"With {pings / WATCHED:,.0f} pings/s, it works for {asked:.1%} of the time: {took:.0f} µs a ping.")


async def keep_asking(player: Player, until: float) -> int:
    """Ask whether the room is there as a visible page does, and return how often."""
    pings = 0
    await asyncio.sleep(random.random() * QUIET)
    while time.perf_counter() < until:
        await player.socket.send_str('{"type":"ping","id":"ping"}')
        pings += 1
        await asyncio.sleep(QUIET)
    return pings


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=int, default=60, help="of play (60)")
    parser.add_argument("--idle", type=int, metavar="GUESTS", help="measure an idle room with this number of guests")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the room ends as after Ctrl-C
    prepare(sys.executable, GAME)
    with a_large_room() as room:
        uvloop.run(idle(*room, chosen.idle) if chosen.idle else soak(*room, chosen.minutes))


if __name__ == "__main__":
    main()
