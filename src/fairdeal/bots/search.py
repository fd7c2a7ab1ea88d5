"""A bot that plays its moves out before it chooses one, by `engine.search`.

It begins with the greedy move and all others, plays each out in the same few deals, drops the worse half, and so on, so
that most games are spent on moves that are hard to tell apart (sequential halving: Z. Karnin, T. Koren, O. Somekh,
"Almost Optimal Exploration in Multi-Armed Bandits", 2013). It leaves the greedy move only for one that was better in
the same deals by more than chance would often do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.bots import Suggestion
from fairdeal.engine import chance, compiled, search
from fairdeal.engine.drivers import MOST_STEPS
from fairdeal.engine.game import Game, no_estimate, no_rollout
from fairdeal.engine.records import blank_array
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.registry import find_game
from fairdeal.engine.search import BEHIND, MARGIN, MASTER, PLAYED, SOURCES, SPREAD, STATES, SUMS, VIEW, WINS
from fairdeal.engine.state import State
from fairdeal.engine.twin import compile_rules

MOST_MOVES = 64
"""Moves that are tried, at most: the greedy one, and of more as many at random."""

SURE = 1.0
"""By how many standard errors a move has to be better than the greedy one."""

FEWEST_DEALS = 2
"""Deals that every move of a round is tried in, at least."""


@dataclass(frozen=True)
class Thought:
    """What is known of a move: the games it was played out in, the share of them that its seat won, how far it was
    ahead of its best rival at their ends; how much better than the greedy move it was in the same deals, and the
    standard error of that."""

    actions: tuple[int, ...]
    games: int
    wins: float
    margin: float
    better: float
    error: float

    @property
    def is_sure(self) -> bool:
        return self.better > SURE * self.error


class SearchBot:
    """Plays out so many games a decision; everybody remembers `recall` percent in them, or as much as the game's greedy
    bot. The same key, turn and knowledge give the same answer, for ever."""

    def __init__(self, game: Game, key: bytes, games: int, recall: int | None = None) -> None:
        self.recall = game.recall if recall is None else recall
        self.games = games
        self.master, self.turn = blank_array(chance_record, 1), blank_array(chance_record, SOURCES)
        chance.set_key(self.master[0], chance.key_of(key))

    def choose(self, view: State, player: int, turn: int) -> Suggestion:
        thoughts = self.think(view, player, turn)
        best = thoughts[0]
        if len(thoughts) == 1:
            return Suggestion(best.actions, view.game.reason(view.record, player, best.actions))
        return Suggestion(best.actions, f"I win {best.wins:.0%} of {best.games} games that could follow.")

    def think(self, view: State, player: int, turn: int) -> list[Thought]:
        """All moves that were tried, the one to play first, then those that stayed in question longest."""
        chance.derive(self.turn[MASTER], self.master[0], turn)
        decision = Decision(view, player, self.recall, self.turn)
        if len(decision.moves) > 1:
            rounds = math.ceil(math.log2(len(decision.moves)))
            for _ in range(rounds):
                decision.try_moves(max(FEWEST_DEALS, self.games // rounds // len(decision.chosen)))
                decision.drop_half()
        return decision.thoughts()


class Decision:
    """The moves of one decision, and what has come of them."""

    def __init__(self, view: State, player: int, recall: int, sources: NDArray[Any]) -> None:
        game = view.game
        self.player, self.recall, self.horizon, self.sources = player, recall, game.horizon, sources
        self.engine = engine_of(game.name)
        self.states = blank_array(game.state, STATES)
        self.states[VIEW] = view.record
        self.plan, self.scores = np.zeros(len(game.actions) + MOST_STEPS, np.int16), np.zeros(view.players)
        self.moves, self.lengths = np.zeros((MOST_MOVES, MOST_STEPS), np.int16), np.zeros(MOST_MOVES, np.int64)
        walk, counts = blank_array(game.state, MOST_STEPS + 1), np.zeros((MOST_STEPS + 1, 2), np.int64)
        actions = np.zeros((MOST_STEPS + 1, len(game.actions) + 1), np.int16)
        listed = self.engine.list_moves(
            self.states, player, sources, walk, actions, counts, self.plan, self.moves, self.lengths
        )
        self.moves, self.lengths = self.moves[:listed], self.lengths[:listed]
        self.sums = np.zeros((listed, SUMS))
        self.chosen = np.arange(listed)
        self.deals = 0

    def try_moves(self, deals: int) -> None:
        """Play all moves in question out in so many more deals."""
        self.engine.try_moves(
            self.states,
            self.player,
            self.recall,
            self.horizon,
            self.sources,
            self.moves,
            self.lengths,
            self.chosen,
            self.deals + 1,
            deals,
            self.plan,
            self.scores,
            self.sums,
        )
        self.deals += deals

    def drop_half(self) -> None:
        """The worse half of the moves is out of question; the greedy one stays, to be compared with."""
        others = self.chosen[1:]
        best = others[np.argsort(-self.sums[others, MARGIN], kind="stable")]
        self.chosen = np.array([0, *sorted(best[: max(1, len(self.chosen) // 2 - 1)])])

    def thoughts(self) -> list[Thought]:
        found = [
            thought_of(plan[:length], sums)
            for plan, length, sums in zip(self.moves, self.lengths, self.sums, strict=True)
        ]
        better = [thought for thought in found[1:] if thought.games == found[0].games and thought.is_sure]
        first = max(better, key=lambda thought: thought.better, default=found[0])
        return sorted(found, key=lambda thought: (thought is not first, -thought.games, -thought.better))


def thought_of(plan: NDArray[np.int16], sums: NDArray[np.float64]) -> Thought:
    games = max(1.0, sums[PLAYED])
    better = -sums[BEHIND] / games
    spread = max(0.0, sums[SPREAD] / games - better * better)
    return Thought(
        actions=tuple(plan.tolist()),
        games=int(sums[PLAYED]),
        wins=float(sums[WINS] / games),
        margin=float(sums[MARGIN] / games),
        better=float(better),
        error=math.sqrt(spread / games),
    )


@dataclass(frozen=True)
class Search:
    """The rules of `engine.search`, compiled for a game."""

    list_moves: Callable[..., int]
    try_moves: Callable[..., None]


@cache
def engine_of(name: str) -> Search:
    """The search of a game by its name; it is compiled after the rules, at its first call."""
    game = find_game(name)
    roots: dict[str, Callable[..., Any]] = {"list_moves": search.list_moves, "try_moves": search.try_moves}
    there = compiled.compiled(game).twins
    contract = compiled.contract_of(game)
    contract["estimate"] = contract["returns"] if game.estimate is no_estimate else game.estimate
    contract["rollout"] = contract["greedy"] if game.rollout is no_rollout else game.rollout
    return Search(**compile_rules(game.name, game.state, roots, contract, there))
