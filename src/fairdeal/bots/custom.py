"""A user's own bots: a class in a module, named `module:Class`. docs/bots.md describes the requirements.

Such a bot runs arbitrary code in this process. A name is therefore accepted only after a call of `admit`, which is made
only for names typed by the user. Names in logs, or from visitors of a room, are rejected.
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
"""Default time limit for a move, in seconds."""


class OwnClass(Protocol):
    """The interface of a user's bot class. `choose` returns a complete move, in notation or as actions. `recall` is the
    percentage of the cards seen by its seat that the bot is shown."""

    recall: int

    def choose(self, view: State, player: int, turn: int) -> str | Sequence[int] | Suggestion: ...


FORFEIT = "Greedy moves"
"""Prefix of the reason for a move made in place of a bot."""

Maker = Callable[[Table, int, bytes], OwnClass]


@dataclass(frozen=True)
class Forfeit:
    """A move made by the greedy rule in place of a bot. `kind` is `late`, `illegal` or `failed`, and `why` is a
    sentence."""

    turn: int
    kind: str
    why: str


class Fault(Exception):
    """Raised when a bot does not return a legal move in time."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


_admitted: dict[str, tuple[Maker, float]] = {}


def is_own(name: str) -> bool:
    """Return whether a bot's name has the form `module:Class`."""
    return NAME.fullmatch(name) is not None


def admit(names: Sequence[str], seconds: float = TIME_LIMIT) -> None:
    """Import the classes among these names, and allow them in this process, with a time limit for each move in seconds.
    Modules are also searched for in the current folder. Raises FairdealError, with the reason, if an import fails."""
    for name in names:
        if is_own(name):
            _admitted[name] = find_class(name), seconds


def check(name: str) -> None:
    """Raise FairdealError if a bot has not been allowed with `admit`."""
    if name not in _admitted:
        raise FairdealError(f"{name} is a custom bot: it plays only in commands that name it, as in --bots {name}")


def limit_of(name: str) -> float | None:
    """Return the time limit for each move of an admitted bot, in seconds, or None for any other bot."""
    return _admitted[name][1] if name in _admitted else None


def find_class(name: str) -> Maker:
    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), attribute, None)
    except Exception as problem:  # foreign code may raise anything
        raise FairdealError(f"cannot import {module!r}: {type(problem).__name__}: {problem}") from problem
    if found is None:
        raise FairdealError(f"the module {module!r} has no class {attribute!r}")
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise FairdealError(f"{name} is not a bot: it must be a class with choose(self, view, player, turn)")
    return found


def seat(name: str, table: Table, player: int, key: bytes) -> OwnBot:
    """Return an admitted bot, created for a seat. Raises FairdealError if it cannot be created."""
    check(name)
    maker, seconds = _admitted[name]
    try:
        bot = maker(table, player, key)
        recall: Any = bot.recall
    except Exception as problem:
        raise FairdealError(f"{name} cannot be created: {type(problem).__name__}: {problem}") from problem
    if not isinstance(recall, int) or not 0 <= recall <= 100:
        raise FairdealError(f"{name}: recall must be a whole percentage from 0 to 100, not {recall!r}")
    return OwnBot(name, bot, seconds, GreedyBot(table.game.recall))


class OwnBot:
    """A user's bot with a time limit. If the bot fails to move, the greedy rule moves in its place."""

    def __init__(self, name: str, bot: OwnClass, seconds: float, stand_in: GreedyBot) -> None:
        self.name, self.bot, self.seconds, self.stand_in = name, bot, seconds, stand_in
        self.recall = bot.recall
        self.forfeits: list[Forfeit] = []
        self.thinking: threading.Thread | None = None

    def __getstate__(self) -> dict[str, object]:
        """Return what is pickled: everything except the thread."""
        return vars(self) | {"thinking": None}

    def choose(self, view: State, player: int, turn: int) -> Suggestion:
        try:
            return self.checked(self.answer(view.copy(), player, turn), view, player)
        except Fault as fault:
            why = f"{self.name} {fault}"
            self.forfeits.append(Forfeit(turn, fault.kind, why))
            return Suggestion(self.stand_in.choose(view, player, turn).actions, f"{FORFEIT}: {why}.")

    def answer(self, view: State, player: int, turn: int) -> Any:
        """Return the bot's move as given. The bot runs in a thread, which is abandoned when time is up. Raises Fault if
        the bot gives no move."""
        if self.thinking and self.thinking.is_alive():
            raise Fault("late", "is still choosing an earlier move")
        told: list[Any] = []
        wrong: list[BaseException] = []

        def think() -> None:
            try:
                told.append(self.bot.choose(view, player, turn))
            except BaseException as problem:  # an error of one bot must not end the game of the others
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
        """Return the bot's move as a legal move, checked in a state with guessed hidden cards. Raises Fault if it is
        not legal."""
        reason = told.reason if isinstance(told, Suggestion) else ""
        move = told.actions if isinstance(told, Suggestion) else told
        if not isinstance(move, str):
            try:
                move = [int(action) for action in move]
            except (TypeError, ValueError):
                raise Fault("illegal", f"returned {told!r}, which is neither a string nor a list of actions") from None
        try:
            return Suggestion(view.guess().attempt(player, move).actions, reason)
        except IllegalMove as problem:
            raise Fault("illegal", f"returned an illegal move: {problem}") from None
        except IndexError:
            raise Fault("illegal", f"returned {told!r}, which is not a move") from None
