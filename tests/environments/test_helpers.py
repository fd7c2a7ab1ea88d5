"""Helpers: threads that do what they are asked, tell what stopped them, and end."""

import gc
import threading
import time

import pytest

from fairdeal.environments.helpers import Helpers

LONG = 60.0
"""Seconds after which a test has failed."""


def gone(threads):
    ends = time.monotonic() + LONG
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    return not any(thread.is_alive() for thread in threads)


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


def test_whoever_waits_is_told_what_stopped_a_helper_which_goes_on():
    helpers, done = Helpers(1), []
    helpers.ask(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        helpers.wait(lambda: False)
    helpers.ask(lambda: done.append(1))
    helpers.wait(lambda: done)


def test_helpers_end_with_who_asked_them_and_keep_no_task():
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
    assert met.wait(LONG)
    assert left.wait(LONG)
    del helpers
    gc.collect()
    assert gone(threads)
