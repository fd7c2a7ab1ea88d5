"""A bot that plays out each of its moves before it chooses one, using `engine.drivers.search`.

Deals are numbered. Threads share them, and results are added up in the order of the deals, so the result does not
depend on the number of threads.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.bots import Suggestion
from fairdeal.engine.compile.searches import compiled_search, desk_of
from fairdeal.engine.drivers.search import GAMES_AT_ONCE, MASTER, MOVE, SOURCES, VIEW
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance
from fairdeal.engine.records import Record, blank_array, with_attributes
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import State

MEMORY = 100
"""Default percentage of the cards seen by a seat that search remembers."""


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


class SearchBot:
    """A bot that plays out `games` games for each decision, on `threads` threads.

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
        while deals := decision.next_round(self.games):
            decision.try_moves(deals)
        return decision.thoughts()


def sources_of(key: bytes, number: int) -> NDArray[Any]:
    """Return the random generators of decision `number`, derived from a key of 32 bytes."""
    master, found = blank_array(chance_record, 1), blank_array(chance_record, SOURCES)
    chance.set_key(master[0], key)
    chance.derive(found[MASTER], master[0], number)
    return found


def desk_with(view: State, sources: NDArray[Any]) -> NDArray[Any]:
    """Return an array of a new desk for playing out the moves of a seat with this view."""
    desks = blank_array(desk_of(view.game.name), 1)
    desks["states"][0, VIEW] = view.record
    desks["sources"][0] = sources
    return desks


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
        self.player, self.threads = player, threads
        self.engine = compiled_search(view.game.name)
        self.desks = desk_with(view, sources)
        self.engine.list_moves(self.desks, player, recall, view.game.horizon)

    def desk_value(self, field: str) -> int:
        """Return a number of the desk."""
        return int(self.desks[field][0])

    @property
    def moves(self) -> NDArray[Any]:
        """The moves, beginning with that of the rollout rule."""
        return self.desks["moves"][0, : self.desk_value("count")].view(with_attributes(MOVE))

    @property
    def sums(self) -> NDArray[Any]:
        """The sums for each of the moves."""
        return self.desks["sums"][0, : self.desk_value("count")]

    @property
    def chosen(self) -> NDArray[np.int16]:
        """The numbers of the remaining moves."""
        return self.desks["chosen"][0, : self.desk_value("left")]

    @chosen.setter
    def chosen(self, numbers: Sequence[int]) -> None:
        self.desks["left"] = len(numbers)
        self.desks["chosen"][0, : len(numbers)] = numbers

    def next_round(self, games: int) -> int:
        """Begin the next round of a search that plays out `games` games, after dropping the worse half of the moves.
        Return the number of deals to play, or 0 after the last round."""
        return self.engine.next_round(self.desks, games)

    def try_moves(self, deals: int) -> None:
        """Play out the remaining moves in `deals` more deals."""
        if self.threads == 1:
            self.engine.try_moves(self.desks, deals)
            return
        first, size = self.desk_value("deals") + 1, max(1, GAMES_AT_ONCE // self.desk_value("left"))
        free = [self.desks.copy() for _ in range(self.threads)]

        def batch(begin: int) -> NDArray[np.float64]:
            desks = free.pop()
            self.engine.try_batch(desks, begin, min(size, first + deals - begin))
            sums: NDArray[np.float64] = desks["batch"].view(np.float64).copy()
            free.append(desks)
            return sums

        for sums in threads_of(self.threads).map(batch, range(first, first + deals, size)):
            self.desks["sums"].view(np.float64)[:] += sums
        self.desks["deals"] += deals

    def thoughts(self) -> list[Thought]:
        """Return the results so far: first the best move, then the others by the number of games played out."""
        self.engine.rank_moves(self.desks)
        moves, games = self.desks["moves"][0], self.desks["sums"]["played"][0]
        results = self.desks["results"][0]
        order = self.desks["order"][0, : self.desk_value("count")].tolist()
        return [Thought(actions_of(moves[number]), int(games[number]), *results[number].item()) for number in order]


@cache
def threads_of(number: int) -> ThreadPoolExecutor:
    """Return the thread pool with `number` threads that all decisions share."""
    return ThreadPoolExecutor(number, "search")
