"""The study of CHIMAX: `uv run --group docs python -m studies.chimax` writes docs/studies/chimax.md and its plots."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.state import State, load
from fairdeal.lab.simulation import Estimate, mean, share, simulate
from studies.pages import plotted, table_of, told
from studies.plots import bars, histogram, intervals
from studies.watching import at_the_end, counted

PAGE = Path("docs/studies/chimax.md")
PLOTS = PAGE.parent / "chimax"
TARGETS = ((2, 75), (3, 50), (4, 25))
"""BOOKS-03: recommended targets, by players."""

MEMORIES = (0, 25, 50, 75, 90)


def taps_of_books(games: int) -> str:
    """How often a Tap happens."""

    def taps(before: State, after: State) -> float:
        return max(0.0, float(after.record.book.taps.sum()) - float(before.record.book.taps.sum()))

    rows, named = [], []
    for players, target in TARGETS:
        for bot in ("random", "greedy"):
            table = load("chimax-books", players=players, target=target)
            found = counted(table, games, [bot], f"taps {players} {bot}", taps)
            rounds = at_the_end(
                table, games, [bot], f"taps {players} {bot}", lambda state: float(state.record.match.game)
            )
            each = Estimate(*(value for value in ratio(found, rounds)))
            rows.append((f"{players} players, {bot}", told(mean(found)), told(each)))
            named.append((f"{players}, {bot}", each, None))
    intervals(PLOTS / "books-taps.svg", named, "Taps a round", "Taps in a round of Books")
    return table_of(("Books", "Taps a game", "Taps a round"), rows) + plotted("chimax", "books-taps")


def ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> tuple[float, float, float]:
    """A ratio of sums and its 95 % interval by the delta method."""
    value = float(above.sum() / below.sum())
    spread = 1.959964 * float(np.std(above - value * below)) / np.sqrt(len(above)) / float(below.mean())
    return value, value - spread, value + spread


def scores_of_jackpot(games: int) -> str:
    """The points of a deal of Jackpot."""
    table = load("chimax-jackpot")
    rows, spread = [], {}
    for bot in ("random", "greedy"):
        points = at_the_end(table, games, [bot], f"jackpot {bot}", lambda state: float(state.scores[0]))
        low, high = np.percentile(points, [5, 95])
        rows.append(
            (bot, told(mean(points)), f"{low:.0f} to {high:.0f}", f"{points.max():.0f}", told(share(points >= 3), True))
        )
        spread[bot] = points
    histogram(PLOTS / "jackpot-points.svg", spread, "points", "Points of a deal of Jackpot")
    head = ("Jackpot", "points", "9 of 10 deals", "best seen", "at par (3) or more")
    return table_of(head, rows) + plotted("chimax", "jackpot-points")


def memory_games(games: int) -> str:
    """What a memory is worth: one player who remembers so much against one who remembers everything."""
    rows, named = [], []
    for name, title in (("chimax-order", "Order"), ("chimax-match-2", "Match-2"), ("chimax-match-3", "Match-3")):
        table = load(name, players=2)
        for memory in MEMORIES:
            found = simulate(table, games, [f"greedy-{memory}", "greedy-100"], f"{name} {memory}")
            wins = found.by_bot[0].wins
            rows.append((f"{title}, {memory} %", told(wins, True), told(found.moves.mean)))
            named.append((f"{title} {memory} %", wins, 0.5))
    bars(PLOTS / "memory.svg", named, "share of wins against a perfect memory", "What a memory is worth")
    return table_of(("game, memory", "wins against perfect memory", "moves a game"), rows) + plotted("chimax", "memory")


def bots_against_random(games: int) -> str:
    """Every greedy bot against random play."""
    rows = []
    for name, options in (
        ("chimax-books", {"players": 2, "preset": "strategic"}),
        ("chimax-order", {"players": 2}),
        ("chimax-match-2", {"players": 2}),
        ("chimax-match-3", {"players": 2}),
        ("chimax-cut", {"players": 2}),
        ("chimax-fate", {"players": 2}),
    ):
        found = simulate(load(name, **options), games, ["greedy", "random"], f"{name} bots")  # type: ignore[arg-type]
        wins = {record.name: record.wins for record in found.by_bot}
        rows.append((name, told(wins["greedy"], True)))
    return table_of(("game for two", "wins of greedy against random"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m studies.chimax", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games of each kind (default 1000)")
    games = parser.parse_args().games
    PLOTS.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(
        TEXT.format(
            games=games,
            taps=taps_of_books(games),
            jackpot=scores_of_jackpot(10 * games),
            memory=memory_games(5 * games),
            bots=bots_against_random(5 * games),
        ),
        "utf-8",
    )
    print(f"{PAGE} is written")


TEXT = """# CHIMAX: a study

Written by `uv run --group docs python -m studies.chimax --games {games}`, which gives the same numbers wherever it
is run. Every estimate has its 95 % interval in brackets (Wilson's for shares, the normal one for means). Bots go round
the seats. The lengths of Books are told by a recipe (studies/chimax-books-targets.toml).

## In short

- A Tap needs two question marks in one Book, the later of a higher value. Players who declare at random see one in 8
  to 20 rounds. Those who always declare the highest value that is free, the best they can do in a Book, see none.
- Who waits for the Jackpot by the odds reaches its par of 3 in three of four deals, blind chance in 4 of 1000.
- A memory that holds nine of ten cards wins two games of five of Order and Match-2 against a perfect one, and one of
  four of Match-3. A child against a parent is well served by `greedy-75` to `greedy-90`.

## How often does a Tap happen?

A Tap is a question mark declared higher than the one laid just before it (BOOKS-21).

{taps}

## What does Jackpot pay?

{jackpot}

## What is a memory worth?

Two greedy bots: one remembers each card it has seen with this probability, the other remembers all of them.

{memory}

## Are the bots any good?

{bots}
"""


if __name__ == "__main__":
    main()
