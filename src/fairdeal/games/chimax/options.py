"""CHIMAX: the tournament options shared by all its games (docs/rules/chimax.md, section 8)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from fairdeal.engine.options import Options, Preset, about, called

TieBreak = Annotated[
    Literal["playoff", "shared"],
    about("Resolution of a tie for first place.", "GEN-14 TOUR-06", "Ties"),
    called(playoff="one more Book decides", shared="all tied players win"),
]
DeclareScope = Annotated[
    Literal["table_round", "player_round", "one_value_per_player", "table_book"],
    about("Limit on how often a ? may stand for the same value.", "BOOKS-16", "Values of a ?"),
    called(
        table_round="once per round at the table",
        player_round="once per round for each player",
        one_value_per_player="always the same value for a player",
        table_book="once per Book",
    ),
]
StallLimit = Annotated[
    int,
    about(
        "Number of turns without a new card, after which only unseen cards may be turned; 0 means twice the cards.",
        "MEM-07",
        "Turns without a new card",
        ge=0,
        le=1000,
    ),
]


PLAYOFF = 4 + 4 + 1 + 1
"""Most actions of a playoff with its cut, and of a cut before the deal: four plays, four declarations and two cuts."""


def memory_turns(cards: int, claims: int, stall_limit: int) -> int:
    """Return the largest number of turns in a game with cards to be remembered (MEM-08)."""
    limit = stall_limit or 2 * cards
    return cards + claims + (cards + claims + 1) * limit


class SoloOptions(Options, kw_only=True):
    """Tournament options of a single-player game, in which no tie is possible."""

    tournament: Annotated[
        bool,
        about("Play by tournament rules: cuts, a clock, and ties played off.", "TOUR-01 TOUR-02", "Tournament rules"),
    ] = False
    round_minutes: Annotated[
        Literal["none"] | Annotated[int, about("Number of minutes.", "TOUR-04", ge=1, le=120)],
        about("Maximum length of a round in minutes.", "TOUR-04 TOUR-05", "Round clock"),
        called(none="no clock"),
    ] = "none"
    cut: Annotated[
        Literal["auto", "player"],
        about("Player who cuts the pack before a deal.", "GEN-11 TOUR-02", "Cutting the pack"),
        called(auto="nobody", player="the player on the dealer’s left"),
    ] = "auto"

    @classmethod
    def implied(cls, given: Mapping[str, object]) -> dict[str, object]:
        """Return the options implied by tournament play: the cut and the clock (TOUR)."""
        return {"cut": "player", "round_minutes": 10} if given.get("tournament") is True else {}


class TournamentOptions(SoloOptions, kw_only=True):
    """Tournament options of a game for several players."""

    first_dealer: Annotated[
        Literal["draw"] | Annotated[int, about("Seat number.", "GEN-12", ge=0, le=3)],
        about("Player who deals first.", "GEN-12", "First dealer", seat=True),
        called(draw="the player who draws the highest card"),
    ] = "draw"
    tie_break: TieBreak = "shared"

    @classmethod
    def implied(cls, given: Mapping[str, object]) -> dict[str, object]:
        """Return the options implied by tournament play: the cut, the clock and the playoff (TOUR)."""
        common = super().implied(given)
        return common | {"tie_break": "playoff"} if common else {}

    def conflict(self) -> tuple[str, str] | None:
        if isinstance(self.first_dealer, int) and self.first_dealer >= self.players:
            return "first_dealer", f"the seats are 0 to {self.players - 1}"
        return None


TOURNAMENT = Preset(
    "Tournament", "The pack is cut, rounds last at most ten minutes, and ties are played off.", tournament=True
)
