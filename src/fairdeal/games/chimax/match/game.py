"""CHIMAX MATCH-2 and MATCH-3: the definitions of the two games."""

from typing import Any

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chimax.game import chimax_game
from fairdeal.games.chimax.match import bots, events, rules, state
from fairdeal.games.chimax.match.options import MATCH_2_PRESETS, MATCH_3_PRESETS, Match2Options, Match3Options
from fairdeal.games.chimax.match.picture import scene
from fairdeal.games.chimax.match.state import PAIR_OBSERVED, PAIR_STATE, TRIPLET_OBSERVED, TRIPLET_STATE
from fairdeal.games.chimax.match.text import explain, notation, positions


def match_game(number: int, **own: Any) -> Game:
    """Return one of the two games, which differ in their records, their options and the size of a set."""
    return chimax_game(
        *(state, events, notation, explain, positions, scene, bots),
        name=f"chimax-match-{number}",
        title=f"Chimax Match-{number}",
        players=(1, 4),
        clause_prefix=f"M{number} GEN TOUR MEM",
        recall=100,
        page=f"fairdeal.games.chimax.match:match-{number}.page.toml",
        clauses=f"fairdeal.games.chimax.match:match-{number}.clauses.toml",
        levels=f"fairdeal.games.chimax.match:match-{number}.levels.toml",
        **own,
    )


MATCH_2 = match_game(
    2,
    goal="Find pairs from memory; some pay more, and Zeros cost you.",
    blurb="Two cards, one memory: find the pairs, and leave the Zeros to the others.",
    minutes=(6, 10),
    state=PAIR_STATE,
    observed=PAIR_OBSERVED,
    rules=Rules.of(rules, deal=rules.deal_pairs),
    options=Match2Options,
    presets=MATCH_2_PRESETS,
    read_position=positions.read_pairs,
)

MATCH_3 = match_game(
    3,
    goal="Find three alike from memory; the most points win.",
    blurb="Three of a kind from thirty-nine cards. How good is your memory, really?",
    minutes=(10, 18),
    state=TRIPLET_STATE,
    observed=TRIPLET_OBSERVED,
    rules=Rules.of(rules, deal=rules.deal_triplets),
    options=Match3Options,
    presets=MATCH_3_PRESETS,
    read_position=positions.read_triplets,
)
