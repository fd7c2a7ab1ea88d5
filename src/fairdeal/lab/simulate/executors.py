"""Executors that play many games in parts: threads of this process, executors of `concurrent.futures`, or Dask workers.

A part is a range of game numbers. A game depends only on the seed and its number, so a part can be played on any
machine, and more than once. The results of the parts are read in order.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, TypeVar

from fairdeal.engine.errors import FairdealError, missing

if TYPE_CHECKING:
    from distributed import Client

Answer = TypeVar("Answer")

AHEAD = 4
"""Maximum number of parts per worker that are submitted ahead of the first unfinished part. This limits the number of
results in memory."""

SHARES = 16
"""Minimum number of parts for each worker if games are played in other processes, so that all workers finish at about
the same time."""

LARGEST = 20
"""Maximum size of a remote part, as a multiple of a local one. Larger parts need fewer messages: each part takes
two."""

SECONDS_TO_CONNECT = 10


@dataclass(frozen=True)
class Workers:
    """An executor, and the number of parts that it plays at a time. `are_here` is true if it runs in this process."""

    executor: Executor
    number: int
    are_here: bool = False

    def part_size(self, games: int, least: int) -> int:
        """Return the number of games in each part. `least` is the size of a part for local workers."""
        if self.are_here:
            return least
        return max(least, min(LARGEST * least, games // (SHARES * self.number)))


Jobs = int | Workers | None
"""The number of threads (None: one for each processor), or other workers."""


@contextmanager
def workers_for(jobs: Jobs) -> Iterator[Workers]:
    """Yield threads of this process, which are stopped afterwards, or the given workers, which are not."""
    if isinstance(jobs, Workers):
        yield jobs
        return
    number = jobs or os.cpu_count() or 1
    with ThreadPoolExecutor(number) as pool:
        yield Workers(pool, number, are_here=True)


def in_order(
    workers: Workers, play: Callable[[int, int], Answer], first: int, end: int, size: int
) -> Generator[Answer]:
    """Yield the result of `play(first, end)` for each part of the games from number `first` up to, but not including,
    `end`, in order. If a part fails, or if the caller stops early, all parts that have not started are cancelled."""
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
    """Yield the workers of the Dask cluster whose scheduler has this address. Raises FairdealError if it cannot be
    reached."""
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise missing("a cluster needs Dask", "cluster") from None
    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as problem:
        raise FairdealError(f"cannot connect to a cluster at {address}: {problem}") from None
    with client:
        try:
            yield workers_of(client)
        except KilledWorker as problem:
            raise FairdealError(f"the cluster lost every worker that played a part: {problem}") from None


def workers_of(client: Client) -> Workers:
    """Return the workers of a cluster. Raises FairdealError if there are no workers, or if one of them has another
    version of fairdeal."""
    number = sum(client.nthreads().values())
    if not number:
        raise FairdealError("the cluster has no workers yet")
    here = version("fairdeal")
    for worker, there in client.run(version, "fairdeal", on_error="return").items():
        if there != here:
            found = "no fairdeal" if isinstance(there, PackageNotFoundError) else f"{there}"
            raise FairdealError(f"the worker at {worker} has {found}, not fairdeal {here}")
    executor: Any = client.get_executor(pure=False)
    return Workers(executor, number)
