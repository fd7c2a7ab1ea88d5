"""The play itself: a WebSocket a viewer. Every request is answered; what happens is told to all."""

from __future__ import annotations

import asyncio
import contextlib
import time

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from fairdeal.engine.errors import FairdealError
from fairdeal.server import messages as m
from fairdeal.server.answering import handle, speak
from fairdeal.server.live import Connection, LiveTable
from fairdeal.server.room import NoTable, Room

LONGEST_MESSAGE = 4096
LONGEST_ID = 64
MOST_WAITING = 256
"""Messages that may wait for a slow viewer; then the connection is closed, and he comes back for a fresh view."""

decoder = msgspec.json.Decoder(m.Requests)


class Allowance:
    """So many a second, and so many at once (a token bucket)."""

    def __init__(self, rate: float, at_once: float) -> None:
        self.rate, self.at_once = rate, at_once
        self.left, self.seen = at_once, time.monotonic()

    def spend(self) -> bool:
        now = time.monotonic()
        self.left = min(self.at_once, self.left + (now - self.seen) * self.rate)
        self.seen = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Sender:
    """Sends messages in order, as fast as the viewer takes them."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.waiting: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)

    def put(self, message: str) -> None:
        try:
            self.waiting.put_nowait(message)
        except asyncio.QueueFull:
            self.stop()

    def stop(self) -> None:
        while not self.waiting.empty():
            self.waiting.get_nowait()
        self.waiting.put_nowait(None)

    async def run(self) -> None:
        while (message := await self.waiting.get()) is not None:
            await self.socket.send_text(message)
        await self.socket.close(1013, "too slow; come back for a fresh view")


async def play(socket: WebSocket) -> None:
    """A connection from welcome to goodbye."""
    room: Room = socket.app.state.room
    guest = socket.app.state.guests.of(socket) or ""
    if not origin_is_ours(socket):
        await socket.close(1008, "this page may not play here")
        return
    try:
        live = await room.find(socket.path_params["table"])
    except NoTable as problem:
        await socket.accept()
        await socket.send_text(m.encoded(m.Refused(id="", reason=str(problem))))
        await socket.close(4404, "no such table")
        return
    await socket.accept()
    sender = Sender(socket)
    connection = Connection(guest, live.seat_of(guest) if guest else -1, sender.put)
    sending = asyncio.create_task(sender.run())
    live.connections.append(connection)
    try:
        await arrive(live, connection)
        await listen(socket, room, live, connection)
    finally:
        live.connections.remove(connection)
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):  # gone in mid-sentence
            await sending
        live.tell_facts()


async def arrive(live: LiveTable, connection: Connection) -> None:
    """Welcome somebody, with all he missed; his seat is his again."""
    async with live.lock:
        connection.send(
            m.Welcome(
                facts=live.facts(connection.guest),
                scene=live.scene(connection.seat),
                log=live.story(connection.seat),
                chat=tuple(live.chat),
                now=time.time(),
            )
        )
        for other in live.connections:
            if other is not connection:
                other.send(m.Table(facts=live.facts(other.guest)))
        if connection.seat >= 0 and not live.origin:
            await live.set_stand_in(live.places[connection.seat], on=False)


async def listen(socket: WebSocket, room: Room, live: LiveTable, connection: Connection) -> None:
    requests, lines = Allowance(200, 400), Allowance(1, 6)
    while True:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        if not requests.spend():
            connection.send(m.Refused(id="", reason="slower, please"))
            await asyncio.sleep(0.2)
            continue
        request = read(received.get("text") or "", connection)
        if request is None:
            continue
        if isinstance(request, m.Say):
            await say(room, live, connection, request, lines)
        elif isinstance(request, m.Rematch):
            try:
                async with live.lock:
                    await room.rematch(live, connection, request.nonce)
                connection.send(m.Done(id=request.id))
            except FairdealError as problem:
                connection.send(m.Refused(id=request.id, reason=str(problem)))
        else:
            await handle(live, connection, request)


def read(text: str, connection: Connection) -> m.Requests | None:
    """A request, or None if it is not one: then the sender was told why."""
    if len(text) > LONGEST_MESSAGE:
        connection.send(m.Refused(id="", reason=f"a message has at most {LONGEST_MESSAGE} characters"))
        return None
    try:
        request: m.Requests = decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        connection.send(m.Refused(id="", reason=f"not a request: {problem}"))
        return None
    if len(request.id) > LONGEST_ID:
        connection.send(m.Refused(id="", reason=f"an id has at most {LONGEST_ID} characters"))
        return None
    return request


async def say(room: Room, live: LiveTable, connection: Connection, request: m.Say, lines: Allowance) -> None:
    """Say a line once, however often it is sent; under the lock, so that a second copy waits for the first."""
    client = f"{connection.guest}:{request.id}" if connection.guest and request.id else ""
    async with live.lock:
        if client not in live.clients:
            if not lines.spend():
                connection.send(m.Refused(id=request.id, reason="that is a lot of talk; wait a moment"))
                return
            seated = connection.seat >= 0
            name = live.places[connection.seat].name if seated else await room.name_of(connection.guest)
            try:
                said = speak(live, connection, request.text, name)
            except FairdealError as problem:
                connection.send(m.Refused(id=request.id, reason=str(problem)))
                return
            await room.keep_line(live, said)
            live.remember(client, live.number)
        connection.send(m.Done(id=request.id))


def origin_is_ours(socket: WebSocket) -> bool:
    """Browsers say which page they come from; programs say nothing."""
    origin = socket.headers.get("origin")
    if origin is None:
        return True
    base = socket.app.state.base
    return origin.rpartition("//")[2] == socket.headers.get("host") or (bool(base) and origin == base)
