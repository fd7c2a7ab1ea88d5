"""Estimates of the values of a seat's moves, and of each seat's chance of winning, based on the seat's knowledge
(`engine.drivers.rollouts`). For a single player, who always comes first, the score is used instead of the chance.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.search import Decision, actions_of, desk_with, sources_of
from fairdeal.engine.compile.searches import compiled_search
from fairdeal.engine.drivers import MOST_STEPS
from fairdeal.engine.drivers.search import keep_move
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.state import State

Sum = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]

SURE = 0.95
"""Confidence level of intervals."""

NORMAL = NormalDist()


class Ends(Frozen, forbid_unknown_fields=True):
    """The sums of the results of games after a move. A result is a share of first place, or the score in a
    single-player game.

    actions  ids of the actions of the move
    shares   sums of the results of each seat
    squares  sum of the squares of the player's results
    gain     sum of the differences between the player's results and those of the move that was played in the same deals
    spread   sum of the squares of these differences
    better   number of deals in which the result is better
    worse    number of deals in which it is worse
    """

    actions: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=32_767)], ...], msgspec.Meta(max_length=MOST_STEPS)]
    shares: tuple[Sum, ...]
    squares: Sum
    gain: Sum
    spread: Sum
    better: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    worse: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Weighed(Frozen):
    """An evaluated decision. `moves` begins with the greedy move, unless an equivalent one was played. `played` is the
    index of the move that was played. Each move was played out in `games` deals."""

    player: int
    games: int
    played: int
    moves: tuple[Ends, ...]

    @property
    def chances(self) -> NDArray[np.float64]:
        """Each seat's chance of winning, by move."""
        return np.array([move.shares for move in self.moves]) / self.games

    @property
    def order(self) -> list[int]:
        """The indices of the moves, starting with the best for the player. Among equal moves, the played move comes
        first."""
        own = self.chances[:, self.player]
        return sorted(range(len(self.moves)), key=lambda move: (-own[move], move != self.played, move))

    @property
    def best(self) -> Ends:
        """The best move."""
        return self.moves[self.order[0]]

    def half_width(self, move: int) -> float:
        """Return half the width of the confidence interval of the player's chance after a move."""
        ends = self.moves[move]
        return half_width(ends.shares[self.player], ends.squares, self.games)

    @property
    def error(self) -> float:
        """Half the width of the confidence interval of the average loss, corrected for several comparisons."""
        sure = 1 - (1 - SURE) / max(1, len(self.moves) - 1)
        return half_width(self.best.gain, self.best.spread, self.games, sure)

    @property
    def cost(self) -> float:
        """The winning chance that the player lost, or 0 if the difference is not significant."""
        lost = self.best.gain / self.games
        return lost if lost > self.error else 0.0


def half_width(total: float, squares: float, games: int, sure: float = SURE) -> float:
    """Return half the width of the confidence interval of a mean, from the sum of the values and of their squares."""
    return NORMAL.inv_cdf(0.5 + sure / 2) * spread_of(total, squares, games, 1) / math.sqrt(games)


def spread_of(total: float, squares: float, games: int, ddof: int) -> float:
    """Return the standard deviation of values, from their sum and the sum of their squares. `ddof` is subtracted from
    the number of values."""
    return math.sqrt(max(0.0, squares - total * total / games) / max(1, games - ddof))


class Scales:
    """An evaluator that plays out `games` games for each move. Equal keys, views and numbers always give equal
    results."""

    def __init__(self, key: bytes, games: int) -> None:
        self.games = games
        self.key = chance.key_of(key)

    def chances(self, view: State, number: int) -> NDArray[np.float64]:
        """Return each seat's chance of winning, based on the knowledge of a state's viewer."""
        return np.array(self.played_on(view, number).shares) / self.games

    def played_on(self, view: State, number: int) -> Ends:
        """Return the results of games that continue from a state."""
        assert view.viewer is not None, "the state must be concealed"
        engine, desks = compiled_search(view.game.name), desk_with(view, sources_of(self.key, number))
        engine.list_none(desks, view.viewer, view.game.recall)
        engine.weigh_moves(desks, self.games)
        return ends_of(desks[0], view.players)[0]

    def weigh(self, view: State, played: Sequence[int], number: int) -> Weighed | None:
        """Return the evaluated decision of the viewer of a state, or None if only one move was possible."""
        assert view.viewer is not None
        decision = Decision(view, view.viewer, view.game.recall, sources_of(self.key, number))
        if len(decision.moves) == 1:
            return None
        engine, desks = decision.engine, decision.desks
        keep_move(played, len(played), desks[0].made)
        engine.place_played(desks)
        while deals := engine.next_trial(desks, self.games):
            decision.try_moves(deals)
        engine.weigh_moves(desks, self.games)
        own = decision.chosen.tolist().index(decision.desk_value("played"))
        return Weighed(view.viewer, self.games, own, ends_of(desks[0], view.players))


def ends_of(desk: Any, players: int) -> tuple[Ends, ...]:
    """Return the sums of a desk for the moves that remain."""
    found = []
    for number, sums in zip(desk["chosen"][: desk["left"]], desk["ends"], strict=False):
        shares, _, squares, gain, spread, better, worse = sums.item()
        actions = actions_of(desk["moves"][number])
        found.append(Ends(actions, tuple(shares[:players].tolist()), squares, gain, spread, int(better), int(worse)))
    return tuple(found)
