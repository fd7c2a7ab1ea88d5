"""WAR X-TREME: everything fairdeal knows of the game."""

from __future__ import annotations

from fairdeal.engine.game import Game, Rules
from fairdeal.engine.records import Record
from fairdeal.games.war_xtreme import rules
from fairdeal.games.war_xtreme.cards import SKIN, faces
from fairdeal.games.war_xtreme.choices import pick
from fairdeal.games.war_xtreme.explain import explain
from fairdeal.games.war_xtreme.greedy import greedy
from fairdeal.games.war_xtreme.narration import narrate
from fairdeal.games.war_xtreme.notation import read_move, write_move
from fairdeal.games.war_xtreme.options import PRESETS, WarOptions
from fairdeal.games.war_xtreme.positions import read_position, write_position
from fairdeal.games.war_xtreme.reasons import reason
from fairdeal.games.war_xtreme.scene import scene
from fairdeal.games.war_xtreme.state import ACTIONS, RACE, SEATS, State
from fairdeal.games.war_xtreme.tempo import tempo
from fairdeal.games.war_xtreme.why import why

MILLISECONDS = 1000


def race_limit(state: Record) -> int:
    """WAR-19: the seconds that a race lasts."""
    return -(-int(state.options.race_ms) // MILLISECONDS) if int(state.phase) == RACE else 0


GAME = Game(
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
    rules=Rules.of(rules),
    greedy=greedy,
    options=WarOptions,
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
    look="fairdeal.games.war_xtreme",
    events=True,
    limit=race_limit,
    tempo=tempo,
)
