"""A bot that plays its moves out before it chooses one, by `engine.drivers.search`.

It begins with the move of the game's rollout rule, which is greedy where a game has no other, and all others, plays
each out in the same few deals, drops the worse half, and so on, so that most games are spent on moves that are hard to
tell apart (sequential halving: Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in Multi-Armed Bandits",
2013). It leaves the first move only for one that was better in the same deals by more than chance would often do.

Deals are numbered: several threads share them, and what came of them is summed up in their order. So the answer is the
same with any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.bots import Suggestion
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import compile_rules
from fairdeal.engine.drivers import MOST_STEPS, search
from fairdeal.engine.drivers.search import (
    BEHIND,
    MARGIN,
    MASTER,
    MOVE,
    PLAYED,
    SOURCES,
    SPREAD,
    STATES,
    SUMS,
    VIEW,
    WINS,
    Desk,
)
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance
from fairdeal.engine.records import Record, blank_array
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State

MOST_MOVES = 64
"""Moves that are tried, at most: the first one, and of more as many at random."""

MEMORY = 100
"""Percent of what a seat has seen that it could know."""

SURE = 1.0
"""By how many standard errors a move has to be better than the first one."""

FEWEST_DEALS = 2
"""Deals that every move of a round is tried in, at least."""

GAMES_AT_ONCE = 32
"""About how many games a thread plays out before it takes the next deals."""


@dataclass(frozen=True)
class Thought:
    """What is known of a move: the games it was played out in, the share of them that its seat won, how far it was
    ahead of its best rival at their ends; how much better than the first move it was in the same deals, and the
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
    """Plays out so many games a decision, on so many threads. It remembers `recall` percent of what it has seen, and
    thinks that the others remember as much as the game's greedy bot, if not more than itself. The same key, turn and
    knowledge give the same answer, for ever."""

    def __init__(self, game: Game, key: bytes, games: int, recall: int = MEMORY, threads: int = 1) -> None:
        self.recall, self.others = recall, min(recall, game.recall)
        self.games, self.threads = games, threads
        self.key = chance.key_of(key)

    def choose(self, view: State, player: int, turn: int) -> Suggestion:
        thoughts = self.think(view, player, turn)
        best = thoughts[0]
        if len(thoughts) == 1:
            return Suggestion(best.actions, view.game.reason(view.record, player, best.actions))
        return Suggestion(best.actions, f"I win {best.wins:.0%} of {best.games} games that could follow.")

    def think(self, view: State, player: int, turn: int) -> list[Thought]:
        """All moves that were tried, the one to play first, then those that stayed in question longest."""
        decision = Decision(view, player, self.others, sources_of(self.key, turn), self.threads)
        if len(decision.moves) > 1:
            rounds = math.ceil(math.log2(len(decision.moves)))
            for _ in range(rounds):
                decision.try_moves(max(FEWEST_DEALS, self.games // rounds // len(decision.chosen)))
                decision.drop_half()
        return decision.thoughts()


def sources_of(key: bytes, number: int) -> NDArray[Any]:
    """The chance of the decision of this number, from a key of 32 bytes."""
    master, found = blank_array(chance_record, 1), blank_array(chance_record, SOURCES)
    chance.set_key(master[0], key)
    chance.derive(found[MASTER], master[0], number)
    return found


def desk_for(view: State, seat: int, recall: int, sources: NDArray[Any], horizon: int) -> Desk:
    """Return a new desk to play out the moves of a seat, which sees this view."""
    states, plan = blank_array(view.game.state, STATES), np.zeros(len(view.game.actions) + MOST_STEPS, np.int16)
    states[VIEW] = view.record
    return Desk(states, sources.copy(), plan, np.zeros(view.players), seat, recall, horizon)


def actions_of(move: Record) -> tuple[int, ...]:
    """Return the action ids of a whole move."""
    length, actions = move.item()
    return tuple(actions[:length].tolist())


class Decision:
    """The moves of one decision, and what has come of them. It can be asked for `thoughts` at any time, and go on."""

    def __init__(self, view: State, player: int, recall: int, sources: NDArray[Any], threads: int = 1) -> None:
        game = view.game
        self.player, self.threads = player, threads
        self.engine = engine_of(game.name)
        self.desks = [desk_for(view, player, recall, sources, game.horizon) for _ in range(threads)]
        moves = blank_array(MOVE, MOST_MOVES)
        walk, counts = blank_array(game.state, MOST_STEPS + 1), np.zeros((MOST_STEPS + 1, 2), np.int64)
        actions = np.zeros((MOST_STEPS + 1, len(game.actions) + 1), np.int16)
        self.moves = moves[: self.engine.list_moves(self.desks[0], walk, actions, counts, moves)]
        self.sums = np.zeros((len(self.moves), SUMS))
        self.chosen = np.arange(len(self.moves))
        self.deals = 0

    def try_moves(self, deals: int) -> None:
        """Play all moves in question out in so many more deals."""
        size = max(1, GAMES_AT_ONCE // len(self.chosen))
        parts = [
            (first, min(size, self.deals + deals + 1 - first))
            for first in range(self.deals + 1, self.deals + deals + 1, size)
        ]
        tried = threads_of(self.threads).map(self.tried, parts) if self.threads > 1 else map(self.tried, parts)
        for sums in tried:
            self.sums += sums
        self.deals += deals

    def tried(self, part: tuple[int, int]) -> NDArray[np.float64]:
        """What comes of the moves in question in the deals from this number on, so many of them."""
        sums, desk = np.zeros_like(self.sums), self.desks.pop()
        self.engine.try_moves(desk, self.moves, self.chosen, *part, sums)
        self.desks.append(desk)
        return sums

    def drop_half(self) -> None:
        """The worse half of the moves is out of question; the first one stays, to be compared with."""
        others = self.chosen[1:]
        best = others[np.argsort(-self.sums[others, MARGIN], kind="stable")]
        self.chosen = np.array([0, *sorted(best[: max(1, len(self.chosen) // 2 - 1)])])

    def thoughts(self) -> list[Thought]:
        found = [thought_of(actions_of(move), sums) for move, sums in zip(self.moves, self.sums, strict=True)]
        better = [thought for thought in found[1:] if thought.games == found[0].games and thought.is_sure]
        first = max(better, key=lambda thought: thought.better, default=found[0])
        return sorted(found, key=lambda thought: (thought is not first, -thought.games, -thought.better))


def thought_of(actions: tuple[int, ...], sums: NDArray[np.float64]) -> Thought:
    games = max(1.0, sums[PLAYED])
    better = -sums[BEHIND] / games
    spread = max(0.0, sums[SPREAD] / games - better * better)
    return Thought(
        actions=actions,
        games=int(sums[PLAYED]),
        wins=float(sums[WINS] / games),
        margin=float(sums[MARGIN] / games),
        better=float(better),
        error=math.sqrt(spread / games),
    )


@cache
def threads_of(number: int) -> ThreadPoolExecutor:
    """So many threads, which all decisions share."""
    return ThreadPoolExecutor(number, "search")


@dataclass(frozen=True)
class Search:
    """The rules of `engine.drivers.search`, compiled for a game."""

    list_moves: Callable[..., int]
    try_moves: Callable[..., None]


@cache
def engine_of(name: str) -> Search:
    """The search of a game by its name; it is compiled after the rules, at its first call."""
    game = find_game(name)
    roots: dict[str, Callable[..., Any]] = {"list_moves": search.list_moves, "try_moves": search.try_moves}
    there = compiled.compiled(game).twins
    return Search(**compile_rules(game.name, game.state, roots, contract_of(game), there))


def like(view: State, player: int, actions: Sequence[int]) -> tuple[int, ...]:
    """What a whole move has in common with those that are as good by what the player knows (`Game.alike`)."""
    return int(view.game.alike(view.record, player, actions[0])), *actions[1:]


def contract_of(game: Game) -> dict[str, Callable[..., Any]]:
    """The game's own functions, by the names that `engine.drivers.search` calls them."""
    contract = compiled.contract_of(game)
    contract["estimate"] = game.estimate or contract["returns"]
    contract["rollout"] = game.rollout or contract["greedy"]
    contract["alike"] = game.alike
    return contract
