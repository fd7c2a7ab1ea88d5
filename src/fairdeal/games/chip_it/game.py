"""CHIP IT: the definition of the game."""

from fairdeal.engine.game import Game, Rules
from fairdeal.games.chip_it import bots, cards, events, options, record, state
from fairdeal.games.chip_it.picture import scene
from fairdeal.games.chip_it.rules import legal, play
from fairdeal.games.chip_it.text import draft, explain, notation, prompts, rounds

GAME = Game.of(
    *(state, options, cards, record, events, draft, explain, notation, prompts, rounds, bots, scene),
    name="chip-it",
    home="fairdeal.games.chip_it",
    title="Chip It",
    designer="Chikasuzu",
    publisher="AMIGO",
    goal="Be the first with no cards and no points.",
    blurb="Make any card fit by taking points, then get rid of cards and points alike.",
    players=(2, 6),
    minutes=(9, 24),
    weight="medium",
    rules_version=1,
    specification="chip-it",
    clause_prefix="CHIP",
    rules=Rules.of(legal, play),
)
