"""The description of a game's WebAssembly module, for programs in other languages (docs/wasm.md)."""

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from fairdeal.engine import records
from fairdeal.engine.compile import wasm
from fairdeal.engine.compile.sources import hash_of_rules
from fairdeal.engine.drivers.search import desk_for
from fairdeal.engine.game import Game
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.observe.layout import Field, layout_of_scenes, numbers_of
from fairdeal.engine.options import codes_of, option_fields, part_of, read_options
from fairdeal.engine.scene.shown import InScene
from fairdeal.engine.state import Table


class RecordField(Frozen):
    """The numbers of a record under one name.

    name     name; names of nested fields contain dots
    offset   place of the first number, in bytes
    type     type of a number, as NumPy writes it: `int8`, `int16`, `int32`, `uint32` or `float64`
    shape    length of each dimension, starting with the outermost; empty for a single number
    strides  distance between neighbours in each dimension, in bytes
    """

    name: str
    offset: int
    type: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]


class OptionField(Frozen):
    """The numbers of an option in a record.

    option    name of the option; empty for a number that no option determines
    field     name of the field in the record; an option whose value is a file has several
    file      whether the value is a file
    words     number that stands for each word
    default   numbers in the field if the option is not given
    defaults  default numbers that differ, by number of players
    """

    option: str
    field: str
    file: bool
    words: dict[str, int]
    default: tuple[int, ...]
    defaults: dict[str, tuple[int, ...]]


class Description(Frozen):
    """The layout of a module: addresses, sizes, actions and fields.

    game           name of the game
    rules_version  version of its rules
    rules          hash of the source of its rules, by which programs know whether the module belongs to them; "" if the
                   source is not known
    numba          version of the compiler
    sha256         hash of the module, in hexadecimal digits
    free           first address used by neither constants nor the stack; the stack begins there and grows downwards
    size           size of a state in bytes
    source         size of a source of random numbers in bytes
    seats          number of seats in a state
    recall         percentage of seen cards that the greedy bot remembers
    horizon        maximum number of moves that a search plays out; 0 to play to the end
    events         whether the house plays events that no seat causes
    actions        verb and target of each action id; null for unused ids
    fields         fields of a state
    options        fields of a state that hold the options
    in_scene       fields of a state that scenes show
    layout         hash of the layout of states, on which their digests and facts depend
    windows        whether live tables show windows, during which some seats do not see the current state
    desk           size of a desk in bytes
    view           place of the seat's view in a desk, in bytes
    desk_fields    fields of a desk, except those of states
    """

    game: str
    rules_version: int
    rules: str
    numba: str
    sha256: str
    free: int
    size: int
    source: int
    seats: int
    recall: int
    horizon: int
    events: bool
    actions: tuple[tuple[str, int] | None, ...]
    fields: tuple[RecordField, ...]
    options: tuple[OptionField, ...]
    in_scene: tuple[InScene, ...]
    layout: str
    windows: bool
    desk: int
    view: int
    desk_fields: tuple[RecordField, ...]

    def as_json(self) -> bytes:
        """Return the description as JSON, in the form whose hash names it."""
        return msgspec.json.encode(self)


def description_of(game: Game, module: wasm.Module) -> Description:
    """Return the description of a game's module."""
    known, desk = set(game.actions), desk_for(game.state, len(game.actions))
    parts: Any = desk.fields
    return Description(
        game=game.name,
        rules_version=game.rules_version,
        rules=hash_of_rules(game),
        numba=module.numba,
        sha256=hashlib.sha256(module.code).hexdigest(),
        free=module.free,
        size=game.state.itemsize,
        source=records.chance.itemsize,
        seats=game.state["match"]["totals"].shape[0],
        recall=game.recall,
        horizon=game.horizon,
        events=game.events,
        actions=tuple(game.actions.decode(id) if id in known else None for id in range(len(game.actions))),
        fields=tuple(map(record_field, numbers_of(game.state))),
        options=tuple(options_of(game)),
        in_scene=tuple(game.in_scene),
        layout=layout_of_scenes(game),
        windows=game.has_windows,
        desk=desk.itemsize,
        view=parts["states"][1],
        desk_fields=tuple(
            record_field(field)
            for field in numbers_of(desk)
            if field.name.partition(".")[0] not in ("states", "walk", "filler")
        ),
    )


def record_field(field: Field) -> RecordField:
    """Return a field in the form used in the description."""
    shape, strides = (tuple(lengths) for lengths in zip(*field.dims, strict=True)) if field.dims else ((), ())
    return RecordField(field.name, field.offset, field.kind.name, shape, strides)


def options_of(game: Game) -> Iterator[OptionField]:
    """Yield the fields of a state that hold the options of a game."""
    lowest, highest = game.players
    blank = {
        players: Table(game, read_options(game.options, {"players": players})).start.tobytes()
        for players in range(lowest, highest + 1)
    }
    given = {field.name: (name, field.type) for name, field in option_fields(game.options).items()}
    for field in numbers_of(game.state):
        if field.name != "players" and not field.name.startswith("options."):
            continue
        name, hint = given.get(field.name.removeprefix("options.").partition(".")[0], ("", None))
        by_players = {players: numbers_in(start, field) for players, start in blank.items()}
        default = by_players[lowest]
        yield OptionField(
            option=name,
            field=field.name,
            file=part_of(hint) is not None,
            words=codes_of(hint),
            default=default,
            defaults={str(players): numbers for players, numbers in by_players.items() if numbers != default},
        )


def numbers_in(state: bytes, field: Field) -> tuple[int, ...]:
    """Return the numbers of a field of a state, row by row."""
    shape, strides = ([*lengths] for lengths in zip(*field.dims, strict=True)) if field.dims else ((), ())
    numbers: np.ndarray[Any, Any] = np.ndarray(shape, field.kind, state, field.offset, strides)
    return tuple(numbers.ravel().tolist())
