"""WAR X-TREME: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.games.war_xtreme import (
    cards,
    choices,
    explain,
    greedy,
    hidden,
    narration,
    notation,
    phases,
    positions,
    reading,
    reasons,
    rules,
    scene,
    tempo,
    why,
)
from fairdeal.games.war_xtreme.cards import SKIN
from fairdeal.games.war_xtreme.options import PRESETS, WarOptions
from fairdeal.games.war_xtreme.state import ACTIONS, SEATS, State

GAME = Game.of(
    *(cards, choices, explain, greedy, narration, notation, positions, reading, reasons, scene, tempo, why),
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
    rules=Rules.of(rules, phases, hidden),
    options=WarOptions,
    presets=PRESETS,
    skin=SKIN,
    look="fairdeal.games.war_xtreme",
    events=True,
)
