"""Advice: the possible moves of a seat with estimates of their winning chances, computed within a time limit."""

from __future__ import annotations

import math
import time

from fairdeal.bots.search import FEWEST_DEALS, Decision, Thought, sources_of
from fairdeal.engine.kit import chance
from fairdeal.engine.state import State

LOOKS = 4
"""Number of times the clock is checked between two reductions of the list of moves."""


def advise(view: State, player: int, key: bytes, seconds: float) -> list[Thought]:
    """Return the tried moves of a seat, sorted from best to worst, based on its view with the game's recall.

    `seconds` limits only the time for playouts. The first call for a game also compiles code, which takes some seconds,
    and every move is tried in a few deals, however long that takes.
    """
    decision = Decision(view, player, view.game.recall, sources_of(chance.key_of(key), 0))
    rounds = max(1, math.ceil(math.log2(len(decision.moves))))
    started, deals = time.perf_counter(), FEWEST_DEALS
    for number in range(rounds):
        ends = seconds * (number + 1) / rounds
        while True:
            before = time.perf_counter() - started
            decision.try_moves(deals)
            spent = time.perf_counter() - started
            if spent >= ends:
                break
            each = (spent - before) / deals
            deals = max(FEWEST_DEALS, min(int((ends - spent) / each), int(seconds / rounds / LOOKS / each)))
        if number < rounds - 1:
            decision.drop_half()
            deals = FEWEST_DEALS
    return decision.thoughts()
