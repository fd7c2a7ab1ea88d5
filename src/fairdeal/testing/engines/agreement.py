"""Checks that compiled rules and plain Python produce the same bytes after every step, with any options, and that they
count the same moves (perft)."""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairdeal.bots.bots import RandomBot
from fairdeal.bots.search import desk_with, sources_of
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiled import Engine
from fairdeal.engine.compile.searches import Search
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance
from fairdeal.engine.records import SPECTATOR, Record, copied
from fairdeal.engine.state import State, Table
from fairdeal.lab.perft import perft
from fairdeal.testing.play import check_same, must_have, random_states, table_of

LOOKS = 1 / 2
"""Share of complete moves that are compared in detail. It is large enough to reach every line of the built-in games'
rules."""


def check_agreement(table: Table, ours: Engine, theirs: Engine, steps: int = 600) -> Counter[str]:
    """Check that two engines agree in random games, on deals, legal actions, steps, views, guesses, scores and the
    greedy bot's moves. Return the number of comparisons of each kind."""
    game, deals, source, dice = table.game, itertools.count(), chance.seeded("moves"), random.Random(f"{table}")
    one, other = table.blank().record, table.blank().record
    listed, others_listed = compiled.scratch(game), compiled.scratch(game)
    tally: Counter[str] = Counter()
    where = ""
    for step in range(steps):
        if step == 0 or one.over:
            seed = f"{next(deals)}"
            where, tally["deals"], moves = f"{table}, seed {seed!r}", tally["deals"] + 1, 0
            one, other = table.blank().record, table.blank().record
            for record, engine in ((one, ours), (other, theirs)):
                chance.set_key(record.chance, chance.key_of(seed))
                engine.rules.deal(record)
            check_same(one, other, f"{where}, as dealt")
        waiting = int(one.to_act)
        player = next(seat for seat in range(table.players) if waiting >> seat & 1)
        count = ours.rules.legal_actions(one, player, listed)
        others_count = theirs.rules.legal_actions(other, player, others_listed)
        actions = listed[:count].tolist()
        if actions != others_listed[:others_count].tolist():
            raise AssertionError(
                f"{where}, after {moves} actions: seat {player} may play {actions}, "
                f"but {others_listed[:others_count].tolist()} with the other engine"
            )
        tally["moves"] += not one.composing
        if not one.composing and (moves == 0 or dice.random() < LOOKS):
            check_looks(game, ours, theirs, one, player, f"{where}, after {moves} actions", tally)
        action = actions[chance.draw(source, count)]
        ours.rules.apply(one, player, action)
        theirs.rules.apply(other, player, action)
        moves += 1
        check_same(one, other, f"{where}, action {moves}, {action} of seat {player}")
        tally["actions"] += 1
    must_have(tally["moves"], steps / 6, f"{table}: complete moves that were compared")
    must_have(tally["looks"], steps / 36, f"{table}: moves at which views, guesses and scores were compared")
    must_have(tally["concealed"], 1, f"{table}: views that blank out something")
    return tally


def check_looks(
    game: Game, ours: Engine, theirs: Engine, state: Record, player: int, where: str, tally: Counter[str]
) -> None:
    """Check that two engines agree on views, guesses, scores and greedy moves, for a player and for a spectator."""
    for viewer in (SPECTATOR, player):
        for recall in (100, 0):
            one, other = copied(state), copied(state)
            ours.rules.conceal(one, viewer, recall)
            theirs.rules.conceal(other, viewer, recall)
            check_same(one, other, f"{where}: what {viewer} sees with recall {recall}")
            tally["concealed"] += one.tobytes() != state.tobytes()
    plans = [compiled.scratch(game), compiled.scratch(game)]
    chosen = [
        plan[: engine.greedy(one, player, plan)].tolist() for engine, plan in zip((ours, theirs), plans, strict=True)
    ]
    if chosen[0] != chosen[1]:
        raise AssertionError(
            f"{where}: the greedy bot plays {chosen[0]} for seat {player}, but {chosen[1]} with the other engine"
        )
    for engine, view in ((ours, one), (theirs, other)):
        engine.rules.resample(view, player, chance.seeded("resample"))
    check_same(one, other, f"{where}: a guess of seat {player}")
    scores = [np.zeros(int(state.players)) for _ in range(2)]
    for engine, out in zip((ours, theirs), scores, strict=True):
        engine.rules.returns(state, out)
    if scores[0].tolist() != scores[1].tolist():
        raise AssertionError(
            f"{where}: the scores are {scores[0].tolist()}, but the other engine's are {scores[1].tolist()}"
        )
    tally["looks"] += 1


