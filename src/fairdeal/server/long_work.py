"""Long work: blocking work in threads, and low-priority programs. Bots, hints, offers of undos, analyses and other work
have separate queues with fair scheduling."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import os
import subprocess
import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, NamedTuple, ParamSpec, TypeVar

from fairdeal.server.limits import TooFast, origin_of

P = ParamSpec("P")
T = TypeVar("T")

MOST_AT_WORK = 2
"""Maximum number of tasks of a queue that run at the same time."""

MOST_IN_LINE, MOST_OF_ONE_IN_LINE = 64, 8
"""Maximum number of tasks that run or wait in a queue: in total, and for a single client."""

SLICE = 0.02
"""Minimum time, in seconds, for which a task runs before it gives up its turn. Every change of turns takes the event
loop several steps."""

HALF_LIFE = 10.0
"""Time, in seconds, after which used time counts only half."""

MOST_KNOWN = 4096
"""Maximum number of clients and networks whose usage is stored. The least recently active ones are dropped."""


if sys.platform == "win32":
    QUIETLY = subprocess.IDLE_PRIORITY_CLASS
else:
    QUIETLY = 0  # the program sets its priority itself


class Client(NamedTuple):
    """The client to which long work is charged: a guest, and the network of their address."""

    name: str
    network: str

    @classmethod
    def of(cls, guest: str, address: str) -> Client:
        """Return the client of a request. Clients without a token share one client for each address. On the room's own
        machine, which may run a proxy, every guest counts as a separate network."""
        network, times = origin_of(address)
        name = guest or f"at {address}"
        return cls(name, network if times == 1 else name)


class Place:
    """A client's place in a queue. `began` is the time at which its task was last started, or None while it waits.
    `left` is true once the result is no longer needed."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.began: float | None = None
        self.thread: asyncio.Future[Any] | None = None
        self.left = False


class Left(Exception):
    """Raised in the thread of a task whose result is no longer needed."""


class Usage:
    """The time that clients and networks have used recently. Time used HALF_LIFE ago counts half."""

    def __init__(self) -> None:
        self.known: OrderedDict[Client, tuple[float, float]] = OrderedDict()  # seconds used, and when that was counted

    def of(self, name: Client, now: float) -> float:
        """Return the seconds used by a client, or by a network, whose name is empty."""
        used, at = self.known.get(name, (0.0, now))
        return used * math.exp2((at - now) / HALF_LIFE)

    def add(self, client: Client, seconds: float, now: float) -> None:
        """Count time used by a client and its network."""
        for name in {client, Client("", client.network)}:
            self.known[name] = self.of(name, now) + seconds, now
            self.known.move_to_end(name)
        while len(self.known) > MOST_KNOWN:
            self.known.popitem(last=False)


