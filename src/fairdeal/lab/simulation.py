"""Many games at once: who wins, from which seat, and how long it takes."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.finding import code_of
from fairdeal.engine import chance, compiled
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import as_dict
from fairdeal.engine.records import blank_array
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import Table

CHUNK = 500
"""Games between two steps of the progress bar."""

NORMAL_95 = 1.959964


class Estimate(msgspec.Struct, frozen=True):
    """A value with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


class Record(msgspec.Struct, frozen=True):
    """How a seat or a bot did: its share of wins (shared wins are split), mean score and mean place."""

    name: str
    games: int
    wins: Estimate
    score: Estimate
    place: Estimate


class Lengths(msgspec.Struct, frozen=True):
    """Whole moves of a game: mean with interval, and where the lowest 5 %, the middle and the highest 5 % lie."""

    mean: Estimate
    low_5: float
    median: float
    high_5: float
    longest: int


class Simulation(msgspec.Struct, frozen=True):
    """The results of many games. The same table, bots and seed give the same results for any number of jobs; only
    the seconds differ."""

    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: str
    games: int
    by_bot: tuple[Record, ...]
    by_seat: tuple[Record, ...]
    moves: Lengths
    shared_wins: Estimate
    seconds: float = 0.0
    moves_per_second: float = 0.0


def seats_for(table: Table, bots: Sequence[str]) -> tuple[str, ...]:
    """One bot for each seat; a single name stands for all. Raises FairdealError."""
    for name in bots:
        code_of(name, table.game)
    if len(bots) == 1:
        return tuple(bots) * table.players
    if len(bots) != table.players:
        raise FairdealError(f"name one bot for all or one for each of the {table.players} seats, not {len(bots)}")
    return tuple(bots)


def simulate(
    table: Table,
    games: int,
    bots: Sequence[str] = ("greedy",),
    seed: int | str = 0,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play games with the bots going round the seats. `progress` is told how many games are done."""
    if games < 1:
        raise FairdealError(f"play at least one game, not {games}")
    seated = seats_for(table, bots)
    scores = np.zeros((games, table.players))
    lengths = np.zeros((games, 2), np.int64)
    prepare(table)
    started = time.perf_counter()
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        chunks = [
            pool.submit(
                play_games, table, seated, seed, first, scores[first : first + CHUNK], lengths[first : first + CHUNK]
            )
            for first in range(0, games, CHUNK)
        ]
        done = 0
        try:
            for chunk in as_completed(chunks):
                done += chunk.result()
                if progress:
                    progress(done)
        except BaseException:
            pool.shutdown(cancel_futures=True)  # an interrupted study must not play on to its last game
            raise
    seconds = time.perf_counter() - started
    return Simulation(
        game=table.game.name,
        options=as_dict(table.options),
        bots=seated,
        seed=str(seed),
        games=games,
        seconds=seconds,
        moves_per_second=float(lengths[:, 0].sum()) / seconds,
        moves=lengths_of(lengths[:, 0]),
        **standings(seated, scores),
    )


def prepare(table: Table) -> None:
    """Compile what plays games: it is compiled when the first of them is played, and this plays none."""
    play_games(table, ("random",) * table.players, 0, 0, np.zeros((0, table.players)), np.zeros((0, 2), np.int64))


def play_games(
    table: Table,
    bots: Sequence[str],
    seed: int | str,
    first: int,
    scores: NDArray[np.float64],
    lengths: NDArray[np.int64],
) -> int:
    """Play the games number `first` and following in this thread; their number."""
    states, sources = blank_array(table.game.state, 3), blank_array(chance_record, 2)
    states[0] = table.blank().record
    chance.set_key(sources[0], chance.key_of(seed))
    codes = np.array([code_of(name, table.game) for name in bots], np.int64)
    engine = compiled.compiled(table.game)
    engine.simulate(states, sources, compiled.scratch(table.game), codes, first, len(scores), scores, lengths)
    return len(scores)


def standings(bots: Sequence[str], scores: NDArray[np.float64]) -> dict[str, Any]:
    """Results by bot and by seat."""
    games, players = scores.shape
    best = scores == scores.max(axis=1, keepdims=True)
    wins = best / best.sum(axis=1, keepdims=True)
    places = 1.0 + (scores[:, :, None] < scores[:, None, :]).sum(axis=2)
    who = (np.arange(players) + np.arange(games)[:, None]) % players
    names = list(dict.fromkeys(bots))
    by_bot = []
    for name in names:
        mine = np.isin(who, [number for number, bot in enumerate(bots) if bot == name])
        by_bot.append(record_of(name, wins[mine], scores[mine], places[mine]))
    by_seat = tuple(
        record_of(f"seat {seat}", wins[:, seat], scores[:, seat], places[:, seat]) for seat in range(players)
    )
    return {"by_bot": tuple(by_bot), "by_seat": by_seat, "shared_wins": share(best.sum(axis=1) > 1)}


def record_of(name: str, wins: NDArray[np.float64], scores: NDArray[np.float64], places: NDArray[np.float64]) -> Record:
    return Record(name, len(wins), share(wins), mean(scores), mean(places))


def share(values: NDArray[Any]) -> Estimate:
    """A share and its 95 % interval (E. B. Wilson, 1927)."""
    count, value, z = len(values), float(np.mean(values)), NORMAL_95
    centre = (value + z * z / (2 * count)) / (1 + z * z / count)
    spread = z * math.sqrt(value * (1 - value) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return Estimate(value, max(0.0, centre - spread), min(1.0, centre + spread))


def mean(values: NDArray[Any]) -> Estimate:
    """A mean and its 95 % interval by the normal approximation."""
    value = float(np.mean(values))
    spread = NORMAL_95 * float(np.std(values)) / math.sqrt(len(values))
    return Estimate(value, value - spread, value + spread)


def lengths_of(moves: NDArray[np.int64]) -> Lengths:
    low, middle, high = (float(part) for part in np.percentile(moves, [5, 50, 95]))
    return Lengths(mean(moves), low, middle, high, int(moves.max()))
