"""CHIMAX MATCH: the options (docs/rules/chimax.md, sections 3 and 4) and the presets."""

from __future__ import annotations

from typing import Annotated, Literal

from fairdeal.engine.options import about
from fairdeal.games.chimax.options import StallLimit, TournamentOptions


class MatchOptions(TournamentOptions, frozen=True, kw_only=True):
    """What both games can be played with."""

    players: Annotated[int, about("Two to four, or one alone for the fewest turns.", "M2-01", ge=1, le=4)] = 2
    qmark_wild: Annotated[bool, about("May a ? stand for 15, 25, 50 or 100?", "M2-05 M3-07")] = False
    target: Annotated[
        Literal["none"] | Annotated[int, about("Points.", "M2-11", ge=1, le=200)],
        about("One layout, or layouts until somebody has so many points.", "M2-11"),
    ] = "none"
    stall_limit: StallLimit = 0


class Match2Options(MatchOptions, frozen=True, kw_only=True):
    """The options of a table of MATCH-2."""

    special: Annotated[
        Literal["add", "replace"],
        about("Are the points of special pairs added to the one of any pair, or instead of it?", "M2-09"),
    ] = "add"


class Match3Options(MatchOptions, frozen=True, kw_only=True):
    """The options of a table of MATCH-3."""

    special: Annotated[
        Literal["books", "match2", "none"],
        about("What special triplets add: as in Books, as in Match-2, or nothing.", "M3-05"),
    ] = "books"
    flips: Annotated[
        Literal["stop", "always_three"],
        about("Does a turn stop at the first card that does not fit, or are three turned every time?", "M3-03"),
    ] = "stop"


COMMON: dict[str, dict[str, object]] = {
    "standard": {},
    "tournament": {"tournament": True},
    "wild": {"qmark_wild": True},
    "solo": {"players": 1},
}
MATCH_2_PRESETS = COMMON | {"replace": {"special": "replace"}, "rounds": {"target": 15, "players": 3}}
MATCH_3_PRESETS = COMMON | {"three-cards": {"flips": "always_three"}}
