"""Live play over WebSockets, one for each viewer. Every request gets a response, and events are sent to all viewers."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from fairdeal.engine.compile import compiled
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.observe.layout import layout_of_scenes
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import find_game, version_of
from fairdeal.protocol import messages as m
from fairdeal.protocol.patches import Scenes
from fairdeal.server.api.http import EXCLUDED, EXCLUDED_HERE, address_of, check_seal, refused
from fairdeal.server.api.lessons import Lesson
from fairdeal.server.api.opening import form_rematch
from fairdeal.server.api.requests import ANSWERS, handle
from fairdeal.server.limits import Allowance, TooFast, TooMany
from fairdeal.server.long_work import Client
from fairdeal.server.room import NoTable, Room
from fairdeal.server.storage.store import NotSaved
from fairdeal.server.tables.audience import Connection
from fairdeal.server.tables.live import LiveTable
from fairdeal.table.lessons import LEARNER, Taught, find_script

LONGEST_MESSAGE = 4096
LONGEST_ID = 64
MOST_WAITING = 256
"""Maximum number of queued messages for a slow viewer. Beyond that, the connection is closed, and the client must
reconnect."""

MOST_REQUESTS = 16
"""Number of requests that wait for the one that is carried out, before the connection is read no further."""

TRY_AGAIN, RESTARTS, BANNED = 1013, 1012, 4403
"""Codes with which connections are closed: when the room is too busy, when the table will be back in a moment, and when
the guest is banned."""

IN_DOUBT = "reconnect, and repeat your requests"

decoder = msgspec.json.Decoder(m.Requests)


class Sender:
    """A queue that sends messages in order, as fast as the viewer receives them."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.waiting: deque[str] = deque()
        self.news = asyncio.Event()
        self.ends = ""  # the reason to close the connection

    def put(self, message: str) -> None:
        if len(self.waiting) < MOST_WAITING:
            self.waiting.append(message)
        else:
            self.end("too slow; reconnect to go on")
        self.news.set()

    def end(self, reason: str, code: int = TRY_AGAIN) -> None:
        self.ends, self.code = reason, code
        self.news.set()

    async def run(self) -> None:
        """Send messages until the end, or until the client has disconnected. That error must not end the task, or it
        and the frames that await it would form a reference cycle."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while not self.ends:
                if self.waiting:
                    await self.socket.send_text(self.waiting.popleft())
                else:
                    self.news.clear()
                    await self.news.wait()
            await self.socket.close(self.code, self.ends)


Attend = Callable[[WebSocket, Room, str, str], Awaitable[None]]


async def play(socket: WebSocket) -> None:
    """Serve a connection to a table, or reject it before it is accepted."""
    await let_in(socket, attend)


async def learn(socket: WebSocket) -> None:
    """Serve a connection to a lesson. `?step=4` starts at a later step, for clients that reconnect."""
    await let_in(socket, be_taught)


async def let_in(socket: WebSocket, attend: Attend) -> None:
    """Accept a connection that is within its limits, or reject it. `attend` is called with the socket, the room, the
    guest and the address."""
    room: Room = socket.app.state.room
    guest, address = socket.app.state.guests.of(socket, room.house.epochs) or "", address_of(socket)
    if foreign := socket.app.state.reach.foreign(socket):
        await socket.send_denial_response(refused(foreign, 403))
        return
    try:
        with room.limits.connection(guest, address):
            if guest in room.house.banned or room.house.bars(address):
                await turn_away(socket, EXCLUDED, BANNED, EXCLUDED)
                return
            await attend(socket, room, guest, address)
    except (TooFast, TooMany) as problem:
        await socket.send_denial_response(refused(str(problem), 429, problem.wait))
    except WebSocketDisconnect:  # disconnected while a message was sent
        return


async def attend(socket: WebSocket, room: Room, guest: str, address: str) -> None:
    """Serve a viewer of a table. Raises TooFast, before the connection is accepted, if the room is too busy to put the
    log into words."""
    try:
        live = await room.find(socket.path_params["table"])
        check_seal(live, guest)
    except NoTable as problem:
        await turn_away(socket, problem, 4404, "no such table")
        return
    except FairdealError as problem:
        code = RESTARTS if isinstance(problem, NotSaved) else TRY_AGAIN
        await turn_away(socket, problem, code, "not now; reconnect later")
        return
    if (live.id, guest) in room.house.excluded:
        await turn_away(socket, EXCLUDED_HERE, BANNED, EXCLUDED_HERE)
        return
    await room.stories.prepare(live, seat_of(live, guest), Client.of(guest, address))
    async with connected(socket, room, guest, address) as connection:
        connection.seat = seat_of(live, guest)
        live.audience.connections.append(connection)
        live.note_here()
        try:
            try:
                await arrive(room, live, connection)
            except NotSaved:
                connection.hang_up()
            await listen(socket, room, live, connection)
        finally:
            live.audience.part(connection)
            live.note_here()
            live.look_at_presence()
            if live.pace.is_still:
                with contextlib.suppress(NotSaved):  # at the next load, the clocks continue from the last entry
                    await live.keep_rest()
            if connection.seat >= 0 and live.seats.ready and not live.rematch:
                with contextlib.suppress(FairdealError):  # the others may have waited for the one who left
                    async with live.changing():
                        await form_rematch(room, live)
            live.tell_facts()


async def be_taught(socket: WebSocket, room: Room, guest: str, address: str) -> None:
    """Serve a learner in a lesson."""
    game, name = socket.path_params["game"], socket.path_params["lesson"]
    step = socket.query_params.get("step", "")
    try:
        taught = Taught(find_script(game, name), int(step) - 1 if step.isdecimal() and len(step) < 3 else 0)
    except FairdealError as problem:
        await turn_away(socket, problem, 4404, "no such lesson")
        return
    if room.compiles:
        compiled.compile_in_background(find_game(game))
    async with connected(socket, room, guest, address) as connection, asyncio.TaskGroup() as tasks:
        connection.seat = LEARNER
        lesson = Lesson(room, name, taught, connection)
        lesson.welcome()
        going_on = tasks.create_task(lesson.go_on())
        await listen(socket, room, lesson, connection)
        going_on.cancel()


async def turn_away(socket: WebSocket, problem: FairdealError | str, code: int, reason: str) -> None:
    """Send the reason for rejecting a connection, and close it."""
    await socket.accept()
    await socket.send_text(m.encoded(m.Refused(id="", reason=str(problem))))
    await socket.close(code, reason)


@contextlib.asynccontextmanager
async def connected(socket: WebSocket, room: Room, guest: str, address: str) -> AsyncIterator[Connection]:
    """Accept a connection, and send its messages while the context is active."""
    await socket.accept()
    sender = Sender(socket)
    sending = asyncio.create_task(sender.run())
    scenes = Scenes() if socket.query_params.get("patches") == "1" else None
    connection = Connection(
        guest, SPECTATOR, sender.put, address, lambda: sender.end(IN_DOUBT, RESTARTS), sender.waiting, scenes=scenes
    )
    room.connections.add(connection)
    try:
        yield connection
    finally:
        room.connections.discard(connection)
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sending


def seat_of(live: LiveTable, guest: str) -> int:
    """Return a guest's seat, or SPECTATOR. A program without a token has no seat."""
    return live.seats.of(guest) if guest else SPECTATOR


