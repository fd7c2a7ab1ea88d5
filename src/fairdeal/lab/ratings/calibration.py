"""Calibration: find a level for each opponent of a game, so that it beats the next weaker one in two games out of
three.

Otto plays by the game's greedy rule. The opponents below Otto remember less, and then blunder more; Pip, who is meant
for beginners, is even easier. The opponents above Otto search: Nox with as many playouts as the time limit allows or
the step requires, and Vix with enough playouts to rank halfway between Otto and Nox. Opponents that cannot be
distinguished from the next one are omitted.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fairdeal.bots.levels import Level, LevelBot, levels_of
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.state import Table
from fairdeal.lab.ratings.ladder import before, meet
from fairdeal.lab.simulate.executors import Jobs

STEP, LEAST_STEP = 2 / 3, 0.6
"""Share of games that an opponent should win against the next weaker one, and the minimum share at which the two count
as different."""

EASY_STEP = 0.85
"""Share of games that Juno should win against Pip, who is meant for beginners and children."""

BELOW = ("bram", "juno", "pip")
"""Opponents weaker than the greedy rule, from the strongest to the weakest. Games with fewer levels use the last ones
of this list."""

VIX_MS, NOX_MS = 30.0, 300.0
"""Maximum processor time for a decision at the beginning of a game, in milliseconds, of Vix and of Nox."""

FEWEST_PLAYOUTS, MOST_PLAYOUTS = 8, 4000

TRIAL_PLAYOUTS, TRIAL_DEALS, TRIAL_GAMES = 100, 4, 2
"""Numbers of playouts, deals and games used to measure the time of a playout."""

TRIALS = 4
"""Number of full-length trials of search levels that the time limit must allow. The other trials take a fraction of
their time."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Trials:
    """Games between two levels with the same deals: `games` of them, or `search_games` if a level searches. `minutes`
    is the total processor time for searching levels; if it is 0, they are not calibrated. `say` is called for every
    trial."""

    table: Table
    games: int
    search_games: int
    minutes: float
    seed: int | str
    jobs: Jobs
    say: Say
    known: dict[tuple[str, str], float] = field(default_factory=dict)

    def wins(self, upper: Level, lower: Level) -> float:
        """Return the share of games in which `upper` finishes before `lower`."""
        if (upper.way, lower.way) in self.known:
            return self.known[upper.way, lower.way]
        names = f"otto:{lower.way}", f"otto:{upper.way}"
        games = self.search_games if upper.playouts or lower.playouts else self.games
        found = before([meet(self.table, names, (0, 1), games, self.seed, self.jobs)], 1, 0).value
        self.say(f"{upper.way} against {lower.way}: {found:.1%}")
        self.known[upper.way, lower.way] = found
        return found


def calibrate(trials: Trials) -> dict[str, Level]:
    """Return the levels of a game, from the weakest to the strongest, for a table with one or two players. Raises
    FairdealError if they cannot be calibrated."""
    check(trials.table)
    otto = Level()
    lower = weaker(trials, otto)
    upper = stronger(trials, otto) if trials.minutes else searching(trials.table.game)
    found = dict(zip(BELOW[len(BELOW) - len(lower) :], lower, strict=True)) | {"otto": otto} | upper
    return {name: found[name] for name in (*reversed(BELOW), "otto", "vix", "nox") if name in found}


def check(table: Table) -> None:
    """Raise FairdealError if opponents cannot be calibrated at this table."""
    if table.players > 2:
        raise FairdealError(f"calibration needs a table for one or two players, not {table.players}")


# --- below the greedy rule ------------------------------------------------------------------------------------------


def weaknesses(recall: int) -> list[Level]:
    """Return levels in order of decreasing strength: first with less memory, if the greedy rule uses memory, and then
    with more blunders."""
    forgetting = [Level(memory=memory) for memory in range(100, 0, -1)] if recall else [Level()]
    memory = 0 if recall else 100
    return [*forgetting, *(Level(memory=memory, blunders=blunders) for blunders in range(bool(not recall), 101))]


