"""CHIMAX MATCH-2 and MATCH-3: why the greedy bot chose a move, in a line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairdeal.engine.records import Record
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.match import rules
from fairdeal.games.chimax.match.greedy import NO_SET, best_set, is_wanted, recall_cards
from fairdeal.games.chimax.match.prompts import set_name
from fairdeal.games.chimax.match.state import FLIP, FLIPPING, TRIPLET_PLACES


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    if int(state.phase) != FLIPPING:
        return "There is not much to think about."
    cards = np.empty(TRIPLET_PLACES, np.int8)
    recall_cards(state, cards)
    turned, kind = int(cards[actions[0] - FLIP]), best_set(state, cards)
    if rules.must_turn_unseen(state):
        return "It must be a card that nobody has seen."
    if kind != NO_SET and is_wanted(state, cards, kind):
        return f"This is {name_of(turned)}, and I know where the rest of the {set_name(state)} lies."
    if turned < 0:
        return "Nobody knows this one. It may be what I need."
    if kind != NO_SET:
        return f"I know a {set_name(state)}, and somebody else may have it: {name_of(turned)} spoils it."
    return f"All have seen this {name_of(turned).removeprefix('a ')}, so it tells them nothing new."
