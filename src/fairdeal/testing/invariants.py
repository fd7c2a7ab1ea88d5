"""Random games in compiled code that check every state, against the contract of all games and the game's own
invariant."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import compile_rules, compile_together
from fairdeal.engine.drivers import acting_player, apply_first, contract, deal, legal_actions_first
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.chance import derive, draw
from fairdeal.engine.records import Record, blank_array, copied, rule
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import State, Table
from fairdeal.testing.play import must_have

TOO_LONG, NOT_OVER, NOBODY, NO_ACTION, NOT_ASCENDING, OUT_OF_RANGE = -1, -2, -3, -4, -5, -6

OWED = {
    TOO_LONG: "the game has more moves than it may have at most",
    NOT_OVER: "the game is over, and somebody is still to act",
    NOBODY: "nobody is to act, and the game is not over",
    NO_ACTION: "legal_actions must list something exactly for those who are to act",
    NOT_ASCENDING: "the ids of the legal actions must ascend",
    OUT_OF_RANGE: "an id of a legal action is below 0, or not below Game.actions",
}
"""Messages for violations of the contract of all games."""

ENOUGH = 4_000_000
"""Number of states at which the random games of a preset stop. Only matches of many games reach this number."""

BROKEN, GAME, MOVE, LONGEST, STATES, ENDS = range(6)
"""Indices of the results: the violation, its game and its move; the maximum number of moves in a game; the number of
states checked by the game's own invariant; and the number of finished games."""


@contract
def violation(state: Record) -> int:
    raise NotImplementedError


@rule
def nothing_broken(state: Record) -> int:
    """Return 0. This is the default invariant."""
    return 0


@rule
def contract_violation(states: Record, actions: Record, last: int) -> int:
    """Check the contract of all games on states[0], and return a negative number for a violation. Otherwise, return the
    number of legal actions of the player `last`, which are listed last and remain in `actions`."""
    state = states[0]
    if state.over:
        return 0 if state.to_act == 0 else NOT_OVER
    if state.to_act == 0:
        return NOBODY
    players, count = int(state.players), 0
    for turn in range(1, players + 1):
        player = (last + turn) % players
        count = legal_actions_first(states, player, actions)
        if (count > 0) != ((int(state.to_act) >> player) & 1 == 1):
            return NO_ACTION
        if count > 0 and (actions[0] < 0 or actions[count - 1] >= len(actions) - 1):
            return OUT_OF_RANGE
        for i in range(1, count):
            if actions[i] <= actions[i - 1]:
                return NOT_ASCENDING
    return count


@rule
def checked_games(
    states: Record, sources: Record, actions: Record, met: Record, games: int, longest: int, result: Record
) -> None:
    """Play random games in states[0] and check every state. Each game is dealt from states[1] with key number `game` of
    sources[1]. met[action] counts how often an action was played."""
    state, source = states[0], sources[0]
    for game in range(games):
        if result[STATES] > ENOUGH:
            return
        states[0] = states[1]
        derive(state.chance, sources[1], game)
        deal(state)
        moves = 0
        while True:
            player = 0 if state.over or state.to_act == 0 else acting_player(state, source)
            found = TOO_LONG if moves > longest else contract_violation(states, actions, player)
            broken = min(found, 0)
            if broken == 0 and not state.composing:
                result[STATES] += 1
                broken = violation(state)
            if broken:
                result[BROKEN], result[GAME], result[MOVE] = broken, game, moves
                return
            if state.over:
                result[ENDS] += 1
                break
            action = int(actions[draw(source, found)])
            met[action] += 1
            apply_first(states, player, action)
            moves += 0 if state.composing else 1
        result[LONGEST] = max(result[LONGEST], moves)


def checker_of(game: Game, invariant: Callable[..., Any]) -> Callable[..., None]:
    """Return `checked_games`, compiled for a game and its invariant."""
    from numba import from_dtype, int16, int64
    from numba import types as kinds

    there = compiled.compiled(game).twins
    bound = compiled.contract_of(game) | {"violation": invariant}
    twins = compile_rules(game.name, game.state, {"checked_games": checked_games}, bound, there)
    states = kinds.Array(from_dtype(game.state), 1, "C")
    sources = kinds.Array(from_dtype(chance_record), 1, "C")
    numbers = int64[::1]
    signature = (states, sources, int16[::1], numbers, int64, int64, numbers)
    compile_together(twins, {"checked_games": signature}, lambda name: None)
    return twins["checked_games"]


def check_invariants(
    table: Table, checked: Callable[..., None], games: int, longest: int, seed: str
) -> np.ndarray[Any, Any]:
    """Check every state of `games` random games, and return the number of times that each action was played. `checked`
    comes from `checker_of`."""
    game = table.game
    states, sources = blank_array(game.state, 2), blank_array(chance_record, 2)
    states[1] = table.start
    chance.set_key(sources[0], chance.key_of("moves"))
    chance.set_key(sources[1], chance.key_of(seed))
    result, met = np.zeros(6, np.int64), np.zeros(len(game.actions), np.int64)
    checked(states, sources, compiled.scratch(game), met, games, longest, result)
    broken = int(result[BROKEN])
    if broken:
        words = OWED.get(broken, f"invariant {broken} is broken")
        where = f"{table}, seed {seed!r}, game {result[GAME]}, after {result[MOVE]} moves"
        raise AssertionError(f"{words}: {where}: {State(table, copied(states[0])).position()}")
    must_have(int(result[ENDS]), min(games, 1000), f"{table}: random games that ended")
    must_have(int(result[STATES]), games * 2, f"{table}: states that the invariant checked")
    must_have(int(np.count_nonzero(met)), 2, f"{table}: different actions that were played")
    return met
