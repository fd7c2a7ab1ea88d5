"""CHIP IT: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chip_it import bots, cards
from fairdeal.games.chip_it.cards import SKIN
from fairdeal.games.chip_it.options import PRESET_WORDS, PRESETS, ChipItOptions
from fairdeal.games.chip_it.picture import scene
from fairdeal.games.chip_it.rules import legal, play
from fairdeal.games.chip_it.state import ACTIONS, OBSERVED, STATE
from fairdeal.games.chip_it.text import draft, explain, narration, notation, positions, prompts, rounds

GAME = Game.of(
    *(cards, draft, explain, narration, notation, positions, prompts, rounds, bots, scene),
    name="chip-it",
    title="Chip It",
    designer="Chikasuzu",
    publisher="AMIGO",
    goal="Be the first with no cards and no points.",
    blurb="Make any card fit by taking points, then get rid of cards and points alike.",
    players=(2, 6),
    minutes=(12, 24),
    weight="medium",
    rules_version=1,
    specification="chip-it",
    clause_prefix="CHIP",
    actions=ACTIONS,
    state=STATE,
    observed=OBSERVED,
    rules=Rules.of(legal, play),
    options=ChipItOptions,
    presets=PRESETS,
    preset_words=PRESET_WORDS,
    skin=SKIN,
    look="fairdeal.games.chip_it",
    page="fairdeal.games.chip_it:page.toml",
    bites="fairdeal.games.chip_it:bites.toml",
    levels="fairdeal.games.chip_it:levels.toml",
)
