"""WAR X-TREME: the definition of the game, assembled from its modules."""

from fairdeal.engine.game import Game, Rules
from fairdeal.games.war_xtreme import bots, conditions, events, options, record, state, tempo
from fairdeal.games.war_xtreme.picture import cards, choices, scene
from fairdeal.games.war_xtreme.rules import deal, hidden, phases
from fairdeal.games.war_xtreme.state import SEATS
from fairdeal.games.war_xtreme.text import explain, notation, outcome, prompts

GAME = Game.of(
    *(state, options, record, conditions, events, tempo, bots, cards, choices, scene),
    *(explain, notation, outcome, prompts),
    name="war-xtreme",
    home="fairdeal.games.war_xtreme",
    title="WAR X-TREME",
    designer="Shane Gelven",
    publisher="Gelvo Games",
    goal="Win all the cards: be the last army standing.",
    blurb="Flip, tie, go to war: the children's game with taxes, equipment and no mercy.",
    players=(2, SEATS),
    minutes=(15, 150),
    weight="heavy",
    rules_version=1,
    specification="war-xtreme",
    clause_prefix="WAR",
    rules=Rules.of(deal, phases, hidden),
    horizon=60,
    events=True,
    calm_race=tempo.CALM_RACE,
)
