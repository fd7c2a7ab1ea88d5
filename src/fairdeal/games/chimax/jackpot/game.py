"""CHIMAX JACKPOT: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Rules
from fairdeal.games.chimax.game import chimax_game
from fairdeal.games.chimax.jackpot import explain, greedy, narration, notation, positions, reasons, rules, scene
from fairdeal.games.chimax.jackpot.options import PRESETS, JackpotOptions
from fairdeal.games.chimax.jackpot.state import ACTIONS, State

GAME = chimax_game(
    *(notation, explain, positions, narration, scene, greedy, reasons),
    name="chimax-jackpot",
    title="Chimax Jackpot",
    blurb="Three reels, thirteen spins: flip or hold, and hope for three infinities.",
    players=(1, 1),
    minutes=(3, 5),
    clause_prefix="JACK GEN TOUR",
    actions=ACTIONS,
    state=State,
    rules=Rules.of(rules),
    options=JackpotOptions,
    presets=PRESETS,
)
