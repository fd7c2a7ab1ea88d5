"""Enumerate the deals that are consistent with a viewer's knowledge, by running `resample` with every result of every
draw."""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import unchecked
from fairdeal.engine.fields import on_fields, structure_of
from fairdeal.engine.kit import chance
from fairdeal.engine.records import Record, copied
from fairdeal.engine.registry import find_game


class Draws:
    """A sequence of draws with given results, which takes the place of a random number generator.

    >>> draws = Draws()
    >>> draws.draw(3), draws.draw(2), draws.advance()
    (0, 0, True)
    >>> draws.draw(3), draws.draw(2)
    (0, 1)
    """

    def __init__(self) -> None:
        self.results: list[int] = []
        self.bounds: list[int] = []

    def draw(self, bound: int) -> int:
        """Return the result of the next draw, from 0 to `bound - 1`."""
        place = len(self.bounds)
        self.bounds.append(bound)
        if place == len(self.results):
            self.results.append(0)
        return self.results[place]

    def advance(self) -> bool:
        """Begin the next sequence. Return whether there is one."""
        bounds, self.bounds = self.bounds, []
        while self.results and self.results[-1] == bounds[len(self.results) - 1] - 1:
            self.results.pop()
        if self.results:
            self.results[-1] += 1
        return bool(self.results)


def draw(source: Draws, bound: int) -> int:
    """Return the result of the next draw, in place of `chance.draw`."""
    return source.draw(bound)


def rekey(generator: Record, source: Draws) -> None:
    """Leave the generator unchanged, in place of `chance.rekey`."""


@cache
def resample_of(name: str) -> Callable[[Record, int, Draws], None]:
    """Return the rule `resample` of a game, interpreted, with `Draws` in place of the generator."""
    game = find_game(name)
    contract = compiled.contract_of(game)
    roots = {"resample": unchecked(contract.pop("resample"))}
    instead: dict[Callable[..., Any], Callable[..., Any]] = {
        unchecked(chance.draw): draw,
        unchecked(chance.rekey): rekey,
    }
    return on_fields(compiled.bound_plainly(roots, contract, instead)["resample"], structure_of(game.state))


def deals(name: str, view: Record, viewer: int, most: int, rest: Callable[[], None]) -> list[Record] | None:
    """Return the results of `resample` for a concealed state, one for each possible sequence of draws, or None if there
    are more than `most` sequences. `rest` is called before each."""
    draws, resample = Draws(), resample_of(name)
    found: list[Record] = []
    while not found or draws.advance():
        rest()
        found.append(copied(view))
        resample(found[-1], viewer, draws)
        if max(len(found), math.prod(draws.bounds)) > most:
            return None
    return found
