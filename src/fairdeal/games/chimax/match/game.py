"""CHIMAX MATCH-2 and MATCH-3: everything fairdeal knows of the two games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairdeal.engine.game import Game, ReadPosition, RuleFunction, Rules
from fairdeal.engine.options import Options
from fairdeal.engine.records import Record
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.game import chimax_game
from fairdeal.games.chimax.match import explain, greedy, narration, notation, positions, rules, scene
from fairdeal.games.chimax.match.greedy import NO_SET, best_set, is_wanted, recall_cards
from fairdeal.games.chimax.match.options import MATCH_2_PRESETS, MATCH_3_PRESETS, Match2Options, Match3Options
from fairdeal.games.chimax.match.positions import read_pairs, read_triplets
from fairdeal.games.chimax.match.prompts import set_name
from fairdeal.games.chimax.match.state import ACTIONS, FLIP, FLIPPING, TRIPLET_PLACES, PairState, TripletState


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


def match_game(
    number: int,
    blurb: str,
    deal: RuleFunction,
    read_position: ReadPosition,
    *,
    state: np.dtype[Any],
    options: type[Options],
    presets: Mapping[str, Mapping[str, object]],
    minutes: tuple[int, int],
) -> Game:
    """One of the two games: they differ in their records, their options, and how many cards alike are taken."""
    return chimax_game(
        *(notation, explain, positions, narration, scene, greedy),
        name=f"chimax-match-{number}",
        title=f"Chimax Match-{number}",
        blurb=blurb,
        players=(1, 4),
        minutes=minutes,
        clause_prefix=f"M{number} GEN TOUR MEM",
        actions=ACTIONS,
        state=state,
        rules=Rules.of(rules, deal=deal),
        options=options,
        presets=presets,
        read_position=read_position,
        reason=reason,
        recall=100,
    )


MATCH_2 = match_game(
    2,
    "Two cards, one memory: find the pairs, and leave the Zeros to the others.",
    rules.deal_pairs,
    read_pairs,
    state=PairState,
    options=Match2Options,
    presets=MATCH_2_PRESETS,
    minutes=(3, 10),
)

MATCH_3 = match_game(
    3,
    "Three of a kind from thirty-nine cards. How good is your memory, really?",
    rules.deal_triplets,
    read_triplets,
    state=TripletState,
    options=Match3Options,
    presets=MATCH_3_PRESETS,
    minutes=(5, 15),
)