async def arrive(room: Room, live: LiveTable, connection: Connection) -> None:
    """Send the complete table to a new viewer, and give a returning guest their seat back."""
    async with live.lock:
        await live.check_owner()
        live.look_at_presence()
        live.tell_facts()
        connection.welcomed = True
        moment, lines = live.covered(connection.seat), room.stories.lines(live, connection.seat)
        if live.sitting:
            connection.show(moment, live.sitting)
        connection.send(
            m.Welcome(
                facts=live.facts(connection.guest),
                scene=live.scene(connection.seat),
                log=live.audience.story(live.sitting, connection.seat, lines) if live.sitting else (),
                chat=tuple(live.audience.chat),
                now=time.time(),
                chain=moment.chain[connection.seat] if moment else live.chain_for(connection.seat),
                protocol=m.PROTOCOL,
                layout="" if live.unreadable else layout_of_scenes(find_game(live.terms.game)),
                epoch=live.tenure.epoch if live.tenure else 0,
                pause=room.pause,
                version=version_of(live.terms.game),
            )
        )
        if connection.seat >= 0:
            await live.set_stand_in(live.seats[connection.seat], on=False)


class Answering:
    """The responses to the requests of a connection, which are carried out one after the other. Requests that take time
    and change nothing, such as hints, run in separate tasks. Pings are answered at once: they ask whether the room is
    there, not whether it is busy."""

    def __init__(self, room: Room, live: LiveTable | Lesson, connection: Connection) -> None:
        self.room, self.live, self.connection = room, live, connection
        self.waiting: deque[m.Requests] = deque()
        self.in_order: asyncio.Task[None] | None = None
        self.beside: set[asyncio.Task[None]] = set()

    async def answer(self, request: m.Requests) -> None:
        """Answer a request, or let it wait for the others. Return once there is room for the next one."""
        if isinstance(request, m.Ping):
            await handle(self.room, self.live, self.connection, request)
            return
        self.waiting.append(request)
        if len(self.waiting) == 1:  # after an error, requests wait until the connection ends
            self.in_order = asyncio.create_task(self.carry_out())
        elif len(self.waiting) > MOST_REQUESTS and self.in_order:
            await asyncio.wait({self.in_order})

    async def carry_out(self) -> None:
        """Carry out the requests that wait, until there are none."""
        connection = self.connection
        connection.busy = True
        try:
            while self.waiting:
                request = self.waiting[0]
                answer = handle(self.room, self.live, connection, request)
                if ANSWERS[type(request)].beside(request):
                    task = asyncio.create_task(answer)
                    self.beside.add(task)
                    task.add_done_callback(self.beside.discard)
                else:
                    await answer
                self.waiting.popleft()
        except Exception:
            connection.hang_up()
            raise
        finally:
            connection.busy = False

    def cancel(self) -> None:
        """Cancel all that has not been carried out."""
        for task in [*self.beside, *filter(None, [self.in_order])]:
            task.cancel()


