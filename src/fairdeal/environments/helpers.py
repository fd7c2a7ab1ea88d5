"""Threads that help whoever asks them, and who does not wait for those that come too late.

A pool of `concurrent.futures` makes a future of each task, and its threads need Python's lock for that just when the
caller goes on: the caller then sleeps, and to be woken takes as long as a block of games.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

Task = Callable[[], object]

NAP = 5e-5
"""How long the caller sleeps, in seconds, before it looks again."""


class Helpers:
    """So many threads, which live as long as this object."""

    def __init__(self, threads: int) -> None:
        self.tasks: SimpleQueue[Task | None] = SimpleQueue()
        self.problems: list[BaseException] = []
        for _ in range(threads):
            threading.Thread(target=help_out, args=(self.tasks, self.problems), name="helper", daemon=True).start()
        weakref.finalize(self, dismiss, self.tasks, threads)

    def ask(self, task: Task) -> None:
        """Have the next thread that is free do this."""
        self.tasks.put(task)

    def wait(self, done: Callable[[], Any]) -> None:
        """Wait until they have done something. Raises what stopped one of them."""
        while not done():
            if self.problems:
                raise self.problems.pop()
            time.sleep(NAP)


def help_out(tasks: SimpleQueue[Task | None], problems: list[BaseException]) -> None:
    """Do one task after the other."""
    for task in iter(tasks.get, None):
        try:
            task()
        except BaseException as problem:  # the caller waits for it
            problems.append(problem)
        del task  # it holds arrays


def dismiss(tasks: SimpleQueue[Task | None], threads: int) -> None:
    """Let the threads end."""
    for _ in range(threads):
        tasks.put(None)
