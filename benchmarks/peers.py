"""Peers: OpenSpiel's rollouts in C++ and RLCard's games in Python.

OpenSpiel has no call for a bare rollout, but a search of one simulation with `RandomRolloutEvaluator(n)` makes n of
them in C++ from one state. How many decisions a rollout takes is measured beforehand, by random games in Python from
the same state. Decisions of players are counted, not chance nodes, as fairdeal counts moves and not deals.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

from benchmarks.measuring import Contender


def openspiel(name: str, rollouts: int, sample: int = 400) -> Contender:
    """Play random rollouts of a game of OpenSpiel from a state just after the deal."""
    import pyspiel

    chance = random.Random(1)
    game = pyspiel.load_game(name)
    start = game.new_initial_state()
    while start.is_chance_node():
        start.apply_action(drawn(start, chance))
    decisions = sum(decisions_of(start, chance) for _ in range(sample)) / sample

    def contender() -> Mapping[str, float]:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 7)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1000, False, 7, False)
        started = time.perf_counter()
        bot.step(start)
        seconds = time.perf_counter() - started
        return {"moves/s": rollouts * decisions / seconds, "games/s": rollouts / seconds}

    return contender


def openspiel_search(name: str, simulations: int, sample: int = 100) -> Contender:
    """Run simulations of `ISMCTSBot`, each with one random rollout, from the first choice of a game. Of the card games
    of OpenSpiel few can guess at what a player does not see: hearts and gin rummy."""
    import pyspiel

    chance = random.Random(1)
    game = pyspiel.load_game(name)
    start = game.new_initial_state()
    while start.is_chance_node() or len(start.legal_actions()) == 1:
        start.apply_action(drawn(start, chance) if start.is_chance_node() else start.legal_actions()[0])
    decisions = sum(decisions_of(start, chance) for _ in range(sample)) / sample

    def contender() -> Mapping[str, float]:
        most_visited = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(
            7, pyspiel.RandomRolloutEvaluator(1, 7), 1.4, simulations, -1, most_visited, False, True
        )
        started = time.perf_counter()
        bot.step(start)
        seconds = time.perf_counter() - started
        return {"games/s": simulations / seconds, "moves/s": simulations * decisions / seconds, "moves": decisions}

    return contender


def drawn(state: Any, chance: random.Random) -> int:
    outcomes = state.chance_outcomes()
    action: int = chance.choices([action for action, _ in outcomes], [share for _, share in outcomes])[0]
    return action


def decisions_of(start: Any, chance: random.Random) -> int:
    """Return the decisions of one random game."""
    state, decisions = start.clone(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(drawn(state, chance))
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            decisions += 1
    return decisions


def rlcard(name: str, games: int) -> Contender:
    """Play random games of RLCard, as its own examples do."""
    import rlcard as library
    from rlcard.agents import RandomAgent

    env = library.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def contender() -> Mapping[str, float]:
        started = time.perf_counter()
        moves = 0
        for _ in range(games):
            trajectories, _ = env.run(is_training=False)
            moves += sum(len(trajectory) // 2 for trajectory in trajectories)
        seconds = time.perf_counter() - started
        return {"moves/s": moves / seconds, "games/s": games / seconds}

    return contender
