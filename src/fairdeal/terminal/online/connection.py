"""The connection to a room's table. It reconnects automatically, and repeats unanswered requests with their old ids, so
that the room carries out each request only once. A connection may fall silent without an end, so it asks whether the
room is there when it has received nothing for a while."""

import asyncio
import math
import random
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from fairdeal.protocol import messages as m
from fairdeal.protocol.messages import Messages, Request, decoded, encoded
from fairdeal.protocol.patches import Scenes
from fairdeal.terminal.online.asking import untrusted

FIRST_WAIT, LONGEST_WAIT = 0.25, 8.0
"""Initial and maximum delay before reconnecting, in seconds; the delay doubles each time."""

LONGEST_RESTART, RESTART_WAIT = 60.0, 1.0
"""Maximum duration of a restart of the room, and maximum delay before reconnecting during it, in seconds."""

NO_SUCH_TABLE, BANNED, RESTARTS = 4404, 4403, 1012
ENDS = {NO_SUCH_TABLE: "This table no longer exists.", BANNED: "The keeper of this room has excluded you."}
"""Codes with which a room closes a connection for good, with the reason."""

LOST = "The connection is lost; trying again."
RESTARTING = "The room restarts; back in a moment."

LARGEST_MESSAGE = 2**22


OPENING, LONGEST_OPENING = 5.0, 20.0
"""Time, in seconds, after which a new connection without a message is given up. It doubles after each such attempt, up
to the maximum, because a room that has just restarted is slow."""

SLOWER, SLOWEST = 3.0, 12.0
"""Factor by which a response to a ping may take longer than the last one, and its maximum time in seconds."""


class Asked(NamedTuple):
    """A request without a response: its type, its text, when it was sent last, and whether somebody waits for it."""

    kind: type[Request]
    text: str
    at: float
    is_awaited: bool


