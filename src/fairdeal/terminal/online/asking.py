"""HTTP requests to a room that may not be honest, with limits on the size of a response, its duration, and
redirects."""

import asyncio
import concurrent.futures
import os
import re
import ssl
import threading
import zlib
from dataclasses import dataclass
from typing import Any

import httpx2

from fairdeal.engine.errors import FairdealError

LARGEST_ANSWER = 2**24
"""Maximum number of bytes of a response, after decompression."""

LARGEST_COOKIES = 4096
"""Maximum number of characters of all cookies of a room, which are saved and sent with every request."""

LONGEST_ANSWER = 60.0
"""Maximum time for a whole response, in seconds. A pause within it may last `LONGEST_PAUSE`."""

LONGEST_PAUSE = 20.0
GZIP = 16 + zlib.MAX_WBITS


@dataclass(frozen=True)
class Answer:
    """A room's response to a request."""

    status: int
    content: bytes
    cookies: dict[str, str]

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", "replace")


class Asking:
    """Requests to one room. They run in a separate thread, so that they end in time even if the room sends its response
    byte by byte, and the program can exit before they end."""

    def __init__(self, address: str, cookies: dict[str, str] | None) -> None:
        self.address = address
        kept = httpx2.Limits(keepalive_expiry=2)  # a room closes connections after five idle seconds; close them before
        self.client = httpx2.AsyncClient(
            cookies=cookies, timeout=LONGEST_PAUSE, limits=kept, headers={"Accept-Encoding": "gzip"}
        )
        self.loop: asyncio.AbstractEventLoop | None = None
        self.lock = threading.Lock()
        self.is_closed = False

    @property
    def cookies(self) -> httpx2.Cookies:
        return self.client.cookies

    @cookies.setter
    def cookies(self, given: httpx2.Cookies) -> None:
        self.client.cookies = given

    def ask(self, method: str, path: str, body: Any = None) -> Answer:
        """Send a request, and return the response. Raises FairdealError if there is none, or if it exceeds a limit."""
        over = FairdealError(f"the visit to the room at {self.address} is over")
        with self.lock:
            if self.is_closed:
                raise over
            if self.loop is None:
                self.loop = asyncio.new_event_loop()
                threading.Thread(target=run, args=[self.loop], name="requests to a room", daemon=True).start()
            asked = asyncio.run_coroutine_threadsafe(self.answer(method, path, body), self.loop)
        try:
            return asked.result()
        except concurrent.futures.CancelledError:
            raise over from None

    async def answer(self, method: str, path: str, body: Any) -> Answer:
        try:
            request = self.client.stream(method, f"{self.address}{path}", json=body)
            async with asyncio.timeout(LONGEST_ANSWER), request as answer:
                content = await self.content_of(answer)
                self.check_cookies()
                cookies = {cookie.name: cookie.value or "" for cookie in answer.cookies.jar}
                return Answer(answer.status_code, content, cookies)
        except TimeoutError:
            raise FairdealError(f"the room at {self.address} takes too long to answer") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError, zlib.error) as problem:
            if wrong := untrusted(problem):
                raise FairdealError(f"the certificate of the room at {self.address} is not valid: {wrong}") from None
            raise FairdealError(f"cannot reach the room at {self.address}: {words_of(first_cause(problem))}") from None

    def check_cookies(self) -> None:
        """Raise FairdealError if the room has set too many cookies, which are forgotten."""
        if sum(len(cookie.name) + len(cookie.value or "") for cookie in self.client.cookies.jar) > LARGEST_COOKIES:
            self.client.cookies.clear()
            raise FairdealError(f"the server at {self.address} sends more than {LARGEST_COOKIES >> 10} KiB of cookies")

    async def content_of(self, answer: httpx2.Response) -> bytes:
        """Read and decompress the content of a response, up to LARGEST_ANSWER bytes."""
        if answer.is_redirect:
            goal = answer.headers.get("location", "")
            raise FairdealError(f"the server at {self.address} refers to {goal!r}; use the link of the room itself")
        packed = answer.headers.get("content-encoding", "identity")
        if packed not in ("identity", "gzip"):
            raise FairdealError(f"the server at {self.address} compresses its answer as {packed!r}, not as gzip")
        unpack = zlib.decompressobj(GZIP) if packed == "gzip" else None
        content = bytearray()
        async for part in answer.aiter_raw():
            content += unpack.decompress(part, LARGEST_ANSWER + 1 - len(content)) if unpack else part
            if len(content) > LARGEST_ANSWER:
                raise FairdealError(f"the server at {self.address} sends more than {LARGEST_ANSWER >> 20} MiB at once")
        return bytes(content)

    def close(self) -> None:
        """Cancel all unanswered requests, and send no more. Their callers get FairdealError."""
        with self.lock:
            loop, self.loop, self.is_closed = self.loop, None, True
        if loop is not None:
            asyncio.run_coroutine_threadsafe(self.end(), loop).result()
            loop.call_soon_threadsafe(loop.stop)

    async def end(self) -> None:
        requests = asyncio.all_tasks() - {asyncio.current_task()}
        for request in requests:
            request.cancel()
        await asyncio.gather(*requests, return_exceptions=True)
        await self.client.aclose()


def first_cause(problem: BaseException) -> BaseException:
    """Return the exception that caused `problem`."""
    while not isinstance(problem, httpx2.TimeoutException) and (
        cause := getattr(problem, "exceptions", [problem.__cause__ or problem.__context__])[0]
    ):
        problem = cause
    return problem


def untrusted(problem: BaseException) -> str:
    """Return why the certificate of a room is not valid, in words, or "" if that is not the problem."""
    cause = first_cause(problem)
    if not isinstance(cause, ssl.SSLCertVerificationError):
        return ""
    return cause.verify_message.rstrip(".")


def words_of(problem: BaseException) -> str:
    """Return the message of an exception, such as `Connection refused`."""
    if isinstance(problem, httpx2.TimeoutException):
        return "no answer"
    if isinstance(problem, ssl.SSLError):  # its number is not one of the system
        return f"no encrypted connection: {(problem.reason or 'no reason').replace('_', ' ').lower()}"
    if isinstance(problem, OSError) and problem.errno and problem.errno > 0:
        return os.strerror(problem.errno)
    return re.sub(r"^\[Errno -?\d+\] ", "", str(problem)) or "no answer"


def run(loop: asyncio.AbstractEventLoop) -> None:
    """Run an event loop until it is stopped, and close it."""
    loop.run_forever()
    loop.close()