def weaker(trials: Trials, otto: Level) -> list[Level]:
    """Return the levels below `otto`, from the strongest to the weakest. Each loses to the previous one by about
    `STEP`, except for the last, which loses by `EASY_STEP` so that beginners can beat it."""
    levels, upper = weaknesses(trials.table.game.recall), otto
    found: list[Level] = []
    while len(found) < len(BELOW):
        low, high = levels.index(upper), len(levels) - 1
        if trials.wins(upper, levels[high]) < LEAST_STEP:
            break
        step = STEP if len(found) < len(BELOW) - 1 else EASY_STEP
        while high - low > 1:
            middle = (low + high) // 2
            if trials.wins(upper, levels[middle]) < step:
                low = middle
            else:
                high = middle
        near = [level for level in levels[low : high + 1] if level != upper and trials.wins(upper, level) >= LEAST_STEP]
        upper = min(near, key=lambda level: abs(trials.wins(upper, level) - step))
        found.append(upper)
    return found


def searching(game: Game) -> dict[str, Level]:
    """Return the current levels that use search, unchanged."""
    return {name: level for name, level in levels_of(game).items() if level.playouts}


# --- above it -------------------------------------------------------------------------------------------------------


def stronger(trials: Trials, otto: Level) -> dict[str, Level]:
    """Return the levels of Vix and Nox, omitting those at which search does not beat the greedy rule."""
    each, game = milliseconds(trials.table), game_seconds(trials.table)
    affordable = 60 * trials.minutes / (TRIALS * trials.search_games * game) * TRIAL_PLAYOUTS
    trials.say(
        f"a playout takes {each:.3f} ms, and a game with {TRIAL_PLAYOUTS} playouts per decision takes {game:.2f} s"
    )
    most = int(min(MOST_PLAYOUTS, affordable, NOX_MS / each))
    levels = [Level(playouts=playouts) for playouts in rising(FEWEST_PLAYOUTS, most)]
    if not levels:
        return {}
    best = trials.wins(levels[-1], otto)
    if best < LEAST_STEP:
        return {}
    step = max(STEP, half_way(best))
    quick = [level for level in levels if level.playouts * each <= VIX_MS]
    vix = first_that_wins(trials, quick, otto, step)
    if vix is None or trials.wins(vix, otto) < LEAST_STEP:
        return {"nox": levels[-1]}
    nox = levels[-1]
    if nox == vix or trials.wins(nox, vix) < LEAST_STEP:
        return {"vix": vix}
    return {"vix": vix, "nox": nox}


def half_way(share: float) -> float:
    """Return the share of wins of each of two equal steps that combine to the share of wins `share`."""
    share = min(share, 0.995)
    return 1 / (1 + math.sqrt(1 / share - 1))


def first_that_wins(trials: Trials, levels: Sequence[Level], lower: Level, step: float) -> Level | None:
    """Return the first of some levels whose share of wins against `lower` is at least `step`. Return the last level if
    none reaches it."""
    if not levels:
        return None
    low, high = -1, len(levels) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if trials.wins(levels[middle], lower) < step:
            low = middle
        else:
            high = middle
    return levels[high]


def rising(low: int, high: int) -> list[int]:
    """Return round numbers from `low` to `high`, each about 1.4 times the previous one."""
    found, exact = [], float(low)
    while exact <= high:
        unit = 10 ** max(0, int(math.log10(exact)) - 1)
        found.append(round(exact / unit) * unit)
        exact *= math.sqrt(2)
    return found


def game_seconds(table: Table) -> float:
    """Return the processor time of a game in which one player searches, in seconds."""
    names = "otto", f"otto:{Level(playouts=TRIAL_PLAYOUTS).way}"
    began = time.process_time()
    meet(table, names, (0, 1), TRIAL_GAMES, "time", 1)
    return (time.process_time() - began) / TRIAL_GAMES


def milliseconds(table: Table) -> float:
    """Return the processor time of a playout, measured in the first decisions of some deals, in milliseconds."""
    level, spent = Level(playouts=TRIAL_PLAYOUTS), []
    for number in range(TRIAL_DEALS + 1):
        bot = LevelBot(table.game, level, b"time")
        state = table.deal(f"time {number}")
        player = state.to_act[0]
        view = state.view(player, bot.recall)
        began = time.thread_time()
        bot.choose(view, player, 0)
        spent.append(time.thread_time() - began)
    return 1000 * max(spent[1:]) / TRIAL_PLAYOUTS  # without the first, which compiles
