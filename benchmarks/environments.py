"""Environments for learners, side by side: steps a second with observations and masks, random legal actions.

    uv run --group bench python -m benchmarks.environments

fairdeal's batches choose actions with NumPy, inside of the time; beside them stand its bare random games, in which
nobody is shown anything. RLCard plays its games one by one, with its random
agents. Pgx steps as many games as fairdeal in one call compiled by XLA for the processor, restarts them as fairdeal
does, and chooses actions in the same compiled code.
"""

from __future__ import annotations

import argparse
import datetime
import os
import time
from collections.abc import Mapping

import numpy as np

from benchmarks import peers
from benchmarks.__main__ import print_table
from benchmarks.measuring import Contender, in_turns, machine
from benchmarks.playouts import random_games
from fairdeal.environments.batch import batch

GAMES = 4096
"""Games side by side."""

MANY = 16_384
"""So many more, among whom what threads cost is shared."""

NAMES = ("chi", "chip-it", "chaos-ninjas", "chimax-books", "chimax-fate", "chimax-jackpot", "war-xtreme")

BARE = {"chi": 20_000, "chip-it": 10_000}
"""Games that are also played without observations and masks, and how many in a round."""

PGX = {"leduc_holdem": 500, "sparrow_mahjong": 20}
"""Games of Pgx in which hands are hidden, and steps of a round."""

RLCARD = {"leduc-holdem": 300, "uno": 20}
"""Games of RLCard, and how many are played in a round."""


def batched(name: str, steps: int, threads: int, side_by_side: int = GAMES) -> Contender:
    """Step a batch with random legal actions."""
    games, generator = batch(name, side_by_side, threads=threads), np.random.default_rng(1)

    def contender() -> Mapping[str, float]:
        started, spent = time.perf_counter(), time.process_time()
        for _ in range(steps):
            games.step(games.sample(generator))
        seconds, processor = time.perf_counter() - started, time.process_time() - spent
        made = side_by_side * steps
        return {"steps/s": made / seconds, "ns of processor a step": processor / made * 1e9}

    return contender


def pgx(name: str, steps: int) -> Contender:
    """Step the same number of games of Pgx on the processor, in one compiled loop."""
    import jax
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: tuple[object, jax.Array], _: object) -> tuple[tuple[object, jax.Array], jax.Array]:
        state, key = carry
        key, chosen, moved = jax.random.split(key, 3)
        odds = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)  # type: ignore[attr-defined]
        state = step(state, jax.random.categorical(chosen, odds), jax.random.split(moved, GAMES))
        return (state, key), state.observation.sum()

    play = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=steps))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), GAMES))
    carry = (state, jax.random.PRNGKey(2))

    def contender() -> Mapping[str, float]:
        nonlocal carry
        started, spent = time.perf_counter(), time.process_time()
        carry, seen = play(*carry)
        jax.block_until_ready(seen)
        seconds, processor = time.perf_counter() - started, time.process_time() - spent
        return {"steps/s": GAMES * steps / seconds, "ns of processor a step": processor / steps / GAMES * 1e9}

    return contender


def one_by_one(play: Contender, actions: str, games: int) -> Contender:
    """Return contenders that play games and count `actions` a second."""

    def contender() -> Mapping[str, float]:
        spent = time.process_time()
        found = play()
        processor = time.process_time() - spent
        steps = found[actions] / found["games/s"] * games
        return {"steps/s": found[actions], "ns of processor a step": processor / steps * 1e9}

    return contender


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.environments", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds in which all take turns (default 7)")
    parser.add_argument("--skip-peers", action="store_true", help="measure fairdeal alone")
    chosen = parser.parse_args()
    contenders = {
        f"{name}, {threads} thread{'s'[: threads - 1]}": batched(name, 100, threads)
        for name in NAMES
        for threads in (1, 2)
    }
    contenders[f"chi, 2 threads, {MANY:,} games"] = batched("chi", 100, 2, MANY)
    contenders |= {
        f"{name}, nothing shown": one_by_one(random_games(name, games), "actions/s", games)
        for name, games in BARE.items()
    }
    if not chosen.skip_peers:
        contenders |= {f"Pgx {name}": pgx(name, steps) for name, steps in PGX.items()}
        contenders |= {
            f"RLCard {name}": one_by_one(peers.rlcard(name, games), "moves/s", games) for name, games in RLCARD.items()
        }
    print(f"Measured {datetime.date.today()}; " + "; ".join(f"{what}: {value}" for what, value in machine().items()))
    before = os.getloadavg()[0]
    rates = in_turns(contenders, chosen.rounds)
    after = os.getloadavg()[0]
    print(f"Load of the machine: {before:.1f} before, {after:.1f} after, on {os.cpu_count()} processors.\n")
    what = list(next(iter(rates.values())))
    print_table(("", *what), [(name, *(f"{found[one]:,.0f}" for one in what)) for name, found in rates.items()])


if __name__ == "__main__":
    main()