async def listen(socket: WebSocket, room: Room, live: LiveTable | Lesson, connection: Connection) -> None:
    """Respond to the requests of a connection until it ends."""
    answering = Answering(room, live, connection)
    try:
        await receive(socket, answering)
        if answering.in_order:  # those that were received before the connection ended
            await answering.in_order
    finally:
        answering.cancel()


async def receive(socket: WebSocket, answering: Answering) -> None:
    requests, connection = Allowance(200, 400), answering.connection
    while True:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect" or connection.guest in answering.room.house.banned:
            return
        if not requests.spend():
            connection.send(m.Refused(id="", reason="too many requests"))
            await asyncio.sleep(0.2)
            continue
        try:
            request = read(received.get("text") or "")
        except FairdealError as problem:
            connection.send(m.Refused(id="", reason=str(problem)))
        else:
            await answering.answer(request)


def read(text: str) -> m.Requests:
    """Decode a request. Raises FairdealError if it is invalid."""
    if len(text) > LONGEST_MESSAGE:
        raise FairdealError(f"a message can have at most {LONGEST_MESSAGE} characters")
    try:
        request: m.Requests = decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise FairdealError(f"not a request: {problem}") from None
    if len(request.id) > LONGEST_ID:
        raise FairdealError(f"an id can have at most {LONGEST_ID} characters")
    if "\0" in request.id:  # which PostgreSQL cannot store
        raise FairdealError("an id cannot contain NUL")
    return request
