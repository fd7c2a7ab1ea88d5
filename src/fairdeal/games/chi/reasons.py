"""CHI: why the greedy bot chose a move, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.piles import find
from fairdeal.engine.records import Record
from fairdeal.games.chi.cards import name_of
from fairdeal.games.chi.colours import colour_of
from fairdeal.games.chi.explain import played_kind
from fairdeal.games.chi.state import (
    ANSWER_CHI,
    ATTACK_3,
    ATTACK_6,
    CHI,
    DISCARD,
    PASS,
    PLAY_3,
    PLAY_6,
    SINGLE_3,
    YANG_3,
    YANG_6,
)


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    action, kind = actions[0], played_kind(actions[0])
    if action < PLAY_3:
        return reason_to_take(state, player, int(state.row[action]))
    if action == ANSWER_CHI:
        return "This stack is worth a Chi."
    if action == PASS:
        return "A Chi is worth more later, or there is none to spare."
    if kind is None:
        return "The deck may hold something better than the row."
    if action >= DISCARD:
        return f"Of all these cards {name_of(kind)} promises least."
    if action >= ATTACK_3:
        return f"{3 if action < ATTACK_6 else 6} points less for the other, and a card from the deck."
    if action >= PLAY_6:
        return "Six points at once."
    if find(state.areas[player], SINGLE_3 + colour_of(kind)) >= 0:
        return "Three points more, and the stack is safe for good."
    return "Three points, and a place for the second one."


def reason_to_take(state: Record, player: int, kind: int) -> str:
    name = name_of(kind)
    if kind == CHI:
        return "A Chi guards what lies on the table."
    if kind < YANG_3:
        return f"{name} strikes what the other player has, or keeps it from striking you."
    if kind < YANG_6 and find(state.areas[player], SINGLE_3 + colour_of(kind)) >= 0:
        return f"{name} will make a stack of two, safe from attacks."
    return f"{name} is worth {3 if kind < YANG_6 else 6} points next turn."
