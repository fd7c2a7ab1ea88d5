"""Bots: they are given concealed states only, and answer with a whole move and a reason."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fairdeal.engine import chance, compiled, drivers
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.state import State, Table


@dataclass(frozen=True)
class Suggestion:
    """A whole legal move, as actions, and why, in a line."""

    actions: tuple[int, ...]
    reason: str


class Bot(Protocol):
    """Anything that answers "what would you play, seeing this?"; it remembers `recall` percent of what it has seen."""

    recall: int

    def choose(self, view: State, player: int, turn: int) -> Suggestion:
        """A move for `player`, from a state concealed for that seat. `turn` counts the entries of the log: a bot that
        answers by view, seat, turn and its own key alone can be checked afterwards."""
        ...


def ask(bot: Bot, state: State, player: int, turn: int) -> Suggestion:
    """What a bot would play at a seat; it is shown what that seat may know."""
    return bot.choose(state.view(player, bot.recall), player, turn)


class RandomBot:
    """Plays any legal action, each equally likely, step by step. It tries them with cards that it makes up for those it
    cannot see: rules can move no unknown cards."""

    recall = 0

    def __init__(self, key: bytes) -> None:
        self.master, self.source, self.guesses = new(chance_record), new(chance_record), new(chance_record)
        chance.set_key(self.master, chance.key_of(key))

    def choose(self, view: State, player: int, turn: int) -> Suggestion:
        chance.derive(self.source, self.master, 2 * turn)
        chance.derive(self.guesses, self.master, 2 * turn + 1)
        trial = view.resample(self.guesses)
        actions: list[int] = []
        while not actions or trial.composing:
            legal = trial.legal_actions(player)
            actions.append(legal[chance.draw(self.source, len(legal))])
            compiled.rules_of(view.game).apply(trial.record, player, actions[-1])
        return Suggestion(tuple(actions), "Any legal move is as good as another to me.")


class GreedyBot:
    """Plays the move that the game's own greedy rule finds best, with a memory of so many percent."""

    def __init__(self, recall: int) -> None:
        self.recall = recall

    def choose(self, view: State, player: int, turn: int = 0) -> Suggestion:
        plan = compiled.scratch(view.game)
        count = compiled.ready(view.game).greedy(view.record, player, plan)
        actions = tuple(int(action) for action in plan[:count])
        return Suggestion(actions, view.game.reason(view.record, player, actions))


BOTS: dict[str, Callable[[Table, int, bytes], Bot]] = {
    "random": lambda table, seat, key: RandomBot(key),
    "greedy": lambda table, seat, key: GreedyBot(table.game.recall),
    "forgetful": lambda table, seat, key: GreedyBot(table.game.recall * FORGETFUL // 100),
}

STAND_IN = "greedy"
"""The bot that plays for those who are away, or whose time is over."""

FORGETFUL = 40
"""Percent of what it has seen that the forgetful bot remembers, where memory is the game."""


def bots_of(game: Game) -> list[str]:
    """The bots worth offering in a game: a forgetful one only where there is something to forget."""
    return [name for name in BOTS if name != "forgetful" or game.recall]


def code_of(name: str, game: Game) -> int:
    """The number of a bot for simulations, which run it in compiled code; `greedy-N` remembers N percent. Raises
    FairdealError."""
    if name == "random":
        return drivers.RANDOM
    if name == "greedy":
        return drivers.GREEDY + game.recall
    if name == "forgetful":
        return drivers.GREEDY + game.recall * FORGETFUL // 100
    share = re.fullmatch(r"greedy-(\d{1,3})", name)
    if share and int(share[1]) <= 100:
        return drivers.GREEDY + int(share[1])
    raise FairdealError(
        f"simulations know the bots {', '.join(BOTS)}, and greedy-N with N percent of memory, not {name!r}"
    )


def find_bot(name: str, table: Table, seat: int, key: bytes) -> Bot:
    """A bot by name for a seat; `key` seeds its own chance. Raises FairdealError with the names there are."""
    if name not in BOTS:
        near = difflib.get_close_matches(name, BOTS, n=1)
        raise FairdealError(f"there is no bot {name!r}; did you mean {near[0]}?" if near else known_bots(name))
    return BOTS[name](table, seat, key)


def known_bots(name: str) -> str:
    return f"there is no bot {name!r}; there are {', '.join(BOTS)}"
