"""CHIMAX FATE: why the greedy bot chose a move, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import UNKNOWN, Record
from fairdeal.games.chimax.fate.state import FLIP, SPIN, STOP
from fairdeal.games.chimax.layout import is_unseen


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    action = actions[0]
    if action < SPIN:
        return "This is luck alone."
    if action == SPIN:
        return "A turn begins with a spin."
    if action == STOP:
        return "The next look is likely to help the others more."
    card = int(state.layout.cards[action - FLIP if action < STOP else state.wheel])
    if action > STOP:
        return "Nobody knows what lies there, so one face is as good as another." if card == UNKNOWN else "Seen before."
    if card == int(state.wheel):
        return "This card was seen before: a sure find."
    if card != UNKNOWN:
        return "All have seen this card, so it tells the others nothing."
    return "Nobody has seen this card." if is_unseen(state.layout, action - FLIP) else "It may be this one."
