"""Chaos Ninjas: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chi.ninjas import bots, cards
from fairdeal.games.chi.ninjas.cards import SKIN
from fairdeal.games.chi.ninjas.options import PRESET_WORDS, PRESETS, NinjaOptions
from fairdeal.games.chi.ninjas.picture import attack, scene
from fairdeal.games.chi.ninjas.rules import hidden, legal, play
from fairdeal.games.chi.ninjas.state import ACTIONS, OBSERVED, STATE
from fairdeal.games.chi.ninjas.text import draft, explain, narration, notation, outcome, positions, prompts

GAME = Game.of(
    *(cards, draft, explain, narration, notation, outcome, positions, prompts, bots, attack, scene),
    name="chaos-ninjas",
    title="Chaos Ninjas",
    designer="Shane Gelven",
    publisher="Gelvo Games",
    goal="Have six cards in play when your turn comes round again.",
    blurb="Get six ninjas into play and keep them there for a round: everybody will throw stars at them.",
    players=(2, 4),
    minutes=(4, 20),
    weight="medium",
    rules_version=1,
    specification="chi",
    clause_prefix="NINJA CHI",
    actions=ACTIONS,
    state=STATE,
    observed=OBSERVED,
    rules=Rules.of(legal, hidden, play),
    options=NinjaOptions,
    presets=PRESETS,
    preset_words=PRESET_WORDS,
    skin=SKIN,
    look="fairdeal.games.chi.ninjas",
    page="fairdeal.games.chi.ninjas:page.toml",
    bites="fairdeal.games.chi.ninjas:bites.toml",
    levels="fairdeal.games.chi.ninjas:levels.toml",
)
