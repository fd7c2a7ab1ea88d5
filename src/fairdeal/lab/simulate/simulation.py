"""Simulations of many games: wins by bot and by seat, and lengths of games."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.custom import Forfeit, OwnBot
from fairdeal.bots.registry import one_for_each
from fairdeal.engine.compile import compiled
from fairdeal.engine.drivers import STATES, Desk
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.options import as_dict
from fairdeal.engine.records import blank_array
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import State, Table
from fairdeal.lab.estimates import Estimate, mean, share
from fairdeal.lab.simulate.executors import Answer, Jobs, Workers, in_order, workers_for
from fairdeal.lab.simulate.following import Followed, all_begun
from fairdeal.lab.simulate.jobs import Apart, Order, order_of

CHUNK = 500
"""Number of games between two updates of the progress bar."""

FEW = 2
"""Number of games between two updates of the progress bar if bots run in Python."""

Progress = Callable[[int], None]
"""A function that is called with the number of games finished since the last call."""


def nobody(games: int) -> None:
    """Ignore progress."""


Note = Callable[[State, int, int, int, int, int, Sequence[int]], None]
"""A function that is called with a move: the state, the numbers of the game and of the move, the seat, its bot, the
bot's memory in percent, and the actions."""


class Record(Frozen):
    """The results of a seat or a bot: its share of wins (shared wins are split), mean score and mean place."""

    name: str
    games: int
    wins: Estimate
    score: Estimate
    place: Estimate


class Forfeits(Frozen):
    """Number of decisions in which the greedy rule replaced a user-defined bot that was late, chose an illegal move or
    failed, with the reason for one of these decisions."""

    name: str
    late: int
    illegal: int
    failed: int
    reason: str


class Lengths(Frozen):
    """Lengths of games in complete moves: their mean with its interval, and their 5 %, 50 % and 95 % quantiles."""

    mean: Estimate
    low_5: float
    median: float
    high_5: float
    longest: int


class Simulation(Frozen):
    """The results of many games. Except for the elapsed seconds, the same table, bots and seed give the same results
    for any number of jobs."""

    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: str
    games: int
    by_bot: tuple[Record, ...]
    by_seat: tuple[Record, ...]
    moves: Lengths
    shared_wins: Estimate
    forfeits: tuple[Forfeits, ...] = ()
    seconds: float = 0.0
    moves_per_second: float = 0.0


@dataclass(frozen=True)
class Games:
    """Results of played games: scores by seat and numbers of moves and actions, by game, and forfeits, by bot. In game
    `n`, bot `(seat + n) % players` played at seat `seat`."""

    bots: tuple[str, ...]
    scores: NDArray[np.float64]
    lengths: NDArray[np.int64]
    forfeits: list[tuple[str, Forfeit]] = field(default_factory=list)

    @property
    def by_bot(self) -> NDArray[np.float64]:
        """The scores with a column for each bot rather than each seat."""
        return np.take_along_axis(self.scores, seats_of(*self.scores.shape), axis=1)


Play = Callable[[Order, int, Jobs, Progress], Games]
"""A function that plays the games of an order: their number, the jobs, and a callback for progress."""


def blank_games(bots: tuple[str, ...], games: int) -> Games:
    """Return blank results for this number of games."""
    return Games(bots, np.zeros((games, len(bots))), np.zeros((games, 2), np.int64))


def seats_of(games: int, players: int) -> NDArray[np.int64]:
    """Return the seat of each bot in each game."""
    return np.asarray((np.arange(players) - np.arange(games)[:, None]) % players)


def play(order: Order, games: int, jobs: Jobs = None, progress: Progress = nobody) -> Games:
    """Play the first games of an order in threads or with other workers. The results do not depend on this choice."""
    return joined(parts(order, 0, games, jobs, play_part, progress), order.bots, games)


def parts(
    order: Order,
    first: int,
    end: int,
    jobs: Jobs,
    play_part: Callable[[Order, int, int], Answer],
    progress: Progress = nobody,
    *,
    in_python: bool = False,
    most: int | None = None,
) -> Iterator[Answer]:
    """Yield the results of `play_part` for each part of the games from number `first` up to, but not including, `end`,
    in order. `in_python` says that the games are played in Python, also those of bots that can be run by compiled code.
    No part has more than `most` games."""
    with workers_for(jobs) as workers:
        size = workers.part_size(end - first, CHUNK if order.is_compiled and not in_python else FEW)
        size = min(size, most or size)
        with closing(in_order(workers, partial(play_part, order), first, end, size)) as made:
            for start, found in zip(range(first, end, size), made, strict=True):
                progress(min(size, end - start))
                yield found


def joined(found: Iterable[Games], seated: tuple[str, ...], games: int) -> Games:
    """Join the games of all parts."""
    whole = blank_games(seated, games)
    done = 0
    for part in found:
        end = done + len(part.scores)
        whole.scores[done:end], whole.lengths[done:end] = part.scores, part.lengths
        whole.forfeits.extend(part.forfeits)
        done = end
    return whole


