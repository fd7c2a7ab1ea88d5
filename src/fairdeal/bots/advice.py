"""Advice: the moves of a seat with their chances, as well as they can be told in the time there is."""

from __future__ import annotations

import math
import time

from fairdeal.bots.search import FEWEST_DEALS, Decision, Thought, sources_of
from fairdeal.engine.kit import chance
from fairdeal.engine.state import State

LOOKS = 4
"""How often the clock is looked at between two times that moves are dropped."""


def advise(view: State, player: int, key: bytes, seconds: float) -> list[Thought]:
    """All moves of a seat that were tried, the best first, from what it sees with the game's memory; the time is for
    playing out, and the first call of a game also compiles for some seconds. Every move is tried in a few deals,
    however long that takes."""
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
