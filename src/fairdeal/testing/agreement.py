"""Checks that compiled rules and plain Python produce the same bytes after every step, with any options, and that the
counts of moves (perft) are unchanged."""

import itertools
import random
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiled import Engine
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance
from fairdeal.engine.records import SPECTATOR, Record, copied
from fairdeal.engine.state import Table
from fairdeal.lab.perft import perft
from fairdeal.testing.play import check_same, must_have, table_of

LOOKS = 1 / 2
"""Share of complete moves that are compared in detail. It is large enough to reach every line of the built-in games'
rules."""


def check_agreement(table: Table, ours: Engine, theirs: Engine, steps: int = 600) -> Counter[str]:
    """Check that two engines agree in random games, on deals, legal actions, steps, views, guesses, scores and the
    greedy bot's moves. Return the number of comparisons of each kind."""
    game, deals, source, dice = table.game, itertools.count(), chance.seeded("moves"), random.Random(f"{table}")
    one, other = table.blank().record, table.blank().record
    listed, others_listed = compiled.scratch(game), compiled.scratch(game)
    tally = Counter[str]()
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


def check_kept(game: Game, options: Mapping[str, object], counts: Sequence[int]) -> None:
    """Check that the move counts of deal 7 with these options are unchanged."""
    state = table_of(game, options).deal(7)
    found = [perft(state, depth) for depth in range(len(counts))]
    assert found == list(counts), f"{state.table}, deal 7: {found}, but the stored counts are {list(counts)}"
    must_have(len(counts), 2, f"{state.table}: kept counts")
