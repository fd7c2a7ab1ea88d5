"""A line to the room that falls silent without an end, for browsers and the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import threading


class SilentWire:
    """A loopback port with an event loop in a thread of its own, which passes on bytes. While it is hushed, it passes
    on nothing, but takes connections and closes none. What was opened before it speaks again stays silent for ever, as
    after a router has forgotten it. Use it as a context manager."""

    def __init__(self, room_port):
        self.room_port, self.port, self.connections = room_port, 0, 0
        self.hushed, self.silenced = False, set()
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
