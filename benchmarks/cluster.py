"""What a cluster gains; Dask on this machine, with one worker and with two.

    uv run --group bench python -m benchmarks.cluster

Both play the same games, in turns, and medians are compared: by the clock, which counts only on a machine that does
nothing else, and by the processor seconds of the workers. A worker is a process with one thread. What a message costs
is measured with parts of no games: the scheduler is in this process, so its processor time is what it takes.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Mapping

from distributed import Client, LocalCluster

import fairdeal
from benchmarks.measuring import Contender, in_turns, machine
from fairdeal.lab.data.datasets import Wishes, decisions_of
from fairdeal.lab.simulate.executors import Workers, in_order, workers_of
from fairdeal.lab.simulate.jobs import order_of
from fairdeal.lab.simulate.simulation import play, play_part

MESSAGES = 2000


def games_by(client: Client, workers: Workers, game: str, games: int) -> Contender:
    table = fairdeal.load(game)
    bots = ("greedy",) * table.players
    play(order_of(table, bots, "warm"), 100 * workers.number, workers)

    def contender() -> Mapping[str, float]:
        started, spent = time.perf_counter(), sum(client.run(time.process_time).values())
        play(order_of(table, bots, 1), games, workers)
        seconds = time.perf_counter() - started
        return {"games/s": games / seconds, "s": sum(client.run(time.process_time).values()) - spent}

    return contender


def nothing(first: int, end: int) -> int:
    """Return the results of a part that takes no time."""
    return first


def messages(workers: Workers) -> tuple[float, float]:
    """Return the milliseconds of a part that takes no time: by the clock, and of the processor in this process."""
    started, spent = time.perf_counter(), time.process_time()
    assert sum(1 for _ in in_order(workers, nothing, 0, MESSAGES, 1)) == MESSAGES
    return (time.perf_counter() - started) / MESSAGES * 1e3, (time.process_time() - spent) / MESSAGES * 1e3


def sizes(game: str, games: int) -> tuple[int, int, int]:
    """Return the bytes of an order, of the results of `games` games, and of the same with their decisions."""
    table = fairdeal.load(game)
    order = order_of(table, ("greedy",) * table.players, 1)
    found = []
    for answer in (play_part(order, 0, games), decisions_of(Wishes(), order, 0, games)):
        found.append(len(pickle.dumps(answer)))
    return len(pickle.dumps(order)), found[0], found[1]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--game", default="chip-it")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    print("; ".join(f"{what}: {value}" for what, value in machine().items()))
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0") as small,
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as large,
        Client(small) as first,
        Client(large) as second,
    ):
        one, two = workers_of(first), workers_of(second)
        contenders = {
            "one": games_by(first, one, chosen.game, chosen.games),
            "two": games_by(second, two, chosen.game, chosen.games),
        }
        found = in_turns(contenders, chosen.rounds)
        for name, rates in found.items():
            print(f"{name}: {rates['games/s']:,.0f} games/s, {rates['s']:.2f} s of the workers' processors")
        print(f"of linear, by the clock: {found['two']['games/s'] / 2 / found['one']['games/s']:.2f}")
        print(f"of linear, by the processors: {found['one']['s'] / found['two']['s']:.2f}")
        clock, spent = messages(two)
        print(f"a part of no games: {clock:.2f} ms by the clock, {spent:.2f} ms of client and scheduler")
    for games in (500, 10_000):
        order, result, decisions = sizes(chosen.game, games)
        print(f"bytes: order {order}, back for {games} games {result:,}, with decisions {decisions:,}")


if __name__ == "__main__":
    main()
