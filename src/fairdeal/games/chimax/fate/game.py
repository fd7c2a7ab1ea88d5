"""CHIMAX FATE: the definition of the game."""

from fairdeal.engine.game import Rules
from fairdeal.games.chimax.fate import bots, events, options, record, rules, state
from fairdeal.games.chimax.fate.picture import scene
from fairdeal.games.chimax.fate.text import explain, notation, prompts
from fairdeal.games.chimax.game import chimax_game

GAME = chimax_game(
    *(state, options, record, events, notation, explain, prompts, scene, bots),
    name="chimax-fate",
    home="fairdeal.games.chimax.fate",
    title="Chimax Fate",
    goal="Find the cards that the wheel calls for; most points win.",
    blurb="The wheel calls for a face, and somewhere among thirteen cards it lies. Who remembers where?",
    players=(1, 4),
    minutes=(3, 5),
    clause_prefix="FATE GEN MEM TOUR",
    rules=Rules.of(rules),
    recall=100,
)
