"""Analyse a finished game: rate each decision given its seat's knowledge, track each seat's chance, and measure luck.

docs/analysis.md explains the results.
"""

import math
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import msgspec

from fairdeal.bots.bots import GreedyBot
from fairdeal.bots.evaluation import Ends, Scales, Weighed, spread_of
from fairdeal.bots.search import MEMORY
from fairdeal.engine.drivers.rollouts import SOUGHT
from fairdeal.engine.drivers.search import FINALISTS
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.events import Described, RoundEnded
from fairdeal.engine.files import read_json, write_json
from fairdeal.engine.records import HOUSE, SPECTATOR
from fairdeal.engine.scene import as_text, count_of
from fairdeal.engine.state import State
from fairdeal.table.advice import Option, answered, notation_of, said
from fairdeal.table.analysis import Analysis, Decision, DecisionSums, Share, Step, Sums, Turn, label_of
from fairdeal.table.deciding import oldest
from fairdeal.table.sitting import Sitting
from fairdeal.table.undo import undisturbed

SHOWN = 3
"""Maximum number of best moves listed for a decision, in addition to the move that was played."""

SHARP = 0.12
"""Minimum change of a chance that makes a move a turning point."""

CERTAIN = 3.0
"""Minimum change of a chance at a turning point, as a multiple of the standard error of the difference between two
chances near one half."""

MOST_TURNS = 5

SECONDS = 15.0
"""Target duration of an analysis, in seconds, if the number of games to play out is not specified."""

FINENESS = (4000, 2800, 2000, 1400, 1000, 700, 500, 350, 250, 200)
"""Possible numbers of games to play out, of which the largest that fits the target duration is used. Fewer games than
the smallest number would make chances too imprecise."""

PROBES = 24
"""Number of games played out to measure the duration of one game."""

WEIGHED, PARTS = 32, 64
"""Numbering of the RNG streams for a move: streams from 0 are for the chances of each seat, and streams from WEIGHED
for its decision. Each move has PARTS streams."""

EQUALS = 2 * math.sqrt(math.pi)
"""Number of standard deviations of the score that correspond to a whole win between two equal players who play
separately. For small changes, the probability of a better score changes by 1 / (2 √π) per standard deviation."""

KEY = b"analysis"

Progress = Callable[[Step], None]

T = TypeVar("T")


def untold(step: Step) -> None:
    """Ignore the progress of an analysis."""


def analyse(
    sitting: Sitting, playouts: int | None = None, jobs: int | None = None, progress: Progress = untold
) -> Analysis:
    """Analyse a finished game. The result depends only on the log and on `playouts`, not on the number of threads.

    playouts  number of games played out for each move that is compared (default: as many as fit into SECONDS)
    jobs      number of threads, in which compiled rules run in parallel (default: the number of processors)
    progress  function called with every step; an exception that it raises ends the analysis

    Raises FairdealError while the game runs.
    """
    if not sitting.over:
        raise FairdealError("this game is still running; only finished games can be analysed")
    jobs, moves = jobs or os.cpu_count() or 1, sitting.moves_made
    states = [sitting.state_at(number).copy() for number in range(moves + 1)]
    scales = Scales(KEY, playouts or affordable(states, jobs))
    at_the_deal = scales.played_on(states[0].view(SPECTATOR, MEMORY), 0)
    result = result_of(states[-1])
    unit = unit_of(at_the_deal, scales.games)

    def chances(move: int) -> tuple[float, ...]:
        return chances_at(states[move], scales, move)

    def decision(move: int) -> tuple[Weighed, Decision] | None:
        made = sitting.log.moves[move]
        found = weighed_at(states[move], made.seat, made.actions, scales, move)
        return (found, decision_of(sitting, states[move], move, found, unit)) if found else None

    def counted(done: int, row: tuple[float, ...]) -> None:
        progress(Step(done, moves))

    def decided(done: int, found: tuple[Weighed, Decision] | None) -> None:
        progress(Step(done, moves, decision=found[1] if found else None))

    seen = [*side_by_side(chances, moves, jobs, counted), rounded(result)]
    course = with_course(sitting, begun(sitting, seen, scales.games, unit))
    progress(Step(0, moves, course))
    made = [found for found in side_by_side(decision, moves, jobs, decided) if found]
    shares = shares_of(at_the_deal, scales.games, result, [weighed for weighed, _ in made])
    return course.replaced(decisions=tuple(told for _, told in made), shares=shares)


