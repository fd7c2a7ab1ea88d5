"""How strong search is: `uv run python -m benchmarks.minds`; against greedy bots, with the seats going round.

The playouts of a decision are chosen beforehand, so that one takes the given number of milliseconds of one core; the
time that it took is beside the results. The same number of playouts gives the same games on any machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.bots.search import SearchBot
from fairdeal.engine.compile.searches import compiled_search
from fairdeal.engine.kit import chance
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.state import Table
from fairdeal.lab.estimates import share

TABLES: dict[str, tuple[str, dict[str, object]]] = {
    "CHI": ("chi", {}),
    "CHAOS NINJAS for two": ("chaos-ninjas", {"players": 2}),
    "CHAOS NINJAS for four": ("chaos-ninjas", {"players": 4}),
    "CHIP IT for two": ("chip-it", {"players": 2}),
    "CHIP IT for four": ("chip-it", {"players": 4}),
    "Books for two, strategic": ("chimax-books", {"players": 2, "peek": True}),
    "Books for four": ("chimax-books", {}),
    "WAR X-TREME for two, 100 rounds": ("war-xtreme", {"max_rounds": 100, "ask_extreme": False}),
    "Order": ("chimax-order", {}),
    "Match-2": ("chimax-match-2", {}),
    "Match-3": ("chimax-match-3", {}),
    "Cut": ("chimax-cut", {}),
    "Fate": ("chimax-fate", {}),
}

SAMPLE, TRIAL = 200, 2
"""The number of playouts of a decision, and of games, with which the time of playouts is measured."""


def play(table: Table, playouts: int, number: int) -> tuple[float, int, int, float]:
    """Play a game of one search bot against greedy ones, and return its share of the first place, its decisions where
    there was a choice, how many of them were not greedy, and the seconds of processor time that they took."""
    game, seat = table.game, number % table.players
    search, greedy = SearchBot(game, b"minds", playouts), GreedyBot(game.recall)
    state, source = table.deal(f"minds {number}"), new(chance_record)
    chance.set_key(source, chance.key_of(f"turns {number}"))
    turn, decisions, others, seconds = 0, 0, 0, 0.0
    while not state.over:
        player = state.to_act[chance.draw(source, len(state.to_act))]
        actions = ask(greedy, state, player, turn).actions
        if player == seat:
            view, began = state.view(player, search.recall), time.thread_time()
            thoughts = search.think(view, player, (number << 16) + turn)
            if len(thoughts) > 1:
                seconds += time.thread_time() - began
                decisions += 1
                others += thoughts[0].actions != actions
            actions = thoughts[0].actions
        state.play_actions(player, actions)
        turn += 1
    scores = state.returns()
    best = max(scores)
    return (1 / scores.count(best) if scores[seat] == best else 0.0), decisions, others, seconds


def playouts_for(table: Table, milliseconds: float) -> int:
    """Return the number of playouts that a decision of `milliseconds` allows, in two figures."""
    playouts, decisions, seconds = SAMPLE, 0, 0.0
    for number in range(TRIAL):
        _, made, _, took = play(table, playouts, number)
        decisions, seconds = decisions + made, seconds + took
    found = playouts * milliseconds * decisions / (1000 * seconds)
    return int(float(f"{found:.1e}"))


def rows(table: Table, playouts: int, games: int, threads: int) -> Iterator[str]:
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(lambda number: play(table, playouts, number), range(games)))
    wins, decisions, others, seconds = (np.array(column) for column in zip(*found, strict=True))
    won, made = share(wins), max(1, decisions.sum())
    yield from (f"{playouts:,}", f"{games}", f"{won.value:.1%}", f"{won.low:.1%} to {won.high:.1%}")
    yield from (f"{1 / table.players:.0%}", f"{others.sum() / made:.0%}", f"{1000 * seconds.sum() / made:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.minds", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games a table (default 200)")
    parser.add_argument("--milliseconds", type=float, default=100, help="of one core a decision (default 100)")
    parser.add_argument("--playouts", type=int, default=0, help="games played out a decision, in place of milliseconds")
    parser.add_argument("--threads", type=int, default=1, help="games that are played side by side (default 1)")
    parser.add_argument("--table", action="append", choices=TABLES, help="only this one (may be given again)")
    chosen = parser.parse_args()
    print("| | playouts | games | first places | 95 % | fair | not greedy | ms a decision |")
    print(f"|{'---|' * 8}")
    for title in chosen.table or TABLES:
        name, options = TABLES[title]
        table = fairdeal.load(name, **options)
        compiled_search(name)
        playouts = chosen.playouts or playouts_for(table, chosen.milliseconds)
        print(f"| {title} | {' | '.join(rows(table, playouts, chosen.games, chosen.threads))} |", flush=True)


if __name__ == "__main__":
    main()
