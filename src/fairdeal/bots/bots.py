"""Bots: they are given concealed states only, and answer with a whole move and a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fairdeal.engine.compile import compiled
from fairdeal.engine.kit import chance
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.state import State


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
