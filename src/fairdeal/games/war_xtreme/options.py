"""WAR X-TREME: the options (docs/rules/war-xtreme.md, part 4) and the presets."""

from typing import Annotated, Literal

from fairdeal.engine.options import Options, Preset, about, called
from fairdeal.games.war_xtreme.catalogue.reading import BUILT_IN, Catalogue
from fairdeal.games.war_xtreme.catalogue.tables import CARDS_OF_A_SET, SETS
from fairdeal.games.war_xtreme.state import ARMY, SEATS, SLOTS


class WarOptions(Options, frozen=True, kw_only=True):
    """The options of a table of WAR X-TREME."""

    players: Annotated[int, about("Two to eight.", "WAR-04", "Players", ge=2, le=SEATS)] = 2
    sets: Annotated[
        tuple[Annotated[int, about("A set.", "WAR-04", ge=1, le=SETS)], ...],
        about(
            "Which of the four sets you play with; with none chosen everybody brings a suit.",
            "WAR-04",
            "Card sets",
            max_length=SETS,
        ),
    ] = ()
    ask_extreme: Annotated[
        bool, about("Everybody is asked whether they feel extreme before the deal.", "WAR-03", "Ask first")
    ] = True
    max_rounds: Annotated[
        int,
        about(
            "After so many rounds the biggest army wins; 0 is no limit.", "WAR-94", "Rounds at most", ge=0, le=100000
        ),
    ] = 1000
    equipment: Annotated[bool, about("You play with equipment.", "WAR-72", "Equipment")] = True
    must_play: Annotated[
        Literal["catch", "enforced"],
        about("What happens with cards that must be played at once.", "WAR-83 WAR-87", "Must-play cards"),
        called(catch="can be hidden, and cheaters caught", enforced="have to be played"),
    ] = "catch"
    caught: Annotated[
        Literal["ends-game", "out"],
        about("What happens when a cheater is caught.", "WAR-85", "Caught cheaters"),
        called({"ends-game": "the game ends", "out": "they are out"}),
    ] = "ends-game"
    false_catch: Annotated[
        int, about("How many cards a false accusation costs.", "WAR-86", "False accusations", ge=0, le=5)
    ] = 2
    final_inspection: Annotated[bool, about("Winners show what they hide.", "WAR-87", "Final inspection")] = False
    war_conflict: Annotated[
        Literal["more-wars", "coin"],
        about("Which of several War cards counts.", "WAR-23", "Several War cards"),
        called({"more-wars": "the one that makes more wars", "coin": "a coin decides"}),
    ] = "more-wars"
    race: Annotated[
        Literal["arrival", "seeded"],
        about("Who wins a race.", "WAR-20", "Races"),
        called(arrival="whoever acts first", seeded="whoever a lot puts first"),
    ] = "arrival"
    race_ms: Annotated[
        int, about("How many thousandths of a second a race lasts.", "WAR-19", "Length of a race", ge=1000, le=60000)
    ] = 8000
    trust: Annotated[bool, about("After a shuffle somebody is asked whether they trust it.", "WAR-61", "Trust")] = True
    trust_partner: Annotated[
        Literal["left", "choose"],
        about("Who is asked for trust.", "WAR-61", "Trusted by"),
        called(left="whoever sits on the left", choose="whoever the owner names"),
    ] = "left"
    tax_over_59: Annotated[
        Literal["fifth", "cap"],
        about("How an army of 60 cards and more is taxed.", "WAR-69", "Tax on big armies"),
        called(fifth="a fifth of its cards", cap="as one of 59"),
    ] = "fifth"
    dispute: Annotated[bool, about("Quarrels may be fought out for bragging rights.", "WAR-89", "Quarrels")] = True
    auto_sweep: Annotated[bool, about("Pots sweep themselves.", "WAR-32", "Sweeping")] = True
    catalogue: Annotated[
        Catalogue, about("The cards you play with; your own, if you have others.", "WAR-10", "Cards")
    ] = BUILT_IN

    def conflict(self) -> tuple[str, str] | None:
        if len(set(self.sets)) < len(self.sets):
            return "sets", "all sets are different [WAR-04]"
        needed = ARMY * self.players + SLOTS + 1
        if self.sets and CARDS_OF_A_SET * len(self.sets) < needed:
            return "sets", f"{self.players} seats need {needed} cards, and a set has {CARDS_OF_A_SET} [WAR-04]"
        return None


PRESETS = {
    "standard": Preset("Standard", "Two armies, and everything that is in the box."),
    "lunch-break": Preset(
        "Lunch break", "Stops after 100 rounds, and the biggest army wins.", max_rounds=100, ask_extreme=False
    ),
    "four": Preset("Four armies", "Four players, everybody for themselves.", players=4, ask_extreme=False),
    "eight": Preset(
        "Eight armies", "Eight players; stops after 300 rounds.", players=8, max_rounds=300, ask_extreme=False
    ),
    "plain": Preset(
        "Plain war",
        "No equipment, no quarrels, and no questions of trust.",
        equipment=False,
        dispute=False,
        trust=False,
        ask_extreme=False,
    ),
    "strict": Preset(
        "Strict",
        "Cards that must be played have to be, and races are drawn by lot.",
        must_play="enforced",
        trust_partner="choose",
        race="seeded",
        auto_sweep=False,
        ask_extreme=False,
    ),
}
