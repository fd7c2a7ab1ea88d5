"""CHIMAX BOOKS: the options (docs/rules/chimax.md, section 1.5) and the presets."""

from collections.abc import Mapping
from typing import Annotated, Literal

from fairdeal.engine.options import Bounds, Preset, about, called
from fairdeal.games.chimax.options import PLAYOFF, TOURNAMENT, DeclareScope, TieBreak, TournamentOptions

TARGETS = {2: 75, 3: 50, 4: 25}
"""BOOKS-03: target score by number of players."""

PLAYERS = 4


class BooksOptions(TournamentOptions, kw_only=True):
    """The options of a game of Books."""

    players: Annotated[int, about("Number of players.", "BOOKS-01", "Players", ge=2, le=4)] = PLAYERS
    peek: Annotated[bool, about("You may look at your own hand.", "BOOKS-06", "See your hand")] = False
    pick: Annotated[
        Literal["any", "top"],
        about("Cards of your hand that you may play.", "BOOKS-07", "Choice of cards"),
        called(any="any card of your hand", top="only the top card"),
    ] = "any"
    reveal: Annotated[
        Literal["in_turn", "simultaneous"],
        about("Order in which the cards of a Book are turned up.", "BOOKS-10 BOOKS-11", "Turning up"),
        called(in_turn="one after another", simultaneous="all together"),
    ] = "in_turn"
    deal_leader: Annotated[
        Literal["last_winner", "dealer_left"],
        about("Player who leads the first Book of a later round.", "BOOKS-09", "Leader of a round"),
        called(last_winner="the winner of the last Book", dealer_left="the player on the dealer’s left"),
    ] = "last_winner"
    declare_scope: DeclareScope = "table_round"
    actual_card: Annotated[
        Literal["outranks", "takes_book"],
        about("Effect of a real card if a ? stands for it.", "BOOKS-19", "Real cards"),
        called(outranks="it beats that ?", takes_book="it takes the Book"),
    ] = "outranks"
    tap: Annotated[
        Literal["announce", "point"],
        about("Value of a Tap, a card exactly one higher.", "BOOKS-21 BOOKS-22", "Taps"),
        called(announce="nothing, only an announcement", point="a point"),
    ] = "announce"
    scoring: Annotated[
        Literal["books_and_specials", "specials_only"],
        about("Sources of points.", "BOOKS-23", "Scoring"),
        called(books_and_specials="Books and special cards", specials_only="special cards only"),
    ] = "books_and_specials"
    pair_count: Annotated[
        Literal["per_pair", "once", "exact"],
        about("Scoring of two ? or two halves.", "BOOKS-25", "Special pairs"),
        called(per_pair="for each pair", once="once for two or more", exact="for exactly two"),
    ] = "per_pair"
    target: Annotated[
        int, about("Total score that ends the game.", "BOOKS-03 BOOKS-28", "Points to reach", ge=1, le=1000)
    ] = TARGETS[PLAYERS]
    max_rounds: Annotated[
        int,
        about("Maximum number of rounds, after which the highest total wins.", "BOOKS-29", "Round limit", ge=1, le=100),
    ] = 30
    tie_break: TieBreak = "playoff"

    @classmethod
    def implied(cls, given: Mapping[str, object]) -> dict[str, object]:
        """Return the implied options, with the target for the number of players (BOOKS-03)."""
        players = given.get("players", PLAYERS)
        common = super().implied(given)
        return common | {"target": TARGETS[players]} if isinstance(players, int) and players in TARGETS else common

    def bounds(self) -> Bounds:
        """Return the limits (docs/rules/chimax.md, section 1.7). The least gain of a round is known for the usual
        scoring only."""
        usual = self.scoring == "books_and_specials" and self.pair_count == "per_pair"
        gain, most = {2: (17, 23), 3: (9, 16), 4: (6, 14)}[self.players]
        needed = self.players * (self.target - 1) // gain + 1
        rounds = min(self.max_rounds, needed) if usual else self.max_rounds
        return Bounds(rounds * 47 + PLAYOFF, -4 * rounds, self.target - 1 + most + 0.5)


PRESETS = {
    "strategic": Preset("Strategic", "You see your own hand.", peek=True),
    "standard": Preset("Blind", "Nobody looks at their own hand."),
    "summary": Preset(
        "All at once",
        "Top cards are turned up together, and only special cards score.",
        pick="top",
        reveal="simultaneous",
        scoring="specials_only",
        declare_scope="one_value_per_player",
        minutes=(25, 35),
    ),
    "tournament": TOURNAMENT,
}
