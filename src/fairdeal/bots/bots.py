"""Bots: they are given concealed states only, and answer with a whole move and a reason."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fairdeal.engine import chance, compiled, drivers
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.state import State, Table


@dataclass(frozen=True)
class Suggestion:
    """A whole legal move, as actions, and why, in a line."""

    actions: tuple[int, ...]
    reason: str


class Bot(Protocol):
    """Anything that answers "what would you play, seeing this?"."""

    def choose(self, view: State, player: int) -> Suggestion:
        """A move for `player`, from a state concealed for him."""
        ...


class RandomBot:
    """Plays any legal action, each equally likely, step by step."""

    def __init__(self, key: bytes) -> None:
        self.source = new(chance_record)
        chance.set_key(self.source, chance.key_of(key))

    def choose(self, view: State, player: int) -> Suggestion:
        trial = view.copy()
        actions: list[int] = []
        while not actions or trial.composing:
            legal = trial.legal_actions(player)
            actions.append(legal[chance.draw(self.source, len(legal))])
            compiled.rules_of(view.game).apply(trial.record, player, actions[-1])
        return Suggestion(tuple(actions), "Any legal move is as good as another to me.")


class GreedyBot:
    """Plays the move that the game's own greedy rule finds best."""

    def choose(self, view: State, player: int) -> Suggestion:
        plan = compiled.scratch(view.game)
        count = compiled.ready(view.game).greedy(view.record, player, plan)
        actions = tuple(int(action) for action in plan[:count])
        return Suggestion(actions, view.game.reason(view.record, player, actions))


BOTS: dict[str, Callable[[Table, int, bytes], Bot]] = {
    "random": lambda table, seat, key: RandomBot(key),
    "greedy": lambda table, seat, key: GreedyBot(),
}

CODES = {"random": drivers.RANDOM, "greedy": drivers.GREEDY}
"""The bots that simulations run in compiled code."""


def find_bot(name: str, table: Table, seat: int, key: bytes) -> Bot:
    """A bot by name for a seat; `key` seeds its own chance. Raises FairdealError with the names there are."""
    if name not in BOTS:
        near = difflib.get_close_matches(name, BOTS, n=1)
        raise FairdealError(f"there is no bot {name!r}; did you mean {near[0]}?" if near else known_bots(name))
    return BOTS[name](table, seat, key)


def known_bots(name: str) -> str:
    return f"there is no bot {name!r}; there are {', '.join(BOTS)}"
