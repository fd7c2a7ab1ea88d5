"""CHI: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chi import bots, cards
from fairdeal.games.chi.cards import SKIN
from fairdeal.games.chi.options import PRESETS, ChiOptions
from fairdeal.games.chi.picture import scene
from fairdeal.games.chi.rules import hidden, legal, play
from fairdeal.games.chi.state import ACTIONS, STATE
from fairdeal.games.chi.text import explain, narration, notation, positions

GAME = Game.of(
    *(cards, explain, narration, notation, positions, bots, scene),
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
    state=STATE,
    rules=Rules.of(legal, hidden, play),
    options=ChiOptions,
    presets=PRESETS,
    skin=SKIN,
    look="fairdeal.games.chi",
)
