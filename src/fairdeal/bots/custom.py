"""Bots of one's own: a class in a module, named `module:Class`. docs/bots.md describes what it has to have.

They are code that runs here, so only a name that somebody has typed is let in, by `admit`: one in a log is not, nor one
that comes to a room.
"""

from __future__ import annotations

import importlib
import re
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from fairdeal.bots.bots import GreedyBot, Suggestion
from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.state import State, Table

NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")

TIME_LIMIT = 10.0
"""Seconds for a move, unless somebody says otherwise."""


class OwnClass(Protocol):
    """What a class needs: `recall`, the percent of what its seat has seen that it wants to be shown, and an answer to
    "what would you play, seeing this?": a whole move, in notation or as actions."""

    recall: int

    def choose(self, view: State, player: int, turn: int) -> str | Sequence[int] | Suggestion: ...


FORFEIT = "Greedy moves"
"""How the reason begins for a move that a bot did not make itself."""

Maker = Callable[[Table, int, bytes], OwnClass]


@dataclass(frozen=True)
class Forfeit:
    """A move that a bot did not make, so that the greedy rule made it: `kind` is late, illegal or failed; why, in a
    sentence."""

    turn: int
    kind: str
    why: str


class Fault(Exception):
    """A bot has not answered with a legal move in time."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


_admitted: dict[str, tuple[Maker, float]] = {}


def is_own(name: str) -> bool:
    """Is this a name such as `module:Class`?"""
    return NAME.fullmatch(name) is not None


def admit(names: Sequence[str], seconds: float = TIME_LIMIT) -> None:
    """Import the classes among these names, so that they can be seated in this process, with so much time for a move.
    Modules are looked for in the current folder too. Raises FairdealError, which says what is missing."""
    for name in names:
        if is_own(name):
            _admitted[name] = find_class(name), seconds


def check(name: str) -> None:
    """Raises FairdealError if this bot was not admitted."""
    if name not in _admitted:
        raise FairdealError(f"{name} is somebody’s own bot: it plays only where a command names it, by --bots {name}")


def limit_of(name: str) -> float | None:
    """How many seconds an admitted bot has for a move; None for others."""
    return _admitted[name][1] if name in _admitted else None


def find_class(name: str) -> Maker:
    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), attribute, None)
    except Exception as problem:  # whatever a stranger's module does wrong
        raise FairdealError(f"cannot import {module!r}: {type(problem).__name__}: {problem}") from problem
    if found is None:
        raise FairdealError(f"the module {module!r} has no class {attribute!r}")
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise FairdealError(f"{name} is no bot: it has to be a class with choose(self, view, player, turn)")
    return found


def seat(name: str, table: Table, player: int, key: bytes) -> OwnBot:
    """An admitted bot, made for a seat. Raises FairdealError."""
    check(name)
    maker, seconds = _admitted[name]
    try:
        bot = maker(table, player, key)
        recall: Any = bot.recall
    except Exception as problem:
        raise FairdealError(f"{name} cannot sit down: {type(problem).__name__}: {problem}") from problem
    if not isinstance(recall, int) or not 0 <= recall <= 100:
        raise FairdealError(f"{name}: recall is a percentage, a whole number from 0 to 100, not {recall!r}")
    return OwnBot(name, bot, seconds, GreedyBot(table.game.recall))


class OwnBot:
    """Asks somebody's bot, and waits for it no longer than it may take. What it forfeits is played by the greedy rule,
    from the same view."""

    def __init__(self, name: str, bot: OwnClass, seconds: float, stand_in: GreedyBot) -> None:
        self.name, self.bot, self.seconds, self.stand_in = name, bot, seconds, stand_in
        self.recall = bot.recall
        self.forfeits: list[Forfeit] = []
        self.thinking: threading.Thread | None = None

    def choose(self, view: State, player: int, turn: int) -> Suggestion:
        try:
            return self.checked(self.answer(view.copy(), player, turn), view, player)
        except Fault as fault:
            why = f"{self.name} {fault}"
            self.forfeits.append(Forfeit(turn, fault.kind, why))
            return Suggestion(self.stand_in.choose(view, player, turn).actions, f"{FORFEIT}: {why}.")

    def answer(self, view: State, player: int, turn: int) -> Any:
        """What the bot says. It thinks in a thread that is left alone when the time is over. Raises Fault."""
        if self.thinking and self.thinking.is_alive():
            raise Fault("late", "is still thinking about an earlier move")
        told: list[Any] = []
        wrong: list[BaseException] = []

        def think() -> None:
            try:
                told.append(self.bot.choose(view, player, turn))
            except BaseException as problem:  # it must not end the game of the others
                wrong.append(problem)

        self.thinking = threading.Thread(target=think, name=self.name, daemon=True)
        self.thinking.start()
        self.thinking.join(self.seconds)
        if wrong:
            raise Fault("failed", f"failed: {type(wrong[0]).__name__}: {wrong[0]}") from wrong[0]
        if not told:
            raise Fault("late", f"took longer than {self.seconds:g} s")
        return told[0]

    def checked(self, told: Any, view: State, player: int) -> Suggestion:
        """The answer as a legal move. It is tried with cards made up for those that the seat cannot see. Raises
        Fault."""
        reason = told.reason if isinstance(told, Suggestion) else ""
        move = told.actions if isinstance(told, Suggestion) else told
        if not isinstance(move, str):
            try:
                move = [int(action) for action in move]
            except (TypeError, ValueError):
                raise Fault("illegal", f"answered {told!r}, which is neither notation nor actions") from None
        try:
            return Suggestion(view.guess().attempt(player, move).actions, reason)
        except IllegalMove as problem:
            raise Fault("illegal", f"answered with an illegal move: {problem}") from None
        except IndexError:
            raise Fault("illegal", f"answered {told!r}, which is no move") from None