def in_words(sitting: Sitting, sums: Sums, rest: Callable[[], None] = undisturbed) -> Analysis:
    """Return the analysis of a finished game from `sums` that another program has computed. If they contain only some
    decisions, the course is left out. `rest` is called before each decision, and may raise an exception to end the
    work. Raises FairdealError if the sums do not fit the game."""
    moves, players = sitting.moves_made, sitting.table.players
    rows = [sums.start.shares, *sums.chances, *(ends.shares for one in sums.decisions for ends in one.moves)]
    decided = [one.move for one in sums.decisions]
    if len(sums.chances) != moves or any(len(row) != players for row in rows) or decided != sorted({*decided}):
        raise FairdealError(f"your analysis does not fit {moves} moves of {count_of(players, 'player')}")
    result, unit = result_of(sitting.state_at(moves)), unit_of(sums.start, sums.games)
    seen = [*(rounded([share / sums.games for share in row]) for row in sums.chances), rounded(result)]
    found = begun(sitting, seen, sums.games, unit)
    if sums.whole or not decided:
        found = with_course(sitting, found)
    told, weighed = [], []
    for one in sums.decisions:
        rest()
        state, decision = weighed_in(sitting, one, sums.games)
        weighed.append(decision)
        told.append(decision_of(sitting, state, one.move, decision, unit))
    shares = shares_of(sums.start, sums.games, result, weighed) if sums.whole else ()
    return found.replaced(decisions=tuple(told), shares=shares)


def weighed_in(sitting: Sitting, one: DecisionSums, games: int) -> tuple[State, Weighed]:
    """Return a decision that another program has evaluated, and the state before it. Raises FairdealError if it is not
    one of the game."""
    made = sitting.log.moves[one.move] if one.move < sitting.moves_made else None
    played = one.moves[one.played].actions if one.played < len(one.moves) else ()
    if made is None or made.seat == HOUSE or played != made.actions:
        raise FairdealError(f"your analysis does not fit move {one.move} of the game")
    state = sitting.state_at(one.move)
    if not all(state.is_legal_move(made.seat, move.actions) for move in one.moves):
        raise FairdealError(f"your analysis has an illegal move instead of move {one.move}")
    return state, Weighed(made.seat, games, one.played, one.moves)


def side_by_side(look: Callable[[int], T], moves: int, jobs: int, tell: Callable[[int, T], None]) -> list[T]:
    """Compute the results of `look` for each move in parallel, and return them. `tell` is called with the number of
    results so far and with each result, in order. An exception that it raises ends the work."""
    found: list[T] = []
    with ThreadPoolExecutor(jobs, "analysing") as threads:
        for one in threads.map(look, range(moves)):
            found.append(one)
            tell(len(found), one)
    return found


def chances_at(state: State, scales: Scales, move: int) -> tuple[float, ...]:
    """Return each seat's chance of winning in a state, estimated from the information available to that seat."""
    return rounded(
        [scales.chances(state.view(seat, MEMORY), number_of(move, seat))[seat] for seat in range(state.players)]
    )


def weighed_at(state: State, mover: int, played: Sequence[int], scales: Scales, move: int) -> Weighed | None:
    """Return the evaluated decision of the seat that moved, based on the information available to it, or None if it had
    only one move."""
    if mover == HOUSE:
        return None
    return scales.weigh(state.view(mover, MEMORY), played, number_of(move, WEIGHED + mover))


def number_of(move: int, part: int) -> int:
    """Return the number of the RNG stream for a part of a move. The numbers are unique and never 0."""
    return 1 + move * PARTS + part


