"""Datasets: simulated games as Parquet files, with a row for each decision or game. docs/datasets.md lists the columns.

A file is written during play, in groups of rows. The same command always writes the same bytes, because rows are in the
order of games and all groups of rows except the last have the same size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.compile.compiler import compile_rules
from fairdeal.engine.errors import FairdealError, missing
from fairdeal.engine.files import move_over
from fairdeal.engine.observe.layout import Layout, layout_of
from fairdeal.engine.observe.recording import Decisions, observe_all
from fairdeal.engine.options import as_dict
from fairdeal.engine.records import chance, restored
from fairdeal.engine.state import State, Table
from fairdeal.lab.data.decisions import record_part
from fairdeal.lab.simulate.executors import Jobs
from fairdeal.lab.simulate.jobs import Order
from fairdeal.lab.simulate.simulation import Games, Play, Progress, joined, nobody, parts, places_of, wins_of
from fairdeal.lab.simulate.simulation import play as play_games

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Schema

ROWS = 1 << 14
"""Number of decisions in a row group."""

GAME_ROWS = 1 << 17
"""Number of games in a row group."""

BYTES = 1 << 24
"""Approximate maximum size of the decisions in a part, in bytes."""

LONG_GAME = 100
"""Assumed number of decisions in a game."""

KEY = "fairdeal"
"""Metadata key of the schema under which a JSON description of the game is stored."""


@dataclass(frozen=True)
class Wishes:
    """Options for writing decisions: whether to add each seat's knowledge as a JSON position, and whether to write
    observations as lists of numbers rather than bytes."""

    positions: bool = False
    lists: bool = False


def arrow() -> Any:
    """Import and return PyArrow. Raises FairdealError if it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing("datasets need PyArrow", "data") from None
    return pyarrow


def play_into(moves: Path | None, games: Path | None, wishes: Wishes) -> Play:
    """Return a function that plays games like `simulation.play`, and writes their decisions and games into these
    files."""

    def play(order: Order, number: int, jobs: Jobs = None, progress: Progress = nobody) -> Games:
        table, about = order.table, told_of(order, number)
        if moves:
            most = games_at_once(table)
            with parquet(moves, decision_schema(table, about, wishes), ROWS) as write:
                made = parts(order, 0, number, jobs, partial(decisions_of, wishes), progress, most=most)
                played = joined(write_parts(made, write), order.bots, number)
        else:
            played = play_games(order, number, jobs, progress)
        if games:
            with parquet(games, game_schema(table, about), GAME_ROWS) as write:
                for first in range(0, number, GAME_ROWS):
                    write(game_rows(table, played, first, min(first + GAME_ROWS, number)))
        return played

    return play


def write_parts(
    made: Iterable[tuple[Games, list[RecordBatch]]], write: Callable[[RecordBatch], None]
) -> Iterator[Games]:
    """Write the decisions of each part, and yield its games."""
    for games, batches in made:
        for batch in batches:
            write(batch)
        yield games


