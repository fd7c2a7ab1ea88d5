"""Helpers: threads that carry out tasks, pass on errors, and end."""

import gc
import threading

import pytest

from fairdeal.environments.helpers import Helpers

LONG = 60.0
"""Seconds after which a test has failed."""


def test_all_helpers_work_side_by_side():
    helpers, together, seen = Helpers(2), threading.Barrier(3), []

    def meet():
        together.wait(LONG)
        seen.append(threading.current_thread().name)

    helpers.ask(meet)
    helpers.ask(meet)
    together.wait(LONG)
    helpers.wait(lambda: len(seen) == 2)
    assert seen == ["helper", "helper"]


def test_the_error_of_a_task_is_raised_for_the_caller_and_the_helper_goes_on():
    helpers, done = Helpers(1), []
    helpers.ask(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        helpers.wait(lambda: False)
    helpers.ask(lambda: done.append(1))
    helpers.wait(lambda: done)


def test_helpers_end_with_their_caller_and_hold_no_task():
    before = set(threading.enumerate())
    helpers, met = Helpers(2), threading.Event()
    threads = set(threading.enumerate()) - before
    assert len(threads) == 2

    class Held:
        def __call__(self):
            met.set()

        def __del__(self):
            left.set()

    left = threading.Event()
    helpers.ask(Held())
    assert met.wait(LONG), "the task was not carried out"
    assert left.wait(LONG), "the task is still held"
    del helpers
    gc.collect()
    for thread in threads:
        thread.join(LONG)
    assert [thread for thread in threads if thread.is_alive()] == []
