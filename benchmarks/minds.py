"""How strong search is: `uv run python -m benchmarks.minds`; against greedy bots, with the seats going round."""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.bots.search import SearchBot, engine_of
from fairdeal.engine import chance
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.state import Table
from fairdeal.lab.simulation import share

TABLES: dict[str, tuple[str, dict[str, object]]] = {
    "CHI": ("chi", {}),
    "CHAOS NINJAS for two": ("chaos-ninjas", {"players": 2}),
    "CHAOS NINJAS for four": ("chaos-ninjas", {"players": 4}),
    "CHIP IT for two": ("chip-it", {"players": 2}),
    "CHIP IT for four": ("chip-it", {"players": 4}),
    "Books for two": ("chimax-books", {"players": 2}),
    "WAR X-TREME for two": ("war-xtreme", {"players": 2}),
    "Order": ("chimax-order", {}),
    "Match-2": ("chimax-match-2", {}),
    "Cut": ("chimax-cut", {}),
    "Fate": ("chimax-fate", {}),
}


def play(table: Table, playouts: int, number: int) -> tuple[float, int, int, float]:
    """A game of one search bot against greedy ones: its share of the first place, its decisions, how many of them were
    not greedy, and the seconds of processor time that they took."""
    game, seat = table.game, number % table.players
    search, greedy = SearchBot(game, b"minds", playouts), GreedyBot(game.recall)
    state, source = table.deal(f"minds {number}"), new(chance_record)
    chance.set_key(source, chance.key_of(f"turns {number}"))
    turn, decisions, others, seconds = 0, 0, 0, 0.0
    while not state.over:
        player = state.to_act[chance.draw(source, len(state.to_act))]
        actions = ask(greedy, state, player, turn).actions
        if player == seat:
            began = time.thread_time()
            found = ask(search, state, player, (number << 16) + turn).actions
            seconds += time.thread_time() - began
            decisions += 1
            others += found != actions
            actions = found
        state.play_actions(player, actions)
        turn += 1
    scores = state.returns()
    best = max(scores)
    return (1 / scores.count(best) if scores[seat] == best else 0.0), decisions, others, seconds


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.minds", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games a table (default 200)")
    parser.add_argument("--playouts", type=int, default=1000, help="games played out a decision (default 1000)")
    parser.add_argument("--table", action="append", choices=TABLES, help="only this one (may be given again)")
    chosen = parser.parse_args()
    print(f"{chosen.playouts} playouts a decision\n")
    print("| | games | first places | 95 % | fair | not greedy | ms a decision |\n|---|---|---|---|---|---|---|")
    for title in chosen.table or TABLES:
        name, options = TABLES[title]
        table = fairdeal.load(name, **options)
        engine_of(name)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda number: play(table, chosen.playouts, number), range(chosen.games)))  # noqa: B023
        wins, decisions, others, seconds = (np.array(column) for column in zip(*found, strict=True))
        won = share(wins)
        print(
            f"| {title} | {chosen.games} | {won.value:.1%} | {won.low:.1%} to {won.high:.1%} | {1 / table.players:.0%} "
            f"| {others.sum() / decisions.sum():.0%} | {1000 * seconds.sum() / decisions.sum():.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
