"""How well bots play every game, as two tables: `uv run --group bench python -m benchmarks.baselines`.

Each bot plays against the greedy one, with both seats in turn, and alone in a game for one. The first table has the
bots of each game. The bots of the second one search, with as many playouts as take 10 ms and 100 ms per decision. Bots
that search play as many games as take about `--seconds` of processor time, but at least `--fewest`, and at most 400.
The games are those of `fairdeal simulate GAME --bots BOT,greedy --seed baselines`, with the options of environments.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.minds import playouts_for
from fairdeal.bots.levels import FACES, Level, level_of, levels_of
from fairdeal.bots.registry import LEARNED, code_of
from fairdeal.engine.game import Game
from fairdeal.engine.registry import find_game, game_names
from fairdeal.engine.state import Table
from fairdeal.environments.versions import table_of, versions_of
from fairdeal.lab.ratings.calibration import TRIAL_PLAYOUTS, game_seconds
from fairdeal.lab.simulate.simulation import simulate

RIVAL = "greedy"

BOTS = ("random", RIVAL, *FACES, LEARNED)

SEARCHES = (10, 100)
"""The milliseconds of a decision of the bots that search."""

OWN = ["", "random", RIVAL, *(face.name for face in FACES.values()), LEARNED]

SEARCH = ["", *(title for each in SEARCHES for title in (f"{each} ms", "playouts", "games"))]

MOST = 400
"""Number of games of a bot that compiled code cannot run, at most."""


class Numbers(NamedTuple):
    """The number of games: the games of a bot that does not search, the seconds and the fewest games of one that does,
    and the games that are played side by side."""

    games: int
    seconds: float
    fewest: int
    jobs: int


def table_for(game: Game) -> Table:
    """Return the table of the newest version of a game's environments, for two if it can be played by two."""
    low, high = game.players
    return table_of(f"{game.name}-v{max(versions_of(game))}", {"players": min(max(low, 2), high)})[0]


def bots_at(game: Game) -> set[str]:
    """Return the bots that play a game."""
    return {"random", RIVAL, *levels_of(game), *([LEARNED] if game.learned else [])}


def games_of(bot: str, table: Table, numbers: Numbers) -> int:
    """Return an even number of games, so that each bot has each seat equally often."""
    if code_of(bot, table.game) is not None:
        return numbers.games
    if bot == LEARNED:
        return min(numbers.games, MOST)
    each = game_seconds(table) * level_of(bot, table.game).playouts / TRIAL_PLAYOUTS
    return min(numbers.games, MOST, max(numbers.fewest, int(numbers.seconds / each) // 2 * 2))


def result(bot: str, table: Table, games: int, jobs: int) -> str:
    """Return the share of wins in percent, or the mean score in a game for one, with the 95 % interval."""
    own = simulate(table, games, (bot, RIVAL)[: table.players], "baselines", jobs).by_bot[0]
    if table.players == 1:
        return f"{own.score.value:.2f} ({own.score.low:.2f} to {own.score.high:.2f})"
    return f"{own.wins.value:.0%} ({100 * own.wins.low:.0f} to {100 * own.wins.high:.0f})"


def of_bots(game: Game, numbers: Numbers) -> list[str]:
    """Return a row of the first table. The number of games is added where it is not the usual one."""
    table, cells = table_for(game), [game.title]
    for bot in BOTS:
        if bot in bots_at(game):
            many = games_of(bot, table, numbers)
            cells.append(result(bot, table, many, numbers.jobs) + (f" of {many}" if many != numbers.games else ""))
        else:
            cells.append("")
    return cells


def of_searches(game: Game, numbers: Numbers) -> list[str]:
    """Return a row of the second table."""
    table, cells = table_for(game), [game.title]
    for milliseconds in SEARCHES:
        playouts = playouts_for(table, milliseconds)
        bot = f"nox:{Level(playouts=playouts).way}"
        many = games_of(bot, table, numbers)
        cells += [result(bot, table, many, numbers.jobs), f"{playouts:,}", str(many)]
    return cells


def line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.baselines", description=__doc__)
    parser.add_argument("--games", type=int, default=4000, help="games of a bot that does not search (default 4000)")
    parser.add_argument("--seconds", type=float, default=40, help="of processor time for a bot that does (default 40)")
    parser.add_argument("--fewest", type=int, default=20, help="games of a bot that does, at least (default 20)")
    parser.add_argument("--jobs", type=int, default=2, help="games that are played side by side (default 2)")
    parser.add_argument("--game", action="append", choices=game_names(), help="only this one (may be given again)")
    chosen = parser.parse_args()
    numbers = Numbers(chosen.games, chosen.seconds, chosen.fewest, chosen.jobs)
    for head, row in ((OWN, of_bots), (SEARCH, of_searches)):
        print(f"{line(head)}\n|{'---|' * len(head)}")
        for name in chosen.game or game_names():
            print(line(row(find_game(name), numbers)), flush=True)
        print()


if __name__ == "__main__":
    main()
