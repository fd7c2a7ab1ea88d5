"""CHIP IT: why the greedy bot chose a move, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import count_of
from fairdeal.games.chip_it.cards import cost, number_of
from fairdeal.games.chip_it.legal import is_open
from fairdeal.games.chip_it.notation import played


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    play = played(actions)
    if play is None:
        if actions[0]:
            return f"Giving back {count_of(actions[0], 'point')} saves more than any play would."
        return "Every play here costs more points than its cards are worth."
    price = sum(cost(kind, play.value) or 0 for kind in play.kinds)
    cards = count_of(len(play.kinds), "card")
    if len(play.kinds) == int(state.hands[player].length):
        return "It empties the hand." if price else "It empties the hand without a single point."
    lowest = number_of(play.kinds[0])
    if is_open(state):
        return f"Leading is the time to be rid of low cards: {cards} from {lowest} up for {count_of(price, 'point')}."
    if not price:
        return f"{cards} gone and not a point to pay."
    return f"{cards} gone for {count_of(price, 'point')}: passes give points back faster than cards leave a hand."
