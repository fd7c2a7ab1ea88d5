"""A game's rules and drivers, interpreted or compiled, and compilation in the background.

`rules_of(game)` returns the compiled contract functions as soon as they are ready, and the interpreted ones until then.
Both produce identical bytes, so callers do not need to know which ones they have.
"""

import functools
import logging
import queue
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from fairdeal.engine import drivers, records
from fairdeal.engine.compile.cache import UNSAVED
from fairdeal.engine.compile.compiler import (
    called_rules,
    compile_rules,
    compile_together,
    copy_calling,
    reachable,
)
from fairdeal.engine.errors import BrokenGame, in_a_line
from fairdeal.engine.fields import on_fields, structure_of
from fairdeal.engine.game import Game, Rules

log = logging.getLogger(__name__)

TRIES = 3
"""Maximum number of attempts to compile a game in the background."""

LONGEST = 4000
"""Maximum number of characters of an error that are logged. Only the last characters are kept."""

Progress = Callable[[int, int, str], None]

DRIVERS = ("random_moves", "simulate", "count_moves")
"""Drivers that play or count many games. A room does not need them, so they are compiled on their first call."""

BY_ARRAY = ("legal_actions", "apply", "conceal")
"""The functions that Python calls most often. They are compiled for arrays of one record, because Numba accepts an
array as an argument forty times as fast as a record."""

CONTRACT = (*(field.name for field in fields(Rules)), "greedy")


@dataclass(frozen=True, kw_only=True)
class Engine:
    """Contract functions of one game, interpreted or compiled."""

    rules: Rules
    greedy: Callable[..., Any]
    is_compiled: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class Compiled(Engine):
    """Compiled contract functions and drivers of one game."""

    random_moves: Callable[..., int]
    simulate: Callable[..., None]
    count_moves: Callable[..., int]
    is_compiled: ClassVar[bool] = True
    twins: Mapping[Any, Any]
    """Compiled rules by their plain functions, for code that is compiled for this game later."""


def contract_of(game: Game) -> dict[str, Callable[..., Any]]:
    """Return the game's own functions, by the names under which drivers call them."""
    return {name: game.greedy if name == "greedy" else getattr(game.rules, name) for name in CONTRACT}


def first_of(game: Game) -> dict[str, Callable[..., Any]]:
    """Return the game's own functions, by name. They are compiled together in advance."""
    return contract_of(game) | {name: getattr(drivers, f"{name}_first") for name in BY_ARRAY}


def drivers_of() -> dict[str, Callable[..., Any]]:
    return {name: getattr(drivers, name) for name in DRIVERS}


_plain: dict[str, Engine] = {}
_compiled: dict[str, Compiled] = {}
_lock = threading.Lock()


def plain(game: Game) -> Engine:
    """Return the interpreted engine: the uncompiled rules, working on `fields` of the records."""
    if game.name not in _plain:
        _plain[game.name] = plain_engine(game)
    return _plain[game.name]


def plain_engine(game: Game) -> Engine:
    state, source = structure_of(game.state), structure_of(records.chance)
    rules = {name: on_fields(rule, state) for name, rule in contract_of(game).items()}
    rules["resample"] = on_fields(game.rules.resample, state, None, source)
    rules["legal_actions"] = within(rules["legal_actions"], len(game.actions))
    return Engine(greedy=rules.pop("greedy"), rules=Rules(**rules))


def within(legal_actions: Callable[..., int], declared: int) -> Callable[..., int]:
    """Return the rule with a check that raises an error if the rule writes more actions than the game declares."""

    @functools.wraps(legal_actions)
    def call(state: records.Record, player: int, actions: Any) -> int:
        try:
            count = legal_actions(state, player, actions)
        except IndexError as problem:
            if f"index {len(actions)} is out of bounds" not in str(problem):
                raise
            count = len(actions)
        if count > declared:
            raise IndexError(f"legal_actions writes at least {count} actions, but ACTIONS declares {declared}")
        return count

    return call


def bound_plainly(
    roots: Mapping[str, Callable[..., Any]],
    contract: Mapping[str, Callable[..., Any]],
    instead: Mapping[Callable[..., Any], Callable[..., Any]] | None = None,
) -> dict[str, Callable[..., Any]]:
    """Return copies of rules, and of all rules that they call, with the contract names bound to the functions in
    `contract`. `instead` maps other rules to their replacements."""
    copies: dict[Callable[..., Any], Any] = dict(instead or {})
    for function in reachable(roots.values(), contract):
        if function in copies:
            continue
        if function in contract.values():
            copies[function] = function
            continue
        calls = called_rules(function, contract)
        copies[function] = copy_calling(function, {name: copies[target] for name, target in calls.items()})
    return {name: copies[root] for name, root in roots.items()}


