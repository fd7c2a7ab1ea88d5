"""The room under load, over loopback: a server in one process, players in another, every write on the disk.

    uv run --group bench python -m benchmarks.load
    uv run --group bench python -m benchmarks.load --against COMMIT --games chi --loads saturated

Everybody at a table is connected and receives every move with his own scene. The players know the rules and the deal
(the seeds are read from the database of this benchmark's own room), so that a move costs them next to nothing: they
send it in notation. The time from sending to the answer, which comes when the move is kept, is what counts.

    uv run --group bench python -m benchmarks.load --games chi --loads finished

This row shows whether memory grows with the number of games that the room has seen: it plays short games between bots,
each opened and watched by a new guest, and measures the room's memory after every thousand, once all are unloaded. It
takes about a quarter of an hour.

With `--workers 2 --database URL`, the room has several processes behind HAProxy. Its processor time is that of all of
them, but not of the database. `--share 0.25` gives each worker a quarter of a processor.

With `--against`, the rooms of another commit and of this checkout are measured in turns, both by the players of this
checkout, so run it in the newer of the two. The other room runs from a worktree of its own, with its own dependencies.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import aiohttp
import msgspec
import psutil
import sqlalchemy as sa
import uvloop

from fairdeal.engine.compile import compiled
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State, load
from fairdeal.server.storage.database import address_of, engine_of
from fairdeal.server.storage.store import PATIENCE, tables
from fairdeal.table import fairness

ROOT = Path(__file__).parents[1]

UNDO = "undo"
"""The load whose players ask whether each move can be undone, and the id of these requests."""

LOADS = {
    "think": ("200 tables, 1 s think", 200, 1.0),
    UNDO: ("200 tables, 1 s think, asking after each move whether it can be undone", 200, 1.0),
    "saturated": ("50 tables, saturated", 50, 0.0),
}
"""By name: what a row says of it, tables, and the seconds that players think."""

PERIOD = 10_000
"""Microseconds in which a limited process gets its share of a processor."""

MEMORY, FINISHED = "memory", "finished"
FINISHED_GAMES, COUNTED, AT_ONCE = 5000, 1000, 16
"""Finished games, how many are played before each look at the memory, and how many at a time."""

UNLOADED = 75.0
"""Seconds after which the room has unloaded every finished game."""

GAMES = {"chi": 2, "chip-it": 4}
"""Games and how many play, all of them people."""

SHORT = {"chi": {"stacks_to_end": 4}}
"""Options that shorten games."""

SPARE, SPARE_A_SECOND = 12, 0.8
"""Tables in waiting for each that is played, to take its place when its game ends: at most, and for each second."""


class Figures(NamedTuple):
    """A row: times in ms, the server's processor time in microseconds, the bytes that all at a table receive, and the
    median bytes of the message with which one of them is shown a move."""

    moves_a_second: float
    p50: float
    p99: float
    server: float
    bytes: float
    shown: float
    moves: float

    def __str__(self) -> str:
        figures = f"{self.moves_a_second:,.0f} | {self.p50:.2f} | {self.p99:.2f}"
        return f"{figures} | {self.server:,.0f} | {self.bytes:,.0f} | {self.shown:,.0f} | {self.moves:,.0f}"


HEADS = "moves/s | p50 ms | p99 ms | server µs a move | bytes a move | bytes a scene, median | moves"


class Numbered(msgspec.Struct):
    seq: int = 0


class Heard(msgspec.Struct):
    """The fields of a message that a player needs."""

    type: str
    id: str = ""
    scene: Numbered | None = None
    changes: Numbered | None = None
    reason: str = ""


decoder = msgspec.json.Decoder(Heard)


@dataclass
class Player:
    """A guest at a table."""

    socket: aiohttp.ClientWebSocketResponse
    seq: int = 0
    received: int = 0
    """Bytes."""
    shown: list[int] = field(default_factory=list)
    """Bytes of each scene."""

    async def hear(self) -> Heard:
        """Receive a message. Raises ConnectionError if the connection has ended."""
        arrived = await self.socket.receive()
        if arrived.type is not aiohttp.WSMsgType.TEXT:
            raise ConnectionError(f"closed with the code {self.socket.close_code}")
        message = arrived.data.encode()
        self.received += len(message)
        heard = decoder.decode(message)
        shown = heard.scene or heard.changes
        if shown:
            self.seq = max(self.seq, shown.seq)
            self.shown.append(len(message))
        if heard.type == "refused" and heard.id != UNDO:
            raise AssertionError(heard.reason)
        return heard

    async def play(self, seq: int, text: str) -> None:
        """Play a whole move, and wait until it is kept."""
        await self.socket.send_str(f'{{"type":"play","id":"{seq}","seq":{seq},"move":{json.dumps(text)}}}')
        while (await self.hear()).id != str(seq):
            pass

    async def ask_for_undo(self) -> None:
        """Ask whether the last move can be undone, without waiting for the answer."""
        await self.socket.send_str(f'{{"type":"undo","id":"{UNDO}","seq":{self.seq},"ask":true}}')


@dataclass
class LoadedTable:
    """A table whose state the players know."""

    state: State
    players: list[Player]
    chance: random.Random
    number: int = 0
    listening: list[asyncio.Task[None]] = field(default_factory=list)

    def rest(self) -> LoadedTable:
        """Have everybody listen while nobody plays: a client answers the room's pings only while it listens."""
        self.listening = [asyncio.create_task(listen(player)) for player in self.players]
        return self

    async def wake(self) -> LoadedTable:
        """Stop listening, to play. Raises what a player heard amiss."""
        for task in self.listening:
            task.cancel()
        await asyncio.wait(self.listening)
        for task in self.listening:
            if not task.cancelled():
                task.result()
        return self

    async def move(self, times: list[float], asks: bool = False) -> None:
        """Make a move of a player whose turn it is, and wait until all have received it."""
        seat = self.chance.choice(self.state.to_act)
        text = self.random_move(seat)
        started = time.perf_counter()
        await self.players[seat].play(self.number, text)
        times.append(time.perf_counter() - started)
        self.number += 1
        for player in self.players:
            while player.seq < self.number:
                await player.hear()
        if asks and not self.state.over:
            await self.players[seat].ask_for_undo()

    def random_move(self, seat: int) -> str:
        before = self.state.copy()
        rules = compiled.rules_of(self.state.game)
        actions: list[int] = []
        while not actions or self.state.composing:
            actions.append(self.chance.choice(self.state.legal_actions(seat)))
            rules.apply(self.state.record, seat, actions[-1])
        return self.state.game.write_move(before.record, seat, actions)


