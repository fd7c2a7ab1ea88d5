"""CHI: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chi import rules
from fairdeal.games.chi.draft import pick
from fairdeal.games.chi.explain import explain
from fairdeal.games.chi.faces import SKIN, faces
from fairdeal.games.chi.greedy import greedy
from fairdeal.games.chi.narration import narrate
from fairdeal.games.chi.notation import read_move, write_move
from fairdeal.games.chi.options import PRESETS, ChiOptions
from fairdeal.games.chi.positions import read_position, write_position
from fairdeal.games.chi.prompts import why
from fairdeal.games.chi.reasons import reason
from fairdeal.games.chi.scene import scene
from fairdeal.games.chi.state import ACTIONS, State

GAME = Game(
    name="chi",
    title="Chi",
    designer="Shane Gelven",
    publisher="Gelvo Games",
    blurb="Build six stacks of Yang while Yin tears at them, and keep a Chi back to stop it.",
    players=(2, 2),
    minutes=(2, 5),
    weight="light",
    rules_version=1,
    specification="chi",
    clause_prefix="CHI",
    actions=ACTIONS,
    state=State,
    rules=Rules(
        deal=rules.deal,
        legal_actions=rules.legal_actions,
        apply=rules.apply,
        conceal=rules.conceal,
        resample=rules.resample,
        returns=rules.returns,
    ),
    greedy=greedy,
    options=ChiOptions,
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
    faces=faces,
    skin=SKIN,
)
