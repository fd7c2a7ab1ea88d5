"""WAR X-TREME: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.games.war_xtreme import bots, tempo
from fairdeal.games.war_xtreme.options import PRESETS, WarOptions
from fairdeal.games.war_xtreme.picture import cards, choices, scene
from fairdeal.games.war_xtreme.picture.cards import SKIN
from fairdeal.games.war_xtreme.rules import deal, hidden, phases
from fairdeal.games.war_xtreme.state import ACTIONS, SEATS, State
from fairdeal.games.war_xtreme.text import explain, narration, notation, positions
from fairdeal.games.war_xtreme.text import read_positions as reading

GAME = Game.of(
    *(cards, choices, explain, narration, notation, positions, reading, bots, scene, tempo),
    name="war-xtreme",
    title="WAR X-TREME",
    designer="Shane Gelven",
    publisher="Gelvo Games",
    blurb="Flip, tie, go to war: the children's game with taxes, equipment and no mercy.",
    players=(2, SEATS),
    minutes=(5, 30),
    weight="light",
    rules_version=1,
    specification="war-xtreme",
    clause_prefix="WAR",
    actions=ACTIONS,
    state=State,
    rules=Rules.of(deal, phases, hidden),
    options=WarOptions,
    presets=PRESETS,
    skin=SKIN,
    look="fairdeal.games.war_xtreme",
    events=True,
)
