"""Record games of a simulation move by move: their events, and each player's chance in the course of the game."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.evaluation import Scales
from fairdeal.bots.search import MEMORY
from fairdeal.engine.game import Game
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.state import Seen, State
from fairdeal.lab.simulate.executors import Jobs
from fairdeal.lab.simulate.following import Followed
from fairdeal.lab.simulate.jobs import Order
from fairdeal.lab.simulate.outcomes import NOBODY, Outcomes
from fairdeal.lab.simulate.simulation import Progress, nobody, parts
from fairdeal.lab.studies.minutes import choices_of, minutes_of

STEPS = 20
"""Number of parts into which a game is divided. Each player's chance is computed at the end of each part."""

KINDS = ("verb", "card", "phase", "clause", "ending")
"""The kinds of events that are counted."""

KEY = b"study"


@dataclass(frozen=True)
class Watched:
    """The record of one game: its outcome; the minutes that people would take; the numbers of decisions and of their
    choices (buttons of the scene for the first step of a move, and legal actions for later ones); the number of changes
    of the sole lead; the number of each event by kind and name, with the seats that caused it; the seat and the actions
    of each move; and, if requested, each player's chance at the end of each part."""

    scores: tuple[float, ...]
    moves: int
    first: int
    minutes: float
    decisions: int
    choices: int
    leads: int
    happened: dict[str, Counter[str]]
    doers: dict[tuple[str, str], set[int]]
    played: tuple[tuple[int, tuple[int, ...]], ...]
    course: NDArray[np.float64] | None = None


@dataclass
class Counting:
    """Counts of the events in a game so far."""

    game: Game
    happened: dict[str, Counter[str]] = field(default_factory=lambda: {kind: Counter() for kind in KINDS})
    doers: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()

    def count(self, kind: str, name: str, player: int) -> None:
        self.happened[kind][name] += 1
        self.doers.setdefault((kind, name), set()).add(player)

    def move(self, before: Seen, after: Seen, player: int, actions: Sequence[int]) -> None:
        """Count the events of a move, as far as its own player may know them. The cards are those of the first
        event."""
        self.count("verb", self.game.actions.decode(actions[0]).verb, player)
        phase = self.game.write_position(before.shown).get("phase")
        if isinstance(phase, str):
            self.count("phase", phase, player)
        events = before.happened(after, player, actions)
        for card in events[0].shown if events else ():
            self.count("card", card, player)
        self.clauses = tuple(clause for event in events for clause in event.clauses)
        for clause in self.clauses:
            self.count("clause", clause, player)

    def end(self) -> None:
        """Count the clauses of the last move as endings of the game."""
        for clause in dict.fromkeys(self.clauses):
            self.happened["ending"][clause] += 1


def watch_from(
    order: Order, first: int, last: int, playouts: int, jobs: Jobs, progress: Progress = nobody
) -> list[Watched]:
    """Watch the games of an order from number `first` up to, but not including, `last`, and return a record of each. If
    `playouts` is not 0, each player's chance is estimated from that number of simulated games."""
    found = parts(order, first, last, jobs, partial(watch_part, playouts), progress, in_python=True)
    return [*chain.from_iterable(found)]


def watch_part(playouts: int, order: Order, first: int, last: int) -> list[Watched]:
    """Watch one part of an order's games."""
    return [watched(order, number, playouts) for number in range(first, last)]


def watched(order: Order, number: int, playouts: int) -> Watched:
    """Watch one game."""
    table = order.table
    followed = Followed(order, number)
    state = followed.state
    counting, states = Counting(table.game), [state.copy()]
    first = state.to_act[0] if len(state.to_act) == 1 else NOBODY
    steps: list[tuple[int, int]] = []
    played: list[tuple[int, tuple[int, ...]]] = []
    leader, leads = NOBODY, 0
    for player, actions in followed.moves():
        before = state.copy()
        played.append((player, actions))
        seen, after = before.seen_by(player), before.copy()
        after.play_actions(player, actions)
        steps += ((choices, len(state.to_act)) for choices in choices_of(before, player, actions, seen.scene()))
        counting.move(seen, after.seen_by(player), player, actions)
        leaders = after.leaders
        if len(leaders) == 1:
            (now,) = leaders
            leads += leader not in (NOBODY, now)
            leader = now
        if playouts:
            states.append(after)
    counting.end()
    real = [choices for choices, _ in steps if choices > 1]
    return Watched(
        scores=tuple(state.returns()),
        moves=len(played),
        first=first,
        minutes=minutes_of(steps),
        decisions=len(real),
        choices=sum(real),
        leads=leads,
        happened=counting.happened,
        doers=counting.doers,
        played=tuple(played),
        course=course_of(states, playouts, number) if playouts and table.players > 1 else None,
    )


def course_of(states: Sequence[State], playouts: int, number: int) -> NDArray[np.float64]:
    """Return each player's chance at the ends of the parts of a game, as estimated for a spectator. The last row is the
    result."""
    scales, moves = Scales(KEY, playouts), len(states) - 1
    rows = [
        scales.chances(states[part * moves // STEPS].view(SPECTATOR, MEMORY), number * STEPS + part)
        for part in range(STEPS)
    ]
    best = np.array(states[-1].returns())
    first = best == best.max()
    return np.array([*rows, first / first.sum()])


def outcomes_of(order: Order, games: Sequence[Watched]) -> Outcomes:
    """Return the outcomes of watched games."""
    return Outcomes(
        order.bots,
        np.array([game.scores for game in games], np.float64),
        np.array([game.moves for game in games], np.int64),
        np.array([game.first for game in games], np.int64),
    )


def names_in(games: Sequence[Watched], kind: str) -> Iterator[str]:
    """Yield the names of all events of a kind in these games, the most frequent first."""
    total: Counter[str] = sum((game.happened[kind] for game in games), Counter())
    return (name for name, _ in sorted(total.items(), key=lambda one: (-one[1], one[0])))
