"""Games are compiled in the background one after the other, and one that fails does not stop the next."""

import logging
import queue
import signal
import subprocess
import sys
import time

import pytest

import fairdeal
from fairdeal.engine.compile import compiled

FINE = [sys.executable, "-c", ""]
FAILURES = {
    "no interpreter": (["/no/such/python"], "No such file"),
    "an error": ([sys.executable, "-c", "raise SystemExit('no compiler here')"], "no compiler here"),
    "a kill": ([sys.executable, "-c", f"import os; os.kill(os.getpid(), {signal.SIGTERM:d})"], "SIGTERM"),
    "a cache that cannot be loaded": (FINE, "the cache is cut short"),
}
"""Commands that run instead of the compiler, and words of the warning."""

FAILING, WORKING = "chi", "chip-it"


class Compiler:
    """A substitute for the compiling process and for loading, which records the games."""

    def __init__(self):
        self.failing, _ = FAILURES["an error"]
        self.started, self.loaded = queue.Queue(), queue.Queue()
        self.run = subprocess.run

    def process(self, command, **how):
        name = command[-1]
        self.started.put(name)
        return self.run(self.failing if name == FAILING else FINE, **how)

    def load(self, game):
        if game.name == FAILING:
            raise EOFError("the cache is cut short")
        self.loaded.put(game.name)


@pytest.fixture
def compiler(monkeypatch):
    compiler = Compiler()
    monkeypatch.setattr(compiled.subprocess, "run", compiler.process)
    monkeypatch.setattr(compiled, "compiled", compiler.load)
    monkeypatch.setattr(compiled, "_compiled", {})
    monkeypatch.setattr(compiled, "_background", compiled.Background())
    return compiler


def ask(name):
    compiled.compile_in_background(fairdeal.find_game(name))


@pytest.mark.parametrize(("command", "words"), FAILURES.values(), ids=FAILURES)
def test_a_warning_names_a_game_that_cannot_be_compiled_and_the_next_one_compiles(compiler, caplog, command, words):
    compiler.failing = command
    with caplog.at_level(logging.WARNING):
        ask(FAILING)
        ask(WORKING)
        assert compiler.loaded.get(timeout=20) == WORKING
    assert [compiler.started.get(timeout=20), compiler.started.get(timeout=20)] == [FAILING, WORKING]
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert FAILING in record.getMessage()
    assert words in record.getMessage()


def test_a_game_that_failed_is_tried_again_on_request_three_times_in_all(compiler):
    for _ in range(compiled.TRIES + 2):
        ask(FAILING)
        ask(FAILING)  # waiting already
        ask(WORKING)
        finish()
    started = [compiler.started.get_nowait() for _ in range(compiler.started.qsize())]
    assert started.count(FAILING) == compiled.TRIES == 3
    assert not compiled.ready(fairdeal.find_game(FAILING)).is_compiled


def finish():
    """Wait until no game is waiting."""
    for _ in range(2000):
        if not compiled._background.waiting:
            return
        time.sleep(0.01)
    raise AssertionError(f"still waiting after 20 seconds: {compiled._background.waiting}")


def test_a_game_that_is_compiled_is_not_compiled_again(compiler, monkeypatch):
    monkeypatch.setattr(compiled, "_compiled", {WORKING: object()})
    ask(WORKING)
    assert not compiled._background.waiting
    assert compiler.started.empty()
