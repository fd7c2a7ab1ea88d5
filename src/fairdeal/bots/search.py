"""A bot that plays out each of its moves before it chooses one, using `engine.drivers.search`.

The bot starts with the move of the game's rollout rule (by default the greedy rule) and all other moves. It plays each
of them out in the same few deals, drops the worse half, and repeats, so that most games are spent on moves that are
hard to distinguish (sequential halving: Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in Multi-Armed
Bandits", 2013). It prefers another move to the first one only if its lead in the same deals exceeds the standard error.

Deals are numbered. Threads share them, and results are added up in the order of the deals, so the answer does not
depend on the number of threads.
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
"""Maximum number of moves tried. If there are more, the first one and random others are tried."""

MEMORY = 100
"""Default percentage of cards seen by a seat that search remembers."""

SURE = 1.0
"""Minimum lead over the first move, in standard errors, for another move to be preferred."""

FEWEST_DEALS = 2
"""Minimum number of deals in which every move of a round is tried."""

GAMES_AT_ONCE = 32
"""Approximate number of games that a thread plays out before it takes the next batch of deals."""


@dataclass(frozen=True)
class Thought:
    """The results for a move: number of games played out, share of wins, average final lead over the best rival,
    average gain over the first move in the same deals, and the standard error of that gain."""

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
    """A bot that plays `games` games out for each decision, on `threads` threads.

    It remembers `recall` percent of the cards seen by its seat, and assumes that the other seats remember as much as
    the game's greedy bot, but not more than itself. The same key, turn and knowledge always give the same move.

    >>> state = load("chi").deal(seed=7)
    >>> bot = SearchBot(state.game, key=bytes(32), games=20)
    >>> bot.choose(state.view(1, recall=100), 1, turn=0).reason
    'I win 57% of 7 games that could follow.'
    """

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
        """Return all moves that were tried: first the best one, then the others by the number of games played out."""
        decision = Decision(view, player, self.others, sources_of(self.key, turn), self.threads)
        if len(decision.moves) > 1:
            rounds = math.ceil(math.log2(len(decision.moves)))
            for _ in range(rounds):
                decision.try_moves(max(FEWEST_DEALS, self.games // rounds // len(decision.chosen)))
                decision.drop_half()
        return decision.thoughts()


def sources_of(key: bytes, number: int) -> NDArray[Any]:
    """Return the random generators of decision `number`, derived from a key of 32 bytes."""
    master, found = blank_array(chance_record, 1), blank_array(chance_record, SOURCES)
    chance.set_key(master[0], key)
    chance.derive(found[MASTER], master[0], number)
    return found


def desk_for(view: State, seat: int, recall: int, sources: NDArray[Any], horizon: int) -> Desk:
    """Return a new workspace for playing out the moves of a seat with this view."""
    states, plan = blank_array(view.game.state, STATES), np.zeros(len(view.game.actions) + MOST_STEPS, np.int16)
    states[VIEW] = view.record
    return Desk(states, sources.copy(), plan, np.zeros(view.players), seat, recall, horizon)


def actions_of(move: Record) -> tuple[int, ...]:
    """Return the action ids of a complete move."""
    length, actions = move.item()
    return tuple(actions[:length].tolist())


class Decision:
    """The moves of one decision and the results of playing them out. More deals can be played after `thoughts`.

    `recall` is the percentage that the other seats remember. `sources` is an array of random generators' records; the
    deals follow from the first one.

    >>> state = load("chi").deal(seed=7)
    >>> sources = np.repeat(state.record["chance"], 3)
    >>> decision = Decision(state.view(1, recall=100), 1, 100, sources)
    >>> decision.try_moves(4)
    >>> {thought.games for thought in decision.thoughts()}
    {4}
    """

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
        """Play the remaining moves out in `deals` more deals."""
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
        """Return the results of the remaining moves in a range of deals, given as the number of the first deal and the
        number of deals."""
        sums, desk = np.zeros_like(self.sums), self.desks.pop()
        self.engine.try_moves(desk, self.moves, self.chosen, *part, sums)
        self.desks.append(desk)
        return sums

    def drop_half(self) -> None:
        """Drop the worse half of the remaining moves. The first move always stays, for comparison."""
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
    """Return the thread pool with `number` threads that all decisions share."""
    return ThreadPoolExecutor(number, "search")


@dataclass(frozen=True)
class Search:
    """The rules of `engine.drivers.search`, compiled for a game."""

    list_moves: Callable[..., int]
    try_moves: Callable[..., None]


@cache
def engine_of(name: str) -> Search:
    """Return the search of the game with this name. It is compiled after the rules, when it is first called."""
    game = find_game(name)
    roots: dict[str, Callable[..., Any]] = {"list_moves": search.list_moves, "try_moves": search.try_moves}
    there = compiled.compiled(game).twins
    return Search(**compile_rules(game.name, game.state, roots, contract_of(game), there))


def like(view: State, player: int, actions: Sequence[int]) -> tuple[int, ...]:
    """Return a key that is equal for moves that are equivalent by what the player knows (`Game.alike`)."""
    return int(view.game.alike(view.record, player, actions[0])), *actions[1:]


def contract_of(game: Game) -> dict[str, Callable[..., Any]]:
    """Return the game's functions by the names under which `engine.drivers.search` calls them."""
    contract = compiled.contract_of(game)
    contract["estimate"] = game.estimate or contract["returns"]
    contract["rollout"] = game.rollout or contract["greedy"]
    contract["alike"] = game.alike
    return contract
