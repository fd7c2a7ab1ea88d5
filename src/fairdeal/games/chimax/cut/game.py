"""CHIMAX CUT: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Rules
from fairdeal.games.chimax.cut import rules
from fairdeal.games.chimax.cut.explain import explain, why
from fairdeal.games.chimax.cut.greedy import greedy
from fairdeal.games.chimax.cut.narration import narrate
from fairdeal.games.chimax.cut.notation import read_move, write_move
from fairdeal.games.chimax.cut.options import PRESETS, CutOptions
from fairdeal.games.chimax.cut.positions import read_position, write_position
from fairdeal.games.chimax.cut.prompts import reason
from fairdeal.games.chimax.cut.scene import pick, scene
from fairdeal.games.chimax.cut.state import ACTIONS, State
from fairdeal.games.chimax.game import chimax_game

GAME = chimax_game(
    name="chimax-cut",
    title="Chimax Cut",
    blurb="Cut the deck, show the bottom card: keep it, or tempt fate once more.",
    players=(2, 4),
    minutes=(5, 15),
    clause_prefix="CUT GEN TOUR",
    actions=ACTIONS,
    state=State,
    rules=Rules.of(rules),
    greedy=greedy,
    options=CutOptions,
    presets=PRESETS,
    write_move=write_move,
    read_move=read_move,
    explain=explain,
    write_position=write_position,
    read_position=read_position,
    narrate=narrate,
    scene=scene,
    pick=pick,
    why=why,
    reason=reason,
)
