"""Chaos Ninjas: the definition of the game, assembled from its modules."""

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chi.ninjas import bots, cards, events, options, record, state
from fairdeal.games.chi.ninjas.picture import scene
from fairdeal.games.chi.ninjas.rules import hidden, legal, play
from fairdeal.games.chi.ninjas.text import draft, explain, notation, outcome, prompts

GAME = Game.of(
    *(state, options, cards, record, events, draft, explain, notation, outcome, prompts, bots, scene),
    name="chaos-ninjas",
    home="fairdeal.games.chi.ninjas",
    title="Chaos Ninjas",
    designer="Shane Gelven",
    publisher="Gelvo Games",
    goal="Have six cards in play when your turn comes round again.",
    blurb="Get six ninjas into play and keep them there for a round: everybody will throw stars at them.",
    players=(2, 4),
    minutes=(4, 20),
    weight="medium",
    rules_version=1,
    specification="chi",
    clause_prefix="NINJA CHI",
    rules=Rules.of(legal, hidden, play),
)
