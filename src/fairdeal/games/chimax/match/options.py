"""CHIMAX MATCH: the options (docs/rules/chimax.md, sections 3 and 4) and the presets."""

from __future__ import annotations

from typing import Annotated, Literal

from fairdeal.engine.options import about
from fairdeal.games.chimax.options import StallLimit, TournamentOptions


class MatchOptions(TournamentOptions, frozen=True, kw_only=True):
    """What both games can be played with."""

    players: Annotated[
        int, about("Two to four, or one alone for the fewest turns.", "M2-01", label="Players", ge=1, le=4)
    ] = 2
    qmark_wild: Annotated[
        bool, about("A ? may stand for 15, 25, 50 or 100.", "M2-05 M3-07", label="Wild question marks")
    ] = False
    target: Annotated[
        Literal["none"] | Annotated[int, about("Points.", "M2-11", ge=1, le=200)],
        about(
            "One layout, or layouts until somebody has so many points.",
            "M2-11",
            label="Points to reach",
            words={"none": "one layout"},
        ),
    ] = "none"
    stall_limit: StallLimit = 0


class Match2Options(MatchOptions, frozen=True, kw_only=True):
    """The options of a table of MATCH-2."""

    special: Annotated[
        Literal["add", "replace"],
        about(
            "How special pairs score.",
            "M2-09",
            label="Special pairs",
            words={"add": "on top of the point for any pair", "replace": "instead of the point for any pair"},
        ),
    ] = "add"


class Match3Options(MatchOptions, frozen=True, kw_only=True):
    """The options of a table of MATCH-3."""

    special: Annotated[
        Literal["books", "match2", "none"],
        about(
            "What special triplets add.",
            "M3-05",
            label="Special triplets",
            words={"books": "as much as in Books", "match2": "as much as in Match-2", "none": "nothing"},
        ),
    ] = "books"
    flips: Annotated[
        Literal["stop", "always_three"],
        about(
            "How many cards a turn shows.",
            "M3-03",
            label="Cards a turn",
            words={"stop": "until one does not fit", "always_three": "always three"},
        ),
    ] = "stop"


COMMON: dict[str, dict[str, object]] = {
    "standard": {},
    "tournament": {"tournament": True},
    "wild": {"qmark_wild": True},
    "solo": {"players": 1},
}
MATCH_2_PRESETS = COMMON | {"replace": {"special": "replace"}, "rounds": {"target": 15, "players": 3}}
MATCH_3_PRESETS = COMMON | {"three-cards": {"flips": "always_three"}}

COMMON_WORDS: dict[str, tuple[str, str]] = {
    "standard": ("Standard", "One layout; whoever has most points wins."),
    "tournament": ("Tournament", "The pack is cut, rounds last ten minutes, and ties are played off."),
    "wild": ("Wild ?", "A ? also makes a set with 15, 25, 50 or 100."),
    "solo": ("Alone", "One player: clear the layout in as few turns as you can."),
}
MATCH_2_WORDS = COMMON_WORDS | {
    "replace": ("Special pairs apart", "A special pair scores its own points and not the one for any pair."),
    "rounds": ("To 15", "Three players, layout after layout until somebody has 15 points."),
}
MATCH_3_WORDS = COMMON_WORDS | {
    "three-cards": ("Always three", "A turn shows three cards, even after a miss."),
}
"""What people call the presets, and what a player notices."""
