"""Weighing: what a seat's moves were worth, by all that it could know, and what each seat's chance to win is. Of one
player alone, who is always first, the score stands for the chance.

The moves that look best are found as a search bot finds them. Then they and the move that was played are played out to
the end of the match in new deals, the same for all: so how they were found does not flatter them.
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

from fairdeal.bots.search import FEWEST_DEALS, Decision, actions_of, contract_of, desk_for, like, sources_of
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import compile_rules
from fairdeal.engine.drivers.rollouts import tell_ends
from fairdeal.engine.drivers.search import MARGIN, MOVE, WINS, keep_move
from fairdeal.engine.kit import chance
from fairdeal.engine.records import blank_array
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State

FINALISTS = 5
"""Moves that are weighed, at most: the greedy one and the one that was played among them."""

SOUGHT = 2
"""To find them, so many times the games are played that a move is weighed by."""

SURE = 0.95
"""How sure an interval is to hold the true value."""

NORMAL = NormalDist()


@dataclass(frozen=True)
class Weighed:
    """A decision: its moves, the greedy one first; `ends[deal, move, seat]`, the shares of the first place, or the
    score of one player alone; and which move was played."""

    player: int
    moves: tuple[tuple[int, ...], ...]
    ends: NDArray[np.float64]
    played: int

    @property
    def chances(self) -> NDArray[np.float64]:
        """Of every seat, by move."""
        found: NDArray[np.float64] = self.ends.mean(axis=0)
        return found

    @property
    def order(self) -> list[int]:
        """The moves, the best for the player first; of equal ones the one that was played, then the greedy one."""
        own = self.chances[:, self.player]
        return sorted(range(len(self.moves)), key=lambda move: (-own[move], move != self.played, move))

    def lost(self) -> NDArray[np.float64]:
        """How much less the player has in each deal by the played move than by the best."""
        own = self.ends[:, :, self.player]
        found: NDArray[np.float64] = own[:, self.order[0]] - own[:, self.played]
        return found

    @property
    def error(self) -> float:
        """Half the width of the interval of what was lost on average. It heeds that the best of several was chosen."""
        return half_width(self.lost(), 1 - (1 - SURE) / max(1, len(self.moves) - 1))

    @property
    def cost(self) -> float:
        """The chance that the player gave away; 0 where the moves cannot be told apart."""
        lost = float(self.lost().mean())
        return lost if lost > self.error else 0.0


def half_width(values: NDArray[np.float64], sure: float = SURE) -> float:
    """Half the width of the interval of a mean."""
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return NORMAL.inv_cdf(0.5 + sure / 2) * spread / math.sqrt(len(values))


class Scales:
    """Plays out so many games a move. The same knowledge, number and games give the same answer, for ever."""

    def __init__(self, key: bytes, games: int) -> None:
        self.games = games
        self.key = chance.key_of(key)

    def chances(self, view: State, number: int) -> NDArray[np.float64]:
        """The chance of every seat, by what the viewer of this state knows."""
        return self.played_on(view, number).mean(axis=0)  # type: ignore[no-any-return]

    def played_on(self, view: State, number: int) -> NDArray[np.float64]:
        """Who wins in each of the games that are played on from here, by deal and seat."""
        return self.ends(view, sources_of(self.key, number), [()], 1)[:, 0]

    def weigh(self, view: State, played: Sequence[int], number: int) -> Weighed | None:
        """A decision of the viewer of this state; None where there was one move only."""
        assert view.viewer is not None
        sources = sources_of(self.key, number)
        decision = Decision(view, view.viewer, view.game.recall, sources)
        if len(decision.moves) == 1:
            return None
        own = place_of(decision, view, played)
        rounds = math.ceil(math.log2(max(2.0, len(decision.moves) / FINALISTS)))
        while len(decision.chosen) > FINALISTS:
            decision.try_moves(max(FEWEST_DEALS, SOUGHT * self.games // rounds // len(decision.chosen)))
            decision.chosen = np.array(better_half(decision, own, (WINS, MARGIN) if view.players > 1 else (MARGIN,)))
        chosen = decision.chosen.tolist()
        moves = [actions_of(decision.moves[move]) for move in chosen]
        ends = self.ends(view, sources, moves, decision.deals + 1)
        return Weighed(view.viewer, tuple(moves), ends, chosen.index(own))

    def ends(
        self, view: State, sources: NDArray[Any], moves: Sequence[Sequence[int]], first: int
    ) -> NDArray[np.float64]:
        """Who wins after these moves, in deals from number `first` on."""
        assert view.viewer is not None, "only what somebody may know is weighed"
        game = view.game
        desk, found = desk_for(view, view.viewer, game.recall, sources, 0), blank_array(MOVE, len(moves))
        for actions, move in zip(moves, found, strict=True):
            keep_move(actions, len(actions), move)
        ends = np.zeros((self.games, len(moves), view.players))
        ends_of(game.name)(desk, found, first, ends)
        return ends


def place_of(decision: Decision, view: State, played: Sequence[int]) -> int:
    """Which of the moves was played; it takes the place of the one that is alike, or of the last one where there was no
    room for it."""
    listed = [like(view, decision.player, actions_of(move)) for move in decision.moves]
    own = like(view, decision.player, played)
    number = listed.index(own) if own in listed else len(listed) - 1
    keep_move(played, len(played), decision.moves[number])
    return number


def better_half(decision: Decision, own: int, sums: Sequence[int]) -> list[int]:
    """The moves that stay in question: the greedy one, move `own`, and by turns those that won most and those that were
    most ahead, or what else `sums` names; a sure win by little is as good as any, and a lead says something where all
    win or none."""
    room, kept = max(FINALISTS, len(decision.chosen) // 2), {0: None, own: None}
    ranked = [decision.chosen[np.argsort(-decision.sums[decision.chosen, by], kind="stable")] for by in sums]
    for move in np.stack(ranked, axis=1).ravel().tolist():
        if len(kept) < room:
            kept[move] = None
    return sorted(kept)


@cache
def ends_of(name: str) -> Callable[..., None]:
    """`tell_ends` of a game by its name; it is compiled after the rules, at its first call."""
    game = find_game(name)
    there = compiled.compiled(game).twins
    return compile_rules(game.name, game.state, {"ends": tell_ends}, contract_of(game), there)["ends"]
