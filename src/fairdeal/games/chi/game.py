"""CHI: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chi import (
    cards,
    explain,
    greedy,
    hidden,
    legal,
    narration,
    notation,
    positions,
    reasons,
    rules,
    scene,
)
from fairdeal.games.chi.cards import SKIN
from fairdeal.games.chi.options import PRESETS, ChiOptions
from fairdeal.games.chi.state import (
    ACTIONS,
    State,
)

GAME = Game.of(
    *(cards, explain, greedy, narration, notation, positions, reasons, scene),
    name="chi",
    title="Chi",
    designer="Shane Gelven",
    publisher="Gelvo Games",
    blurb="Gather Yang, strike with Yin, and keep a Chi in hand for the answer.",
    players=(2, 2),
    minutes=(2, 5),
    weight="light",
    rules_version=1,
    specification="chi",
    clause_prefix="CHI",
    actions=ACTIONS,
    state=State,
    rules=Rules.of(legal, hidden, rules),
    options=ChiOptions,
    presets=PRESETS,
    skin=SKIN,
    look="fairdeal.games.chi",
)
