"""Executors: many games are played part by part, in threads here, by any executor of `concurrent.futures`, or by the
workers of a Dask cluster.

A part is named by the number of its first game and the one after its last. Games are numbered, and what happens in one
follows from the seed and its number; so it does not matter where a part is played, nor how often: the answers are taken
in the order of the parts, one for each.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, TypeVar

from fairdeal.engine.errors import FairdealError
from fairdeal.lab.extras import missing

if TYPE_CHECKING:
    from distributed import Client

Answer = TypeVar("Answer")

AHEAD = 4
"""Parts that every worker may be ahead of the first that is still played. So an answer is soon fetched, and few of them
have to be kept."""

SHARES = 16
"""Parts that every worker gets at least, where games are played elsewhere: so all end at about the same time."""

LARGEST = 20
"""How many times as large as here a part may become there, where each takes a message there and back."""

SECONDS_TO_CONNECT = 10


@dataclass(frozen=True)
class Workers:
    """Who plays: an executor and how many parts it plays at a time. `are_here` is whether that is in this process."""

    executor: Executor
    number: int
    are_here: bool = False

    def part_size(self, games: int, least: int) -> int:
        """How many of so many games make a part; `least` is enough here."""
        if self.are_here:
            return least
        return max(least, min(LARGEST * least, games // (SHARES * self.number)))


Jobs = int | Workers | None
"""So many threads, as many as there are processors, or these workers."""


@contextmanager
def workers_for(jobs: Jobs) -> Iterator[Workers]:
    """Threads of this process that end with the games; or the workers that are given, who go on."""
    if isinstance(jobs, Workers):
        yield jobs
        return
    number = jobs or os.cpu_count() or 1
    with ThreadPoolExecutor(number) as pool:
        yield Workers(pool, number, are_here=True)


def in_order(workers: Workers, play: Callable[[int, int], Answer], first: int, end: int, size: int) -> Iterator[Answer]:
    """What `play(first, end)` answers for each part of the games from number `first` up to `end`, in order. Where a
    part fails or nobody wants the rest, what has not begun is not played."""
    waiting: deque[Future[Answer]] = deque()
    try:
        for start in range(first, end, size):
            waiting.append(workers.executor.submit(play, start, min(start + size, end)))
            if len(waiting) >= AHEAD * workers.number:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The workers of the Dask cluster whose scheduler is at this address. Raises FairdealError."""
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise missing("a cluster needs Dask", "cluster") from None
    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as problem:
        raise FairdealError(f"no cluster answers at {address}: {problem}") from None
    with client:
        try:
            yield workers_of(client)
        except KilledWorker as problem:
            raise FairdealError(f"the cluster lost every worker that played a part: {problem}") from None


def workers_of(client: Client) -> Workers:
    """The workers of a cluster. Raises FairdealError if there are none, or one has another fairdeal than this."""
    number = sum(client.nthreads().values())
    if not number:
        raise FairdealError("the cluster has no workers yet")
    here = version("fairdeal")
    for worker, there in client.run(version, "fairdeal", on_error="return").items():
        if there != here:
            found = "no fairdeal" if isinstance(there, PackageNotFoundError) else f"{there}"
            raise FairdealError(f"the worker at {worker} has {found}, and here is fairdeal {here}")
    executor: Any = client.get_executor(pure=False)
    return Workers(executor, number)