class LongWork:
    """A queue for blocking work with fair scheduling: at most `at_once` tasks run at the same time, and at most `each`
    of one client. The threads have the given niceness. Each of the `at_once` places is in use for at most `share` of
    the time.

    The next task is that of the network that has used the least time recently, and within that network that of the
    client that has used the least (fair share scheduling: Kay and Lauder, 1988). A client with few requests therefore
    waits only until one of the running tasks ends or yields, regardless of the number of waiting tasks. If the queue is
    full, the task that would be last is rejected.
    """

    def __init__(
        self,
        at_once: int = MOST_AT_WORK,
        each: int = 1,
        niceness: int = 0,
        most: float = MOST_IN_LINE,
        most_of_one: float = MOST_OF_ONE_IN_LINE,
        share: float = 1.0,
    ) -> None:
        self.free, self.each, self.most, self.most_of_one, self.share = at_once, each, most, most_of_one, share
        self.threads = ThreadPoolExecutor(MOST_IN_LINE, "work", be_patient, (niceness,))  # tasks that rest have one too
        self.closed = False
        self.waiting: list[Place] = []
        self.running: Counter[str] = Counter()
        self.line: Counter[str] = Counter()
        self.usage = Usage()

    async def do(self, client: Client, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a thread and return its result. `work` must not access data that other code may change. Raises
        TooFast if too many tasks wait."""
        async with self.turn(client) as place:
            return await self.threaded(place, functools.partial(work, *args, **kwargs))

    async def in_turns(self, client: Client, work: Callable[[Callable[[], None]], T]) -> T:
        """Run `work` in a thread and return its result. Whenever `work` calls its argument, clients with a higher
        priority get their turn first. Raises TooFast if too many tasks wait."""
        async with self.turn(client) as place:
            loop = asyncio.get_running_loop()

            def rest() -> None:
                if place.left or self.closed:
                    raise Left
                if not self.waiting or (place.began is not None and monotonic() < place.began + SLICE):
                    return None
                again = asyncio.run_coroutine_threadsafe(self.go_behind(place), loop)
                while True:
                    with contextlib.suppress(TimeoutError):
                        return again.result(1.0)
                    if self.closed:
                        raise Left

            return await self.threaded(place, functools.partial(work, rest))

    async def threaded(self, place: Place, work: Callable[[], T]) -> T:
        """Run `work` in a thread and return its result. If this is cancelled, the place stays occupied until the thread
        has ended."""
        place.thread = asyncio.get_running_loop().run_in_executor(self.threads, work)
        return await asyncio.shield(place.thread)

    async def go_behind(self, place: Place) -> None:
        """Give up a turn, and wait for the next one. Raises Left if the client leaves in the meantime."""
        if place.left:
            raise Left
        self.give_back(place)
        place.called = asyncio.get_running_loop().create_future()
        self.waiting.append(place)
        self.call()
        await place.called

    @contextlib.asynccontextmanager
    async def turn(self, client: Client) -> AsyncIterator[Place]:
        """Wait for a turn, and hold it while the context is active. Raises TooFast if too many tasks wait."""
        place = self.join(client)
        try:
            await place.called
            yield place
        finally:
            place.left = True
            if place.thread and not place.thread.done():
                place.thread.add_done_callback(lambda thread: thread.cancelled() or thread.exception())
                place.thread.add_done_callback(lambda _: self.leave(place))
                self.wake(place)
            else:
                self.leave(place)

    def join(self, client: Client) -> Place:
        """Add a client to the queue. Raises TooFast if the queue is full and every task in it has a higher priority."""
        if self.line[client.name] >= self.most_of_one:
            raise TooFast(1)
        place = Place(client)
        if self.line.total() >= self.most:
            here = [waiting for waiting in reversed(self.waiting) if not waiting.called.done()]
            last = max([place, *here], key=self.order)
            if last is place:
                raise TooFast(1)
            self.waiting.remove(last)
            last.called.set_exception(TooFast(1))
        self.waiting.append(place)
        self.line[client.name] += 1
        self.call()
        return place

    def wake(self, place: Place) -> None:
        """End the wait of a paused task whose result is no longer needed."""
        if place in self.waiting:
            self.waiting.remove(place)
            if not place.called.done():
                place.called.set_exception(Left())

    def leave(self, place: Place) -> None:
        """Remove a client from the queue."""
        place.left = True
        if place.began is not None:
            self.give_back(place)
        elif place in self.waiting:
            self.waiting.remove(place)
        self.line[place.client.name] -= 1
        self.line = +self.line
        self.call()

    def give_back(self, place: Place) -> None:
        """End a client's turn, and count the time that it took."""
        assert place.began is not None
        now = monotonic()
        took = now - place.began
        self.usage.add(place.client, took, now)
        place.began = None
        if self.share < 1:
            asyncio.get_running_loop().call_later(took / self.share - took, self.set_free)
        else:
            self.free += 1
        self.running[place.client.name] -= 1
        self.running = +self.running

    def set_free(self) -> None:
        """Let the next task run after a pause."""
        self.free += 1
        self.call()

    def call(self) -> None:
        """Start the next tasks in the queue while tasks may run."""
        while self.free:
            ready = [place for place in self.waiting if self.may_run(place)]
            if not ready:
                return
            place = min(ready, key=self.order)
            place.began = monotonic()
            self.waiting.remove(place)
            self.free -= 1
            self.running[place.client.name] += 1
            place.called.set_result(None)

    def may_run(self, place: Place) -> bool:
        """Return whether a waiting client has not left and may run another task."""
        return not place.called.done() and self.running[place.client.name] < self.each

    def order(self, place: Place) -> tuple[float, ...]:
        """Return a sort key for a place in the queue. The lowest comes first, and among equal ones the one that has
        waited longest."""
        now, client = monotonic(), place.client
        network = self.usage.of(Client("", client.network), now)
        return network, self.running[client.name], self.usage.of(client, now)

    def close(self) -> None:
        """Stop starting new work, and end paused work."""
        self.closed = True
        self.threads.shutdown(wait=False, cancel_futures=True)


@contextlib.asynccontextmanager
async def program(module: str, *arguments: str, **pipes: Any) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a module as a low-priority program, which is killed if it has not ended when the context ends."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments, creationflags=QUIETLY, **pipes
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def processors() -> int:
    """Return the number of processors available to this process."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def be_patient(niceness: int) -> None:
    """Lower the priority of the current thread on Linux. On other systems threads have no separate priorities."""
    if sys.platform == "linux" and niceness:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
