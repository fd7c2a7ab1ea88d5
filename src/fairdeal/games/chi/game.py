"""CHI: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chi import bots, cards
from fairdeal.games.chi.cards import SKIN
from fairdeal.games.chi.options import PRESET_WORDS, PRESETS, ChiOptions
from fairdeal.games.chi.picture import scene
from fairdeal.games.chi.rules import hidden, legal, play
from fairdeal.games.chi.state import ACTIONS, OBSERVED, STATE
from fairdeal.games.chi.text import explain, narration, notation, positions, prompts

GAME = Game.of(
    *(cards, explain, narration, notation, positions, prompts, bots, scene),
    name="chi",
    title="Chi",
    designer="Shane Gelven",
    publisher="Gelvo Games",
    goal="Have more points: those on your Yang, and one per card in hand.",
    blurb="Gather Yang, strike with Yin, and keep a Chi in hand for the answer.",
    players=(2, 2),
    minutes=(5, 12),
    weight="medium",
    rules_version=1,
    specification="chi",
    clause_prefix="CHI",
    actions=ACTIONS,
    state=STATE,
    observed=OBSERVED,
    rules=Rules.of(legal, hidden, play),
    options=ChiOptions,
    presets=PRESETS,
    preset_words=PRESET_WORDS,
    skin=SKIN,
    look="fairdeal.games.chi",
    page="fairdeal.games.chi:page.toml",
    bites="fairdeal.games.chi:bites.toml",
    levels="fairdeal.games.chi:levels.toml",
    learned="fairdeal.games.chi:learned.npz",
)