def play_part(order: Order, first: int, end: int) -> Games:
    """Play the games from number `first` up to, but not including, `end`: in compiled code if all bots can run there,
    and in Python otherwise."""
    part = blank_games(order.bots, end - first)
    if order.is_compiled:
        compiled.compiled(order.table.game).simulate(laid_out(order, first, end), first, part.scores, part.lengths)
    else:
        ask_games(order, first, part)
    return part


def simulate(
    table: Table,
    games: int,
    bots: Sequence[str] = ("greedy",),
    seed: int | str = 0,
    jobs: Jobs = None,
    progress: Progress = nobody,
    play_them: Play = play,
) -> Simulation:
    """Play games with rotating bots, and return their results. If `play_them` is given, it is called instead of
    `play`."""
    if games < 1:
        raise FairdealError(f"the number of games must be at least 1, not {games}")
    order = order_of(table, one_for_each(bots, table.players, table.game), seed)
    if not isinstance(jobs, Workers):
        prepare(table)
    started = time.perf_counter()
    played = play_them(order, games, jobs, progress)
    seconds = time.perf_counter() - started
    return Simulation(
        game=table.game.name,
        options=as_dict(table.options),
        bots=order.bots,
        seed=order.seed,
        games=games,
        seconds=seconds,
        moves_per_second=float(played.lengths[:, 0].sum()) / seconds,
        moves=lengths_of(played.lengths[:, 0]),
        forfeits=counted(played.forfeits),
        **standings(order.bots, played.scores),
    )


def prepare(table: Table) -> None:
    """Compile the functions that play games, by calling them with no games to play."""
    play_part(order_of(table, ("random",) * table.players, 0), 0, 0)


def laid_out(order: Order, first: int = 0, end: int = 0) -> Desk:
    """Return the arrays that a driver needs to play an order's games, from number `first` up to, but not including,
    `end`."""
    game, begins = order.table.game, end - first if order.apart else 0
    states, sources = blank_array(game.state, STATES + begins), blank_array(chance_record, 2)
    states[0] = order.table.blank().record
    if order.apart:
        states[STATES:] = all_begun(order.place, order.seed, Apart(order.apart.later, ""), first, end)
    chance.set_key(sources[0], chance.key_of(order.own))
    return Desk(states, sources, compiled.scratch(game), np.array(order.codes, np.int64))


def ask_games(order: Order, first: int, part: Games, note: Note | None = None) -> None:
    """Fill in games from number `first`, played by bots that run in Python. The deals are the same as in compiled
    code. `note` is called before every move."""
    for game, lengths in enumerate(part.lengths):
        number = first + game
        followed = Followed(order, number)
        for player, actions in followed.moves():
            if note:
                recall, who = followed.players[player].recall, (player + number) % len(order.bots)
                note(followed.state, number, int(lengths[0]), player, who, recall, actions)
            lengths += 1, len(actions)
        part.scores[game] = followed.state.returns()
        for bot in followed.players:
            if isinstance(bot, OwnBot):
                part.forfeits.extend((bot.name, forfeit) for forfeit in bot.forfeits)


def counted(forfeits: Sequence[tuple[str, Forfeit]]) -> tuple[Forfeits, ...]:
    """Return the number of decisions that each bot forfeited, with a reason."""
    found = []
    for name in sorted({name for name, _ in forfeits}):
        own = [forfeit for whose, forfeit in forfeits if whose == name]
        kinds = Counter(forfeit.kind for forfeit in own)
        first = min(own, key=lambda forfeit: (forfeit.turn, forfeit.why))
        found.append(Forfeits(name, kinds["late"], kinds["illegal"], kinds["failed"], first.why))
    return tuple(found)


def standings(bots: Sequence[str], scores: NDArray[np.float64]) -> dict[str, Any]:
    """Return the results by bot and by seat."""
    games, players = scores.shape
    wins, places = wins_of(scores), places_of(scores)
    who = (np.arange(players) + np.arange(games)[:, None]) % players
    names = list(dict.fromkeys(bots))
    by_bot = []
    for name in names:
        mine = np.isin(who, [number for number, bot in enumerate(bots) if bot == name])
        by_bot.append(record_of(name, wins[mine], scores[mine], places[mine]))
    by_seat = tuple(
        record_of(f"seat {seat}", wins[:, seat], scores[:, seat], places[:, seat]) for seat in range(players)
    )
    return {"by_bot": tuple(by_bot), "by_seat": by_seat, "shared_wins": share((wins > 0).sum(axis=1) > 1)}


def wins_of(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each seat's share of first place, by game."""
    best = scores == scores.max(axis=1, keepdims=True)
    return np.asarray(best / best.sum(axis=1, keepdims=True))


def places_of(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the place of each seat, by game. Equal scores share the better place."""
    return np.asarray(1.0 + (scores[:, :, None] < scores[:, None, :]).sum(axis=2))


def record_of(name: str, wins: NDArray[np.float64], scores: NDArray[np.float64], places: NDArray[np.float64]) -> Record:
    return Record(name, len(wins), share(wins), mean(scores), mean(places))


def lengths_of(moves: NDArray[np.int64]) -> Lengths:
    low, middle, high = np.percentile(moves, [5, 50, 95]).tolist()
    return Lengths(mean(moves), low, middle, high, int(moves.max()))
