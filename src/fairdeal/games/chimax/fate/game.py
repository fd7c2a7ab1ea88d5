"""CHIMAX FATE: everything fairdeal knows of the game."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.game import Rules
from fairdeal.engine.records import UNKNOWN, Record
from fairdeal.games.chimax.fate import explain, greedy, narration, notation, positions, rules, scene
from fairdeal.games.chimax.fate.options import PRESETS, FateOptions
from fairdeal.games.chimax.fate.state import ACTIONS, FLIP, SPIN, STOP, State
from fairdeal.games.chimax.game import chimax_game
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


GAME = chimax_game(
    *(notation, explain, positions, narration, scene, greedy),
    name="chimax-fate",
    title="Chimax Fate",
    blurb="The wheel calls for a face, and somewhere among thirteen cards it lies. Who remembers where?",
    players=(1, 4),
    minutes=(5, 10),
    clause_prefix="FATE GEN MEM TOUR",
    actions=ACTIONS,
    state=State,
    rules=Rules.of(rules),
    options=FateOptions,
    presets=PRESETS,
    reason=reason,
    recall=100,
)
