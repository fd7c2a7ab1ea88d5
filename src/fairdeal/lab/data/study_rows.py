"""A study's games as a Parquet file, with a row for each game. docs/laboratory.md lists the columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fairdeal.lab.data.datasets import GAME_ROWS, KEY, arrow, by_seat, parquet
from fairdeal.lab.simulate.outcomes import NOBODY, joined
from fairdeal.lab.simulate.simulation import places_of, seats_of
from fairdeal.lab.studies.measures import STATISTICS
from fairdeal.lab.studies.recipe import Study
from fairdeal.lab.studies.run import Played, versions_of

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Schema

MEASURES = tuple(key for key in STATISTICS if key not in ("first", "score", "moves"))
"""The measures that have their own column. The others can be computed from earlier columns."""


def write_games(path: Path, study: Study, played: Sequence[Played]) -> None:
    """Write every game of a study to a file. Raises FairdealError if the file cannot be written."""
    schema = schema_of(study)
    with parquet(path, schema, GAME_ROWS) as write:
        for one in played:
            write(rows_of(one, schema))


def schema_of(study: Study) -> Schema:
    """Return the columns. Lists have one value for each seat. Measures of watched games are null in other games."""
    pa = arrow()
    columns = {
        "table": pa.string(),
        "game": pa.int64(),
        "moves": pa.int32(),
        "first": pa.int8(),
        "bots": pa.list_(pa.string()),
        "scores": pa.list_(pa.float64()),
        "places": pa.list_(pa.int8()),
        "wins": pa.list_(pa.float32()),
        **dict.fromkeys(MEASURES, pa.float64()),
        "happened": pa.map_(pa.string(), pa.int32()),
    }
    about = {"study": msgspec.to_builtins(study), "versions": versions_of(study)}
    return pa.schema(list(columns.items()), {KEY: msgspec.json.encode(about)})


def rows_of(played: Played, schema: Schema) -> RecordBatch:
    """Return the games of one table, with a row for each."""
    pa, outcomes = arrow(), joined(played.outcomes)
    games, players = outcomes.scores.shape
    first = outcomes.first.astype(np.int8)
    bots = np.array(outcomes.bots)[np.argsort(seats_of(games, players), axis=1)]
    happened = [
        [(f"{kind} {name}", times) for kind, names in game.happened.items() for name, times in sorted(names.items())]
        for game in played.watched
    ]
    columns = {
        "table": [played.setup.name] * games,
        "game": np.arange(games),
        "moves": outcomes.moves,
        "first": pa.array(first, mask=first == NOBODY),
        "bots": by_seat(bots),
        "scores": by_seat(outcomes.scores),
        "places": by_seat(places_of(outcomes.scores)),
        "wins": by_seat(outcomes.wins),
        **{key: known_first(played.samples.get(key, ()), games) for key in MEASURES},
        "happened": known_first(happened, games),
    }
    return pa.RecordBatch.from_pydict(columns, schema)


def known_first(values: Sequence[Any] | NDArray[Any], games: int) -> list[Any]:
    """Return a column of values that are known only for the first games, with null for the other games."""
    return [*values, *[None] * (games - len(values))]
