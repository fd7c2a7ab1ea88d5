"""Where the games of a study are played: in chunks, named by their first and last number, side by side in threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Found = TypeVar("Found")

Progress = Callable[[int], None]
"""Is told how many more games are done."""


def nobody(games: int) -> None:
    """Nobody wants to know how far it is."""


def in_chunks(
    part: Callable[[int, int], Found], first: int, last: int, size: int, jobs: int | None, progress: Progress = nobody
) -> list[Found]:
    """What `part` finds in the games from number `first` to before `last`, chunk by chunk and in order: so it is the
    same for any number of jobs."""
    starts = range(first, last, size)
    ends = [min(start + size, last) for start in starts]
    found = []
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1, "study") as pool:
        try:
            for start, end, one in zip(starts, ends, pool.map(part, starts, ends), strict=True):
                found.append(one)
                progress(end - start)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # an interrupted study must not play on to its last game
            raise
    return found
