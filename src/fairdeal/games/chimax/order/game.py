"""CHIMAX ORDER: the definition of the game."""

from fairdeal.engine.game import Rules
from fairdeal.games.chimax.game import chimax_game
from fairdeal.games.chimax.order import bots, events, options, record, rules, state
from fairdeal.games.chimax.order.picture import scene
from fairdeal.games.chimax.order.text import explain, notation, prompts

GAME = chimax_game(
    *(state, options, record, events, notation, explain, prompts, scene, bots),
    name="chimax-order",
    home="fairdeal.games.chimax.order",
    title="Chimax Order",
    goal="Turn up the thirteen cards in order and place the last one.",
    blurb="Thirteen cards face down: turn them up from a half to infinity, without a slip of memory.",
    players=(1, 4),
    minutes=(3, 4),
    clause_prefix="ORDER GEN TOUR MEM",
    rules=Rules.of(rules),
    recall=100,
)
