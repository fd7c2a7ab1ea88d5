"""CHIMAX MATCH-2 and MATCH-3: the definitions of the two games."""

from collections.abc import Callable
from typing import Any

from fairdeal.engine.fields import Fields
from fairdeal.engine.game import Game, Rules
from fairdeal.engine.written import Position
from fairdeal.games.chimax.game import chimax_game
from fairdeal.games.chimax.match import bots, events, record, rules, state
from fairdeal.games.chimax.match.options import MATCH_2_PRESETS, MATCH_3_PRESETS, Match2Options, Match3Options
from fairdeal.games.chimax.match.picture import scene
from fairdeal.games.chimax.match.text import explain, notation
from fairdeal.games.chimax.record import settle_position


def match_game(number: int, position: Position, prepare_position: Callable[[Fields], None], **own: Any) -> Game:
    """Return one of the two games, which differ in their records, their options and the size of a set."""
    hooks = {"prepare_position": prepare_position, "settle_position": settle_position}
    return chimax_game(
        *(state, record, events, notation, explain, scene, bots),
        name=f"chimax-match-{number}",
        title=f"Chimax Match-{number}",
        players=(1, 4),
        clause_prefix=f"M{number} GEN TOUR MEM",
        recall=100,
        page=f"fairdeal.games.chimax.match:match-{number}.page.toml",
        clauses=f"fairdeal.games.chimax.match:match-{number}.clauses.toml",
        levels=f"fairdeal.games.chimax.match:match-{number}.levels.toml",
        **position.functions({"conditions": record.CONDITIONS} | hooks),
        **own,
    )


MATCH_2 = match_game(
    2,
    record.PAIRS,
    record.prepare_pairs,
    goal="Find pairs from memory; some pay more, and Zeros cost you.",
    blurb="Two cards, one memory: find the pairs, and leave the Zeros to the others.",
    minutes=(6, 10),
    rules=Rules.of(rules, deal=rules.deal_pairs),
    options=Match2Options,
    presets=MATCH_2_PRESETS,
)

MATCH_3 = match_game(
    3,
    record.TRIPLETS,
    record.prepare_triplets,
    goal="Find three alike from memory; the most points win.",
    blurb="Three of a kind from thirty-nine cards. How good is your memory, really?",
    minutes=(10, 18),
    rules=Rules.of(rules, deal=rules.deal_triplets),
    options=Match3Options,
    presets=MATCH_3_PRESETS,
)
