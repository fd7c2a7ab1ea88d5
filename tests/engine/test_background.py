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

FAILURES = {
    "no interpreter": ["/no/such/python"],
    "an error": [sys.executable, "-c", "raise SystemExit('no compiler here')"],
    "a kill": [sys.executable, "-c", f"import os; os.kill(os.getpid(), {signal.SIGTERM:d})"],
}
COMPLAINTS = {"no interpreter": "No such file", "an error": "no compiler here", "a kill": "SIGTERM"}
FAILING, WORKING = "chi", "chip-it"


class Compiler:
    """A substitute for the compiling process and for loading, which records the games."""

    def __init__(self):
        self.failing = FAILURES["an error"]
        self.started, self.loaded = queue.Queue(), queue.Queue()
        self.run = subprocess.run

    def process(self, command, **how):
        name = command[-1]
        self.started.put(name)
        return self.run(self.failing if name == FAILING else [sys.executable, "-c", ""], **how)

    def load(self, game):
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


@pytest.mark.parametrize("failure", FAILURES)
def test_a_warning_names_a_game_that_cannot_be_compiled_and_the_next_one_compiles(compiler, caplog, failure):
    compiler.failing = FAILURES[failure]
    with caplog.at_level(logging.WARNING):
        ask(FAILING)
        ask(WORKING)
        assert compiler.loaded.get(timeout=20) == WORKING
    assert [compiler.started.get(timeout=20), compiler.started.get(timeout=20)] == [FAILING, WORKING]
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert FAILING in record.getMessage()
    assert COMPLAINTS[failure] in record.getMessage()


def test_a_game_that_cannot_be_loaded_does_not_stop_the_next_one(compiler, caplog, monkeypatch):
    def load(game):
        if game.name == FAILING:
            raise EOFError("the cache is cut short")
        compiler.load(game)

    compiler.failing = [sys.executable, "-c", ""]
    monkeypatch.setattr(compiled, "compiled", load)
    ask(FAILING)
    ask(WORKING)
    assert compiler.loaded.get(timeout=20) == WORKING
    assert "the cache is cut short" in caplog.text


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
