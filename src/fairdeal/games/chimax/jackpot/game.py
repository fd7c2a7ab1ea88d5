"""CHIMAX JACKPOT: the definition of the game."""

from fairdeal.engine.game import Rules
from fairdeal.games.chimax.game import chimax_game
from fairdeal.games.chimax.jackpot import bots, events, options, record, state
from fairdeal.games.chimax.jackpot.picture import scene
from fairdeal.games.chimax.jackpot.rules import play
from fairdeal.games.chimax.jackpot.text import explain, notation, prompts

GAME = chimax_game(
    *(state, options, record, events, notation, explain, prompts, scene, bots),
    name="chimax-jackpot",
    home="fairdeal.games.chimax.jackpot",
    title="Chimax Jackpot",
    goal="Make Books of three cards on the reels and reach par.",
    blurb="Three reels, thirteen spins: flip or hold, and hope for three infinities.",
    players=(1, 1),
    minutes=(3, 5),
    clause_prefix="JACK GEN TOUR",
    rules=Rules.of(play),
)
