"""Estimates of the values of a seat's moves, and of each seat's chance of winning, based on the seat's knowledge.

For a single player, who always comes first, the score is used instead of the chance. The most promising moves are found
in the same way as by a search bot. These moves and the move that was played are then played out to the end of the match
in new deals, which are the same for all moves, so that the selection does not bias the estimates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.search import Decision, actions_of, desk_with, like, sources_of
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import compile_rules
from fairdeal.engine.compile.searches import contract_of
from fairdeal.engine.drivers.rollouts import tell_ends
from fairdeal.engine.drivers.search import FEWEST_DEALS, MOVE, keep_move
from fairdeal.engine.kit import chance
from fairdeal.engine.records import blank_array
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State

FINALISTS = 5
"""Maximum number of moves that are evaluated, including the greedy move and the move that was played."""

SOUGHT = 2
"""Number of games used to find the moves, as a multiple of the games used to evaluate one move."""

SURE = 0.95
"""Confidence level of intervals."""

NORMAL = NormalDist()


@dataclass(frozen=True)
class Weighed:
    """An evaluated decision.

    `moves` begins with the greedy move. `ends[deal, move, seat]` is a seat's share of first place, or the score in a
    single-player game. `played` is the index of the move that was played.
    """

    player: int
    moves: tuple[tuple[int, ...], ...]
    ends: NDArray[np.float64]
    played: int

    @property
    def chances(self) -> NDArray[np.float64]:
        """Each seat's chance of winning, by move."""
        found: NDArray[np.float64] = self.ends.mean(axis=0)
        return found

    @property
    def order(self) -> list[int]:
        """The indices of the moves, starting with the best for the player. Among equal moves, the played move comes
        first."""
        own = self.chances[:, self.player]
        return sorted(range(len(self.moves)), key=lambda move: (-own[move], move != self.played, move))

    def lost(self) -> NDArray[np.float64]:
        """Return the player's loss from the played move, compared with the best move, in each deal."""
        own = self.ends[:, :, self.player]
        found: NDArray[np.float64] = own[:, self.order[0]] - own[:, self.played]
        return found

    @property
    def error(self) -> float:
        """Half the width of the confidence interval of the average loss, corrected for several comparisons."""
        return half_width(self.lost(), 1 - (1 - SURE) / max(1, len(self.moves) - 1))

    @property
    def cost(self) -> float:
        """The winning chance that the player lost, or 0 if the difference is not significant."""
        lost = float(self.lost().mean())
        return lost if lost > self.error else 0.0


def half_width(values: NDArray[np.float64], sure: float = SURE) -> float:
    """Return half the width of the confidence interval of a mean."""
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return NORMAL.inv_cdf(0.5 + sure / 2) * spread / math.sqrt(len(values))


class Scales:
    """An evaluator that plays out `games` games for each move. Equal keys, views and numbers always give equal
    results."""

    def __init__(self, key: bytes, games: int) -> None:
        self.games = games
        self.key = chance.key_of(key)

    def chances(self, view: State, number: int) -> NDArray[np.float64]:
        """Return each seat's chance of winning, based on the knowledge of a state's viewer."""
        return self.played_on(view, number).mean(axis=0)  # type: ignore[no-any-return]

    def played_on(self, view: State, number: int) -> NDArray[np.float64]:
        """Return the results of games that continue from a state, by deal and seat."""
        return self.ends(view, sources_of(self.key, number), [()], 1)[:, 0]

    def weigh(self, view: State, played: Sequence[int], number: int) -> Weighed | None:
        """Return the evaluated decision of the viewer of a state, or None if only one move was possible."""
        assert view.viewer is not None
        sources = sources_of(self.key, number)
        decision = Decision(view, view.viewer, view.game.recall, sources)
        if len(decision.moves) == 1:
            return None
        own = place_of(decision, view, played)
        rounds = math.ceil(math.log2(max(2.0, len(decision.moves) / FINALISTS)))
        while len(decision.chosen) > FINALISTS:
            decision.try_moves(max(FEWEST_DEALS, SOUGHT * self.games // rounds // len(decision.chosen)))
            decision.chosen = better_half(decision, own, ("wins", "margin") if view.players > 1 else ("margin",))
        chosen = decision.chosen.tolist()
        moves = [actions_of(decision.moves[move]) for move in chosen]
        ends = self.ends(view, sources, moves, decision.number("deals") + 1)
        return Weighed(view.viewer, tuple(moves), ends, chosen.index(own))

    def ends(
        self, view: State, sources: NDArray[Any], moves: Sequence[Sequence[int]], first: int
    ) -> NDArray[np.float64]:
        """Return the results of games after each of these moves, in deals numbered from `first`."""
        assert view.viewer is not None, "the state must be concealed"
        game = view.game
        desks, found = desk_with(view, sources), blank_array(MOVE, len(moves))
        desks["seat"], desks["recall"] = view.viewer, game.recall
        for actions, move in zip(moves, found, strict=True):
            keep_move(actions, len(actions), move)
        ends = np.zeros((self.games, len(moves), view.players))
        ends_of(game.name)(desks, found, first, ends)
        return ends


def place_of(decision: Decision, view: State, played: Sequence[int]) -> int:
    """Write the played move into the decision, in place of an equivalent move if there is one. Return its index."""
    listed = [like(view, decision.player, actions_of(move)) for move in decision.moves]
    own = like(view, decision.player, played)
    number = listed.index(own) if own in listed else len(listed) - 1
    keep_move(played, len(played), decision.moves[number])
    return number


def better_half(decision: Decision, own: int, sums: Sequence[str]) -> list[int]:
    """Return the moves that remain: the greedy move, the move `own`, and the best moves by each of `sums` in turn.

    Wins and leads are considered in turn, because a certain win by a small lead is as good as any other, whereas the
    lead distinguishes moves that all win or all lose.
    """
    room, kept = max(FINALISTS, len(decision.chosen) // 2), {0: None, own: None}
    ranked = [decision.chosen[np.argsort(-decision.sums[by][decision.chosen], kind="stable")] for by in sums]
    for move in np.stack(ranked, axis=1).ravel().tolist():
        if len(kept) < room:
            kept[move] = None
    return sorted(kept)


@cache
def ends_of(name: str) -> Callable[..., None]:
    """Return `tell_ends`, compiled for the game with this name. It is compiled after the rules, when it is first
    called."""
    game = find_game(name)
    there = compiled.compiled(game).twins
    return compile_rules(game.name, game.state, {"ends": tell_ends}, contract_of(game), there)["ends"]
