"""A game's search drivers (`engine.drivers.search`, `rollouts`), which are compiled after the game's rules, whose code
they call."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import Function, compile_rules, compile_together
from fairdeal.engine.drivers import rollouts, search
from fairdeal.engine.drivers.search import desk_for
from fairdeal.engine.game import Game
from fairdeal.engine.records import with_attributes
from fairdeal.engine.registry import find_game


@dataclass(frozen=True)
class Search:
    """The search drivers of a game. The first argument of each is an array of one desk."""

    list_moves: Callable[..., int]
    next_round: Callable[..., int]
    drop_half: Callable[..., None]
    try_moves: Callable[..., None]
    try_batch: Callable[..., None]
    rank_moves: Callable[..., None]
    list_none: Callable[..., None]
    place_played: Callable[..., None]
    next_trial: Callable[..., int]
    weigh_moves: Callable[..., None]


def roots() -> dict[str, Any]:
    """Return the search drivers, by name."""
    drivers = vars(search) | vars(rollouts)
    return {field.name: drivers[field.name] for field in fields(Search)}


def contract_of(game: Game) -> dict[str, Function]:
    """Return the game's functions by the names under which search drivers call them."""
    contract = compiled.contract_of(game)
    contract["estimate"] = game.estimate or contract["returns"]
    contract["rollout"] = game.rollout or contract["greedy"]
    contract["alike"] = game.alike
    return contract


@cache
def desk_of(name: str) -> np.dtype[Any]:
    """Return the record type of desks for the game with this name."""
    game = find_game(name)
    return with_attributes(desk_for(game.state, len(game.actions)))


def signatures_of(game: Game) -> dict[str, tuple[Any, ...]]:
    """Return Numba's types of the parameters of the search drivers, by name."""
    from numba import from_dtype, int64
    from numba import types as kinds

    desks = kinds.Array(from_dtype(desk_of(game.name)), 1, "C")
    return {name: (desks, *[int64] * (root.__code__.co_argcount - 1)) for name, root in roots().items()}


def twins_of(game: Game, there: Any) -> dict[str, Function]:
    """Return the search drivers before they are compiled. `there` contains the game's compiled rules."""
    return compile_rules(game.name, game.state, roots(), contract_of(game), there)


@cache
def compiled_search(name: str) -> Search:
    """Return the compiled search drivers of the game with this name, from the cache on disk if possible."""
    game = find_game(name)
    twins = twins_of(game, compiled.compiled(game).twins)
    compile_together(twins, signatures_of(game), lambda _: None)
    return Search(**twins)
