"""Batches of thousands of games, stepped in parallel by one call into compiled code.

    games = batch("chi", n=4096)
    while learning:
        arrays = games.step(choose(games.arrays.observation, games.arrays.mask))

At each step, one seat of every game (`player`) chooses an action. Either a learner plays all seats against itself, or
bots play all seats except one. See docs/environments.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairdeal.bots.registry import coded_for_each
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import compile_rules
from fairdeal.engine.drivers import MOST_STEPS
from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.kit import chance
from fairdeal.engine.observe.encoding import observe
from fairdeal.engine.observe.layout import layout_of, observer
from fairdeal.engine.records import blank_array
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import Table
from fairdeal.environments import stepping
from fairdeal.environments.helpers import Helpers
from fairdeal.environments.rewards import rewards_by
from fairdeal.environments.stepping import LEARNER, START, Arrays, Desk, Games
from fairdeal.environments.versions import table_of

FEWEST = 64
"""Minimum number of games per thread."""

CHANGING = ("states", "places", "choices", "few", "allowed", "master")
"""The arrays of `Games` that change from step to step, or with the seed."""


def batch(
    name: str,
    n: int = 4096,
    *,
    preset: str = "",
    seed: int | str = 0,
    bots: Sequence[str] = (),
    rewards: str = "scores",
    recall: int = 100,
    threads: int | None = None,
    **options: object,
) -> Batch:
    """Return `n` games at tables of the game `name`, with its options. The other arguments are those of `Batch`.

    >>> games = batch("chimax-cut", n=8, seed=7, players=2)
    >>> isinstance(games, Batch), games.arrays.mask.shape
    (True, (8, 47))
    """
    table, _ = table_of(name, options, preset)
    return Batch(table, n, seed=seed, bots=bots, rewards=rewards, recall=recall, threads=threads)


class Batch:
    """Games that are played in parallel. Arguments:

    table     the table at which all games are played
    n         number of games
    seed      seed of all cards and random events; the same seed and actions always give the same games
    bots      the bots at all seats except the learner's, starting at its left, or one for all seats; the learner's seat
              changes with the number of the game. Without bots, learners play all seats
    rewards   `scores` or `wins`, given by the step that ends a game
    recall    percentage of seen cards that learners remember
    threads   number of threads (default: one for each processor)

    `arrays` holds the results of the last step, and is overwritten by the next one: `observation` of shape (n, size),
    `mask` (n, actions), `reward` (n, players), `done` and `player` (n,).

    >>> games = batch("chimax-cut", n=8, seed=7, players=2)
    >>> arrays = games.step(games.sample(np.random.default_rng(1)))
    >>> arrays.reward.shape, arrays.done.shape
    ((8, 2), (8,))
    """

    def __init__(
        self,
        table: Table,
        n: int,
        *,
        seed: int | str = 0,
        bots: Sequence[str] = (),
        rewards: str = "scores",
        recall: int = 100,
        threads: int | None = None,
    ) -> None:
        if n < 1:
            raise FairdealError(f"n must be at least 1, not {n}")
        rewards_by(rewards, table)
        if not 0 <= recall <= 100:
            raise FairdealError(f"recall must be from 0 to 100 percent, not {recall}")
        self.table, self.n, self.recall = table, n, recall
        self.chosen = {"bots": bots, "rewards": rewards, "recall": recall, "threads": threads}
        self.layout = layout_of(table)
        self.actions = len(table.game.actions)
        self.engine = engine_of(table.game.name, self.layout.dtype.name)
        self.threads = max(1, min(threads or os.cpu_count() or 1, n // FEWEST))
        self.helpers = Helpers(self.threads - 1)
        self.games = Games(
            states=blank_array(table.game.state, n),
            places=blank_array(stepping.place, n),
            choices=np.zeros(n, np.int16),
            few=np.zeros((n, stepping.FEW), np.int16),
            allowed=np.zeros((n, -(-self.actions // stepping.BITS)), np.uint32),
            bots=np.array([LEARNER, *codes_of(bots, table)], np.int64) if bots else np.full(table.players, LEARNER),
            recall=recall,
            by_wins=rewards == "wins",
            master=blank_array(chance_record, 1),
            steps=self.layout.steps,
        )
        self.desks = [self.desk() for _ in range(self.threads)]
        self.arrays = self.new_arrays()
        self.reset(seed)

    def desk(self) -> Desk:
        states = blank_array(self.table.game.state, 2)
        states[START] = self.table.start
        content = states.view(np.int8).reshape(2, -1)
        return Desk(states, content, np.zeros(self.actions + MOST_STEPS, np.int16), np.zeros(self.table.players))

    def new_arrays(self) -> Arrays:
        """Return new arrays for `step` to write into."""
        n, players, layout = self.n, self.table.players, self.layout
        return Arrays(
            observation=np.zeros((n, layout.size), layout.dtype),
            mask=np.zeros((n, self.actions), np.bool_),
            player=np.zeros(n, np.int8),
            reward=np.zeros((n, players), np.float32),
            done=np.zeros(n, np.bool_),
            final=np.zeros((n, layout.size), layout.dtype),
        )

    def reset(self, seed: int | str = 0, arrays: Arrays | None = None) -> Arrays:
        """Restart all games, as games 0 to n - 1 of a seed."""
        chance.set_key(self.games.master[0], chance.key_of(seed))
        self.arrays = arrays or self.arrays
        self.in_parts(self.engine.begin_games, self.arrays)
        return self.arrays

    def step(self, actions: ArrayLike, arrays: Arrays | None = None) -> Arrays:
        """Carry out one action in every game. Return the results, in `arrays` if they are given.

        If an action is illegal, raises IllegalMove with the number of the first such game, and changes nothing.
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.n,):
            raise FairdealError(f"give one action for each of the {self.n} games, not an array of shape {chosen.shape}")
        told = arrays or self.arrays
        wrong = self.in_parts(self.engine.step_games, chosen, told)
        if wrong >= 0:
            raise self.refusal(wrong, int(chosen[wrong]))
        self.arrays = told
        return told

    def refusal(self, game: int, action: int) -> IllegalMove:
        here = self.games.places[game]
        legal = ", ".join(str(other) for other in range(self.actions) if stepping.is_legal(self.games, game, other))
        reason = (
            f"in game {game} (number {here.number} of its seed), the legal actions of seat {here.player} are {legal}"
        )
        return IllegalMove(f"action {action}", reason)

    def in_parts(self, work: Callable[..., int], *more: Any) -> int:
        """Run compiled code over all games, on all threads, each with its own workspace.

        Return the index of a game that `work` rejects, or -1. The call does not wait for a thread that starts too late
        and finds all blocks taken.
        """
        blocks = np.zeros(stepping.TAKEN + stepping.LINE * self.threads, np.int64)
        parts = [(self.games, desk, blocks, part, self.threads, *more) for part, desk in enumerate(self.desks)]
        for part in parts[1:]:
            self.helpers.ask(partial(work, *part))
        wrong = work(*parts[0])
        if wrong < 0:
            self.helpers.wait(lambda: blocks[stepping.DONE] == self.n)
        return wrong

    def state(self) -> dict[str, NDArray[Any]]:
        """Return everything that the rest of the games and the last results depend on, as copies of arrays, which
        `numpy.savez` can write to a file.

        >>> games = batch("chimax-cut", n=8, seed=7, players=2)
        >>> before, actions = games.state(), games.sample(np.random.default_rng(1))
        >>> seen = games.step(actions).observation.copy()
        >>> _ = games.restore(before)
        >>> np.array_equal(games.step(actions).observation, seen)
        True
        """
        return {name: array.copy() for name, array in self.content().items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> Arrays:
        """Go on from a `state` of this batch, or of another one with as many games at an equal table. Return its last
        results, in `arrays`. Raises FairdealError, and changes nothing, if the state does not fit."""
        there = self.content()
        kinds = {name: (array.shape, array.dtype) for name, array in there.items()}
        if {name: (array.shape, array.dtype) for name, array in state.items()} != kinds:
            raise FairdealError(f"this is not the state of a batch of {self.n} games at a table of {self.table}")
        first, start = state["states"][0].view(self.table.game.state)[0], self.table.start
        if any(first[name].tobytes() != start[name].tobytes() for name in ("rules_version", "options", "players")):
            raise FairdealError(f"this state is from games by other rules than those of {self.table}")
        for name, array in state.items():
            there[name][...] = array
        return self.arrays

    def copy(self) -> Batch:
        """Return an independent batch that goes on from here."""
        return revived(self.table, self.n, self.chosen, self.content())

    def __reduce__(self) -> tuple[Any, ...]:
        return revived, (self.table, self.n, self.chosen, self.state())

    def content(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that change from step to step, by name, with records as bytes."""
        found = {name: getattr(self.games, name) for name in CHANGING} | self.arrays._asdict()
        return {
            name: array if array.dtype.names is None else array.view(np.uint8).reshape(len(array), -1)
            for name, array in found.items()
        }

    @property
    def numbers(self) -> NDArray[np.int32]:
        """The numbers of the current games."""
        found: NDArray[np.int32] = self.games.places["number"]
        return found

    def sample(self, generator: np.random.Generator) -> NDArray[np.int16]:
        """Return a legal action for every game, drawn with equal probability."""
        found: NDArray[np.int16] = np.empty(self.n, np.int16)
        self.engine.choose(self.games, generator.random(self.n), found)
        return found


def revived(table: Table, n: int, chosen: dict[str, Any], state: Mapping[str, NDArray[Any]]) -> Batch:
    """Return a batch that goes on from a state."""
    games = Batch(table, n, **chosen)
    games.restore(state)
    return games


def codes_of(bots: Sequence[str], table: Table) -> list[int]:
    """Return the codes of the bots at all seats except one. Raises FairdealError for bots that need Python."""
    found = []
    for name, code in coded_for_each(bots, table.players - 1, table.game):
        if code is None:
            raise FairdealError(f"{name} cannot play in compiled code; use another bot, such as `greedy`")
        found.append(code)
    return found


@dataclass(frozen=True)
class Engine:
    """The rules of `stepping`, compiled for a game."""

    begin_games: Callable[..., int]
    step_games: Callable[..., int]
    choose: Callable[..., None]


@cache
def engine_of(name: str, dtype: str) -> Engine:
    """Return the compiled rules that step a game with observations of this type. They are compiled after the rules of
    the game, on their first call."""
    game = find_game(name)
    roots: dict[str, Callable[..., Any]] = {
        rule.__name__: rule for rule in (stepping.begin_games, stepping.step_games, stepping.choose)
    }
    there = {**compiled.compiled(game).twins, observe: observer(dtype)}
    return Engine(**compile_rules(game.name, game.state, roots, compiled.contract_of(game), there))
