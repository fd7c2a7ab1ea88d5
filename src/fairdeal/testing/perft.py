"""Check perft in several ways: with compiled rules, with interpreted rules, and by playing every move."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from fairdeal.bots.bots import RandomBot
from fairdeal.engine.game import Game
from fairdeal.engine.state import State
from fairdeal.lab.perft import divide, perft
from fairdeal.testing.play import check_same, must_have, table_of

MOST_BY_HAND = 20_000
"""Maximum number of sequences of moves that are counted by playing every move."""


def by_hand(state: State, depth: int) -> int:
    """Count the sequences of moves by playing every move."""
    if depth == 0:
        return 1
    total = 0
    for seat in state.to_act:
        for actions in state.action_moves(seat):
            if depth == 1:
                total += 1
                continue
            after = state.copy()
            after.play_actions(seat, actions)
            total += 0 if after.over else by_hand(after, depth - 1)
    return total


def near_the_end(game: Game) -> State:
    """Return a state of a random game with few moves left, and with a choice of moves if possible."""
    state = table_of(game, {"players": max(game.players[0], min(2, game.players[1]))}).deal(11)
    bot = RandomBot(b"near the end")
    last = [state.copy()]
    for turn in range(1, 10**9):
        if state.over:
            break
        seat = state.to_act[0]
        state.play_actions(seat, bot.choose(state.view(seat), seat, turn).actions)
        last = [*last[-30:], state.copy()]
    choices = (state for state in last[-4::-1] if len(list(itertools.islice(state.moves(state.to_act[0]), 2))) > 1)
    return next(choices, last[-4:][0])


def check_perft(state: State, depths: int = 3) -> list[int]:
    """Check that, for all depths up to `depths`, the compiled count, the plain count and the count by playing every
    move are equal."""
    game, before = state.game, state.copy()
    counts = []
    for depth in range(depths + 1):
        found = perft(state, depth)
        if found > MOST_BY_HAND:
            break
        plain, hand = perft(state, depth, plain=True), by_hand(state, depth)
        if not found == plain == hand:
            ways = f"{found} compiled, {plain} by plain rules, {hand} by playing every move"
            raise AssertionError(f"{state.table}, {depth} moves from {state.position()}: {ways}")
        counts.append(found)
    check_same(before.record, state.record, f"{game.name}: counting changed the state")
    must_have(len(counts), 3, f"{state.table}: depths that were counted by playing every move")
    must_have(counts[-1], 2, f"{state.table}: sequences of moves that were counted")
    return counts


def check_divide(state: State, depth: int) -> None:
    """Check that the counts for each first move add up to the total."""
    counts = divide(state, depth)
    moves = {f"{seat}: {move}" for seat in state.to_act for move in state.moves(seat)}
    assert set(counts) == moves, f"{state.table}: moves and counts differ at {sorted(counts.keys() ^ moves)}"
    assert sum(counts.values()) == perft(state, depth), f"{state.table}: {counts}, together not {perft(state, depth)}"


def check_kept(game: Game, options: Mapping[str, object], counts: Sequence[int]) -> None:
    """Check that the counts of deal 7 with these options are unchanged."""
    state = table_of(game, options).deal(7)
    found = [perft(state, depth) for depth in range(len(counts))]
    assert found == list(counts), f"{state.table}, deal 7: {found}, but the stored counts are {list(counts)}"
    must_have(len(counts), 2, f"{state.table}: kept counts")
