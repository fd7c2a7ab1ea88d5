"""A pool of threads whose caller does not wait for threads that start too late.

A pool of `concurrent.futures` creates a future for each task. Its threads need the GIL for this just as the caller
resumes. The caller then sleeps, and waking it takes as long as playing a block of games.
"""

import threading
import time
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

Task = Callable[[], object]

NAP = 5e-5
"""Interval between two checks by a waiting caller, in seconds."""


class Helpers:
    """A pool of `threads` threads, which exist as long as this object."""

    def __init__(self, threads: int) -> None:
        self.tasks: SimpleQueue[Task | None] = SimpleQueue()
        self.problems: list[BaseException] = []
        for _ in range(threads):
            threading.Thread(target=help_out, args=(self.tasks, self.problems), name="helper", daemon=True).start()
        weakref.finalize(self, dismiss, self.tasks, threads)

    def ask(self, task: Task) -> None:
        """Queue a task for the next free thread."""
        self.tasks.put(task)

    def wait(self, done: Callable[[], Any]) -> None:
        """Wait until `done` returns a true value. If an exception has stopped a task, raise it."""
        while not done():
            if self.problems:
                raise self.problems.pop()
            time.sleep(NAP)


def help_out(tasks: SimpleQueue[Task | None], problems: list[BaseException]) -> None:
    """Run tasks from the queue, one after another."""
    for task in iter(tasks.get, None):
        try:
            task()
        except BaseException as problem:  # the caller has to see it
            problems.append(problem)
        del task  # the task holds arrays


def dismiss(tasks: SimpleQueue[Task | None], threads: int) -> None:
    """Stop the threads."""
    for _ in range(threads):
        tasks.put(None)
