"""CHIMAX BOOKS: the options (docs/rules/chimax.md, section 1.5) and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from fairdeal.engine.options import about
from fairdeal.games.chimax.options import TieBreak, TournamentOptions

TARGETS = {2: 75, 3: 50, 4: 25}
"""BOOKS-03: what to reach, by the number of players."""

PLAYERS = 4


class BooksOptions(TournamentOptions, frozen=True, kw_only=True):
    """The options of a table of Books."""

    players: Annotated[int, about("How many play.", "BOOKS-01", ge=2, le=4)] = PLAYERS
    peek: Annotated[bool, about("May you look at your own hand?", "BOOKS-06")] = False
    pick: Annotated[Literal["any", "top"], about("Which card of your hand you may play.", "BOOKS-07")] = "any"
    reveal: Annotated[
        Literal["in_turn", "simultaneous"],
        about("One card after another, or all turned up together.", "BOOKS-10 BOOKS-11"),
    ] = "in_turn"
    deal_leader: Annotated[
        Literal["last_winner", "dealer_left"], about("Who leads the first Book of a later round.", "BOOKS-09")
    ] = "last_winner"
    declare_scope: Annotated[
        Literal["table_round", "player_round", "one_value_per_player", "table_book"],
        about(
            "How often a ? may stand for a value: once a round at the table, once a round for each player, always the "
            "same one for a player, or once in a Book.",
            "BOOKS-16",
        ),
    ] = "table_round"
    actual_card: Annotated[
        Literal["outranks", "takes_book"],
        about("Does a real card only beat its own ?, or take the Book from higher numbers too?", "BOOKS-19"),
    ] = "outranks"
    tap: Annotated[
        Literal["announce", "point"], about("Is a Tap only announced, or worth a point?", "BOOKS-21 BOOKS-22")
    ] = "announce"
    scoring: Annotated[
        Literal["books_and_specials", "specials_only"],
        about("Does every Book score, or only what the special cards bring?", "BOOKS-23"),
    ] = "books_and_specials"
    pair_count: Annotated[
        Literal["per_pair", "once", "exact"],
        about("Two ? or two halves: for each pair, once for two or more, or for exactly two.", "BOOKS-25"),
    ] = "per_pair"
    target: Annotated[int, about("The total to reach.", "BOOKS-03 BOOKS-28", ge=1, le=1000)] = TARGETS[PLAYERS]
    max_rounds: Annotated[int, about("Rounds after which the highest total wins.", "BOOKS-29", ge=1, le=100)] = 30
    tie_break: TieBreak = "playoff"

    @classmethod
    def implied(cls, given: Mapping[str, object]) -> dict[str, object]:
        """BOOKS-03: the target goes by the number of players."""
        players = given.get("players", PLAYERS)
        common = super().implied(given)
        return common | {"target": TARGETS[players]} if isinstance(players, int) and players in TARGETS else common


PRESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "strategic": {"peek": True},
    "summary": {
        "pick": "top",
        "reveal": "simultaneous",
        "scoring": "specials_only",
        "declare_scope": "one_value_per_player",
    },
    "tournament": {"tournament": True},
}
