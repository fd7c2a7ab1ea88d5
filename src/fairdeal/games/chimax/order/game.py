"""CHIMAX ORDER: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Rules
from fairdeal.games.chimax.game import chimax_game
from fairdeal.games.chimax.order import bots, rules
from fairdeal.games.chimax.order.options import PRESET_WORDS, PRESETS, OrderOptions
from fairdeal.games.chimax.order.picture import scene
from fairdeal.games.chimax.order.state import ACTIONS, OBSERVED, STATE
from fairdeal.games.chimax.order.text import explain, narration, notation, positions, prompts

GAME = chimax_game(
    *(notation, explain, positions, prompts, narration, scene, bots),
    name="chimax-order",
    title="Chimax Order",
    goal="Turn up the thirteen cards in order and place the last one.",
    blurb="Thirteen cards face down: turn them up from a half to infinity, without a slip of memory.",
    players=(1, 4),
    minutes=(3, 4),
    clause_prefix="ORDER GEN TOUR MEM",
    actions=ACTIONS,
    state=STATE,
    observed=OBSERVED,
    rules=Rules.of(rules),
    options=OrderOptions,
    presets=PRESETS,
    page="fairdeal.games.chimax.order:page.toml",
    bites="fairdeal.games.chimax.order:bites.toml",
    levels="fairdeal.games.chimax.order:levels.toml",
    preset_words=PRESET_WORDS,
    recall=100,
)