def games_at_once(table: Table) -> int:
    """Return the number of games in a part if decisions are written."""
    layout = layout_of(table)
    return max(1, BYTES // (LONG_GAME * layout.size * layout.dtype.itemsize))


@contextmanager
def parquet(path: Path, schema: Schema, rows: int) -> Iterator[Callable[[RecordBatch], None]]:
    """Yield a function that writes rows into a file in groups of `rows`. The file appears only when it is complete."""
    pa = arrow()
    unfinished = path.with_name(f"{path.name}.part")
    waiting: list[RecordBatch] = []
    wide = [field.name for field in schema if field.name in ("observation", "position")]

    def group(least: int) -> None:
        nonlocal waiting
        table = pa.Table.from_batches(waiting, schema)
        while table.num_rows >= least and table.num_rows:
            writer.write_table(table.slice(0, rows).combine_chunks(), rows)
            table = table.slice(rows)
        waiting = table.to_batches()

    def write(batch: RecordBatch) -> None:
        waiting.append(batch)
        if sum(len(one) for one in waiting) >= rows:
            group(rows)

    try:
        narrow = [name for name in schema.names if name not in wide]
        with (
            unfinished.open("wb") as file,
            pa.parquet.ParquetWriter(
                file, schema, compression="zstd", compression_level=1, use_dictionary=narrow, write_statistics=narrow
            ) as writer,
        ):
            yield write
            group(1)
        move_over(unfinished, path)
    except OSError as problem:
        raise FairdealError(f"{path} cannot be written: {problem.strerror or problem}") from problem
    finally:
        unfinished.unlink(missing_ok=True)


# --- what a file tells of its games -----------------------------------------------------------------------------------


def told_of(order: Order, games: int) -> dict[str, Any]:
    """Return a description of the games, with the versions of fairdeal and of the rules."""
    game = order.table.game
    return {
        "game": game.name,
        "title": game.title,
        "options": as_dict(order.table.options),
        "bots": order.bots,
        "seed": order.seed,
        "games": games,
        "rules_version": game.rules_version,
        "fairdeal": version("fairdeal"),
    }


def decision_schema(table: Table, about: dict[str, Any], wishes: Wishes) -> Schema:
    """Return the columns of decisions."""
    pa, layout = arrow(), layout_of(table)
    about = about | {
        "actions": [table.game.actions.label(number) for number in table.game.actions],
        "observation": {
            "dtype": layout.dtype.name,
            "size": layout.size,
            "planes": [
                {"name": it.name, "shape": it.shape, "start": it.start, "words": it.words} for it in layout.planes
            ],
        },
    }
    columns = {
        "game": pa.int64(),
        "move": pa.int32(),
        "step": pa.int16(),
        "seat": pa.int8(),
        "bot": pa.dictionary(pa.int8(), pa.string()),
        "observation": (
            pa.list_(pa.from_numpy_dtype(layout.dtype), layout.size)
            if wishes.lists
            else pa.binary(layout.size * layout.dtype.itemsize)
        ),
        "legal": pa.list_(pa.int16()),
        "action": pa.int16(),
        "score": pa.float64(),
        "place": pa.int8(),
        "win": pa.float32(),
    } | ({"position": pa.string()} if wishes.positions else {})
    return pa.schema(list(columns.items()), {KEY: msgspec.json.encode(about)})


# --- decisions --------------------------------------------------------------------------------------------------------


def decisions_of(wishes: Wishes, order: Order, first: int, end: int) -> tuple[Games, list[RecordBatch]]:
    """Play the games from number `first` up to, but not including, `end`. Return the games and their decisions as
    rows."""
    found, batches = [], []
    for games, decisions in record_part(order, first, end):
        found.append(games)
        batches.append(decision_rows(order, games, decisions, wishes))
    return joined(found, order.bots, end - first), batches


def decision_rows(order: Order, games: Games, decisions: Decisions, wishes: Wishes) -> RecordBatch:
    """Return the decisions of these games as rows."""
    pa, rows, schema = arrow(), decisions.rows, decision_schema(order.table, {}, wishes)
    who = rows["game"] - rows["game"][0], rows["seat"]
    ends = np.concatenate([[0], rows["legal_end"]]).astype(np.int32)
    columns = {name: rows[name] for name in ("game", "move", "step", "seat", "action")} | {
        "bot": named(order.bots, rows["bot"]),
        "observation": column_of(observed(layout_of(order.table), decisions), schema.field("observation").type),
        "legal": pa.ListArray.from_arrays(ends, decisions.legal),
        "score": games.scores[who],
        "place": places_of(games.scores)[who],
        "win": wins_of(games.scores)[who],
    }
    if wishes.positions:
        columns["position"] = list(positions_of(order.table, decisions))
    return pa.RecordBatch.from_pydict(columns, schema)


def column_of(array: NDArray[Any], kind: Any) -> Any:
    """Return the rows of an array as a column of type `kind`, without copying."""
    pa = arrow()
    if pa.types.is_fixed_size_list(kind):
        return pa.FixedSizeListArray.from_arrays(pa.array(array.reshape(-1)), type=kind)
    return pa.Array.from_buffers(kind, len(array), [None, pa.py_buffer(array)])


def observed(layout: Layout, decisions: Decisions) -> NDArray[Any]:
    """Return the observations of the deciding seats, with a row for each decision."""
    contents = decisions.views.view(np.int8).reshape(len(decisions.views), -1)
    seats = np.ascontiguousarray(decisions.rows["seat"])
    found = np.zeros((len(contents), layout.size), layout.dtype)
    observer_of_all(layout.dtype.name)(contents, seats, layout.table.players, layout.steps, found)
    return found


@cache
def observer_of_all(dtype: str) -> Callable[..., None]:
    """Return `observe_all`, compiled for observations of type `dtype`. All games share it."""
    return compile_rules(f"observations-{dtype}", chance, {"observe_all": observe_all}, {})["observe_all"]


def positions_of(table: Table, decisions: Decisions) -> Iterator[str]:
    """Yield the view of each deciding seat as JSON, in the format of `fairdeal position`."""
    for view, seat in zip(decisions.views, decisions.rows["seat"].tolist(), strict=True):
        seen = State(table, restored(view.tobytes(), decisions.views.dtype), seat)
        yield msgspec.json.encode(seen.position()).decode()


# --- games ------------------------------------------------------------------------------------------------------------


def game_schema(table: Table, about: dict[str, Any]) -> Schema:
    """Return the columns of games. Lists have one value for each seat."""
    pa, players = arrow(), table.players
    columns = {
        "game": pa.int64(),
        "moves": pa.int32(),
        "actions": pa.int32(),
        "bots": pa.list_(pa.dictionary(pa.int8(), pa.string()), players),
        "scores": pa.list_(pa.float64(), players),
        "places": pa.list_(pa.int8(), players),
        "wins": pa.list_(pa.float32(), players),
    }
    return pa.schema(list(columns.items()), {KEY: msgspec.json.encode(about)})


def game_rows(table: Table, played: Games, first: int, end: int) -> RecordBatch:
    """Return the games from number `first` up to, but not including, `end` as rows."""
    pa, schema = arrow(), game_schema(table, {})
    scores, numbers = played.scores[first:end], np.arange(first, end)
    who = (np.arange(table.players) + numbers[:, None]) % table.players
    columns = {
        "game": numbers,
        "moves": played.lengths[first:end, 0],
        "actions": played.lengths[first:end, 1],
        "bots": pa.FixedSizeListArray.from_arrays(named(played.bots, who.reshape(-1)), table.players),
        "scores": by_seat(scores),
        "places": by_seat(places_of(scores)),
        "wins": by_seat(wins_of(scores)),
    }
    return pa.RecordBatch.from_pydict(columns, schema)


def named(bots: Sequence[str], who: NDArray[Any]) -> Any:
    """Return a column of names, given the numbers of bots. Each name is listed once, because Arrow writes random bytes
    into a Parquet file if a dictionary lists a value twice."""
    names = list(dict.fromkeys(bots))
    return arrow().DictionaryArray.from_arrays(np.array([names.index(bot) for bot in bots], np.int8)[who], names)


def by_seat(values: NDArray[Any]) -> Any:
    """Return a list for each game, from an array with a column for every seat."""
    return arrow().FixedSizeListArray.from_arrays(values.reshape(-1), values.shape[1])
