"""The description of a game's WebAssembly module, for programs in other languages (docs/wasm.md)."""

from __future__ import annotations

import hashlib
from importlib.metadata import version

import msgspec

from fairdeal.engine import records
from fairdeal.engine.compile import wasm
from fairdeal.engine.game import Game
from fairdeal.engine.observe.layout import numbers_of


class RecordField(msgspec.Struct, frozen=True):
    """The numbers of a record under one name.

    name     name; names of nested fields contain dots
    offset   place of the first number, in bytes
    type     type of a number, as NumPy writes it: `int8`, `int16`, `int32` or `uint32`
    shape    length of each dimension, starting with the outermost; empty for a single number
    strides  distance between neighbours in each dimension, in bytes
    """

    name: str
    offset: int
    type: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]


class Description(msgspec.Struct, frozen=True):
    """The layout of a module: addresses, sizes, actions and fields.

    game           name of the game
    rules_version  version of its rules
    fairdeal       version of the package
    numba          version of the compiler
    sha256         hash of the module, in hexadecimal digits
    free           first address that neither constants nor the stack use; the stack begins there and grows downwards
    size           size of a state in bytes
    source         size of a source of random numbers in bytes
    seats          number of seats in a state
    recall         percentage of seen cards that the greedy bot remembers
    events         whether the house plays events that no seat causes
    actions        verb and target of each action id; null for unused ids
    fields         fields of a state
    """

    game: str
    rules_version: int
    fairdeal: str
    numba: str
    sha256: str
    free: int
    size: int
    source: int
    seats: int
    recall: int
    events: bool
    actions: tuple[tuple[str, int] | None, ...]
    fields: tuple[RecordField, ...]


def description_of(game: Game, module: wasm.Module) -> Description:
    """Return the description of a game's module."""
    known = set(game.actions)
    return Description(
        game=game.name,
        rules_version=game.rules_version,
        fairdeal=version("fairdeal"),
        numba=version("numba"),
        sha256=hashlib.sha256(module.code).hexdigest(),
        free=module.free,
        size=game.state.itemsize,
        source=records.chance.itemsize,
        seats=game.state["match"]["totals"].shape[0],
        recall=game.recall,
        events=game.events,
        actions=tuple(game.actions.decode(id) if id in known else None for id in range(len(game.actions))),
        fields=tuple(
            RecordField(
                field.name,
                field.offset,
                field.kind.name,
                tuple(length for length, _ in field.dims),
                tuple(stride for _, stride in field.dims),
            )
            for field in numbers_of(game.state)
        ),
    )