def affordable(states: Sequence[State], jobs: int) -> int:
    """Return the number of games that can be played out within SECONDS for each compared move."""
    scales, players = Scales(KEY, PROBES), states[0].players
    views = [states[place * len(states) // 4].view(SPECTATOR, MEMORY) for place in range(4)]
    scales.chances(views[0], 0)  # compiles
    began = time.thread_time()
    for view in views:
        scales.chances(view, 0)
    each = (time.thread_time() - began) / PROBES / len(views)
    games = SECONDS * min(jobs, os.cpu_count() or 1) / (each * len(states) * (FINALISTS + SOUGHT + players))
    return next((number for number in FINENESS if number <= games), FINENESS[-1])


# --- in words ---------------------------------------------------------------------------------------------------


def begun(sitting: Sitting, chances: Sequence[tuple[float, ...]], playouts: int, unit: float) -> Analysis:
    """Return an analysis with only the chances."""
    return Analysis(
        game=sitting.table.game.name,
        seats=sitting.names,
        playouts=playouts,
        chances=tuple(chances),
        decisions=(),
        turns=(),
        shares=(),
        chain=sitting.log.chain(),
        rules=sitting.log.rules_version,
        unit=unit,
    )


def with_course(sitting: Sitting, found: Analysis) -> Analysis:
    """Return an analysis with the course of the game: its turning points, rounds and result."""
    ended = sitting.public(sitting.moves_made).result
    least = found.unit * max(SHARP, CERTAIN * math.sqrt(0.5 / found.playouts))
    return found.replaced(
        turns=turns_of(sitting, found.chances, least),
        rounds=tuple(rounds_of(sitting)),
        result=ended.text if ended else "",
    )


def decision_of(sitting: Sitting, state: State, move: int, found: Weighed, unit: float) -> Decision:
    """Return a decision with its best moves and the move that was played."""
    order, seat = found.order, found.player
    shown = order[:SHOWN] if found.played in order[:SHOWN] else [*order[:SHOWN], found.played]
    seen, cost = state.seen_by(seat, sitting.names), round(found.cost, 4)
    options = []
    for number in shown:
        actions, own = found.moves[number].actions, found.moves[number].shares[seat] / found.games
        text, notation = said(seen, actions), notation_of(seen, actions)
        options.append(Option(text, notation, round(own, 4), round(found.half_width(number), 4)))
    return Decision(
        move=move,
        seat=seat,
        options=tuple(options),
        played=shown.index(found.played),
        cost=cost,
        error=round(found.error, 4),
        label=label_of(cost / unit),
        why=why(sitting, state, found),
    )


def why(sitting: Sitting, state: State, found: Weighed) -> str:
    """Explain the best move. If the greedy rule makes the same move, the explanation is that rule's reason. Otherwise,
    if the played move cost something, it gives the number of games in which the best move does better, and a rival's
    frequent reply."""
    view, best = state.view(found.player, MEMORY), found.best
    greedy = GreedyBot(MEMORY).choose(view, found.player)
    if best.actions == greedy.actions:
        return greedy.reason
    if not found.cost:
        return ""
    counted = (
        f"In {found.games:,} deals that fit what was known, it does better than the move that was played in "
        f"{best.better:,}, and worse in {best.worse:,}."
    )
    return f"{counted} {answered(view, found.player, best.actions, sitting.names, KEY)}".strip()


def turns_of(sitting: Sitting, chances: Sequence[Sequence[float]], least: float) -> tuple[Turn, ...]:
    """Return the moves that changed a chance most, by at least `least`, in order of play."""
    found = []
    for move, (before, after) in enumerate(pairwise(chances)):
        mover = sitting.log.moves[move].seat
        seat = max(range(len(before)), key=lambda seat: (abs(after[seat] - before[seat]), seat == mover))
        found.append((abs(after[seat] - before[seat]), move, seat))
    sharp = sorted((turn for turn in found if turn[0] >= least), key=lambda turn: (-turn[0], turn[1]))[:MOST_TURNS]
    return tuple(
        Turn(
            move, seat, told_line(sitting.events_of(move + 1, SPECTATOR)), chances[move][seat], chances[move + 1][seat]
        )
        for _, move, seat in sorted(sharp, key=lambda turn: turn[1])
    )


def told_line(told: Sequence[Described]) -> str:
    return oldest([as_text(line.text) for _, line in told if line.text])


def rounds_of(sitting: Sitting) -> list[int]:
    """Return the moves after which a round was counted."""
    moves = range(1, sitting.moves_made + 1)
    return [n for n in moves if any(isinstance(event, RoundEnded) for event in sitting.happened(n, SPECTATOR))]


# --- luck and play ----------------------------------------------------------------------------------------------


def result_of(end: State) -> tuple[float, ...]:
    """Return each seat's share of first place, or the score in a single-player game."""
    if end.players == 1:
        return tuple(end.returns())
    first = [place == 1 for place in end.ranks]
    return tuple(float(one) / sum(first) for one in first)


def unit_of(at_the_deal: Ends, games: int) -> float:
    """Return the value of a whole win, from the results of games that continue from the deal."""
    if len(at_the_deal.shares) > 1:
        return 1.0
    return round(EQUALS * spread_of(at_the_deal.shares[0], at_the_deal.squares, games, 0), 4) or 1.0


def shares_of(at_the_deal: Ends, games: int, result: Sequence[float], weighed: Sequence[Weighed]) -> tuple[Share, ...]:
    """Return the sources of each seat's result. The cost of a decision is a gift to the other seats, divided in
    proportion to their gains in the games played out after the two moves. Luck is the remaining difference between
    start and result."""
    start = [share / games for share in at_the_deal.shares]
    play, gifts = [0.0] * len(start), [0.0] * len(start)
    for found in weighed:
        if found.cost:
            gained = found.chances[found.played] - found.chances[found.order[0]]
            for seat, gain in enumerate(gained.tolist()):
                (play if seat == found.player else gifts)[seat] += gain
    return tuple(
        Share(seat, start[seat], result[seat] - start[seat] - play[seat] - gifts[seat], play[seat], gifts[seat], one)
        for seat, one in enumerate(result)
    )


def rounded(chances: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(float(chance), 4) for chance in chances)


# --- storage ----------------------------------------------------------------------------------------------------


def analysis_file(log: Path) -> Path:
    """Return the path of the analysis saved next to a log."""
    return log.with_suffix(".analysis.json")


def kept(log: Path, chain: str, playouts: int | None) -> Analysis | None:
    """Read the analysis saved next to a log. Return None if it belongs to another game, or if `playouts` is given and
    differs from its number of games."""
    try:
        found = read_json(analysis_file(log), Analysis)
    except (OSError, msgspec.DecodeError):
        return None
    return found if found.fits(chain, playouts) else None


def keep(log: Path, found: Analysis) -> None:
    """Write an analysis to a file next to its log."""
    write_json(analysis_file(log), found)
