"""Bad lines to the room, for browsers and the terminal.

`FlakyWire` delays bytes and cuts connections. `SilentWire` falls silent without an end.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import threading
import time
from collections import Counter

DELAYED, LONGEST_DELAY = 0.15, 0.12
"""How often bytes are delayed, and for how many seconds at most."""


class Line:
    """A loopback port with an event loop in a thread of its own, which passes on bytes. Use it as a context manager."""

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


class FlakyWire(Line):
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


class SilentWire(Line):
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
            room_reader, room_writer = await asyncio.open_connection("127.0.0.1", self.room_port)
        except (OSError, EOFError):
            writer.transport.abort()
            return
        ways = self.carry(reader, room_writer), self.carry(room_reader, writer)
        await self.both(ways, (writer, room_writer))

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