async def listen(player: Player) -> None:
    while True:
        await player.hear()


@dataclass
class Visitors:
    """Opens tables in a room and seats guests at them."""

    address: str
    database: str
    http: aiohttp.ClientSession
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    opened: list[LoadedTable] = field(default_factory=list)

    @cached_property
    def engine(self) -> sa.Engine:
        """The room's database."""
        return engine_of(address_of(self.database), PATIENCE)

    @property
    def received(self) -> int:
        """The bytes that all at all tables have received."""
        return sum(player.received for table in self.opened for player in table.players)

    async def table(self, game: str, seats: int) -> LoadedTable:
        cookies = [await self.come() for _ in range(seats)]
        wishes = {"game": game, "chairs": ["you", *["person"] * (seats - 1)], "options": {"players": seats}}
        found = (await self.post("/api/tables", wishes, cookies[0]))["id"]
        for cookie in cookies[1:]:
            await self.post(f"/api/tables/{found}/join", {}, cookie)
        players = [Player(await self.connect(found, cookie)) for cookie in cookies]  # who sit in order
        welcome = json.loads(await players[0].socket.receive_str())
        state = self.dealt(game, seats, found, welcome["facts"]["deal"]["header"])
        self.opened.append(LoadedTable(state, players, self.chance).rest())
        return self.opened[-1]

    def dealt(self, game: str, seats: int, found: str, header: str) -> State:
        """Return the deal, from the seed in the room's database."""
        with self.engine.connect() as connection:
            seed = connection.execute(sa.select(tables.c.seed).where(tables.c.id == found)).scalar_one()
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
            f"{self.address}/api/tables/{table}/play?patches=1", headers={"Cookie": cookie}, max_msg_size=2**22
        )


