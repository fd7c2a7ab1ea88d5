"""CHIMAX CUT: the definition of the game."""

from fairdeal.engine.game import Rules
from fairdeal.games.chimax.cut import bots, events, options, record, rules, state
from fairdeal.games.chimax.cut.picture import scene
from fairdeal.games.chimax.cut.text import explain, notation, prompts
from fairdeal.games.chimax.game import chimax_game

GAME = chimax_game(
    *(state, options, record, events, notation, explain, prompts, scene, bots),
    name="chimax-cut",
    home="fairdeal.games.chimax.cut",
    title="Chimax Cut",
    goal="Win rounds: cut again and again, and never hold the lowest card.",
    blurb="Cut the deck, show the bottom card: keep it, or tempt fate once more.",
    players=(2, 4),
    minutes=(3, 12),
    clause_prefix="CUT GEN TOUR",
    rules=Rules.of(rules),
)