def check_search(table: Table, ours: Search, theirs: Search, decisions: int, most: int) -> Counter[str]:
    """Check that two engines write the same bytes into desks when they search in random states, examining at most
    `most` moves. Return the number of comparisons of each kind."""
    tally: Counter[str] = Counter()
    for state, _, where in random_states(table, "searches", 10 * decisions):
        player, source = state.to_act[0], sources_of(chance.key_of("searches"), tally["searches"])
        desks = [desk_with(state.view(player, 100), source) for _ in range(2)]
        step = functools.partial(searched, (ours, theirs), desks, f"{table}, {where}: ")
        tally["lists"] += 1
        if step("list_moves", player, table.game.recall, table.game.horizon) == 1:
            continue
        for desk in desks:
            desk["left"], desk["rounds"] = min(most, desk["left"][0]), min(2, desk["rounds"][0])
        while deals := step("next_round", 0):
            step("try_moves", deals)
            tally["rounds"] += 1
        step("drop_half")
        step("try_batch", 1, 1)
        step("rank_moves")
        tally["searches"] += 1
        tally["games"] += int(desks[0]["sums"]["played"].sum())
        if tally["searches"] == decisions:
            break
    must_have(tally["lists"], decisions, f"{table}: lists of moves that were compared")
    must_have(tally["games"], 4 * tally["searches"], f"{table}: games of searches that were compared")
    return tally


def searched(engines: Sequence[Search], desks: Sequence[Any], where: str, name: str, *numbers: int) -> int:
    """Call a search driver of two engines, each with its own desk. Return the result, which must be the same for
    both."""
    results = [getattr(engine, name)(desk, *numbers) for engine, desk in zip(engines, desks, strict=True)]
    if results[0] != results[1]:
        raise AssertionError(f"{where}{name} returns {results[0]}, but {results[1]} with the other engine")
    check_same(desks[0][0], desks[1][0], f"{where}{name}")
    return int(results[0] or 0)


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
    """Return a state of a random game with few moves left, and, if possible, with a choice of moves."""
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
    """Check that, for all depths up to `depths`, the compiled count and the count by playing every move are equal."""
    game, before = state.game, state.copy()
    counts = []
    for depth in range(depths + 1):
        found = perft(state, depth)
        if found > MOST_BY_HAND:
            break
        hand = by_hand(state, depth)
        if found != hand:
            ways = f"{found} compiled, {hand} by playing every move"
            raise AssertionError(f"{state.table}, {depth} moves from {state.position()}: {ways}")
        counts.append(found)
    check_same(before.record, state.record, f"{game.name}: counting changed the state")
    must_have(len(counts), 3, f"{state.table}: depths that were counted by playing every move")
    must_have(counts[-1], 2, f"{state.table}: sequences of moves that were counted")
    return counts


def check_kept(game: Game, options: Mapping[str, object], counts: Sequence[int]) -> None:
    """Check that the move counts of deal 7 with these options are unchanged."""
    state = table_of(game, options).deal(7)
    found = [perft(state, depth) for depth in range(len(counts))]
    assert found == list(counts), f"{state.table}, deal 7: {found}, but the stored counts are {list(counts)}"
    must_have(len(counts), 2, f"{state.table}: kept counts")