@dataclass
class Load:
    """Tables that are played side by side; a table that is over is replaced by one in waiting."""

    waiting: list[LoadedTable]
    think: float
    asks: bool = False
    until: float = 0.0
    times: list[float] = field(default_factory=list)

    async def run(self, tables: int, seconds: float) -> float:
        """Play for so long, or until a table is over and none is in waiting; the seconds it took."""
        started = time.perf_counter()
        self.until = started + seconds
        await asyncio.gather(*(self.keep_playing() for _ in range(tables)))
        return time.perf_counter() - started

    async def keep_playing(self) -> None:
        table = await self.waiting.pop().wake()
        await asyncio.sleep(table.chance.random() * self.think)
        while time.perf_counter() < self.until:
            if table.state.over:
                if not self.waiting:
                    self.until = 0.0
                    return
                table.rest()
                table = await self.waiting.pop().wake()
            await table.move(self.times, self.asks)
            if self.think:
                await asyncio.sleep(self.think * (0.5 + table.chance.random()))


@asynccontextmanager
async def visiting(address: str, database: str) -> AsyncIterator[Visitors]:
    """Visit a room, with all visitors at a time."""
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, force_close=True), cookie_jar=aiohttp.DummyCookieJar()
    ) as http:
        visitors = Visitors(address, database, http)
        try:
            yield visitors
        finally:
            visitors.engine.dispose()
            for task in [task for table in visitors.opened for task in table.listening]:
                task.cancel()


async def measure(server: psutil.Process, address: str, database: str, game: str, kind: str, seconds: float) -> Figures:
    _, tables, think = LOADS[kind]
    async with visiting(address, database) as visitors:
        spare = 0 if think else math.ceil(tables * min(SPARE, SPARE_A_SECOND * seconds))
        load = Load([await visitors.table(game, GAMES[game]) for _ in range(tables + spare)], think, kind == UNDO)
        await settled(server)
        spent, received = spent_by(server), visitors.received
        took = await load.run(tables, seconds)
        spent, received = spent_by(server) - spent, visitors.received - received
        times, moves = sorted(load.times), len(load.times)
        p50, p99 = statistics.median(times) * 1000, times[int(moves * 0.99)] * 1000
        shown = statistics.median(
            size for table in visitors.opened for player in table.players for size in player.shown
        )
        return Figures(moves / took, p50, p99, spent / moves * 1e6, received / moves, shown, moves)


def spent_by(server: psutil.Process) -> float:
    """Return the processor seconds of a room with its workers and proxy."""
    return sum(sum(process.cpu_times()[:2]) for process in (server, *server.children(recursive=True)))


async def settled(server: psutil.Process) -> None:
    """Wait until the server has nothing to do: the rules are loaded when the first table is opened."""
    spent = -1.0
    while (now := spent_by(server)) > spent + 0.1:
        spent = now
        await asyncio.sleep(1)


async def memory_a_table(process: psutil.Process, address: str, database: str, game: str, tables: int = 400) -> float:
    """Return the kB of the server's memory for each table with its players connected, after forty moves."""
    async with visiting(address, database) as visitors:
        for _ in range(20):
            await play_some(await visitors.table(game, GAMES[game]))
        await settled(process)
        before = process.memory_info().rss
        for _ in range(tables):
            await play_some(await visitors.table(game, GAMES[game]))
        return (process.memory_info().rss - before) / tables / 1000


