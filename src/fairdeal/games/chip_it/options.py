"""CHIP IT: the options (docs/rules/chip-it.md, section 3) and the presets."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from fairdeal.engine.options import Bounds, Options, Preset, about, called

CARDS, SUPPLY = 60, 108
"""CHIP-02: the most cards that are dealt, and the total number of points."""


class ChipItOptions(Options, kw_only=True):
    """Options of a game of CHIP IT."""

    players: Annotated[int, about("Number of players; two players play a duel.", "CHIP-03", "Players", ge=2, le=6)] = 4
    mode: Annotated[
        Literal["single", "tournament", "duel"],
        about("Games in a match.", "CHIP-70 CHIP-80", "Match"),
        called(single="one game", tournament="one game for each starter", duel="the match for two"),
    ] = "single"
    placement: Annotated[
        bool,
        about(
            "After a player has won, the others play on for the remaining places.",
            "CHIP-64 CHIP-65 CHIP-66",
            "Play on for places",
        ),
    ] = False
    first_player: Annotated[
        Literal["random"] | Annotated[int, about("Seat number.", "CHIP-06", ge=0, le=5)],
        about("Player who takes the first turn.", "CHIP-06 CHIP-70 CHIP-80", "First player", seat=True),
        called(random="a random player"),
    ] = "random"
    raise_: Annotated[
        Literal["any", "lowest"],
        about("Limit on raising cards with points.", "CHIP-28", "Raising"),
        called(any="as far as you like", lowest="only as far as necessary"),
    ] = msgspec.field(default="any", name="raise")
    value_cap: Annotated[
        Literal["none"] | Annotated[int, about("Value.", "CHIP-29", ge=21, le=1199)],
        about("Maximum value that may be played.", "CHIP-29", "Highest value"),
        called(none="no limit"),
    ] = "none"
    leader_pass: Annotated[
        Literal["must_return", "never", "free"],
        about("Whether you may pass when you lead a round.", "CHIP-44 CHIP-45 CHIP-46", "Passing as leader"),
        called(must_return="yes, by giving back a point", never="no", free="yes"),
    ] = "must_return"
    collect: Annotated[
        Literal["turn_start", "after_pass"],
        about("When you take the points off your beaten cards.", "CHIP-11", "Taking points"),
        called(turn_start="at the start of your turn", after_pass="after you pass"),
    ] = "turn_start"
    start_points: Annotated[
        int, about("Number of points that each player starts with.", "CHIP-05", "Starting points", ge=0, le=10)
    ] = 3
    pool_total: Annotated[
        int, about("Total number of points in the game.", "CHIP-02 CHIP-27", "Total points", ge=1, le=SUPPLY)
    ] = SUPPLY
    duel_points: Annotated[
        tuple[
            Annotated[int, about("Points of the starter.", "CHIP-81", ge=0, le=SUPPLY)],
            Annotated[int, about("Points of the other player.", "CHIP-81", ge=0, le=SUPPLY)],
        ],
        about("Starting points of the starter and of the other player in a duel.", "CHIP-81", "Points in a duel"),
    ] = (2, 0)
    duel_games: Annotated[
        int, about("Number of games in a duel.", "CHIP-80", "Games in a duel", ge=2, le=20, multiple_of=2)
    ] = 4

    @classmethod
    def implied(cls, given: Mapping[str, object]) -> dict[str, object]:
        if given.get("mode") == "duel" or given.get("players") == 2:
            return {"players": 2, "mode": "duel"}
        if given.get("mode") == "tournament":
            return {"placement": True}
        return {}

    def conflict(self) -> tuple[str, str] | None:
        if (self.mode == "duel") != (self.players == 2):
            return "mode", "two players always play a duel, and a duel needs two players [CHIP-80]"
        if self.mode == "tournament" and not self.placement:
            return "placement", "a tournament is always played for places [CHIP-71]"
        if self.mode == "duel" and self.placement:
            return "placement", "a duel cannot be played for places [CHIP-82]"
        if isinstance(self.first_player, int) and self.first_player >= self.players:
            return "first_player", f"the seats are 0 to {self.players - 1} [CHIP-06]"
        banks = sum(self.duel_points) if self.mode == "duel" else self.players * self.start_points
        if banks > self.pool_total:
            return "pool_total", f"it must be at least {banks}, the sum of the starting banks [CHIP-02]"
        return None

    def bounds(self) -> Bounds:
        """Return the limits (docs/rules/chip-it.md, section 8)."""
        duel, tournament = self.mode == "duel", self.mode == "tournament"
        games = self.duel_games if duel else self.players if tournament else 1
        start = sum(self.duel_points) if duel else self.players * self.start_points
        progress = CARDS + start + CARDS * self.pool_total
        actions = games * ((self.players + 1) * progress + 3 * CARDS)
        highest = 0 if duel else 4 * games if tournament else self.players - 1 if self.placement else 1
        return Bounds(
            0 if self.leader_pass == "free" else actions, -games * (self.pool_total + 33) if duel else 0, highest
        )


PRESETS = {
    "single": Preset("One game", "The first player without cards and points wins."),
    "places": Preset(
        "For places", "After a player has won, the others play on for the remaining places.", placement=True
    ),
    "tournament": Preset(
        "Tournament", "One game for each starter; places bring 4, 2 and 1 points.", mode="tournament", minutes=(30, 120)
    ),
    "duel": Preset(
        "Duel", "Two players, four games; what you are left with is written down.", mode="duel", minutes=(20, 25)
    ),
}
