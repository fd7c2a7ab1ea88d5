"""A bad line to the room, and a client that plays over it all the same.

`LossyLine` passes on the messages of WebSockets and drops, delays, doubles and swaps some of them; now and then it cuts
a connection. `FlakyWire` passes on bytes, so that browsers can use it: it delays them and cuts connections. `Device`
passes on bytes from an address of its own, until it is out of range.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import threading
import time
from collections import Counter

from websockets.asyncio.client import connect as connect_on
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from fairdeal.engine.records import SPECTATOR
from tests.server.histories import History
from tests.server.test_play import step

DROPPED, DOUBLED, DELAYED, CUT = 0.06, 0.06, 0.15, 0.015
"""How often something happens to a message."""

LONGEST_DELAY = 0.12
PATIENCE = 0.1
"""Seconds until a client asks again. Some delays are longer."""

LONGEST_GAME = 300.0
LINES = 6
"""Lines of chat that a client says: so many the room takes at once."""

LARGEST_MESSAGE = 2**22


class Line:
    """A loopback port with an event loop in a thread of its own. Use it as a context manager."""

    def __init__(self, room_port, seed):
        self.room_port, self.seed = room_port, seed
        self.port = 0
        self.happened = Counter()
        self.connections = 0
        self.ways = set()
        self.joined = 0  # connections that are not over
        self.opened = threading.Event()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run()), daemon=True)
        self.thread.start()
        assert self.opened.wait(10), "the line does not open"
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.closing.set)
        self.thread.join(10)
        assert not self.thread.is_alive(), "the line does not close"

    async def run(self):
        self.loop, self.closing = asyncio.get_running_loop(), asyncio.Event()
        async with self.listening():
            self.opened.set()
            await self.closing.wait()
            for _ in range(500):  # or asyncio logs that their tasks were cancelled
                if not self.ways and not self.joined:
                    break
                for way in self.ways:
                    way.cancel()
                await asyncio.sleep(0.01)

    def listening(self):
        """Listens while it is open, and knows its port."""
        raise NotImplementedError

    def cut(self):
        """Cut all connections."""
        self.happened["cut"] += 1
        self.loop.call_soon_threadsafe(lambda: [way.cancel() for way in self.ways])

    async def both(self, ways, ends):
        """Carry both ways until one of them stops or the line is closed, and abort both ends."""
        tasks = [asyncio.create_task(way) for way in ways]
        self.ways |= {*tasks}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.ways -= {*tasks}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for end in ends:
                end.transport.abort()

    def chance(self, way):
        """The chance of one way of the newest connection."""
        return random.Random(f"{self.seed} {self.connections} {way}")


class LossyLine(Line):
    """Drops, delays, doubles and swaps the messages of WebSockets, both ways, and cuts connections; unless it is `good`
    and does so only when it is told to."""

    def __init__(self, room_port, seed, good=False):
        super().__init__(room_port, seed)
        self.good = good

    @contextlib.asynccontextmanager
    async def listening(self):
        async with serve(self.join, "127.0.0.1", 0, max_size=LARGEST_MESSAGE, close_timeout=1) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            yield

    async def join(self, guest):
        """Connect somebody with the room until one of them goes or the line is cut."""
        assert guest.request is not None
        self.connections += 1
        to_room, to_guest = self.chance("to the room"), self.chance("to the guest")
        address = f"ws://127.0.0.1:{self.room_port}{guest.request.path}"
        headers = {"Cookie": guest.request.headers.get("Cookie", "")}
        try:
            opening = connect_on(address, additional_headers=headers, max_size=LARGEST_MESSAGE, close_timeout=1)
            async with opening as room:
                ways = self.carry(guest, room, to_room), self.carry(room, guest, to_guest)
                await self.both(ways, (guest, room))
        except (OSError, EOFError, TimeoutError, InvalidHandshake):
            await asyncio.sleep(0.02)  # the room is not there

    async def carry(self, source, target, chance):
        """Carry messages one way. A delayed one is overtaken by those behind it."""
        underway = set()
        try:
            async for message in source:
                if self.good:
                    await target.send(message)
                    continue
                if chance.random() < CUT:
                    self.happened["cut"] += 1
                    return
                if chance.random() < DROPPED:
                    self.happened["dropped"] += 1
                    continue
                copies = 1 + (chance.random() < DOUBLED)
                self.happened["doubled"] += copies - 1
                for _ in range(copies):
                    delay = chance.uniform(0, LONGEST_DELAY) if chance.random() < DELAYED else 0.0
                    if delay:
                        self.happened["delayed"] += 1
                        task = asyncio.create_task(late(target, message, delay))
                        underway.add(task)
                        task.add_done_callback(underway.discard)
                    else:
                        self.happened["overtaken"] += bool(underway)
                        await target.send(message)
        except ConnectionClosed:
            pass
        finally:
            for task in underway:
                task.cancel()


async def late(target, message, delay):
    await asyncio.sleep(delay)
    with contextlib.suppress(ConnectionClosed):
        await target.send(message)


class RawLine(Line):
    """Passes on bytes, so that browsers can use it."""

    @contextlib.asynccontextmanager
    async def listening(self):
        server = await asyncio.start_server(self.counted, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()

    async def counted(self, reader, writer):
        self.joined += 1
        try:
            await self.join(reader, writer)
        finally:
            self.joined -= 1


class FlakyWire(RawLine):
    """Passes on bytes, some of them late; WebSockets are cut after a while. `cuts` counts down to a line that holds."""

    def __init__(self, room_port, seed, cuts, longest):
        super().__init__(room_port, seed)
        self.cuts, self.longest = cuts, longest

    async def join(self, reader, writer):
        self.connections += 1
        to_room, to_guest = self.chance("to the room"), self.chance("to the guest")
        room_reader, room_writer = await asyncio.open_connection("127.0.0.1", self.room_port)
        ways = self.carry(reader, room_writer, to_room), self.carry(room_reader, writer, to_guest)
        await self.both(ways, (writer, room_writer))

    async def carry(self, reader, writer, chance):
        ends = 0.0
        with contextlib.suppress(OSError):
            while not ends or time.monotonic() < ends:
                wait = ends - time.monotonic() if ends else None
                try:
                    content = await asyncio.wait_for(reader.read(65536), wait)
                except TimeoutError:
                    break
                if not content:
                    return
                if re.match(rb"GET \S+/play[? ]", content) and self.cuts > 0:
                    self.cuts -= 1
                    ends = time.monotonic() + chance.uniform(self.longest / 4, self.longest)
                if chance.random() < DELAYED:
                    self.happened["delayed"] += 1
                    await asyncio.sleep(chance.uniform(0, LONGEST_DELAY))
                writer.write(content)
                await writer.drain()
            self.happened["cut"] += 1


class SilentWire(RawLine):
    """Passes on bytes and, while it is hushed, nothing: it takes connections and closes none. What was opened before it
    speaks again stays silent for ever, as after a router has forgotten it."""

    def __init__(self, room_port):
        super().__init__(room_port, seed=0)
        self.hushed = False
        self.silenced = set()

    def hush(self):
        self.hushed = True
        self.silenced |= self.ways

    def speak(self):
        self.hushed = False

    async def join(self, reader, writer):
        self.connections += 1
        try:
            room_reader, room_writer = await self.reach(reader, writer)
        except (OSError, EOFError):
            writer.transport.abort()
            return
        ways = self.carry(reader, room_writer), self.carry(room_reader, writer)
        await self.both(ways, (writer, room_writer))

    async def reach(self, reader, writer):
        """A connection to the room."""
        return await asyncio.open_connection("127.0.0.1", self.room_port)

    async def carry(self, reader, writer):
        way = asyncio.current_task()
        if self.hushed:
            self.silenced.add(way)
        with contextlib.suppress(OSError):
            while content := await reader.read(65536):
                if way not in self.silenced:
                    writer.write(content)
                    await writer.drain()
            if way in self.silenced:
                await asyncio.Event().wait()  # the other end does not hear of the end, either


def cookie_of(guest):
    return "; ".join(f"{name}={value}" for name, value in guest.http.cookies.items())


class PatientGuest:
    """Plays over a bad line: asks again under the same id until it is answered, comes back when the connection is
    lost, and keeps the scene with the highest number. Its `history` has all that it asked and heard. `gives_up` is the
    share of requests without an answer that it forgets."""

    def __init__(self, name, address, cookie, table, chance, seat=SPECTATOR, gives_up=0.0):
        self.name, self.cookie, self.table, self.chance = name, cookie, table, random.Random(chance)
        self.gives_up = gives_up
        self.address, self.scene = address, {"seq": -1}
        self.history = History(name, seat, cookie.partition("=")[2].rpartition(".")[0])
        self.said, self.sent = [], []
        self.stale = self.count = 0
        self.ends, self.has_enough = time.monotonic() + LONGEST_GAME, False
        self.stack = contextlib.ExitStack()
        self.connect()

    def connect(self):
        self.stack.close()
        while True:
            assert time.monotonic() < self.ends, f"{self.name} does not come through"
            self.history.comes()
            try:
                opening = connect(
                    f"{self.address.replace('http', 'ws')}/api/tables/{self.table}/play",
                    additional_headers={"Cookie": self.cookie},
                    open_timeout=5,
                    close_timeout=0.1,
                    max_size=LARGEST_MESSAGE,
                )
                self.socket = self.stack.enter_context(opening)
                return
            except (OSError, EOFError, TimeoutError, InvalidHandshake, ConnectionClosed):
                time.sleep(0.02)

    # --- messages -------------------------------------------------------------------------------------------

    def hear(self, timeout=PATIENCE):
        """The next message; None if none comes in time, or the connection was lost and is back."""
        assert time.monotonic() < self.ends, f"{self.name} waits in vain at number {self.scene['seq']}"
        try:
            message = json.loads(self.socket.recv(timeout=timeout))
        except TimeoutError:
            return None
        except (ConnectionClosed, OSError, EOFError):
            self.connect()
            return None
        self.history.hears(message)
        scene = message.get("scene")
        if scene and not scene.get("draft"):
            self.stale += scene["seq"] < self.scene["seq"]
            self.scene = max(scene, self.scene, key=lambda one: one["seq"])
        return message

    def ask(self, kind, **facts):
        """Ask until there is an answer."""
        self.count += 1
        self.sent.append({"type": kind, "id": f"{self.name}-{self.count}", **facts})
        return self.repeat(self.sent[-1])

    def repeat(self, request):
        while True:
            self.history.asks(**request)
            with contextlib.suppress(ConnectionClosed, OSError):
                self.socket.send(json.dumps(request))
            until = time.monotonic() + PATIENCE
            while (left := until - time.monotonic()) > 0:
                message = self.hear(left)
                if message is None:
                    break
                if message.get("id") == request["id"]:
                    return message
            if self.chance.random() < self.gives_up:
                return {"type": "nothing"}

    # --- playing --------------------------------------------------------------------------------------------

    def give_up(self):
        """From another thread: end with an error instead of waiting on."""
        self.ends = 0.0

    def play_out(self):
        """Play, or only look on, until the game is over or this guest has enough. Close the connection in any case."""
        try:
            while self.scene.get("mode") != "over" and not self.has_enough:
                if (self.scene.get("prompt") or {}).get("mode") == "yours":
                    self.step()
                elif self.hear() is None:
                    self.ask("draft")
        finally:
            self.stack.close()

    def step(self):
        """Follow choices at random to the end of a move; take some moves back where that is possible."""
        answer = step(self, self.chance)
        if answer["type"] == "done":
            if len(self.said) < LINES and self.chance.random() < 0.3:
                self.say(f"{self.name} has made move {answer['seq']}")
            if self.chance.random() < 0.2:
                self.ask("undo", seq=answer["seq"])
            if self.chance.random() < 0.1:
                self.repeat(self.chance.choice(self.sent[-8:]))
            while self.scene["seq"] < answer["seq"]:
                self.ask("draft")
        else:
            self.hear(0.05)  # the room may be unable to save for a while

    def say(self, line):
        if self.ask("say", text=line)["type"] == "done":
            self.said.append(line)


def without_presence(scene):
    """A scene without what has no number: who is here, and how long the clocks still run, and what is
    told again to whoever comes back."""
    here = {"state": "here", "clock": None}
    seats = [{**seat, **here} if seat.get("state") in (None, "here", "away") else seat for seat in scene["seats"]]
    return {name: value for name, value in scene.items() if name != "recap"} | {"seats": seats}