async def memory_after_games(process: psutil.Process, address: str, database: str, game: str) -> list[float]:
    """Return the MB of the server's memory after the first games, and after every `COUNTED` finished games that it
    unloads."""
    options = {"players": GAMES[game]} | SHORT.get(game, {})
    wishes = {"game": game, "chairs": ["greedy"] * GAMES[game], "options": options}
    found = []
    async with visiting(address, database) as visitors:
        for games in (AT_ONCE, *[COUNTED] * (FINISHED_GAMES // COUNTED)):
            waiting = iter(range(games))
            await asyncio.gather(*(watch_games(visitors, wishes, waiting) for _ in range(AT_ONCE)))
            await asyncio.sleep(UNLOADED)
            found.append(process.memory_info().rss / 1e6)
            print(f"{found[-1]:.1f}", end=" MB\n", file=sys.stderr, flush=True)
    return found


async def watch_games(visitors: Visitors, wishes: dict[str, Any], waiting: Iterator[int]) -> None:
    """Open one table after another, each as a new guest, and watch its bots until the game is over."""
    for _ in waiting:
        cookie = await visitors.come()
        table = (await visitors.post("/api/tables", wishes, cookie))["id"]
        async with await visitors.connect(table, cookie) as socket:
            while status_of(await socket.receive_str()) != "over":
                pass


def status_of(message: str) -> str:
    """Return the status of the table, if a message has it."""
    facts = json.loads(message).get("facts")
    return str(facts["status"]) if facts else ""


async def play_some(table: LoadedTable, moves: int = 40) -> None:
    await table.wake()
    while table.number < moves and not table.state.over:
        await table.move([])
    table.rest()


@contextmanager
def a_room(
    *program: str,
    python: str = sys.executable,
    database: str = "",
    workers: int = 1,
    share: float = 0.0,
    options: Sequence[str] = (),
) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """Start a room in another process, and return its address and the URL of its database, a new file unless one is
    given. `program` is the module that opens it, with its first arguments; `options` are those of `fairdeal serve`.
    Each worker has a `share` of a processor, if one is given."""
    with tempfile.TemporaryDirectory() as folder:
        database = database or f"sqlite:///{folder}/room.db"
        command = [python, "-m", *(program or ("fairdeal.cli",)), "serve", "--port", "0", "--pause", "0", *options]
        command += ["--workers", str(workers)] if workers > 1 else []
        with subprocess.Popen(
            [*command, "--database", database], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            try:
                assert server.stdout
                address = server.stdout.readline().split()[-1]
                wait_for(server, address)
                with limited(workers_of(psutil.Process(server.pid)), share) if share else nullcontext():
                    yield server, address, database
            finally:
                server.terminate()
                server.wait()


def workers_of(server: psutil.Process) -> list[int]:
    """Return the process ids of the workers of a room, or of the room if it has one process."""
    return [one.pid for one in server.children() if "spawn_main" in " ".join(one.cmdline())] or [server.pid]


@contextmanager
def limited(processes: Sequence[int], share: float) -> Iterator[None]:
    """Give each process a share of a processor, with a control group (Linux, as root)."""
    old = Path("/sys/fs/cgroup/cpu")
    groups = [(old if old.is_dir() else old.parent) / f"fairdeal-{process}" for process in processes]
    try:
        for group, process in zip(groups, processes, strict=True):
            group.mkdir()
            quota = f"{PERIOD * share:.0f}"
            if old.is_dir():
                (group / "cpu.cfs_period_us").write_text(str(PERIOD))
                (group / "cpu.cfs_quota_us").write_text(quota)
            else:
                (group / "cpu.max").write_text(f"{quota} {PERIOD}")
            (group / "cgroup.procs").write_text(str(process))
        yield
    finally:
        for group in groups:
            for process in (group / "cgroup.procs").read_text().split():
                (group.parent / "cgroup.procs").write_text(process)
            group.rmdir()


def wait_for(server: subprocess.Popen[str], address: str) -> None:
    """Wait until the room answers, which it says a moment before."""
    place = urlsplit(address)
    while server.poll() is None:
        try:
            return socket.create_connection((place.hostname, place.port)).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise SystemExit("the room has ended")


def a_turn(python: str, game: str, kind: str, seconds: float, **wishes: Any) -> Figures:
    """Return the figures of a new room under a load, run by this interpreter. `wishes` are those of `a_room`."""
    with a_room(python=python, **wishes) as (server, address, database):
        return uvloop.run(measure(psutil.Process(server.pid), address, database, game, kind, seconds))


@contextmanager
def checked_out(commit: str) -> Iterator[str]:
    """Check another commit out into a worktree, and yield the interpreter that runs it."""
    environment = {name: value for name, value in os.environ.items() if name not in NOT_THEIRS}
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder).resolve() / "checkout"
        try:
            git("worktree", "add", "--quiet", "--detach", str(there), commit)
            command = ["uv", "run", "--quiet", "--no-default-groups", "--project", str(there), "python", "-c", WHERE]
            answer = subprocess.run(command, cwd=there, env=environment, stdout=subprocess.PIPE, text=True, check=True)
            python, package = answer.stdout.splitlines()
            assert Path(package).is_relative_to(there), package
            yield python
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(there)], cwd=ROOT, check=False)


NOT_THEIRS = ("VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT", "PYTHONPATH")
"""Variables that would make another checkout use this one's packages."""

