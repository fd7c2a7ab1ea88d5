"""CHIMAX FATE: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Rules
from fairdeal.games.chimax.fate import bots, rules
from fairdeal.games.chimax.fate.options import PRESET_WORDS, PRESETS, FateOptions
from fairdeal.games.chimax.fate.picture import scene
from fairdeal.games.chimax.fate.state import ACTIONS, OBSERVED, STATE
from fairdeal.games.chimax.fate.text import explain, narration, notation, positions, prompts
from fairdeal.games.chimax.game import chimax_game

GAME = chimax_game(
    *(notation, explain, positions, prompts, narration, scene, bots),
    name="chimax-fate",
    title="Chimax Fate",
    goal="Find the cards that the wheel calls for; most points win.",
    blurb="The wheel calls for a face, and somewhere among thirteen cards it lies. Who remembers where?",
    players=(1, 4),
    minutes=(3, 5),
    clause_prefix="FATE GEN MEM TOUR",
    actions=ACTIONS,
    state=STATE,
    observed=OBSERVED,
    rules=Rules.of(rules),
    options=FateOptions,
    presets=PRESETS,
    page="fairdeal.games.chimax.fate:page.toml",
    bites="fairdeal.games.chimax.fate:bites.toml",
    levels="fairdeal.games.chimax.fate:levels.toml",
    preset_words=PRESET_WORDS,
    recall=100,
)