class Unredirected(connect):
    """A connection that does not follow redirects, because the cookie is for one room only."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


class Connection:
    """A connection to a table. `hear` is called with every message, and `lost` whenever the connection breaks; both
    functions return whether to continue. `record` is called first, with each message and the number of its
    connection."""

    def __init__(
        self,
        hear: Callable[[str | bytes], bool],
        lost: Callable[[], bool],
        record: Callable[[Messages, int], None] = lambda message, number: None,
    ) -> None:
        self.hear = hear
        self.lost = lost
        self.record = record
        self.number = 0  # number of connections until now
        self.asked: dict[str, Asked] = {}
        self.client = secrets.token_hex(6)
        self.count = 0
        self.socket: ClientConnection | None = None
        self.welcomed = False
        self.gone = ""  # why the room has closed the connection for good
        self.untrusted = ""  # why the certificate that the room has shown last is not valid
        self.restarted = -math.inf  # when the room closed a connection because it restarts
        self.scenes = Scenes()
        self.ping = "", 0.0  # id and time of the ping after which nothing was received
        self.pinged = "", 0.0  # those of the last ping without a response
        self.took = 0.0  # seconds until the response to a ping
        self.wait, self.hung = FIRST_WAIT, 0  # delay before reconnecting, and attempts in a row without a message
        self.ahead = time.time() - time.monotonic()  # what the room's time is ahead of the monotonic clock
        self.is_stale = False  # whether a patch did not fit the last scene

    @property
    def restarts(self) -> bool:
        """Whether the room has said that it restarts, and has not taken too long."""
        return time.monotonic() - self.restarted < LONGEST_RESTART

    @property
    def trouble(self) -> str:
        """Why there is no connection, while it is tried again."""
        if self.untrusted:
            return f"The certificate of the room is not valid: {self.untrusted}; trying again."
        return RESTARTING if self.restarts else LOST

    async def listen(self, address: str, cookie: str) -> None:
        """Receive messages, and reconnect when the connection is lost, until the room closes it for good."""
        while not self.gone:
            code, at_once, self.untrusted = None, False, ""
            try:
                socket = await Unredirected(
                    address,
                    additional_headers={"Cookie": cookie},
                    max_size=LARGEST_MESSAGE,
                    open_timeout=self.opening,
                    close_timeout=1,
                    ping_interval=None,
                )
                self.number += 1
                try:
                    if not await self.receive(socket):
                        await socket.close()
                        return
                    at_once = not self.is_stale
                finally:
                    socket.transport.abort()  # nobody waits for the end of a silent connection
            except (OSError, WebSocketException) as problem:
                self.hung += isinstance(problem, TimeoutError)
                self.untrusted = untrusted(problem)
                if isinstance(problem, ConnectionClosed) and problem.rcvd:
                    code = problem.rcvd.code
            self.gone = ENDS.get(code or 0, "")
            if code == RESTARTS:
                self.restarted = time.monotonic()
            self.socket, self.welcomed = None, False
            self.scenes, self.is_stale, self.ping = Scenes(), False, ("", 0.0)
            if not self.lost():
                return
            if not at_once:
                await asyncio.sleep(self.wait * random.uniform(0.75, 1.25))
                self.wait = min(self.wait * 2, RESTART_WAIT if self.restarts else LONGEST_WAIT)

    @property
    def opening(self) -> float:
        """The time, in seconds, within which a new connection must have its first message."""
        return min(LONGEST_OPENING, OPENING * 2.0**self.hung)

    async def receive(self, socket: ClientConnection) -> bool:
        """Receive messages until the connection is silent, or has missed a scene. Return whether to reconnect. Raises
        ConnectionClosed at its end."""
        while not self.is_stale:
            id_, _ = self.ping
            patience = self.patience if id_ else m.QUIET if self.welcomed else self.opening
            try:
                async with asyncio.timeout(patience):
                    text = await socket.recv()
            except TimeoutError:
                if id_ or not self.welcomed:
                    self.hung += not self.welcomed
                    return True
                self.count += 1
                self.ping = self.pinged = f"{self.client}-{self.count}", time.monotonic()
                await socket.send(encoded(m.Ping(id=self.ping[0])))
                continue
            self.ping = "", 0.0
            if self.answers_ping(text):
                continue
            if not self.hear(text):
                return False
            if self.socket is None and self.welcomed:
                self.wait, self.restarted, self.hung = FIRST_WAIT, -math.inf, 0
                await self.arrive(socket)
        return True

    @property
    def patience(self) -> float:
        """The time, in seconds, to wait for the answer to a ping: on a slow line longer than usual."""
        return max(m.ANSWER, min(SLOWEST, SLOWER * self.took))

    def answers_ping(self, text: str | bytes) -> bool:
        """Return whether a message is the response to the last ping. It contains the room's time."""
        identity, at = self.pinged
        quoted = f'"{identity}"'
        if not identity or (quoted not in text if isinstance(text, str) else quoted.encode() not in text):
            return False
        message = decoded(text)
        if not isinstance(message, m.Done | m.Refused) or message.id != identity:
            return False
        self.pinged, self.took = ("", 0.0), time.monotonic() - at
        if isinstance(message, m.Done):
            self.learn_time(message.now, self.took)
        return True

    @property
    def room_time(self) -> float:
        """The room's Unix time. The clock of this machine may be wrong, or may be set in the meantime."""
        return time.monotonic() + self.ahead

    def learn_time(self, sent: float, took: float = 0.0) -> None:
        """Learn the room's time, which is now up to `took` seconds later. Older rooms send 0."""
        later = self.room_time - sent
        if sent and not 0 <= later <= took:
            self.ahead += took / 2 - later

    @property
    def waits(self) -> bool:
        """Whether the room has not responded in time to a request, or to a ping."""
        sent = [one.at for one in self.asked.values() if one.is_awaited]
        sent += [self.ping[1]] if self.ping[0] else []
        return self.welcomed and bool(sent) and time.monotonic() - min(sent) >= m.WAITS

    def decoded(self, text: str | bytes) -> Messages:
        """Decode a message. Raises msgspec.DecodeError if it is unknown or invalid. If it is a patch that does not fit
        the last scene, the connection is closed, because the room sends the whole scene after reconnecting."""
        message = decoded(text)
        self.record(message, self.number)
        try:
            whole = self.scenes.whole(message)
            if message is not whole and len(encoded(whole)) > LARGEST_MESSAGE:
                raise msgspec.DecodeError("the scene is too large")
        except msgspec.DecodeError:
            self.is_stale = True
            raise
        return whole

    async def arrive(self, socket: ClientConnection) -> None:
        """Repeat unanswered requests after connecting."""
        self.socket, now = socket, time.monotonic()
        self.asked = {identity: one._replace(at=now) for identity, one in self.asked.items()}
        for one in list(self.asked.values()):
            await socket.send(one.text)

    def asking(self, request: Request) -> str:
        """Return the text of a request with a new id, and record the request as unanswered."""
        self.count += 1
        identity = f"{self.client}-{self.count}"
        text = encoded(request.replaced(id=identity))
        self.asked[identity] = Asked(
            type(request), text, time.monotonic(), not (isinstance(request, m.Hint) and request.look)
        )
        return text

    def answered(self, identity: str) -> type[Request] | None:
        """Return the type of the request that has been answered, or None if no request with this id is unanswered."""
        one = self.asked.pop(identity, None)
        return one.kind if one else None

    def waits_for(self, *kinds: type[Request]) -> bool:
        """Return whether any request of these types is unanswered."""
        return any(one.kind in kinds for one in self.asked.values())

    async def send(self, text: str) -> bool:
        """Send a request immediately. Return False if there is no connection; the request is then sent after
        reconnecting."""
        if self.socket is None:
            return False
        try:
            await self.socket.send(text)
        except ConnectionClosed:
            self.socket = None
        return True

    async def close(self) -> None:
        if self.socket:
            await self.socket.close()
