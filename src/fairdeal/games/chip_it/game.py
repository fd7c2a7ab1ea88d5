"""CHIP IT: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chip_it import (
    cards,
    draft,
    explain,
    greedy,
    legal,
    narration,
    notation,
    positions,
    prompts,
    reasons,
    rules,
    scene,
)
from fairdeal.games.chip_it.cards import SKIN
from fairdeal.games.chip_it.options import PRESETS, ChipItOptions
from fairdeal.games.chip_it.state import ACTIONS, State

GAME = Game.of(
    *(cards, draft, explain, greedy, narration, notation, positions, prompts, reasons, scene),
    name="chip-it",
    title="Chip It",
    designer="Chikasuzu",
    publisher="AMIGO",
    blurb="Make any card fit by taking points, then get rid of cards and points alike.",
    players=(2, 6),
    minutes=(10, 20),
    weight="light",
    rules_version=1,
    specification="chip-it",
    clause_prefix="CHIP",
    actions=ACTIONS,
    state=State,
    rules=Rules.of(legal, rules),
    options=ChipItOptions,
    presets=PRESETS,
    skin=SKIN,
    look="fairdeal.games.chip_it",
)
