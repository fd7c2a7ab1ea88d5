"""The connection to a room's table. It reconnects automatically, and repeats unanswered requests with their old ids, so
that the room carries out each request only once."""

from __future__ import annotations

import asyncio
import math
import random
import secrets
import time
from collections.abc import Callable

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from fairdeal.protocol.messages import Messages, Request, decoded, encoded
from fairdeal.protocol.patches import Scenes

FIRST_WAIT, LONGEST_WAIT = 0.25, 8.0
"""Initial and maximum delay before reconnecting, in seconds; the delay doubles each time."""

LONGEST_RESTART, RESTART_WAIT = 60.0, 1.0
"""Maximum duration of a restart of the room, and maximum delay before reconnecting during it, in seconds."""

NO_SUCH_TABLE, BANNED, RESTARTS = 4404, 4403, 1012
ENDS = {NO_SUCH_TABLE: "This table no longer exists.", BANNED: "The keeper of this room has excluded you."}
"""Codes with which a room closes a connection for good, with the reason."""

LARGEST_MESSAGE = 2**22


class Unredirected(connect):
    """A connection that does not follow redirects, because the cookie is for one room only."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


class Connection:
    """A connection to a table. `hear` is called with every message, and `lost` whenever the connection breaks; both
    functions return whether to continue."""

    def __init__(self, hear: Callable[[str | bytes], bool], lost: Callable[[], bool]) -> None:
        self.hear = hear
        self.lost = lost
        self.asked: dict[str, tuple[type[Request], str]] = {}
        self.client = secrets.token_hex(6)
        self.count = 0
        self.socket: ClientConnection | None = None
        self.welcomed = False
        self.gone = ""  # why the room has closed the connection for good
        self.restarted = -math.inf  # when the room closed a connection because it restarts
        self.scenes = Scenes()
        self.is_stale = False  # whether a patch did not fit the last scene

    @property
    def restarts(self) -> bool:
        """Whether the room has said that it restarts, and has not taken too long."""
        return time.monotonic() - self.restarted < LONGEST_RESTART

    async def listen(self, address: str, cookie: str) -> None:
        """Receive messages, and reconnect when the connection is lost, until the room closes it for good."""
        wait = FIRST_WAIT
        while not self.gone:
            code = None
            try:
                async with Unredirected(
                    address, additional_headers={"Cookie": cookie}, max_size=LARGEST_MESSAGE, close_timeout=1
                ) as socket:
                    async for text in socket:
                        if not self.hear(text):
                            return
                        if self.is_stale:
                            break
                        if self.socket is None and self.welcomed:
                            wait, self.restarted = FIRST_WAIT, -math.inf
                            await self.arrive(socket)
            except (OSError, WebSocketException) as problem:
                if isinstance(problem, ConnectionClosed) and problem.rcvd:
                    code = problem.rcvd.code
            self.gone = ENDS.get(code or 0, "")
            if code == RESTARTS:
                self.restarted = time.monotonic()
            self.socket, self.welcomed = None, False
            self.scenes, self.is_stale = Scenes(), False
            if not self.lost():
                return
            await asyncio.sleep(wait * random.uniform(0.75, 1.25))
            wait = min(wait * 2, RESTART_WAIT if self.restarts else LONGEST_WAIT)

    def decoded(self, text: str | bytes) -> Messages:
        """Decode a message. Raises msgspec.DecodeError if it is unknown or invalid. If it is a patch that does not fit
        the last scene, the connection is closed, because the room sends the whole scene after reconnecting."""
        message = decoded(text)
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
        self.socket = socket
        for _, text in list(self.asked.values()):
            await socket.send(text)

    def asking(self, request: Request) -> str:
        """Return the text of a request with a new id, and record the request as unanswered."""
        self.count += 1
        identity = f"{self.client}-{self.count}"
        text = encoded(request.replaced(id=identity))
        self.asked[identity] = (type(request), text)
        return text

    def answered(self, identity: str) -> type[Request] | None:
        """Return the type of the request that has been answered, or None if no request with this id is unanswered."""
        return self.asked.pop(identity, (None, ""))[0]

    def waits_for(self, *kinds: type[Request]) -> bool:
        """Return whether any request of these types is unanswered."""
        return any(kind in kinds for kind, _ in self.asked.values())

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
