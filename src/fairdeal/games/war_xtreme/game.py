"""WAR X-TREME: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.games.war_xtreme import bots, tempo
from fairdeal.games.war_xtreme.options import PRESET_WORDS, PRESETS, WarOptions
from fairdeal.games.war_xtreme.picture import cards, choices, scene
from fairdeal.games.war_xtreme.picture.cards import SKIN
from fairdeal.games.war_xtreme.rules import deal, hidden, phases
from fairdeal.games.war_xtreme.state import ACTIONS, OBSERVED, SEATS, STATE
from fairdeal.games.war_xtreme.text import advice, explain, narration, notation, outcome, positions
from fairdeal.games.war_xtreme.text import read_positions as reading

GAME = Game.of(
    *(advice, cards, choices, explain, narration, notation, outcome, positions, reading, bots, scene, tempo),
    name="war-xtreme",
    title="WAR X-TREME",
    designer="Shane Gelven",
    publisher="Gelvo Games",
    goal="Win all the cards: be the last army standing.",
    blurb="Flip, tie, go to war: the children's game with taxes, equipment and no mercy.",
    players=(2, SEATS),
    minutes=(5, 102),
    weight="heavy",
    rules_version=1,
    specification="war-xtreme",
    clause_prefix="WAR",
    actions=ACTIONS,
    state=STATE,
    observed=OBSERVED,
    rules=Rules.of(deal, phases, hidden),
    options=WarOptions,
    presets=PRESETS,
    preset_words=PRESET_WORDS,
    skin=SKIN,
    look="fairdeal.games.war_xtreme",
    page="fairdeal.games.war_xtreme:page.toml",
    bites="fairdeal.games.war_xtreme:bites.toml",
    levels="fairdeal.games.war_xtreme:levels.toml",
    horizon=60,
    events=True,
    calm_race=tempo.CALM_RACE,
)
