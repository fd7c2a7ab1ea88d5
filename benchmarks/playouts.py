"""Random games of fairdeal, compiled: actions, moves and games a second, on one thread and on more."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit

from benchmarks.measuring import Contender
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.bots.search import Decision, sources_of
from fairdeal.engine import drivers
from fairdeal.engine.compile import compiled
from fairdeal.engine.kit import chance
from fairdeal.engine.records import blank_array
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import Table, load


def play(table: Table, first: int, games: int) -> tuple[int, int]:
    """Play random games in this thread: how many moves and actions."""
    states, sources = blank_array(table.game.state, 3), blank_array(chance_record, 2)
    states[0] = table.blank().record
    chance.set_key(sources[0], chance.key_of("benchmark"))
    scores, lengths = np.zeros((games, table.players)), np.zeros((games, 2), np.int64)
    bots = np.full(table.players, drivers.RANDOM, np.int64)
    desk = drivers.Desk(states, sources, compiled.scratch(table.game), bots)
    compiled.compiled(table.game).simulate(desk, first, scores, lengths)
    moves, actions = lengths.sum(axis=0)
    return int(moves), int(actions)


def rollouts(name: str, games: int, **options: object) -> Contender:
    """Play random games from one state just after the deal. As in OpenSpiel, the deal is not timed."""
    table = load(name, **options)
    random_moves = compiled.compiled(table.game).random_moves
    start, trial = blank_array(table.game.state, 1), blank_array(table.game.state, 1)
    start[0] = table.deal("rollouts").record
    source, actions = blank_array(chance_record, 1), compiled.scratch(table.game)
    chance.set_key(source[0], chance.key_of("rollouts"))

    @njit
    def play_out(start: Any, trial: Any, sources: Any, actions: Any, games: int) -> int:
        moves = 0
        for _ in range(games):
            trial[0] = start[0]
            moves += random_moves(trial[0], sources[0], actions, 1 << 40)
        return moves

    def contender() -> Mapping[str, float]:
        started = time.perf_counter()
        moves = play_out(start, trial, source, actions, games)
        seconds = time.perf_counter() - started
        return {"moves/s": moves / seconds, "games/s": games / seconds}

    return contender


def searches(name: str, deals: int, **options: object) -> Contender:
    """Play out all moves from the first choice of a game on, in each deal, as a search does."""
    table = load(name, **options)
    state = table.deal("searches")
    bot = GreedyBot(table.game.recall)
    while len(list(state.action_moves(state.to_act[0]))) == 1:
        state.play_actions(state.to_act[0], ask(bot, state, state.to_act[0], 0).actions)
    player = state.to_act[0]
    left, moves = state.copy(), 0
    while not left.over:
        left.play_actions(left.to_act[0], ask(bot, left, left.to_act[0], 0).actions)
        moves += 1
    sources = sources_of(chance.key_of("searches"), 0)

    def contender() -> Mapping[str, float]:
        decision = Decision(state.view(player, bot.recall), player, bot.recall, sources)
        started = time.perf_counter()
        decision.try_moves(deals)
        seconds = time.perf_counter() - started
        games = deals * len(decision.moves)
        return {"games/s": games / seconds, "moves/s": games * moves / seconds, "moves": moves}

    return contender


def random_games(name: str, games: int, threads: int = 1, **options: object) -> Contender:
    """Play the same number of games in each thread."""
    table = load(name, **options)

    def contender() -> Mapping[str, float]:
        with ThreadPoolExecutor(threads) as pool:
            started = time.perf_counter()
            counts = list(pool.map(lambda number: play(table, number * games, games), range(threads)))
            seconds = time.perf_counter() - started
        return {
            "moves/s": sum(moves for moves, _ in counts) / seconds,
            "actions/s": sum(actions for _, actions in counts) / seconds,
            "games/s": games * threads / seconds,
        }

    return contender
