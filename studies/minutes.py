"""How long a game takes people, and how heavy it is: what stands on its box.

    uv run python -m studies.minutes

Greedy bots play the usual rules with the fewest players, the usual number and the most; `fairdeal.lab.studies.minutes`
says how long people would think. The box says how long nine games of ten take at least and at most, in whole minutes.

Weight is what a newcomer has to hold in mind: a point for every `CLAUSES` clauses of the game's own, and one for every
`DOUBLINGS` doublings of the choices that a decision has on the average. Choices of a higher rank, such as Quarrel in
WAR X-TREME, count for neither.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

import numpy as np

from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.engine.game import Game
from fairdeal.engine.options import read_options
from fairdeal.engine.registry import installed_games
from fairdeal.engine.rulebook import clauses
from fairdeal.engine.state import State, Table
from fairdeal.lab.studies.minutes import choices_of, minutes_of

CLAUSES, DOUBLINGS = 10, 2
LIGHT, MEDIUM = 3.5, 7.0
"""The highest weight of a light game, and of a medium one."""


def played(state: State) -> Iterator[tuple[int, int]]:
    """Play a game with greedy bots. Return each step's number of choices and of players that decide together."""
    bot, turn = GreedyBot(state.game.recall), 0
    while not state.over:
        player = state.to_act[0]
        actions = ask(bot, state, player, turn).actions
        for choices in choices_of(state, player, actions):
            yield choices, len(state.to_act)
        state.play_actions(player, actions)
        turn += 1


def measured(game: Game, players: int, games: int) -> tuple[list[float], list[float]]:
    """Return the minutes of each game, and the doublings of the choices of all decisions."""
    table = Table(game, read_options(game.options, {"players": players}))
    minutes, bits = [], []
    for number in range(games):
        steps = [*played(table.deal(f"minutes {number}"))]
        bits += [math.log2(choices) for choices, _ in steps if choices > 1]
        minutes.append(minutes_of(steps))
    return minutes, bits


def own_clauses(game: Game) -> int:
    """Return the clauses that are the game's own, without those that it shares with its siblings."""
    return len(clauses(game.specification, game.clause_prefix.split()[0]))


def main() -> None:
    parser = argparse.ArgumentParser(description="How long a game takes people, and how heavy it is.")
    parser.add_argument("--games", type=int, default=20)
    games = parser.parse_args().games
    print("| game | minutes | clauses | doublings | weight | |")
    print("|---|---|---|---|---|---|")
    for game in installed_games():
        usual = game.options().players  # type: ignore[call-arg]
        tables = [
            measured(game, players, games) for players in dict.fromkeys((game.players[0], usual, game.players[1]))
        ]
        low = min(float(np.quantile(minutes, 0.1)) for minutes, _ in tables)
        high = max(float(np.quantile(minutes, 0.9)) for minutes, _ in tables)
        doublings = float(np.mean([bit for _, bits in tables for bit in bits]))
        weight = own_clauses(game) / CLAUSES + doublings / DOUBLINGS
        word = "light" if weight <= LIGHT else "medium" if weight <= MEDIUM else "heavy"
        span = f"{max(1, round(low))} to {math.ceil(high)}"
        print(f"| {game.title} | {span} | {own_clauses(game)} | {doublings:.1f} | {weight:.1f} | {word} |", flush=True)


if __name__ == "__main__":
    main()