def compiled(game: Game, progress: Progress | None = None) -> Compiled:
    """Return the compiled engine, from memory or from the cache on disk. If it is in neither, compile it now.
    `progress(done, of, name)` is called after each step."""
    with _lock:
        if game.name not in _compiled:
            try:
                _compiled[game.name] = compile_engine(game, progress)
            except (OSError, Warning):  # of the cache, not of the game
                raise
            except Exception as problem:  # Numba's own, and others
                raise BrokenGame(game.name, f"its rules do not compile: {in_a_line(problem)}") from problem
        return _compiled[game.name]


def signatures_of(game: Game) -> dict[str, tuple[Any, ...]]:
    """Return Numba's types of the parameters of the functions that are compiled together, by name."""
    from numba import float64, from_dtype, int16, int64
    from numba import types as kinds

    states = kinds.Array(from_dtype(game.state), 1, "C")
    ids = int16[::1]
    state, source = from_dtype(game.state), from_dtype(records.chance)
    return {
        "deal": (state,),
        "legal_actions": (states, int64, ids),
        "apply": (states, int64, int64),
        "conceal": (states, int64, int64),
        "resample": (state, int64, source),
        "returns": (state, float64[::1]),
        "greedy": (state, int64, ids),
    }


def compile_engine(game: Game, progress: Progress | None) -> Compiled:
    roots, contract, signatures = first_of(game), contract_of(game), signatures_of(game)
    twins = compile_rules(game.name, game.state, roots, contract)
    steps = len(signatures) + 1
    done = iter(range(steps))
    last = steps - 1  # also reported if rules are compiled again, one by one
    compile_together(twins, signatures, lambda name: progress(next(done, last), steps, name) if progress else None)
    if progress:
        progress(steps, steps, "ready")
    there = {roots[name]: twins[name] for name in signatures}
    rules = {name: on_records(twins[name]) if name in BY_ARRAY else twins[name] for name in CONTRACT}
    return Compiled(
        greedy=rules.pop("greedy"),
        rules=Rules(**rules),
        **compile_rules(game.name, game.state, drivers_of(), contract, there),
        twins=there,
    )


def on_records(twin: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that takes a record and calls the compiled function `twin`, which takes an array of one
    record."""

    def call(state: records.Record, *others: Any) -> Any:
        return twin(array_of(state), *others)

    return call


def array_of(record: records.Record) -> Any:
    """Return the array that contains only this record. Raises TypeError if the array has other records."""
    array = records.attribute(record, "base")
    if array is None or array.nbytes != records.attribute(record, "nbytes"):
        raise TypeError("this record is part of an array; copy it with `records.copied`")
    return array if array.ndim else array.reshape(1)


def ready(game: Game) -> Engine:
    """Return the compiled engine if it is in memory, or else the interpreted engine."""
    return _compiled.get(game.name) or plain(game)


def rules_of(game: Game) -> Rules:
    """Return a game's contract functions: the compiled ones if they are ready, or else the interpreted ones."""
    return ready(game).rules


class Background:
    """A queue that compiles games one after another, in the order requested, without blocking this process.

    Another process fills the cache on disk, because compiling would hold the GIL of this process for seconds. A thread
    then loads the code. A game that fails to compile stays interpreted, and a warning gives the reason. The game is
    tried again on the next request, at most TRIES times.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.waiting: set[str] = set()
        self.tries: Counter[str] = Counter()
        self.queue: queue.SimpleQueue[Game] = queue.SimpleQueue()
        self.thread: threading.Thread | None = None

    def ask(self, game: Game) -> None:
        """Queue a game for compilation."""
        with self.lock:
            if game.name in _compiled or game.name in self.waiting or self.tries[game.name] == TRIES:
                return
            self.waiting.add(game.name)
            self.tries[game.name] += 1
            self.queue.put(game)
            if self.thread is None:
                self.thread = threading.Thread(target=self.run, name="compiling", daemon=True)
                self.thread.start()

    def run(self) -> None:
        while True:
            game = self.queue.get()
            try:
                compile_apart(game)
            except Exception as problem:  # whatever it is, the other games go on
                told = (getattr(problem, "stderr", None) or "").strip() or f"{type(problem).__name__}: {problem}"
                log.warning("%s cannot be compiled and will be interpreted. %s", game.name, told[-LONGEST:])
            with self.lock:
                self.waiting.discard(game.name)


def compile_apart(game: Game) -> None:
    """Compile a game in a separate process, then load the code. Raises CalledProcessError with that process's
    output."""
    command = [sys.executable, "-W", f"error:{UNSAVED}", "-m", "fairdeal.engine.compile.compiled", game.name]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, text=True, errors="replace")
    compiled(game)


_background = Background()


def compile_in_background(game: Game) -> None:
    """Start compiling a game in the background, if it can be compiled."""
    _background.ask(game)


def scratch(game: Game) -> np.ndarray[Any, np.dtype[np.int16]]:
    """Return an array into which `legal_actions` and bots can write action ids."""
    return np.zeros(len(game.actions) + 1, np.int16)


if __name__ == "__main__":
    from fairdeal.engine.registry import find_game

    try:
        compiled(find_game(sys.argv[1]))
    except BrokenGame as problem:
        sys.exit(str(problem))
