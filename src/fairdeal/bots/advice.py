"""Advice: the possible moves of a seat with estimates of their winning chances, computed within a time limit."""

import time
from collections.abc import Callable

from fairdeal.bots.search import Decision, Thought, sources_of
from fairdeal.engine.drivers.search import FEWEST_DEALS
from fairdeal.engine.kit import chance
from fairdeal.engine.state import State

LOOKS = 4
"""Minimum number of times the clock is checked between two reductions of the list of moves."""

LONGEST = 0.05
"""Maximum time, in seconds, between two checks of the clock."""


def advise(
    view: State, player: int, key: bytes, seconds: float, rest: Callable[[], None] = lambda: None
) -> list[Thought]:
    """Return the tried moves of a seat, sorted from best to worst, based on its view with the game's recall.

    `seconds` limits only the time for playouts. The first call for a game also compiles code, which takes some seconds,
    and every move is tried in at least a few deals, no matter how long that takes. `rest` is called several times
    during the search, and may let other work go first; the time that it takes does not count.
    """
    decision = Decision(view, player, view.game.recall, sources_of(chance.key_of(key), 0))
    each, spent, ends = seconds / max(1, decision.desk_value("rounds")), 0.0, 0.0
    while deals := decision.next_round(games=0):
        ends += each
        while True:
            rest()
            began = time.perf_counter()
            decision.try_moves(deals)
            took = time.perf_counter() - began
            spent += took
            if spent >= ends:
                break
            most = min(ends - spent, each / LOOKS, LONGEST)
            deals = max(FEWEST_DEALS, int(most * deals / took))
    return decision.thoughts()
