"""CHIMAX MATCH-2 and MATCH-3: everything fairdeal knows of the two games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fairdeal.engine.game import Game, ReadPosition, RuleFunction, Rules
from fairdeal.engine.options import Options
from fairdeal.games.chimax.game import chimax_game
from fairdeal.games.chimax.match import bots, rules
from fairdeal.games.chimax.match.options import MATCH_2_PRESETS, MATCH_3_PRESETS, Match2Options, Match3Options
from fairdeal.games.chimax.match.picture import scene
from fairdeal.games.chimax.match.state import ACTIONS, PairState, TripletState
from fairdeal.games.chimax.match.text import explain, narration, notation, positions
from fairdeal.games.chimax.match.text.positions import read_pairs, read_triplets


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
        *(notation, explain, positions, narration, scene, bots),
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
