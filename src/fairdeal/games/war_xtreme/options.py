"""WAR X-TREME: the options (docs/rules/war-xtreme.md, part 4) and the presets."""

from typing import Annotated, Literal

from fairdeal.engine.options import Bounds, Options, Preset, about, called, option_number
from fairdeal.games.war_xtreme.catalogue.reading import BUILT_IN, Catalogue
from fairdeal.games.war_xtreme.catalogue.tables import CARDS_OF_A_SET, SETS
from fairdeal.games.war_xtreme.state import ARMY, SEATS, SLOTS


class WarOptions(Options, kw_only=True):
    """The options of a table of WAR X-TREME."""

    players: Annotated[int, about("Number of players.", "WAR-04", "Players", ge=2, le=SEATS)] = 2
    sets: Annotated[
        tuple[Annotated[int, about("Number of a set.", "WAR-04", ge=1, le=SETS)], ...],
        about(
            "Sets in play, out of four; if none is chosen, each player brings a suit.",
            "WAR-04",
            "Card sets",
            max_length=SETS,
        ),
    ] = ()
    ask_extreme: Annotated[
        bool, about("Players are asked before the deal whether they feel extreme.", "WAR-03", "Ask first")
    ] = True
    max_rounds: Annotated[
        int,
        about(
            "Maximum number of rounds, after which the biggest deck wins; 0 means no limit.",
            "WAR-94",
            "Round limit",
            ge=0,
            le=100000,
        ),
    ] = 1000
    equipment: Annotated[bool, about("You play with equipment.", "WAR-72", "Equipment")] = True
    must_play: Annotated[
        Literal["catch", "enforced"],
        about("Whether cards that must be played at once can be hidden.", "WAR-83 WAR-87", "Must-play cards"),
        called(catch="can be hidden, and cheaters caught", enforced="must be played"),
    ] = "catch"
    caught: Annotated[
        Literal["ends-game", "out"],
        about("Penalty for a caught cheater.", "WAR-85", "Caught cheaters"),
        called({"ends-game": "the game ends", "out": "the cheater is out"}),
    ] = "ends-game"
    false_catch: Annotated[
        int, about("Number of cards that a false accusation costs.", "WAR-86", "False accusations", ge=0, le=5)
    ] = 2
    final_inspection: Annotated[bool, about("Winners show what they hide.", "WAR-87", "Final inspection")] = False
    war_conflict: Annotated[
        Literal["more-wars", "coin"],
        about("War card that counts if there are several.", "WAR-23", "Several War cards"),
        called({"more-wars": "the one that starts more wars", "coin": "a random one"}),
    ] = "more-wars"
    race: Annotated[
        Literal["arrival", "seeded"],
        about("Player who wins a race.", "WAR-20", "Races"),
        called(arrival="the first player to act", seeded="a random player"),
    ] = "arrival"
    race_ms: Annotated[
        int, about("Length of a race in milliseconds.", "WAR-19", "Length of a race", ge=1000, le=60000)
    ] = 8000
    trust: Annotated[
        bool, about("After a shuffle, another player is asked whether they trust it.", "WAR-61", "Trust")
    ] = True
    trust_partner: Annotated[
        Literal["left", "choose"],
        about("Player who is asked for trust.", "WAR-61", "Trusted by"),
        called(left="the player on the left", choose="a player named by the owner"),
    ] = "left"
    tax_over_59: Annotated[
        Literal["fifth", "cap"],
        about("Tax on an army of 60 or more cards.", "WAR-69", "Tax on big armies"),
        called(fifth="a fifth of its cards", cap="the same as for 59 cards"),
    ] = "fifth"
    dispute: Annotated[bool, about("Players may quarrel for bragging rights.", "WAR-89", "Quarrels")] = True
    auto_sweep: Annotated[bool, about("Pots are swept automatically.", "WAR-32", "Sweeping")] = True
    catalogue: Annotated[Catalogue, about("Catalogue of cards, built in or your own.", "WAR-10", "Cards")] = BUILT_IN

    def conflict(self) -> tuple[str, str] | None:
        if len(set(self.sets)) < len(self.sets):
            return "sets", "give each set only once [WAR-04]"
        needed = ARMY * self.players + SLOTS + 1
        if self.sets and CARDS_OF_A_SET * len(self.sets) < needed:
            return "sets", f"{self.players} seats need {needed} cards, and a set has {CARDS_OF_A_SET} [WAR-04]"
        return None

    def bounds(self) -> Bounds:
        """Return the limits of scores, which are numbers of seats. No limit of the length is known."""
        return Bounds(0, 0, self.players - 1)


CATCH_THEM = option_number(WarOptions, must_play="catch")
ENFORCED = option_number(WarOptions, must_play="enforced")
ENDS_GAME = option_number(WarOptions, caught="ends-game")
OUT = option_number(WarOptions, caught="out")
MORE_WARS = option_number(WarOptions, war_conflict="more-wars")
ARRIVAL = option_number(WarOptions, race="arrival")
SEEDED = option_number(WarOptions, race="seeded")
CHOOSE = option_number(WarOptions, trust_partner="choose")
FIFTH = option_number(WarOptions, tax_over_59="fifth")

PRESETS = {
    "at-once": Preset("Standard", "Everything that is in the box.", ask_extreme=False),
    "lunch-break": Preset(
        "Lunch break", "The biggest deck wins after 100 rounds.", max_rounds=100, ask_extreme=False, minutes=(15, 50)
    ),
    "four": Preset(
        "Four armies", "Four players, everybody for themselves.", players=4, ask_extreme=False, minutes=(25, 100)
    ),
    "eight": Preset(
        "Eight armies",
        "Eight players; the biggest deck wins after 300 rounds.",
        players=8,
        max_rounds=300,
        ask_extreme=False,
        minutes=(70, 130),
    ),
    "plain": Preset(
        "Plain war",
        "No equipment, no quarrels, and no questions of trust.",
        equipment=False,
        dispute=False,
        trust=False,
        ask_extreme=False,
        minutes=(7, 95),
    ),
    "strict": Preset(
        "Strict",
        "Must-play cards cannot be hidden, and races are won at random.",
        must_play="enforced",
        trust_partner="choose",
        race="seeded",
        auto_sweep=False,
        ask_extreme=False,
        minutes=(15, 180),
    ),
    "standard": Preset("As printed", "Everybody is asked first, and may stay out."),
}
