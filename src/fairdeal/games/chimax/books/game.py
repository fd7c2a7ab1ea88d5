"""CHIMAX BOOKS: the definition of the game."""

from fairdeal.engine.game import Rules
from fairdeal.games.chimax.books import bots, events, options, record, state
from fairdeal.games.chimax.books.picture import scene
from fairdeal.games.chimax.books.rules import hidden, play
from fairdeal.games.chimax.books.text import explain, notation, prompts
from fairdeal.games.chimax.game import chimax_game

GAME = chimax_game(
    *(state, options, record, events, notation, explain, prompts, scene, bots),
    name="chimax-books",
    home="fairdeal.games.chimax.books",
    title="Chimax Books",
    goal="Win Books and special cards, and be the first to the target.",
    blurb="Win Books with cards that nobody has seen, and know what a ? should stand for.",
    players=(2, 4),
    minutes=(30, 55),
    weight="medium",
    clause_prefix="BOOKS GEN TOUR",
    rules=Rules.of(play, hidden),
    recall=100,
)
