"""CHIMAX MATCH: the options (docs/rules/chimax.md, sections 3 and 4) and the presets."""

from typing import Annotated, Literal

from fairdeal.engine.options import Bounds, Preset, about, called
from fairdeal.games.chimax.options import PLAYOFF, TOURNAMENT, StallLimit, TournamentOptions, memory_turns

MOST_LAYOUTS = 30
"""Number of layouts of a game to a target, at most (M2-11)."""


class MatchOptions(TournamentOptions, kw_only=True):
    """Options that both games share."""

    players: Annotated[
        int, about("Number of players; a single player plays for the fewest turns.", "M2-01", "Players", ge=1, le=4)
    ] = 2
    qmark_wild: Annotated[bool, about("A ? may stand for 15, 25, 50 or 100.", "M2-05 M3-07", "Wild question marks")] = (
        False
    )
    target: Annotated[
        Literal["none"] | Annotated[int, about("Number of points.", "M2-11", ge=1, le=200)],
        about("Score that ends the game, after one or more layouts.", "M2-11", "Points to reach"),
        called(none="one layout"),
    ] = "none"
    stall_limit: StallLimit = 0

    def within(self, cards: int, size: int, lowest: int, highest: int) -> Bounds:
        """Return the limits for layouts of sets of a size, and the points of a seat in one (docs/rules/chimax.md,
        sections 3 and 4)."""
        claims = cards // size
        turns = memory_turns(cards, claims, self.stall_limit)
        layouts = 1 if self.target == "none" else MOST_LAYOUTS
        actions = layouts * (size * (turns + claims) + PLAYOFF)
        if self.players == 1:
            return Bounds(actions, -layouts * turns, 0)
        most = highest if self.target == "none" else self.target - 1 + highest
        return Bounds(actions, layouts * lowest, most + 0.5)


class Match2Options(MatchOptions, kw_only=True):
    """The options of a game of MATCH-2."""

    special: Annotated[
        Literal["add", "replace"],
        about("Points for special pairs.", "M2-09", "Special pairs"),
        called(add="on top of the point for any pair", replace="instead of the point for any pair"),
    ] = "add"

    def bounds(self) -> Bounds:
        return self.within(28, 2, -3, 16)


class Match3Options(MatchOptions, kw_only=True):
    """The options of a game of MATCH-3."""

    special: Annotated[
        Literal["books", "match2", "none"],
        about("Extra points for special triplets.", "M3-05", "Special triplets"),
        called(books="as much as in Books", match2="as much as in Match-2", none="nothing"),
    ] = "books"
    flips: Annotated[
        Literal["stop", "always_three"],
        about("Number of cards turned up per turn.", "M3-03", "Cards per turn"),
        called(stop="until one does not match", always_three="always three"),
    ] = "stop"

    def bounds(self) -> Bounds:
        return self.within(39, 3, -2, 15)


WILD = "Wild ?", "A ? also makes a set with 15, 25, 50 or 100."

COMMON = {
    "standard": Preset("Standard", "One layout; the player with the most points wins."),
    "tournament": TOURNAMENT,
    "solo": Preset("Alone", "One player: clear the layout in as few turns as you can.", players=1),
}
MATCH_2_PRESETS = COMMON | {
    "wild": Preset(*WILD, qmark_wild=True, minutes=(6, 22)),
    "replace": Preset(
        "Special pairs apart",
        "A special pair scores only its own points, without the point for any pair.",
        special="replace",
        minutes=(6, 22),
    ),
    "rounds": Preset(
        "To 15",
        "Three players, layout after layout until somebody has 15 points.",
        target=15,
        players=3,
        minutes=(16, 40),
    ),
}
MATCH_3_PRESETS = COMMON | {
    "wild": Preset(*WILD, qmark_wild=True, minutes=(10, 55)),
    "three-cards": Preset(
        "Always three", "A turn shows three cards, even after a miss.", flips="always_three", minutes=(10, 25)
    ),
}
