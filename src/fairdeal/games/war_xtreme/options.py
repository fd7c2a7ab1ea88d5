"""WAR X-TREME: the options (docs/rules/war-xtreme.md, part 4) and the presets."""

from __future__ import annotations

from typing import Annotated, Literal

from fairdeal.engine.options import Options, about
from fairdeal.games.war_xtreme.catalogue.reading import BUILT_IN, Catalogue
from fairdeal.games.war_xtreme.catalogue.tables import CARDS_OF_A_SET, SETS
from fairdeal.games.war_xtreme.state import ARMY, SEATS, SLOTS


class WarOptions(Options, frozen=True, kw_only=True):
    """The options of a table of WAR X-TREME."""

    players: Annotated[int, about("Two to eight.", "WAR-04", ge=2, le=SEATS)] = 2
    sets: Annotated[
        tuple[Annotated[int, about("A set.", "WAR-04", ge=1, le=SETS)], ...],
        about("The sets played with; none given, one suit for each seat.", "WAR-04", max_length=SETS),
    ] = ()
    ask_extreme: Annotated[bool, about("Is everybody asked whether they feel extreme?", "WAR-03")] = True
    max_rounds: Annotated[
        int, about("Rounds after which the biggest deck wins; 0 for no limit.", "WAR-94", ge=0, le=100_000)
    ] = 1000
    equipment: Annotated[bool, about("Is there equipment?", "WAR-72")] = True
    must_play: Annotated[
        Literal["catch", "enforced"],
        about("Must-play-now cards can be hidden, and cheaters caught; or they have to be played.", "WAR-83 WAR-87"),
    ] = "catch"
    caught: Annotated[
        Literal["ends-game", "out"], about("A cheater who is caught ends the game, or is out.", "WAR-85")
    ] = "ends-game"
    false_catch: Annotated[int, about("Cards that a false accusation costs.", "WAR-86", ge=0, le=5)] = 2
    final_inspection: Annotated[bool, about("Do winners show what they hide?", "WAR-87")] = False
    war_conflict: Annotated[
        Literal["more-wars", "coin"], about("Several War cards: the one that makes more wars, or a coin.", "WAR-23")
    ] = "more-wars"
    race: Annotated[
        Literal["arrival", "seeded"], about("Races: who acts first, or a random order of all.", "WAR-20")
    ] = "arrival"
    race_ms: Annotated[int, about("Milliseconds that a race lasts.", "WAR-19", ge=1000, le=60_000)] = 8000
    trust: Annotated[bool, about("Is anybody asked for trust after a shuffle?", "WAR-61")] = True
    trust_partner: Annotated[
        Literal["left", "choose"], about("The seat on the left is asked, or one that the owner names.", "WAR-61")
    ] = "left"
    tax_over_59: Annotated[Literal["fifth", "cap"], about("The tax on 60 cards and more.", "WAR-69")] = "fifth"
    dispute: Annotated[bool, about("May quarrels be fought out for bragging rights?", "WAR-89")] = True
    auto_sweep: Annotated[bool, about("Do pots sweep themselves?", "WAR-32")] = True
    catalogue: Annotated[Catalogue, about("The cards; your own, if you have others.", "WAR-10")] = BUILT_IN

    def conflict(self) -> tuple[str, str] | None:
        if len(set(self.sets)) < len(self.sets):
            return "sets", "all sets are different [WAR-04]"
        needed = ARMY * self.players + SLOTS + 1
        if self.sets and CARDS_OF_A_SET * len(self.sets) < needed:
            return "sets", f"{self.players} seats need {needed} cards, and a set has {CARDS_OF_A_SET} [WAR-04]"
        return None


PRESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "lunch-break": {"max_rounds": 100, "ask_extreme": False},
    "four": {"players": 4, "ask_extreme": False},
    "eight": {"players": 8, "max_rounds": 300, "ask_extreme": False},
    "plain": {"equipment": False, "dispute": False, "trust": False, "ask_extreme": False},
    "strict": {
        "must_play": "enforced",
        "trust_partner": "choose",
        "race": "seeded",
        "auto_sweep": False,
        "ask_extreme": False,
    },
}