WHERE = "import sys, fairdeal; print(sys.executable, fairdeal.__file__, sep='\\n')"


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def compare(commit: str, games: Sequence[str], loads: Sequence[str], seconds: float, rounds: int) -> None:
    """Print a row of the other commit, one of this checkout (medians), and the ratios of each turn's pair: their
    median, least and most."""
    name = git("rev-parse", "--short", f"{commit}^{{commit}}")
    print(f"| load | room | {HEADS} |\n|---{'|---' * 8}|", flush=True)
    with checked_out(name) as theirs:
        for game in games:
            prepare(theirs, game)
            for kind in loads:
                pairs = []
                for _ in range(rounds):
                    pairs.append((a_turn(theirs, game, kind, seconds), a_turn(sys.executable, game, kind, seconds)))
                title = f"| {game} for {GAMES[game]}, {LOADS[kind][0]}"
                for room, rows in zip((name, "here"), zip(*pairs, strict=True), strict=True):
                    print(f"{title} | {room} | {Figures(*map(statistics.median, zip(*rows, strict=True)))} |")
                ratios = zip(*[[now / then for then, now in zip(*pair, strict=True)] for pair in pairs], strict=True)
                told = [f"{statistics.median(some):.2f} ({min(some):.2f} to {max(some):.2f})" for some in ratios]
                print(f"{title} | here / {name} | {' | '.join(told)} |", flush=True)


COMPILE = """import sys
try:
    from fairdeal.engine.compile.compiled import compiled
except ImportError:
    from fairdeal.engine.compiled import compiled
from fairdeal.engine.registry import find_game
compiled(find_game(sys.argv[1]))"""
"""Compiles a game, also in checkouts from before the module moved."""


def prepare(python: str, game: str) -> None:
    """Have the rules compiled for the players and for the room of this interpreter."""
    compiled.compiled(find_game(game))
    if python != sys.executable:
        subprocess.run([python, "-c", COMPILE, game], check=True)


def measure_here(games: Sequence[str], loads: Sequence[str], seconds: float, **wishes: Any) -> None:
    """Print a row for each game and load, then the memory of tables."""
    print(f"| load | {HEADS} |\n|---{'|---' * 7}|", flush=True)
    for game in games:
        prepare(sys.executable, game)
        for kind in loads:
            if kind in LOADS:
                row = a_turn(sys.executable, game, kind, seconds, **wishes)
                print(f"| {game} for {GAMES[game]}, {LOADS[kind][0]} | {row} |", flush=True)
    for game in games if MEMORY in loads else ():
        with a_room() as (server, address, database):
            size = uvloop.run(memory_a_table(psutil.Process(server.pid), address, database, game))
        print(f"Memory of a table of {game} for {GAMES[game]}, all connected: {size:.0f} kB", flush=True)


def measure_finished(games: Sequence[str]) -> None:
    """Print the memory of a room after every thousand finished games."""
    heads = [f"{number or AT_ONCE:,} games" for number in range(0, FINISHED_GAMES + 1, COUNTED)]
    print(f"| MB after | {' | '.join(heads)} |\n|---{'|---' * len(heads)}|", flush=True)
    for game in games:
        prepare(sys.executable, game)
        with a_room() as (server, address, database):
            found = uvloop.run(memory_after_games(psutil.Process(server.pid), address, database, game))
        print(f"| {game} for {GAMES[game]} | {' | '.join(f'{size:.1f}' for size in found)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=15, help="of play, for each row (15)")
    parser.add_argument("--games", default=",".join(GAMES), help="of %(default)s")
    parser.add_argument("--loads", default=",".join((*LOADS, MEMORY)), help="of %(default)s")
    parser.add_argument("--database", metavar="URL", default="", help="an empty database in PostgreSQL, for one load")
    parser.add_argument("--workers", type=int, default=1, help="processes of the room, with --database (1)")
    parser.add_argument("--share", type=float, default=0.0, help="of a processor for each worker (all of it)")
    parser.add_argument("--against", metavar="COMMIT", help="compare with the room of this commit, in turns")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of turns with --against (5)")
    chosen = parser.parse_args()
    games, loads = chosen.games.split(","), chosen.loads.split(",")
    known = *LOADS, MEMORY, FINISHED
    if not {*games} <= {*GAMES} or not {*loads} <= {*known}:
        parser.error(f"--games are of {', '.join(GAMES)}; --loads of {', '.join(known)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the room and the worktree go as after Ctrl-C
    if chosen.against:
        compare(chosen.against, games, [kind for kind in loads if kind in LOADS], chosen.seconds, chosen.rounds)
    else:
        if loads != [FINISHED]:
            wishes = {"database": chosen.database, "workers": chosen.workers, "share": chosen.share}
            measure_here(games, loads, chosen.seconds, **wishes)
        if FINISHED in loads:
            measure_finished(games)


if __name__ == "__main__":
    main()
