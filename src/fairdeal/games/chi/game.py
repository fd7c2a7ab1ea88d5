"""CHI: the definition of the game, assembled from its modules."""

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chi import bots, cards, events, options, record, state
from fairdeal.games.chi.picture import scene
from fairdeal.games.chi.rules import hidden, legal, play
from fairdeal.games.chi.text import explain, notation, prompts

GAME = Game.of(
    *(state, options, cards, record, events, explain, notation, prompts, bots, scene),
    name="chi",
    home="fairdeal.games.chi",
    title="Chi",
    designer="Shane Gelven",
    publisher="Gelvo Games",
    goal="Have more points: your Yang, plus one for each card in hand.",
    blurb="Gather Yang, strike with Yin, and keep a Chi in hand for the answer.",
    players=(2, 2),
    minutes=(5, 12),
    weight="medium",
    rules_version=1,
    specification="chi",
    clause_prefix="CHI",
    rules=Rules.of(legal, hidden, play),
)
